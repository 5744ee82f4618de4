"""The page itself: templates filled by Jinja, with style and script inside."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.raverun.approximate_answers import ApproximateReport
from analysis.raverun.comparing import FEW_DEALS
from analysis.raverun.exact_answers import ExactReport
from analysis.raverun.matches import MatchesReport
from analysis.raverun.report_files import Source, of_kind
from analysis.raverun.standings import training_effort, values_effort
from analysis.raverun.training import ValuesReport
from analysis.version import __version__
from cli.page.rendering import environment
from cli.raverun.page.answers import exact_table, sheet
from cli.raverun.page.groups import shown_groups
from cli.raverun.views.approximate import NOTE


def page(sources: Sequence[Source], command: str) -> str:
    """Return the page about some files.

    Parameters
    ----------
    sources
        What it is made from, one at least.
    command
        The command line that it is made by.
    """
    answers = of_kind(sources, ApproximateReport)
    text: str = (
        environment("cli.raverun.page")
        .get_template("page.html.j2")
        .render(
            names=list(dict.fromkeys(source.rules.name for source in sources)),
            sources=[(source, _effort(source), *_conditions(source)) for source in sources],
            groups=shown_groups(sources),
            sheets=[sheet(position, *answer) for position, answer in enumerate(answers, 1)],
            exact=[(source, report, exact_table(report)) for source, report in of_kind(sources, ExactReport)],
            note=NOTE,
            few_deals=FEW_DEALS,
            command=command,
            version=__version__,
        )
    )
    return text


def _effort(source: Source) -> str:
    """Return what was spent on the numbers of a file."""
    report = source.report
    if isinstance(report, ApproximateReport):
        return f"{training_effort(report.training)}; {report.games} games measured"
    if isinstance(report, ValuesReport):
        return values_effort(report) + ("" if report.completed else ", interrupted")
    if isinstance(report, MatchesReport):
        files = [name for name in (report.values, report.policy) if name is not None]
        return ", ".join([f"{report.deals} deals each", f"search: {report.budget}", *files])
    return f"{report.num_nodes} nodes" + (f", CFR {report.cfr.iterations} iterations" if report.cfr else "")


def _conditions(source: Source) -> tuple[str, str, str]:
    """Return players, seed and confidence level of a file."""
    report = source.report
    if isinstance(report, ExactReport):
        return "2", "–", "–"
    seed = report.training.seed if isinstance(report, ApproximateReport) else report.seed
    return str(report.players), str(seed), f"{report.confidence:.0%}"

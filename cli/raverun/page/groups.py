"""Results under the same rules with as many players: who wins from whom, and how far from an equilibrium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.raverun.approximate_answers import ApproximateReport, BoundReport, MatchReport, TrainingReport
from analysis.raverun.estimates import signed
from analysis.raverun.exact_answers import ExactReport
from cli.grid import Section
from cli.page.charts import Chart
from cli.raverun.commands.match import SEARCHING, MatchesReport
from cli.raverun.commands.train import ValuesReport
from cli.raverun.page.charts import interval_chart
from cli.raverun.page.reading import Source

#: With fewer deals the normal approximation behind an interval is rough.
FEW_DEALS = 30


@dataclass(frozen=True)
class Result:
    """A match: who, against whom, and where it is told."""

    player: str
    opponent: str
    match: MatchReport
    seed: int
    source: str


@dataclass(frozen=True)
class Group:
    """What can be compared.

    Attributes
    ----------
    id, title
        Of its part of the page.
    players
        At the table.
    bounds
        Lower bounds on NashConv, by player; None where nobody responded.
    crossed, listed
        The matches: players against each other, and one by one.
    chart
        Of the matches.
    few
        Whether a match has fewer than `FEW_DEALS` deals.
    """

    id: str
    title: str
    players: int
    bounds: Section | None
    crossed: Section | None
    listed: Section | None
    chart: Chart | None
    few: bool


def training_effort(training: TrainingReport) -> str:
    """Return how much trained strategies were trained."""
    return f"{training.iterations} iterations, {training.seconds:.0f} s of training"


def values_effort(report: ValuesReport) -> str:
    """Return how much learned values were trained."""
    return f"{report.plays} plays against themselves, {report.seconds:.0f} s"


def _of_match(name: str, report: MatchesReport) -> str:
    """Return a player of ``raverun match`` with what he plays by."""
    words = [f"{report.budget} a decision"] if name in SEARCHING else []
    words += [report.values] if name in ("guided", "values") and report.values else []
    words += [report.policy] if name == "trained" and report.policy else []
    return f"{name} ({', '.join(words)})" if words else name


def results_of(source: Source) -> list[Result]:
    """Return the matches that a file tells of."""
    report = source.report
    if isinstance(report, MatchesReport):
        player, seed = _of_match(report.player, report), report.seed
        named = [(_of_match(match.opponent, report), match) for match in report.matches]
    elif isinstance(report, ExactReport):
        return []
    else:
        player, seed = _bounded(source)[0], _seed(report)
        named = [(match.opponent, match) for match in report.matches]
    return [Result(player, opponent, match, seed, source.name) for opponent, match in named]


def _seed(report: ApproximateReport | ValuesReport) -> int:
    return report.training.seed if isinstance(report, ApproximateReport) else report.seed


def _bounded(source: Source) -> tuple[str, BoundReport | None]:
    """Return the player that a file was written about, and how far from an equilibrium he is at least."""
    report = source.report
    if isinstance(report, ApproximateReport):
        return f"trained ({training_effort(report.training)})", report.bound
    if isinstance(report, ValuesReport):
        return f"values ({values_effort(report)})", report.bound
    return "", None


def groups(sources: Sequence[Source]) -> list[Group]:
    """Return the results of all files, those of other rules or other numbers of players apart."""
    apart: dict[tuple[str, int], list[Source]] = {}
    for source in sources:
        if not isinstance(source.report, ExactReport):
            apart.setdefault((source.rules.sha256, source.report.players), []).append(source)
    return [_group(number, held) for number, held in enumerate(apart.values(), 1)]


def _group(number: int, sources: Sequence[Source]) -> Group:
    report = sources[0].report
    assert not isinstance(report, ExactReport)
    title = f"{report.rules.name}, {report.players} players"
    if report.rules.changed:
        title += f" ({', '.join(report.rules.changed)} changed)"
    found = [result for source in sources for result in results_of(source)]
    chart = None
    if found:
        lines = [(f"{each.player} – {each.opponent}", each.match.payoff) for each in found]
        chart = interval_chart("Payoff of who is named first", "payoff a game", lines)
    return Group(
        id=f"matches-{number}",
        title=title,
        players=report.players,
        bounds=_bounds(sources, report.players),
        crossed=_crossed(found) if found else None,
        listed=_listed(found) if found else None,
        chart=chart,
        few=any(each.match.payoff.observations < FEW_DEALS for each in found),
    )


def _bounds(sources: Sequence[Source], players: int) -> Section | None:
    rows = []
    for source in sources:
        name, bound = _bounded(source)
        if bound is not None:
            responses = [
                f"{kind} {signed(value)}" for kind, value in zip(bound.kinds, bound.responses, strict=True)
            ]
            # Payoffs are at most 1 (A2), so neither number says more than nothing below zero.
            least = max(0.0, bound.lower_bound)
            deals = min(value.observations for value in bound.responses)
            rows.append(
                [
                    name,
                    f"{least:.3f}",
                    f"{least / players:.3f}",
                    f"{bound.nash_conv:.3f}",
                    *responses,
                    str(deals),
                    source.name,
                ]
            )
    head = ["player", "NashConv at least", "exploitability at least", "responses won together"]
    head += [f"response in seat {seat}" for seat in range(players)]
    return Section("Lower bounds on exploitability", [*head, "deals a seat", "file"], rows) if rows else None


def _crossed(results: Sequence[Result]) -> Section:
    """Return the payoffs of players (rows) against others (columns)."""
    names = list(dict.fromkeys(each.player for each in results))
    others = list(dict.fromkeys(each.opponent for each in results))
    cells: dict[tuple[str, str], list[str]] = {}
    for each in results:
        cells.setdefault((each.player, each.opponent), []).append(signed(each.match.payoff))
    rows = [[name, *("; ".join(cells.get((name, other), ["–"])) for other in others)] for name in names]
    return Section("Players against each other: payoff a game", ["player", *others], rows)


def _listed(results: Sequence[Result]) -> Section:
    rows = [
        [
            each.player,
            each.opponent,
            signed(each.match.payoff),
            *(str(plays) for plays in (each.match.wins, each.match.draws, each.match.losses)),
            str(each.match.payoff.observations),
            str(each.seed),
            each.source,
        ]
        for each in results
    ]
    head = ["player", "against", "payoff a game", "won", "drawn", "lost", "deals", "seed", "file"]
    return Section("Every match", head, rows, left=2)

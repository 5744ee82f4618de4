"""Results under the same rules with as many players: who won from whom, and who was bounded how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.raverun.approximate_answers import ApproximateReport, BoundReport, MatchReport, TrainingReport
from analysis.raverun.exact_answers import ExactReport
from analysis.raverun.matches import SEARCHING, MatchesReport
from analysis.raverun.report_files import Source
from analysis.raverun.training import ValuesReport


@dataclass(frozen=True)
class Result:
    """A match: who, against whom, and where it is told."""

    player: str
    opponent: str
    match: MatchReport
    seed: int
    source: str


def training_effort(training: TrainingReport) -> str:
    """Return how much trained strategies were trained."""
    if training.num_hidden is None:
        return f"{training.iterations} iterations, {training.seconds:.0f} s of training"
    took = f", {training.seconds:.0f} s" if training.seconds else ""
    return f"{training.iterations} plays against themselves{took}"


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
        player, seed = bounded(source)[0], _seed(report)
        named = [(match.opponent, match) for match in report.matches]
    return [Result(player, opponent, match, seed, source.name) for opponent, match in named]


def _seed(report: ApproximateReport | ValuesReport) -> int:
    return report.training.seed if isinstance(report, ApproximateReport) else report.seed


def bounded(source: Source) -> tuple[str, BoundReport | None]:
    """Return the player that a file was written about, and how far from an equilibrium he is at least."""
    report = source.report
    if isinstance(report, ApproximateReport):
        name = "trained" if report.training.num_hidden is None else "values"
        return f"{name} ({training_effort(report.training)})", report.bound
    if isinstance(report, ValuesReport):
        best = max(report.bounds, key=lambda bound: bound.lower_bound, default=None)
        return f"values ({values_effort(report)})", best
    return "", None


def curve_of(source: Source) -> tuple[str, list[BoundReport]]:
    """Return the player that a file was written about, and what searches win from him, by their effort."""
    report = source.report
    found = report.bounds if isinstance(report, ApproximateReport | ValuesReport) else []
    return bounded(source)[0], sorted(found, key=lambda bound: bound.iterations)


def apart(sources: Sequence[Source]) -> list[list[Source]]:
    """Return the files with matches, those of other rules or other numbers of players apart."""
    found: dict[tuple[str, int], list[Source]] = {}
    for source in sources:
        if not isinstance(source.report, ExactReport):
            found.setdefault((source.rules.sha256, source.report.players), []).append(source)
    return list(found.values())

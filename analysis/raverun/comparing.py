"""What can be compared of some files: players under the same rules, with as many at the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.estimates import Estimate
from analysis.raverun.approximate_answers import BoundReport
from analysis.raverun.exact_answers import ExactReport
from analysis.raverun.report_files import Source
from analysis.raverun.standings import Result, apart, bounded, curve_of, results_of

#: With fewer deals the normal approximation behind an interval is rough.
FEW_DEALS = 30


@dataclass(frozen=True)
class PlayerBound:
    """How far a player is from an equilibrium at least.

    Attributes
    ----------
    player, source
        Who, and the file that says it.
    nash_conv, exploitability
        At least.
    won
        What the responses won together.
    responses
        Kind and payoff of the response in each seat.
    deals
        In each seat.
    """

    player: str
    nash_conv: float
    exploitability: float
    won: float
    responses: list[tuple[str, Estimate]]
    deals: int
    source: str


@dataclass(frozen=True)
class Curve:
    """What responses win from a player as they search more: two or more measurements, by their effort."""

    player: str
    bounds: list[BoundReport]


@dataclass(frozen=True)
class Group:
    """Results that can be compared.

    Attributes
    ----------
    title
        Rules and number of players.
    players
        At the table.
    results
        All matches.
    bounds
        Of the players who were responded to.
    curves
        Of those that were responded to with more and more effort, each once.
    """

    title: str
    players: int
    results: list[Result]
    bounds: list[PlayerBound]
    curves: list[Curve]

    @property
    def few(self) -> bool:
        """Whether a match has fewer than `FEW_DEALS` deals."""
        return any(each.match.payoff.observations < FEW_DEALS for each in self.results)

    def crossed(self) -> dict[tuple[str, str], list[Estimate]]:
        """Return what players won from each other, a match each."""
        cells: dict[tuple[str, str], list[Estimate]] = {}
        for each in self.results:
            cells.setdefault((each.player, each.opponent), []).append(each.match.payoff)
        return cells


def groups(sources: Sequence[Source]) -> list[Group]:
    """Return the results of all files, those of other rules or other numbers of players apart."""
    return [_group(held) for held in apart(sources)]


def _group(sources: Sequence[Source]) -> Group:
    report = sources[0].report
    assert not isinstance(report, ExactReport)
    title = f"{report.rules.name}, {report.players} players"
    if report.rules.changed:
        title += f" ({', '.join(report.rules.changed)} changed)"
    return Group(
        title,
        report.players,
        [result for source in sources for result in results_of(source)],
        [bound for source in sources for bound in _bounds(source, report.players)],
        _curves(sources),
    )


def _curves(sources: Sequence[Source]) -> list[Curve]:
    # An answer of the learned player repeats what the file of his values says of him.
    found: list[Curve] = []
    for source in sources:
        player, bounds = curve_of(source)
        if len(bounds) > 1 and bounds not in [each.bounds for each in found]:
            found.append(Curve(player, bounds))
    return found


def _bounds(source: Source, players: int) -> list[PlayerBound]:
    name, bound = bounded(source)
    if bound is None:
        return []
    # Payoffs are at most 1 (A2), so neither number says more than nothing below zero.
    least = max(0.0, bound.lower_bound)
    return [
        PlayerBound(
            player=name,
            nash_conv=least,
            exploitability=least / players,
            won=bound.nash_conv,
            responses=list(zip(bound.kinds, bound.responses, strict=True)),
            deals=min(value.observations for value in bound.responses),
            source=source.name,
        )
    ]

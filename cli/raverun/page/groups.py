"""Results under the same rules with as many players: who wins from whom, and how far from an equilibrium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.raverun.estimates import signed
from analysis.raverun.exact_answers import ExactReport
from analysis.raverun.report_files import Source
from analysis.raverun.standings import Result, apart, bounded, results_of
from cli.grid import Section
from cli.page.charts import Chart
from cli.raverun.page.charts import interval_chart

#: With fewer deals the normal approximation behind an interval is rough.
FEW_DEALS = 30


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


def groups(sources: Sequence[Source]) -> list[Group]:
    """Return the results of all files, those of other rules or other numbers of players apart."""
    return [_group(number, held) for number, held in enumerate(apart(sources), 1)]


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
        name, bound = bounded(source)
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

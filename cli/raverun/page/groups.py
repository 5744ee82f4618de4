"""Tables and charts of results that can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.estimates import signed
from analysis.raverun.comparing import Group, PlayerBound, groups
from analysis.raverun.report_files import Source
from analysis.raverun.standings import Result
from cli.grid import Section
from cli.page.charts import Chart
from cli.raverun.page.charts import effort_chart, interval_chart


@dataclass(frozen=True)
class Shown:
    """A group on the page: `id`, tables and chart (None where there is nothing), charts of responses."""

    id: str
    title: str
    players: int
    few: bool
    bounds: Section | None
    crossed: Section | None
    listed: Section | None
    chart: Chart | None
    curves: list[Chart]


def shown_groups(sources: Sequence[Source]) -> list[Shown]:
    """Return the results of all files, group by group."""
    return [_shown(number, group) for number, group in enumerate(groups(sources), 1)]


def _shown(number: int, group: Group) -> Shown:
    found = group.results
    lines = [(f"{each.player} – {each.opponent}", each.match.payoff) for each in found]
    return Shown(
        id=f"matches-{number}",
        title=group.title,
        players=group.players,
        few=group.few,
        bounds=_bounds(group.bounds, group.players) if group.bounds else None,
        crossed=_crossed(group) if found else None,
        listed=_listed(found) if found else None,
        chart=interval_chart("Payoff of who is named first", "payoff a game", lines) if found else None,
        curves=[
            effort_chart(f"What searches win from {each.player}; dashed: at least", each.bounds)
            for each in group.curves
        ],
    )


def _bounds(bounds: Sequence[PlayerBound], players: int) -> Section:
    rows = [
        [
            each.player,
            f"{each.nash_conv:.3f}",
            f"{each.exploitability:.3f}",
            f"{each.won:.3f}",
            *(f"{kind} {signed(value)}" for kind, value in each.responses),
            str(each.deals),
            each.source,
        ]
        for each in bounds
    ]
    head = ["player", "NashConv at least", "exploitability at least", "responses won together"]
    head += [f"response in seat {seat}" for seat in range(players)]
    return Section("Lower bounds on exploitability", [*head, "deals a seat", "file"], rows)


def _crossed(group: Group) -> Section:
    """Return the payoffs of players (rows) against others (columns)."""
    cells = {pair: "; ".join(map(signed, payoffs)) for pair, payoffs in group.crossed().items()}
    names, others = (list(dict.fromkeys(side)) for side in zip(*cells, strict=True))
    rows = [[name, *(cells.get((name, other), "–") for other in others)] for name in names]
    return Section("Players against each other: payoff a game", ["player", *others], rows)


def _listed(results: Sequence[Result]) -> Section:
    rows = [
        [
            each.player,
            each.opponent,
            signed(each.match.payoff),
            *map(str, (each.match.wins, each.match.draws, each.match.losses)),
            str(each.match.payoff.observations),
            str(each.seed),
            each.source,
        ]
        for each in results
    ]
    head = ["player", "against", "payoff a game", "won", "drawn", "lost", "deals", "seed", "file"]
    return Section("Every match", head, rows, left=2)

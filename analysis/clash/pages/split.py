"""An army that is split over two targets: its figures, and how it looks."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.amounts import counted
from analysis.clash.pages.battle import weights_line, worth
from analysis.clash.study_reports import SplitAnswer, SplitOption
from analysis.front.page import Cell, Column, Fact, Facts, Page, Table
from analysis.front.question import Amount
from analysis.front.render.numbers import number_text

__all__ = ["amounts", "page"]

_ROWS = 10
_OBJECTIVES = {
    "both": "the chance to hold both",
    "either": "the chance to hold at least one",
    "material": "gains less losses in all",
}


def amounts(found: SplitAnswer) -> list[Amount]:
    """Return what can be compared between two answers."""
    best, (kind, _) = found.best[0], worth(found.objective)
    holds = [
        Amount(f"win_{number}", f"holds target {number}", win, "share")
        for number, win in enumerate(best.wins, 1)
    ]
    return [Amount("value", _OBJECTIVES[found.objective], best.value, kind), *holds]


def _units(counts: Sequence[int]) -> str:
    return " ".join(map(str, counts)) if any(counts) else "-"


def page(found: SplitAnswer) -> Page:
    """Return how it looks."""
    army = ", ".join(f"{count} {unit}" for count, unit in zip(found.most, found.units, strict=True) if count)
    facts = [Fact("army", "army", f"{found.attacker}: {army}")]
    facts += [
        Fact(f"target_{number}", f"target {number}", each) for number, each in enumerate(found.targets, 1)
    ]
    kind, digits = worth(found.objective)
    columns = [
        *(Column("sent_1", "to 1"), Column("sent_2", "to 2"), Column("home", "at home")),
        Column("value", "worth", kind, digits),
        *(Column(f"win_{number}", f"hold {number}", "share", 2) for number in (1, 2)),
    ]

    def table(title: str, options: Sequence[SplitOption]) -> Table:
        rows: list[list[Cell]] = [
            [*map(_units, each.sent), _units(each.home), each.value, *each.wins] for each in options
        ]
        return Table(columns, rows, title)

    best = found.best[0]
    value = number_text(best.value, kind, digits) + (" %" if kind == "share" else "")
    exact = "A lower bound for each" if found.bracket else "Exact but for rounding"
    splits = counted(found.splits, "split")
    notes = weights_line(found.weights)
    if found.bracket:
        notes.append("Values are lower bounds: the state space was cut, and a better split may be missed.")
    notes.append(f"{exact} of {splits}.")
    if len(found.front) > _ROWS:
        notes.append(f"{len(found.front) - _ROWS} more of the second table are in --format json.")
    states = " and ".join(f"{number:,}" for number in found.states)
    return Page(
        headline=f"Send {_units(best.sent[0])} to the first target and {_units(best.sent[1])} to the second"
        f" (units of level I, II, III): {_OBJECTIVES[found.objective]} is {value}.",
        sections=[
            Facts(facts),
            table(f"The best: {_OBJECTIVES[found.objective]} (units by level I II III)", found.best),
            table("No split is better for one target and no worse for the other", found.front[:_ROWS]),
        ],
        notes=notes,
        method=[f"{states} positions, {found.sha256[:16]}."],
        data=_data(found),
    )


def _data(found: SplitAnswer) -> Table:
    """All that is listed, with the units by level."""
    places = ("to_1", "to_2", "at_home")
    keys = [f"{unit}_{place}" for place in places for unit in found.units]
    keys += ["value", *(f"{what}_{number}" for number in (1, 2) for what in ("value", "win"))]
    rows: list[list[Cell]] = [
        [
            name,
            *(count for units in (*each.sent, each.home) for count in units),
            each.value,
            *(number for both in zip(each.values, each.wins, strict=True) for number in both),
        ]
        for name, options in (("best", found.best), ("front", found.front))
        for each in options
    ]
    return Table([Column(key, key) for key in ("list", *keys)], rows)

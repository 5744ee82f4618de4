"""How days look in which somebody plays a card at a fixed rate: what that costs, beside free play."""

from __future__ import annotations

from analysis.amounts import percent
from analysis.estimates import Estimate
from analysis.front.page import Cell, Column, Page, Section, Table, data_of, flat
from analysis.ragers.answers.habits import HabitAnswer, HabitDay, HabitReport
from analysis.ragers.wording import trust
from analysis.ragers.wording.names import card, day_name
from engine.ragers.rules import PLAYERS, TYPES

_TOLD = 4
_NONE_GP = 0.005
"""A cost that is at most so large is none."""
_COLUMNS = [
    Column("day", "day"),
    Column("side", "side"),
    Column("value", "value, GP", "signed", 2),
    Column("nash_conv", "NashConv", "number", 3),
    Column("gp", "GP", "number"),
    Column("other_gp", "other's GP", "number"),
    Column("win", "won", "share"),
    Column("draw", "drawn", "share"),
    Column("loss", "lost", "share"),
    Column("two_losers", "both lose", "share"),
    Column("grade", "grade"),
]


def page(found: HabitAnswer) -> Page:
    """Return what the fixed frequencies cost and change, in sentences; then all numbers."""
    told: list[list[Cell]] = [[day_name(each), " ".join(_sentences(each))] for each in found.scenarios]
    sections: list[Section] = [Table([Column("day", "day"), Column("told", "what it does")], told)]
    rows = [row for each in found.scenarios if each.answers for row in _both(each)]
    sections += [Table(_COLUMNS, rows, "Free play, and with the fixed frequencies")] if rows else []
    sections += [_cards(each) for each in found.scenarios if each.answers]
    habits = [*map(_habit, found.habits)]
    more = f" and {len(habits) - _TOLD} more" if len(habits) > _TOLD else ""
    return Page(
        headline=_headline(found),
        sections=sections,
        notes=[f"Fixed, where the hand leaves a choice: {'; '.join(habits[:_TOLD])}{more}.", *_sure(found)],
        method=[
            "Both players know of the fixed frequencies and play their best otherwise; best responses, and so"
            " NashConv, keep to their owner's. They rule over hands that hold the type and something else to"
            " place. In a step that surely ends the day everybody is free.",
            "value: best responses bound it on both sides; a fixed frequency is said to cost something only"
            " if every pair of values within the bounds says so. To narrow them, solve further (--target,"
            " --time-limit).",
            "GP, outcomes, openings: of the one equilibrium approached here; others may differ.",
        ],
        details=1,
        data=data_of([flat(each, "day") for each in found.scenarios]),
    )


def _habit(each: HabitReport) -> str:
    who = each.player.capitalize()
    return f"{card(each.type)} in step {each.step}: {100 * each.frequency:.0f} % by the {who}"


def _headline(found: HabitAnswer) -> str:
    days = [each for each in found.scenarios if each.answers]
    if not days:
        return "No answer yet: the solve stopped too early to tell what these habits cost."
    if len(found.scenarios) == 1:
        return f"{day_name(days[0])}: {_cost(days[0])}"
    costly = [each for each in days if each.costs]
    left = len(found.scenarios) - len(days)
    unknown = f" {left} more have no answer yet." if left else ""
    if not costly:
        return f"In none of {len(days)} days is it proved that these habits cost anything.{unknown}"
    first = max(costly, key=lambda each: each.cost_gp[0])
    low, high = first.cost_gp
    return (
        f"The habits cost the {first.player.capitalize()} something in {len(costly)} of {len(days)} days"
        f" (proved); {day_name(first)}: {low:.2f} to {high:.2f} GP.{unknown}"
    )


def _cost(each: HabitDay) -> str:
    (low, high), who = each.cost_gp, each.player.capitalize()
    if each.costs:
        return f"the habits cost the {who} {low:.2f} to {high:.2f} GP a day (proved)."
    if high < _NONE_GP:
        return f"the habits cost the {who} nothing (proved)."
    return f"no cost is shown; it is at most {high:.2f} GP a day for the {who} (proved)."


def _sentences(each: HabitDay) -> list[str]:
    free, locked = each.free, each.locked
    if not each.answers:
        return ["No answer yet."]
    cost = _cost(each)
    gp, draw = locked.mean_gp[0] - free.mean_gp[0], locked.outcome.draw - free.outcome.draw
    texts = [
        f"{cost[0].upper()}{cost[1:]}",
        f"In the plans found a day pays {locked.mean_gp[0]:.1f} GP ({_shift(gp, 1)});"
        f" {percent(locked.outcome.draw)} % are drawn ({_shift(100 * draw, 0)}).",
    ]
    for seat in PLAYERS:
        one, other = free.opening_mix[seat], locked.opening_mix[seat]
        told = sorted(TYPES, key=lambda name: -abs(other[name] - one[name]))[:_TOLD]
        parts = [
            f"{card(name)} {100 * one[name]:.0f} → {100 * other[name]:.0f}"
            for name in told
            if abs(other[name] - one[name]) >= 0.01
        ]
        texts.append(f"{seat.capitalize()} open, % of days: {', '.join(parts) or 'within 1 of before'}.")
    return texts


def _shift(change: float, digits: int) -> str:
    """Return a change, or that it is none as far as is shown."""
    text = f"{change:+.{digits}f}"
    return text if float(text) else f"within {10**-digits:g} of before"


def _interval(low: float, high: float) -> Cell:
    return low if low == high else Estimate((low + high) / 2, low, high, 0)


def _both(each: HabitDay) -> list[list[Cell]]:
    plays = (each.free, each.locked)
    figures = [
        [*play.mean_gp, play.outcome.win, play.outcome.draw, play.outcome.loss, play.outcome.two_losers]
        for play in plays
    ]
    name, low, high = day_name(each), -each.cost_gp[1], -each.cost_gp[0]
    rows: list[list[Cell]] = [
        [name, word, _interval(*play.value_bracket_gp), play.nash_conv_gp, *numbers, play.trust.grade]
        for word, play, numbers in zip(("free", "fixed"), plays, figures, strict=True)
    ]
    shifts = [after - before for before, after in zip(*figures, strict=True)]
    return [*rows, [name, "change", _interval(low, high), None, *shifts, ""]]


def _cards(each: HabitDay) -> Table:
    sides = [(f"{seat}_{word}", f"{seat} {word}") for seat in PLAYERS for word in ("free", "fixed")]
    columns = [Column("card", "opens"), *(Column(*both, "share") for both in sides)]
    plays = (each.free, each.locked)
    rows: list[list[Cell]] = [
        [card(name), *(play.opening_mix[seat][name] for seat in PLAYERS for play in plays)] for name in TYPES
    ]
    return Table(columns, rows, day_name(each))


def _sure(found: HabitAnswer) -> list[str]:
    return trust.grades(
        (f"{day_name(each)}, {word}", play.nash_conv_gp, play.trust)
        for each in found.scenarios
        for word, play in (("free play", each.free), ("fixed", each.locked))
    )

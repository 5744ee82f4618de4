"""How two rule variants look side by side."""

from __future__ import annotations

import msgspec

from analysis.amounts import bound, percent, signed, span
from analysis.ragers.answers.report import OutcomeReport
from analysis.ragers.answers.trust import GRADES, NO_ANSWER
from analysis.ragers.wording import trust
from analysis.ragers.wording.names import card, cheers_name, day_name, listed, patron_name
from analysis.ragers.workbench.comparing import Comparison, DiffReport
from cli.grid import Brief, Section
from engine.ragers.rules import TYPES

_CARDS_HEAD = ["card", "opens % left", "right", "every eq. left", "right", "placed left", "right", "verdict"]


def csv_rows(report: DiffReport) -> list[dict[str, object]]:
    """Return a row per scenario and type, numbers of the scenario repeated."""
    rows = []
    for each in report.scenarios:
        for name in TYPES:
            row: dict[str, object] = {"patron": each.patron, "cheers": each.cheers, "player": each.player}
            for word, half in (("left", each.left), ("right", each.right)):
                row[f"{word}_value_low_gp"], row[f"{word}_value_high_gp"] = half.value_bracket_gp
                row[f"{word}_nash_conv_gp"] = half.nash_conv_gp
                row[f"{word}_grade"] = trust.words(half.trust)
            row |= {"value_effect": str(each.value_effect).lower(), "type": name}
            for word, half in (("left", each.left), ("right", each.right)):
                row[f"{word}_opening"] = half.opening_mix[name]
                if half.opening_bracket is not None:
                    row[f"{word}_opening_low"], row[f"{word}_opening_high"] = half.opening_bracket[name]
                row[f"{word}_cards_placed"] = half.cards_placed[name]
            row["opening_effect"] = str(name in each.opening_effects).lower()
            rows.append(row)
    return rows


def brief(report: DiffReport) -> Brief:
    """Return the first screen: a line for each day, and what is certain."""
    several = len({each.patron for each in report.scenarios}) > 1
    rows = [_line(each, several=several) for each in report.scenarios]
    certain = [
        f"{_title(each)}: whatever equilibria are played, {what}."
        for each in report.scenarios
        if (what := _effects(each))
    ]
    lines = [f"left: {report.left.name}; right: {report.right.name}"] if report.changes else []
    changed = [f"{each['key']}: {each['left']} → {each['right']}" for each in report.changes]
    lines += [
        f"{', '.join(changed[:3])}{f' and {len(changed) - 3} more' if len(changed) > 3 else ''}"
    ] * bool(changed)
    first = report.scenarios[0] if report.scenarios else None
    title = "" if first is None else f"{_sides(report)} · {first.player.capitalize()} · {first.preparation}"
    return Brief(
        [Section(title, _BRIEF_HEAD, rows, left=2)],
        [
            *lines,
            *(
                certain[:_MOST_CERTAIN]
                or ["No difference is certain: the plans found differ, others may not."]
            ),
            *(_sure(report)),
        ],
        "Intervals, cards placed, and what the words mean",
    )


_BRIEF_HEAD = ["day", "opens with, % of days", "GP", "draw %", "exact to"]
_MOST_CERTAIN, _MOST_CARDS, _NAME = 4, 3, 19


def _title(each: Comparison) -> str:
    """Return the day, or both days, by name."""
    if each.left_day is msgspec.UNSET:
        return day_name(each)
    return f"{each.left_day.patron} / {each.left_day.cheers} -> {day_name(each)}"


def _sides(report: DiffReport) -> str:
    """Return what is compared: patrons or cheers cards, where each side has its own, or left and right."""
    first = report.scenarios[0]
    if first.left_day is not msgspec.UNSET:
        one, other = first.left_day, (patron_name(first), cheers_name(first))
        both = [(one.patron, other[0]), (one.cheers, other[1])]
        return ", ".join(f"{a} → {b}" for a, b in both if a != b)
    patrons = {patron_name(each) for each in report.scenarios}
    return f"{patrons.pop() if len(patrons) == 1 else 'Days'}, left → right"


def _line(each: Comparison, *, several: bool) -> list[str]:
    left, right = each.left, each.right
    crowd, other = cheers_name(each), "" if each.left_day is msgspec.UNSET else each.left_day.cheers
    name = crowd if other in ("", crowd) else patron_name(each)
    name = day_name(each) if several and name == crowd else name
    name = name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
    if each.same_game:
        return [name, "the same game on both sides", "", "", ""]
    grade = worse(trust.words(left.trust), trust.words(right.trust))
    if not (left.answers and right.answers):
        return [name, "no answer yet", "", "", grade]
    shifts = {one: right.opening_mix[one] - left.opening_mix[one] for one in TYPES}
    told = sorted(TYPES, key=lambda one: -abs(shifts[one]))[:_MOST_CARDS]
    mix = ", ".join(
        f"{card(one)[:3]}{'!' if one in each.opening_effects else ''}"
        f" {100 * left.opening_mix[one]:.0f}→{100 * right.opening_mix[one]:.0f}"
        for one in told
        if abs(shifts[one]) >= 0.005
    )
    return [
        name,
        mix or "as before",
        f"{left.mean_gp[0]:.1f}→{right.mean_gp[0]:.1f}",
        f"{percent(left.outcome.draw)}→{percent(right.outcome.draw)}",
        grade,
    ]


def worse(one: str, other: str) -> str:
    """Return the worse of two grades."""
    order = [*(grade for grade, _ in GRADES), NO_ANSWER]
    return max((one, other), key=lambda grade: order.index(grade) if grade in order else -1)


def _effects(each: Comparison) -> str:
    """Return what changes for certain, in words."""
    parts = []
    if each.value_effect:
        parts.append(f"the value changes by {interval(*each.value_change_gp)} GP")
    for one in each.opening_effects:
        left, right = each.left.opening_mix[one], each.right.opening_mix[one]
        parts.append(f"{card(one)} opens {'more' if right > left else 'less'} often")
    return listed(parts)


def _sure(report: DiffReport) -> list[str]:
    return trust.grades(
        (f"{_title(each)}, {word}", half.nash_conv_gp, half.trust)
        for each in report.scenarios
        for word, half in (("left", each.left), ("right", each.right))
        if half.trust is not msgspec.UNSET
    )


def sections(report: DiffReport) -> list[Section]:
    """Return the tables for people."""
    parts = []
    for each in report.scenarios:
        title = f"{_title(each)} · {each.player.capitalize()} · {each.preparation}"
        if each.same_game:
            parts.append(Section(f"{title}: the same game on both sides"))
            continue
        parts.append(Section(title, ("", "left", "right", "change", "verdict"), _numbers(each)))
        if each.left.answers and each.right.answers:
            parts.append(Section("", _CARDS_HEAD, _cards(each)))
    return parts


def _numbers(each: Comparison) -> list[list[str]]:
    left, right = each.left, each.right
    low, high = each.value_change_gp
    rows = [
        [
            "value of the game",
            *(interval(*half.value_bracket_gp) for half in (left, right)),
            interval(low, high),
            "effect" if each.value_effect else "no effect shown" if low < high else "zero by symmetry",
        ],
        ["NashConv", bound(left.nash_conv_gp), bound(right.nash_conv_gp), "", ""],
        ["how far to trust it", trust.words(left.trust), trust.words(right.trust), "", ""],
    ]
    if not (left.answers and right.answers):
        return rows
    return [*rows, *end_rows((left.outcome, left.mean_gp), (right.outcome, right.mean_gp))]


def end_rows(
    left: tuple[OutcomeReport, tuple[float, float]], right: tuple[OutcomeReport, tuple[float, float]]
) -> list[list[str]]:
    """Return a row for each number of `ends_for`: both sides and the change."""
    names = [("mean GP, own", 1), ("mean GP, other", 1)]
    names += [(f"{word} %", 100) for word in ("win", "draw", "loss", "two losers")]
    numbers = [(*gp, ends.win, ends.draw, ends.loss, ends.two_losers) for ends, gp in (left, right)]
    rows = []
    for (name, scale), one, other in zip(names, *numbers, strict=True):
        cells = [f"{scale * number:.1f}" for number in (one, other)]
        rows.append([name, *cells, f"{scale * (other - one):+.1f}", "plans found"])
    return rows


def _cards(each: Comparison) -> list[list[str]]:
    rows = []
    for name in TYPES:
        cells = [percent(half.opening_mix[name]) for half in (each.left, each.right)]
        for half in (each.left, each.right):
            cells.append("?" if half.opening_bracket is None else span(*half.opening_bracket[name]))
        cells += [f"{half.cards_placed[name]:.2f}" for half in (each.left, each.right)]
        rows.append([card(name), *cells, "effect" if name in each.opening_effects else ""])
    return rows


def interval(low: float, high: float) -> str:
    """Return an interval of GP in words; one number where it has no length."""
    return signed(low) if low == high else f"{signed(low)} to {signed(high)}"


def notes(report: DiffReport) -> list[str]:
    """Return what a reader has to know."""
    lines = [f"left: {report.left.name}", f"right: {report.right.name}"]
    lines += [f"{each['key']}: {each['left']} -> {each['right']}" for each in report.changes]
    lines += [
        "value: best responses bound the value of each game; an effect is called one only if every pair of"
        " values within the two bounds differs in the same direction. Decks that are alike make it zero.",
        "every eq.: whatever equilibrium is played, the opening share (in %) lies in this interval; an"
        " effect is called one only if the two do not meet. To narrow them, solve further (--target,"
        " --time-limit).",
        "plans found, placed (cards per day): of the one equilibrium approached here; others may differ,"
        " so no effect is claimed.",
    ]
    for each in report.scenarios:
        if each.left.opening_bracket is None and not each.same_game:
            lines.append(f"{cheers_name(each)}: no worth per action is known with a seen discard.")
    return lines + _sure(report)

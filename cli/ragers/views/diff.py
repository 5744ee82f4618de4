"""How two rule variants look side by side."""

from __future__ import annotations

import msgspec

from analysis.amounts import bound, percent, signed, span
from analysis.ragers.answers.report import OutcomeReport
from analysis.ragers.workbench.comparing import Comparison, DiffReport
from cli.grid import Section
from cli.ragers.views import trust
from cli.ragers.views.names import card, cheers_name, day_name
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


def sections(report: DiffReport) -> list[Section]:
    """Return the tables for people."""
    parts = []
    for each in report.scenarios:
        title = f"{day_name(each)} · {each.player.capitalize()} · {each.preparation}"
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
    return lines + trust.grades(
        (f"{day_name(each)}, {word}", half.nash_conv_gp, half.trust)
        for each in report.scenarios
        for word, half in (("left", each.left), ("right", each.right))
        if half.trust is not msgspec.UNSET
    )

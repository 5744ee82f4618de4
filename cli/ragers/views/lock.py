"""How fixed habits and their cost look."""

from __future__ import annotations

import textwrap

import msgspec

from analysis.amounts import bound, percent
from analysis.ragers.wording import trust
from analysis.ragers.wording.names import card, day_name
from analysis.ragers.workbench.locking import LockedScenario, LockReport
from cli.grid import WIDTH, Brief, Section
from cli.ragers.views.diff import end_rows, interval
from cli.ragers.views.heads import under_rules
from engine.ragers.rules import PLAYERS, TYPES


def csv_rows(report: LockReport) -> list[dict[str, object]]:
    """Return a row per scenario and type, numbers of the scenario repeated."""
    rows = []
    for each in report.scenarios:
        for name in TYPES:
            row: dict[str, object] = {"patron": each.patron, "cheers": each.cheers, "player": each.player}
            row["cost_low_gp"], row["cost_high_gp"] = each.cost_gp
            for word, play in (("free", each.free), ("locked", each.locked)):
                row[f"{word}_value_low_gp"], row[f"{word}_value_high_gp"] = play.value_bracket_gp
                row[f"{word}_nash_conv_gp"] = play.nash_conv_gp
                row[f"{word}_grade"] = trust.words(play.trust)
            row["type"] = name
            for word, play in (("free", each.free), ("locked", each.locked)):
                for seat in PLAYERS:
                    row[f"{word}_opening_{seat}"] = play.opening_mix[seat][name]
            rows.append(row)
    return rows


def brief(report: LockReport) -> Brief:
    """Return the first screen: what the habits cost, and what they change, in sentences."""
    parts = []
    for each in report.scenarios:
        lines = [
            line for text in _sentences(each) for line in textwrap.wrap(text, WIDTH, subsequent_indent="  ")
        ]
        parts.append(
            Section(f"{day_name(each)} · {each.player.capitalize()} · {each.preparation}", lines=lines)
        )
    parts = under_rules(report.rules.name, parts)
    habits = [
        f"{each.type.capitalize()} in step {each.step}: {100 * each.frequency:.0f} % by the {each.player}"
        for each in report.habits
    ]
    shown = f"{'; '.join(habits[:4])}{f' and {len(habits) - 4} more' if len(habits) > 4 else ''}"
    return Brief(parts, [f"Habits, where the hand leaves a choice: {shown}.", *_sure(report)], "All numbers")


def _sentences(each: LockedScenario) -> list[str]:
    free, locked = each.free, each.locked
    if not (free.answers and locked.answers):
        return ["What the habits cost: no answer yet."]
    low, high = each.cost_gp
    if each.costs:
        texts = [f"The habits cost the {each.player} {low:.2f} to {high:.2f} GP a day, for certain."]
    elif high < 0.005:
        texts = [f"The habits cost the {each.player} nothing."]
    else:
        texts = [f"No cost is shown: at most {high:.2f} GP a day for the {each.player}."]
    gp, draw = locked.mean_gp[0] - free.mean_gp[0], locked.outcome.draw - free.outcome.draw
    texts.append(
        f"In the plans found a day pays {locked.mean_gp[0]:.1f} GP ({gp:+.1f});"
        f" {percent(locked.outcome.draw)} % are drawn ({100 * draw:+.0f})."
    )
    for seat in PLAYERS:
        one, other = free.opening_mix[seat], locked.opening_mix[seat]
        told = sorted(TYPES, key=lambda name: -abs(other[name] - one[name]))[:4]
        parts = [
            f"{card(name)} {100 * one[name]:.0f} → {100 * other[name]:.0f}"
            for name in told
            if abs(other[name] - one[name]) >= 0.01
        ]
        texts.append(f"{seat.capitalize()} open, % of days: {', '.join(parts) or 'as before'}.")
    return texts


def _sure(report: LockReport) -> list[str]:
    return trust.grades(
        (f"{day_name(each)}, {word}", play.nash_conv_gp, play.trust)
        for each in report.scenarios
        for word, play in (("free", each.free), ("with habits", each.locked))
        if play.trust is not msgspec.UNSET
    )


def sections(report: LockReport) -> list[Section]:
    """Return the tables for people."""
    parts = []
    for each in report.scenarios:
        title = f"{day_name(each)} · {each.player.capitalize()} · {each.preparation}"
        parts.append(Section(title, ("", "free", "with habits", "change", "verdict"), _numbers(each)))
        if not (each.free.answers and each.locked.answers):
            continue
        head = ["opens %", *(f"{seat} {word}" for seat in PLAYERS for word in ("free", "habits"))]
        plays = (each.free, each.locked)
        rows = [
            [card(name), *(percent(play.opening_mix[seat][name], 1) for seat in PLAYERS for play in plays)]
            for name in TYPES
        ]
        parts.append(Section("", head, rows))
    return under_rules(report.rules.name, parts)


def _numbers(each: LockedScenario) -> list[list[str]]:
    free, locked = each.free, each.locked
    low, high = (-number for number in reversed(each.cost_gp))
    verdict = "costs" if each.costs else "zero by symmetry" if low == high == 0.0 else "no cost shown"
    rows = [
        [
            "value of the day",
            *(interval(*play.value_bracket_gp) for play in (free, locked)),
            interval(low, high),
            verdict,
        ],
        ["NashConv", bound(free.nash_conv_gp), bound(locked.nash_conv_gp), "", ""],
        ["how far to trust it", trust.words(free.trust), trust.words(locked.trust), "", ""],
    ]
    if not (free.answers and locked.answers):
        return rows
    return [*rows, *end_rows((free.outcome, free.mean_gp), (locked.outcome, locked.mean_gp))]


def notes(report: LockReport) -> list[str]:
    """Return what a reader has to know."""
    lines = [
        f"habit: {each.player} place the {each.type} in step {each.step} with frequency {each.frequency:g}"
        for each in report.habits
    ]
    return [
        *lines,
        "Both players know of the habits and play their best otherwise; best responses, and so NashConv, keep"
        " to their owner's. A habit rules over hands that hold its type and something else to place. In a"
        " step that surely ends the day everybody is free.",
        "value: best responses bound it on both sides; a habit is said to cost something only if every pair"
        " of values within the bounds says so. To narrow them, solve further (--target, --time-limit).",
        "plans found: of the one equilibrium approached here; others may differ.",
        *_sure(report),
    ]

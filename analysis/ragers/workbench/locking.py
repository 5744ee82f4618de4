"""What a habit costs: a day in which somebody places a type at a fixed rate, beside the same day without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from analysis import __version__
from analysis.ragers.answers.brackets import certificate_slack, value_bracket
from analysis.ragers.answers.report import OutcomeReport, RulesReport, rules_report
from analysis.ragers.workbench.comparing import end_rows, ends_for, interval
from cli.grid import Section, percent
from cli.ragers.views.tables import bound
from engine.ragers.rules import PLAYERS, TYPES, Rules

if TYPE_CHECKING:
    from analysis.ragers.answers.answer import Answer
    from analysis.ragers.answers.asking import Answered
    from solver.hidden_hands import Habit

SCHEMA = 1


class HabitReport(msgspec.Struct, frozen=True, kw_only=True):
    """One type's fixed frequency at one step (counted from 1)."""

    player: str
    step: int
    type: str
    frequency: float


class Play(msgspec.Struct, frozen=True, kw_only=True):
    """What was found with the habits, or without.

    Attributes
    ----------
    value_bracket_gp
        The value of the day for `player` lies in it.
    opening_mix
        Of both players.
    """

    value_bracket_gp: tuple[float, float]
    nash_conv_gp: float
    certified: bool
    opening_mix: dict[str, dict[str, float]]
    outcome: OutcomeReport
    mean_gp: tuple[float, float]
    from_library: bool
    source: str


class LockedScenario(msgspec.Struct, frozen=True, kw_only=True):
    """A day with and without the habits.

    Attributes
    ----------
    cost_gp
        Interval that holds what the habits take from `player`: the value without less the value with them.
    """

    patron: str
    cheers: str
    preparation: str
    player: str
    free: Play
    locked: Play
    cost_gp: tuple[float, float]
    costs: bool


class LockReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything `ragers lock` says."""

    schema: int = SCHEMA
    game: str = "ragers"
    version: str = __version__
    rules: RulesReport
    habits: list[HabitReport]
    scenarios: list[LockedScenario]


def compare(free: Answered, locked: Answered, player: int, *, shared: bool) -> LockedScenario:
    """Return what the habits change.

    Parameters
    ----------
    free, locked
        The same scenario without and with them.
    player
        Whose view.
    shared
        Whether both players have the same habits, so that equal decks still make the value zero.
    """
    without = _play(free, player, value_bracket(free.answer, free.scenario.day, player))
    bracket = (
        value_bracket(locked.answer, locked.scenario.day, player)
        if shared
        else _responses(locked.answer, player)
    )
    within = _play(locked, player, bracket)
    low = without.value_bracket_gp[0] - bracket[1]
    high = without.value_bracket_gp[1] - bracket[0]
    return LockedScenario(
        patron=free.scenario.patron.id,
        cheers=free.scenario.cheers.id,
        preparation=free.answer.preparation,
        player=PLAYERS[player],
        free=without,
        locked=within,
        cost_gp=(low, high),
        costs=without.certified and within.certified and low > 0.0,
    )


def _responses(answer: Answer, player: int) -> tuple[float, float]:
    """Bounds on the value from best responses alone."""
    slack = certificate_slack(answer)
    low, high = -answer.best_response_gp[1] - slack, answer.best_response_gp[0] + slack
    return (low, high) if player == 0 else (-high, -low)


def _play(answered: Answered, player: int, bracket: tuple[float, float]) -> Play:
    answer = answered.answer
    outcome, mean_gp = ends_for(answer, player)
    return Play(
        value_bracket_gp=bracket,
        nash_conv_gp=answer.nash_conv_gp,
        certified=answer.certified,
        opening_mix={
            name: dict(zip(TYPES, answer.opening_mix[seat][: len(TYPES)], strict=True))
            for seat, name in enumerate(PLAYERS)
        },
        outcome=outcome,
        mean_gp=mean_gp,
        from_library=answered.from_library,
        source=answered.source,
    )


def lock_report(rules: Rules, habits: Sequence[Habit], scenarios: Sequence[LockedScenario]) -> LockReport:
    """Return the whole report."""
    listed = [
        HabitReport(
            player=PLAYERS[habit.player],
            step=habit.step + 1,
            type=TYPES[habit.item],
            frequency=habit.frequency,
        )
        for habit in habits
    ]
    return LockReport(rules=rules_report(rules), habits=listed, scenarios=list(scenarios))


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
            row["type"] = name
            for word, play in (("free", each.free), ("locked", each.locked)):
                for seat in PLAYERS:
                    row[f"{word}_opening_{seat}"] = play.opening_mix[seat][name]
            rows.append(row)
    return rows


def sections(report: LockReport) -> list[Section]:
    """Return the tables for people."""
    parts = []
    for each in report.scenarios:
        title = f"{each.patron} / {each.cheers} · {each.player} · {each.preparation}"
        parts.append(Section(title, ("", "free", "with habits", "change", "verdict"), _numbers(each)))
        head = ["opens %", *(f"{seat} {word}" for seat in PLAYERS for word in ("free", "habits"))]
        plays = (each.free, each.locked)
        rows = [
            [name, *(percent(play.opening_mix[seat][name], 1) for seat in PLAYERS for play in plays)]
            for name in TYPES
        ]
        parts.append(Section("", head, rows))
    return parts


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
    ]
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
    ]

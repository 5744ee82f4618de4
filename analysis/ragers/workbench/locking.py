"""What a habit costs: a day in which somebody places a type at a fixed rate, beside the same day without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from analysis.ragers.answers.brackets import certificate_slack, value_bracket
from analysis.ragers.answers.report import OutcomeReport, RulesReport, rules_report
from analysis.ragers.workbench.comparing import ends_for
from analysis.version import __version__
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

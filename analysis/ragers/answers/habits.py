"""What a habit costs: a day in which somebody places a type at a fixed rate, beside the same day without."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_INTERRUPTED, worst
from analysis.progress import Reporter
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.asking import Question, answer_all
from analysis.ragers.answers.brackets import value_bracket
from analysis.ragers.answers.ended import SolvedAnswer
from analysis.ragers.answers.report import DayReport, OutcomeReport, day_report, ends_for
from analysis.ragers.answers.trust import Trust, trust_in
from analysis.ragers.hands import HandError, named_type
from analysis.ragers.scenarios import Scenario
from engine.ragers.rules import PLAYERS, TYPES

if TYPE_CHECKING:
    from solver.hidden_hands import LockedFrequency


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
    value_bracket_gp : the value of the day for `player` lies in it.
    opening_mix : of both players.
    """

    value_bracket_gp: tuple[float, float]
    nash_conv_gp: float
    certified: bool
    opening_mix: dict[str, dict[str, float]]
    outcome: OutcomeReport
    mean_gp: tuple[float, float]
    from_library: bool
    source: str
    trust: Trust

    @property
    def answers(self) -> bool:
        """Whether there is an answer to be shown."""
        return self.trust.answers


class HabitDay(msgspec.Struct, frozen=True, kw_only=True):
    """A day with and without the habits.

    Attributes
    ----------
    cost_gp : interval that holds what the habits take from `player`: the value without less the value with
        them.
    costs : whether it is proved that they take something.
    """

    patron: str
    cheers: str
    preparation: str
    player: str
    free: Play
    locked: Play
    cost_gp: tuple[float, float]
    costs: bool
    day: DayReport

    @property
    def answers(self) -> bool:
        """Whether there is an answer both with the habits and without."""
        return self.free.answers and self.locked.answers


class HabitAnswer(SolvedAnswer, frozen=True, kw_only=True):
    """Days with and without fixed frequencies."""

    habits: list[HabitReport]
    scenarios: list[HabitDay]


def compare(free: Answered, locked: Answered, player: int, *, shared: bool) -> HabitDay:
    """Return what the habits change.

    Parameters
    ----------
    free, locked : the same scenario without and with them.
    shared : whether both players have the same habits, so that equal decks still make the value zero.
    """
    without = _play(free, player, value_bracket(free.answer, free.scenario.day, player))
    bracket = value_bracket(locked.answer, locked.scenario.day, player, alike=shared)
    within = _play(locked, player, bracket)
    low, high = without.value_bracket_gp[0] - bracket[1], without.value_bracket_gp[1] - bracket[0]
    return HabitDay(
        patron=free.scenario.patron.id,
        cheers=free.scenario.cheers.id,
        preparation=free.answer.preparation,
        player=PLAYERS[player],
        free=without,
        locked=within,
        cost_gp=(low, high),
        costs=all(each.answers and each.certified for each in (without, within)) and low > 0.0,
        day=day_report(free.scenario),
    )


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
        trust=trust_in(answer),
    )


_SHAPE = re.compile(
    r"((?P<who>accusers|defenders|both):)?(?P<type>[a-z]+)(@(?P<first>\d+)(-(?P<last>\d+))?)?=(?P<frequency>[0-9.]+%?)"
)


def parse_habits(texts: Sequence[str], player: int, steps: int) -> tuple[LockedFrequency, ...]:
    """Return the habits as typed; those that name nobody are of `player`.

    Raises
    ------
    RequestError
        If one of them makes no sense.
    """
    from solver.hidden_hands import LockedFrequency

    habits: dict[tuple[int, int, int], LockedFrequency] = {}
    for text in texts:
        match = _SHAPE.fullmatch(text.strip().lower())
        if match is None:
            raise _wrong(f"{text!r} is not of the form WHO:TYPE@STEP=FREQUENCY, for instance chancer=0")
        try:
            item = named_type(match["type"])
        except HandError:
            raise _wrong(f"{match['type']!r} is none of {', '.join(TYPES)}") from None
        frequency = _frequency(match["frequency"])
        if frequency is None:
            raise _wrong(f"{match['frequency']!r} is no frequency: 0 to 1, or 0% to 100%")
        first = int(match["first"] or 1)
        last = int(match["last"] or first)
        if not 1 <= first <= last < steps:
            raise _wrong(
                f"{text!r}: steps 1 to {steps - 1} can be locked here (in the last one everybody is free)"
            )
        for seat in _seats(match["who"], player):
            for step in range(first - 1, last):
                habits[seat, step, item] = LockedFrequency(seat, step, item, frequency)
    sums: dict[tuple[int, int], float] = {}
    for (seat, step, _), habit in habits.items():
        sums[seat, step] = sums.get((seat, step), 0.0) + habit.frequency
    if max(sums.values()) > 1.0:
        raise _wrong("the frequencies of one step add up to more than one")
    return tuple(habits.values())


def _seats(who: str | None, player: int) -> Sequence[int]:
    return range(2) if who == "both" else [player if who is None else PLAYERS.index(who)]


def _frequency(text: str) -> float | None:
    try:
        value = float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return None
    return value if 0.0 <= value <= 1.0 else None


def _wrong(message: str) -> RequestError:
    return RequestError(message, "--habit")


def _check_possible(habits: Sequence[LockedFrequency], todo: Sequence[Scenario]) -> None:
    """Raise RequestError if a type is to be placed where that cannot be, or never where it never is."""
    for habit in habits:
        name, who = TYPES[habit.item], PLAYERS[habit.player]
        banned = list(dict.fromkeys(each.patron.name for each in todo if habit.item in each.day.banned))
        held = [each for each in todo if each.day.copies[habit.player][habit.item]]
        if not held:
            raise _wrong(f"the {who} have no {name} in their deck")
        if banned and (habit.frequency or all(habit.item in each.day.banned for each in todo)):
            raise _wrong(
                f"{' and '.join(banned)} {'let' if len(banned) > 1 else 'lets'} nobody place a {name}: such a"
                " habit is about other patrons (--patron)"
            )


def with_habits(
    todo: Sequence[Scenario], texts: Sequence[str], question: Question, reporter: Reporter
) -> tuple[HabitAnswer, int]:
    """Answer scenarios as they are and with habits, and compare; returns the exit code, too.

    Parameters
    ----------
    texts : habits as typed, such as ``chancer@1=0``.
    question : how to answer; habits that name nobody are its player's.

    Raises
    ------
    RequestError
        If a habit makes no sense, or not here.
    """
    steps = min(each.rules.row_length(each.patron) for each in todo)
    habits = parse_habits(texts, question.player, steps)
    _check_possible(habits, todo)
    free, code = answer_all(todo, question, reporter)
    locked: list[Answered] = []
    if code != EXIT_INTERRUPTED:
        todo = [each.scenario for each in free]
        locked, other_code = answer_all(todo, replace(question, habits=habits), reporter)
        code = worst((code, other_code))
    found = {each.scenario: each for each in locked}
    own, other = (
        {(each.step, each.item, each.frequency) for each in habits if each.player == seat} for seat in (0, 1)
    )
    compared = [
        compare(each, found[each.scenario], question.player, shared=own == other)
        for each in free
        if each.scenario in found
    ]
    told = [
        HabitReport(
            player=PLAYERS[each.player], step=each.step + 1, type=TYPES[each.item], frequency=each.frequency
        )
        for each in habits
    ]
    return HabitAnswer(habits=told, scenarios=compared), code

"""Positions within a wave, proved to its end: their worth, that of every action, and a best line."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from analysis.ophidian.reports import ActionReport, Worth
from engine.ophidian.match_codec import encode_match
from engine.ophidian.reference import (
    Kind,
    Move,
    Phase,
    State,
    is_over,
    legal_moves,
    points,
    step,
    winner,
    wounds,
)
from engine.ophidian.wave_codec import Objective, encode, highest_value, lowest_value, scales, wave_tables
from engine.ophidian.wave_kernel import expand_wave
from engine.ophidian.wave_layout import MAX_ACTIONS, MAX_OUTCOMES, NUM_CODES, SPAN, WORK_WORDS
from solver.alternating.game import AlternatingGame
from solver.alternating.solving import Bounds, ProofSearch

__all__ = ["Fight", "Outcome", "wave_game"]

_LONGEST_LINE = 80


class Outcome(NamedTuple):
    """What an action comes to once it is answered: the answer in words, the state, and its word."""

    answer: str
    state: State
    word: int


def wave_game(state: State, objective: Objective) -> AlternatingGame:
    """Return the rest of a wave as a game for the search."""
    lives = sum(
        state.rules.gladiators[fighter.gladiator].life[fighter.level]
        for team in state.teams
        for fighter in team
    )
    # Every fighter falls through four ranks unless an attack that wounds has unset it; passes come between.
    longest = 2 * (4 * sum(map(len, state.teams)) + 4 * lives) + 4
    return AlternatingGame(
        tables=wave_tables(state, objective),
        work_words=WORK_WORDS,
        max_actions=MAX_ACTIONS,
        max_outcomes=MAX_OUTCOMES,
        max_length=longest,
        num_codes=NUM_CODES,
        lowest=lowest_value(objective),
        highest=highest_value(objective),
        scales=scales(objective),
        expand=expand_wave,
    )


class Fight:
    """A wave that is being solved; what has been proved is kept from question to question.

    Parameters
    ----------
    state
        A position of the wave, at an action.
    memory
        Bytes for the search's table.
    time_limit_s, stopped
        When to stop proving.
    """

    def __init__(
        self,
        state: State,
        objective: Objective,
        memory: int,
        time_limit_s: float | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.objective = objective
        self.wave = state.wave
        end_s = None if time_limit_s is None else time.monotonic() + time_limit_s
        self.search = ProofSearch(
            self.game_from(state),
            memory,
            lambda: stopped() or (end_s is not None and time.monotonic() > end_s),
        )

    def game_from(self, state: State) -> AlternatingGame:
        """The game that is searched."""
        return wave_game(state, self.objective)

    def word(self, state: State) -> int | None:
        """The word of a position at which the search goes on, or of an end; None for answers to come."""
        if is_over(state) or state.wave != self.wave:
            return self.search.game.end_of(self._end(state))
        return encode(state) if state.phase == Phase.ACT else None

    def outcomes(self, state: State) -> Iterator[Outcome]:
        """All that the other side's answers make of an action, from the state after it."""
        return self._answered(state, "")

    def _answered(self, state: State, said: str) -> Iterator[Outcome]:
        word = self.word(state)
        if word is not None:
            yield Outcome(said, state, word)
        else:
            for move in legal_moves(state):
                words = in_words(state, move)
                yield from self._answered(step(state, move), f"{said}, {words}" if said else words)

    def _end(self, state: State) -> int:
        return end_value(state, self.objective, self.wave)

    def value(self, state: State, guess: int | None = None) -> Bounds:
        """What a position is worth."""
        word = self.word(state)
        assert word is not None
        return self.search.value(word, guess)

    def action(self, state: State, move: Move, guess: int | None) -> tuple[Bounds, str]:
        """What an action is worth, and the other side's best answer to it where there is a choice."""
        outcomes = list(self.outcomes(step(state, move)))
        bounds = self.search.action_value(state.turn, [each.word for each in outcomes], guess)
        if len(outcomes) == 1 or not bounds.exact:
            return bounds, ""
        return bounds, self.answer(state.turn, outcomes, bounds.low).answer

    def answer(self, mover: int, outcomes: list[Outcome], value: int) -> Outcome:
        """The first outcome by which the other side gives away no more than it must."""
        for outcome in outcomes:
            bound = value if mover else value + 1
            if self.search.at_least(outcome.word, bound) is bool(mover):
                return outcome
        return outcomes[0]

    def line(self, state: State) -> Iterator[str]:
        """One best line to the end of the wave, in words; it breaks off where the search was stopped."""
        value = self.value(state)
        for _ in range(_LONGEST_LINE):
            if not value.exact or state.phase != Phase.ACT or state.wave != self.wave:
                return
            best = self._best(state, value.low)
            if best is None:
                return
            move, outcome = best
            words = in_words(state, move)
            yield f"{words}; {outcome.answer}" if outcome.answer else words
            state = outcome.state

    def _best(self, state: State, value: int) -> tuple[Move, Outcome] | None:
        """The first action that is worth the position's value."""
        for move in legal_moves(state):
            outcomes = list(self.outcomes(step(state, move)))
            bound = value + 1 if state.turn else value
            found = [self.search.at_least(each.word, bound) for each in outcomes]
            if all(each is (not state.turn) for each in found):
                return move, self.answer(state.turn, outcomes, value)
        return None

    def worth(self, value: int) -> Worth:
        """A value in its parts."""
        return worth_of(value, self.objective)


class MatchFight(Fight):
    """The rest of a match of one or two gladiators a side; a die after a full tie falls for one side.

    Parameters
    ----------
    favoured
        For whom such a die falls.
    """

    def __init__(
        self,
        state: State,
        favoured: int,
        memory: int,
        time_limit_s: float | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self.favoured = favoured
        super().__init__(state, Objective.RESULT, memory, time_limit_s, stopped)

    def game_from(self, state: State) -> AlternatingGame:
        """The whole match as a game for the search."""
        from analysis.ophidian.duels import match_game

        teams = [[fighter.gladiator for fighter in team] for team in state.teams]
        return match_game(state.rules, teams, self.favoured)

    def word(self, state: State) -> int | None:
        """See `Fight.word`; the search goes on between waves, too."""
        if is_over(state):
            return self.search.game.end_of(end_value(state, Objective.RESULT, self.wave))
        return None if state.phase in (Phase.STAND_IN, Phase.ROAR) else encode_match(state, self.favoured)


def end_value(state: State, objective: Objective, wave: int) -> int:
    """What the end of a match, or of a wave, is worth for player 0."""
    best = winner(state) if is_over(state) else None
    result = 0 if best is None else 1 - 2 * best
    parts = (result, points(state, 0) - points(state, 1), wounds(state, 1) - wounds(state, 0))
    return sum(one * part for one, part in zip(scales(objective), parts, strict=False))


def worth_of(value: int, objective: Objective) -> Worth:
    """Return a value of the search in its parts."""
    left = value - lowest_value(objective)
    result, left = divmod(left, scales(objective)[0])
    others = []
    for scale in scales(objective)[1:]:
        digit, left = divmod(left, scale)
        others.append(digit - SPAN // 2)
    return Worth(result - 1, *others)


def fighter_name(state: State, player: int, index: int) -> str:
    """The name of a gladiator on the table."""
    return state.rules.gladiators[state.teams[player][index].gladiator].name


def in_words(state: State, move: Move) -> str:
    """Return a move in words."""
    turn = state.turn
    if move.kind in (Kind.PASS, Kind.TAKE, Kind.ROAR, Kind.QUIET):
        return {Kind.PASS: "pass", Kind.TAKE: "takes it", Kind.ROAR: "roar", Kind.QUIET: "no roar"}[move.kind]
    name = fighter_name(state, turn, move.who)
    if move.kind == Kind.ATTACK:
        return f"{name} attacks {fighter_name(state, 1 - turn, move.target)}"
    return f"{name} {move.kind.name.lower()}s"


def valued(fight: Fight, state: State, bounds: Bounds, mover: int) -> list[ActionReport]:
    """Every action of a position with its worth, the best first."""
    guess = bounds.low if bounds.exact else None
    found = []
    for move in legal_moves(state):
        worth, answer = fight.action(state, move, guess)
        found.append((in_words(state, move), worth, answer))
    return ranked(fight, found, mover)


def ranked(fight: Fight, found: list[tuple[str, Bounds, str]], mover: int) -> list[ActionReport]:
    """Sort by worth for whoever decides, and say which are best."""
    sign = -1 if mover else 1
    found.sort(key=lambda each: (-sign * each[1].low, -sign * each[1].high))
    most = max((sign * value.high for _, value, _ in found), default=0)
    sure = all(value.exact for _, value, _ in found)
    return [
        ActionReport(
            action=words,
            low=fight.worth(value.low),
            high=fight.worth(value.high),
            best=sure and sign * value.low == most,
            answer=answer,
        )
        for words, value, answer in found
    ]

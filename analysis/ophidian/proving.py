"""Positions within a wave, proved to its end: their worth, that of every action, and a best line."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import NamedTuple, Self

import numpy as np

from analysis.errors import RefusedError
from analysis.ophidian.questions.solve import Action, Worth
from engine.ophidian.harmless import is_endless
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
from engine.ophidian.rules_schema import MAX_TEAM
from engine.ophidian.wave_codec import (
    IntArray,
    Objective,
    encode,
    highest_value,
    lowest_value,
    scales,
    wave_tables,
)
from engine.ophidian.wave_kernel import expand_wave, fitted_value
from engine.ophidian.wave_layout import (
    AGAIN,
    GRID,
    MAX_ACTIONS,
    MAX_OUTCOMES,
    NUM_CODES,
    ONE_WAY,
    SPAN,
    WORK_WORDS,
)
from solver.alternating.game import AlternatingGame
from solver.alternating.solving import Bounds, ProofSearch, TableFullError

__all__ = ["Fight", "Outcome", "wave_game"]

_LONGEST_LINE = 80


class Outcome(NamedTuple):
    """What an action comes to once it is answered: the answer in words, the state, and its word."""

    answer: str
    state: State
    word: int


def wave_game(
    state: State, objective: Objective, weights: Sequence[float] | None = None, favoured: int = 0
) -> AlternatingGame:
    """Return the rest of a wave as a game for the search.

    Parameters
    ----------
    weights : for the objective `MATCH`.
    favoured : wins with that objective where a position comes again, since fitted ends differ by cheer.
    """
    lowest, highest = lowest_value(objective), highest_value(objective)
    tables, endless = wave_tables(state, objective, weights), is_endless(state)
    tables[AGAIN] = endless and objective != Objective.MATCH
    return AlternatingGame(
        tables=tables,
        work_words=WORK_WORDS,
        max_actions=MAX_ACTIONS,
        max_outcomes=MAX_OUTCOMES,
        num_codes=NUM_CODES,
        lowest=lowest,
        highest=highest,
        scales=scales(objective),
        expand=expand_wave,
        level=ONE_WAY if endless else 0,
        again=lowest if favoured else highest,
    )


class _Search(ProofSearch):
    def at_least(self, state: int, bound: int) -> bool | None:
        try:
            return super().at_least(state, bound)
        except TableFullError:
            raise RefusedError(
                "more positions of the wave may come again (W7) than there is room for; allow more memory"
            ) from None


class Fight:
    """A wave that is being solved; what has been proved is kept from question to question.

    A fitted end differs by cheer. So where a position comes again (W7), player 0 has lost in one search and
    won in another, and the value lies between.

    Parameters
    ----------
    state
        A position of the wave, at an action.
    memory
        Bytes for the search's table.
    time_limit_s, stopped
        When to stop proving.
    weights
        Of `engine.ophidian.judging.WAVE_END_FACTS`, for the objective `MATCH`.
    """

    def __init__(
        self,
        state: State,
        objective: Objective,
        memory: int,
        time_limit_s: float | None = None,
        stopped: Callable[[], bool] = lambda: False,
        weights: Sequence[float] | None = None,
    ) -> None:
        self.objective, self.weights = objective, weights
        self.wave = state.wave
        self._end_s = math.inf
        self._stopped = stopped
        self.favoured = 0
        self.against: Fight | None = None
        bounded = self._is_bounded(state)
        self.search = self._search(state, memory // (1 + bounded))
        if bounded:
            self.against = copy(self)
            self.against.favoured = 1
            self.against.search = self.against._search(state, memory // 2)
        # Any word does: this loads the kernel, or compiles it, before the clock starts.
        self.search.actions(0)
        if time_limit_s is not None:
            self._end_s = time.monotonic() + time_limit_s
            if self.against is not None:
                self.against._end_s = self._end_s

    def _search(self, state: State, memory: int) -> ProofSearch:
        game = self._game(state)
        # What comes after a position has a table of its own where positions may come again.
        memory //= 2 if game.level else 1
        return _Search(game, memory, lambda: self._stopped() or time.monotonic() > self._end_s)

    def _game(self, state: State) -> AlternatingGame:
        return wave_game(state, self.objective, self.weights, self.favoured)

    def _is_bounded(self, state: State) -> bool:
        """Whether some ends are not known, so that there are two searches."""
        return self.objective == Objective.MATCH and is_endless(state)

    def after(self, *states: State) -> Self:
        """The fight once it has come to positions, which end the wave where they come again (W7)."""
        later = copy(self)
        later.search = self.search.after(map(self._word, states))
        if self.against is not None:
            later.against = self.against.after(*states)
        return later

    def _word(self, state: State) -> int:
        return encode(state)

    def _goes_on(self, state: State) -> bool:
        """Whether the search goes on from a state, that is, has a word for it."""
        return state.phase == Phase.ACT and state.wave == self.wave

    def _ends(self, state: State) -> bool:
        return is_over(state) or state.wave != self.wave

    @property
    def num_nodes(self) -> int:
        """Positions opened, in both searches."""
        return self.search.num_nodes + (0 if self.against is None else self.against.num_nodes)

    @property
    def num_kept(self) -> int:
        """Positions of which something is kept, in both searches."""
        return self.search.num_kept + (0 if self.against is None else self.against.num_kept)

    def outcomes(self, state: State) -> Iterator[Outcome]:
        """All that the other side's answers make of an action, from the state after it."""
        return self._answered(state, "")

    def _answered(self, state: State, said: str) -> Iterator[Outcome]:
        if self._goes_on(state):
            yield Outcome(said, state, self._word(state))
        elif self._ends(state):
            yield Outcome(said, state, self.search.game.end_of(self._end(state)))
        else:
            for move in legal_moves(state):
                words = in_words(state, move)
                yield from self._answered(step(state, move), f"{said}, {words}" if said else words)

    def _end(self, state: State) -> int:
        if self.objective == Objective.MATCH and not is_over(state):
            return fitted_end(self.search.game.tables, state)
        return end_value(state, self.objective, self.wave)

    def value(self, state: State, guess: int | None = None) -> Bounds:
        """What a position is worth; bounds where two searches differ, or the search was stopped."""
        found = self.search.value(self._word(state), guess)
        return self._both(found, lambda other: other.value(state, guess))

    def outcome_value(self, outcome: Outcome) -> Bounds:
        """What an outcome is worth, likewise; one that ends the play has the same word in both searches."""
        found = self.search.value(outcome.word)
        if self._ends(outcome.state):
            return found
        return self._both(found, lambda other: other.value(outcome.state))

    def _both(self, found: Bounds, ask: Callable[[Fight], Bounds]) -> Bounds:
        return found if self.against is None else Bounds(ask(self.against).low, found.high)

    def outcome_of(self, state: State) -> int:
        """What a state is worth: at an action, after the wave, or where the match is over."""
        if not self._goes_on(state):
            return self._end(state)
        bounds = self.value(state)
        assert bounds.exact
        return bounds.low

    def action(self, state: State, move: Move, guess: int | None) -> tuple[Bounds, str]:
        """What an action is worth, and the other side's best answer to it where there is a choice."""
        outcomes = list(self.outcomes(step(state, move)))
        bounds = self.search.action_value(state.turn, [each.word for each in outcomes], guess)
        answer = ""
        if len(outcomes) > 1 and bounds.exact:
            answer = self.answer(state.turn, outcomes, bounds.low).answer
        bounds = self._both(bounds, lambda other: other.action(state, move, guess)[0])
        return bounds, answer if bounds.exact else ""

    def answer(self, mover: int, outcomes: list[Outcome], value: int) -> Outcome:
        """The first outcome by which the other side gives away no more than it must."""
        for outcome in outcomes:
            bound = value if mover else value + 1
            if self.search.at_least(outcome.word, bound) is bool(mover):
                return outcome
        return outcomes[0]

    def line(self, state: State) -> Iterator[str]:
        """One best line to the end of the wave, in words; it breaks off where the value is not known.

        Nothing follows a state in which the wave is over.
        """
        if not self._goes_on(state):
            return
        value, fight = self.value(state), self
        for _ in range(_LONGEST_LINE):
            if not value.exact or state.phase != Phase.ACT or state.wave != self.wave:
                return
            if self._word(state) in fight.search.past:
                yield "a position comes again, and ends the wave (W7)"
                return
            fight = fight.after(state)
            best = fight._best(state, value.low)
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


def fitted_end(tables: IntArray, state: State) -> int:
    """What an end of a wave that does not end the match is estimated to be worth, in parts of a win."""
    work = np.zeros(WORK_WORDS, np.int64)
    for player, team in enumerate(state.teams):
        work[MAX_TEAM * player : MAX_TEAM * player + len(team)] = [each.wounds for each in team]
    return int(fitted_value(tables, work, *state.cheer))


def end_value(state: State, objective: Objective, wave: int) -> int:
    """What the end of a match, or of a wave, is worth for player 0."""
    best = winner(state) if is_over(state) else None
    result = 0 if best is None else 1 - 2 * best
    if objective == Objective.MATCH:
        return GRID * result
    parts = (result, points(state, 0) - points(state, 1), wounds(state, 1) - wounds(state, 0))
    return sum(one * part for one, part in zip(scales(objective), parts, strict=False))


def worth_of(value: int, objective: Objective) -> Worth:
    """Return a value of the search in its parts."""
    if objective == Objective.MATCH:
        return Worth(value // GRID if value % GRID == 0 else 0, chance=(1 + value / GRID) / 2)
    left = value - lowest_value(objective)
    result, left = divmod(left, scales(objective)[0])
    others = []
    for scale in scales(objective)[1:]:
        digit, left = divmod(left, scale)
        others.append(digit - SPAN // 2)
    return Worth(result - 1, *others)


def fighter_name(state: State, player: int, index: int) -> str:
    """The name of a gladiator on the table, with its side where both have one."""
    gladiator = state.teams[player][index].gladiator
    name = state.rules.gladiators[gladiator].name
    if all(other.gladiator != gladiator for other in state.teams[1 - player]):
        return name
    return f"{name} ({('team', 'against')[player]})"


def in_words(state: State, move: Move) -> str:
    """Return a move in words."""
    turn = state.turn
    if move.kind in (Kind.PASS, Kind.TAKE, Kind.ROAR, Kind.QUIET):
        return {Kind.PASS: "pass", Kind.TAKE: "takes it", Kind.ROAR: "roar", Kind.QUIET: "no roar"}[move.kind]
    name = fighter_name(state, turn, move.who)
    if move.kind == Kind.ATTACK:
        return f"{name} attacks {fighter_name(state, 1 - turn, move.target)}"
    return f"{name} {move.kind.name.lower()}s"


def valued(fight: Fight, state: State, bounds: Bounds, mover: int) -> list[Action]:
    """Every action of a position with its worth, the best first."""
    guess = bounds.low if bounds.exact else None
    fight, found = fight.after(state), []
    for move in legal_moves(state):
        worth, answer = fight.action(state, move, guess)
        found.append((in_words(state, move), worth, answer))
    return ranked(fight, found, mover)


def ranked(fight: Fight, found: list[tuple[str, Bounds, str]], mover: int) -> list[Action]:
    """Sort by worth for whoever decides, and say which are best."""
    sign = -1 if mover else 1
    found.sort(key=lambda each: (-sign * each[1].low, -sign * each[1].high))
    most = max((sign * value.high for _, value, _ in found), default=0)
    sure = all(value.exact for _, value, _ in found)
    return [
        Action(
            action=words,
            low=fight.worth(value.low),
            high=fight.worth(value.high),
            best=sure and sign * value.low == most,
            answer=answer,
        )
        for words, value, answer in found
    ]

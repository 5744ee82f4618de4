"""A duel between a person and the machine: what is asked, hints, undo, and what decisions cost."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.front.players import Player
from analysis.reviewed import LEAST_COST, Decision, decided
from analysis.warage.narration import happened, hero_names, move_text
from analysis.warage.players import policy_of, style_of
from engine.protocol import CHANCE
from engine.warage import kernel
from engine.warage.codec import decode, decode_move
from engine.warage.kernel_moves import MOVE_WORDS
from engine.warage.reference_state import Do, Move, Setup, State
from engine.warage.sampling import (
    COUNT,
    MAX_MOVES,
    MOVES,
    NUM_WORDS,
    STATE_WORDS,
    first_style,
    go_on,
    sampling_tables,
)
from solver.sampling.information_set_search import SearchSettings
from solver.sampling.policy import CompiledPolicy, function_policy, policy_probabilities
from solver.sampling.rollouts import RolloutSearch

Words = NDArray[np.int64]
_SPAN = 2.0
"""How far payoffs of a duel lie apart: a win pays 1, a defeat -1."""


class Option(NamedTuple):
    """A move, and what playouts say of it.

    Attributes
    ----------
    win, error : chance to win, and its standard error; nan where the move was not tried.
    behind, behind_error : how far it is behind the best one by the same luck, and the standard error of that.
    told : whether that is plain.
    """

    move: Words
    text: str
    win: float
    error: float
    behind: float
    behind_error: float
    told: bool
    playouts: int


class Hint(NamedTuple):
    """Moves, the best first; `alike` if all playouts of all of them ended alike."""

    options: list[Option]
    alike: bool


class _Point(NamedTuple):
    words: Words
    generator: Any
    decisions: int


class PlayedGame:
    """A match at the table.

    Parameters
    ----------
    seat : the person's, from 0.
    opponent : who plays all others.
    judge : playouts of a search that hints and judges.
    judged : whether every decision is judged, so that costs can be told.
    """

    def __init__(
        self, setup: Setup, seat: int, opponent: Player, judge: int, seed: int, *, judged: bool = True
    ) -> None:
        self.setup, self.seat, self.judged = setup, seat, judged
        self.game = sampling_tables(setup.rules, setup, styles=[style_of(opponent)] * 2)
        self._opponent = policy_of(opponent, self.game, 0)
        own = function_policy("rules", first_style)
        self._advisor = RolloutSearch(self.game, own, SearchSettings(judge))
        self._generator = np.random.default_rng(seed)
        self._move, self._weights = np.zeros(MOVE_WORDS, np.int64), np.zeros(kernel.MAX_OUTCOMES, np.int64)
        self.words = np.zeros(NUM_WORDS, np.int64)
        kernel.start(self.words, self.game.tables)
        self.events: list[str] = []
        self.decisions: list[Decision] = []
        self._points: list[_Point] = []
        self._rolled: tuple[list[int], list[int]] = ([], [])

    @property
    def state(self) -> State:
        """The match now, nothing hidden."""
        return decode(self.words, self.setup)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(kernel.is_over(self.words))

    def play_on(self) -> None:
        """Play on to the person's next decision, or the end; what happens is added to `events`."""
        while not self.over:
            who = kernel.decider(self.words, self.game.tables)
            if who == self.seat:
                return
            self._carry_out(self._chance() if who == CHANCE else self._others())

    def _carry_out(self, index: int) -> None:
        before = self.state
        kernel.transition(self.words, self.game.tables, index, self._move, self._weights)
        after = self.state
        task = before.agenda[-1]
        if task.do == Do.DICE:
            self._rolled[task.a].append(index + 1)
            if after.agenda and after.agenda[-1].do == Do.DICE:
                return
            if not any(map(sum, after.faces)):
                own, other = (" ".join(map(str, faces)) or "none" for faces in self._rolled)
                self.events.append(f"Dice: {own} against {other}.")
                self._rolled = ([], [])
        self.events += happened(before, after, self.seat)

    def _chance(self) -> int:
        tables = self.game.tables
        total = int(kernel.chance_weights(self.words, tables, self._weights))
        left, index = int(self._generator.integers(total)), 0
        while left >= self._weights[index]:
            left -= int(self._weights[index])
            index += 1
        return index

    def _others(self) -> int:
        """The number of the move that another hero makes."""
        state, seed = self._listed(), int(self._generator.integers(2**62))
        index = 0
        if state is not None:
            chosen = self._chosen(state, seed)
            index = self._number(_listed_move(state, chosen)) if state[COUNT] else chosen
        before = self.state
        move = decode_move(self.words, self.game.tables, index)
        if move.kind not in ("pass", "hand", "keep"):
            who = hero_names(before)[kernel.decider(self.words, self.game.tables)]
            self.events.append(f"{who}: {move_text(before, move)}.")
        return index

    def _chosen(self, state: Words, seed: int) -> int:
        if not isinstance(self._opponent, CompiledPolicy):
            return self._opponent.choose(state, seed)
        work, shares = np.zeros(self.game.work_words, np.int64), np.zeros(self.game.max_moves)
        who = self.game.observe(self.game.tables, state, work)
        count = int(work[0])
        policy_probabilities(self._opponent.arguments, who, self.game.tables, state, work, shares)
        shares = shares[:count] / shares[:count].sum()
        return int(np.random.default_rng(seed).choice(count, p=shares))

    def _listed(self) -> Words | None:
        """The node as solvers have it; None where they would pass without being asked."""
        state = np.zeros(STATE_WORDS, np.int64)
        state[:NUM_WORDS] = self.words
        go_on(self.game.tables, state)
        return state if np.array_equal(state[:NUM_WORDS], self.words) else None

    def _number(self, move: Words) -> int:
        """The number of a move among all legal ones."""
        for index in range(kernel.num_outcomes(self.words, self.game.tables)):
            kernel.get_move(self.words, self.game.tables, index, self._move)
            if np.array_equal(self._move, move):
                return index
        raise AssertionError(f"no such move: {move.tolist()}")

    def moves(self) -> list[Move]:
        """Return what the person can do."""
        tables = self.game.tables
        return [
            decode_move(self.words, tables, index) for index in range(kernel.num_outcomes(self.words, tables))
        ]

    def make(self, index: int) -> None:
        """The person decides."""
        point = _Point(self.words.copy(), self._generator.bit_generator.state, len(self.decisions))
        if self.judged:
            self._judge(index)
        self._points.append(point)
        self._carry_out(index)

    def undo(self) -> bool:
        """Go back to the person's decision before this one; False if there is none."""
        if not self._points:
            return False
        point = self._points.pop()
        self.words[:] = point.words
        self._generator.bit_generator.state = point.generator
        del self.decisions[point.decisions :]
        self.events.clear()
        return True

    def hint(self) -> Hint:
        """Return what moves are worth by playouts, without those that nobody would try."""
        state = self._listed()
        if state is None:
            return Hint([], alike=True)
        found, left = self._advisor.race(state, 0, _SPAN)
        now = self.state
        wins = (1.0 + found.means) / 2.0
        best = int(left[int(np.argmax(wins[left]))])
        ahead, ahead_errors = found.ahead(best)
        options = []
        for place in range(len(wins)):
            index = self._number(_listed_move(state, place)) if state[COUNT] else place
            kernel.get_move(self.words, self.game.tables, index, self._move)
            text = move_text(now, decode_move(self.words, self.game.tables, index))
            options.append(
                Option(
                    self._move.copy(),
                    text,
                    float(wins[place]),
                    float(found.errors[place]) / _SPAN,
                    float(-ahead[place]) / _SPAN,
                    float(ahead_errors[place]) / _SPAN,
                    place not in left,
                    int(found.playouts[place]),
                )
            )
        order = sorted(range(len(options)), key=lambda place: (place != best, options[place].behind))
        return Hint([options[place] for place in order], found.alike)

    def _judge(self, index: int) -> None:
        """Compare a move with the best of the others by the same playouts."""
        state, made = self._with(index)
        if state is None:
            return
        found = self._advisor.judge(state, made, len(self.decisions), LEAST_COST * _SPAN, _SPAN)
        better = self._number(_listed_move(state, found.better)) if state[COUNT] else found.better
        now, tables = self.state, self.game.tables
        what, other = (move_text(now, decode_move(self.words, tables, each)) for each in (index, better))
        self.decisions.append(decided(f"turn {now.turn}", what, other, found, _SPAN, -1.0))

    def _with(self, index: int) -> tuple[Words | None, int]:
        """The node as solvers have it, a move that they leave out among its moves, and that move's number.

        None where there is nothing to choose, or the list has no room for it.
        """
        state = self._listed()
        tables = self.game.tables
        if state is not None and not state[COUNT]:
            return state, index
        kernel.get_move(self.words, tables, index, self._move)
        if state is None:
            # Solvers would pass here without being asked.
            if decode_move(self.words, tables, index).kind == "pass":
                return None, 0
            state = np.zeros(STATE_WORDS, np.int64)
            state[:NUM_WORDS], state[COUNT] = self.words, 1
            kernel.get_move(self.words, tables, 0, state[MOVES : MOVES + MOVE_WORDS])
        for place in range(int(state[COUNT])):
            if np.array_equal(_listed_move(state, place), self._move):
                return state, place
        place = int(state[COUNT])
        if place == MAX_MOVES:
            return None, 0
        state[MOVES + place * MOVE_WORDS :][:MOVE_WORDS] = self._move
        state[COUNT] += 1
        return state, place


def _listed_move(state: Words, place: int) -> Words:
    """A move in the list of a node as solvers have it."""
    return state[MOVES + place * MOVE_WORDS :][:MOVE_WORDS].copy()

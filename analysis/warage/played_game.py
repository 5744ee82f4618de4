"""A duel between a person and the machine: what is asked, hints, undo, and what decisions cost."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.warage.learned import check_learned
from analysis.warage.narration import happened, hero_names, move_text
from analysis.warage.players import Player, policy_of
from engine.protocol import CHANCE
from engine.warage import kernel
from engine.warage.codec import decode, decode_move
from engine.warage.kernel_moves import MOVE_WORDS
from engine.warage.reference_state import Do, Move, Setup, State
from engine.warage.sampling import COUNT, MOVES, NUM_WORDS, STATE_WORDS, first_style, go_on, sampling_tables
from solver.sampling.information_set_search import SearchSettings
from solver.sampling.policy import CompiledPolicy, function_policy, policy_probabilities
from solver.sampling.rollouts import RolloutSearch

Words = NDArray[np.int64]
MOST_COSTS = 5
LEAST_COST = 0.05
"""Cheaper decisions are not worth a line; playouts do not tell them from free ones either."""


class Decision(NamedTuple):
    """A decision of the person's that was judged: in words, and the chance to win that it gave away."""

    turn: int
    made: str
    better: str
    cost: float


class Option(NamedTuple):
    """A move with its chance to win by playouts; nan where none was tried."""

    move: Words
    text: str
    win: float
    playouts: int


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
        check_learned(opponent, setup.rules, "--opponent")
        styles = opponent.style, opponent.style
        self.game = sampling_tables(setup.rules, setup, styles=styles, pauses=opponent.learned)
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

    def options(self) -> list[Option]:
        """Return what moves are worth by playouts, the best first, without those that nobody would try."""
        state = self._listed()
        if state is None:
            return []
        found = self._advisor.search(state, 0)
        now = self.state
        options = []
        for place in range(len(found.visits)):
            if state[COUNT]:
                move = _listed_move(state, place)
                index = self._number(move)
            else:
                index = place
                kernel.get_move(self.words, self.game.tables, index, self._move)
                move = self._move.copy()
            text = move_text(now, decode_move(self.words, self.game.tables, index))
            win = (1.0 + float(found.mean_payoffs[place])) / 2.0
            options.append(Option(move, text, win, int(found.visits[place])))
        return sorted(options, key=lambda option: (-option.playouts, -option.win))

    def _judge(self, index: int) -> None:
        """Compare a move with the best one by the same playouts, if it is one that was tried."""
        options = self.options()
        tried = [option for option in options if option.playouts]
        kernel.get_move(self.words, self.game.tables, index, self._move)
        made = next((option for option in tried if np.array_equal(option.move, self._move)), None)
        if made is None:
            return
        best = max(tried, key=lambda option: option.win - _error(option))
        cost = best.win - made.win
        if cost > 2.0 * float(np.hypot(_error(best), _error(made))):
            self.decisions.append(Decision(self.state.turn, made.text, best.text, cost))

    def dear(self) -> list[Decision]:
        """Return the decisions that cost most."""
        dear = [decision for decision in self.decisions if decision.cost >= LEAST_COST]
        return sorted(dear, key=lambda decision: -decision.cost)[:MOST_COSTS]


def _listed_move(state: Words, place: int) -> Words:
    """A move in the list of a node as solvers have it."""
    return state[MOVES + place * MOVE_WORDS :][:MOVE_WORDS].copy()


def _error(option: Option) -> float:
    """The standard error of an option's chance to win, at most."""
    return float(0.5 / np.sqrt(max(option.playouts, 1)))

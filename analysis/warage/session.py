"""A duel with a person in it: moves, hints by playouts, and what decisions cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.front.at_table import AtTable, Judged, Raced
from analysis.front.players import Player
from analysis.reviewed import LEAST_COST
from analysis.warage.game import Advice, Decks
from analysis.warage.narration import happened, hero_names, move_text, table_lines
from analysis.warage.players import policy_of, style_of
from analysis.warage.wording import class_text, explained, race_text
from engine.protocol import CHANCE
from engine.warage import kernel
from engine.warage.codec import decode, decode_move
from engine.warage.kernel_moves import MOVE_WORDS
from engine.warage.reference import setup_of
from engine.warage.reference_state import Do, Move, Setup, State
from engine.warage.rules import Rules
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

__all__ = ["DuelSession", "begin"]

Words = NDArray[np.int64]


def begin(rules: Rules, setup: Decks, seat: int, opponent: Player, seed: int, advice: Advice) -> DuelSession:
    """Begin a duel; the person plays the first deck, in whatever seat."""
    decks = [setup.deck, setup.against] if seat == 0 else [setup.against, setup.deck]
    table = setup_of(rules, decks)
    game = DuelSession(table, seat, opponent, advice.playouts, seed, judged=not advice.no_costs)
    for who, name in (("You", setup.deck), ("They", setup.against)):
        deck = rules.deck(name)
        told = race_text(rules, rules.race(deck.race)), class_text(rules.hero_class(deck.hero_class))
        game.events.append(f"{who} play {deck.name}. {' '.join(told)}")
    return game


class DuelSession(AtTable[Move]):
    """A duel with a person in it; see `analysis.front.session.Session`.

    Parameters
    ----------
    opponent : who plays the other hero.
    playouts : of a search that hints and judges.
    """

    who = "players by rules"
    nothing = "  nothing but to pass, as players by rules see it"

    def __init__(
        self, setup: Setup, seat: int, opponent: Player, playouts: int, seed: int, *, judged: bool = True
    ) -> None:
        super().__init__(seat, judged=judged)
        self.setup = setup
        self.game = sampling_tables(setup.rules, setup, styles=[style_of(opponent)] * 2)
        self._opponent = policy_of(opponent, self.game, 0)
        own = function_policy("rules", first_style)
        self._advisor = RolloutSearch(self.game, own, SearchSettings(playouts))
        self._generator = np.random.default_rng(seed)
        self._move, self._weights = np.zeros(MOVE_WORDS, np.int64), np.zeros(kernel.MAX_OUTCOMES, np.int64)
        self.words = np.zeros(NUM_WORDS, np.int64)
        kernel.start(self.words, self.game.tables)
        self._rolled: tuple[list[int], list[int]] = ([], [])

    @property
    def state(self) -> State:
        """The duel now, nothing hidden."""
        return decode(self.words, self.setup)

    @property
    def over(self) -> bool:
        """See `AtTable.over`."""
        return bool(kernel.is_over(self.words))

    @property
    def asked(self) -> bool:
        """See `AtTable.asked`."""
        return bool(kernel.decider(self.words, self.game.tables) == self.seat)

    def go_on(self) -> None:
        """See `AtTable.go_on`."""
        who = kernel.decider(self.words, self.game.tables)
        self._step(self._chance() if who == CHANCE else self._others())

    def carry_out(self, choice: Move, number: int) -> None:
        """See `AtTable.carry_out`."""
        self._step(number)

    def _step(self, index: int) -> None:
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
        total = int(kernel.chance_weights(self.words, self.game.tables, self._weights))
        left, index = int(self._generator.integers(total)), 0
        while left >= self._weights[index]:
            left -= int(self._weights[index])
            index += 1
        return index

    def _others(self) -> int:
        """The number of the move that the other hero makes."""
        state, seed = self._listed(), int(self._generator.integers(2**62))
        index = 0 if state is None else self._number(state, self._chosen(state, seed))
        before, move = self.state, self._decoded(index)
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

    def _number(self, state: Words, place: int) -> int:
        """The number, among all legal moves, of one of the moves of a node as solvers have it."""
        if not state[COUNT]:
            return place
        move = _listed_move(state, place)
        for index in range(kernel.num_outcomes(self.words, self.game.tables)):
            kernel.get_move(self.words, self.game.tables, index, self._move)
            if np.array_equal(self._move, move):
                return index
        raise AssertionError(f"no such move: {move.tolist()}")

    def _decoded(self, index: int) -> Move:
        return decode_move(self.words, self.game.tables, index)

    def choices(self) -> list[Move]:
        """See `AtTable.choices`."""
        return [self._decoded(index) for index in range(kernel.num_outcomes(self.words, self.game.tables))]

    def text(self, choice: Move) -> str:
        """See `AtTable.text`."""
        return move_text(self.state, choice)

    def mark(self) -> Any:
        """See `AtTable.mark`."""
        return self.words.copy(), self._generator.bit_generator.state

    def go_back(self, mark: Any) -> None:
        """See `AtTable.go_back`."""
        self.words[:], self._generator.bit_generator.state = mark

    def race(self) -> Raced | None:
        """See `AtTable.race`: without moves that nobody would try."""
        state = self._listed()
        if state is None:
            return None
        found, left = self._advisor.race(state, 0, self.span)
        texts = [self.text(self._decoded(self._number(state, n))) for n in range(len(found.means))]
        return Raced(found, left, texts)

    def judge(self, choice: Move, number: int) -> Judged | None:
        """See `AtTable.judge`."""
        state, made = self._with(choice, number)
        if state is None:
            return None
        least = LEAST_COST * self.span
        found = self._advisor.judge(state, made, len(self.decisions), least, self.span)
        better = self._decoded(self._number(state, found.better))
        return Judged(f"turn {self.state.turn}", self.text(choice), self.text(better), found)

    def _with(self, choice: Move, number: int) -> tuple[Words | None, int]:
        """The node as solvers have it, a move that they leave out among its moves, and that move's number.

        None where there is nothing to choose, or the list has no room for it.
        """
        state, tables = self._listed(), self.game.tables
        if state is not None and not state[COUNT]:
            return state, number
        kernel.get_move(self.words, tables, number, self._move)
        if state is None:
            # Solvers would pass here without being asked.
            if choice.kind == "pass":
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

    def board(self) -> Sequence[str]:
        """Return the table as the person sees it."""
        return table_lines(self.state, self.seat)

    def explain(self, name: str) -> str | None:
        """Return what a card does."""
        return explained(self.setup.rules, name)

    def result(self) -> tuple[str, float]:
        """See `AtTable.result`."""
        winners = self.state.winners
        said = "You lose." if self.seat not in winners else "You win." if len(winners) == 1 else "A draw."
        return said, (self.seat in winners) / max(1, len(winners))

    def fingerprint(self) -> bytes:
        """Return what tells this state from others."""
        return self.words.tobytes()


def _listed_move(state: Words, place: int) -> Words:
    """A move in the list of a node as solvers have it."""
    return state[MOVES + place * MOVE_WORDS :][:MOVE_WORDS].copy()

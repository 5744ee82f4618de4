"""Plays of a game's plain-Python reference and its transition kernel at once, the same for all games."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.bits import WORD_BITS
from engine.protocol import CHANCE, choices

Words = NDArray[np.int64]


@dataclass(frozen=True)
class Lockstep:
    """Both sides of a game.

    Attributes
    ----------
    seen : (words, state) what the words say, read with the rules of the state.
    kept : of a state, what words hold.
    scratch : arrays that a transition takes.
    decider, chance_weights, payoffs : the kernel's, where they take other arguments than most.
    names_outcomes : whether outcomes of chance are decoded like moves.
    """

    reference: ModuleType
    kernel: ModuleType
    codec: ModuleType
    seen: Callable[[Words, Any], Any]
    kept: Callable[[Any], Any] = lambda state: state
    scratch: tuple[Words, ...] = ()
    decider: Callable[[Words, Words], int] | None = None
    chance_weights: Callable[[Words, Words, Words], int] | None = None
    payoffs: Callable[[Words, Words, Any], tuple[float, ...]] | None = None
    names_outcomes: bool = True

    def moves(self, state: Any) -> list[Any]:
        """Every move of a state, or every outcome."""
        return choices(self.reference, state)

    def transition(self, words: Words, compiled: Words, index: int) -> None:
        """Carry out a move or an outcome by its number. Modified in place: `words`."""
        self.kernel.transition(words, compiled, index, *self.scratch)

    def start(self, compiled: Words, num_words: int) -> Words:
        """The kernel's words as a play begins."""
        words = np.zeros(num_words, np.int64)
        self.kernel.start(words, compiled)
        return words

    def assert_same(self, state: Any, words: Words, compiled: Words) -> None:
        """The kernel's words say what the reference's state says: every number, every move, every weight."""
        reference, kernel = self.reference, self.kernel
        assert self.codec.encode(state).tolist() == words.tolist()
        assert self.seen(words, state) == self.kept(state)
        assert all(0 <= word < 1 << WORD_BITS for word in words.tolist())
        who = reference.decider(state)
        assert (self.decider or kernel.decider)(words, compiled) == who
        assert kernel.is_over(words) == reference.is_over(state)
        if reference.is_over(state):
            expected = reference.payoffs(state)
            paid = np.zeros(len(expected))
            if self.payoffs is None:
                kernel.payoffs(words, compiled, paid)
            assert expected == (tuple(paid) if self.payoffs is None else self.payoffs(words, compiled, state))
            return
        known = self.moves(state)
        assert kernel.num_outcomes(words, compiled) == len(known)
        if who == CHANCE:
            weights = np.zeros(max(len(known), 1024), np.int64)
            outcomes = [weight for _, weight in reference.chance_outcomes(state)]
            assert (self.chance_weights or kernel.chance_weights)(words, compiled, weights) == sum(outcomes)
            assert weights[: len(known)].tolist() == outcomes
        if who != CHANCE or self.names_outcomes:
            assert [self.codec.decode_move(words, compiled, index) for index in range(len(known))] == known

    def walk(
        self, state: Any, rng: random.Random, words: Words, compiled: Words
    ) -> Iterator[tuple[Any, list[Any]]]:
        """States of a random play from here on, each with its moves; `words` follow. Modified in place."""
        while not self.reference.is_over(state):
            known = self.moves(state)
            yield state, known
            weights = [weight for _, weight in self.reference.chance_outcomes(state)] or None
            [index] = rng.choices(range(len(known)), weights)
            self.transition(words, compiled, index)
            state = self.reference.step(state, known[index])
        yield state, []

    def compare(
        self, state: Any, words: Words, compiled: Words, seed: int, *, words_only: bool = False
    ) -> int:
        """Play from here to the end, and compare every state; returns the number of moves.

        With `words_only` each state is compared word by word, and the number of its moves; not each move's
        parts.
        """
        num_moves = -1
        for current, known in self.walk(state, random.Random(seed), words, compiled):
            if words_only:
                assert self.codec.encode(current).tolist() == words.tolist()
                assert not known or self.kernel.num_outcomes(words, compiled) == len(known)
            else:
                self.assert_same(current, words, compiled)
            num_moves += 1
        return num_moves

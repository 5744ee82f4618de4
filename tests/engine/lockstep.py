"""Plays of a game's plain-Python reference and its transition kernel at once, the same for all games."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.protocol import choices

Words = NDArray[np.int64]


@dataclass(frozen=True)
class Lockstep:
    """Both sides of a game.

    Attributes
    ----------
    transition : (words, compiled, index) carries out a move or an outcome by its number, in place.
    assert_same : (state, words, compiled) compares all that both say of a state.
    """

    reference: ModuleType
    encode: Callable[[Any], Words]
    num_outcomes: Callable[[Words, Words], int]
    transition: Callable[[Words, Words, int], None]
    assert_same: Callable[[Any, Words, Words], None]

    def moves(self, state: Any) -> list[Any]:
        """Every move of a state, or every outcome."""
        return choices(self.reference, state)

    def walk(
        self, state: Any, rng: random.Random, words: Words, compiled: Words
    ) -> Iterator[tuple[Any, list[Any]]]:
        """States of a random play from here on, each with its moves; `words` follow. Modified in place."""
        while not self.reference.is_over(state):
            known = choices(self.reference, state)
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
                assert self.encode(current).tolist() == words.tolist()
                assert not known or self.num_outcomes(words, compiled) == len(known)
            else:
                self.assert_same(current, words, compiled)
            num_moves += 1
        return num_moves

"""Helpers of the tests of Warage: plays of the reference and the kernel side by side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.bits import WORD_BITS
from engine.protocol import choices
from engine.warage import kernel, layout, reference
from engine.warage.codec import decode, decode_move, encode
from engine.warage.kernel_moves import MOVE_WORDS
from engine.warage.kernel_rules import KernelRules, kernel_rules
from engine.warage.reference import (
    CHANCE,
    Move,
    Setup,
    State,
    chance_outcomes,
    decider,
    is_over,
    payoffs,
    start,
)
from tests.engine.lockstep import Lockstep

WEIGHTS = np.zeros(kernel.MAX_OUTCOMES, np.int64)
MOVE = np.zeros(MOVE_WORDS, np.int64)


def moves(state: State) -> list[Move | int]:
    """Every move of a state, or every outcome."""
    return choices(reference, state)


def transition(words: NDArray[np.int64], compiled: KernelRules, index: int) -> None:
    """Carry out a move or an outcome by its number. Modified in place: `words`."""
    kernel.transition(words, compiled, index, MOVE, WEIGHTS)


def assert_same(state: State, words: NDArray[np.int64], compiled: KernelRules) -> None:
    """The kernel's words say what the reference's state says: every number, every move, every weight."""
    assert encode(state).tolist() == words.tolist()
    assert decode(words, state.setup) == state
    assert all(0 <= word < 1 << WORD_BITS for word in words.tolist())
    assert kernel.decider(words, compiled) == decider(state)
    assert kernel.is_over(words) == is_over(state)
    if is_over(state):
        paid = np.zeros(state.num_players)
        kernel.payoffs(words, compiled, paid)
        assert tuple(paid) == payoffs(state)
        assert kernel.winners(words) == sum(1 << seat for seat in state.winners)
        return
    expected = moves(state)
    assert kernel.num_outcomes(words, compiled) == len(expected)
    if decider(state) == CHANCE:
        outcomes = chance_outcomes(state)
        assert kernel.chance_weights(words, compiled, WEIGHTS) == sum(weight for _, weight in outcomes)
        assert WEIGHTS[: len(expected)].tolist() == [weight for _, weight in outcomes]
        return
    assert [decode_move(words, compiled, index) for index in range(len(expected))] == expected


BOTH = Lockstep(reference, encode, kernel.num_outcomes, transition, assert_same)


def compare_game(setup: Setup, seed: int, *, words_only: bool = False) -> int:
    """Play one random match on reference and kernel at once; returns its number of moves."""
    compiled = kernel_rules(setup.rules, setup)
    words = np.zeros(layout.NUM_WORDS, np.int64)
    kernel.start(words, compiled)
    return BOTH.compare(start(setup), words, compiled, seed, words_only=words_only)

"""Helpers of the tests of Ophidian Arena: plays of the reference and the kernel side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.bits import WORD_BITS
from engine.ophidian import kernel, layout, reference
from engine.ophidian.codec import decode, decode_move, encode
from engine.ophidian.kernel_rules import KernelRules, kernel_rules
from engine.ophidian.reference import (
    CHANCE,
    Move,
    Seat,
    State,
    chance_outcomes,
    decider,
    is_over,
    payoffs,
    start_match,
)
from engine.ophidian.rules import Rules
from engine.protocol import choices
from tests.engine.lockstep import Lockstep

WEIGHTS = np.zeros(kernel.MAX_OUTCOMES, np.int64)
MOVE = np.zeros(layout.MOVE_WORDS, np.int64)


def moves(state: State) -> list[Move | int]:
    """Every move of a state, or every outcome."""
    return choices(reference, state)


def transition(words: NDArray[np.int64], compiled: KernelRules, index: int) -> None:
    """Carry out a move or an outcome by its number. Modified in place: `words`."""
    kernel.transition(words, compiled, index, MOVE, WEIGHTS)


def assert_same(state: State, words: NDArray[np.int64], compiled: KernelRules) -> None:
    """The kernel's words say what the reference's state says: every number, every move, every weight."""
    assert encode(state).tolist() == words.tolist()
    assert decode(words, state.rules) == replace(state, past=())
    assert all(0 <= word < 1 << WORD_BITS for word in words.tolist())
    assert kernel.decider(words, compiled) == decider(state)
    assert kernel.is_over(words) == is_over(state)
    if is_over(state):
        paid = np.zeros(2)
        kernel.payoffs(words, compiled, paid)
        assert tuple(paid) == payoffs(state)
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


def compare_game(rules: Rules, seats: Sequence[Seat], seed: int, *, words_only: bool = False) -> int:
    """Play one random match on reference and kernel at once; returns its number of moves."""
    compiled = kernel_rules(rules, seats)
    words = np.zeros(layout.NUM_WORDS, np.int64)
    kernel.start(words, compiled)
    return BOTH.compare(start_match(rules, seats), words, compiled, seed, words_only=words_only)

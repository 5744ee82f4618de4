"""Helpers of Raverun's tests: plays of the reference and the kernel side by side, and random rules."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.bits import WORD_BITS
from engine.protocol import choices
from engine.raverun import kernel, layout, reference
from engine.raverun.codec import decode, decode_move, encode
from engine.raverun.kernel_rules import KernelRules, kernel_rules
from engine.raverun.reference import (
    CHANCE,
    Move,
    State,
    chance_outcomes,
    decider,
    is_over,
    legal_moves,
    start,
    step,
    winner,
)
from engine.raverun.rules import Rules, load_rules
from tests.engine.lockstep import Lockstep


def moves(state: State) -> list[Move | int]:
    """Every move of a state, or every outcome."""
    return choices(reference, state)


def random_move(state: State, rng: random.Random) -> Move | int:
    """Chance by its weights, moves equally likely."""
    if decider(state) == CHANCE:
        outcomes, weights = zip(*chance_outcomes(state), strict=True)
        return int(rng.choices(outcomes, weights)[0])
    return rng.choice(legal_moves(state))


def random_states(rules: Rules, rng: random.Random, num_players: int = 2) -> Iterator[State]:
    """The states of one random game, from the first draw to its end."""
    state = start(rules, num_players)
    while True:
        yield state
        if is_over(state):
            return
        state = step(state, random_move(state, rng))


def assert_same(state: State, words: NDArray[np.int64], rules: KernelRules) -> None:
    """The kernel's words say what the reference's state says: every bit, every move, every weight."""
    assert encode(state).tolist() == words.tolist()
    assert decode(words, state.rules, len(state.players)) == state
    assert all(0 <= word < 1 << WORD_BITS for word in words.tolist())
    assert kernel.decider(words) == decider(state)
    assert kernel.is_over(words) == is_over(state)
    if is_over(state):
        best = winner(state)
        assert kernel.winner(words, rules) == (-1 if best is None else best)
        return
    expected = moves(state)
    assert kernel.num_outcomes(words, rules) == len(expected) <= kernel.MAX_MOVES
    assert [decode_move(words, rules, index) for index in range(len(expected))] == expected
    if decider(state) == CHANCE:
        weights = np.zeros(kernel.MAX_MOVES, np.int64)
        assert kernel.chance_weights(words, weights) == sum(weight for _, weight in chance_outcomes(state))
        assert weights[: len(expected)].tolist() == [weight for _, weight in chance_outcomes(state)]


BOTH = Lockstep(reference, encode, kernel.num_outcomes, kernel.transition, assert_same)


def compare_game(rules: Rules, num_players: int, seed: int, *, words_only: bool = False) -> int:
    """Play one random game on reference and kernel at once; returns its number of moves."""
    compiled = kernel_rules(rules, num_players)
    words = np.zeros(layout.NUM_WORDS, np.int64)
    kernel.start(words, compiled)
    return BOTH.compare(start(rules, num_players), words, compiled, seed, words_only=words_only)


def players_of(rules: Rules) -> list[int]:
    """How many can play with these rules."""
    return [
        number
        for number, size in zip((2, 3), rules.match.hand_size, strict=True)
        if number * size <= rules.num_cards
    ]


BOX = load_rules()

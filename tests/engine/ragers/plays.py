"""Helpers of the engine's tests: plays of the reference and the kernel side by side, and random rules."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from engine.bits import WORD_BITS
from engine.protocol import choices
from engine.ragers import kernel, layout, reference
from engine.ragers.codec import encode
from engine.ragers.kernel_rules import KernelRules, kernel_rules
from engine.ragers.reference import (
    CHANCE,
    NOTHING,
    State,
    chance_outcomes,
    deciders,
    is_over,
    legal_actions,
    scores,
    start_match,
    step,
    winner,
)
from engine.ragers.rules import Rules

Move = tuple[int, int] | int


def moves(state: State) -> list[Move]:
    """Every move of a state: chance outcomes, or pairs of actions."""
    return choices(reference, state)


def random_move(state: State, rng: random.Random) -> Move:
    """Chance by its weights, actions equally likely."""
    if deciders(state) == (CHANCE,):
        outcomes, weights = zip(*chance_outcomes(state), strict=True)
        return int(rng.choices(outcomes, weights)[0])
    return rng.choice(moves(state))


def random_states(rules: Rules, rng: random.Random) -> Iterator[State]:
    """The states of one random match, from the first draw to its end."""
    state = start_match(rules)
    while True:
        yield state
        if is_over(state):
            return
        state = step(state, random_move(state, rng))


def step_words(words: NDArray[np.int64], rules: KernelRules, move: Move) -> None:
    """The kernel's counterpart of `reference.step`. Modified in place."""
    first, second = (move, NOTHING) if isinstance(move, int) else move
    kernel.transition(words, rules, first, second)


def assert_same(state: State, words: NDArray[np.int64], rules: KernelRules) -> None:
    """The kernel's words say what the reference's state says: every bit, every legal move, every weight."""
    assert encode(state).tolist() == words.tolist()
    assert all(0 <= word < 1 << WORD_BITS for word in words.tolist())
    for player in (0, 1):
        expected = sum(1 << action for action in legal_actions(state, player))
        assert kernel.legal_mask(words, rules, player) == expected
    weights = np.zeros(kernel.MAX_OUTCOMES, np.int64)
    outcomes = dict(chance_outcomes(state))
    assert kernel.chance_weights(words, weights) == sum(outcomes.values())
    assert {index: weight for index, weight in enumerate(weights.tolist()) if weight} == outcomes
    assert kernel.is_over(words) == is_over(state)
    if is_over(state):
        assert (kernel.score(words, 0), kernel.score(words, 1)) == scores(state)
        assert kernel.winner(words) == winner(state)


def compare_match(rules: Rules, seed: int) -> int:
    """Play one random match on reference and kernel at once; returns its number of moves."""
    rng = random.Random(seed)
    compiled = kernel_rules(rules)
    words = np.zeros(layout.NUM_WORDS, np.int64)
    kernel.start(words, compiled)
    state = start_match(rules)
    num_moves = 0
    while True:
        assert_same(state, words, compiled)
        if is_over(state):
            return num_moves
        move = random_move(state, rng)
        state = step(state, move)
        step_words(words, compiled, move)
        num_moves += 1

"""Helpers of the tests of Clash of Rage: plays of the reference and the kernel side by side."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from engine.bits import WORD_BITS
from engine.clash import kernel, layout, reference
from engine.clash.board import Scenario, scenario
from engine.clash.codec import decode, decode_move, encode
from engine.clash.kernel_rules import KernelRules, kernel_rules
from engine.clash.reference import (
    CHANCE,
    Move,
    State,
    chance_outcomes,
    decider,
    is_over,
    payoffs,
    start,
)
from engine.clash.rules import Rules, load_rules
from engine.clash.rules_schema import DIFFICULTIES, TILES
from engine.protocol import choices
from tests.engine.lockstep import Lockstep

BOX = load_rules()
CLANS = ("bohorg", "steamfield", "godleif", "tomb")
WEIGHTS = np.zeros(kernel.MAX_MOVES, np.int64)


def moves(state: State) -> list[Move | int]:
    """Every move of a state, or every outcome."""
    return choices(reference, state)


def random_scenario(rules: Rules, rng: random.Random, num_players: int = 0) -> Scenario:
    """Any clans, tiles, difficulty; as many players as asked for, if any number is."""
    clans = rng.sample(CLANS, num_players or rng.randint(1, 4))
    tiles = [
        rng.choice(TILES[2 * number : 2 * number + 2]) for number in rng.sample(range(5), max(2, len(clans)))
    ]
    difficulty = rng.choice(DIFFICULTIES) if len(clans) == 1 else None
    return scenario(rules, clans, tiles=tiles, difficulty=difficulty, long_game=rng.random() < 0.3)


def assert_same(state: State, words: NDArray[np.int64], compiled: KernelRules) -> None:
    """The kernel's words say what the reference's state says: every bit, every move, every weight."""
    assert encode(state).tolist() == words.tolist()
    assert decode(words, state.rules, state.scenario) == state
    assert all(0 <= word < 1 << WORD_BITS for word in words.tolist())
    assert kernel.decider(words, compiled) == decider(state)
    assert kernel.is_over(words) == is_over(state)
    if is_over(state):
        paid = np.zeros(state.num_players)
        kernel.payoffs(words, compiled, paid)
        assert tuple(paid) == payoffs(state)
        assert kernel.winner(words) == (-1 if state.winner is None else state.winner)
        return
    expected = moves(state)
    assert kernel.num_outcomes(words, compiled) == len(expected) <= kernel.MAX_MOVES
    assert [decode_move(words, compiled, index) for index in range(len(expected))] == expected
    if decider(state) == CHANCE:
        outcomes = chance_outcomes(state)
        assert kernel.chance_weights(words, compiled, WEIGHTS) == sum(weight for _, weight in outcomes)
        assert WEIGHTS[: len(expected)].tolist() == [weight for _, weight in outcomes]


BOTH = Lockstep(reference, encode, kernel.num_outcomes, kernel.transition, assert_same)


def compare_game(rules: Rules, chosen: Scenario, seed: int, *, words_only: bool = False) -> int:
    """Play one random game on reference and kernel at once; returns its number of moves."""
    compiled = kernel_rules(rules, chosen)
    words = np.zeros(layout.NUM_WORDS, np.int64)
    kernel.start(words, compiled)
    return BOTH.compare(start(rules, chosen), words, compiled, seed, words_only=words_only)

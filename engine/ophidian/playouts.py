"""Random playouts on the transition kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ophidian import layout
from engine.ophidian.kernel import (
    CHANCE,
    MAX_OUTCOMES,
    NUM_WORDS,
    chance_weights,
    decider,
    is_over,
    num_outcomes,
    start,
    transition,
    winner,
)
from engine.ophidian.kernel_rules import KernelRules
from engine.ophidian.kernel_state import Words
from engine.randomness import below, next_random

_WAVE = layout.WAVE


@kernel_njit
def random_outcome(
    words: Words, rules: KernelRules, rng: NDArray[np.int64], weights: NDArray[np.int64]
) -> int:
    """The number of an outcome of a chance node, by the weights. Modified in place: `rng`, `weights`."""
    left = below(next_random(rng), chance_weights(words, rules, weights))
    index = 0
    while left >= weights[index]:
        left -= weights[index]
        index += 1
    return index


@kernel_njit
def play(
    words: Words,
    rules: KernelRules,
    rng: NDArray[np.int64],
    move: NDArray[np.int64],
    weights: NDArray[np.int64],
) -> int:
    """Play on at random until the match is over, in place; returns the number of transitions."""
    num_transitions = 0
    while not is_over(words):
        if decider(words, rules) == CHANCE:
            index = random_outcome(words, rules, rng, weights)
        else:
            index = below(next_random(rng), num_outcomes(words, rules))
        transition(words, rules, index, move, weights)
        num_transitions += 1
    return num_transitions


@kernel_njit
def _playouts(
    rules: KernelRules,
    num_playouts: int,
    rng: NDArray[np.int64],
    words: Words,
    move: NDArray[np.int64],
    weights: NDArray[np.int64],
    tally: NDArray[np.int64],
) -> None:
    """Modified in place: all but `rules`; `tally` is `[5]` (moves, waves, draws, wins)."""
    for _ in range(num_playouts):
        start(words, rules)
        tally[0] += play(words, rules, rng, move, weights)
        tally[1] += words[_WAVE]
        tally[3 + winner(words, rules)] += 1


@dataclass(frozen=True)
class Playouts:
    """What random playouts came to.

    Attributes
    ----------
    transitions : moves carried out in all, chance nodes included.
    waves : waves begun in all.
    wins : by player.
    """

    num_playouts: int
    seed: int
    transitions: int
    waves: int
    wins: tuple[int, int]
    draws: int


def playouts(rules: KernelRules, num_playouts: int, seed: int) -> Playouts:
    """Play whole matches in which everybody picks each legal move with equal probability.

    The same seed gives the same playouts.
    """
    if num_playouts < 1:
        raise ValueError(f"num_playouts must be at least 1, not {num_playouts}")
    tally = np.zeros(5, np.int64)
    words, weights = np.zeros(NUM_WORDS, np.int64), np.zeros(MAX_OUTCOMES, np.int64)
    move = np.zeros(layout.MOVE_WORDS, np.int64)
    _playouts(rules, num_playouts, np.array([seed], np.int64), words, move, weights, tally)
    transitions, waves, draws, first, second = map(int, tally)
    return Playouts(num_playouts, seed, transitions, waves, (first, second), draws)

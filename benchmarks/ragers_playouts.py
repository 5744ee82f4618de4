"""Random whole-match playouts on the transition kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ragers.kernel import NUM_WORDS, Words, deciders, is_over, score, start, transition, winner
from engine.ragers.kernel_rules import KernelRules
from engine.ragers.playouts import random_action, random_outcome
from engine.ragers.resolve import NOTHING
from engine.randomness import next_random


@kernel_njit
def random_move(words: Words, rules: KernelRules, rng: NDArray[np.int64]) -> tuple[int, int]:
    """A random move for `transition`; `rng` is modified in place."""
    bits = next_random(rng)
    if deciders(words) == 0:
        return random_outcome(words, bits), NOTHING
    return random_action(words, rules, 0, bits), random_action(words, rules, 1, bits >> 32)


@kernel_njit
def play(words: Words, rules: KernelRules, rng: NDArray[np.int64]) -> int:
    """Play on at random until the match is over, in place; returns the number of transitions."""
    num_transitions = 0
    while not is_over(words):
        first, second = random_move(words, rules, rng)
        transition(words, rules, first, second)
        num_transitions += 1
    return num_transitions


@kernel_njit
def _playouts(
    rules: KernelRules, num_playouts: int, rng: NDArray[np.int64], words: Words, tally: NDArray[np.int64]
) -> None:
    """Modified in place: `rng` `[1]`, `words` `[NUM_WORDS]`, `tally` `[5]` (transitions, wins, GP)."""
    for _ in range(num_playouts):
        start(words, rules)
        tally[0] += play(words, rules, rng)
        tally[1 + winner(words)] += 1
        tally[3] += score(words, 0)
        tally[4] += score(words, 1)


@dataclass(frozen=True)
class Playouts:
    """What random playouts of whole matches came to.

    Attributes
    ----------
    transitions : moves carried out in all, chance nodes included.
    wins, mean_gp : per player.
    """

    num_playouts: int
    seed: int
    transitions: int
    wins: tuple[int, int]
    mean_gp: tuple[float, float]


def playouts(rules: KernelRules, num_playouts: int, seed: int) -> Playouts:
    """Play whole matches in which everybody picks each legal action with equal probability.

    The same seed gives the same playouts. Takes about two microseconds each.
    """
    if num_playouts < 1:
        raise ValueError(f"num_playouts must be at least 1, not {num_playouts}")
    tally = np.zeros(5, np.int64)
    _playouts(rules, num_playouts, np.array([seed], np.int64), np.zeros(NUM_WORDS, np.int64), tally)
    return Playouts(
        num_playouts,
        seed,
        int(tally[0]),
        (int(tally[1]), int(tally[2])),
        (float(tally[3]) / num_playouts, float(tally[4]) / num_playouts),
    )

"""Random playouts on the transition kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.randomness import below, next_random
from engine.raverun import layout
from engine.raverun.kernel import NUM_WORDS, Words, is_over, num_outcomes, start, transition, winner
from engine.raverun.kernel_rules import KernelRules


@kernel_njit
def play(words: Words, rules: KernelRules, rng: NDArray[np.int64]) -> int:
    """Play on at random until the game is over, in place; returns the number of transitions."""
    num_transitions = 0
    while not is_over(words):
        transition(words, rules, below(next_random(rng), num_outcomes(words, rules)))
        num_transitions += 1
    return num_transitions


@kernel_njit
def _playouts(
    rules: KernelRules, num_playouts: int, rng: NDArray[np.int64], words: Words, tally: NDArray[np.int64]
) -> None:
    """Modified in place: `rng` `[1]`, `words` `[NUM_WORDS]`, `tally` `[2 + P]` (moves, draws, wins)."""
    for _ in range(num_playouts):
        start(words, rules)
        tally[0] += play(words, rules, rng)
        tally[2 + winner(words, rules)] += 1  # the winner of a draw is -1


@dataclass(frozen=True)
class Playouts:
    """What random playouts came to.

    Attributes
    ----------
    transitions : moves carried out in all, chance nodes included.
    wins : per player.
    draws : games in which all stacks were empty.
    """

    num_playouts: int
    seed: int
    transitions: int
    wins: tuple[int, ...]
    draws: int


def playouts(rules: KernelRules, num_playouts: int, seed: int) -> Playouts:
    """Play whole games in which everybody picks each legal move with equal probability.

    The same seed gives the same playouts. Takes about three microseconds each.
    """
    if num_playouts < 1:
        raise ValueError(f"num_playouts must be at least 1, not {num_playouts}")
    num_players = int(rules[layout.RULE_NUM_PLAYERS])
    tally = np.zeros(2 + num_players, np.int64)
    _playouts(rules, num_playouts, np.array([seed], np.int64), np.zeros(NUM_WORDS, np.int64), tally)
    transitions, draws, *wins = map(int, tally)
    return Playouts(num_playouts, seed, transitions, tuple(wins), draws)

"""Random playouts on the transition kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.clash import layout
from engine.clash.kernel import (
    CHANCE,
    MAX_MOVES,
    NUM_WORDS,
    chance_weights,
    decider,
    is_over,
    num_outcomes,
    start,
    transition,
    winner,
)
from engine.clash.kernel_battle import rolled
from engine.clash.kernel_rules import KernelRules
from engine.clash.kernel_state import FLOW, Words, phase
from engine.jit import kernel_njit
from engine.randomness import below, next_random

_FIGHT = layout.FIGHT
_FACES, _SIDES = layout.RULE_HIT_FACES, layout.RULE_HIT_SIDES
_ROUND, _ROUND_MASK = layout.ROUND.offset, layout.ROUND.mask


@kernel_njit
def random_outcome(
    words: Words, rules: KernelRules, rng: NDArray[np.int64], weights: NDArray[np.int64]
) -> int:
    """The number of an outcome of a chance node, by the weights. Modified in place: `rng`, `weights`."""
    if (
        phase(words) == _FIGHT
    ):  # die by die: the weights of many dice exceed what one random number tells apart
        hits = 0
        for _ in range(rolled(words)):
            if below(next_random(rng), rules[_SIDES]) < rules[_FACES]:
                hits += 1
        return hits
    left = below(next_random(rng), chance_weights(words, rules, weights))
    index = 0
    while left >= weights[index]:
        left -= weights[index]
        index += 1
    return index


@kernel_njit
def play(words: Words, rules: KernelRules, rng: NDArray[np.int64], weights: NDArray[np.int64]) -> int:
    """Play on at random until the game is over, in place; returns the number of transitions."""
    num_transitions = 0
    while not is_over(words):
        if decider(words, rules) == CHANCE:
            index = random_outcome(words, rules, rng, weights)
        else:
            index = below(next_random(rng), num_outcomes(words, rules))
        transition(words, rules, index)
        num_transitions += 1
    return num_transitions


@kernel_njit
def _playouts(
    rules: KernelRules,
    num_playouts: int,
    rng: NDArray[np.int64],
    words: Words,
    weights: NDArray[np.int64],
    tally: NDArray[np.int64],
) -> None:
    """Modified in place: all but `rules`; `tally` is `[3 + P]` (moves, rounds, no winner, wins)."""
    for _ in range(num_playouts):
        start(words, rules)
        tally[0] += play(words, rules, rng, weights)
        tally[1] += words[FLOW] >> _ROUND & _ROUND_MASK
        tally[3 + winner(words)] += 1  # without winner: -1


@dataclass(frozen=True)
class Playouts:
    """What random playouts came to.

    Attributes
    ----------
    transitions : moves carried out in all, chance nodes included.
    rounds : rounds begun in all.
    wins : per player.
    draws : games without a winner: draws, or, in solo play, losses.
    """

    num_playouts: int
    seed: int
    transitions: int
    rounds: int
    wins: tuple[int, ...]
    draws: int


def playouts(rules: KernelRules, num_playouts: int, seed: int) -> Playouts:
    """Play whole games in which everybody picks each legal move with equal probability.

    The same seed gives the same playouts.
    """
    if num_playouts < 1:
        raise ValueError(f"num_playouts must be at least 1, not {num_playouts}")
    num_players = int(rules[layout.RULE_NUM_PLAYERS])
    tally = np.zeros(3 + num_players, np.int64)
    words, weights = np.zeros(NUM_WORDS, np.int64), np.zeros(MAX_MOVES, np.int64)
    _playouts(rules, num_playouts, np.array([seed], np.int64), words, weights, tally)
    transitions, rounds, draws, *wins = map(int, tally)
    return Playouts(num_playouts, seed, transitions, rounds, tuple(wins), draws)

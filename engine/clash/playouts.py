"""Random play on the transition kernel."""

from __future__ import annotations

from engine.clash import layout
from engine.clash.kernel import (
    CHANCE,
    chance_weights,
    decider,
    is_over,
    num_outcomes,
    transition,
)
from engine.clash.kernel_battle import rolled
from engine.clash.kernel_rules import KernelRules
from engine.clash.kernel_state import Words, phase
from engine.jit import kernel_njit
from engine.randomness import below, next_random


@kernel_njit
def random_outcome(words: Words, rules: KernelRules, rng: Words, weights: Words) -> int:
    """The number of an outcome of a chance node, by the weights. Modified in place: `rng`, `weights`."""
    if (
        phase(words) == layout.FIGHT
    ):  # die by die: the weights of many dice exceed what one random number tells apart
        hits = 0
        for _ in range(rolled(words)):
            if below(next_random(rng), rules[layout.RULE_HIT_SIDES]) < rules[layout.RULE_HIT_FACES]:
                hits += 1
        return hits
    left = below(next_random(rng), chance_weights(words, rules, weights))
    index = 0
    while left >= weights[index]:
        left -= weights[index]
        index += 1
    return index


@kernel_njit
def play(words: Words, rules: KernelRules, rng: Words, weights: Words) -> int:
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

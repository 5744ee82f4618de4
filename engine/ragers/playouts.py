"""Random moves on the transition kernel."""

from __future__ import annotations

from engine.jit import kernel_njit
from engine.ragers.kernel import (
    DECK,
    MAX_OUTCOMES,
    PREPARE,
    Words,
    choices,
    deciders,
    drawing,
    nth_card,
    phase,
    pile,
    total,
)
from engine.ragers.kernel_rules import KernelRules
from engine.ragers.resolve import NOTHING
from engine.randomness import below


@kernel_njit
def random_action(words: Words, rules: KernelRules, player: int, bits: int) -> int:
    """One of the player's legal actions, all equally likely, `NOTHING` if it does not decide."""
    if not deciders(words) >> player & 1:
        return NOTHING
    held = choices(words, rules, player)
    count = total(held)
    keeps = int(phase(words) == PREPARE)
    index = below(bits, count + keeps)
    return nth_card(held, index) if index < count else NOTHING


@kernel_njit
def random_outcome(words: Words, bits: int) -> int:
    """An outcome of the chance node, by its weights."""
    player = drawing(words)
    if player >= 0:
        deck = words[DECK + player]
        return nth_card(deck, below(bits, total(deck)))
    left = pile(words)
    count = 0
    for shift in range(MAX_OUTCOMES):
        count += left >> shift & 1
    index = below(bits, count)
    for _ in range(index):
        left &= left - 1
    outcome = 0
    while not left >> outcome & 1:
        outcome += 1
    return outcome

"""Node counts by depth on the transition kernel: what the kernel's move generation is compared by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ragers.kernel import (
    MAX_OUTCOMES,
    NUM_WORDS,
    Words,
    chance_weights,
    deciders,
    is_over,
    legal_mask,
    transition,
)
from engine.ragers.kernel_rules import KernelRules
from engine.ragers.resolve import NOTHING

_FIRST, _SECOND, _FIRST_MASK, _SECOND_MASK = range(4)


@kernel_njit
def _next_bit(mask: int, after: int) -> int:
    """Position of the lowest bit of a mask above a position, -1 if there is none."""
    position = after + 1
    while mask >> position:
        if mask >> position & 1:
            return position
        position += 1
    return -1


@kernel_njit
def _open(words: Words, rules: KernelRules, moves: NDArray[np.int64], weights: NDArray[np.int64]) -> None:
    """Set up the moves `[4]` of a node so that the next one is its first. Modified in place."""
    if is_over(words):
        moves[_FIRST_MASK], moves[_SECOND_MASK] = 0, 0
    elif deciders(words) == 0:
        chance_weights(words, weights)
        moves[_FIRST_MASK], moves[_SECOND_MASK] = 0, 1 << NOTHING
        for outcome in range(MAX_OUTCOMES):
            moves[_FIRST_MASK] |= int(weights[outcome] > 0) << outcome
    else:
        for player in range(2):
            mask = legal_mask(words, rules, player)
            moves[_FIRST_MASK + player] = mask if mask else 1 << NOTHING
    moves[_FIRST], moves[_SECOND] = _next_bit(moves[_FIRST_MASK], -1), -1


@kernel_njit
def _perft(
    rules: KernelRules,
    stack: NDArray[np.int64],
    moves: NDArray[np.int64],
    weights: NDArray[np.int64],
    nodes: NDArray[np.int64],
) -> None:
    """Depth first from `stack[0]`. Modified in place; shapes as in `perft`."""
    depth = 0
    nodes[0] = 1
    _open(stack[0], rules, moves[0], weights)
    while depth >= 0:
        here = moves[depth]
        here[_SECOND] = _next_bit(here[_SECOND_MASK], here[_SECOND])
        if here[_SECOND] < 0:
            here[_FIRST] = _next_bit(here[_FIRST_MASK], here[_FIRST]) if here[_FIRST] >= 0 else -1
            if here[_FIRST] < 0:
                depth -= 1
                continue
            here[_SECOND] = _next_bit(here[_SECOND_MASK], -1)
        if here[_FIRST] < 0 or depth + 1 == len(nodes):
            depth -= 1
            continue
        child = stack[depth + 1]
        for word in range(NUM_WORDS):
            child[word] = stack[depth, word]
        transition(child, rules, here[_FIRST], here[_SECOND])
        depth += 1
        nodes[depth] += 1
        _open(child, rules, moves[depth], weights)


def perft(words: Words, rules: KernelRules, depth: int) -> NDArray[np.int64]:
    """Number of nodes at each depth below a state, `[depth + 1] int64`.

    A chance node has a child for each possible outcome, a node of both players one for each pair of actions.

    Parameters
    ----------
    words : `[NUM_WORDS] int64`, not changed.
    """
    stack = np.zeros((depth + 1, NUM_WORDS), np.int64)
    stack[0] = words
    nodes = np.zeros(depth + 1, np.int64)
    _perft(rules, stack, np.zeros((depth + 1, 4), np.int64), np.zeros(MAX_OUTCOMES, np.int64), nodes)
    return nodes

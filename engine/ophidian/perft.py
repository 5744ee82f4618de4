"""Node counts by depth on the transition kernel: what the kernel's move generation is compared by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ophidian.kernel import MAX_OUTCOMES, NUM_WORDS, is_over, num_outcomes, transition
from engine.ophidian.kernel_rules import KernelRules
from engine.ophidian.kernel_state import Words
from engine.ophidian.layout import MOVE_WORDS


@kernel_njit
def _count(
    rules: KernelRules,
    states: NDArray[np.int64],
    todo: NDArray[np.int64],
    nodes: NDArray[np.int64],
    move: NDArray[np.int64],
    weights: NDArray[np.int64],
) -> None:
    """Depth first from `states[0]`, the last child first. Modified in place: all but `rules`."""
    depth, deepest = 0, len(nodes) - 1
    nodes[0] = 1
    todo[0] = 0 if is_over(states[0]) else num_outcomes(states[0], rules)
    while depth >= 0:
        if depth == deepest or todo[depth] == 0:
            depth -= 1
            continue
        todo[depth] -= 1
        for word in range(NUM_WORDS):
            states[depth + 1, word] = states[depth, word]
        transition(states[depth + 1], rules, todo[depth], move, weights)
        depth += 1
        nodes[depth] += 1
        todo[depth] = 0 if is_over(states[depth]) else num_outcomes(states[depth], rules)


def perft(words: Words, rules: KernelRules, depth: int) -> NDArray[np.int64]:
    """Count the nodes at each depth below a state, chance nodes' outcomes once each.

    Returns
    -------
    [depth + 1] int64
    """
    states = np.zeros((depth + 1, NUM_WORDS), np.int64)
    states[0] = words
    nodes, todo = np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64)
    _count(rules, states, todo, nodes, np.zeros(MOVE_WORDS, np.int64), np.zeros(MAX_OUTCOMES, np.int64))
    return nodes

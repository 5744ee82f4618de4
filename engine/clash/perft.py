"""Node counts by depth on the transition kernel: what the kernel's move generation is compared by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.clash.kernel import NUM_WORDS, is_over, num_outcomes, transition
from engine.clash.kernel_rules import KernelRules
from engine.clash.kernel_state import Words
from engine.jit import kernel_njit


@kernel_njit
def _perft(
    rules: KernelRules, stack: NDArray[np.int64], left: NDArray[np.int64], nodes: NDArray[np.int64]
) -> None:
    """Depth first from `stack[0]`, children last to first. Modified in place; shapes as in `perft`."""
    depth = 0
    nodes[0] = 1
    left[0] = 0 if is_over(stack[0]) else num_outcomes(stack[0], rules)
    while depth >= 0:
        if left[depth] == 0 or depth + 1 == len(nodes):
            depth -= 1
            continue
        left[depth] -= 1
        child = stack[depth + 1]
        for word in range(NUM_WORDS):
            child[word] = stack[depth, word]
        transition(child, rules, left[depth])
        depth += 1
        nodes[depth] += 1
        left[depth] = 0 if is_over(child) else num_outcomes(child, rules)


def perft(words: Words, rules: KernelRules, depth: int) -> NDArray[np.int64]:
    """Number of nodes at each depth below a state, `[depth + 1] int64`; chance nodes count like others.

    Parameters
    ----------
    words : `[NUM_WORDS] int64`, not changed.
    """
    stack = np.zeros((depth + 1, NUM_WORDS), np.int64)
    stack[0] = words
    nodes = np.zeros(depth + 1, np.int64)
    _perft(rules, stack, np.zeros(depth + 1, np.int64), nodes)
    return nodes

"""Node counts by depth on transition kernels: what the move generation of a game's kernel is compared by."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from arena_solver.kernel_cache import cached_njit

Words = NDArray[np.int64]
_WORDS = types.int64[::1]
_TABLE = types.int64[:, ::1]
_IS_OVER = types.FunctionType(types.boolean(_WORDS))
_NUM_OUTCOMES = types.FunctionType(types.int64(_WORDS, _WORDS))
_TRANSITION = types.FunctionType(types.void(_WORDS, _WORDS, types.int64))
_OPTIONS: dict[str, Any] = {"_nrt": False}


@cached_njit(types.void(_IS_OVER, _NUM_OUTCOMES, _TRANSITION, _WORDS, _TABLE, _WORDS, _WORDS), **_OPTIONS)
def _count(
    is_over: Any,
    num_outcomes: Any,
    transition: Any,
    rules: Words,
    states: Words,
    todo: Words,
    nodes: Words,
) -> None:
    """Depth first from `states[0]`, the last child first. Modified in place; shapes as in `count_nodes`."""
    depth = 0
    nodes[0] = 1
    todo[0] = 0 if is_over(states[0]) else num_outcomes(states[0], rules)
    while depth >= 0:
        if todo[depth] == 0 or depth + 1 == len(nodes):
            depth -= 1
            continue
        todo[depth] -= 1
        child = states[depth + 1]
        for word in range(len(child)):
            child[word] = states[depth, word]
        transition(child, rules, todo[depth])
        depth += 1
        nodes[depth] += 1
        todo[depth] = 0 if is_over(child) else num_outcomes(child, rules)


def count_nodes(kernel: Any, words: Words, rules: Words, depth: int) -> Words:
    """Count the nodes at each depth below a state, outcomes of chance like moves.

    Parameters
    ----------
    kernel
        Module with compiled functions `is_over(words)`, `num_outcomes(words, rules)` and
        `transition(words, rules, index)`, which changes the words.
    words : [W] int64
        The state, not changed.
    rules : [any] int64

    Returns
    -------
    [depth + 1] int64
    """
    states = np.zeros((depth + 1, len(words)), np.int64)
    states[0] = words
    nodes, todo = np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64)
    _count(kernel.is_over, kernel.num_outcomes, kernel.transition, rules, states, todo, nodes)
    return nodes

"""Node counts by depth on the transition kernel."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from arena_solver.kernel_cache import cached_njit
from engine.ophidian.kernel import MAX_OUTCOMES, is_over, num_outcomes, transition
from engine.ophidian.kernel_rules import KernelRules
from engine.ophidian.layout import MOVE_WORDS
from engine.perft import Words, count_nodes


@cached_njit()
def _transition(words: Words, rules: KernelRules, index: int) -> None:
    """As the kernel's, with scratch of its own. Modified in place: `words`."""
    transition(words, rules, index, np.zeros(MOVE_WORDS, np.int64), np.zeros(MAX_OUTCOMES, np.int64))


_KERNEL = SimpleNamespace(is_over=is_over, num_outcomes=num_outcomes, transition=_transition)


def perft(words: Words, rules: KernelRules, depth: int) -> Words:
    """Number of nodes at each depth below a state, `[depth + 1] int64`; chance nodes count like others."""
    return count_nodes(_KERNEL, words, rules, depth)

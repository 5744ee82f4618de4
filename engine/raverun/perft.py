"""Node counts by depth on the transition kernel."""

from __future__ import annotations

from engine.perft import Words, count_nodes
from engine.raverun import kernel
from engine.raverun.kernel_rules import KernelRules


def perft(words: Words, rules: KernelRules, depth: int) -> Words:
    """Number of nodes at each depth below a state, `[depth + 1] int64`; chance nodes count like others."""
    return count_nodes(kernel, words, rules, depth)

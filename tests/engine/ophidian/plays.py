"""Helpers of the tests of Ophidian Arena: plays of the reference and the kernel side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.ophidian import codec, kernel, layout, reference
from engine.ophidian.kernel_rules import kernel_rules
from engine.ophidian.reference import Seat
from engine.ophidian.rules import Rules
from tests.engine.lockstep import Lockstep

BOTH = Lockstep(
    reference,
    kernel,
    codec,
    lambda words, state: codec.decode(words, state.rules),
    kept=lambda state: replace(state, past=()),
    scratch=(np.zeros(layout.MOVE_WORDS, np.int64), np.zeros(kernel.MAX_OUTCOMES, np.int64)),
    names_outcomes=False,
)
moves, assert_same, transition = BOTH.moves, BOTH.assert_same, BOTH.transition


def compare_game(rules: Rules, seats: Sequence[Seat], seed: int, *, words_only: bool = False) -> int:
    """Play one random match on reference and kernel at once; returns its number of moves."""
    compiled = kernel_rules(rules, seats)
    words = BOTH.start(compiled, layout.NUM_WORDS)
    return BOTH.compare(reference.start_match(rules, seats), words, compiled, seed, words_only=words_only)

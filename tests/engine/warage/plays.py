"""Helpers of the tests of Warage: plays of the reference and the kernel side by side."""

from __future__ import annotations

import numpy as np

from engine.warage import codec, kernel, layout, reference
from engine.warage.kernel_moves import MOVE_WORDS
from engine.warage.kernel_rules import kernel_rules
from engine.warage.reference import Setup
from tests.engine.lockstep import Lockstep

BOTH = Lockstep(
    reference,
    kernel,
    codec,
    lambda words, state: codec.decode(words, state.setup),
    scratch=(np.zeros(MOVE_WORDS, np.int64), np.zeros(kernel.MAX_OUTCOMES, np.int64)),
    names_outcomes=False,
)
moves, assert_same, transition = BOTH.moves, BOTH.assert_same, BOTH.transition


def compare_game(setup: Setup, seed: int, *, words_only: bool = False) -> int:
    """Play one random match on reference and kernel at once; returns its number of moves."""
    compiled = kernel_rules(setup.rules, setup)
    words = BOTH.start(compiled, layout.NUM_WORDS)
    return BOTH.compare(reference.start(setup), words, compiled, seed, words_only=words_only)

"""Compile every kernel once, on games so small that only the compilation takes time."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from solver.hidden_hands.game import Progress, Settings
from solver.hidden_hands.memory import peak_bytes
from solver.hidden_hands.solving import solve

__all__ = ["warmup"]


class _Coins:
    """Two items of two types, two slots: the larger type at the end wins a point."""

    type_ids = ("small", "large")
    copies = np.array([[2, 2], [2, 2]], np.int64)
    hand_size = 2
    row_length = 2
    placeable = np.array([True, True])
    start_row = 0
    num_faces = 1
    face = np.zeros(5, np.int64)
    pending = np.zeros(5, np.bool_)
    hides = np.zeros(5, np.bool_)
    commit = np.repeat(np.arange(5, dtype=np.int32)[:, None], 2, axis=1)
    full = np.array([False, False, False, True, True])
    length = np.array([0, 1, 1, 2, 2], np.int64)
    terminal_class = np.array([0, 0, 0, 0, 1], np.int32)
    payoff = np.array([[0.0, -1.0], [1.0, 0.0]])
    gp = np.array([[0.0, 0.0], [1.0, 0.0]])
    outcome = np.array([[1, 2], [0, 1]], np.int8)

    def __init__(self) -> None:
        self.next_row = np.full((5, 1, 3, 3), -1, np.int32)
        for other in range(3):
            for item in range(2):
                self.next_row[0, 0, item, other] = 1 + item
                self.next_row[1, 0, item, other] = 3 + item
                self.next_row[2, 0, item, other] = 3 + item


def warmup(progress: Callable[[Progress], None] | None = None) -> None:
    """Compile all kernels into the on-disk cache; a minute or so the first time, a second afterwards."""
    begin = time.perf_counter()
    if progress is not None:
        progress(Progress("compile", None, 0, None, 0.0, peak_bytes(), "compiling the kernels"))
    solve(_Coins(), Settings(preparation="none", iterations=2, threads=1))
    if progress is not None:
        elapsed = time.perf_counter() - begin
        progress(Progress("compile", 1.0, 2, None, elapsed, peak_bytes(), "compiled"))

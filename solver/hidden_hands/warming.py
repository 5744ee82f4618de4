"""A game so small that solving it takes only the compilation of the kernels."""

from __future__ import annotations

import numpy as np

__all__ = ["Coins"]

_ROWS = 7
"""Row 0 is empty; 2k - 1 and 2k have k slots used and a small or a large item last."""


class Coins:
    """Two items of two types a player, three slots: the larger last item wins a point.

    Three slots, so that an interior decision lies between the root and the final step: every kernel is used.
    """

    type_ids = ("small", "large")
    copies = np.array([[3, 3], [3, 3]], np.int64)
    hand_size = 2
    row_length = 3
    placeable = np.array([True, True])
    start_row = 0
    num_faces = 1
    face = np.zeros(_ROWS, np.int64)
    pending = np.zeros(_ROWS, np.bool_)
    hides = np.zeros(_ROWS, np.bool_)
    commit = np.repeat(np.arange(_ROWS, dtype=np.int32)[:, None], 2, axis=1)
    served = np.full((_ROWS, 2), -1, np.int32)
    length = (np.arange(_ROWS) + 1) // 2
    full = length == row_length
    terminal_class = (np.arange(_ROWS, dtype=np.int32) + 1) % 2
    payoff = np.array([[0.0, -1.0], [1.0, 0.0]])
    gp = np.array([[0.0, 0.0], [1.0, 0.0]])
    outcome = np.array([[1, 2], [0, 1]], np.int8)

    def __init__(self) -> None:
        self.next_row = np.full((_ROWS, 1, 3, 3), -1, np.int32)
        for row in range(5):
            for item in range(2):
                self.next_row[row, 0, item, :] = 2 * self.length[row] + 1 + item

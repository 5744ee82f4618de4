"""Vectors of numbers with named parts, for what players see."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
from numpy.typing import NDArray


class Parts:
    """Where each part of a vector stands, one after the other.

    Attributes
    ----------
    names : name -> its place.
    size : numbers in all.
    """

    def __init__(self, *parts: tuple[str, int]) -> None:
        ends = list(accumulate(size for _, size in parts))
        self.names = {name: slice(end - size, end) for (name, size), end in zip(parts, ends, strict=True)}
        self.size = ends[-1]

    def zeros(self) -> NDArray[np.float32]:
        """Return an empty vector, `[size] float32`."""
        return np.zeros(self.size, np.float32)

    def mark(self, vector: NDArray[np.float32], name: str, *indices: int) -> None:
        """Set some numbers of a part to one. Modified in place."""
        vector[self.names[name]][list(indices)] = 1.0

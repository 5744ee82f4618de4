"""What a best response to both average strategies says about them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Certificate"]


@dataclass(frozen=True)
class Certificate:
    """Exact best-response values of both players against the average strategies, and what rounding may
    hide."""

    best_response_values: tuple[float, float]
    slack: float
    opening_values: tuple[NDArray[np.float64], NDArray[np.float64]]
    first_step_values: tuple[NDArray[np.float64], NDArray[np.float64]]
    left_out: str = ""
    """How it was done beyond what is always done, and what was counted at its worst; begins with a comma."""

    @property
    def nash_conv(self) -> float:
        """Upper bound on the sum of both players' gains from deviating."""
        return max(sum(self.best_response_values), 0.0) + self.slack

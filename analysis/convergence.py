"""How far NashConv has fallen between two checks, which are rare because they take long."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["nash_conv_now"]

_TELLING = 10
"""Before this many iterations NashConv hardly falls."""


def nash_conv_now(checks: Sequence[tuple[int, float]], iteration: int) -> float | None:
    """Return what NashConv should be by now, from iterations and NashConv of the checks so far.

    It is taken to fall as it did between the last two checks, or as one over the iterations; None where that
    tells nothing yet.
    """
    if not checks or checks[-1][0] < _TELLING or iteration <= checks[-1][0] or checks[-1][1] <= 0:
        return None
    (last, gap), rate = checks[-1], 1.0
    if len(checks) > 1 and checks[-2][0] >= _TELLING and checks[-2][1] > gap:
        rate = math.log(checks[-2][1] / gap) / math.log(last / checks[-2][0])
    left: float = (last / iteration) ** min(max(rate, 0.5), 2.0)
    return gap * left

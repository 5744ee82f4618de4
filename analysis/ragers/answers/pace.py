"""How long solves take on this machine: until answers are fair, good or exact, and how far a limit goes.

By iterations, measured on the box's days, times what an iteration takes: the pace of a stored solve of the
same day, or what its size suggests on the machine that was measured, scaled by a short measurement here.
"""

from __future__ import annotations

import math
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from analysis import blobs
from analysis.ragers.answers import library
from arena_solver.folders import cache_root
from arena_solver.machine import processors, waiting

if TYPE_CHECKING:
    from analysis.ragers.scenarios import Scenario

#: NashConv in proportion to what a day pays, after so many iterations: by method, and whether rows have five
#: slots and more. Days of four slots un-merged and of five merged were seen 0.7 to 1.5 times as fast.
_FALLS: dict[tuple[str, bool], tuple[tuple[float, float], ...]] = {
    ("exact", True): ((13, 1.0), (25, 0.30), (46, 0.10), (70, 0.05), (120, 0.02), (190, 0.011)),
    ("exact", False): ((8, 1.0), (16, 0.30), (30, 0.10), (46, 0.05), (78, 0.02), (124, 0.011)),
    ("merged", True): ((15, 1.0), (35, 0.30), (85, 0.10), (160, 0.05), (400, 0.02)),
    ("merged", False): ((7, 1.0), (14, 0.30), (36, 0.10), (60, 0.05), (140, 0.02)),
}
#: With every type in play merged rows of five tell less.
_EVERY_TYPE = 1.6
#: Estimates are wrong; a time that turns out too long costs less than one too short.
_MARGIN = 1.25
#: A stored solve tells how fast a day is solved after so many iterations.
_FEWEST = 5
#: Seconds of processor time that `_work` takes on the machine on which iterations were measured.
_REFERENCE_S = 0.015
_SLOWEST, _FASTEST = 5.0, 0.2
_KEPT = "speed"


def fall(method: str, row_length: int, *, every_type: bool) -> tuple[tuple[float, float], ...]:
    """Return how NashConv falls: pairs of iterations and its share of what a day pays."""
    longer = _EVERY_TYPE if method == "merged" and every_type and row_length >= 5 else 1.0
    return tuple((longer * n, share) for n, share in _FALLS[method, row_length >= 5])


def iterations_to(share: float, falls: tuple[tuple[float, float], ...]) -> float:
    """Return after how many iterations NashConv should be at most such a share of what a day pays."""
    logs = [(math.log(s), math.log(n)) for n, s in falls]
    return math.exp(_between([(-x, y) for x, y in logs], -math.log(share)))


def share_after(iterations: float, falls: tuple[tuple[float, float], ...]) -> float:
    """Return to what share of what a day pays NashConv should have fallen after so many iterations."""
    return math.exp(_between([(math.log(n), math.log(s)) for n, s in falls], math.log(max(iterations, 1.0))))


def _between(points: list[tuple[float, float]], x: float) -> float:
    """Return the line through the two points around `x`, or the two nearest, at `x`."""
    at = next((k for k in range(1, len(points)) if x <= points[k][0]), len(points) - 1)
    (x0, y0), (x1, y1) = points[at - 1], points[at]
    return y0 + (x - x0) / (x1 - x0) * (y1 - y0)


def seconds_after(iterations: float, seconds_per_iteration: float) -> float:
    """Return how long so many iterations should take, with what comes before and after them."""
    return _MARGIN * iterations * seconds_per_iteration


def iterations_within(seconds: float, seconds_per_iteration: float) -> float:
    """Return how many iterations should have been done after so long."""
    return seconds / _MARGIN / max(seconds_per_iteration, 1e-9)


def seconds_per_iteration(scenario: Scenario, method: str, by_size_s: float) -> float:
    """Return what an iteration takes here: `by_size_s` on the reference machine."""
    found = library.own().find(scenario)
    if found is not None and found.entry.answer.method == method:
        answer = found.entry.answer
        if answer.iterations >= _FEWEST:
            return answer.seconds / answer.iterations
    return by_size_s * slower() * busy()


def slower() -> float:
    """Return how much longer work takes here than on the reference machine; measured once, and kept."""
    path = cache_root() / _KEPT
    kept = blobs.find(path)
    if kept is not None:
        return float(kept)
    measured = min(max(_work() / _REFERENCE_S, _FASTEST), _SLOWEST)
    with suppress(OSError):  # It is measured again next time.
        blobs.keep(path, f"{measured:.3f}".encode())
    return measured


def busy() -> float:
    """Return how much longer work takes because others are at work: processes that wait for a processor."""
    return max(1.0, waiting() / processors())


def _work() -> float:
    """Return the processor time, in seconds, of what solving mostly does: passes over arrays."""
    import numpy as np

    values = np.linspace(0.0, 1.0, 1_000_000, dtype=np.float32)
    order = np.arange(values.size)[::-1].copy()
    begin = time.process_time()
    for _ in range(8):
        values = np.maximum(values[order] * np.float32(0.9), np.float32(0.1)) + np.float32(0.01)
        values /= values.sum()
        values *= values.size
    return time.process_time() - begin

"""Time of compiling is no time of work: not in a stopwatch."""

from __future__ import annotations

import time

import msgspec

from analysis.timing import Stopwatch
from arena_solver import compiling


def test_what_compiles_is_counted_apart() -> None:
    watch = Stopwatch()
    compiling.began("one")
    compiling.began("what it calls")
    time.sleep(0.05)
    compiling.ended()
    time.sleep(0.05)
    compiling.ended()
    time.sleep(0.05)
    compiled, worked = watch.compile_s, watch.work_s
    assert isinstance(compiled, float)
    assert compiled >= 0.1
    assert worked >= 0.05
    assert worked < compiled + 0.05
    assert Stopwatch().compile_s is msgspec.UNSET

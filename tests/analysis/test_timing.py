"""Time of compiling is no time of work: not in a stopwatch, nor in the answers of any game or their text."""

from __future__ import annotations

import time
from types import SimpleNamespace

import msgspec
import pytest

from analysis.timing import Stopwatch
from arena_solver import compiling
from cli.grid import Section, in_format


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


@pytest.mark.parametrize("form", ["table", "md"])
def test_text_says_so_in_a_line_of_its_own(form: str) -> None:
    def shown(report: object) -> str:
        return in_format(report, form, lambda _: [], lambda _: [Section("Result")], lambda _: ["3.0 s."])

    assert "kernels were compiled for 20.0 s" in shown(SimpleNamespace(compile_s=20.0))
    assert "compiled" not in shown(SimpleNamespace(compile_s=msgspec.UNSET))
    assert "compiled" not in shown(SimpleNamespace())

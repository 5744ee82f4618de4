"""Time of compiling is no time of work: not in a stopwatch, nor in the answers of any game or their text."""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from analysis.timing import Stopwatch
from arena_solver import compiling
from cli.grid import Section, in_format

ANALYSIS = Path(__file__).resolve().parents[2] / "analysis"
PROGRAMS_ONLY = {"tactic-1.schema.json"}
"""The time of one linear program, in which nothing of ours is compiled."""


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


def test_answers_that_say_how_long_they_took_say_how_long_they_compiled() -> None:
    timed = [path for path in ANALYSIS.glob("*/schema/*.json") if '"time_s"' in path.read_text("utf-8")]
    assert len(timed) > 15
    for path in timed:
        definitions = json.loads(path.read_text("utf-8"))["$defs"].values()
        for each in definitions:
            if "time_s" in each.get("properties", {}) and path.name not in PROGRAMS_ONLY:
                assert "compile_s" in each["properties"], path
                assert "compile_s" not in each["required"], path


@pytest.mark.parametrize("form", ["table", "md"])
def test_text_says_so_in_a_line_of_its_own(form: str) -> None:
    def shown(report: object) -> str:
        return in_format(report, form, lambda _: [], lambda _: [Section("Result")], lambda _: ["3.0 s."])

    assert "kernels were compiled for 20.0 s" in shown(SimpleNamespace(compile_s=20.0))
    assert "compiled" not in shown(SimpleNamespace(compile_s=msgspec.UNSET))
    assert "compiled" not in shown(SimpleNamespace())

"""`benchmarks.regression` tells what has become slow; a run of it is a step of CI."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks import regression


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        ({"day": 1.0}, {"day": 0.51}, []),
        ({"day": 1.0}, {"day": 0.49}, ["day"]),
        ({"day": 1.0, "gone": 1.0}, {"day": 5.0}, ["gone"]),
        ({"day": 1.0}, {"day": 1.0, "new": 1.0}, []),
    ],
)
def test_half_as_fast_is_slower(before: dict[str, float], now: dict[str, float], found: list[str]) -> None:
    assert regression.slower(before, now) == found


def test_a_run_compares_with_the_file_of_an_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rates = iter([100.0, 100.0, 40.0, 40.0])
    monkeypatch.setattr(regression, "FIGURES", {"day": lambda: next(rates)})
    monkeypatch.setattr(regression, "steps_a_second", lambda: 10.0)
    file = tmp_path / "ratios.json"
    common = ["regression", "--repetitions", "1"]
    monkeypatch.setattr(sys, "argv", [*common, "--output", str(file)])
    regression.main()
    assert json.loads(file.read_text(encoding="utf-8")) == {"day": 10.0}
    monkeypatch.setattr(sys, "argv", [*common, "--before", str(file)])
    with pytest.raises(SystemExit) as ended:
        regression.main()
    assert ended.value.code == regression.EXIT_SLOWER
    assert "0.40" in capsys.readouterr().out

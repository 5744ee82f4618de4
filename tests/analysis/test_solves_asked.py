"""What the solver is asked for: when it stops, what it begins from, what is kept on the way."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from analysis.ragers.answers import solving
from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import Scenario
from solver.hidden_hands import LockedFrequency
from solver.hidden_hands.game import Progress
from tests.analysis.made_answers import Made
from tests.analysis.test_trust import answer as trusted


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Solve nothing; tell what was asked for, and report progress as it is put here."""
    told: dict[str, Any] = {"states": []}

    def solve(game: Any, settings: Any, *, progress: Any, warm: Any, show: Any, **_: Any) -> Any:
        told.update(settings=settings, warm=warm, show=show)
        for each in told["states"]:
            progress(each)
        return SimpleNamespace(samples=None, nash_conv=0.5)

    monkeypatch.setattr("solver.hidden_hands.solve", solve)
    monkeypatch.setattr(solving, "from_solution", lambda *_: (trusted(0.5), None))
    monkeypatch.setattr(solving, "warm_start", lambda *_, **_more: "tables")
    return told


def day() -> Scenario:
    return Made("BSPP", "BBSV", "none").scenario


def test_progress_is_kept_where_it_proves_something_new(asked: dict[str, Any]) -> None:
    def state(seconds: float, nash_conv: float | None, phase: str = "solve") -> Progress:
        return Progress(phase, None, 1, nash_conv, seconds, 0, "")

    asked["states"] = [
        *(state(1.0, None), state(2.0, 5.0), state(3.0, 5.0), state(4.0, 3.0), state(5.0, None)),
        *(state(6.0, 3.0), state(7.0, 2.0, "certify"), state(8.0, 2.0), state(9.0, 5.0)),
    ]
    heard: list[Progress] = []
    found, _ = solving.solve(day(), Effort(), progress=heard.append)
    assert found.history == [(2.0, 5.0), (4.0, 3.0), (8.0, 2.0), (9.0, 5.0)]
    assert heard == asked["states"]
    asked["states"] = [state(float(number), 20.0 - number) for number in range(15)]
    found, _ = solving.solve(day(), Effort())
    assert found.history == [(float(number), 20.0 - number) for number in range(3, 15)], "the last twelve"
    asked["states"] = []
    assert solving.solve(day(), Effort())[0].history is msgspec.UNSET


def test_only_plain_days_begin_from_tables(asked: dict[str, Any]) -> None:
    habit = (LockedFrequency(0, 0, 0, 0.5),)
    for effort, habits, warm in (
        (Effort(warm=True), (), "tables"),
        (Effort(warm=True, method="exact"), (), "tables"),
        (Effort(warm=True, method="merged"), (), None),
        (Effort(warm=True), habit, None),
        (Effort(), (), None),
    ):
        solving.solve(day(), effort, habits=habits)
        assert asked["warm"] == warm

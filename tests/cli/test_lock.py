"""`ragers lock`: habits as typed, what is compared, and that nothing of it gets into the library."""

from __future__ import annotations

import csv
import io
import json
import signal
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from analysis.errors import RequestError
from analysis.progress import Silent
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.asking import Question, answer_all
from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import scenarios
from analysis.ragers.workbench.locking import compare, parse_habits
from engine.ragers.rules import TYPES, load_rules
from solver.hidden_hands import LockedFrequency
from tests.cli.conftest import wait_for

RULES = ("--rules", str(Path(__file__).with_name("small.toml")))
SMALL = ("--patron", "arianna", "--cheers", "two-bashers", "--iterations", "4", "-q", *RULES)


def test_habits_as_typed() -> None:
    chancer, veteran = TYPES.index("chancer"), TYPES.index("veteran")
    assert parse_habits(["chancer=0"], [0], 4) == (LockedFrequency(0, 0, chancer, 0.0),)
    assert parse_habits(["Veteran@2-3=80%"], [0, 1], 4) == tuple(
        LockedFrequency(seat, step, veteran, 0.8) for seat in (0, 1) for step in (1, 2)
    )


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("chancer", "form"),
        ("chanter=0", "none of"),
        ("chancer@4=0", "steps 1 to 3"),
        ("chancer@0=0", "steps 1 to 3"),
        ("chancer@3-2=0", "steps 1 to 3"),
        ("chancer=1.2", "no frequency"),
        ("chancer=1.2.3", "no frequency"),
    ],
)
def test_habits_that_make_no_sense(text: str, word: str) -> None:
    with pytest.raises(RequestError, match=word):
        parse_habits([text], [0], 4)


def test_frequencies_that_exceed_one() -> None:
    with pytest.raises(RequestError, match="more than one"):
        parse_habits(["basher=60%", "slasher=60%"], [0], 4)


def answered() -> Answered:
    rules = load_rules(overrides=("match.row_length=2", "match.hand_size=2"))
    todo = scenarios(rules, ["arianna"], ["two-bashers"], "redraw")
    (found,), _ = answer_all(todo, Question(0, None, Effort(iterations=10), False), Silent())
    return found


def test_solves_are_counted_from_one(fake_solver: Any) -> None:
    class Told(Silent):
        begun: ClassVar[list[tuple[int, int]]] = []

        def begin(self, title: str, number: int, time_limit_s: float | None) -> None:
            self.begun.append((number, self.total))

    rules = load_rules(overrides=("match.row_length=2", "match.hand_size=2"))
    todo = scenarios(rules, ["arianna", "solennos"], ["two-bashers"], "redraw")
    found, _ = answer_all(todo, Question(0, None, Effort(iterations=10), False), Told())
    assert len(found) == 2
    assert Told.begun == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("low", "high", "player", "cost", "costs"),
    [
        (-0.5, -0.25, 0, (0.25, 0.5), True),
        (-0.5, 0.1, 0, (-0.1, 0.5), False),
        (0.25, 0.5, 1, (0.25, 0.5), True),
    ],
)
def test_cost_is_the_value_lost(
    fake_solver: Any, low: float, high: float, player: int, cost: tuple[float, float], costs: bool
) -> None:
    """Equal decks are worth nothing, so the cost is what best responses leave of the day with habits."""
    free = answered()
    answer = msgspec.structs.replace(free.answer, best_response_gp=(high, -low), nash_conv_gp=high - low)
    locked = Answered(free.scenario, answer, None, False, "here")
    compared = compare(free, locked, player, shared=False)
    assert compared.cost_gp == pytest.approx(cost)
    assert compared.costs is costs
    assert compare(free, locked, player, shared=True).cost_gp == (0.0, 0.0)


def test_report(fake_solver: Any, run: Any) -> None:
    result = run("lock", "--habit", "basher=0", "--format", "json", *SMALL)
    assert result.exit_code == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["habits"] == [{"player": "accusers", "step": 1, "type": "basher", "frequency": 0.0}]
    (scenario,) = report["scenarios"]
    assert scenario["free"]["nash_conv_gp"] == scenario["locked"]["nash_conv_gp"] == 0.25
    text = run("lock", "--habit", "basher=0", "--format", "csv", *SMALL).stdout
    assert [row["type"] for row in csv.DictReader(io.StringIO(text))] == list(TYPES)
    screen = run("lock", "--habit", "basher=0", *SMALL).stdout
    assert "In the plans found a day pays" in " ".join(screen.split())
    assert max(map(len, screen.splitlines())) <= 80
    table = run("lock", "--habit", "basher=0", "--details", *SMALL).stdout
    assert "Both sides" in table
    assert "Basher in step 1: 0 % by the accusers" in " ".join(table.split())


def test_nothing_is_kept(fake_solver: Any, run: Any) -> None:
    """The same habit is solved again, and the day without it comes from the library."""
    run("lock", "--habit", "basher=0", *SMALL)
    before = len(fake_solver.solved)
    result = run("lock", "--habit", "basher=0", "--format", "json", *SMALL)
    assert len(fake_solver.solved) == before + 1
    (scenario,) = json.loads(result.stdout)["scenarios"]
    assert scenario["free"]["from_library"]
    assert not scenario["locked"]["from_library"]


def test_wrong_habit_is_wrong_usage(run: Any) -> None:
    result = run("lock", "--habit", "chanter=0", *SMALL)
    assert result.exit_code == 2
    assert "chancer" in result.stderr


def test_ctrl_c_ends_it(start: Any) -> None:
    """Interrupted while the day without habits is solved: the other one is not begun."""
    words = ("lock", "--habit", "basher=0", *SMALL[:4], "--iterations", "100000", *RULES)
    process = start(*words, program="ragers", pause_s=0.02)
    wait_for("iteration", process.stderr)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "starting" not in err
    assert "Traceback" not in err

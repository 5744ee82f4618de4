"""`ragers solve --habit`: habits as typed, what is compared, and that nothing of it gets into the library."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import msgspec
import pytest

from analysis.progress import Silent
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.asking import Question, answer_all
from analysis.ragers.answers.habits import compare, parse_habits
from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import scenarios
from engine.ragers.rules import PLAYERS, TYPES, load_rules

RULES = ("--rules", str(Path(__file__).with_name("small.toml")))
SMALL = ("--patron", "arianna", "--cheers", "two-bashers", "--iterations", "4", "-q", *RULES)
HABIT = ("solve", "--habit", "basher=0")


def test_habits_as_typed() -> None:
    for who, seats in (("", [1]), ("accusers:", [0]), ("defenders:", [1]), ("both:", [0, 1])):
        found = parse_habits([f"{who}Veteran@2-3=80%"], 1, 4)
        assert {(each.player, each.step, TYPES[each.item], each.frequency) for each in found} == {
            (seat, step, "veteran", 0.8) for seat in seats for step in (1, 2)
        }
    assert [each.step for each in parse_habits(["chancer=0"], 0, 4)] == [0]


@pytest.mark.parametrize(
    ("low", "high", "player"), [(-0.5, -0.25, 0), (-0.5, 0.1, 0), (0.25, 0.5, 1), (-0.1, 0.5, 1)]
)
@pytest.mark.parametrize("pays", [0.5, 50.0])
def test_cost_is_the_value_lost(fake_solver: Any, low: float, high: float, player: int, pays: float) -> None:
    """Equal decks are worth nothing, so the cost is what best responses leave of the day with habits."""
    rules = load_rules(overrides=("match.row_length=2", "match.hand_size=2"))
    todo = scenarios(rules, ["arianna"], ["two-bashers"], "redraw")
    (free,), _ = answer_all(todo, Question(0, None, Effort(iterations=10), False), Silent())
    free = Answered(
        free.scenario,
        msgspec.structs.replace(free.answer, nash_conv_gp=0.0, mean_gp=(pays, pays)),
        *(None, False, "here"),
    )
    answer = msgspec.structs.replace(free.answer, best_response_gp=(high, -low), nash_conv_gp=high - low)
    locked = Answered(free.scenario, answer, None, False, "here")
    compared = compare(free, locked, player, shared=False)
    signed = (-high, -low) if player == 0 else (low, high)
    assert compared.cost_gp == pytest.approx(signed)
    # Nothing is said to cost anything where there is no answer: NashConv is more than half of the day.
    assert compared.answers is (pays == 50.0)
    assert compared.costs is (signed[0] > 0 and compared.answers)
    assert compare(free, locked, player, shared=True).cost_gp == (0.0, 0.0)


def test_both_sides_may_have_habits_and_nothing_of_it_is_kept(fake_solver: Any, run: Any) -> None:
    """The same habit is solved again, and the day without it comes from the library."""
    for habit, players in (("basher=0", PLAYERS[:1]), ("both:basher=0", PLAYERS)):
        found = json.loads(run("solve", "--habit", habit, "--format", "json", *SMALL).stdout)
        assert [each["player"] for each in found["habits"]] == [*players]
        (day,) = found["scenarios"]
        assert (day["cost_gp"] == [0.0, 0.0]) is (players == PLAYERS), "equal habits cost nothing by symmetry"
    before = len(fake_solver.solved)
    (day,) = json.loads(run(*HABIT, "--format", "json", *SMALL).stdout)["scenarios"]
    assert len(fake_solver.solved) == before + 1
    assert (day["free"]["from_library"], day["locked"]["from_library"]) == (True, False)


@pytest.mark.parametrize("iterations", ["1", "4", "4000"])
def test_no_verdict_without_an_answer(fake_solver: Any, run: Any, iterations: str) -> None:
    found = run(*HABIT, *SMALL[:4], "--iterations", iterations, *RULES, "--format", "json", "-q").stdout
    (day,) = json.loads(found)["scenarios"]
    unanswered = "no answer yet" in (day["free"]["trust"]["grade"], day["locked"]["trust"]["grade"])
    text = " ".join(run(*HABIT, *SMALL[:4], "--iterations", iterations, *RULES, "-q").stdout.split())
    assert ("No answer yet" in text) is unanswered
    assert not (unanswered and ("cost the" in text or "(proved)" in text or "costs nothing" in text))
    assert all(math.isfinite(each) for each in day["cost_gp"])

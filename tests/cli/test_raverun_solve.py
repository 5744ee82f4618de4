"""`raverun solve`: what a learned player says of the game, and `--exact`: what is proved of it."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from analysis.raverun.game import GAME
from engine.raverun.rules import load_rules
from tests.cli.running import runner

pytestmark = pytest.mark.kernels


SMALL = ("--set", "match.characters=4", "--set", "match.hand_size=3")


QUICK = (*SMALL, "--iterations", "300", "--games", "300", "--deals", "60")


run = runner("raverun")


def plain(text: str) -> str:
    return " ".join(text.replace("│", " ").split())


def answer(*words: str, exit_code: int = 0) -> Any:
    text = run("solve", *QUICK, *words, "--format", "json", "-q", exit_code=exit_code).stdout
    report = json.loads(text)
    jsonschema.Draft202012Validator(GAME.question("solve").schema()).validate(report)
    return report


def test_same_seed_same_answer() -> None:
    first, again, other = (
        answer("--seed", seed, "--threads", threads) for seed, threads in (("4", "1"), ("4", "3"), ("5", "1"))
    )
    for report in (first, again, other):
        report["training"]["seconds"] = report["timing"] = report["seed"] = 0
    assert first == again
    assert first["first_cards"] != other["first_cards"]


@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupt_reports_what_there_is(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from solver.sampling import value_training

    whole = value_training.train_values

    def interrupted(*arguments: Any, **options: Any) -> Any:
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)
        return whole(*arguments, **options)

    monkeypatch.setattr(value_training, "train_values", interrupted)
    report = answer(exit_code=130)
    assert report["training"]["stopped"] == "interrupted"
    assert not report["complete"]
    assert report["games"] == 60
    # Deals between compiled players are played in pieces: fewer than asked are one piece.
    assert [match["wins"] + match["draws"] + match["losses"] for match in report["matches"]] == [12, 12]


def test_values_of_a_file_answer_and_options_that_do_nothing_are_refused(tmp_path: Path) -> None:
    values = tmp_path / "values.npz"
    quick = ("--plays", "300", "--deals", "4", "--response-iterations", "5", "--response-deals", "2", "-q")
    run("train", str(values), *SMALL, *quick)
    words = (*SMALL, "--games", "40", "--deals", "20", "--values", str(values), "--format", "json", "-q")
    report = json.loads(run("solve", *words).stdout)
    assert report["training"]["source"] == "values.npz"
    assert report["training"]["iterations"] == 300
    assert report["bound"] is None
    for more, message in (
        (("--iterations", "3"), "were learned before"),
        (("--values", str(values)), "other rules"),
        (("--iterations", "0"), "at least one play"),
        (("--target", "0.1"), "only with --exact"),
        (("--exact", "--games", "3"), "only without --exact"),
        (("--exact", "--players", "3"), "only without --exact"),
        (("--exact", "--seed", "3"), "only without --exact"),
    ):
        before = words if more[0] == "--iterations" and more[1] == "3" else ()
        assert message in plain(run("solve", *before, *more, exit_code=2).stderr)


TWO = ("--set", "match.characters=2", "--set", "match.hand_size=2")


TINY = (*TWO, "--set", "match.letters=2", "--set", "colours.green.acts_on=nowhere")


def test_an_exact_answer() -> None:
    answer = json.loads(run("solve", "--exact", *TINY, "--format", "json", "-q").stdout)
    assert answer["value"] == pytest.approx(0.0, abs=1e-6)
    assert answer["nash_conv"] <= 1e-8
    assert answer["cfr"]["converged"]
    assert answer["rules"]["sha256"] == load_rules(overrides=[*TINY[1::2]]).sha256
    cards = {card["card"]: card for card in answer["cards"]}
    assert list(cards) == ["1A", "1B", "2A", "2B"]
    assert sum(card["held"] for card in cards.values()) == pytest.approx(2.0)
    assert sum(card["held"] * card["chosen"] for card in cards.values()) == pytest.approx(1.0)
    # By hand: whoever holds the lowest card loses, so it brings nothing to choose it.
    assert cards["1A"]["worth"] in (None, pytest.approx(-1.0))
    assert "0.000000" in run("solve", "--exact", *TINY, "-q").stdout
    rows = list(csv.DictReader(io.StringIO(run("solve", "--exact", *TINY, "-q", "--format", "csv").stdout)))
    assert [row["card"] for row in rows if row["what"] == "first_card"] == list(cards)
    # All six hands of player 0, which together make up the cards' figures.
    assert len(answer["hands"]) == 6
    assert sum(hand["dealt"] for hand in answer["hands"]) == pytest.approx(1.0)
    assert sum(hand["dealt"] * hand["value"] for hand in answer["hands"]) == pytest.approx(answer["value"])
    for hand in answer["hands"]:
        assert sum(card["chosen"] for card in hand["cards"]) == pytest.approx(1.0)
        mixed = sum(card["chosen"] * card["worth"] for card in hand["cards"])
        assert mixed == pytest.approx(hand["value"])
        # In an equilibrium nothing is better than what is played.
        assert max(card["worth"] for card in hand["cards"]) == pytest.approx(hand["value"], abs=1e-6)
    assert answer["order"]["right"] >= -1e-9
    assert [action["character"] for action in answer["actions"]] == ["1", "2"]


def test_target_not_reached() -> None:
    result = run("solve", "--exact", *TWO, "--iterations", "1", "--target", "1e-9", "-q", exit_code=3)
    assert "value" in result.stdout


@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupted_cfr_leaves_the_linear_program(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, progress: Callable[[int, float], None]) -> None:
        for _each in range(times):
            os.kill(os.getpid(), signal.SIGINT)
        progress(1, 1.0)

    monkeypatch.setattr("solver.tree_cfr.solve_tree_cfr", interrupted)
    report = json.loads(run("solve", "--exact", *TINY, "--format", "json", "-q", exit_code=130).stdout)
    assert report["cfr"] is None
    assert report["nash_conv"] < 1e-6

"""`raverun solve` without --exact: what a learned player says of the game."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from analysis.raverun.game import GAME
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
    jsonschema.validate(report, GAME.question("solve").schema(), cls=jsonschema.Draft202012Validator)
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

"""`raverun rules` and `raverun-solve --exact`: answers, formats, files, refusals."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
from collections.abc import Callable
from typing import Any

import pytest

from engine.raverun.rules import load_rules
from tests.cli.running import runner

pytestmark = pytest.mark.kernels

SMALL = ("--set", "match.characters=2", "--set", "match.hand_size=2")
TINY = (*SMALL, "--set", "match.letters=2", "--set", "colours.green.acts_on=nowhere")


run = runner("raverun")


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
    result = run("solve", "--exact", *SMALL, "--iterations", "1", "--target", "1e-9", "-q", exit_code=3)
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

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
    jsonschema.validate(report, GAME.question("solve").schema(), cls=jsonschema.Draft202012Validator)
    return report


def test_an_answer_says_what_it_is_and_what_was_asked() -> None:
    report = answer("--hand", "1A 2B 4C")
    assert "not an equilibrium" in report["label"]
    assert report["rules"]["sha256"] == load_rules(overrides=SMALL[1::2]).sha256
    assert report["training"]["iterations"] == 300
    assert report["training"]["source"] == "trained"
    assert report["training"]["num_hidden"] == 256
    assert report["bound"] is None
    assert [match["opponent"] for match in report["matches"]] == ["random", "greedy"]
    assert all(match["wins"] + match["draws"] + match["losses"] == 120 for match in report["matches"])
    cards = report["hand"]["cards"]
    assert sorted(card["card"] for card in cards) == ["1A", "2B", "4C"]
    assert sum(card["mix"] for card in cards) == pytest.approx(1)
    assert {card["worth"]["observations"] for card in cards} == {300}
    worths = [card["worth"]["mean"] for card in cards]
    assert worths == sorted(worths, reverse=True)
    # With the same deals, what a card is behind the best one is the difference of the means.
    assert [card["behind"]["mean"] for card in cards] == pytest.approx([worths[0] - each for each in worths])
    assert report["hand"]["payoff"]["mean"] == pytest.approx(
        sum(card["mix"] * card["worth"]["mean"] for card in cards), abs=0.1
    )
    assert len(report["first_cards"]) == 12
    # Each game has two first cards, of hands of three.
    chosen = [card["chosen"] for card in report["first_cards"]]
    assert report["games"] == 600
    assert sum(each["observations"] for each in chosen) == 600 * 2 * 3
    assert sum(each["observations"] * each["mean"] for each in chosen) == pytest.approx(600 * 2)
    # Advantages over the rest of the same hand cancel out, and so do those of all hands over their mean.
    for name in ("advantage", "holding"):
        first = [card[name] for card in report["first_cards"]]
        assert sum(each["observations"] * each["mean"] for each in first) == pytest.approx(0, abs=1e-9)
        for groups in (report["bid_groups"], report["play_groups"]):
            for kind, size in (("characters", 4), ("letters", 3)):
                assert len(groups[kind]) == size
                of_kind = [each[name] for each in groups[kind]]
                if groups is report["bid_groups"]:
                    assert sum(each["observations"] for each in of_kind) == sum(
                        each["observations"] for each in first
                    )
                total = sum(each["observations"] * each["mean"] for each in of_kind)
                assert total == pytest.approx(0, abs=1e-9)
    assert [action["action"] for action in report["actions"]] == ["swap", "exchange", "draw", "deploy"]
    assert report["rounds"][0]["reached"]["mean"] == 1.0
    assert report["rounds"][0]["round"] == 1
    assert report["length"]["rounds"]["mean"] == pytest.approx(
        sum(each["reached"]["mean"] for each in report["rounds"])
    )
    assert len(report["order"]["plays_first_by_round"]) == len(report["rounds"])
    assert all(-2 <= report["order"][name]["mean"] <= 2 for name in ("right", "first", "right_a_game"))


def test_same_seed_same_answer() -> None:
    first, again, other = (
        answer("--seed", seed, "--threads", threads) for seed, threads in (("4", "1"), ("4", "3"), ("5", "1"))
    )
    for report in (first, again, other):
        report["training"]["seconds"] = report["timing"] = report["seed"] = 0
    assert first == again
    assert first["first_cards"] != other["first_cards"]


def test_three_players_are_a_heuristic() -> None:
    report = answer("--players", "3")
    assert report["label"].startswith("a heuristic")
    assert report["bound"] is None
    assert report["players"] == 3


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
        (("--efg", "x.efg"), "only with --exact"),
        (("--exact", "--games", "3"), "only without --exact"),
        (("--exact", "--players", "3"), "only without --exact"),
        (("--exact", "--seed", "3"), "only without --exact"),
    ):
        before = words if more[0] == "--iterations" and more[1] == "3" else ()
        assert message in plain(run("solve", *before, *more, exit_code=2).stderr)


def test_figures_over_values_of_the_rules() -> None:
    small = ("--exact", "--set", "match.hand_size=2", "--iterations", "0", "-q")
    words = ("--vary", "match.characters=2:3", "--format", "json")
    found = json.loads(run("solve", *small, *words).stdout)
    assert len(found["points"]) == 2

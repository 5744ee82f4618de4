"""`raverun rules` and `raverun-solve --exact`: answers, formats, files, refusals."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engine.raverun.rules import load_rules
from solver.efg_reader import constant_sum_game, parse_efg
from solver.exact_sequence_form import solve_exactly
from tests.cli.running import runner

SMALL = ("--set", "match.characters=2", "--set", "match.hand_size=2")
TINY = (*SMALL, "--set", "match.letters=2", "--set", "colours.green.acts_on=nowhere")


run = runner("raverun")


def test_rules_show() -> None:
    output = run("rules", "show").stdout
    assert max(map(len, output.splitlines())) <= 80
    rows = [line.split() for line in output.splitlines()]
    assert ["hand_size.three", "6", "rulebook"] in rows
    assert ["8", "shuffle", "red"] in rows
    assert f"sha256 {load_rules().sha256}" in output


def test_rules_check_and_diff(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text('name = "Small"\n[match]\ncharacters = 2\nhand_size = 2\n', encoding="utf-8")
    assert "sound; 3 values changed" in run("rules", "check", str(file)).stdout
    assert "match.characters" in run("rules", "check", str(file)).stdout
    toml = run("rules", "check", str(file), "--format", "toml").stdout
    again = tmp_path / "again.toml"
    again.write_text(toml, encoding="utf-8")
    assert load_rules([again]).sha256 == load_rules([file]).sha256
    file.write_text("[match]\ncharacters = 9\n", encoding="utf-8")
    assert "out of range" in run("rules", "check", str(file), exit_code=2).stdout


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


def test_an_exact_answer_about_a_hand() -> None:
    words = ("solve", "--exact", *TINY, "--hand", "2B 1A", "-q")
    answer = json.loads(run(*words, "--format", "json").stdout)
    (hand,) = answer["hands"]
    assert hand["hand"] == "1A 2B"
    assert hand["value"] == pytest.approx(-1.0, abs=1e-6)
    table = run(*words).stdout
    assert "1A 2B: worth -1.000" in table
    assert max(map(len, table.splitlines())) <= 80


def test_files(tmp_path: Path) -> None:
    answer, tree, profile = (tmp_path / name for name in ("answer.json", "game.efg", "profile.csv"))
    words = ("--format", "json", "--output", str(answer), "--efg", str(tree), "--iterations", "0", "-q")
    assert run("solve", "--exact", *TINY, *words, "--profile", str(profile)).stdout == ""
    report = json.loads(answer.read_text())
    assert report["cfr"] is None
    assert sorted(tmp_path.iterdir()) == [answer, tree, profile]
    # Infosets tell what a player sees, cards as printed; the profile goes by the tree's file.
    read = parse_efg(tree.read_text())
    assert all("hand " in name for name in read.infoset_names.values())
    assert any(re.search(r"hand 1A\b", name) for name in read.infoset_names.values())
    game, _ = constant_sum_game(read)
    shares = [Fraction(word) for word in profile.read_text().split(",")]
    assert len(shares) == game.num_slots
    assert solve_exactly(game).value == pytest.approx(report["value"], abs=1e-9)


def test_target_not_reached() -> None:
    result = run("solve", "--exact", *SMALL, "--iterations", "1", "--target", "1e-9", "-q", exit_code=3)
    assert "value" in result.stdout


def test_too_large_is_refused() -> None:
    result = run("solve", "--exact", "-q", exit_code=4)
    assert "more than 500,000 nodes" in result.stderr
    assert "--max-nodes" in run("solve", "--exact", *SMALL, "--max-nodes", "100", "-q", exit_code=4).stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--efg", "x.efg"), "only with --exact"),
        (("--profile", "x.csv"), "only with --exact"),
        (("--exact", "--profile", "x.csv"), "--efg"),
        (("--exact", *TINY, "--efg", "-"), "raverun export"),
        (("--exact", *TINY, "--hand", "1A"), "2 different cards"),
        (("--hand", "1A 1A 2A 2B 2C 3A 3B"), "at most 1"),
        (("--hand", "9A"), "no card is called"),
        (("--set", "match.characters=2"), "hand_size"),
        (("--exact", "--set", "match.characters=9"), "out of range"),
        (("--exact", *TINY, "--output", "/nowhere/at/all.json"), "there is no folder"),
        (("--exact", "--iterations", "-1"), "--iterations"),
    ],
)
def test_wrong_usage(words: tuple[str, ...], message: str) -> None:
    assert message in run("solve", *words, exit_code=2).stderr


def test_an_interrupt_leaves_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.tree_cfr.solve_tree_cfr", interrupted)
    assert "value" in run("solve", "--exact", *TINY, "-q", exit_code=130).stdout


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


def test_a_tree_goes_through_devices_and_stdout(tmp_path: Path) -> None:
    words = ("solve", "--exact", *TINY, "--iterations", "0", "-q")
    plain = tmp_path / "tree.efg"
    run(*words, "--efg", str(plain))
    tree = run("export", *TINY, "-q").stdout
    assert len(tree.splitlines()) == len(plain.read_text(encoding="utf-8").splitlines())
    assert run("export", *TINY, "--players", "3", "-q", exit_code=2).stdout == ""
    if Path("/dev/full").exists():
        assert "No space left" in run(*words, "--efg", "/dev/full", exit_code=1).stderr
        assert Path("/dev/full").is_char_device()

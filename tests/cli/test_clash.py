"""Battles and the armies that win them: answers in words, refusals; old spellings go on."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import jsonschema
import pytest

from analysis.clash.game import GAME
from engine.clash.rules import ILLUSTRATIVE
from tests.cli.running import runner

SMALL = ("--attacker", "bohorg: 2 Pummeler, 1 Executioner", "--defender", "elves: 2 Templar")
CLANS = ("--attacker", "bohorg: 2 Pummeler", "--defender", "tomb: 1 II")


run = runner("clash")


def checked(*words: str) -> Any:
    report = json.loads(run(*words, "--format", "json", "-q").stdout)
    schema = GAME.question(words[0]).schema()
    jsonschema.validate(report, schema, cls=jsonschema.Draft202012Validator)
    return report


def one_line(text: str) -> str:
    return " ".join(text.split())


# -- answers --------------------------------------------------------------------------------------------


def test_mid_battle() -> None:
    words = (
        "solve",
        "--attacker",
        "bohorg: 2 I, 1 III",
        "--defender",
        "tomb: 2 II, 1 I",
        "--turn",
        "attacker",
    )
    report = checked(*words, "--rage", "1,2", "--injuries", "6")
    first = report["first"]
    assert first["decider"] == "attacker"
    assert {option["move"] for option in first["options"]} == {"eliminate"}
    assert [0, 1, 0] in [option["eliminated"] for option in first["options"]]
    assert first["options"][0]["cost"] == 0
    assert report["value"] == first["options"][0]["value"]
    table = run(*words, "--injuries", "6").stdout
    assert "eliminate 1 tomb-1" in table
    assert "a rage token" in table
    again = checked(*words, "--hits", "2", "--rerolls", "1")
    assert "reroll" in {option["move"] for option in again["first"]["options"]}
    begins = checked(*words)
    assert {option["move"] for option in begins["first"]["options"]} == {"flee", "roll"}


def test_objectives() -> None:
    material = checked("solve", *CLANS, "--objective", "material")
    own = checked("solve", *CLANS, "--objective", "own", "--weights-defender", "territory=0")
    assert material["value_to_defender"] is None
    assert own["value_to_defender"] is not None
    assert own["weights_of_defender"]["territory"] == 0
    for table in (run("solve", *CLANS, "--objective", name).stdout for name in ("material", "own")):
        assert max(map(len, table.splitlines())) <= 80
        assert "Weights: territory 3" in table


def test_fraction() -> None:
    words = ("--attacker", "bohorg: 1 Pummeler", "--defender", "elves: 1 Templar", "--fraction")
    assert checked("solve", *words)["fraction"] == "15176909223296/22876792454961"
    assert "15176909223296/22876792454961" in run("solve", *words).stdout


def test_bracket_and_refusal_for_memory() -> None:
    large = ("--attacker", "bohorg: 7 I, 5 II, 3 III", "--defender", "steamfield: 8 I, 6 II, 4 III")
    said = run("solve", *large, exit_code=4).stderr
    assert "--bracket 1" in said
    assert "Traceback" not in said
    wide = checked("solve", *SMALL, "--bracket", "1")
    exact = checked("solve", *SMALL)["value"]
    assert wide["kind"] == "bracket"
    assert wide["value"] is None
    assert wide["low"] <= exact <= wide["high"]
    assert "between" in run("solve", *SMALL, "--bracket", "1").stdout


def test_flight_by_a_rule_and_rounds_in_words() -> None:
    words = ("solve", *CLANS, "--retreat-when", "losses>=1", "--rounds", "1")
    report = checked(*words)
    assert report["retreats"] == ["losses>=1", None]
    assert report["after"]["rounds"] == 1
    assert sum(each["probability"] for each in report["after"]["standings"]) == pytest.approx(1)
    shown = one_line(run(*words).stdout)
    assert "attacker flees when losses>=1" in shown
    assert "Lost if the attacker wins" in shown
    assert "After 1 round" in shown
    rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").stdout)))
    assert float(rows[0]["lost_if_it_wins"]) == report["won"][0]["lost"][0]
    assert "--retreat-when" in run("solve", *CLANS, "--retreat-when", "losses", exit_code=2).stderr


def test_need() -> None:
    words = ("need", "--attacker", "bohorg", "--defender", "elves: 2 Templar", "--max", "3,2,1")
    report = checked(*words, "--chance", ".8")
    assert report["needed"]
    assert all(army["win"] >= 0.8 for army in report["needed"])
    assert max(map(len, run(*words).stdout.splitlines())) <= 80
    assert ILLUSTRATIVE in one_line(run(*words).stdout)
    assert "No army of bohorg is enough" in run(*words, "--chance", "1").stdout
    rows = list(csv.DictReader(io.StringIO(run(*words, "--chance", ".8", "--format", "csv").stdout)))
    assert [float(row["win"]) for row in rows] == [army["win"] for army in report["needed"]]


# -- what cannot be asked -------------------------------------------------------------------------------

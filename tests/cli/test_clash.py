"""Battles and the armies that win them: answers in words, refusals; old spellings go on."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import jsonschema
import pytest

from analysis.clash.game import GAME
from cli.front import sentence_of
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


def test_a_battle_in_words_and_as_csv() -> None:
    words = ("solve", *SMALL, "--equip", "Executioner: axe", "--simple")
    report = checked(*words)
    assert report["kind"] == "exact"
    assert report["value"] == report["low"] == report["high"] == pytest.approx(report["win"], abs=1e-12)
    assert report["check"] <= 1e-12
    assert report["starts"] == "defender"
    assert report["attacker"]["types"][1]["equipment"] == ["axe"]
    assert report["first"] is None, "elves have no choice"
    assert report["rules"]["said"] == ILLUSTRATIVE
    ends = sum(end["probability"] for end in report["ends"])
    assert ends + report["ends_left_out"] == pytest.approx(1.0)
    assert all(each["cost"] >= -1e-12 for each in report["simple"])
    table = run(*words).stdout
    assert max(map(len, table.splitlines())) <= 80
    assert f"{100 * report['value']:.2f} %" in table
    assert ILLUSTRATIVE in one_line(table)
    rows = list(csv.DictReader(io.StringIO(run(*words, "--format", "csv").stdout)))
    assert [row["unit"] for row in rows] == ["pummeler", "executioner", "templar"]
    assert {float(row["value"]) for row in rows} == {report["value"]}
    assert float(rows[0]["lost"]) == report["attacker"]["types"][0]["lost"]


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


@pytest.mark.parametrize(("most", "short"), [("5,0,2", 3.393e-10), ("7,0,0", 8.058e-6), ("5,0,3", 0.0)])
def test_what_is_all_but_certain_is_not_called_certain(most: str, short: float) -> None:
    words = ("need", "--attacker", "bohorg", "--defender", "elves: 2 Templar", "--chance", "1", "--max", most)
    report = checked(*words)
    assert 1 - report["best"]["win"] == pytest.approx(short, rel=1e-3, abs=1e-15)
    shown = one_line(run(*words).stdout)
    if short:
        assert not report["needed"]
        assert "No army of bohorg is enough for 100.00 %; the best is" in shown
        assert "with >99.99 %." in shown
    else:
        assert [army["counts"] for army in report["needed"]] == [[5, 0, 3]]
        assert "5 pummeler, 3 executioner 8 100.00" in shown


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


def test_the_first_screen_has_whole_sentences_and_commands_that_work() -> None:
    shown = run("--help").stdout
    assert "..." not in shown.partition("Questions:")[2]
    said = one_line(shown)
    for each in GAME.declared.values():
        assert one_line(sentence_of(each.about)) in said
        assert f"clash {each.examples[0]}" in shown


def test_rules() -> None:
    output = run("rules", "show").stdout
    assert max(map(len, output.splitlines())) <= 80
    assert "executioner" in output
    assert "rockbreaker" in output
    assert "clash rules" in run("rules", "show", "--help").stdout
    changed = ("--set", "battle.sparing=false")
    report = checked("solve", *SMALL, *changed)
    assert report["rules"]["changed"] == ["battle.sparing"]
    assert "sparing false" in one_line(run("solve", *SMALL, *changed).stdout)


# -- what cannot be asked -------------------------------------------------------------------------------

ELVES = ("--defender", "elves: 2 Templar")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--attacker", "bohorq: 1 I", *ELVES), "did you mean bohorg?"),
        (("--attacker", "bohorg: 1 Executoner", *ELVES), "did you mean executioner?"),
        (("--attacker", "bohorg: 1 Berserker", *ELVES), "Berserker belongs to godleif"),
        (("--attacker", "bohorg: 1 Templar", *ELVES), "Templar belongs to elves"),
        (("--attacker", "bohorg: 4 Executioner", *ELVES), "at most 3"),
        (("--attacker", "bohorg: 8 I", *ELVES), "at most 7"),
        (("--attacker", "bohorg: 1 I", "--defender", "elves: 16 Guard"), "at most 15"),
        (("--attacker", "bohorg:", *ELVES), "nobody is in the army"),
        (("--attacker", "bohorg: 0 I", *ELVES), "nobody is in the army"),
        (("--attacker", "bohorg", *ELVES), "bohorg: 2 Pummeler"),
        (("--attacker", "bohorg: -1 I", *ELVES), "no unit is called '-1 I'"),
        (("--attacker", "bohorg: 2", *ELVES), "'2' is a number without a unit"),
        (("--attacker", "bohorg: 12", *ELVES), "'12' is a number without a unit"),
        (("--attacker", "bohorg: two I", *ELVES), "'two I'"),
        (("--attacker", "bohorg 2 Pummeler", *ELVES), "write CLAN: UNITS, with a colon"),
        (("--attacker", "Bohorg Tribe 2 I, 1 II", *ELVES), "write CLAN: UNITS, with a colon"),
        (("--attacker", "bohork 2 I", *ELVES), "did you mean bohorg?"),
        (("--attacker", "elves: 1 Guard", *ELVES), "elves never attack"),
        ((*SMALL, "--equip", "Executioner: axee"), "did you mean axe?"),
        ((*SMALL, "--equip", "Executioner: weapon=plate-armor"), "armor=plate-armor"),
        ((*SMALL, "--equip", "Executioner: axe, club"), "axe or club, not both"),
        (
            (*SMALL, "--equip", "Executioner: titan-plate; Pummeler: titan-plate"),
            "2 titan-plate: there is only one, it is legendary (C4)",
        ),
        ((*SMALL, "--equip", "Kragrider: axe"), "no Kragrider is in the attacker's army"),
        ((*SMALL, "--equip", "II: axe"), "no Kragrider is in the attacker's army"),
        ((*SMALL, "--equip", "IV: axe"), "no unit in this battle"),
        ((*SMALL, "--equip", "Berserker: axe"), "no unit in this battle"),
        ((*SMALL, "--equip", "axe"), "Executioner: axe"),
        ((*SMALL, "--objective", "material", "--weights", "I=-1"), "from 0 to"),
        ((*SMALL, "--objective", "material", "--weights", "IV=1"), "no weight is called 'IV'"),
        ((*SMALL, "--weights", "I=1"), "material or own"),
        ((*SMALL, "--weights-defender", "I=1"), "own only"),
        ((*SMALL, "--rage", "1"), "such as 0,2"),
        ((*SMALL, "--rage", "-1,0"), "0 or more"),
        ((*SMALL, "--turn", "attacker", "--injuries", "99"), "injuries can be dealt"),
        ((*SMALL, "--turn", "attacker", "--hits", "99"), "dice are rolled"),
        ((*SMALL, "--turn", "attacker", "--hits", "1", "--rerolls", "9"), "value for '--rerolls': 6 dice"),
        ((*SMALL, "--turn", "attacker", "--rerolls", "1"), "--hits"),
        ((*SMALL, "--turn", "attacker", "--injuries", "3", "--simple"), "beginning of an assault"),
        ((*SMALL, "--bracket", "1", "--simple"), "beginning of an assault"),
        ((*SMALL, "--turn", "attacker", "--injuries", "3", "--hits", "1"), "not both"),
        ((*SMALL, "--turn", "defender", "--hits", "1", "--rerolls", "1"), "elves have to roll"),
        ((*CLANS, "--solo"), "against elves"),
        ((*SMALL, "--objective", "own", "--bracket", "3"), "win"),
        ((*SMALL, "--objective", "own", "--set", "battle.rage_limit=3"), "battle.rage_limit"),
        ((*SMALL, "--set", "battle.sparring=true"), "sparing"),
        (("--attacker", "bohorg: 7 I, 3 II", *ELVES, "--fraction"), "too many for rational"),
    ],
)
def test_what_is_wrong_is_said_with_what_would_do(words: tuple[str, ...], said: str) -> None:
    error = one_line(run("solve", *words, exit_code=2).stderr)
    assert said in error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--attacker", "elves"), "never attack"),
        (("--attacker", "tombs"), "did you mean tomb?"),
        (("--attacker", "tomb", "--max", "1,2,9"), "there are at most 4"),
        (("--attacker", "tomb", "--max", "1,2,3,4"), "no unit is called '?'"),
        (("--attacker", "tomb", "--chance", "2"), "a number from 0 to 1"),
    ],
)
def test_what_is_wrong_with_a_need(words: tuple[str, ...], said: str) -> None:
    assert said in one_line(run("need", *words, *ELVES, exit_code=2).stderr)


@pytest.mark.parametrize(
    "army", ["2 I, 1 III", "2I,1III", "2x I, III", "I 2, executioner 1", "I, pummelers, III"]
)
def test_an_army_is_read_however_its_numbers_stand(army: str) -> None:
    words = ("--defender", "elves: 1 Templar", "--equip", "III: axe; pummelers: buckler", "--format", "json")
    report = json.loads(run("solve", "--attacker", f"bohorg: {army}", *words).stdout)
    types = report["attacker"]["types"]
    assert [each["count"] for each in types] == [2, 1]
    assert [each["equipment"] for each in types] == [["buckler"], ["axe"]]


def test_the_same_clan_on_both_sides_is_noted() -> None:
    words = ("--attacker", "tomb: 1 I", "--defender", "tomb: 1 I", "--equip", "tomb-1: club")
    assert "which no game has" in run("solve", *words).stdout
    report = checked("solve", *words, "--equip-defender", "tomb-1: axe")
    assert report["attacker"]["types"][0]["equipment"] == ["club"]
    assert report["defender"]["types"][0]["equipment"] == ["axe"]

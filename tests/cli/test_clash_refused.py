"""What `clash` cannot be asked; and tactic cards by the values of a file, which need no kernels."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from engine.clash.rules import load_rules
from tests.cli.test_clash import BUYS, CLANS, SMALL, SPLIT, TACTIC, checked, one_line, rows_of, run

PLAYED = "--played 1 --played-against 4"

# -- tactic cards, and balance --------------------------------------------------------------------------


def values_file(folder: Path, left_out: int = 0) -> Path:
    rules = load_rules()
    pairs = [
        (one.order, two.order) for one in rules.clan("bohorg").tactics for two in rules.clan("tomb").tactics
    ]
    lines = [f"{one},{two},{((one * two) % 11 - 5) / 10},0.05" for one, two in pairs[left_out:]]
    path = folder / "values.csv"
    path.write_text("\n".join(["card,other,value,error", *lines]) + "\n", encoding="utf-8")
    return path


def test_tactic_cards_by_values_of_a_file(tmp_path: Path) -> None:
    path, kept = values_file(tmp_path), tmp_path / "kept.csv"
    report = checked(f"{TACTIC} --values {path} --hand 11,16,27 --save-values {kept}")
    assert report["low"] < report["value"] < report["high"]
    assert len(report["hands"][0]) == len(report["hands"][1]) == 35
    assert sum(each["probability"] for each in report["options"]) == pytest.approx(1)
    assert checked(f"{TACTIC} --values {kept}")["value"] == report["value"]
    assert len(rows_of(f"{TACTIC} --values {path}")) == 2 * 35 * 3
    path.write_text("\n".join(line.rpartition(",")[0] for line in path.read_text().splitlines()) + "\n")
    exact = checked(f"{TACTIC} --values {path}")
    assert exact["low"] == exact["value"] == exact["high"] == report["value"]


def test_values_of_another_round_are_named(tmp_path: Path) -> None:
    """Values that are kept say of which round they are; the same round needs no word."""
    path, kept = values_file(tmp_path), tmp_path / "kept.csv"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0] + ",round", *(line + ",1" for line in lines[1:])]) + "\n")
    for line, rounds, said in (
        (f"{TACTIC} --values {path} --save-values {kept}", (1, 1), False),
        (f"{TACTIC} --values {kept} {PLAYED}", (2, 1), True),
    ):
        report = checked(line)
        assert (report["round"], report["values_round"]) == rounds
        assert ("used for round 2" in one_line(run(*shlex.split(line)).stdout)) == said
    kept.write_text(kept.read_text().replace(",1\n", ",2\n", 1))
    assert "several rounds" in one_line(run(*shlex.split(f"{TACTIC} --values {kept}"), exit_code=2).stderr)


# -- what cannot be asked -------------------------------------------------------------------------------

ELVES = "--defender 'elves: 2 Templar'"
REFUSED: dict[str, list[tuple[str, str]]] = {
    f"solve {ELVES} --attacker": [
        ("'bohorq: 1 I'", "did you mean bohorg?"),
        ("'bohorg: 1 Executoner'", "did you mean executioner?"),
        ("'bohorg: 1 Berserker'", "Berserker belongs to godleif"),
        ("'bohorg: 4 Executioner'", "at most 3"),
        ("'bohorg: 8 I'", "at most 7"),
        ("'bohorg:'", "nobody is in the army"),
        ("bohorg", "bohorg: 2 Pummeler"),
        ("'bohorg: -1 I'", "no unit is called '-1 I'"),
        ("'bohorg: 2'", "'2' is a number without a unit"),
        ("'bohorg 2 Pummeler'", "write CLAN: UNITS, with a colon"),
        ("'elves: 1 Guard'", "elves never attack"),
        ("elves --chance .5", "never attack"),
        ("'tomb: 1 I, 2 II, 9 III' --chance .5", "there are at most 4"),
        ("tomb --chance 2", "a number from 0 to 1"),
        ("tomb --chance .5 --gold 3", "one of the two"),
        ("tomb --chance .5 --simple", "does not go with --chance"),
        ("tomb --chance .5 --objective material", "does not go with --chance"),
    ],
    f"solve {SMALL}": [
        ("--equip 'Executioner: axee'", "did you mean axe?"),
        ("--equip 'Executioner: weapon=plate-armor'", "armor=plate-armor"),
        ("--equip 'Executioner: axe, club'", "axe or club, not both"),
        ("--equip 'Executioner: titan-plate; Pummeler: titan-plate'", "it is legendary (C4)"),
        ("--equip 'II: axe'", "no Kragrider is in the attacker's army"),
        ("--equip 'IV: axe'", "no unit in this battle"),
        ("--equip axe", "Executioner: axe"),
        ("--objective material --weights I=-1", "from 0 to"),
        ("--objective material --weights IV=1", "no weight is called 'IV'"),
        ("--weights I=1", "material or own"),
        ("--weights-defender I=1", "own only"),
        ("--objective either", "is not wanted here"),
        ("--rage 1", "such as 0,2"),
        ("--rage -1,0", "0 or more"),
        ("--objective own --bracket 3", "win"),
        ("--objective own --set battle.rage_limit=3", "battle.rage_limit"),
        ("--set battle.sparring=true", "sparing"),
        ("--retreat-when losses", "--retreat-when"),
        ("--market axe", "goes with --gold"),
        ("--attacker 'tomb: 1 I'", "one army is asked about here, not 2"),
    ],
    f"solve {CLANS}": [("--solo", "against elves")],
    f"solve {SPLIT}": [
        ("--defender 'tomb: 1 I'", "two targets, not 3"),
        ("--weights I=2", "material only"),
        ("--objective own", "is not wanted here"),
        ("--solo", "against elves"),
        ("--equip 'Templar: axe'", "there are: pummeler"),
        ("--rounds 3", "does not go with several targets"),
        ("--chance .5", "one army is asked about here, not 2"),
    ],
    f"solve {BUYS}": [
        ("--market axee", "did you mean axe?"),
        ("--market sunblade", "no equipment is called 'sunblade'"),
        ("--market 'axe 9'", "9 of Axe: there are at most 4"),
        ("--market 'axe 0'", "at least 1"),
        ("--market ', '", "at least 1"),
        ("--market axe,club,lance,buckler,musket,crossbow,war-drum", "the market has 6"),
        ("--gold -1", "from 0 to 10,000"),
        ("--buyer defender", "elves buy nothing"),
        ("--attacker 'tomb: 1 I'", "one army, not 2"),
        ("--share 1 --share 2", "each battle has a share: 1 in all, not 2"),
        ("--share 0", "not all 0"),
        ("--share nan", "a number from 0 to 1e+09"),
        ("--weights I=2", "material only"),
        ("--bracket 2", "does not go with --gold"),
    ],
    "tactic --playouts 1": [
        ("--clan tomb", "two play"),
        ("--clan tomb --clan tomb", "played once"),
        ("--clan elves --clan tomb", "no clan is called 'elves'"),
        ("--hand 1,2,6", "no card of bohorg"),
        ("--hand 1,6", "a hand has 3"),
        ("--hand 1,6,6", "named twice"),
        (f"--hand 1,6,11 {PLAYED}", "discard pile"),
        ("--played 1,6,11,16,17", "2 cards are left"),
        ("--played 1", "equally many cards by now (T1)"),
        ("--played 1 --played-against 4,26", "not 1 and 2"),
        ("--save-values no/such/x", "'--save-values'"),
        ("--tiles 1 --values x", "'--tiles'"),
    ],
    "balance": [
        ("--clan bohorg", "two clans or more"),
        ("--clan bohorg --clan bohorg", "each once"),
        ("--points 2.5", "no army of bohorg counts 2.5; the nearest is 2"),
        ("--points 99", "no army of bohorg counts 99"),
        ("--weights II=0", "above 0"),
        ("--compare battle.sparring=true", "Invalid value for '--compare': [battle] sparring"),
    ],
}


@pytest.mark.parametrize("begin", REFUSED)
def test_what_is_wrong_is_said_with_what_would_do(begin: str) -> None:
    wrong = {}
    for more, said in REFUSED[begin]:
        error = one_line(run(*shlex.split(f"{begin} {more}"), exit_code=2).stderr)
        if said not in error or "Traceback" in error:
            wrong[more] = error
    assert wrong == {}


def test_values_that_are_wrong(tmp_path: Path) -> None:
    path = values_file(tmp_path, 2)
    words = shlex.split(f"{TACTIC} --values {path}")
    text = path.read_text()
    for change, said in (
        (text, "2 of 49 pairs have no value, the first is 1 against 4"),
        (text + text.splitlines()[1] + "\n", "again"),
        (text + "1,4,x,0\n", "line 49: columns are card,other,value,error"),
        (text + "1,4,0.5,-1\n", "0 or more"),
        (text + "1,4,inf,0\n", "up to a billion"),
        ("", "49 of 49"),
        ("a,b\n1,2\n", "columns are"),
    ):
        path.write_text(change)
        assert said in one_line(run(*words, exit_code=2).stderr)
    path.write_bytes(b"\xff\xfe\x00")
    assert "cannot read" in one_line(run(*words, exit_code=2).stderr)

"""`clash solve`, `tactic` and `balance`: the parts of answers agree with each other."""

from __future__ import annotations

import csv
import io
import json
import shlex
from fractions import Fraction
from typing import Any

import jsonschema
import pytest

from analysis.clash.game import GAME
from tests.cli.running import runner

SMALL = "--attacker 'bohorg: 2 Pummeler, 1 Executioner' --defender 'elves: 2 Templar'"
CLANS = "--attacker 'bohorg: 2 Pummeler' --defender 'tomb: 1 II'"
SPLIT = "--attacker 'bohorg: 2 I, 1 III' --defender 'elves: 1 Elder' --defender 'tomb: 1 I'"
BUYS = "--attacker 'bohorg: 1 I, 1 III' --defender 'elves: 2 Templar' --market 'axe 2, plate-armor' --gold 11"
TACTIC = "tactic --clan bohorg --clan tomb"


pytestmark = pytest.mark.kernels
run = runner("clash")


def checked(line: str) -> Any:
    """The answer to a line, which is of its question's schema."""
    words = shlex.split(line)
    report = json.loads(run(*words, "--format", "json", "-q").stdout)
    jsonschema.validate(report, GAME.question(words[0]).schema(), cls=jsonschema.Draft202012Validator)
    return report


def rows_of(line: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(run(*shlex.split(line), "--format", "csv").stdout)))


def one_line(text: str) -> str:
    return " ".join(text.split())


# -- battles --------------------------------------------------------------------------------------------


def test_the_parts_of_a_battle_agree() -> None:
    line = f"solve {SMALL} --equip 'Executioner: axe' --simple"
    report = checked(line)
    assert report["value"] == report["low"] == report["high"] == pytest.approx(report["win"], abs=1e-12)
    assert report["check"] <= 1e-12
    assert report["attacker"]["types"][1]["equipment"] == ["axe"]
    assert report["first"] is None, "elves have no choice"
    assert sum(end["probability"] for end in report["ends"]) + report["ends_left_out"] == pytest.approx(1.0)
    assert all(each["cost"] >= -1e-12 for each in report["simple"])
    rows = rows_of(line)
    assert [row["unit"] for row in rows] == ["pummeler", "executioner", "templar"]
    assert {float(row["value"]) for row in rows} == {report["value"]}


def test_what_can_be_decided_within_a_battle() -> None:
    line = "solve --attacker 'bohorg: 2 I, 1 III' --defender 'tomb: 2 II, 1 I' --turn attacker"
    for more, moves in (
        ("", {"flee", "roll"}),
        ("--rage 1,2 --injuries 6", {"eliminate"}),
        ("--hits 2 --rerolls 1", {"eliminate", "reroll"}),
    ):
        report = checked(f"{line} {more}")
        first = report["first"]
        assert first["decider"] == "attacker"
        assert {option["move"] for option in first["options"]} <= moves
        assert first["options"][0]["cost"] == 0
        assert report["value"] == first["options"][0]["value"] == max(o["value"] for o in first["options"])


def test_what_is_wanted_changes_what_is_told() -> None:
    material = checked(f"solve {CLANS} --objective material")
    own = checked(f"solve {CLANS} --objective own --weights-defender territory=0")
    assert material["value_to_defender"] is None
    assert own["value_to_defender"] is not None
    assert own["weights_of_defender"]["territory"] == 0


def test_a_fraction_and_a_bracket_hold_the_value() -> None:
    line = "solve --attacker 'bohorg: 1 Pummeler' --defender 'elves: 1 Templar'"
    fraction = Fraction(checked(f"{line} --fraction")["fraction"])
    assert float(fraction) == pytest.approx(checked(line)["value"], abs=1e-14)
    wide = checked(f"{line} --bracket 1")
    assert (wide["kind"], wide["value"]) == ("bracket", None)
    assert wide["low"] <= fraction <= wide["high"]


def test_flight_by_a_rule_and_how_it_stands_after_a_round() -> None:
    line = f"solve {CLANS} --retreat-when 'losses>=1' --rounds 1"
    report = checked(line)
    assert report["retreats"] == ["losses>=1", None]
    assert sum(each["probability"] for each in report["after"]["standings"]) == pytest.approx(1)
    assert report["value"] <= report["value_without_retreats"]
    assert float(rows_of(line)[0]["lost_if_it_wins"]) == report["won"][0]["lost"][0]


@pytest.mark.parametrize("most", ["5 I, 2 III", "7 I", "5 I, 3 III"])
def test_what_is_all_but_certain_is_not_called_certain(most: str) -> None:
    line = f"solve --attacker 'bohorg: {most}' --defender 'elves: 2 Templar' --chance 1"
    report = checked(line)
    assert all(army["win"] == 1.0 for army in report["needed"])
    assert bool(report["needed"]) == (report["best"]["win"] == 1.0)
    if not report["needed"]:
        assert "with >99.99 %." in one_line(run(*shlex.split(line)).stdout)


def test_armies_that_are_enough_are_and_their_parts_are_not() -> None:
    line = "solve --attacker 'bohorg: 3 I, 2 II, 1 III' --defender 'elves: 2 Templar' --chance .8"
    report = checked(line)
    assert report["needed"]
    assert [float(row["win"]) for row in rows_of(line)] == [army["win"] for army in report["needed"]]
    for army in report["needed"]:
        counts = army["counts"]
        parts = [[*counts[:k], counts[k] - 1, *counts[k + 1 :]] for k in range(3) if counts[k]]
        for each, enough in [(counts, True), *((part, False) for part in parts if any(part))]:
            units = ", ".join(f"{n} {level}" for n, level in zip(each, ("I", "II", "III"), strict=True) if n)
            win = checked(f"solve --attacker 'bohorg: {units}' --defender 'elves: 2 Templar'")["win"]
            assert (win >= 0.8) == enough


@pytest.mark.parametrize("objective", ["win", "either", "material"])
def test_the_best_split_is_the_best_of_all(objective: str) -> None:
    report = checked(f"solve {SPLIT} --objective {objective}")
    assert report["targets"] == ["elves: 1 High Elder", "tomb: 1 Tomb I"]
    assert report["best"][0]["value"] == max(each["value"] for each in report["best"])
    for each in (*report["best"], *report["front"]):
        one, two = each["values"]
        value = {"win": one * two, "either": one + two - one * two, "material": one + two}[objective]
        assert each["value"] == pytest.approx(value, abs=1e-12)
    assert checked(f"solve {SPLIT} --bracket 1")["bracket"]


def test_purchases_are_better_the_dearer_they_are() -> None:
    report = checked(f"solve {BUYS}")
    values = [each["value"] for each in report["front"]]
    assert values == sorted(values)
    assert [int(row["gold"]) for row in rows_of(f"solve {BUYS}")] == [g["gold"] for g in report["front"]]
    more = "--defender 'tomb: 1 I' --share 2 --share 1 --objective material --equip 'Pummeler: axe'"
    both = checked(f"solve {BUYS} {more}")
    assert both["now"]["attached"] == [{"unit": "pummeler", "cards": ["axe"]}]
    for each in (both["now"], *both["front"]):
        assert each["value"] == pytest.approx((2 * each["values"][0] + each["values"][1]) / 3)


def test_what_a_purchase_is_worth_is_what_the_battle_is() -> None:
    best = checked(f"solve {BUYS}")["front"][-1]
    carried = "; ".join(f"{each['unit']}: {', '.join(each['cards'])}" for each in best["attached"])
    line = "solve --attacker 'bohorg: 1 I, 1 III' --defender 'elves: 2 Templar'"
    assert checked(f"{line} --equip '{carried}'")["value"] == pytest.approx(best["value"], abs=1e-12)


@pytest.mark.parametrize(
    "army", ["2 I, 1 III", "2I,1III", "2x I, III", "I 2, executioner 1", "I, pummelers, III"]
)
def test_an_army_is_read_however_its_numbers_stand(army: str) -> None:
    carried = "--equip 'III: axe; pummelers: buckler'"
    report = checked(f"solve --attacker 'bohorg: {army}' --defender 'elves: 1 Templar' {carried}")
    types = report["attacker"]["types"]
    assert [each["count"] for each in types] == [2, 1]
    assert [each["equipment"] for each in types] == [["buckler"], ["axe"]]


def test_who_carries_what_where_both_sides_are_of_one_clan() -> None:
    line = "solve --attacker 'tomb: 1 I' --defender 'tomb: 1 I' --equip 'tomb-1: club'"
    report = checked(f"{line} --equip-defender 'tomb-1: axe'")
    assert report["attacker"]["types"][0]["equipment"] == ["club"]
    assert report["defender"]["types"][0]["equipment"] == ["axe"]


def test_what_tactic_cards_are_worth_stays_within_what_games_pay() -> None:
    """A game won counts 1, a game lost -1: an interval beyond that would be of nothing."""
    for playouts in (1, 4):
        report = checked(f"{TACTIC} --playouts {playouts}")
        assert -1.0 - 1e-9 <= report["low"] < report["value"] < report["high"] <= 1.0 + 1e-9


def test_balance_interrupted_shows_what_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    import signal

    from analysis.clash import balancing, solving

    calls = 0
    before = solving.exact_value

    def interrupted(*words: object, **settings: object) -> float:
        nonlocal calls
        calls += 1
        if calls == 5:
            signal.raise_signal(signal.SIGINT)
        return before(*words, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(solving, "exact_value", interrupted)
    monkeypatch.setattr(balancing, "_known", {})
    words = shlex.split("balance --clan bohorg --clan tomb --points 2 --battles 3 -q --format json")
    assert not json.loads(run(*words, exit_code=130).stdout)["complete"]
    assert calls == 5


LARGE = "--attacker 'bohorg: 7 I, 5 II, 3 III' --defender 'steamfield: 8 I, 6 II, 4 III'"


@pytest.mark.parametrize("line", [LARGE, f"{SPLIT} --memory 150MiB", f"{BUYS} --memory 150MiB"])
def test_what_takes_too_much_memory_is_refused(line: str) -> None:
    assert one_line(run(*shlex.split(f"solve {line}"), exit_code=4).stderr).startswith("Refused: ")


LATE = [
    (
        "solve --attacker 'bohorg: 7 I, 3 II' --defender 'elves: 2 Templar' --fraction",
        "too many for rational",
    ),
    (f"solve {SMALL} --turn attacker --injuries 99", "injuries can be dealt"),
    (f"solve {SMALL} --turn attacker --hits 99", "dice are rolled"),
    (f"solve {SMALL} --turn attacker --hits 1 --rerolls 9", "value for '--rerolls': 6 dice"),
    (f"solve {SMALL} --turn attacker --rerolls 1", "--hits"),
    (f"solve {SMALL} --turn attacker --injuries 3 --simple", "beginning of an assault"),
    (f"solve {SMALL} --bracket 1 --simple", "beginning of an assault"),
    (f"solve {SMALL} --turn attacker --injuries 3 --hits 1", "not both"),
    (f"solve {SMALL} --turn defender --hits 1 --rerolls 1", "elves have to roll"),
    (f"{TACTIC} --playouts 1 --played 1 --played-against 4", "begin with the game"),
]


def test_what_is_wrong_with_where_a_battle_stands_is_said() -> None:
    wrong = {}
    for line, said in LATE:
        error = one_line(run(*shlex.split(line), exit_code=2).stderr)
        if said not in error:
            wrong[line] = error
    assert wrong == {}

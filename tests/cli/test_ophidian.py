"""`ophidian`: parts of its answers against each other, swapped sides, and positions solved one by one."""

from __future__ import annotations

import json
from dataclasses import replace
from math import comb
from random import Random
from typing import Any

import pytest

from analysis.front.asking import function_of
from analysis.ophidian.fights import position, solve
from analysis.ophidian.game import GAME
from analysis.ophidian.worth import Drawn, random_position
from engine.ophidian.rules import load_rules
from tests.cli.running import runner

pytestmark = pytest.mark.kernels
LAST = ("--set", "match.extra_waves=0")
MATCH = ("solve", "--team", "Thorn", "--against", "Whisper w3", "--wave", "3", "--horizon", "match")
EXCHANGE = (
    *("solve", "--team", "Thorn w5, Whisper w3 L2", "--against", "Understudy w3 L3, G'frhtru w9 L2"),
    *("--wave", "3", "--cheer", "3:1", "--attack", "Thorn > G'frhtru"),
)

run = runner("ophidian")


def checked(*words: str) -> Any:
    return json.loads(run(*words, "--format", "json", "-q").stdout)


def test_what_does_not_go_together_is_refused() -> None:
    fight = ("solve", "--team", "Thorn, Runt w1", "--against", "Tempest, Scrap@S", "--wave", "2")
    attack = ("--attack", "Runt > Tempest", "--hidden", "iron")
    for words, said in (
        ((*fight, "--thresholds", "--horizon", "match"), "to the end of the wave"),
        (("solve", "--team", "iron", "--against", "storm", "--horizon", "match"), "proved for 2 at most"),
        ((*fight, "--hidden", "iron"), "goes with --attack"),
        ((*fight, *attack, "--thresholds"), "goes without --attack"),
        ((*fight, *attack, "--objective", "match"), "one of result, points, wounds"),
        ((*fight, *attack[:2]), "'--hidden': has to be given"),
        ((*fight, "--objective", "match", "--set", "match.riot=12"), "ophidian train FILE"),
        ((*fight, "--objective", "match", "--horizon", "match"), "is proved"),
        ((*fight, "--values", __file__), "--objective match"),
        ((*fight, "--objective", "match", "--values", __file__), "no file of values"),
        (("rules", "check", "--teams", "Rnt"), "did you mean runt?"),
        (("rules", "check", "--team", "iron", "--cards", "hexx 3"), "did you mean hex?"),
        (("match", "--player", "values", "--deals", "2", "--set", "match.riot=12"), "ophidian train FILE"),
    ):
        assert said in " ".join(run(*words, exit_code=2).stderr.split()), words
    assert (
        "4 copies of veil" in run("rules", "check", "--team", "iron", "--cards", "veil 4", exit_code=1).stdout
    )


def test_the_answer_to_an_attack_is_worth_what_the_attack_is() -> None:
    asked = position("Thorn, Runt", "Tempest, Scrap", momentum="against")
    (attack,) = [each for each in solve(asked).actions if each.action == "Tempest attacks Thorn"]
    answers = solve(asked, pending="Tempest > Thorn")
    assert answers.decides == "team"
    assert answers.low == attack.low
    names = {each.action for each in answers.actions}
    assert names == {"takes it", "Runt intercepts, roar", "Runt intercepts, no roar"}
    whole = checked(*MATCH, "--pending", "Thorn > Whisper", *LAST)
    assert (whole["decides"], whole["actions"][0]["best"]) == ("against", True)


def test_what_is_proved_is_said_when_time_is_up() -> None:
    words = ("solve", "--team", "iron", "--against", "storm", "--time-limit", ".001s")
    assert checked(*words)["exactness"] == "bounded"
    shown = " ".join(run(*words).stdout.split())
    assert "Stopped: bounds that are proved" in shown
    assert "somewhere between" in shown


def test_thresholds_of_cheer_are_the_values_with_that_cheer() -> None:
    words = ("solve", "--team", "Runt w2", "--against", "Acolyte w1", "--objective", "wounds")
    lines = checked(*words, "--thresholds")["thresholds"]
    assert lines[0]["cheer"] == 0
    assert len(lines) > 1
    for cheer in (0, 2, 14):
        value = checked(*words, "--cheer", f"{cheer}:0")["low"]
        assert [each["low"] for each in lines if each["cheer"] <= cheer][-1] == value
    order = [(each["low"]["result"], each["low"]["points"], each["low"]["wounds"]) for each in lines]
    assert order == sorted(order)  # more own cheer never hurts


def test_the_last_wave_is_the_match() -> None:
    words = ("solve", "--team", "Runt w2", "--against", "Acolyte w1, Scrap w4", "--wave", "4")
    wave = checked(*words, *LAST, "--objective", "result")
    match = checked(*words, *LAST, "--horizon", "match")
    assert (match["horizon"], match["exactness"]) == ("match", "exact")
    assert match["low"]["result"] == wave["low"]["result"]
    found, there = (
        {each["action"]: each["low"]["result"] for each in one["actions"]} for one in (match, wave)
    )
    assert found == there
    longer = checked(*words, "--horizon", "match")
    assert longer["low"]["result"] <= longer["high"]["result"]
    earlier = checked(*MATCH, *LAST)
    assert (earlier["horizon"], earlier["objective"], earlier["exactness"]) == ("match", "result", "exact")


def test_duels_are_antisymmetric_and_rank_the_gladiators() -> None:
    names = ("Tempest", "G'frhtru", "Runt", "Scrap")
    report = checked("duel", *names, *LAST)
    assert (report["complete"], len(report["duels"])) == (True, 12)
    results = {(duel["gladiator"], duel["against"]): duel for duel in report["duels"]}
    for (one, other), duel in results.items():
        assert duel["low"] == [-high for high in reversed(results[other, one]["high"])]
    assert report["wins"] == sorted(report["wins"], reverse=True)


def test_gains_are_those_of_the_positions_solved_one_by_one() -> None:
    rules = load_rules()
    drawn = Drawn(rules, 1, rules.match.waves, 3)
    ask = function_of(GAME.question("worth"))
    report = ask(size=1, seed=3, positions=8)
    gains = []
    for number in range(8):
        state = random_position(drawn, number)
        player = Random(f"3 {number} change").randrange(2)
        points = []
        for momentum in (player, 1 - player):
            solved = solve(replace(state, momentum=momentum, turn=momentum))
            assert solved.exactness == "exact"
            assert solved.low.points is not None
            points.append(solved.low.points * (-1 if player else 1))
        gains.append(points[0] - points[1])
    found = report.changes[0].points
    assert found.observations == 8
    assert found.mean == pytest.approx(sum(gains) / 8)
    one, two = (checked("worth", "--positions", "12", "--jobs", jobs) | {"timing": 0} for jobs in "12")
    assert one == two


def test_an_attack_into_a_hidden_hand_is_weighed() -> None:
    def alone(card: str, copies: int) -> Any:
        pool = f"{card} {copies}, other {1 - copies}"
        return checked(*EXCHANGE, "--hidden", pool, "--hidden-cards", "1")

    report = checked(*EXCHANGE, "--hidden", "hex 3, sidestep 3, other 45")
    assert report["nash_conv"] < 1e-6
    assert report["value"] == pytest.approx(max(report["attack_value"], report["otherwise"]))
    assert report["open_value"] >= report["value"] - 1e-9
    assert {each["card"] for each in report["thresholds"]} == {"Hex", "Sidestep"}
    found = []
    for each in report["thresholds"]:
        assert each["held"] == pytest.approx(1 - comb(48, 7) / comb(51, 7))
        without, sure = (alone(each["card"], copies) for copies in (0, 1))
        # There is nothing to decide but whether to play it, so values lie on a line.
        gain = without["attack_value"] - without["otherwise"]
        line = gain / (without["attack_value"] - sure["attack_value"])
        found.append(each["wrong_from"])
        assert found[-1] == (None if line >= 1 else pytest.approx(line, abs=1e-6))
    assert any(found)

"""`ophidian`: figures of its answers, and what is wrong with a position, a match, a deck."""

from __future__ import annotations

import json
from dataclasses import replace
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from analysis.front.asking import function_of
from analysis.ophidian.fights import position, solve
from analysis.ophidian.game import GAME
from analysis.ophidian.worth import Drawn, random_position
from cli.programs import program_of
from engine.ophidian.rules import load_rules
from tests.cli.running import runner

ophidian = program_of("ophidian")


run = runner("ophidian")


def checked(*words: str) -> Any:
    return json.loads(run(*words, "--format", "json", "-q").stdout)


def test_the_answer_to_an_attack_is_worth_what_the_attack_is() -> None:
    asked = position("Thorn, Runt", "Tempest, Scrap", momentum="against")
    (attack,) = [each for each in solve(asked).actions if each.action == "Tempest attacks Thorn"]
    answers = solve(asked, pending="Tempest > Thorn")
    assert answers.decides == "team"
    assert answers.low == attack.low
    assert {each.action for each in answers.actions} == {
        "takes it",
        "Runt intercepts, roar",
        "Runt intercepts, no roar",
    }


def test_swapped_sides_swap_the_value() -> None:
    mine = solve(position("Thorn, Runt", "Tempest, Scrap", cheer="1:2"), objective="wounds").low
    theirs = solve(
        position("Tempest, Scrap", "Thorn, Runt", cheer="2:1", momentum="against"), objective="wounds"
    ).low
    assert (mine.result, mine.points, mine.wounds) == (-theirs.result, -theirs.points, -theirs.wounds)


def test_what_is_proved_is_said_when_time_is_up() -> None:
    report = checked("solve", "--team", "iron", "--against", "storm", "--time-limit", ".001s")
    assert report["exactness"] == "bounded"
    shown = run("solve", "--team", "iron", "--against", "storm", "--time-limit", ".001s").stdout
    assert "Stopped: bounds that are proved" in shown
    assert "somewhere between" in " ".join(shown.split())


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
    wrong = ("--thresholds", "--horizon", "match")
    assert "to the end of the wave" in run(*words, *wrong, exit_code=2).output


def test_T1_teams_that_may_play_and_why_others_may_not() -> None:
    report = checked("teams")
    assert (len(report["teams"]), report["without_discount"]) == (199, 123)
    named = checked("teams", "Pathogenesis", "Bastion", "Tempest")
    assert {(each["points"], each["discount"]) for each in named["teams"]} == {(12, 2)}
    assert "7 too many" not in run("teams", "Runt", "Scrap", "Acolyte").stdout
    assert "no 1 more gladiator make it 10" in " ".join(
        run("teams", "Runt", "Scrap", "Acolyte").stdout.split()
    )
    assert "1 too many" in run("teams", "Bastion", "Tempest", "G'frhtru").stdout
    assert "is there twice" in run("teams", "Runt", "runt", exit_code=2).output
    assert "did you mean runt?" in run("teams", "Rnt", exit_code=2).output


def test_T3_decks_are_checked() -> None:
    report = checked("deck", "check", "iron")
    assert (report["legal"], report["size"], report["by_type"]["pump"]) == (True, 51, 12)
    cards = ("deck", "check", "--team", "Tempest, G'frhtru, Saw-Hand, Scrap", "--cards")
    wrong = run(*cards, "hex 3, veil 4, toxin", exit_code=1).stdout
    for said in ("4 copies of veil", "8 cards", "Toxin: nobody of the team has the discipline"):
        assert said in wrong
    assert "did you mean hex?" in run(*cards, "hexx 3", exit_code=2).output
    assert "give --team and --cards" in run("deck", "check", exit_code=2).output


def test_the_horizon_may_be_the_match() -> None:
    words = ("solve", "--team", "Runt w2", "--against", "Acolyte w1, Scrap w4", "--wave", "4")
    last = ("--set", "match.extra_waves=0")
    wave = checked(*words, *last, "--objective", "result")
    match = checked(*words, *last, "--horizon", "match")
    assert (match["horizon"], match["exactness"], match["low"]["result"]) == (
        "match",
        "exact",
        wave["low"]["result"],
    )
    found = {each["action"]: each["low"]["result"] for each in match["actions"]}
    assert found == {each["action"]: each["low"]["result"] for each in wave["actions"]}
    longer = checked(*words, "--horizon", "match")
    assert longer["low"]["result"] <= longer["high"]["result"]


def test_duels_are_antisymmetric_and_rank_the_gladiators() -> None:
    names = ("Tempest", "G'frhtru", "Runt", "Scrap")
    report = checked("duel", *names, "--set", "match.extra_waves=0", "-q")
    assert (report["complete"], len(report["duels"])) == (True, 12)
    results = {(duel["gladiator"], duel["against"]): duel for duel in report["duels"]}
    for (one, other), duel in results.items():
        swapped = results[other, one]
        assert duel["low"] == [-high for high in reversed(swapped["high"])]
    assert report["wins"] == sorted(report["wins"], reverse=True)
    assert results["Tempest", "G'frhtru"]["low"] == [1, 1]
    shown = run("duel", *names, "--set", "match.extra_waves=0", "-q").stdout
    assert "? where a die decides" in " ".join(shown.split())
    assert "two different" in run("duel", "Runt", "runt", exit_code=2).output


WORTH = ("worth", "--positions", "12", "-q")


def test_what_changes_are_worth_is_the_same_however_many_work_at_it() -> None:
    report = checked(*WORTH)
    again = checked(*WORTH, "--jobs", "2")
    assert {**report, "timing": 0} == {**again, "timing": 0}
    assert report["positions"] == report["asked"] == 12
    assert [each["change"] for each in report["changes"]] == ["momentum", "cheer", "level"]
    stood = sum(each["points"]["observations"] for each in report["gladiators"])
    assert 0 < stood <= 4 * 12


def test_gains_are_those_of_the_positions_solved_one_by_one() -> None:
    rules = load_rules()
    drawn = Drawn(rules, 1, rules.match.waves, 3)
    report = function_of(GAME.question("worth"))(size=1, seed=3, positions=8)
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


MATCH = ("solve", "--team", "Thorn", "--against", "Whisper w3", "--wave", "3", "--horizon", "match")


def test_a_match_is_proved_to_its_end_and_larger_teams_are_refused() -> None:
    report = checked(*MATCH, "--set", "match.extra_waves=0")
    assert (report["horizon"], report["objective"], report["exactness"]) == ("match", "result", "exact")
    shown = run(*MATCH, "--set", "match.extra_waves=0").stdout
    assert "to the end of the match" in " ".join(shown.split())
    refused = run("solve", "--team", "iron", "--against", "storm", "--horizon", "match", exit_code=2)
    assert "proved for 2 at most" in " ".join(refused.stderr.split())


def test_an_attack_may_be_answered_with_the_whole_match_in_mind() -> None:
    words = ("--pending", "Thorn > Whisper", "--set", "match.extra_waves=0")
    report = checked(*MATCH, *words)
    assert report["decides"] == "against"
    assert report["actions"][0]["best"]


EXCHANGE = (
    *("response", "--team", "Thorn w5, Whisper w3 L2", "--against", "Understudy w3 L3, G'frhtru w9 L2"),
    *("--wave", "3", "--cheer", "3:1", "--attack", "Thorn > G'frhtru"),
)


def _alone(card: str, copies: int) -> Any:
    pool = f"{card} {copies}, other {1 - copies}"
    return checked(*EXCHANGE, "--hidden", pool, "--hidden-cards", "1")


def test_an_attack_into_a_hidden_hand_is_weighed() -> None:
    report = checked(*EXCHANGE, "--hidden", "hex 3, sidestep 3, other 45")
    assert report["nash_conv"] < 1e-6
    assert report["value"] == pytest.approx(max(report["attack_value"], report["otherwise"]))
    assert report["open_value"] >= report["value"] - 1e-9
    assert {each["card"] for each in report["thresholds"]} == {"Hex", "Sidestep"}
    found = []
    for each in report["thresholds"]:
        assert each["held"] == pytest.approx(1 - comb(48, 7) / comb(51, 7))
        without, sure = (_alone(each["card"], copies) for copies in (0, 1))
        # There is nothing to decide but whether to play it, so values lie on a line.
        line = (without["attack_value"] - without["otherwise"]) / (
            without["attack_value"] - sure["attack_value"]
        )
        found.append(each["wrong_from"])
        assert found[-1] == (None if line >= 1 else pytest.approx(line, abs=1e-6))
    assert any(found)
    shown = run(*EXCHANGE, "--hidden", "storm").stdout
    assert len(shown.splitlines()) <= 30
    assert "Exact for this attack" in shown


def test_both_hands_may_be_hidden_and_then_a_mix_is_an_equilibrium() -> None:
    words = ("--hidden", "hex 3, sidestep 3, other 45", "--own", "blood-up 3, other 20", "--own-cards", "4")
    report = checked(*EXCHANGE, *words)
    assert report["nash_conv"] < 1e-6
    assert report["value"] >= max(report["attack_value"], report["otherwise"]) - 1e-9
    for decision in report["decisions"]:
        assert sum(decision["mix"].values()) == pytest.approx(1, abs=1e-5)


@pytest.mark.kernels
def test_matches_are_played_kept_and_played_on(tmp_path: Path) -> None:
    words = ("match", "--player", "greedy", "--player", "random", "--seed", "5", "-q")
    report = checked(*words, "--deals", "32")
    assert (report["plays"], report["complete"]) == (64, True)
    assert report["sides"][0]["won"]["low"] > 0.8
    keep = tmp_path / "match.jsonl"
    once = checked(*words, "--deals", "32", "--keep", str(keep))
    # Cut short by a kill: a whole part is taken, half a line is not.
    keep.write_text(keep.read_text() + "[32, [[1.0")
    again = checked(*words, "--deals", "34", "--keep", str(keep))
    assert (once["sides"], again["deals"]) == (report["sides"], 34)
    assert "--keep" in run(*words, "--deck", "brood", "--keep", str(keep), exit_code=2).output


@pytest.mark.kernels
def test_a_match_is_played_at_the_terminal() -> None:
    words = ["play", "--opponent", "greedy", "--seed", "3", "--no-costs"]
    moves = ["help hex", "nonsense", "u", "any", "u"]
    typed = "\n".join([*moves, *["any"] * 400])
    once = CliRunner().invoke(ophidian, words, input=typed, prog_name="ophidian")
    assert once.exit_code == 0, once.output[-2000:]
    for said in ("is none of these moves", "taken back", "nothing to take back", "Your hand:"):
        assert said in once.output
    assert once.output.rstrip().endswith(("They win.", "You win.", "Nobody wins."))
    assert CliRunner().invoke(ophidian, words, input=typed, prog_name="ophidian").output == once.output
    left = CliRunner().invoke(ophidian, words, input="q\n", prog_name="ophidian")
    assert left.exit_code == 1
    assert "did you mean greedy?" in run("play", "--opponent", "greedi", exit_code=2).output


def test_the_chance_to_win_the_match_is_called_an_estimate() -> None:
    words = ("solve", "--team", "Thorn, Runt w1", "--against", "Tempest, Scrap@S", "--wave", "2")
    report = checked(*words, "--objective", "match")
    assert (report["objective"], report["exactness"]) == ("match", "exact")
    assert 0 < report["low"]["chance"] < 1
    assert max(each["low"]["chance"] for each in report["actions"]) == report["low"]["chance"]
    assert "fitted" in report["estimate"]
    shown = " ".join(run(*words, "--objective", "match").stdout.split())
    assert "this is an estimate" in shown
    assert "the team wins the match with a chance of" in shown
    other = run(*words, "--objective", "match", "--set", "match.riot=12", exit_code=2)
    assert "ophidian train FILE" in " ".join(other.stderr.split())
    assert "is proved" in run(*words, "--objective", "match", "--horizon", "match", exit_code=2).stderr
    values = ("--values", __file__)
    assert "--objective match" in run(*words, *values, exit_code=2).stderr
    assert "no file of values" in run(*words, "--objective", "match", *values, exit_code=2).stderr


@pytest.mark.kernels
def test_values_are_learned_and_played_by(tmp_path: Path) -> None:
    path = tmp_path / "values.npz"
    train = ("train", str(path), "--plays", "80")
    said = run(*train, "--seed", "3", "-q").stdout
    assert "80 plays, seed 3" in " ".join(said.split())
    written = path.read_bytes()
    assert checked(*train, "--seed", "3")["plays"] == 80
    assert path.read_bytes() == written, "what is there already is not learned again"
    assert "--force writes over it" in " ".join(run(*train, exit_code=2).stderr.split())
    path.with_suffix(".txt").write_text("no values")
    other = run("train", str(path.with_suffix(".txt")), exit_code=2)
    assert "--force writes over it" in " ".join(other.stderr.split())
    played = ("match", "--player", "values", "--player", "random", "--deals", "2", "-q")
    report = checked(*played, "--values", str(path))
    assert report["plays"] == 4
    own = ("--set", "match.riot=12")
    assert "other rules" in " ".join(run(*played, *own, "--values", str(path), exit_code=2).stderr.split())
    assert "ophidian train FILE" in " ".join(run(*played, *own, exit_code=2).stderr.split())

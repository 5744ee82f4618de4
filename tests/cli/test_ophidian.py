"""`ophidian`: parts of its answers against each other, swapped sides, positions solved alone, as files."""

from __future__ import annotations

import json
from dataclasses import replace
from math import comb
from pathlib import Path
from typing import Any

import pytest

from analysis.ophidian.exporting import exchange_tree, wave_graph, wave_tree
from analysis.ophidian.fights import announced_attack, position, solve
from analysis.ophidian.response_game import Hidden, ResponseQuestion, parse_pool
from analysis.ophidian.responses import solved
from engine.ophidian.rules import load_rules
from solver.exact_sequence_form import solve_exactly
from solver.sequence_form import solve_sequence_form
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


SMALL = (
    ("Runt w4", "Scrap w4 set", {"wave": 4, "cheer": "1:1"}),
    ("Runt w4", "Scrap w3", {"wave": 3, "cheer": "2:0", "momentum": "against"}),
    ("Thorn w5, Runt w5", "Scrap w5", {"wave": 4, "cheer": "0:13"}),
)


@pytest.mark.parametrize(("team", "against", "further"), SMALL)
def test_trees_and_graphs_are_worth_what_is_proved(team: str, against: str, further: Any) -> None:
    asked = position(team, against, **further)
    proved = solve(asked)
    worth = proved.low.result * asked.rules.match.winning_points or proved.low.points
    tree = wave_tree(asked, "points", 10_000)
    assert solve_exactly(tree).value == worth
    nodes = wave_graph(asked, "points", 10_000)["nodes"]
    assert [node["number"] for node in nodes] == list(range(len(nodes)))
    values: dict[int, int] = {}

    def value(number: int) -> int:
        if number not in values:
            node = nodes[number]
            best = {"team": max, "against": min}.get(node["decides"])
            values[number] = (
                node["payoff"] if best is None else best(value(move["to"]) for move in node["moves"])
            )
        return values[number]

    assert value(0) == worth
    results = wave_tree(asked, "result", 10_000)
    assert solve_exactly(results).value == solve(asked, objective="result").low.result


STATE = ("Thorn w5, Whisper w3 L2", "Understudy w3 L3, G'frhtru w9 L2")


ANSWERED = (
    *("--team", STATE[0], "--against", STATE[1], "--wave", "3", "--cheer", "3:1"),
    *("--attack", "Thorn > G'frhtru"),
)


def _question(hidden: str, own: str = "other") -> ResponseQuestion:
    rules = load_rules()
    asked = position(*STATE, wave=3, cheer="3:1")
    pools = parse_pool(rules, own, "--own"), parse_pool(rules, hidden, "--hidden")
    mine, theirs = (Hidden(pool, min(3, sum(copies for _, copies in pool)), resources=14) for pool in pools)
    return ResponseQuestion(asked, announced_attack(asked, "Thorn > G'frhtru", "--attack"), (mine, theirs))


def test_an_exchange_is_exported_in_words(tmp_path: Path) -> None:
    question = _question("hex 3, sidestep 3, other 45", "dread 2, other 9")
    tree = exchange_tree(question, 100_000)
    report = solved(question)
    assert solve_sequence_form(tree).value == pytest.approx(report.value)
    said = {str(label) for label in (*tree.node_labels, *tree.slot_labels, *tree.infoset_keys)}
    assert not any("Move(" in each or "Fighter(" in each for each in said)
    assert {"attack", "Hex", "takes it"} <= said
    path = tmp_path / "exchange.efg"
    run("export", "--to", "response", *ANSWERED, "--hidden", "hex 3, sidestep 3, other 45", "-o", str(path))
    assert path.read_text().startswith('EFG 2 R "Thorn > G\'frhtru"')
    assert "fewer kinds" in run(
        *("export", "--to", "response", *ANSWERED, "--hidden", "iron", "--max-nodes", "9", "-o", str(path)),
        exit_code=1,
    ).output.replace("\n", " ")


def test_cards_that_cannot_answer_the_attack_count_as_others() -> None:
    # Blood Up answers one's own attack, Sidestep one on oneself; Last Stand asks for a warrior of level 2.
    mixed = solved(_question("hex 3, blood-up 3, last-stand 1, other 44", "sidestep 2, other 9"))
    plain = solved(_question("hex 3, last-stand 1, other 47"))
    assert mixed.idle == [["Sidestep"], ["Blood Up"]]
    assert {each.card for each in mixed.thresholds} == {"Hex", "Last Stand"}
    assert mixed.value == pytest.approx(plain.value)
    assert mixed.pools[1]["blood-up"] == 3
    asked = _question("hex 3, other 44")
    poor = replace(asked, hidden=(asked.hidden[0], replace(asked.hidden[1], resources=1)))
    report = solved(poor)
    assert (report.idle[1], report.thresholds) == (["Hex"], [])
    shown = " ".join(run("solve", *ANSWERED, "--hidden", "hex 3, blood-up 3, other 45").stdout.split())
    assert "cannot answer this attack: the defender's Blood Up." in shown

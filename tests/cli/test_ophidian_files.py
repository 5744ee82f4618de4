"""`ophidian export`: fights for other programs."""

from __future__ import annotations

from dataclasses import replace
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

run = runner("ophidian")

pytestmark = pytest.mark.kernels


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
EXCHANGE = (
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
    run("export", "--to", "response", *EXCHANGE, "--hidden", "hex 3, sidestep 3, other 45", "-o", str(path))
    assert path.read_text().startswith('EFG 2 R "Thorn > G\'frhtru"')
    assert "fewer kinds" in run(
        *("export", "--to", "response", *EXCHANGE, "--hidden", "iron", "--max-nodes", "9", "-o", str(path)),
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
    shown = " ".join(run("solve", *EXCHANGE, "--hidden", "hex 3, blood-up 3, other 45").stdout.split())
    assert "cannot answer this attack: the defender's Blood Up." in shown

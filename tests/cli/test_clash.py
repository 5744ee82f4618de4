"""`clash solve`, `tactic` and `balance`: the parts of answers agree; what is refused; battles as files."""

from __future__ import annotations

import csv
import io
import json
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from analysis.clash.game import GAME
from cli.programs import program_of
from solver.efg_reader import constant_sum_game, parse_efg
from solver.exact_sequence_form import solve_exactly
from tests.cli.running import runner

SMALL = "--attacker 'bohorg: 2 Pummeler, 1 Executioner' --defender 'elves: 2 Templar'"


TACTIC = "tactic --clan bohorg --clan tomb"


pytestmark = pytest.mark.kernels


run = runner("clash")


def checked(line: str) -> Any:
    """The answer to a line, which is of its question's schema."""
    words = shlex.split(line)
    report = json.loads(run(*words, "--format", "json", "-q").stdout)
    jsonschema.Draft202012Validator(GAME.question(words[0]).schema()).validate(report)
    return report


def rows_of(line: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(run(*shlex.split(line), "--format", "csv").stdout)))


def one_line(text: str) -> str:
    return " ".join(text.split())


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


@pytest.mark.parametrize("most", ["5 I, 2 III", "7 I", "5 I, 3 III"])
def test_what_is_all_but_certain_is_not_called_certain(most: str) -> None:
    line = f"solve --attacker 'bohorg: {most}' --defender 'elves: 2 Templar' --chance 1"
    report = checked(line)
    assert all(army["win"] == 1.0 for army in report["needed"])
    assert bool(report["needed"]) == (report["best"]["win"] == 1.0)
    if not report["needed"]:
        assert "with >99.99 %." in one_line(run(*shlex.split(line)).stdout)


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


clash = program_of("clash")


TINY = ("--attacker", "bohorg: 1 III", "--defender", "elves: 1 Elder", "--rage", "3,3")


def test_a_battle_as_a_tree_and_what_is_too_large_for_one(tmp_path: Path) -> None:
    path = tmp_path / "battle.efg"
    run("export", "--to", "efg", *TINY, "-o", str(path))
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith('EFG 2 R "bohorg: 1 Executioner against elves: 1 High Elder"')
    assert sum(line.startswith("t ") for line in lines) > 5
    tree, constant = constant_sum_game(parse_efg(path.read_text(encoding="utf-8")))
    assert constant == (0, 0)
    exact = json.loads(run("solve", "--fraction", *TINY, "--format", "json").stdout)["fraction"]
    assert solve_exactly(tree).value == Fraction(exact)
    refused = run("export", "--to", "efg", *TINY[:-2], "--max-nodes", "100", "-o", str(path), exit_code=1)
    assert "clash export --to graph writes each once" in one_line(refused.output)


def played(typed: str, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(clash, ["play", *words], input=typed, prog_name="clash")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


BOTH = (
    *("--clan", "bohorg", "--clan", "tomb", "--tiles", "first", "--seed", "7"),
    *("--opponent", "rule", "--no-costs"),
)


def test_a_number_never_means_two_things() -> None:
    assert "You: card 1: 4 gold, 2 Pummeler." in played("1\nq\n", *BOTH)[1]
    code, output = played("11\ncard 11\nq\n", *BOTH)
    assert "moves have the numbers 1 to 3" in output
    assert "You: card 11: 3 gold" in output
    assert code == 0
    # The card of order 2 stands in the first line, and others have two figures of something.
    words = ("--clan", "steamfield", "--solo", "easy", "--no-costs", "--seed", "0")
    assert "You: card 2: 5 gold" in played("card 2\nq\n", *words)[1]
    assert "You: card 2: 5 gold" not in played("2\nq\n", *words)[1]

"""`clash export`, `clash play`: a battle as a tree, games at the terminal."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.programs import program_of
from solver.efg_reader import constant_sum_game, parse_efg
from solver.exact_sequence_form import solve_exactly
from tests.cli.test_clash import one_line, run

pytestmark = pytest.mark.kernels

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


# -- whole games ----------------------------------------------------------------------------------------


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

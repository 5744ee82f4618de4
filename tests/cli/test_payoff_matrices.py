"""`--matrix`: pay-offs of matches and balances as CSV and `.nfg`, which `arena solve` reads back."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from analysis.payoff_matrices import PayoffMatrix, against_each, csv_text, nfg_text
from arena_solver import arena
from cli.programs import program_of
from solver.nfg_reader import parse_nfg

BALANCE = ("clash", "balance", "--points", "2", "--battles", "0", "-q")
MATCHES: dict[str, tuple[str, ...]] = {
    "clash": (
        *("clash", "match", "--player", "rule", "--player", "random", "--deals", "2"),
        *("--clan", "bohorg", "--clan", "tomb", "-q"),
    ),
    "ophidian": ("ophidian", "match", "--player=greedy", "--player=random", "--deals", "2", "-q"),
    "warage": ("warage", "match", "orc-warrior", "elf-mage", "--deals", "50", "-q"),
    "raverun": ("raverun", "match", "--player", "greedy", "--player", "random", "--deals", "20", "-q"),
    "ragers": ("ragers", "match", "--player", "greedy", "--player", "random", "--deals", "20", "-q"),
}


def run(*words: str, exit_code: int = 0) -> Result:
    program, *rest = words
    command = program_of(program)
    result = CliRunner().invoke(command, rest, prog_name=program)
    assert result.exit_code == exit_code, result.output
    return result


def cells(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_a_matrix_as_csv_and_as_nfg() -> None:
    payoffs = [[0.1, 1.0, 0], [1e-7, 0.5, 1]]
    matrix = PayoffMatrix('say "hi"', ("A", "B"), ["x", "y"], ["u", "v", "w"], payoffs)
    assert csv_text(matrix) == ",u,v,w\nx,0.1,1.0,0\ny,1e-07,0.5,1\n"
    game = parse_nfg(nfg_text(matrix))
    assert game.strategies == [["x", "y"], ["u", "v", "w"]]
    assert [float(first) for first, _ in game.payoffs] == [0.1, 1e-7, 1.0, 0.5, 0, 1]
    assert {sum(pair) for pair in game.payoffs} == {1}


def test_who_plays_itself_gets_half_by_design() -> None:
    matrix = against_each("", "a", [("b", 0.75), ("a", 0.4), ("c", None)])
    assert matrix.rows == matrix.columns == ["a", "b", "c"]
    assert matrix.payoffs == [[0.5, 0.75, None], [0.25, 0.5, None], [None, None, 0.5]]
    assert not matrix.complete
    assert against_each("", "a", [("b", 3.0)], total=0.0).payoffs == [[0, 3], [-3, 0]]


@pytest.mark.kernels
def test_the_matrix_of_a_clash_balance_is_the_one_of_the_report(tmp_path: Path) -> None:
    path, game = tmp_path / "battles.csv", tmp_path / "battles.nfg"
    report = json.loads(run(*BALANCE, "--matrix", str(path), "--format", "json").stdout)
    head, *rows = cells(path)
    assert head[1:] == [row[0] for row in rows]
    assert [[float(cell) if cell else None for cell in row[1:]] for row in rows] == report["wins"]
    two = (*BALANCE, "--clan", "bohorg", "--clan", "tomb")
    report = json.loads(run(*two, "--matrix", str(game), "--format", "json").stdout)
    chosen = next(cell["chosen"] for cell in report["cells"] if cell["attacker"] == "bohorg")
    solved = arena.solve(file=game)
    assert solved.value == pytest.approx(chosen, abs=1e-9)
    assert (solved.constant_sum, solved.sum_deviation) == ("1", 0)
    assert "name two clans" in run(*BALANCE, "--matrix", str(game), exit_code=2).stderr


@pytest.mark.kernels
@pytest.mark.parametrize("name", MATCHES)
def test_the_matrix_of_a_match_has_both_players(name: str, tmp_path: Path) -> None:
    table, game = tmp_path / "players.csv", tmp_path / "players.nfg"
    run(*MATCHES[name], "--matrix", str(table))
    run(*MATCHES[name], "--matrix", str(game))
    head, *rows = cells(table)
    assert head[1:] == [row[0] for row in rows]
    numbers: Any = [[float(cell) for cell in row[1:]] for row in rows]
    assert numbers[0][0] == numbers[1][1] == (0 if name == "raverun" else 0.5)
    assert numbers[0][1] + numbers[1][0] == pytest.approx(2 * numbers[0][0])
    assert numbers[0][1] > numbers[0][0] or name == "warage"
    assert arena.solve(file=game).value == pytest.approx(numbers[0][0], abs=1e-9)

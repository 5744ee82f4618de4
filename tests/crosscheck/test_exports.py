"""Every file that is written for other programs, read back by Gambit and by OpenSpiel: the same values."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena_solver import arena
from cli.programs import program_of
from solver.efg_reader import constant_sum_game, parse_efg
from solver.extensive import expected_payoff, uniform_strategy
from solver.nfg_reader import parse_nfg, two_player_payoffs
from tests.oracles.peers import uniform_play_of

pytestmark = pytest.mark.crosscheck

OPEN_HANDS = ("--patron", "arianna", "--cheers", "two-bashers", "--hands", "BS | SP")
TREES: dict[str, tuple[str, ...]] = {
    "clash": (
        *("clash", "export", "--to", "efg", "--attacker", "bohorg: 1 III", "--defender", "elves: 1 Elder"),
        *("--rage", "3,3"),
    ),
    "clash-large-fractions": (
        *("clash", "export", "--to", "efg", "--attacker", "bohorg: 1 III", "--defender", "tomb: 1 I"),
        *("--rage", "3,3", "--set", "battle.hit=5/6", "--set", "clans.bohorg.units.executioner.power=12"),
    ),
    "ophidian-wave": (
        *("ophidian", "export", "--to", "efg", "--team", "Runt w4"),
        *("--against", "Scrap w4 set", "--wave", "4"),
    ),
    "ophidian-response": (
        *("ophidian", "export", "--to", "response", "--team", "Tempest, Scrap@S", "--against", "Thorn, Runt"),
        *("--attack", "Tempest > Thorn", "--hidden", "brood"),
    ),
    "warage-queue": (
        *("warage", "export", "--to", "queue", "orc/warrior:great-sword", "human/paladin", "--hp", "40"),
        *("--other-hp", "12"),
    ),
    "warage-duel": (
        *("warage", "export", "--to", "duel", "orc/warrior: war-axe, battle-cry"),
        "human/paladin: parry, negate",
        *("--start-hp", "6", "--other-start-hp", "6", "--turns", "2"),
    ),
    "ragers": ("ragers", "export", "--to", "efg", *OPEN_HANDS),
}
TABLES: dict[str, tuple[str, ...]] = {"ragers": ("ragers", "export", "--to", "nfg", *OPEN_HANDS)}
DECIMALS = ("clash-large-fractions", "warage-queue")
"""Exports with numbers beyond 32 bits."""
MOST_INFOSETS = 60
"""Gambit's linear program takes minutes for larger trees: of those uniform play alone is compared."""


def written(words: tuple[str, ...], path: Path) -> str:
    """Write a file, and return what was said of it."""
    program, *rest = words
    command = program_of(program)
    result = CliRunner().invoke(command, [*rest, "-o", str(path)], prog_name=program)
    assert result.exit_code == 0, result.output
    return result.stderr


@pytest.mark.parametrize("name", TREES)
def test_trees_have_the_same_values_in_the_hands_of_others(name: str, tmp_path: Path) -> None:
    pygambit = pytest.importorskip("pygambit")
    path = tmp_path / "game.efg"
    said = written(TREES[name], path)
    assert ("17 digits" in said) == (name in DECIMALS)
    game, total = constant_sum_game(parse_efg(path.read_text(encoding="utf-8")))
    assert total == (0, 0)
    uniform = expected_payoff(game, uniform_strategy(game))
    theirs = pygambit.read_efg(str(path))
    first = next(iter(theirs.players))
    assert float(theirs.mixed_behavior_profile().payoffs[first]) == pytest.approx(uniform, abs=1e-9)
    if game.num_infosets <= MOST_INFOSETS:
        equilibrium = pygambit.nash.lcp_solve(theirs, rational=False).equilibrium
        assert float(equilibrium.payoffs[first]) == pytest.approx(arena.solve(file=path).value, abs=1e-7)
    assert uniform_play_of(path)[1] == pytest.approx(uniform, abs=1e-9)


@pytest.mark.parametrize("name", TABLES)
def test_tables_have_the_same_values_in_the_hands_of_others(name: str, tmp_path: Path) -> None:
    pygambit, pyspiel = pytest.importorskip("pygambit"), pytest.importorskip("pyspiel")
    path, numbered = tmp_path / "game.nfg", tmp_path / "numbered.nfg"
    written(TABLES[name], path)
    written((*TABLES[name], "--numbered"), numbered)
    value = arena.solve(file=path).value
    theirs = pygambit.read_nfg(str(path))
    equilibrium = pygambit.nash.lp_solve(theirs, rational=True).equilibrium
    assert float(equilibrium.payoffs[next(iter(theirs.players))]) == pytest.approx(value, abs=1e-9)
    rows, columns = two_player_payoffs(parse_nfg(path.read_text(encoding="utf-8")))
    table = pyspiel.load_game(f"nfg_game(filename={numbered})")
    assert (table.num_rows(), table.num_cols()) == (len(rows), len(rows[0]))
    for row in range(len(rows)):
        for column in range(len(rows[0])):
            assert table.row_utility(row, column) == pytest.approx(float(rows[row][column]), abs=1e-12)
            assert table.col_utility(row, column) == pytest.approx(float(columns[row][column]), abs=1e-12)

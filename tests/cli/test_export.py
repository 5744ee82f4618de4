"""`ragers export`: files that other programs read, and what stands in them."""

from __future__ import annotations

import csv
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.ragers.answers import library
from analysis.ragers.day_tree import DayTree
from analysis.ragers.hands import parse_hand
from analysis.ragers.scenarios import PREPARATIONS, scenarios
from engine.ragers.reference import NOTHING, deciders, legal_actions, scores, start_day, step
from engine.ragers.rules import TYPES, load_rules
from solver.efg_reader import constant_sum_game, parse_efg
from solver.lp import solve_matrix_program
from solver.sequence_form import solve_sequence_form
from tests.oracles.games import ASYMMETRIC, SYMMETRIC, decks

DAY = ("--patron", "arianna", "--cheers", "two-bashers")


def payoffs(path: Path) -> list[list[Fraction]]:
    """Return what player 0 gets in an .nfg file, [plans of player 1][plans of player 0]."""
    lines = path.read_text(encoding="utf-8").splitlines()[5:]
    return [[Fraction(word) for word in line.split()[::2]] for line in lines]


def test_efg_is_the_oracle_tree(run: Any, tmp_path: Path) -> None:
    from solver.gambit import efg_lines

    game = SYMMETRIC[0]
    path = tmp_path / "tiny.efg"
    words = [word for override in game.overrides for word in ("--set", override)]
    result = run(
        "export", "--to", "efg", "--patron", game.patron, "--cheers", game.cheers[0], *words, "-o", str(path)
    )
    assert result.exit_code == 0, result.output
    assert f"{game.num_nodes} nodes" in result.stderr
    # All but the title and the names of the players.
    assert path.read_text(encoding="utf-8").splitlines()[1:] == list(efg_lines(game.tree()))[1:]


def test_last_stage_is_what_the_rules_pay(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "stage.nfg"
    words = (*DAY, "--hands", "B S S P C | B S P P V", "--history", "B/B; S/S; S/P")
    result = run("export", "--to", "nfg", *words, "-o", str(path))
    assert result.exit_code == 0, result.output
    # Left are P and C against P and V, one slot each. The Veteran's owner has one card to put on top.
    empty = (0,) * len(TYPES)
    state = start_day(
        load_rules(),
        "arianna",
        ["two-bashers"],
        preparation=False,
        decks=(empty, empty),
        hands=(parse_hand("B S S P C"), parse_hand("B S P P V")),
    )
    for move in ((0, 0), (1, 1), (1, 2)):
        state = step(state, move)
    table = payoffs(path)
    assert len(table[0]) == 2
    for column, mine in enumerate((2, 3)):
        for row, yours in enumerate((2, 7)):
            end = step(state, (mine, yours))
            while who := deciders(end):  # on top of Veterans, and of a Chancer that copies one
                tops = [legal_actions(end, player)[0] if player in who else NOTHING for player in (0, 1)]
                end = step(end, (tops[0], tops[1]))
            first, second = scores(end)
            assert table[row][column] == first - second


@pytest.mark.kernels
def test_value_of_a_whole_day_with_known_hands(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "day.nfg"
    words = ("--set", "match.row_length=2", "--patron", "the-nameless", "--cheers", "two-bashers")
    assert run("export", "--to", "nfg", *words, "--hands", "B S | B S", "-o", str(path)).exit_code == 0
    matrix = np.array([[float(amount) for amount in row] for row in payoffs(path)]).T
    assert solve_matrix_program(matrix).value == pytest.approx(0, abs=1e-9)  # the same hands
    assert matrix.shape[0] == matrix.shape[1]


TINY = (
    *("--patron", "the-nameless", "--cheers", "two-bashers", "--set", "match.hand_size=2"),
    *("--set", "match.row_length=2", *(word for deck in decks("BSS", "SPV") for word in ("--set", deck))),
)


@pytest.mark.parametrize("preparation", PREPARATIONS)
def test_the_profile_beside_a_tree_is_worth_what_is_said(run: Any, tmp_path: Path, preparation: str) -> None:
    path, profile = tmp_path / "tiny.efg", tmp_path / "tiny.csv"
    words = (*TINY, "--preparation", preparation, "-o", str(path), "--profile", str(profile))
    result = run("export", "--to", "efg", *words)
    assert result.exit_code == 0, result.output
    tree = parse_efg(path.read_text(encoding="utf-8"))
    game, _ = constant_sum_game(tree)
    value = re.search(r"value (\S+) to accusers", result.stderr)
    assert value is not None
    assert float(value[1]) == pytest.approx(solve_sequence_form(game).value, abs=1e-5)
    shares = [Fraction(word) for word in profile.read_text().split(",")]
    assert len(shares) == game.num_slots
    assert min(shares) >= 0


def test_strategies(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "openings.csv"
    words = ("--patron", "Solennos", "--cheers", "two-bashers", "--cheers", "two-slashers")
    assert run("export", "--to", "strategies", *words, "-o", str(path)).exit_code == 0
    rows = rows_in(path)
    for scenario in scenarios(load_rules(), ["solennos"], ["two-bashers", "two-slashers"], "redraw"):
        found = library.find(scenario)
        assert found is not None
        mine = [row for row in rows if row["cheers"] == scenario.cheers.id and row["player"] == "defenders"]
        for t, name in enumerate(TYPES):
            share = sum(float(row["reach"]) * float(row["opening"]) for row in mine if row["action"] == name)
            assert share == pytest.approx(found.entry.answer.opening_mix[1][t], abs=1e-6)
    assert {row["worth_gp"] for row in rows if row["action"] == "veteran"} <= {""}


def rows_in(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.crosscheck
@pytest.mark.parametrize("preparation", PREPARATIONS)
def test_gambit_reads_the_profile(run: Any, tmp_path: Path, preparation: str) -> None:
    pygambit = pytest.importorskip("pygambit")
    common = pytest.importorskip("pygambit.cli.common")
    path, starts = tmp_path / "tiny.efg", tmp_path / "tiny.csv"
    words = (*TINY, "--preparation", preparation, "-o", str(path), "--profile", str(starts))
    assert run("export", "--to", "efg", *words).exit_code == 0
    theirs = pygambit.read_efg(str(path))
    [profile] = common.read_behavior_profiles_csv(str(starts), theirs)
    ours, _ = constant_sum_game(parse_efg(path.read_text(encoding="utf-8")))
    assert float(profile.payoffs["accusers"]) == pytest.approx(solve_sequence_form(ours).value, abs=1e-9)
    assert float(profile.max_regret()) == pytest.approx(0, abs=1e-9)


def test_the_least_number_of_nodes_is_no_more_than_there_are() -> None:
    for game in (SYMMETRIC[0], ASYMMETRIC[0]):
        source = DayTree(load_rules(overrides=game.overrides), game.patron, game.cheers, game.preparation)
        assert 1 <= source.least_nodes() <= len(game.tree().node_player)

"""Reduced games of Raverun: exact values by two solvers, by hand, and by Gambit and OpenSpiel."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.raverun import exact_game
from engine.raverun.rules import load_rules
from solver.extensive import build_game
from solver.sequence_form import solve_sequence_form
from solver.tree_cfr import TreeCfrSettings, solve_tree_cfr
from tests.oracles.raverun_games import LARGE, SMALL, ReducedGame, tree
from tests.oracles.raverun_reference_tree import ExactGame

TOLERANCE = 1e-8  # of HiGHS
GAMES = [
    *(pytest.param(game, id=game.name) for game in SMALL),
    *(pytest.param(game, id=game.name, marks=pytest.mark.slow) for game in LARGE),
]
PEER_GAMES = [pytest.param(game, id=game.name) for game in SMALL if game.num_nodes < 1_300]


@pytest.mark.parametrize("game", GAMES)
def test_linear_program_and_cfr_find_the_same_value(game: ReducedGame) -> None:
    built = tree(game)
    assert built.num_nodes == game.num_nodes
    solution = solve_sequence_form(built)
    assert solution.value == pytest.approx(game.value, abs=1e-6)
    assert solution.nash_conv <= TOLERANCE
    result = solve_tree_cfr(built, TreeCfrSettings(max_iterations=20_000, target_nash_conv=1e-3))
    assert result.converged
    assert abs(result.value - game.value) <= result.nash_conv + TOLERANCE
    own, opp = result.best_response_values
    assert -opp - TOLERANCE <= game.value <= own + TOLERANCE


@pytest.mark.kernels
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("game", PEER_GAMES)
def test_the_compiled_tree_is_that_of_the_reference(game: ReducedGame, whole: bool) -> None:
    source = game.source(whole=whole)
    reference = build_game(source)
    compiled = build_game(exact_game.ExactGame(game.rules(), source.deals, whole=whole))
    for name in (
        *("node_player", "parent", "num_children", "node_infoset", "incoming_slot", "last_slot"),
        *("chance_probability", "payoff", "level_start", "infoset_player", "parent_slot", "first_slot"),
    ):
        np.testing.assert_array_equal(getattr(compiled, name), getattr(reference, name), err_msg=name)
    for name in ("infoset_keys", "slot_labels", "node_labels"):
        assert list(map(str, getattr(compiled, name))) == list(map(str, getattr(reference, name)))


@pytest.mark.parametrize("name", ["even", "exchange-shuffle"])
def test_what_leaves_no_choice_does_not_matter(name: str) -> None:
    [game] = [game for game in SMALL if game.name == name]
    whole = build_game(game.source(whole=True))
    assert whole.num_nodes > game.num_nodes
    assert solve_sequence_form(whole).value == pytest.approx(game.value, abs=TOLERANCE)


def test_P2_by_hand_without_actions_the_lowest_card_loses() -> None:
    """Four cards, two each, no card acts: first cards, then one clash, whose loser has its card on top.

    Chosen first, the lowest card stays below: its owner's other card, if it loses the clash, is below the
    card that won, and the opponent chooses so that its own top is higher. Played later, it loses the clash
    and lies on top, below anything.
    """
    rules = load_rules(
        overrides=[
            "match.characters=2",
            "match.letters=2",
            "match.hand_size=2",
            "colours.green.acts_on=nowhere",
        ]
    )
    for hands in (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))):
        assert solve_sequence_form(build_game(ExactGame(rules, [hands]))).value == pytest.approx(-1.0)
        assert solve_sequence_form(build_game(ExactGame(rules, [hands[::-1]]))).value == pytest.approx(1.0)


def test_changing_seats_changes_the_sign() -> None:
    [game] = [game for game in SMALL if game.name == "deploy-recall"]
    source = game.source()
    swapped = ExactGame(game.rules(), [(second, first) for first, second in source.deals])
    assert solve_sequence_form(build_game(swapped)).value == pytest.approx(-game.value, abs=TOLERANCE)

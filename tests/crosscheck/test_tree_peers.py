"""Exported trees in the hands of Gambit and OpenSpiel: same sizes, same values, and our strategies measured
by them."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import pytest

from solver.extensive import CHANCE, ExtensiveGame, GameSource, build_game, expected_payoff
from solver.sequence_form import solve_sequence_form
from solver.tree_best_response import exploitability
from solver.tree_cfr import TreeCfrSettings, solve_tree_cfr
from tests.games.goofspiel import Goofspiel
from tests.games.kuhn import Kuhn
from tests.games.leduc import Leduc
from tests.games.liars_dice import LiarsDice
from tests.games.random_game import RandomGame
from tests.oracles.peers import strategy_of, write_efg

pytestmark = pytest.mark.crosscheck

GAMES: dict[str, GameSource[Any]] = {
    "kuhn": Kuhn(),
    "leduc": Leduc(),
    "goofspiel-3": Goofspiel(3),
    "goofspiel-4": Goofspiel(4, shuffled=False),
    "liars-dice": LiarsDice(3),
    "lopsided": Goofspiel(3, hands=((3, 2, 1), (4, 2, 1))),
    "random-1": RandomGame(1, depth=5),
    "random-2": RandomGame(2, depth=6),
}


def exported(name: str, directory: Path) -> tuple[ExtensiveGame, Path]:
    game = build_game(GAMES[name])
    path = directory / f"{name}.efg"
    write_efg(game, path)
    return game, path


@pytest.mark.parametrize(
    "name", [name for name in GAMES if name not in ("leduc", "goofspiel-4", "liars-dice")]
)
def test_gambit_finds_an_equilibrium_of_the_same_value(name: str, tmp_path: Path) -> None:
    pygambit = pytest.importorskip("pygambit")
    game, path = exported(name, tmp_path)
    theirs = pygambit.read_efg(str(path))
    assert theirs.is_perfect_recall
    assert sum(len(theirs.get_infosets(player)) for player in theirs.players) == game.num_infosets
    strategy = strategy_of(game, pygambit.nash.lp_solve(theirs, rational=False).equilibrium)
    assert exploitability(game, strategy).nash_conv == pytest.approx(0.0, abs=1e-8)
    assert expected_payoff(game, strategy) == pytest.approx(solve_sequence_form(game).value, abs=1e-8)


def test_gambit_finds_the_exact_fraction_of_kuhn(tmp_path: Path) -> None:
    pygambit = pytest.importorskip("pygambit")
    _, path = exported("kuhn", tmp_path)
    equilibrium = pygambit.nash.lp_solve(pygambit.read_efg(str(path)), rational=True).equilibrium
    assert str(equilibrium.payoffs["Player 0"]) == "-1/18"


def walk(game: ExtensiveGame, state: Any) -> dict[str, int]:
    """Walk both trees side by side, compare every node, and return our infoset for each of their infosets'
    names."""
    infoset_of_name: dict[str, int] = {}
    stack: list[tuple[int, Any]] = [(0, state)]
    while stack:
        node, state = stack.pop()
        children = range(game.first_child[node], game.first_child[node] + game.num_children[node])
        if state.is_terminal():
            assert len(children) == 0
            assert state.returns()[0] == pytest.approx(game.payoff[node], abs=1e-12)
            assert state.returns()[1] == pytest.approx(-game.payoff[node], abs=1e-12)
            continue
        names: dict[Hashable, int] = {}
        if state.is_chance_node():
            assert game.node_player[node] == CHANCE
            for action, probability in state.chance_outcomes():
                names[state.action_to_string(action)] = action
                child = children[len(names) - 1]
                assert probability == pytest.approx(game.chance_probability[child], abs=1e-12)
        else:
            assert state.current_player() == game.node_player[node]
            name = state.information_state_string()
            assert infoset_of_name.setdefault(name, int(game.node_infoset[node])) == game.node_infoset[node]
            names = {state.action_to_string(action): action for action in state.legal_actions()}
        assert len(names) == len(children)
        stack.extend((child, state.child(names[str(game.node_labels[child])])) for child in children)
    assert len(set(infoset_of_name.values())) == len(infoset_of_name) == game.num_infosets
    return infoset_of_name


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_walks_the_same_tree_and_finds_our_strategy_unexploitable(
    name: str, tmp_path: Path
) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, path = exported(name, tmp_path)
    theirs = pyspiel.load_game(f"efg_game(filename={path})")
    infoset_of_name = walk(game, theirs.new_initial_state())
    for strategy in (
        solve_sequence_form(game).strategy,
        solve_tree_cfr(game, TreeCfrSettings(max_iterations=50)).strategy,
    ):
        policy = {}
        stack = [theirs.new_initial_state()]
        while stack:
            state = stack.pop()
            if not state.is_terminal() and not state.is_chance_node():
                infoset = infoset_of_name[state.information_state_string()]
                slots = range(game.first_slot[infoset], game.first_slot[infoset + 1])
                probability = {str(game.slot_labels[slot]): float(strategy[slot]) for slot in slots}
                policy[state.information_state_string()] = [
                    (action, probability[state.action_to_string(action)]) for action in state.legal_actions()
                ]
            stack.extend(state.child(action) for action in state.legal_actions())
        nash_conv = pyspiel.nash_conv(theirs, pyspiel.TabularPolicy(policy), False)
        assert nash_conv == pytest.approx(exploitability(game, strategy).nash_conv, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "their_name"),
    [
        ("kuhn", "kuhn_poker"),
        ("leduc", "leduc_poker"),
        (
            "goofspiel-4",
            "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=4,points_order=descending,"
            "returns_type=point_difference))",
        ),
        ("liars-dice", "liars_dice(dice_sides=3)"),
    ],
)
def test_openspiel_cfr_on_its_own_games_agrees(name: str, their_name: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    value = solve_sequence_form(build_game(GAMES[name])).value
    theirs = pyspiel.load_game(their_name)
    solver = pyspiel.CFRPlusSolver(theirs)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    nash_conv = pyspiel.nash_conv(theirs, policy, False)
    expected = pyspiel.expected_returns(theirs.new_initial_state(), policy, -1, False)
    assert nash_conv < 0.02
    assert abs(expected[0] - value) <= nash_conv

"""Duels reduced until a tree solver takes them: exact values, and the sampling code beside them."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.errors import RefusedError, RequestError
from analysis.warage.positions import Hero
from analysis.warage.reduced_duel import ReducedDuel, Reduction, duel_tree, reduced_setup
from engine.protocol import CHANCE
from engine.warage.reference_state import Setup
from engine.warage.rules import load_rules
from solver.extensive import ExtensiveGame, FloatArray, expected_payoff, uniform_strategy
from solver.sequence_form import solve_sequence_form
from solver.tree_best_response import exploitability

HEROES = (
    Hero("orc", "warrior", {"war-axe": 1, "battle-cry": 1}),
    Hero("human", "paladin", {"parry": 1, "negate": 1}),
)


def tiny_setup(heroes: tuple[Hero, Hero] = HEROES, turns: int = 2) -> Setup:
    overrides = Reduction(hp=(6, 3), turns=turns).overrides(load_rules(), ("orc", "human"))
    return reduced_setup(load_rules(overrides=overrides), heroes)


def test_a_duel_is_solved_exactly() -> None:
    game = duel_tree(tiny_setup())
    solved = solve_sequence_form(game)
    assert solved.nash_conv < 1e-9
    assert exploitability(game, solved.strategy).nash_conv < 1e-9
    assert -1 <= solved.value <= 1


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(RequestError, match="cards"):
        tiny_setup((HEROES[0], Hero("human", "paladin")))
    with pytest.raises(RefusedError, match="more than 50 nodes"):
        duel_tree(tiny_setup(), 50)


@pytest.mark.kernels
def test_sampled_plays_have_the_value_of_the_tree() -> None:
    """Everybody moves at random: the tree of the reference, and plays of the sampling code."""
    from engine.warage.sampling import sampling_tables
    from solver.sampling.head_to_head import play_matches
    from solver.sampling.policy import uniform_policy

    made = tiny_setup()
    game = duel_tree(made)
    exact = expected_payoff(game, uniform_strategy(game))
    tables = sampling_tables(made.rules, made, sales_below=-1)
    found = play_matches(tables, uniform_policy(), uniform_policy(), num_deals=20_000, seats=(0,))
    assert abs(found.mean - exact) < 4 * found.standard_error


def trained_on_tree(made: Setup, iterations: int) -> tuple[ExtensiveGame, FloatArray]:
    """External sampling on the game of the kernels; what it came to as a strategy of the reference's tree."""
    from engine.warage.codec import encode
    from engine.warage.sampling import NUM_WORDS, go_on, sampling_tables
    from solver.sampling.external_sampling import train_external_sampling

    tree, source = duel_tree(made), ReducedDuel(made)
    game = sampling_tables(made.rules, made, sales_below=-1)
    table = train_external_sampling(game, iterations=iterations).table
    strategy = uniform_strategy(tree)
    words, work = np.zeros(game.state_words, np.int64), np.zeros(game.work_words, np.int64)
    nodes = [(0, source.root())]
    while nodes:
        number, node = nodes.pop()
        if source.is_terminal(node):
            continue
        chance = source.player(node) == CHANCE
        actions = [label for label, _ in source.chance_outcomes(node)] if chance else source.actions(node)
        first = int(tree.first_child[number])
        nodes += [(first + place, source.child(node, action)) for place, action in enumerate(actions)]
        if chance:
            continue
        words[:NUM_WORDS] = encode(node.state)
        go_on(game.tables, words)
        assert game.observe(game.tables, words, work) == source.player(node)
        assert work[0] == len(actions)
        rows = table.rows(int(work[1]))
        if rows is not None and rows[1].sum() > 0.0:
            begin = tree.first_slot[tree.node_infoset[number]]
            strategy[begin : begin + len(actions)] = rows[1] / rows[1].sum()
    return tree, strategy


@pytest.mark.slow
def test_external_sampling_comes_to_the_value_of_the_tree() -> None:
    made = tiny_setup()
    tree, early = trained_on_tree(made, 100)
    _, late = trained_on_tree(made, 100_000)
    value = solve_sequence_form(tree).value
    measured = exploitability(tree, late)
    assert measured.nash_conv < 0.02
    assert measured.nash_conv < exploitability(tree, early).nash_conv
    assert abs(expected_payoff(tree, late) - value) <= measured.nash_conv + 1e-12

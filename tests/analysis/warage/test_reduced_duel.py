"""Duels reduced until a tree solver takes them: exact values, and the sampling code beside them."""

from __future__ import annotations

import pytest

from analysis.errors import RefusedError, RequestError
from analysis.warage.positions import Hero
from analysis.warage.reduced_duel import Reduction, duel_tree, reduced_setup
from engine.warage.reference_state import Setup
from engine.warage.rules import load_rules
from solver.extensive import expected_payoff, uniform_strategy
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

"""The reduced normal form against the extensive form it comes from."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from solver.extensive import build_game, expected_payoff
from solver.lp import solve_matrix_program
from solver.nfg_reader import parse_nfg, two_player_payoffs
from solver.normal_form import TooManyPlansError, count_plans, nfg_text, reduced_normal_form
from solver.sequence_form import solve_sequence_form
from tests.games.goofspiel import Goofspiel
from tests.games.kuhn import Kuhn
from tests.games.random_game import RandomGame
from tests.solver.test_extensive import Scripted

GAMES: dict[str, Any] = {
    "kuhn": Kuhn(),
    "goofspiel": Goofspiel(3, shuffled=False),
    "random": RandomGame(1, depth=4),
}


@pytest.mark.parametrize("name", list(GAMES))
def test_plans_pay_what_they_pay_in_the_tree(name: str) -> None:
    game = build_game(GAMES[name])
    form = reduced_normal_form(game)
    assert [len(plans) for plans in form.plans] == [count_plans(game, player) for player in (0, 1)]
    generator = np.random.default_rng(1)
    for _ in range(20):
        first, second = (int(generator.integers(len(plans))) for plans in form.plans)
        strategy = np.zeros(len(game.slot_labels))
        strategy[[*form.plans[0][first], *form.plans[1][second]]] = 1
        for infoset in range(game.num_infosets):  # where a plan says nothing it does not matter what is done
            slots = slice(game.first_slot[infoset], game.first_slot[infoset + 1])
            if not strategy[slots].any():
                strategy[slots.start] = 1
        assert expected_payoff(game, strategy) == pytest.approx(float(form.payoff[first][second]))


@pytest.mark.parametrize("name", list(GAMES))
def test_same_value(name: str) -> None:
    game = build_game(GAMES[name])
    form = reduced_normal_form(game)
    matrix = np.array([[float(amount) for amount in row] for row in form.payoff])
    assert solve_matrix_program(matrix).value == pytest.approx(solve_sequence_form(game).value, abs=1e-9)


def test_kuhn_has_twenty_seven_by_sixty_four() -> None:
    # Three plans for each of player 0's cards (two ways to pass at first), four for each of player 1's.
    game = build_game(Kuhn())
    assert (count_plans(game, 0), count_plans(game, 1)) == (27, 64)
    assert sum(reduced_normal_form(game).payoff[0], Fraction(0)).denominator in (1, 2, 3, 6)
    with pytest.raises(TooManyPlansError, match="64"):
        reduced_normal_form(game, max_plans=50)


def test_text() -> None:
    game = build_game(Kuhn())
    form = reduced_normal_form(game)
    lines = nfg_text(form, title='a "title"').splitlines()
    assert lines[0] == 'NFG 1 R "a \'title\'" { "Player 0" "Player 1" }'
    numbers = [line.split() for line in lines[5:]]
    assert len(numbers) == 64
    assert {len(row) for row in numbers} == {2 * 27}
    assert Fraction(numbers[3][2 * 5]) == form.payoff[5][3]
    assert Fraction(numbers[3][2 * 5 + 1]) == -form.payoff[5][3]
    assert len(set(form.names[0])) == 27


def test_our_own_reader_finds_the_plans() -> None:
    form = reduced_normal_form(build_game(Kuhn()))
    for numbered in (False, True):
        read = parse_nfg(nfg_text(form, player_names=("A", "A"), numbered=numbered))
        assert read.players == ["0: A", "1: A"]
        assert two_player_payoffs(read)[0] == form.payoff
        if not numbered:
            assert read.strategies == list(form.names)


def test_plans_are_named_by_place_and_choice() -> None:
    leaves = [("l", (1,)), ("r", (2,))]
    game = build_game(
        Scripted((0, "i", [("a", (1, "j", leaves)), ("b", (0, "k", [("a", (3,)), ("c", (4,))]))]))
    )
    assert reduced_normal_form(game).names == (["i: a", "i: b; k: a", "i: b; k: c"], ["l", "r"])

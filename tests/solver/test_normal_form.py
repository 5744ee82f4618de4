"""The reduced normal form against the extensive form it comes from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver.extensive import build_game, expected_payoff
from solver.lp import solve_matrix_program
from solver.nfg_reader import parse_nfg, two_player_payoffs
from solver.normal_form import count_plans, nfg_text, reduced_normal_form
from solver.sequence_form import solve_sequence_form
from tests.games.goofspiel import Goofspiel
from tests.games.kuhn import Kuhn
from tests.games.random_game import RandomGame

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


def test_our_own_reader_finds_the_plans() -> None:
    form = reduced_normal_form(build_game(Kuhn()))
    for numbered in (False, True):
        read = parse_nfg(nfg_text(form, player_names=("A", "A"), numbered=numbered))
        assert read.players == ["0: A", "1: A"]
        assert two_player_payoffs(read)[0] == form.payoff
        if not numbered:
            assert read.strategies == list(form.names)

"""Matches for solvers that sample: the contract, what a key tells apart, and the player by rule of thumb."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine.ophidian import kernel, layout
from engine.ophidian.codec import decode
from engine.ophidian.reference import seat_of
from engine.ophidian.reference_view import view
from engine.ophidian.rule_based import greedy_move
from engine.ophidian.sampling import (
    HORIZON,
    NUM_WORDS,
    determinise,
    observe,
    payoffs,
    sampling_tables,
    view_key,
)
from solver.sampling.checks import check_sampling_game
from tests.engine.ophidian.random_rules import BOX, random_seats

pytestmark = pytest.mark.kernels


def test_the_contract_of_sampling_games() -> None:
    check_sampling_game(sampling_tables(BOX, [seat_of(BOX, "iron"), seat_of(BOX, "brood")]), num_plays=2)
    for seed in range(6):
        check_sampling_game(sampling_tables(*random_seats(seed)), num_plays=2, seed=seed)


def test_keys_tell_apart_what_the_reference_says_a_player_sees() -> None:
    for seed in range(6):
        rules, seats = random_seats(seed)
        game = sampling_tables(rules, seats)
        state, work = game.root.copy(), np.zeros(game.work_words, np.int64)
        rng, sampled = random.Random(seed), game.root.copy()
        views: dict[int, object] = {}
        while (decider := int(observe(game.tables, state, work))) != kernel.OVER:
            num_moves = int(work[0])
            for player in (0, 1):
                seen = view(decode(state[:NUM_WORDS], rules), player)
                assert views.setdefault(int(view_key(game.tables, state, player)), seen) == seen
            if decider >= 0:
                determinise(game.tables, state, work, decider, rng.getrandbits(60), sampled)
                again = decode(sampled[:NUM_WORDS], rules)
                assert view(again, decider) == view(decode(state[:NUM_WORDS], rules), decider)
            game.apply(game.tables, state, work, rng.randrange(num_moves))
        assert len(set(views)) == len(views)


def test_a_horizon_ends_a_play_with_a_judgement() -> None:
    game = sampling_tables(BOX, [seat_of(BOX, "storm"), seat_of(BOX, "patron")])
    state, work = game.root.copy(), np.zeros(game.work_words, np.int64)
    state[HORIZON] = 1
    rng = random.Random(1)
    while int(observe(game.tables, state, work)) != kernel.OVER:
        game.apply(game.tables, state, work, rng.randrange(int(work[0])))
    paid = np.zeros(2)
    payoffs(game.tables, state, work, paid)
    assert state[layout.WAVE] == 2
    assert paid[0] == -paid[1]
    assert 0 < abs(paid[0]) < 1


def test_the_greedy_player_attacks_and_sees_no_hidden_card() -> None:
    game = sampling_tables(BOX, [seat_of(BOX, "iron"), seat_of(BOX, "storm")])
    work, sampled, rng = np.zeros(game.work_words, np.int64), game.root.copy(), random.Random(3)
    state, attacks = game.root.copy(), 0
    while (decider := int(observe(game.tables, state, work))) != kernel.OVER:
        if decider < 0:
            move = rng.randrange(int(work[0]))
        else:
            move = int(greedy_move(game.tables, state, work))
            determinise(game.tables, state, work, decider, rng.getrandbits(60), sampled)
            observe(game.tables, sampled, work)
            assert int(greedy_move(game.tables, sampled, work)) == move
        announced = int(state[layout.PHASE])
        game.apply(game.tables, state, work, move)
        attacks += announced == 3 and int(state[layout.PHASE]) == 4
    assert attacks > 4

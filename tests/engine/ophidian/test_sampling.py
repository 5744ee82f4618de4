"""Matches for solvers that sample: the contract, what a key tells apart, and the player by rule of thumb."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine.ophidian import kernel, layout, reference
from engine.ophidian.codec import decode
from engine.ophidian.judging import NUM_WEIGHTS, WAVE_END_FACTS, wave_end_facts
from engine.ophidian.kernel_state import Words, fighter_at, team_size
from engine.ophidian.reference import Phase, seat_of
from engine.ophidian.reference_view import view
from engine.ophidian.rule_based import greedy_move
from engine.ophidian.sampling import (
    HORIZON,
    NUM_WORDS,
    SamplingTables,
    apply,
    determinise,
    observe,
    payoffs,
    sampling_tables,
    several_matches,
    view_key,
)
from tests.engine.ophidian.random_rules import BOX, random_seats
from tests.games.sampling_checks import check_sampling_game

pytestmark = pytest.mark.kernels


def test_the_contract_of_sampling_games() -> None:
    iron, brood = seat_of(BOX, "iron"), seat_of(BOX, "brood")
    check_sampling_game(several_matches(BOX, [(iron, brood), (brood, brood)]), num_plays=2)
    for seed in range(6):
        check_sampling_game(sampling_tables(*random_seats(seed), waits=True), num_plays=2, seed=seed)


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


def _facts(game: SamplingTables, state: Words, player: int) -> set[int]:
    active = np.zeros(game.max_active, np.int64)
    count = int(game.features(game.tables, state, np.zeros(game.work_words, np.int64), player, active))
    assert len(set(active[:count].tolist())) == count
    assert 0 <= active[:count].min() <= active[:count].max() < game.num_features
    return set(active[:count].tolist())


def test_facts_tell_what_the_player_sees_and_a_move_tells_no_response_in_hand() -> None:
    game = sampling_tables(BOX, [seat_of(BOX, "patron"), seat_of(BOX, "storm")], waits=True)
    rng, state, work = random.Random(5), game.root.copy(), np.zeros(game.work_words, np.int64)
    sampled, told = game.root.copy(), 0
    while (decider := int(observe(game.tables, state, work))) != kernel.OVER:
        count = int(work[0])
        if decider >= 0:
            determinise(game.tables, state, work, decider, rng.getrandbits(60), sampled)
            assert _facts(game, sampled, decider) == _facts(game, state, decider)
            for move in range(count):
                tried = []
                for each in (state.copy(), sampled.copy()):
                    apply(game.tables, each, work, move)
                    assert int(observe(game.tables, each, work)) == kernel.CHANCE
                    tried.append(_facts(game, each, decider))
                assert tried[0] == tried[1]
                told += 1
        apply(game.tables, state, work, rng.randrange(count))
    assert told > 100


def test_facts_are_the_same_from_both_seats() -> None:
    game = sampling_tables(BOX, [seat_of(BOX, "iron"), seat_of(BOX, "brood")])
    rng, state, work, checked = random.Random(2), game.root.copy(), np.zeros(game.work_words, np.int64), 0
    player = layout.PLAYER_WORDS
    while int(observe(game.tables, state, work)) != kernel.OVER:
        pumps = [state[at + layout.PUMPS_SIZE] for at in _fighters(state)]
        if state[layout.PHASE] == Phase.ACT and not any(pumps):
            swapped = state.copy()
            swapped[:player], swapped[player : 2 * player] = state[player : 2 * player], state[:player]
            swapped[layout.CHEER], swapped[layout.CHEER + 1] = state[layout.CHEER + 1], state[layout.CHEER]
            for word in (layout.MOMENTUM, layout.TURN):
                swapped[word] = 1 - state[word]
            for seat in (0, 1):
                assert _facts(game, swapped, 1 - seat) == _facts(game, state, seat)
            checked += 1
        apply(game.tables, state, work, rng.randrange(int(work[0])))
    assert checked


def _fighters(state: Words) -> list[int]:
    return [fighter_at(side, index) for side in (0, 1) for index in range(team_size(state, side))]


def test_facts_of_the_end_of_a_wave_are_those_of_the_reference() -> None:
    game = sampling_tables(BOX, [seat_of(BOX, "storm"), seat_of(BOX, "patron")])
    work, facts, rng = np.zeros(game.work_words, np.int64), np.zeros(NUM_WEIGHTS), random.Random(4)
    seen = 0
    for _ in range(6):
        state = game.root.copy()
        state[HORIZON] = 2
        while int(observe(game.tables, state, work)) != kernel.OVER:
            apply(game.tables, state, work, rng.randrange(int(work[0])))
        if kernel.is_over(state):
            continue
        wave_end_facts(state, game.tables, facts)
        found, plain = dict(zip(WAVE_END_FACTS, facts.tolist(), strict=True)), decode(state[:NUM_WORDS], BOX)
        points = reference.points(plain, 0) - reference.points(plain, 1)
        assert (found["points"], found["points_by_wave"]) == (points, 2 * points)
        assert found["cheer"] == plain.cheer[0] - plain.cheer[1]
        assert abs(found["starter"]) == (plain.phase != Phase.DIE)
        seen += points != 0
    assert seen

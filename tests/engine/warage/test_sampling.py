"""The match for solvers that sample: its contract, what keys tell apart, and which moves are offered."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine.protocol import CHANCE, OVER
from engine.warage import kernel, kernel_play, sampling
from engine.warage.codec import decode
from engine.warage.kernel_moves import MOVE_KINDS, MOVE_WORDS
from engine.warage.kernel_state import Words
from engine.warage.reference import legal_moves, setup_of
from engine.warage.reference_view import view
from engine.warage.sampling import COUNT, MOVES, NUM_WORDS, SamplingTables, sampling_tables
from tests.engine.warage.random_rules import BOX
from tests.games.sampling_checks import check_sampling_game

pytestmark = pytest.mark.kernels
SETUP = setup_of(BOX, ("orc-warrior", "elf-mage"))


@pytest.fixture(scope="module")
def game() -> SamplingTables:
    return sampling_tables(BOX, SETUP)


def decisions(game: SamplingTables, seed: int, most: int) -> list[Words]:
    """States of a random play in which somebody decides."""
    rng, state, work = random.Random(seed), game.root.copy(), np.zeros(game.work_words, np.int64)
    found: list[Words] = []
    while len(found) < most and (who := game.observe(game.tables, state, work)) != OVER:
        if who != CHANCE:
            found.append(state.copy())
        game.apply(game.tables, state, work, rng.randrange(int(work[0])))
    return found


def test_the_contract_holds(game: SamplingTables) -> None:
    check_sampling_game(game, num_plays=1, seed=5)


def test_states_drawn_look_the_same_to_their_player_and_keys_tell_what_he_sees(game: SamplingTables) -> None:
    work, sampled = np.zeros(game.work_words, np.int64), np.zeros(game.state_words, np.int64)
    keys: dict[int, object] = {}
    hands = set()
    for state in decisions(game, 3, 60):
        player = int(game.observe(game.tables, state, work))
        seen = view(decode(state[:NUM_WORDS], SETUP), player)
        assert keys.setdefault(int(work[1]), seen) == seen
        for seed in range(3):
            game.determinise(game.tables, state, work, player, seed, sampled)
            other = decode(sampled[:NUM_WORDS], SETUP)
            assert view(other, player) == seen
            hands.add(other.heroes[1 - player].hand)
    assert len(keys) > 50
    assert len(hands) > 20


def test_moves_offered_are_legal_and_what_is_left_out_has_a_reason(game: SamplingTables) -> None:
    for state in decisions(game, 8, 120):
        if state[COUNT] == 0:
            continue
        listed = state[MOVES:].reshape(-1, MOVE_WORDS)[: state[COUNT]].tolist()
        offered = {(MOVE_KINDS[kind], tuple(values[:size])) for kind, size, *values in listed}
        now = decode(state[:NUM_WORDS], SETUP)
        legal = {(move.kind, move.values) for move in legal_moves(now)}
        assert offered <= legal
        assert {kind for kind, _ in legal - offered} <= {"buy", "unready", "sell"}
        if now.heroes[now.priority].hp > sampling.SALES_BELOW:
            assert not any(kind == "sell" for kind, _ in offered)


def test_outcomes_by_number_have_the_weights_of_the_outcomes(game: SamplingTables) -> None:
    words, weights = game.root[:NUM_WORDS].copy(), np.zeros(kernel.MAX_OUTCOMES, np.int64)
    move = np.zeros(MOVE_WORDS, np.int64)
    for _ in range(40):
        if kernel.decider(words, game.tables) != CHANCE:
            kernel.transition(words, game.tables, 0, move, weights)
            continue
        total = kernel.chance_weights(words, game.tables, weights)
        assert kernel_play.num_ways(words, game.tables) == total
        counts: dict[bytes, int] = {}
        for way in range(total):
            after = words.copy()
            kernel_play.happen(after, game.tables, way)
            counts[after.tobytes()] = counts.get(after.tobytes(), 0) + 1
        number = kernel.num_outcomes(words, game.tables)
        assert list(counts.values()) == weights[:number].tolist()
        kernel.transition(words, game.tables, 0, move, weights)

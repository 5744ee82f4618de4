"""Random playouts on the kernel: their random numbers, their choices, their results."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from benchmarks.ragers_playouts import playouts, random_move
from engine.ragers.codec import encode
from engine.ragers.kernel_rules import kernel_rules
from engine.ragers.reference import Phase, scores, winner
from engine.ragers.rules import load_rules
from engine.randomness import next_random
from tests.engine.ragers.notation import Day
from tests.engine.ragers.plays import random_states

pytestmark = pytest.mark.kernels

BOX = load_rules()


def test_random_numbers_are_splitmix64() -> None:
    # The first outputs of the published generator for seed 0.
    rng = np.zeros(1, np.int64)
    expected = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert [next_random(rng) % (1 << 64) for _ in range(3)] == expected


def test_draws_follow_the_deck() -> None:
    day = Day("basher", "basher", decks=("slasher cheater cheater cheater", ""))
    rng = np.array([7], np.int64)
    words, rules = encode(day.state), kernel_rules(BOX)
    drawn = Counter(random_move(words, rules, rng)[0] for _ in range(4000))
    assert set(drawn) == {1, 4}
    # Standard deviation 27: five of them.
    assert abs(drawn[4] - 3000) < 140


def test_actions_are_equally_likely_keeping_included() -> None:
    day = Day("basher basher basher veteran", "cheater", preparation=True)
    assert day.state.phase == Phase.PREPARE
    rng = np.array([9], np.int64)
    words, rules = encode(day.state), kernel_rules(BOX)
    chosen = Counter(random_move(words, rules, rng) for _ in range(6000))
    assert set(chosen) == {(first, second) for first in (0, 7, 8) for second in (4, 8)}
    # Expected 1000 each, standard deviation 29.
    assert all(abs(count - 1000) < 150 for count in chosen.values())


def test_results_agree_with_the_reference() -> None:
    num_matches = 500
    rng = random.Random(11)
    gp, wins = np.zeros((num_matches, 2)), 0
    for match in range(num_matches):
        final = list(random_states(BOX, rng))[-1]
        gp[match] = scores(final)
        wins += winner(final) == 0
    result = playouts(kernel_rules(BOX), 200_000, 5)
    error = gp.std(0) / np.sqrt(num_matches)
    assert np.all(np.abs(gp.mean(0) - result.mean_gp) < 5 * error)
    assert abs(wins / num_matches - result.wins[0] / 200_000) < 5 * 0.5 / np.sqrt(num_matches)
    assert sum(result.wins) == 200_000

"""Match play, responses and search against exact payoffs on explicit trees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from solver.extensive import ExtensiveGame, build_game, expected_payoff, uniform_strategy
from solver.sampling.game import INFOSET_KEY, NUM_MOVES, FloatArray, IntArray
from solver.sampling.head_to_head import MatchResult, play_matches
from solver.sampling.information_set_search import InformationSetSearch, SearchSettings
from solver.sampling.policy import CompiledPolicy, function_policy, no_weights, uniform_moves, uniform_policy
from solver.sampling.responses import measure_responses
from solver.sampling.specialisation import sampling_kernel
from solver.tree_best_response import best_responses, exploitability
from tests.games import kuhn, leduc
from tests.games.compiled_goofspiel import CompiledGoofspiel, highest_card
from tests.games.explicit_trees import TreeSamplingGame, tree_sampling_game
from tests.games.goofspiel import Goofspiel
from tests.solver.test_extensive import random_strategy

pytestmark = pytest.mark.kernels

#: True means lie within so many standard errors but once in 15,000 tests; seeds are fixed.
ERRORS = 4.0


@pytest.fixture(scope="module")
def leduc_game() -> TreeSamplingGame:
    return tree_sampling_game(build_game(leduc.Leduc()))


@sampling_kernel
def _strategy_moves(
    tables: IntArray, state: IntArray, work: IntArray, weights: tuple[Any, ...], probabilities: FloatArray
) -> None:
    """Play a [Q] strategy: among the weights are this and where the slots of each infoset begin."""
    first = weights[5][work[INFOSET_KEY] - 1]
    for move in range(work[NUM_MOVES]):
        probabilities[move] = weights[2][first + move]


def policy_of(tree: ExtensiveGame, strategy: FloatArray, name: str) -> CompiledPolicy:
    """Return a [Q] strategy as a policy."""
    weights = list(no_weights())
    weights[2], weights[5] = strategy, tree.first_slot.astype(np.int64)
    return CompiledPolicy(name, uniform_moves, _strategy_moves, lambda: tuple(weights))


def pure_of(tree: ExtensiveGame, slots: Iterable[int]) -> FloatArray:
    """Return the [Q] strategy that plays these slots, and where it plays none all alike."""
    strategy = uniform_strategy(tree)
    for slot in slots:
        infoset = np.searchsorted(tree.first_slot, slot, side="right") - 1
        strategy[tree.first_slot[infoset] : tree.first_slot[infoset + 1]] = 0.0
        strategy[slot] = 1.0
    return strategy


def mixed(tree: ExtensiveGame, first: FloatArray, second: FloatArray) -> FloatArray:
    cut = tree.first_slot_of[1]
    return np.concatenate([first[:cut], second[cut:]])


def assert_near(result: MatchResult, expected: float) -> None:
    assert result.standard_error > 0.0
    assert abs(result.mean - expected) <= ERRORS * result.standard_error


@pytest.mark.parametrize("source", [kuhn.Kuhn(), leduc.Leduc(), Goofspiel(3)], ids=["kuhn", "leduc", "goof"])
def test_means_are_the_exact_payoffs(source: Any) -> None:
    tree = build_game(source)
    game = tree_sampling_game(tree)
    ours, theirs = random_strategy(tree, 1), random_strategy(tree, 2)
    exact = (
        expected_payoff(tree, mixed(tree, ours, theirs)),
        -expected_payoff(tree, mixed(tree, theirs, ours)),
    )
    own, opp = policy_of(tree, ours, "own"), policy_of(tree, theirs, "opp")
    both = play_matches(game, own, opp, num_deals=20_000, seed=3)
    assert_near(both, sum(exact) / 2)
    assert both.names == ("own", "opp")
    assert both.wins + both.draws + both.losses == 40_000
    for seat in (0, 1):
        single = play_matches(game, own, opp, num_deals=20_000, seed=4, seats=(seat,))
        assert_near(single, exact[seat])
        assert single.seat_means[seat] == pytest.approx(single.mean)
        assert np.isnan(single.seat_means[1 - seat])


def test_a_policy_draws_with_itself_deal_by_deal(leduc_game: TreeSamplingGame) -> None:
    result = play_matches(leduc_game, uniform_policy(), uniform_policy(), num_deals=500)
    assert result.mean == 0.0
    assert result.standard_error == 0.0
    assert result.seat_means[0] == -result.seat_means[1] != 0.0
    assert result.wins == result.losses > 0


def test_intervals_hold_the_exact_payoff_as_often_as_they_say() -> None:
    tree = build_game(kuhn.Kuhn())
    game = tree_sampling_game(tree)
    ours = random_strategy(tree, 1)
    uniform = uniform_strategy(tree)
    exact = expected_payoff(tree, mixed(tree, ours, uniform)) - expected_payoff(
        tree, mixed(tree, uniform, ours)
    )
    own = policy_of(tree, ours, "own")
    results = [
        play_matches(game, own, uniform_policy(), num_deals=200, seed=seed, confidence=0.8)
        for seed in range(200)
    ]
    inside = sum(result.interval[0] <= exact / 2 <= result.interval[1] for result in results)
    # 160 expected, standard deviation 6.
    assert 137 <= inside <= 183
    assert len({result.mean for result in results}) > 50


class Asked:
    """A pure strategy, asked from Python."""

    def __init__(self, tree: ExtensiveGame, strategy: FloatArray) -> None:
        self.tree, self.strategy, self.name, self.times = tree, strategy, "asked", 0

    def choose(self, state: IntArray, seed: int) -> int:
        self.times += 1
        infoset = self.tree.node_infoset[state[0]]
        state[0] = -1  # its own copy
        return int(np.argmax(self.strategy[slice(*self.tree.first_slot[infoset : infoset + 2])]))


def test_asking_from_python_plays_as_the_kernel_does(leduc_game: TreeSamplingGame) -> None:
    tree = leduc_game.tree
    generator = np.random.default_rng(6)
    strategy = pure_of(tree, generator.integers(tree.first_slot[:-1], tree.first_slot[1:]))
    pure, asked = policy_of(tree, strategy, "pure"), Asked(tree, strategy)
    compiled = play_matches(leduc_game, pure, pure, num_deals=100, seed=9)
    mixed_up = play_matches(leduc_game, asked, pure, num_deals=100, seed=9)
    both = play_matches(leduc_game, asked, asked, num_deals=100, seed=9)
    assert asked.times > 300
    for other in (mixed_up, both):
        np.testing.assert_array_equal(other.seat_means, compiled.seat_means)
        assert (other.wins, other.draws, other.losses) == (compiled.wins, compiled.draws, compiled.losses)


@pytest.mark.parametrize("source", [kuhn.Kuhn(), leduc.Leduc(), Goofspiel(4, shuffled=False)])
def test_best_responses_win_what_exploitability_says(source: Any) -> None:
    tree = build_game(source)
    game = tree_sampling_game(tree)
    strategy = random_strategy(tree, 5)
    frozen = policy_of(tree, strategy, "frozen")
    exact = exploitability(tree, strategy)
    responses = []
    values, slots = best_responses(tree, strategy)
    assert values == exact.best_response_values
    for player in (0, 1):
        own = slots[tree.first_infoset_of[player] : tree.first_infoset_of[player + 1]]
        responses.append(policy_of(tree, pure_of(tree, own), "response"))
    bound = measure_responses(game, frozen, responses, num_deals=50_000, seed=11)
    assert bound.lower_bound <= exact.nash_conv
    for player, match in enumerate(bound.matches):
        # Freezing means freezing: the response plays against the frozen policy, not against itself.
        assert_near(match, exact.best_response_values[player])


def test_three_players_rotate_through_all_seats() -> None:
    game = CompiledGoofspiel(3, num_players=3, shuffled=False)
    greedy = function_policy("highest card", highest_card)
    against_random = play_matches(game, greedy, uniform_policy(), num_deals=3000, seed=1)
    assert against_random.interval[0] > 0.0
    assert not np.isnan(against_random.seat_means).any()
    assert against_random.wins + against_random.draws + against_random.losses == 9000
    assert play_matches(game, greedy, greedy, num_deals=5).mean == pytest.approx(0.0)


def test_search_beats_random_play_and_uses_what_it_is_given() -> None:
    game = CompiledGoofspiel(4)
    search = InformationSetSearch(game, SearchSettings(iterations=200), name="search")
    result = play_matches(game, search, uniform_policy(), num_deals=60, seed=5)
    assert result.names[0] == "search"
    assert result.interval[0] > 1.0
    again = play_matches(game, search, uniform_policy(), num_deals=60, seed=5)
    assert again.mean == result.mean


def test_search_against_a_frozen_policy_responds_almost_best() -> None:
    tree = build_game(kuhn.Kuhn())
    game = tree_sampling_game(tree)
    search = InformationSetSearch(game, SearchSettings(iterations=400, frozen=True), uniform_policy())
    bound = measure_responses(game, uniform_policy(), [search, search], num_deals=1000, seed=3)
    exact = exploitability(tree, uniform_strategy(tree)).nash_conv
    # Searching draws the others' hands by the deal alone, yet against uniform play that is exact.
    assert bound.lower_bound <= exact
    assert bound.nash_conv > 0.85 * exact


def test_matches_stop_on_request_and_refuse_what_means_nothing(leduc_game: TreeSamplingGame) -> None:
    uniform = uniform_policy()
    calls: list[int] = []

    def stop(deals: int) -> bool:
        calls.append(deals)
        return len(calls) == 2

    stopped = play_matches(leduc_game, uniform, uniform, num_deals=10**9 // 10**4, progress=stop)
    assert stopped.num_deals == calls[-1] < 10**5
    one = play_matches(leduc_game, uniform, uniform, num_deals=1)
    assert np.isnan(one.standard_error)
    with pytest.raises(ValueError, match="0 deals"):
        play_matches(leduc_game, uniform, uniform, num_deals=0)
    with pytest.raises(ValueError, match=r"seats \(2,\)"):
        play_matches(leduc_game, uniform, uniform, num_deals=1, seats=(2,))
    with pytest.raises(ValueError, match="confidence"):
        play_matches(leduc_game, uniform, uniform, num_deals=1, confidence=1.0)
    with pytest.raises(ValueError, match="need 2 responses"):
        measure_responses(leduc_game, uniform, [uniform], num_deals=1)

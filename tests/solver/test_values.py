"""Values learned by self-play: the network's arithmetic, what is learned, and search that is guided by it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from solver.sampling.game import MalformedSamplingGameError
from solver.sampling.guided_search import Guidance, GuidedSearch
from solver.sampling.head_to_head import play_matches
from solver.sampling.information_set_search import SearchSettings
from solver.sampling.policy import uniform_policy
from solver.sampling.value_network import ValueNetwork, correct_network, network_value, new_network
from solver.sampling.value_policy import ValuePolicy, soften
from solver.sampling.value_training import ValueTrainingResult, ValueTrainingSettings, train_values
from tests.games.compiled_goofspiel import CompiledGoofspiel
from tests.games.sampling_checks import check_sampling_game

pytestmark = pytest.mark.kernels

GAME = CompiledGoofspiel(4)


def learned(plays: int = 3000, seed: int = 0, **settings: Any) -> ValueTrainingResult:
    chosen = ValueTrainingSettings(num_hidden=16, seed=seed, temperatures=(2.0, 0.5), **settings)
    return train_values(GAME, GAME.payoff_range, chosen, plays=plays)


@pytest.fixture(scope="module")
def network() -> ValueNetwork:
    return learned(30_000).network


def naive_value(network: ValueNetwork, facts: list[int]) -> float:
    """What `network_value` says, by numpy."""
    sums = network.hidden[0].astype(float) + network.inputs[facts].astype(float).sum(axis=0)
    total = np.maximum(sums, 0.0) @ network.hidden[1].astype(float) + network.scale[2]
    return float(network.scale[0] + network.scale[1] * np.tanh(total))


def test_the_value_is_that_of_the_formula() -> None:
    network = new_network(20, 8, (-0.5, 1.0), seed=3)
    network.inputs[:] *= 10
    network.scale[2] = 0.3
    units = np.zeros(8, np.float32)
    generator = np.random.default_rng(0)
    for count in range(6):
        facts = generator.choice(20, count, replace=False)
        # What lies behind the first `count` is not looked at.
        active = np.append(facts, 10**9).astype(np.int64)
        value = network_value(*network.arguments, active, count, units)
        assert value == pytest.approx(naive_value(network, facts.tolist()), abs=1e-5)
        assert -0.5 <= value <= 1.0


def test_sums_are_those_of_one_fact_after_another() -> None:
    """To the last digit: kept values and trainings that are made again depend on it."""
    network = new_network(20, 21, (-1.0, 1.0), seed=4)
    units = np.zeros(21, np.float32)
    active = np.random.default_rng(1).permutation(20).astype(np.int64)
    for count in range(10):
        network_value(*network.arguments, active, count, units)
        sums = network.hidden[0].copy()
        for fact in active[:count]:
            sums += network.inputs[fact]
        np.testing.assert_array_equal(units, sums)


def test_a_correction_follows_the_gradient_of_the_cross_entropy() -> None:
    facts, target, rate = [1, 4, 5], 0.7, 1e-4
    network = new_network(6, 5, (-1.0, 3.0), seed=1)
    network.inputs[:] *= 10

    def loss(changed: ValueNetwork) -> float:
        """Cross-entropy of chances that the value and the target stand for."""
        chance = (naive_value(changed, facts) - -1.0) / 4.0
        aim = (target - -1.0) / 4.0
        return float(-aim * np.log(chance) - (1.0 - aim) * np.log(1.0 - chance))

    moved = replace(
        network, **{name: getattr(network, name).copy() for name in ("inputs", "hidden", "scale")}
    )
    units = np.zeros(5, np.float32)
    active = np.array(facts, np.int64)
    value = network_value(*moved.arguments, active, 3, units)
    correct_network(*moved.arguments, active, 3, units, value, target, rate)
    for name, index in [("inputs", (4, unit)) for unit in range(5)] + [
        ("hidden", (1, unit)) for unit in range(5)
    ]:
        shifted = getattr(network, name).copy()
        shifted[index] += 1e-3
        slope = (loss(replace(network, **{name: shifted})) - loss(network)) / 1e-3
        step = float(getattr(moved, name)[index]) - float(getattr(network, name)[index])
        # The cross-entropy of a hyperbolic tangent's chances has twice the slope of the step taken.
        assert step == pytest.approx(-rate * slope, rel=0.05, abs=1e-6)
    assert np.array_equal(moved.inputs[[0, 2, 3]], network.inputs[[0, 2, 3]])
    assert abs(naive_value(moved, facts) - target) < abs(naive_value(network, facts) - target)


def test_chances_of_moves() -> None:
    values = np.array([0.0, 0.1, 0.1, 99.0])
    soften(values, 3, 0.1)
    np.testing.assert_allclose(values[:3], np.array([1.0, np.e, np.e]) / (1.0 + 2.0 * np.e))
    values = np.array([0.0, 0.1, 0.1, 99.0])
    soften(values, 3, 0.0)
    assert values.tolist() == [0.0, 1.0, 0.0, 99.0]


def test_a_move_that_tells_its_own_player_what_is_hidden_is_found() -> None:
    """Goofspiel whose last bid announces the winner: who bids last would choose by the other's bid."""
    check_sampling_game(GAME, num_plays=20)
    with pytest.raises(MalformedSamplingGameError, match="tells player 1 what it cannot know yet"):
        check_sampling_game(CompiledGoofspiel(4, reveals=False), num_plays=20)


def test_a_training_goes_on_as_if_it_had_never_been_interrupted() -> None:
    whole = learned()
    settings = ValueTrainingSettings(num_hidden=16, temperatures=(2.0, 0.5))
    part = train_values(
        GAME, GAME.payoff_range, settings, plays=3000, progress=lambda plays, _: plays >= 1000
    )
    assert not part.completed
    rest = train_values(GAME, GAME.payoff_range, plays=3000, earlier=part)
    assert (rest.completed, rest.plays, rest.positions) == (True, 3000, whole.positions)
    np.testing.assert_array_equal(rest.network.inputs, whole.network.inputs)
    with pytest.raises(ValueError, match="goes on with the settings"):
        train_values(GAME, GAME.payoff_range, settings, plays=3000, earlier=part)


def test_what_is_learned_wins(network: ValueNetwork) -> None:
    player = ValuePolicy(GAME, network)
    result = play_matches(GAME, player, uniform_policy(), num_deals=1500, seed=3)
    # The best response to even play wins 2.5 a game (both seats: 5.02).
    assert result.interval[0] > 1.5
    assert result.mean < 2.7
    search = GuidedSearch(GAME, network, SearchSettings(iterations=200))
    guided = play_matches(GAME, search, uniform_policy(), num_deals=300, seed=4)
    assert guided.interval[0] > 1.5


@pytest.mark.parametrize("frozen", [False, True])
def test_a_guided_search_sees_nothing_hidden(network: ValueNetwork, frozen: bool) -> None:
    search = GuidedSearch(GAME, network, SearchSettings(iterations=300, frozen=frozen))
    results = []
    for bid in (0, 3):
        state, work = GAME.root.copy(), np.zeros(2, np.int64)
        # A prize, the first player's bid, which the second one does not see.
        GAME.apply(GAME.tables, state, work, 2)
        GAME.apply(GAME.tables, state, work, bid)
        kept = state.copy()
        results += [search.search(state, seed=1), search.search(state, seed=1), search.search(state, seed=2)]
        np.testing.assert_array_equal(state, kept)
    first, again, other, *hidden = results
    np.testing.assert_array_equal(first.visits, again.visits)
    np.testing.assert_array_equal(first.visits, hidden[0].visits)
    np.testing.assert_array_equal(first.mean_payoffs, hidden[0].mean_payoffs)
    assert not np.array_equal(first.mean_payoffs, other.mean_payoffs)
    # Each of 4 moves begins with 4 visits; the iteration that adds the root makes none.
    assert first.visits.sum() == 16 + 299
    assert first.iterations == 300


def test_a_frozen_search_responds_to_the_player_it_knows(network: ValueNetwork) -> None:
    player = ValuePolicy(GAME, network)
    settings = SearchSettings(iterations=400, frozen=True)
    response = GuidedSearch(GAME, network, settings, Guidance(temperature=0.0))
    result = play_matches(GAME, response, player, num_deals=200, seed=2)
    assert result.interval[0] > 0.0

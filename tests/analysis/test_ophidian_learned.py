"""The fitted value of the end of a wave: what is found, and what is said of its error."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.errors import RequestError
from analysis.ophidian.learned import (
    all_pairs,
    carried,
    errors_of,
    fit,
    from_file,
    record,
    weights_of,
)
from engine.ophidian.judging import NUM_WEIGHTS, WAVE_END_FACTS
from engine.ophidian.reference import seat_of
from engine.ophidian.rules import load_rules
from engine.ophidian.sampling import several_matches


def test_weights_that_made_the_results_are_found() -> None:
    rng = np.random.default_rng(1)
    true = np.linspace(-1.0, 1.0, NUM_WEIGHTS)
    facts = np.hstack([rng.normal(size=(4000, NUM_WEIGHTS)), np.zeros((4000, 1))])
    won = rng.random(4000) < 1.0 / (1.0 + np.exp(-facts[:, :-1] @ true))
    results = np.asarray(2.0 * won - 1.0, np.float64)
    weights, errors = fit(facts, results, np.arange(4000))
    assert weights == pytest.approx(true, abs=0.15)
    assert errors.wave_ends == 1000
    assert errors.fitted < errors.by_hand == errors.nothing == 1.0


def test_the_carried_values_are_for_the_illustrative_rules_and_judge_better_than_by_hand() -> None:
    trained = carried(load_rules())
    assert trained is not None
    errors = errors_of(trained)
    assert errors.fitted < errors.by_hand < errors.nothing
    assert weights_of(trained)[0] > 0
    with pytest.raises(RequestError, match="ophidian train FILE"):
        from_file(None, load_rules(overrides=["match.riot=12"]))


def test_a_fit_is_where_pushing_and_shrinking_balance() -> None:
    rng = np.random.default_rng(3)
    facts = np.hstack([rng.normal(size=(60, NUM_WEIGHTS)), rng.normal(size=(60, 1))])
    results = rng.choice([-1.0, 0.0, 1.0], 60)
    weights, errors = fit(facts, results, np.repeat(np.arange(8), [3, 9, 10, 8, 10, 10, 6, 4]))
    # Every weight is what is left to be explained along its fact (a draw half a win), the ridge being 1.
    chance = 1.0 / (1.0 + np.exp(-facts[:, :-1] @ weights))
    assert facts[:, :-1].T @ ((1.0 + results) / 2.0 - chance) == pytest.approx(weights, abs=1e-8)
    # Of eight matches the last two are left out.
    assert errors.wave_ends == 10
    assert errors.nothing == pytest.approx(np.mean(results[50:] ** 2))
    assert errors.by_hand == pytest.approx(np.mean((results[50:] - facts[50:, -1]) ** 2))
    first, _ = fit(facts[:50], results[:50], np.arange(50))
    assert errors.fitted == pytest.approx(np.mean((results[50:] - np.tanh(facts[50:, :-1] @ first / 2)) ** 2))


@pytest.mark.kernels
def test_all_decks_meet_all_in_both_orders() -> None:
    rules = load_rules()
    pairs = [
        (seat_of(rules, one.id), seat_of(rules, other.id)) for one in rules.decks for other in rules.decks
    ]
    assert all_pairs(rules).tables.tolist() == several_matches(rules, pairs).tables.tolist()


@pytest.mark.kernels
def test_recorded_ends_of_waves_are_of_matches_in_order() -> None:
    trained, game = carried(load_rules()), all_pairs(load_rules())
    assert trained is not None
    looks: list[None] = []

    def stopped() -> bool:
        looks.append(None)
        return False

    recorded = record(game, trained, 3, 5, stopped)
    assert recorded is not None
    facts, results, numbers = recorded
    assert len(looks) == 3
    assert facts.shape == (len(results), NUM_WEIGHTS + 1) == (len(numbers), NUM_WEIGHTS + 1)
    assert numbers.tolist() == sorted(numbers.tolist())
    assert set(numbers.tolist()) <= {0, 1, 2}
    # A match of four waves, or of six at most, has three to five ends that are not its own.
    counts = np.bincount(numbers, minlength=3)
    assert all(1 <= count <= 5 for count in counts)
    for match in range(3):
        assert len(set(results[numbers == match].tolist())) == 1
    assert set(results.tolist()) <= {-1.0, 0.0, 1.0}
    # Points by wave are the points times the number of the wave that has ended.
    named = dict(zip(WAVE_END_FACTS, facts.T, strict=False))
    ended = np.concatenate([np.arange(1, count + 1) for count in counts])
    assert named["points_by_wave"] == pytest.approx(named["points"] * ended)
    assert np.abs(facts[:, NUM_WEIGHTS]).max() <= 1.0
    assert np.abs(facts[:, NUM_WEIGHTS]).min() > 0.0
    again = record(game, trained, 3, 5)
    assert again is not None
    assert all(one.tolist() == other.tolist() for one, other in zip(recorded, again, strict=True))
    fewer = record(game, trained, 2, 5)
    assert fewer is not None
    assert fewer[0].tolist() == facts[numbers < 2].tolist()

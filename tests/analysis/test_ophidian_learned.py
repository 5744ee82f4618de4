"""The fitted value of the end of a wave: what is found, and what is said of its error."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.errors import RequestError
from analysis.learned_values import TrainedNetwork, encoded
from analysis.ophidian.learned import all_pairs, carried, errors_of, fit, from_file, record, weights_of
from analysis.ophidian.matches import MatchQuestion
from engine.ophidian.judging import NUM_WEIGHTS
from engine.ophidian.rules import load_rules
from solver.sampling.value_network import ValueNetwork


def test_weights_that_made_the_results_are_found() -> None:
    rng = np.random.default_rng(1)
    true = np.linspace(-1.0, 1.0, NUM_WEIGHTS)
    facts = np.hstack([rng.normal(size=(4000, NUM_WEIGHTS)), np.zeros((4000, 1))])
    won = rng.random(4000) < 1.0 / (1.0 + np.exp(-facts[:, :-1] @ true))
    weights, errors = fit(facts, 2.0 * won - 1.0, np.arange(4000))
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


def test_kept_matches_are_told_apart_by_the_values_they_were_played_by() -> None:
    rules, trained = load_rules(), carried(load_rules())
    assert trained is not None
    other = TrainedNetwork(
        ValueNetwork(trained.network.inputs * 2, trained.network.hidden, trained.network.scale),
        trained.provenance,
    )
    questions = [
        MatchQuestion(rules, players, ("iron", "storm"), 4, 0, (10, None), values)
        for players, values in (
            (("values", "greedy"), None),
            (("values", "greedy"), encoded(trained)),
            (("values", "greedy"), encoded(other)),
            (("search", "greedy"), None),
        )
    ]
    carried_digest, same, changed, without = (question.digest for question in questions)
    assert carried_digest == same
    assert len({same, changed, without}) == 3


@pytest.mark.kernels
def test_recording_can_be_stopped() -> None:
    trained = carried(load_rules())
    assert trained is not None
    assert record(all_pairs(load_rules()), trained, 3, 0, lambda: True) is None

"""The fitted value of the end of a wave: what is found, and what is said of its error."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.errors import RequestError
from analysis.ophidian.learned import carried, errors_of, fit, from_file, weights_of
from engine.ophidian.judging import NUM_WEIGHTS
from engine.ophidian.rules import load_rules


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

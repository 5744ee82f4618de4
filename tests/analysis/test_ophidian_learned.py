"""The fitted value of the end of a wave: what is found, and what is said of its error."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.errors import RequestError
from analysis.learned_values import encoded
from analysis.ophidian.contest import Matches
from analysis.ophidian.learned import all_pairs, carried, errors_of, fit, from_file, record, weights_of
from analysis.ophidian.setup import Decks, Greedy, Values
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


def test_kept_matches_are_told_apart_by_the_values_they_were_played_by(tmp_path: Path) -> None:
    rules, trained = load_rules(), carried(load_rules())
    assert trained is not None
    other = replace(
        trained,
        network=ValueNetwork(trained.network.inputs * 2, trained.network.hidden, trained.network.scale),
    )
    files = []
    for number, each in enumerate((trained, other)):
        files.append(tmp_path / f"{number}.npz")
        files[-1].write_bytes(encoded(each))
    players = (Values(), Values(file=files[0]), Values(file=files[1]), Greedy())
    carried_mark, same, changed, without = (
        Matches(rules, Decks(), (player, Greedy())).depends_on for player in players
    )
    assert carried_mark == same
    assert len({same, changed, without}) == 3


@pytest.mark.kernels
def test_recording_can_be_stopped() -> None:
    trained = carried(load_rules())
    assert trained is not None
    assert record(all_pairs(load_rules()), trained, 3, 0, lambda: True) is None

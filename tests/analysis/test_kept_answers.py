"""Answers as they are kept: what cannot be true of one, files and their faults, tables to begin from."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from analysis.ragers.answers.answer import NUM_TYPES, HandStrategy, load_strategy
from tests.analysis.made_answers import Made, sampled

# ---- answers -----------------------------------------------------------------------------------------------


def test_types_under_other_names_and_back() -> None:
    made = Made("BSPP", "BBSV", "redraw")
    made.change(profile=sampled())
    types = [2, 0, 1, 4, 3, 5, 6, 7]
    back = [types.index(t) for t in range(NUM_TYPES)]
    other = made.answer.relabelled(types, "other day")
    assert other.day_sha256 == "other day"
    for old, new in enumerate(types):
        for player in (0, 1):
            assert other.opening_mix[player][new] == made.answer.opening_mix[player][old]
            assert other.usage[player][0][new] == made.answer.usage[player][0][old]
            assert other.profile is not None
            assert other.profile.card_gp[player][new] == sampled().card_gp[player][old]
    assert other.relabelled(back, made.answer.day_sha256) == made.answer
    strategy = made.strategy.relabelled(types)
    hand = [0] * NUM_TYPES
    hand[types[0]] = hand[types[1]] = 1
    row = strategy.index(hand)
    assert row == made.row(0, 1)
    assert strategy.opening[0, row, types[0]] == made.strategy.opening[0, row, 0]
    same = strategy.relabelled(back)
    for name, array in vars(made.strategy).items():
        assert array is None or np.array_equal(getattr(same, name), array, equal_nan=name != "hands")
    assert strategy.index([9] * NUM_TYPES) is None


@pytest.mark.parametrize(("second", "preparation"), [("BSPP", "none"), ("BSPP", "redraw"), ("BBSV", "seen")])
def test_strategies_are_read_as_they_were_written(second: str, preparation: str, tmp_path: Path) -> None:
    made = Made("BSPP", second, preparation)
    if second == "BSPP":
        for name in ("opening", "opening_ev"):
            getattr(made.strategy, name)[1] = getattr(made.strategy, name)[0]
        made.settle()
    data = made.strategy.to_bytes()
    again = HandStrategy.from_bytes(data)
    for name, array in vars(made.strategy).items():
        found = getattr(again, name)
        if array is None:
            assert found is None
        else:
            assert found.dtype == array.dtype
            assert np.array_equal(found, array, equal_nan=name != "hands")
    path, digest = tmp_path / "strategy.npz", hashlib.sha256(data).hexdigest()
    assert load_strategy(path, digest) is None
    path.write_bytes(data)
    assert load_strategy(path, digest) is not None
    assert load_strategy(path, digest[::-1]) is None
    path.write_bytes(data[:50])
    assert load_strategy(path, hashlib.sha256(data[:50]).hexdigest()) is None

"""Rare actions dropped, against a plain-Python twin."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.hidden_hands.jit import decode, encode
from solver.hidden_hands.merged.shipped import drop_rare
from solver.hidden_hands.spaces import PLACE, Spaces, action_space, build_spaces
from tests.solver.test_hidden_hands import tables

Mix = dict[tuple[int, int], float]


@cache
def some_spaces() -> Spaces:
    """Hands of three of the box's items, one of which may be hidden."""
    game = tables("match.hand_size=3")
    return build_spaces(game, action_space(game, ()), 0, 1)


def naive_drop(mix: Mix, states: NDArray[np.int32], regret: NDArray[np.float32], dropped: set[int]) -> Mix:
    """Hand by hand: all play on pairs that are not dropped, if there are any."""
    found: Mix = {}
    for hand in set(states.tolist()):
        pairs = [pair for pair in mix if states[pair[0]] == hand]
        left = [pair for pair in pairs if pair[1] not in dropped]
        mass = sum(mix[pair] for pair in left)
        best = max(left, key=lambda pair: regret[pair[0]], default=None)
        for pair in pairs:
            if not left:
                found[pair] = mix[pair]
            elif pair not in left:
                found[pair] = 0.0
            else:
                found[pair] = mix[pair] / mass if mass > 1e-6 else float(pair == best)
    return found


@pytest.mark.kernels
@pytest.mark.parametrize("hidden", [0, 1])
@pytest.mark.parametrize("enough", [0.0, 0.05, 0.2, 0.5, 2.0])
@pytest.mark.parametrize("seed", range(4))
def test_rare_actions_are_dropped_as_by_hand(hidden: int, enough: float, seed: int) -> None:
    sp, rng = some_spaces(), np.random.default_rng(seed)
    level = sp.level_start.size - 2 - sp.num_hidden + hidden
    count = int(sp.set_actions[PLACE, level])
    first, end = int(sp.segment[PLACE, level, 0]), int(sp.segment[PLACE, level, count])
    states = sp.pair_state[first:end]
    actions = np.repeat(np.arange(count), np.diff(sp.segment[PLACE, level, : count + 1]))
    size = int(sp.level_start[level + 1] - sp.level_start[level])
    reach = rng.dirichlet(np.full(size, 0.5)).astype(np.float32)
    # Many hands never take some action, so that some have nothing mixed among what is left.
    weight = rng.exponential(size=end - first) * (rng.random(end - first) < 0.6) + 1e-30
    sigma = (weight / np.bincount(states, weight)[states]).astype(np.float32)
    regret = encode(rng.normal(size=end - first).astype(np.float32))
    mix: Mix = {(j, int(a)): float(sigma[j]) for j, a in enumerate(actions)}

    reaches = np.bincount(actions, sigma * reach[states], minlength=10).astype(np.float32)
    most = int(np.argmax(reaches))
    dropped = {a for a in range(count) if reaches[a] <= enough and a != most}
    drops = any(reaches[a] > 0.0 for a in dropped)
    expected = naive_drop(mix, states, decode(regret), dropped) if drops else mix
    work = np.zeros((2, size), np.float32)
    assert drop_rare(sp, PLACE, level, count, regret, enough, reaches, sigma, work) is drops
    assert sigma == pytest.approx([expected[j, int(a)] for j, a in enumerate(actions)], abs=1e-5)
    assert np.bincount(states, sigma) == pytest.approx(np.ones(size), abs=1e-5)

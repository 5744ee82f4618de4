"""The compiled match against the reference: what can be done, and what comes of it, along random play."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine.ophidian.match_codec import encode_match, match_tables
from engine.ophidian.match_kernel import expand_match
from engine.ophidian.match_layout import MAX_ACTIONS, MAX_OUTCOMES, WORK_WORDS
from engine.ophidian.reference import Phase, State, chance_outcomes, is_over, legal_moves, start, step, winner
from engine.ophidian.rules import load_rules
from engine.ophidian.wave_layout import LOWEST

pytestmark = pytest.mark.kernels

ANSWERS = (Phase.STAND_IN, Phase.ROAR)
SHORT = ("match.promotions=1", "match.waves=2", "match.promotion_heals=2")


def after(state: State) -> list[State]:
    if state.phase not in ANSWERS:
        return [state]
    return [end for move in legal_moves(state) for end in after(step(state, move))]


@pytest.mark.parametrize("overrides", [(), SHORT])
@pytest.mark.parametrize("size", [1, 2])
def test_the_kernel_is_the_reference(size: int, overrides: tuple[str, ...]) -> None:
    rules = load_rules(overrides=overrides)
    work = np.zeros(WORK_WORDS, np.int64)
    starts, codes = np.zeros(MAX_ACTIONS + 1, np.int64), np.zeros(MAX_ACTIONS, np.int64)
    targets = np.zeros(MAX_OUTCOMES, np.int64)
    phases = set()
    ends = 0
    for seed in range(25):
        rng = random.Random(seed)
        teams = [rng.sample(range(len(rules.gladiators)), size) for _ in range(2)]
        favoured = rng.randrange(2)
        tables = match_tables(rules, teams, favoured)
        state = start(rules, teams)
        while not is_over(state):
            phases.add(state.phase)
            num_actions = expand_match(tables, encode_match(state, favoured), work, starts, targets, codes)
            moves = [outcome for outcome, _ in chance_outcomes(state)] or list(legal_moves(state))
            results = [after(step(state, move)) for move in moves]
            found = [set(targets[starts[each] : starts[each + 1]]) for each in range(num_actions)]
            expected = []
            for outcomes in results:
                words = set()
                for each in outcomes:
                    if is_over(each):
                        best = winner(each)
                        words.add(tables[LOWEST] - 1 - (0 if best is None else 1 - 2 * best))
                        ends += 1
                    else:
                        words.add(encode_match(each, favoured))
                expected.append(words)
            # Promotions and placements come in another order.
            assert sorted(map(sorted, found)) == sorted(map(sorted, expected))
            open_still = [each for outcomes in results for each in outcomes if not is_over(each)]
            # Passes are many, or matches would end before their last waves.
            passed = [each for each in results[-1] if state.phase == Phase.ACT and not is_over(each)]
            chosen = passed if passed and rng.random() < 0.5 else open_still
            state = rng.choice(chosen or results[0])
    assert phases == {Phase.DIE, Phase.PROMOTE, Phase.PLACE, Phase.ACT}
    assert ends > 5

"""The compiled wave against the reference: actions, what the opponent's answers make of each, and ends."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine.ophidian.reference import Phase, State, is_over, legal_moves, step
from engine.ophidian.rules import load_rules
from engine.ophidian.wave_codec import Objective, action_of, decode, encode, scales, wave_tables
from engine.ophidian.wave_kernel import expand_wave
from engine.ophidian.wave_layout import LOWEST, MAX_ACTIONS, MAX_OUTCOMES, WORK_WORDS
from tests.oracles.alternating import parts_at_end, random_wave

pytestmark = pytest.mark.kernels

VARIANTS: tuple[tuple[str, ...], ...] = (
    (),
    ("combat.stand_in_defends=false", "combat.rage_damage=3"),
    ("match.riot=3", "match.winning_points=4"),
)


def after(state: State, wave: int) -> list[State]:
    """The positions at actions, and the ends, that the opponent can make of an action."""
    if parts_at_end(state, wave) is not None or state.phase == Phase.ACT:
        return [state]
    return [end for move in legal_moves(state) for end in after(step(state, move), wave)]


@pytest.mark.parametrize("overrides", VARIANTS)
def test_the_kernel_is_the_reference(overrides: tuple[str, ...]) -> None:
    rules = load_rules(overrides=overrides)
    work = np.zeros(WORK_WORDS, np.int64)
    starts, codes = np.zeros(MAX_ACTIONS + 1, np.int64), np.zeros(MAX_ACTIONS, np.int64)
    targets = np.zeros(MAX_OUTCOMES, np.int64)
    ends = positions = 0
    for seed in range(40):
        rng = random.Random(seed)
        wave = rng.randrange(1, 6)
        state = random_wave(rules, rng, rng.randrange(2, 5), wave)
        objective = Objective(rng.randrange(3))
        worth = scales(objective)
        tables = wave_tables(state, objective)
        while not is_over(state) and state.wave == wave:
            assert decode(encode(state), state) == state
            num_actions = expand_wave(tables, encode(state), work, starts, targets, codes)
            moves = [action_of(int(code)) for code in codes[:num_actions]]
            assert moves == list(legal_moves(state))
            results = []
            for index, move in enumerate(moves):
                expected = after(step(state, move), wave)
                words = targets[starts[index] : starts[index + 1]]
                assert len(expected) == len(words)
                for outcome, word in zip(expected, words, strict=True):
                    parts = parts_at_end(outcome, wave)
                    if parts is None:
                        assert encode(outcome) == word
                        positions += 1
                    else:
                        value = sum(one * part for one, part in zip(worth, parts, strict=False))
                        assert tables[LOWEST] - 1 - value == word
                        ends += 1
                results += expected
            # Passes end a wave soon, so they come more rarely.
            open_still = [each for each in results if parts_at_end(each, wave) is None]
            acted = [each for each in open_still if each.passes == 0]
            chosen = acted if acted and rng.random() < 0.8 else open_still
            state = rng.choice(chosen or results)
    assert positions > 500
    assert ends > 20

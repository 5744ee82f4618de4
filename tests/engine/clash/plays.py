"""Helpers of the tests of Clash of Rage: plays of the reference and the kernel side by side."""

from __future__ import annotations

import random

from engine.clash import codec, kernel, layout, reference
from engine.clash.board import Scenario, scenario
from engine.clash.kernel_rules import kernel_rules
from engine.clash.rules import Rules, load_rules
from engine.clash.rules_schema import DIFFICULTIES, TILES
from tests.engine.lockstep import Lockstep

BOX = load_rules()
CLANS = ("bohorg", "steamfield", "godleif", "tomb")


def random_scenario(rules: Rules, rng: random.Random, num_players: int = 0) -> Scenario:
    """Any clans, tiles, difficulty; as many players as asked for, if any number is."""
    clans = rng.sample(CLANS, num_players or rng.randint(1, 4))
    tiles = [
        rng.choice(TILES[2 * number : 2 * number + 2]) for number in rng.sample(range(5), max(2, len(clans)))
    ]
    difficulty = rng.choice(DIFFICULTIES) if len(clans) == 1 else None
    return scenario(rules, clans, tiles=tiles, difficulty=difficulty, long_game=rng.random() < 0.3)


BOTH = Lockstep(
    reference, kernel, codec, lambda words, state: codec.decode(words, state.rules, state.scenario)
)
moves, assert_same = BOTH.moves, BOTH.assert_same


def compare_game(rules: Rules, chosen: Scenario, seed: int, *, words_only: bool = False) -> int:
    """Play one random game on reference and kernel at once; returns its number of moves."""
    compiled = kernel_rules(rules, chosen)
    words = BOTH.start(compiled, layout.NUM_WORDS)
    return BOTH.compare(reference.start(rules, chosen), words, compiled, seed, words_only=words_only)

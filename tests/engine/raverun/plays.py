"""Helpers of Raverun's tests: plays of the reference and the kernel side by side, and random rules."""

from __future__ import annotations

import random

from engine.raverun import codec, kernel, layout, reference
from engine.raverun.kernel_rules import kernel_rules
from engine.raverun.reference import (
    CHANCE,
    Move,
    State,
    chance_outcomes,
    decider,
    legal_moves,
    start,
)
from engine.raverun.rules import Rules, load_rules
from tests.engine.lockstep import Lockstep, Words


def random_move(state: State, rng: random.Random) -> Move | int:
    """Chance by its weights, moves equally likely."""
    if decider(state) == CHANCE:
        outcomes, weights = zip(*chance_outcomes(state), strict=True)
        return int(rng.choices(outcomes, weights)[0])
    return rng.choice(legal_moves(state))


def _paid(words: Words, compiled: Words, state: State) -> tuple[float, ...]:
    best, others = kernel.winner(words, compiled), len(state.players) - 1
    return tuple(0.0 if best < 0 else 1.0 if each == best else -1.0 / others for each in range(others + 1))


BOTH = Lockstep(
    reference,
    kernel,
    codec,
    lambda words, state: codec.decode(words, state.rules, len(state.players)),
    decider=lambda words, _: kernel.decider(words),
    chance_weights=lambda words, _, weights: kernel.chance_weights(words, weights),
    payoffs=_paid,
)
moves, assert_same = BOTH.moves, BOTH.assert_same


def compare_game(rules: Rules, num_players: int, seed: int, *, words_only: bool = False) -> int:
    """Play one random game on reference and kernel at once; returns its number of moves."""
    compiled = kernel_rules(rules, num_players)
    words = BOTH.start(compiled, layout.NUM_WORDS)
    return BOTH.compare(start(rules, num_players), words, compiled, seed, words_only=words_only)


def players_of(rules: Rules) -> list[int]:
    """How many can play with these rules."""
    return [
        number
        for number, size in zip((2, 3), rules.match.hand_size, strict=True)
        if number * size <= rules.num_cards
    ]


BOX = load_rules()

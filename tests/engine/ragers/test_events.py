"""What a player sees of the moves of a match is what a player sees of its states."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import prod

import pytest

from engine.ragers.events import seen
from engine.ragers.reference import (
    CHANCE,
    NOTHING,
    State,
    chance_outcomes,
    deciders,
    drawing,
    is_over,
    legal_actions,
    observe,
    start_match,
    step,
)
from engine.ragers.rules import load_rules
from tests.engine.ragers.plays import Move, random_move

Steps = list[tuple[State, Move]]
HARSH = (
    "cards.veteran.copies=5",
    "cards.deadeye.copies=5",
    "patrons.arianna.forbidden=basher,slasher,prodder",
)


def play(state: State, rng: random.Random) -> Iterator[tuple[Steps, State]]:
    """The states of a random play, each with the way to it."""
    steps: Steps = []
    while not is_over(state):
        move = random_move(state, rng)
        steps.append((state, move))
        state = step(state, move)
        yield steps, state


@pytest.mark.parametrize("overrides", [(), HARSH])
def test_I1_what_was_seen_of_moves_is_all_that_is_seen_of_states(overrides: tuple[str, ...]) -> None:
    """Two histories with equal rows have equal observations all along, and the other way round."""
    of_rows: dict[object, object] = {}
    of_views: dict[object, object] = {}
    for seed in range(12):
        rng = random.Random(seed)
        state = start_match(load_rules(overrides=overrides))
        for viewers in ((), (0,), (1,)):
            views: tuple[object, ...] = ()
            rows: tuple[object, ...] = ()
            for steps, after in play(state, rng):
                rows = (*rows, seen(*steps[-1], viewers))
                views = (*views, observe(after, viewers[0] if viewers else None))
                assert of_rows.setdefault((viewers, rows), views) == views
                assert of_views.setdefault((viewers, views), rows) == rows


def histories(state: State, steps: Steps, player: int) -> list[tuple[tuple[Move, ...], float]]:
    """Return every history with these rows, and its weight: each card held is as likely to be chosen."""
    if not steps:
        return [((), 1.0)]
    (before, move), rest = steps[0], steps[1:]
    if deciders(state) != deciders(before):
        return []
    found = []
    options: list[tuple[Move, float]]
    if deciders(state) == (CHANCE,):
        outcomes = chance_outcomes(state)
        total = sum(weight for _, weight in outcomes)
        options = [(outcome, weight / total) for outcome, weight in outcomes]
        if drawing(state) == player:
            options = [(other, weight) for other, weight in options if other == move]
    else:
        assert not isinstance(move, int)
        hand = state.players[1 - player].hand
        options = []
        for other in legal_actions(state, 1 - player) or (NOTHING,):
            pair = (move[0], other) if player == 0 else (other, move[1])
            options.append((pair, 1.0 if other == NOTHING else hand[other] / sum(hand)))
    for other, weight in options:
        if seen(state, other, (player,)) == seen(before, move, (player,)):
            following = histories(step(state, other), rest, player)
            found += [((other, *moves), prod((weight, later))) for moves, later in following]
    return found

"""What a player sees of the moves of a game is what a player sees of its states; moves have numbers."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from engine.raverun.events import seen
from engine.raverun.moves import NUM_MOVES, move_number, numbered_move
from engine.raverun.reference import (
    Move,
    State,
    decider,
    is_over,
    legal_moves,
    start,
    step,
)
from engine.raverun.reference_view import public_view, view
from engine.raverun.rules import load_rules
from engine.raverun.view_features import action_mask, private_features, public_features
from tests.engine.raverun.plays import random_move

Steps = list[tuple[State, Move | int]]
BURIES = ("characters.1.action=bury", "characters.4.action=shuffle", "characters.7.action=bury")
MIXES = (
    "characters.1.action=exchange",
    "characters.3.action=shuffle",
    "characters.4.action=recall",
    "characters.5.action=bury",
)
WAYS = [((), 2), ((), 3), (BURIES, 2), (BURIES, 3), (MIXES, 2), (MIXES, 3)]


def play(state: State, rng: random.Random) -> Iterator[tuple[Steps, State]]:
    """The states of a random play, each with the way to it."""
    steps: Steps = []
    while not is_over(state):
        move = random_move(state, rng)
        steps.append((state, move))
        state = step(state, move)
        yield steps, state


@pytest.mark.parametrize(("overrides", "num_players"), WAYS)
def test_every_move_has_a_number_of_its_own(overrides: tuple[str, ...], num_players: int) -> None:
    state = start(load_rules(overrides=overrides), num_players)
    for steps, _ in play(state, random.Random(1)):
        before = steps[-1][0]
        moves = legal_moves(before)
        numbers = [move_number(move) for move in moves]
        assert [numbered_move(number) for number in numbers] == list(moves)
        for player in range(num_players):
            legal = numbers if decider(before) == player else []
            assert np.flatnonzero(action_mask(before, player)).tolist() == sorted(legal)
    assert {move_number(numbered_move(number)) for number in range(NUM_MOVES)} == set(range(NUM_MOVES))


@pytest.mark.parametrize(("overrides", "num_players"), WAYS)
def test_V4_what_was_seen_of_moves_is_all_that_is_seen_of_states(
    overrides: tuple[str, ...], num_players: int
) -> None:
    """Two histories with equal rows have equal views all along, and the other way round; so have vectors."""
    of_rows: dict[object, object] = {}
    of_views: dict[object, object] = {}
    of_vectors: dict[object, object] = {}
    for seed in range(6):
        state = start(load_rules(overrides=overrides), num_players)
        whole = list(play(state, random.Random(seed)))[-1]
        for player in (None, *range(num_players)):
            viewers = () if player is None else (player,)
            rows: tuple[object, ...] = ()
            views: tuple[object, ...] = ()
            for number, (before, move) in enumerate(whole[0]):
                after = whole[0][number + 1][0] if number + 1 < len(whole[0]) else whole[1]
                rows = (*rows, *seen(before, move, after, viewers))
                public = public_view(after)
                now = public if player is None else (public, view(after, player))
                # Nobody sees how often another player has chosen a card to go under the deck so far (2).
                if not (after.put and views[-1] == now):
                    views = (*views, now)
                assert of_rows.setdefault((player, rows), views) == views
                assert of_views.setdefault((player, views), rows) == rows
                vectors = [public_features(after)]
                vectors += [] if player is None else [private_features(after, player)]
                key = (player, decider(after), b"".join(each.tobytes() for each in vectors))
                seen_now = (decider(after), now)
                assert of_vectors.setdefault(key, seen_now) == seen_now

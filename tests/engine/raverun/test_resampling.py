"""Moves as numbers, what a player sees of a game, and other histories in which he has seen the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from math import comb

import numpy as np
import pytest

from engine.raverun.events import seen
from engine.raverun.moves import NUM_MOVES, move_number, numbered_move
from engine.raverun.reference import (
    CHANCE,
    IllegalMove,
    Move,
    Phase,
    State,
    chance_outcomes,
    decider,
    is_over,
    legal_moves,
    start,
    step,
)
from engine.raverun.reference_view import public_view, view
from engine.raverun.resampling import resample
from engine.raverun.rules import EXCHANGE, load_rules
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


@pytest.mark.parametrize(("overrides", "num_players"), WAYS)
def test_another_history_looks_the_same(overrides: tuple[str, ...], num_players: int) -> None:
    rules = load_rules(overrides=overrides)
    others = tries = 0
    for seed in range(8):
        rng = random.Random(seed)
        for steps, end in play(start(rules, num_players), rng):
            if rng.random() > 0.15:
                continue
            player = rng.randrange(num_players)
            for attempt in range(3000):
                tries += 1
                moves = resample(steps, player, rng, end=end, strict=attempt < 1000)
                if moves is not None and looks_the_same(steps, moves, end, player):
                    break
            else:
                raise AssertionError("nothing found")
            others += moves != [move for _, move in steps]
    assert others > 30
    assert tries < 30 * others


def rows_of(steps: Steps, end: State, player: int) -> list[object]:
    states = [*(state for state, _ in steps), end]
    return [
        row
        for (before, move), after in zip(steps, states[1:], strict=True)
        for row in seen(before, move, after, (player,))
    ]


def looks_the_same(steps: Steps, moves: list[Move | int], end: State, player: int) -> bool:
    state, other = steps[0][0], []
    for move in moves:
        other.append((state, move))
        try:
            state = step(state, move)
        except IllegalMove:
            return False
    return rows_of(other, state, player) == rows_of(steps, end, player) and view(state, player) == view(
        end, player
    )


@pytest.mark.parametrize("player", [0, 1])
def test_histories_come_by_their_probabilities(player: int) -> None:
    """Against all histories of a small game, weighed one by one."""
    small = ("match.characters=3", "match.letters=2", "match.hand_size=2")
    actions = ("characters.1.action=exchange", "characters.2.action=swap", "characters.3.action=draw")
    rules = load_rules(overrides=(*small, *actions, "characters.3.colour=green"))
    for seed in range(1000):
        steps, end = [(list(steps), state) for steps, state in play(start(rules), random.Random(seed))][-1]
        if sum(bool(state.put) and decider(state) != player for state, _ in steps[1:]) and len(steps) > 12:
            break
    expected = Counter[tuple[Move | int, ...]]()
    for moves, weight in histories(start(rules), (), 1.0, rows_of(steps, end, player), player):
        if looks_the_same(steps, list(moves), end, player):
            expected[moves] += weight
    total = sum(expected.values())
    rng, num = random.Random(1), 1000
    counts: Counter[tuple[Move | int, ...]] = Counter()
    while counts.total() < num:
        found = resample(steps, player, rng, end=end)
        if found is not None and looks_the_same(steps, found, end, player):
            counts[tuple(found)] += 1
    assert 1 < len(expected) < 300
    assert set(counts) <= set(expected)
    for moves, weight in expected.items():
        share = weight / total
        assert counts[moves] / num == pytest.approx(share, abs=5 * (share / num) ** 0.5)


def histories(
    state: State, moves: tuple[Move | int, ...], weight: float, rows: list[object], player: int
) -> Iterator[tuple[tuple[Move | int, ...], float]]:
    """Histories with these rows, and their weights: each card held is as likely to be chosen."""
    if not rows:
        yield moves, weight
    if is_over(state):
        return
    who = decider(state)
    options: list[Move | int] = [outcome for outcome, _ in chance_outcomes(state)] or list(legal_moves(state))
    for move in options:
        after = step(state, move)
        shown = seen(state, move, after, (player,))
        if rows[: len(shown)] != shown:
            continue
        factor = 1.0
        if who == CHANCE:
            factor = 1 / len(options)
        elif who != player and isinstance(move, Move):
            held = len(state.players[who].hand)
            if state.put or (move.card is not None and _exchanges(state)):
                put = len(state.put) + (move.card is not None)
                factor = 1.0 if after.put else 1 / comb(held + len(state.put), put)
            elif move.card is not None and not (
                state.phase in (Phase.ROUND, Phase.LAST) and move.player is None
            ):
                factor = 1 / held
        yield from histories(after, (*moves, move), weight * factor, rows[len(shown) :], player)


def _exchanges(state: State) -> bool:
    return state.offered is not None and state.rules.action(state.offered) == EXCHANGE

"""What a player sees of a match, and other histories in which he has seen the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from math import prod

import pytest

from engine.ragers.events import seen
from engine.ragers.reference import (
    CHANCE,
    NOTHING,
    Phase,
    State,
    chance_outcomes,
    deciders,
    drawing,
    is_over,
    legal_actions,
    observe,
    start_day,
    start_match,
    step,
)
from engine.ragers.resampling import Move, resample
from engine.ragers.rules import TYPES, load_rules

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


def random_move(state: State, rng: random.Random) -> Move:
    if outcomes := chance_outcomes(state):
        return rng.choices(*zip(*outcomes, strict=True))[0]
    first, second = (rng.choice(legal_actions(state, player) or (NOTHING,)) for player in (0, 1))
    return first, second


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


@pytest.mark.parametrize("overrides", [(), HARSH, ("match.hand_size=2", "cards.deadeye.copies=9")])
def test_another_history_looks_the_same(overrides: tuple[str, ...]) -> None:
    rules = load_rules(overrides=overrides)
    others = tries = 0
    for seed in range(12):
        rng = random.Random(seed)
        for steps, end in play(start_match(rules), rng):
            if rng.random() > 0.15:
                continue
            player = rng.randrange(2)
            for attempt in range(2000):
                tries += 1
                moves = resample(steps, player, rng, end=end, strict=attempt < 200)
                if moves is not None and looks_the_same(steps, moves, end, player):
                    break
            else:
                raise AssertionError("nothing found")
            others += moves != [move for _, move in steps]
    assert others > 30
    assert tries < 20 * others


def looks_the_same(steps: Steps, moves: list[Move], end: State, player: int) -> bool:
    state = steps[0][0]
    for (before, move), other in zip(steps, moves, strict=True):
        legal = (
            other in dict(chance_outcomes(state))
            if isinstance(other, int)
            else all(other[p] in (legal_actions(state, p) or (NOTHING,)) for p in (0, 1))
        )
        if not legal or seen(state, other, (player,)) != seen(before, move, (player,)):
            return False
        state = step(state, other)
    return observe(state, player) == observe(end, player)


def test_histories_come_by_their_probabilities() -> None:
    """Against all histories of a small day, weighed one by one."""
    held = {"basher": 1, "slasher": 1, "deadeye": 2, "prodder": 1}
    decks = [f"cards.{name}.copies={held.get(name, 0)}" for name in TYPES]
    rules = load_rules(overrides=(*decks, "match.hand_size=3", "match.row_length=3", "match.discards=0"))
    start = start_day(rules, "the-nameless", ["two-bashers"])
    for seed in range(100):
        steps, end = [(list(steps), state) for steps, state in play(start, random.Random(seed))][-1]
        hides = [state.phase == Phase.DEADEYE and 1 in deciders(state) for state, _ in steps]
        if any(hides):
            break
    expected = {moves: weight for moves, weight in histories(start, steps, 0) if weight}
    total = sum(expected.values())
    rng, num = random.Random(1), 1000
    counts: Counter[tuple[Move, ...]] = Counter()
    while counts.total() < num:
        moves = resample(steps, 0, rng, end=end)
        if moves is not None and looks_the_same(steps, moves, end, 0):
            counts[tuple(moves)] += 1
    assert 5 < len(expected) < 200
    assert set(counts) <= set(expected)
    for moves, weight in expected.items():
        share = weight / total
        assert counts[moves] / num == pytest.approx(share, abs=5 * (share / num) ** 0.5)


def histories(state: State, steps: Steps, player: int) -> list[tuple[tuple[Move, ...], float]]:
    """Every history with the rows of this one, and its weight: each card held is as likely to be chosen."""
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

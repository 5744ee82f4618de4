"""The proof search against plain minimax: random games as tables, and waves of Ophidian Arena."""

from __future__ import annotations

import random
from functools import partial

import numpy as np
import pytest
from numba import njit

from analysis.ophidian.proving import Fight
from analysis.ophidian.proving_matches import MatchFight
from engine.ophidian.reference import Fighter, is_over, legal_moves, start_wave
from engine.ophidian.rules import load_rules
from engine.ophidian.wave_codec import Objective
from solver.alternating.game import AlternatingGame, IntArray
from solver.alternating.solving import Bounds, ProofSearch
from tests.oracles.alternating import (
    fitted_end,
    random_wave,
    result_by_memoisation,
    value_at_ends,
    value_by_memoisation,
)

pytestmark = pytest.mark.kernels

HIGHEST = 40


@njit(cache=True)
def expand_table(
    tables: IntArray, state: int, work: IntArray, starts: IntArray, targets: IntArray, codes: IntArray
) -> int:
    """Copy what the table says of a state: actions, where their outcomes start, and these."""
    at = tables[state >> 1]
    count = tables[at]
    for action in range(count + 1):
        starts[action] = tables[at + 1 + action]
    for action in range(count):
        codes[action] = action
    for outcome in range(starts[count]):
        targets[outcome] = tables[at + count + 2 + outcome]
    return count


def random_game(rng: random.Random, size: int) -> AlternatingGame:
    """States from the last one down to 0, that lead to lower ones or end."""
    movers = [rng.randrange(2) for _ in range(size)]
    words: list[int] = []
    places = []
    for number in range(size):
        places.append(size + len(words))
        starts, targets = [0], []
        for _ in range(rng.randrange(1, 5)):
            for _ in range(rng.randrange(1, 4)):
                if number and rng.random() < 0.85:
                    below = rng.randrange(max(0, number - 12), number)
                    targets.append(below << 1 | movers[below])
                else:
                    targets.append(-HIGHEST - 1 - rng.randrange(-HIGHEST, HIGHEST + 1))
            starts.append(len(targets))
        words += [len(starts) - 1, *starts, *targets]
    tables = np.array(places + words, np.int64)
    return AlternatingGame(tables, 1, 4, 12, 4, -HIGHEST, HIGHEST, (20, 5, 1), expand_table)


def minimax(game: AlternatingGame, root: int) -> int:
    """The value of a state, from the lowest numbers up."""
    search = ProofSearch(game, 1)
    values: dict[int, int] = {}

    def value(state: int) -> int:
        return game.end_of(state) if state < 0 else values[state]

    for state in range((root | 1) + 1):
        sign = -1 if state & 1 else 1
        answers = [min(sign * value(each) for each in action.outcomes) for action in search.actions(state)]
        values[state] = sign * max(answers)
    return values[root]


@pytest.mark.parametrize("table_bytes", [1, 1 << 20])
def test_values_of_random_games(table_bytes: int) -> None:
    values = set()
    for seed in range(20):
        game = random_game(random.Random(seed), 60)
        search = ProofSearch(game, table_bytes)
        for state in (59 << 1, 40 << 1, 40 << 1 | 1):
            # A state's lowest bit says who moves, so both may be asked about.
            expected = minimax(game, state)
            assert search.value(state) == Bounds(expected, expected)
            assert search.value(state, expected) == Bounds(expected, expected)
            for action in search.actions(state):
                sign = -1 if state & 1 else 1
                ends = [game.end_of(each) if each < 0 else minimax(game, each) for each in action.outcomes]
                worth = sign * min(sign * end for end in ends)
                assert search.action_value(state & 1, action.outcomes) == Bounds(worth, worth)
            values.add(expected)
    assert len(values) > 10


def test_what_is_proved_stays_when_the_search_is_stopped() -> None:
    game = random_game(random.Random(3), 3_000)
    root = 2_999 << 1
    calls = 0

    def stopped() -> bool:
        nonlocal calls
        calls += 1
        return calls == 2

    expected = minimax(game, root)
    # With next to no table the search is long.
    search = ProofSearch(game, 1, stopped)
    bounds = search.value(root)
    assert bounds.low <= expected <= bounds.high
    if not bounds.exact:
        assert calls == 2
    assert search.value(root) == Bounds(expected, expected)


@njit(cache=True)
def expand_levels(
    tables: IntArray, state: int, work: IntArray, starts: IntArray, targets: IntArray, codes: IntArray
) -> int:
    """As `expand_table`; the table ends with what a play is worth that repeats a state, by level."""
    work[0] = -HIGHEST - 1 - tables[len(tables) - 1 - (state >> 4)]
    return int(expand_table(tables, state, work, starts, targets, codes))


def random_levels(rng: random.Random, levels: int) -> AlternatingGame:
    """Eight states a level, that lead to others of it, or to lower ones, or end."""
    size = 8 * levels
    movers = [rng.randrange(2) for _ in range(size)]
    words: list[int] = []
    places = []
    for number in range(size):
        places.append(size + len(words))
        starts, targets = [0], []
        for _ in range(rng.randrange(1, 4)):
            for _ in range(rng.randrange(1, 3)):
                first = 0 if rng.random() < 0.3 else number & -8
                other = rng.randrange(first, (number & -8) + 8)
                end = -HIGHEST - 1 - rng.randrange(-HIGHEST, HIGHEST + 1)
                targets.append(other << 1 | movers[other] if rng.random() < 0.75 else end)
            starts.append(len(targets))
        words += [len(starts) - 1, *starts, *targets]
    repeats = [rng.randrange(-HIGHEST // 2, HIGHEST // 2) for _ in range(levels)]
    tables = np.array(places + words + repeats, np.int64)
    return AlternatingGame(tables, 1, 3, 6, 4, -HIGHEST, HIGHEST, (20, 5, 1), expand_levels, level=-16)


def value_by_ways(game: AlternatingGame, start: int, past: frozenset[int]) -> int:
    """The value of a state by all ways from it, each with all states to which it has come."""
    search, known = ProofSearch(game, 1), dict[tuple[int, frozenset[int]], int]()

    def value(state: int, way: frozenset[int]) -> int:
        if state < 0:
            return game.end_of(state)
        # States of levels above do not come again.
        way = frozenset(each for each in way if each >> 4 == state >> 4)
        if state in way:
            return int(game.tables[len(game.tables) - 1 - (state >> 4)])
        if (state, way) not in known:
            sign = -1 if state & 1 else 1
            known[state, way] = sign * max(
                min(sign * value(each, way | {state}) for each in action.outcomes)
                for action in search.actions(state)
            )
        return known[state, way]

    return value(start, past)


@pytest.mark.parametrize("table_bytes", [1, 1 << 20])
def test_values_where_plays_come_to_a_state_twice(table_bytes: int) -> None:
    found = set()
    for seed in range(60):
        rng = random.Random(seed)
        game = random_levels(rng, 3)
        search = ProofSearch(game, table_bytes)
        for _ in range(3):
            state = rng.randrange(48)
            expected = value_by_ways(game, state, frozenset())
            assert search.value(state) == Bounds(expected, expected)
            found.add(expected)
            # A way to it that has come to some states of its level already.
            past = frozenset(rng.sample(range(state & -16, (state & -16) + 16), 3)) - {state}
            expected = value_by_ways(game, state, past)
            assert search.after(past).value(state) == Bounds(expected, expected)
    assert len(found) > 10


RULES = load_rules()


def check_waves(size: int, seeds: range, num_parts: int = 3) -> int:
    """Positions whose value, and whose actions' values, are those of plain memoisation."""
    checked = 0
    for seed in seeds:
        rng = random.Random(seed)
        state = random_wave(RULES, rng, size, rng.randrange(1, 7))
        if is_over(state):
            continue
        fight = Fight(state, Objective(num_parts - 1), 1 << 20)
        found = fight.worth(fight.value(state).low)
        parts = [part for part in (found.result, found.points, found.wounds) if part is not None]
        assert tuple(parts) == value_by_memoisation(state, num_parts)
        checked += 1
    return checked


@pytest.mark.parametrize("num_parts", [1, 2, 3])
def test_waves_of_one_against_one(num_parts: int) -> None:
    assert check_waves(1, range(12), num_parts) > 8


def test_fitted_ends_of_waves_are_worth_what_the_reference_says() -> None:
    weights = [0.4, 0.1, 0.2, 0.15, -0.15, -0.02, 0.3, -0.2, 0.0, 0.0]
    found = set()
    for seed in range(12):
        rng = random.Random(seed)
        state = random_wave(RULES, rng, 1, rng.randrange(1, 5))
        if is_over(state):
            continue
        fight = Fight(state, Objective.MATCH, 1 << 20, weights=weights)
        value = fight.value(state)
        expected = value_at_ends(state, partial(fitted_end, wave=state.wave, weights=weights))
        assert value == Bounds(expected, expected)
        found.add(expected)
    assert len(found) > 4


def test_a_wave_of_two_against_two() -> None:
    assert check_waves(2, range(2)) == 2


def test_matches_are_worth_what_the_reference_says_whoever_dice_favour() -> None:
    rules = load_rules(overrides=["match.extra_waves=1"])
    # Among these is a pair for whom a die after a full tie decides; few have one.
    pair = (Fighter(9, level=3),), (Fighter(11, level=3),)
    drawn = [random_wave(rules, random.Random(seed), 1, 4) for seed in range(3)]
    exact = set()
    for state in (start_wave(rules, pair, wave=3), *drawn):
        if is_over(state):
            continue
        fight = MatchFight(state, 1 << 21)
        bounds = fight.value(state)
        assert bounds == Bounds(result_by_memoisation(state, 1), result_by_memoisation(state, 0))
        exact.add(bounds.exact)
        lows = [fight.action(state, move, None)[0].low for move in legal_moves(state)]
        assert (min if state.turn else max)(lows) == bounds.low
    assert exact == {False, True}

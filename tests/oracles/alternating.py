"""Values of positions within a wave by plain memoisation on the reference: nothing shared with the search."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from math import tanh
from typing import Any, TypeVar

from engine.ophidian import reference
from engine.ophidian.reference import (
    Fighter,
    Phase,
    State,
    is_over,
    legal_moves,
    points,
    step,
    winner,
    wounds,
)
from engine.ophidian.reference_round import end_of_wave
from engine.ophidian.rules import Rules

_Value = TypeVar("_Value", bound=Any)


def parts_at_end(state: State, wave: int) -> tuple[int, int, int] | None:
    """Result, points and wounds for player 0 where the match or its wave `wave` is over, else None."""
    result = 0
    if is_over(state):
        best = winner(state)
        result = 0 if best is None else 1 - 2 * best
    elif state.wave == wave:
        return None
    return result, points(state, 0) - points(state, 1), wounds(state, 1) - wounds(state, 0)


def value_by_memoisation(start: State, num_parts: int = 3) -> tuple[int, ...]:
    """The first parts of (result, points, wounds) at the end of the wave, compared one after the other."""
    return value_at_ends(start, lambda end: (parts_at_end(end, start.wave) or ())[:num_parts])


def value_by_ways(
    start: State, worth: Callable[[State], _Value], past: frozenset[State] = frozenset()
) -> _Value:
    """As `value_at_ends`, each way apart: a position that comes again ends the wave as if all passed (W7)."""
    known: dict[tuple[State, frozenset[State]], _Value] = {}

    def value(state: State, way: frozenset[State]) -> _Value:
        if state in way:
            state = end_of_wave(state)
        if is_over(state) or state.wave != start.wave:
            return worth(state)
        if (state, way) not in known:
            further = way | {state} if state.phase == Phase.ACT else way
            values = [value(step(state, move), further) for move in legal_moves(state)]
            known[state, way] = min(values) if state.turn else max(values)
        return known[state, way]

    return value(start, past)


def value_at_ends(start: State, worth: Callable[[State], _Value]) -> _Value:
    """What a position is worth for player 0, by what each end of its wave, or of the match, is worth."""
    sys.setrecursionlimit(20_000)
    known: dict[State, _Value] = {}

    def value(state: State) -> _Value:
        if is_over(state) or state.wave != start.wave:
            return worth(state)
        if state not in known:
            values = [value(step(state, move)) for move in legal_moves(state)]
            known[state] = max(values) if state.turn == 0 else min(values)
        return known[state]

    return value(start)


def fitted_end(state: State, wave: int, weights: Sequence[float]) -> int:
    """What an end of a wave is worth by fitted weights, in 200ths of a win."""
    if is_over(state):
        best = winner(state)
        return 0 if best is None else 200 - 400 * best
    rules, score = state.rules, 0.0
    by_points, by_wave, by_life, by_level, by_rage, by_cheer, by_square, by_start, *_ = weights
    for player, team in enumerate(state.teams):
        sign = 1 - 2 * player
        score += sign * points(state, player) * (by_points + by_wave * wave)
        score += sign * (by_cheer + by_square * state.cheer[player] / rules.match.riot) * state.cheer[player]
        for fighter in team:
            rule = rules.gladiators[fighter.gladiator]
            life = rule.life[fighter.level]
            if fighter.wounds < life:
                score += sign * by_life * rule.points * (life - fighter.wounds) / life
                score += sign * by_level * (fighter.level + 1)
                score += sign * by_rage * reference.is_raging(rules, fighter)
    if state.phase != reference.Phase.DIE:
        score += by_start * (1 - 2 * state.momentum)
    return max(-199, min(round(200 * tanh(score / 2)), 199))


def result_by_memoisation(start: State, favoured: int) -> int:
    """The result of the match for player 0, dice after full ties chosen by `favoured`."""
    sys.setrecursionlimit(20_000)
    known: dict[State, int] = {}

    def value(state: State) -> int:
        if is_over(state):
            best = winner(state)
            return 0 if best is None else 1 - 2 * best
        if state not in known:
            dice = state.phase == reference.Phase.DIE
            values = [value(step(state, move)) for move in ((0, 1) if dice else legal_moves(state))]
            known[state] = (min if (favoured if dice else state.turn) else max)(values)
        return known[state]

    return value(start)


def random_wave(rules: Rules, rng: random.Random, size: int, wave: int) -> State:
    """A position at the start of an action: random gladiators, levels, wounds, fields, some of them set."""
    teams = []
    for _ in range(2):
        team = []
        for gladiator in rng.sample(range(len(rules.gladiators)), size):
            level = rng.randrange(min(4, wave))
            wounded = rng.randrange(rules.gladiators[gladiator].life[level])
            team.append(Fighter(gladiator, level, wounded, rng.randrange(2), rng.random() < 0.2))
        teams.append(team)
    cheer = rng.randrange(5), rng.randrange(5)
    return reference.start_wave(rules, teams, cheer=cheer, momentum=rng.randrange(2), wave=wave)

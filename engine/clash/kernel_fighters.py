"""Both sides of a battle in a whole game as the numbers that decide it; battles rolled or ended at once.

A battle is `[NUM_NUMBERS] int64`: for each side and type what `fighters.Fighter` holds, then the armies, who
starts, whether the defender is the elves, and who distributes the injuries that they deal. Two battles with
the same numbers end in the same ways, so tables of outcomes are kept by them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.clash import layout
from engine.clash.kernel import advance
from engine.clash.kernel_battle import end_battle, fighting, life_of, number_of, owner_of
from engine.clash.kernel_rules import KernelRules
from engine.clash.kernel_state import (
    ARMY_BITS,
    ARMY_MASK,
    BATTLE,
    COUNT_BITS,
    NUM_TYPES,
    Words,
    elves_at,
    enemy,
    of_type,
    put,
    units_at,
)
from engine.jit import kernel_njit
from engine.randomness import below, next_random

POWER, LIFE, REROLL, INJURY, SHIELD, RAGE, SLOW = range(7)
"""Numbers of a type, in the order of `fighters.Fighter`."""
NUM_PARTS = 7
SIDE = NUM_TYPES * NUM_PARTS
OWN, OTHER, STARTS, ELVES, CHOOSER = range(2 * SIDE, 2 * SIDE + 5)
NUM_NUMBERS = 2 * SIDE + 5
FLED = 1 << 2 * ARMY_BITS
"""In an outcome, beside the armies that are left: somebody fled, and `ATTACKER_FLED` says who."""
ATTACKER_FLED = FLED << 1

_MOST_ASSAULTS = 200
"""Of a battle rolled by dice; with a limit to rage it might go on for ever."""
_STEEPNESS, _SHIFT = 5.0, 0.0
"""Of the curve from life points left to chances, fitted to exact values."""


@kernel_njit
def describe_side(
    words: Words, rules: KernelRules, owner: int, side: int, numbers: NDArray[np.int64]
) -> None:
    """Write what the types of an owner, -1 for the elves, count for on one side. In place: `numbers`."""
    for kind in range(NUM_TYPES):
        first = side * SIDE + kind * NUM_PARTS
        numbers[first + POWER] = number_of(words, rules, owner, kind, layout.POWER)
        numbers[first + LIFE] = life_of(rules, owner, kind)
        numbers[first + REROLL] = number_of(words, rules, owner, kind, layout.REROLLING)
        numbers[first + INJURY] = number_of(words, rules, owner, kind, layout.INJURY)
        numbers[first + SHIELD] = number_of(words, rules, owner, kind, layout.SHIELD)
        numbers[first + RAGE] = number_of(words, rules, owner, kind, layout.RAGING)
        numbers[first + SLOW] = number_of(words, rules, owner, kind, layout.SLOW)


@kernel_njit
def set_armies(rules: KernelRules, own: int, other: int, elves: bool, numbers: NDArray[np.int64]) -> None:
    """Write the armies and what follows from them (B1, B2, X4). Modified in place: `numbers`."""
    numbers[OWN], numbers[OTHER], numbers[ELVES] = own, other, 1 if elves else 0
    slow = slow_other = 0
    for kind in range(NUM_TYPES):
        if of_type(own, kind):
            slow += numbers[kind * NUM_PARTS + SLOW]
        if of_type(other, kind):
            slow_other += numbers[SIDE + kind * NUM_PARTS + SLOW]
    numbers[STARTS] = 0 if slow < slow_other else 1
    numbers[CHOOSER] = 0 if elves and rules[layout.RULE_ELVES_BY_ATTACKER] else 1


@kernel_njit
def describe_field(
    words: Words, rules: KernelRules, player: int, place: int, numbers: NDArray[np.int64]
) -> None:
    """Write the battle that a player would begin in a territory now. Modified in place: `numbers`."""
    owner = enemy(words, rules, player, place)
    other = elves_at(words, place) if owner < 0 else units_at(words, rules, owner, place)
    describe_side(words, rules, player, 0, numbers)
    describe_side(words, rules, owner, 1, numbers)
    set_armies(rules, units_at(words, rules, player, place), other, owner < 0, numbers)


@kernel_njit
def describe_battle(words: Words, rules: KernelRules, numbers: NDArray[np.int64]) -> None:
    """Write the battle that has just begun, and forget absent types. In place: `numbers`."""
    owner = owner_of(words, rules, 1)
    describe_side(words, rules, owner_of(words, rules, 0), 0, numbers)
    describe_side(words, rules, owner, 1, numbers)
    set_armies(rules, fighting(words, 0), fighting(words, 1), owner < 0, numbers)
    forget_absent(numbers)


@kernel_njit
def forget_absent(numbers: NDArray[np.int64]) -> None:
    """Types that are not there do not tell battles apart. Modified in place: `numbers`."""
    for side in range(2):
        for kind in range(NUM_TYPES):
            if not of_type(numbers[OWN + side], kind):
                for part in range(NUM_PARTS):
                    numbers[side * SIDE + kind * NUM_PARTS + part] = 1 if part == LIFE else 0


@kernel_njit
def finish_battle(words: Words, rules: KernelRules, outcome: int) -> None:
    """End the battle that is fought in one step. Modified in place.

    Parameters
    ----------
    outcome : the armies left, the attacker's in the lowest bits; `FLED` and `ATTACKER_FLED`.
    """
    own, other = outcome & ARMY_MASK, outcome >> ARMY_BITS & ARMY_MASK
    put(words, BATTLE, 0, (1 << 2 * ARMY_BITS) - 1, own | other << ARMY_BITS)
    fled = outcome & FLED != 0
    winner = (1 if outcome & ATTACKER_FLED else 0) if fled else (0 if own else 1)
    end_battle(words, rules, winner, fled)
    advance(words, rules)


@kernel_njit
def _sum_of(numbers: NDArray[np.int64], side: int, army: int, part: int) -> int:
    total = 0
    for kind in range(NUM_TYPES):
        if of_type(army, kind):
            total += numbers[side * SIDE + kind * NUM_PARTS + part]
    return int(total)


@kernel_njit
def _power(numbers: NDArray[np.int64], side: int, army: int) -> int:
    power = 0
    for kind in range(NUM_TYPES):
        if of_type(army, kind):
            power = max(power, numbers[side * SIDE + kind * NUM_PARTS + POWER])
    return int(power)


@kernel_njit
def _after(numbers: NDArray[np.int64], side: int, army: int, dealt: int, weakest: bool) -> int:
    """What is left of a side's army when injuries eliminate as many as they can, in order of power."""
    done = 0
    for _ in range(NUM_TYPES):
        best = -1
        for kind in range(NUM_TYPES):
            if done >> kind & 1 or not of_type(army, kind):
                continue
            if best < 0:
                best = kind
                continue
            power = numbers[side * SIDE + kind * NUM_PARTS + POWER]
            most = numbers[side * SIDE + best * NUM_PARTS + POWER]
            if (power < most) if weakest else (power > most):
                best = kind
        if best < 0:
            break
        done |= 1 << best
        life = numbers[side * SIDE + best * NUM_PARTS + LIFE]
        dead = min(of_type(army, best), dealt // life)
        army -= dead << COUNT_BITS * best
        dealt -= dead * life
    return int(army)


@kernel_njit
def roll_battle(rules: KernelRules, numbers: NDArray[np.int64], rng: NDArray[np.int64]) -> int:
    """How a battle ends that simple players roll: nobody flees or spares, the strongest die first.

    In solo play the player's weakest do (X4). Modified in place: `rng`. Returns an outcome.
    """
    own, other, side = numbers[OWN], numbers[OTHER], numbers[STARTS]
    rage = rage_other = 0
    for _ in range(_MOST_ASSAULTS):
        army, target = (own, other) if side == 0 else (other, own)
        tokens = rage if side == 0 else rage_other
        tokens += _sum_of(numbers, side, army, RAGE)
        if rules[layout.RULE_RAGE_LIMIT] >= 0:
            tokens = min(tokens, rules[layout.RULE_RAGE_LIMIT])
        dice, rerolls = _power(numbers, side, army), _sum_of(numbers, side, army, REROLL)
        hits = 0
        for _ in range(dice):
            for _ in range(rerolls + 1):
                if below(next_random(rng), rules[layout.RULE_HIT_SIDES]) < rules[layout.RULE_HIT_FACES]:
                    hits += 1
                    break
        dealt = hits + tokens + _sum_of(numbers, side, army, INJURY)
        dealt = max(0, dealt - _sum_of(numbers, 1 - side, target, SHIELD))
        left = _after(numbers, 1 - side, target, dealt, side == 1 and numbers[CHOOSER] == 0)
        if left == target:
            tokens += 1
            if rules[layout.RULE_RAGE_LIMIT] >= 0:
                tokens = min(tokens, rules[layout.RULE_RAGE_LIMIT])
        if side == 0:
            other, rage = left, tokens
        else:
            own, rage_other = left, tokens
        if not left:
            return int(own | other << ARMY_BITS)
        side = 1 - side
    return int(own | other << ARMY_BITS | FLED | ATTACKER_FLED)


@kernel_njit
def forecast(rules: KernelRules, numbers: NDArray[np.int64]) -> float:
    """A quick guess of the attacker's chance to hold the territory: every roll comes to its mean.

    What is left of the winner's life points says how sure it is. Measured against exact values of battles of
    2 to 6 figures the mean error is .1: good enough to choose what is looked at closely, or played on.
    """
    own, other, side = numbers[OWN], numbers[OTHER], numbers[STARTS]
    miss = 1.0 - rules[layout.RULE_HIT_FACES] / rules[layout.RULE_HIT_SIDES]
    rage = rage_other = 0
    for _ in range(60):
        army, target = (own, other) if side == 0 else (other, own)
        tokens = (rage if side == 0 else rage_other) + _sum_of(numbers, side, army, RAGE)
        chance = 1.0
        for _ in range(_sum_of(numbers, side, army, REROLL) + 1):
            chance *= miss
        dealt = _power(numbers, side, army) * (1.0 - chance) + tokens
        dealt += _sum_of(numbers, side, army, INJURY) - _sum_of(numbers, 1 - side, target, SHIELD)
        left = _after(
            numbers, 1 - side, target, int(max(dealt, 0.0) + 0.5), side == 1 and numbers[CHOOSER] == 0
        )
        if left == target:
            tokens += 1
        if side == 0:
            other, rage = left, tokens
        else:
            own, rage_other = left, tokens
        if not left:
            break
        side = 1 - side
    margin = _part_left(numbers, 0, own) - _part_left(numbers, 1, other)
    return float(1.0 / (1.0 + math.exp(-_STEEPNESS * (margin - _SHIFT))))


@kernel_njit
def _part_left(numbers: NDArray[np.int64], side: int, left: int) -> float:
    """The part of its life points that a side has left."""
    there = before = 0
    for kind in range(NUM_TYPES):
        life = numbers[side * SIDE + kind * NUM_PARTS + LIFE]
        there += life * of_type(left, kind)
        before += life * of_type(numbers[OWN + side], kind)
    return float(there / max(before, 1))

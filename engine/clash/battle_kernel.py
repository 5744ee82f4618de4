"""An assault as a graph of decisions and dice, compiled: the rules of `reference_battle` in numbers.

Only the sum of injuries matters, so whom they may eliminate is nested: with n injuries, whatever n - 1 could
do, or kills that cost just n. Local nodes are, in this order: the best kills that cost at most n, for each n
that adds some (B7); for each number of injuries, kill or spare (B8); for each number of rerolls left and of
hits, the blanks rolled again, and whether to do so (B5); the dice (B4); flee or roll (B11).

Tokens with which every assault of a side can eliminate all that is left of the other are enough: with more it
could do no more, now and in all that follows, for what is left only shrinks. So more are not told apart.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.clash.battle_layout import (
    ATTACKER_FLED,
    BY_RULE,
    CHANCE,
    CHOOSER,
    COUNTS,
    CUTS,
    DESTROYED,
    ELVES,
    HABITS,
    IN_ORDER,
    INJURIES,
    LEAST,
    LIVES,
    NEVER_FLEES,
    NEVER_SPARES,
    NUM_MASKS,
    NUM_OUTCOMES,
    NUM_POSITIONS,
    NUM_SUMS,
    ORDERS,
    POWER,
    PRESENT,
    RAGE,
    RAGE_LIMIT,
    REROLLS,
    RETREATS,
    SHIELDS,
    SPARING,
    STRIDE,
)
from engine.jit import kernel_njit

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

# -- scratch: one assault, unpacked ----------------------------------------------------------------------

_SIDE, _DECIDER, _BASE, _LOW, _HIGH, _DICE, _REROLLS, _ROOM, _CHEAPEST = range(9)
_LEFT = 9
"""[3] figures of the other side."""
_STEP = 12
"""[3] by how much the target falls when one of them dies."""
_GONE = 15
"""Their life points in all."""
_ONWARD = 16
"""The number of the other's assault, with the same armies and the tokens of this assault's icons."""
_WIPED = 17
"""The outcome if all die."""
_TOKEN = 18
"""The target if nobody dies, with the token for that (B9)."""
_LIFE, _ORDER = 19, 22
"""[3] of the other side."""
_MASKED = 25
"""Which types of this side are present."""
_NOW, _OTHER_NOW = 26, 27
"""Tokens of this side with its icons', and of the other."""
_PACE, _OTHER_PACE = 28, 29
"""By how much targets fall for each token."""
_LEAST_ROW = 30
"""Where the other side's fewest injury icons lie in the tables; its sums lie at `_SUMS_ROW`."""
_SUMS_ROW = 31
_OWN_LEAST = 32
"""Fewest injury icons of a type of this side."""
_OWN_ALL = 33
"""Life points and shields of this side."""
_OWN_FIGURES = 34
_COST = 35
"""[total life + 1] what serves each cost of kills."""
FIXED_WORDS = _COST + 1
"""Words of scratch, besides one for each life point of the larger army."""


@kernel_njit
def expand_battle(
    tables: IntArray,
    reals: FloatArray,
    position: int,
    work: IntArray,
    kinds: IntArray,
    starts: IntArray,
    targets: IntArray,
    weights: FloatArray,
) -> int:
    """Write the local graph of a position; see `solver.stochastic.game`. Modified in place."""
    flee = _unpack(tables, position, work)
    side = work[_SIDE]
    starts[0] = 0
    may_flee = not (tables[ELVES] and side == 1) and not tables[HABITS + side] & NEVER_FLEES
    node = _write_eliminations(tables, work, kinds, starts, targets)
    node = _write_dice(tables, reals, work, node, kinds, starts, targets, weights)
    if tables[HABITS + side] & BY_RULE:
        if _retreats(tables, work):
            kinds[node] = work[_DECIDER]
            targets[starts[node]] = flee
            node += 1
            starts[node] = starts[node - 1] + 1
    elif may_flee:
        kinds[node] = work[_DECIDER]
        edge = starts[node]
        targets[edge] = -node
        targets[edge + 1] = flee
        node += 1
        starts[node] = edge + 2
    return node


@kernel_njit
def _retreats(tables: IntArray, work: IntArray) -> bool:
    """Whether the rule of the assaulting side says so."""
    row = RETREATS + 4 * work[_SIDE]
    own, other = work[_OWN_FIGURES], work[_LEFT] + work[_LEFT + 1] + work[_LEFT + 2]
    few_enough = own <= tables[row + 1] and other <= tables[row + 3]
    return bool(few_enough and own >= tables[row] and other >= tables[row + 2])


@kernel_njit
def _unpack(tables: IntArray, position: int, work: IntArray) -> int:
    """Read a position into `work`; returns the outcome if the assaulter flees. Modified in place."""
    side = position & 1
    rest = position >> 1
    room_d = rest % (tables[CUTS + 1] + 1)
    rest //= tables[CUTS + 1] + 1
    room_a = rest % (tables[CUTS] + 1)
    armies = rest // (tables[CUTS] + 1)
    num_armies = 1
    for kind in range(3):
        num_armies *= tables[COUNTS + 3 + kind] + 1
    all_armies = num_armies
    for kind in range(3):
        all_armies *= tables[COUNTS + kind] + 1
    other = 1 - side
    decider = tables[CHOOSER] if tables[ELVES] and side == 1 else side
    # Figures and masks of both sides.
    own_index = armies // num_armies if side == 0 else armies % num_armies
    other_index = armies % num_armies if side == 0 else armies // num_armies
    own_mask, rest, own_life, own_figures = 0, own_index, 0, 0
    for kind in range(3):
        base = tables[COUNTS + 3 * side + kind] + 1
        left = rest % base
        if left:
            own_mask |= 1 << kind
            own_figures += left
            own_life += left * tables[LIVES + 3 * side + kind]
        rest //= base
    other_mask, rest, life = 0, other_index, 0
    room, cheapest = 0, 1 << 30
    for kind in range(3):
        base = tables[COUNTS + 3 * other + kind] + 1
        left = rest % base
        rest //= base
        each = tables[LIVES + 3 * other + kind]
        work[_LEFT + kind] = left
        work[_LIFE + kind] = each
        work[_ORDER + kind] = tables[ORDERS + 6 * decider + 3 * other + kind]
        if left:
            other_mask |= 1 << kind
            life += left * each
            room += left * (each - 1)
            cheapest = min(cheapest, each)
    own = PRESENT + (side * NUM_MASKS + own_mask) * NUM_SUMS
    shields = tables[PRESENT + (other * NUM_MASKS + other_mask) * NUM_SUMS + SHIELDS]
    # Rage: icons first (B10), then a token if nobody dies (B9).
    cut, limit = tables[CUTS + side], tables[RAGE_LIMIT]
    had = cut - (room_a if side == 0 else room_d)
    now = had + tables[own + RAGE]
    if limit >= 0:
        now = max(had, min(now, limit))
    effective = min(now, limit) if limit >= 0 else now
    pace_d = 2
    pace_a = pace_d * (tables[CUTS + 1] + 1)
    pace = pace_a if side == 0 else pace_d
    pace_armies = pace_a * (tables[CUTS] + 1)
    same = position + other - side
    step = pace_armies * (1 if other == 1 else num_armies)
    for kind in range(3):
        work[_STEP + kind] = step
        step *= tables[COUNTS + 3 * other + kind] + 1
    work[_SIDE] = side
    work[_DECIDER] = decider
    work[_ONWARD] = same - pace * (now - had)
    work[_NOW] = now
    work[_OTHER_NOW] = tables[CUTS + other] - (room_d if side == 0 else room_a)
    work[_PACE], work[_OTHER_PACE] = pace, pace_d if side == 0 else pace_a
    work[_LEAST_ROW] = LEAST + other * NUM_MASKS
    work[_SUMS_ROW] = PRESENT + other * NUM_MASKS * NUM_SUMS
    work[_OWN_LEAST] = tables[LEAST + side * NUM_MASKS + own_mask]
    work[_OWN_FIGURES] = own_figures
    work[_OWN_ALL] = own_life + tables[own + SHIELDS]
    token = min(now + 1, _enough(tables, life + shields - work[_OWN_LEAST]))
    beyond = tables[NUM_POSITIONS] + tables[NUM_OUTCOMES]
    work[_TOKEN] = beyond if token > cut else same - pace * (token - had)
    survivors = own_index * num_armies if side == 0 else own_index
    work[_WIPED] = tables[NUM_POSITIONS] + DESTROYED * all_armies + survivors
    work[_GONE] = life
    work[_ROOM] = room
    work[_CHEAPEST] = cheapest
    work[_DICE] = tables[own + POWER]
    work[_REROLLS] = tables[own + REROLLS]
    work[_MASKED] = own_mask
    work[_BASE] = tables[own + INJURIES] + effective - shields
    work[_LOW] = max(0, work[_BASE])
    work[_HIGH] = max(0, work[_BASE] + work[_DICE])
    return int(tables[NUM_POSITIONS] + (ATTACKER_FLED + side) * all_armies + armies)


@kernel_njit
def _enough(tables: IntArray, needed: int) -> int:
    """How many tokens are told apart where `needed` eliminate all: with a limit they may never be had."""
    limit = tables[RAGE_LIMIT]
    if 0 <= limit < needed:
        return 1 << 30
    return max(0, needed)


@kernel_njit
def _target(tables: IntArray, work: IntArray, one: int, two: int, three: int) -> int:
    """Where these kills lead."""
    mask, life = 0, work[_GONE]
    if one < work[_LEFT]:
        mask |= 1
    if two < work[_LEFT + 1]:
        mask |= 2
    if three < work[_LEFT + 2]:
        mask |= 4
    if mask == 0:
        return int(work[_WIPED])
    life -= one * work[_LIFE] + two * work[_LIFE + 1] + three * work[_LIFE + 2]
    needed = life + tables[work[_SUMS_ROW] + mask * NUM_SUMS + SHIELDS] - work[_OWN_LEAST]
    spare = max(0, work[_NOW] - _enough(tables, needed))
    if work[_NOW] - spare > tables[CUTS + work[_SIDE]]:
        return int(tables[NUM_POSITIONS] + tables[NUM_OUTCOMES])
    needed = work[_OWN_ALL] - tables[work[_LEAST_ROW] + mask]
    other_spare = max(0, work[_OTHER_NOW] - _enough(tables, needed))
    target = work[_ONWARD] + spare * work[_PACE] + other_spare * work[_OTHER_PACE]
    return int(target - one * work[_STEP] - two * work[_STEP + 1] - three * work[_STEP + 2])


@kernel_njit
def _write_eliminations(
    tables: IntArray, work: IntArray, kinds: IntArray, starts: IntArray, targets: IntArray
) -> int:
    """Write a node for each number of injuries, after those it needs; returns how many nodes there are."""
    side, decider = work[_SIDE], work[_DECIDER]
    habits = tables[HABITS + decider]
    in_order = habits & IN_ORDER
    maximal = tables[ELVES] and side == 1 and tables[CHOOSER] == 0
    node = 0
    if not in_order and not maximal:
        node = _write_kills(tables, work, kinds, starts, targets)
    spares = tables[SPARING] and not habits & NEVER_SPARES
    first = node
    for dealt in range(work[_LOW], work[_HIGH] + 1):
        kinds[node] = decider
        edge = starts[node]
        useful = min(dealt, work[_GONE])
        kill = useful >= work[_CHEAPEST]
        if kill and in_order:
            targets[edge] = _in_order(tables, work, useful)
            edge += 1
        elif kill and maximal:
            edge = _write_maximal(tables, work, useful, targets, edge)
        elif kill:
            targets[edge] = -1 - work[_COST + useful]
            edge += 1
        if not kill or (spares and not in_order and not maximal and dealt <= work[_ROOM]):
            targets[edge] = work[_TOKEN]
            edge += 1
        node += 1
        starts[node] = edge
    # From here on `_CHEAPEST` is not needed; where these nodes begin is.
    work[_CHEAPEST] = first
    return node


@kernel_njit
def _write_kills(
    tables: IntArray, work: IntArray, kinds: IntArray, starts: IntArray, targets: IntArray
) -> int:
    """Write a node for each cost that adds kills, and leave which one serves a cost. Modified in place.

    Two passes: how many kills cost how much, then what they are; each node begins with the node before.
    """
    most = min(work[_HIGH], work[_GONE])
    cheapest = work[_CHEAPEST]
    node = 0
    if most < cheapest:
        return node
    life_1, life_2, life_3 = work[_LIFE], work[_LIFE + 1], work[_LIFE + 2]
    for cost in range(most + 1):
        work[_COST + cost] = 0
    for one in range(min(work[_LEFT], most // life_1) + 1):
        left = most - one * life_1
        for two in range(min(work[_LEFT + 1], left // life_2) + 1):
            cost = one * life_1 + two * life_2
            for _ in range(min(work[_LEFT + 2], (most - cost) // life_3) + 1):
                work[_COST + cost] += 1
                cost += life_3
    # Nodes and where they begin; `_COST` turns from how many into where the next kill goes.
    edge = 0
    for cost in range(1, most + 1):
        count = work[_COST + cost]
        if not count:
            work[_COST + cost] = -1
            continue
        kinds[node] = work[_DECIDER]
        starts[node] = edge
        if node:
            targets[edge] = -node
            edge += 1
        work[_COST + cost] = edge
        edge += count
        node += 1
        starts[node] = edge
    for one in range(min(work[_LEFT], most // life_1) + 1):
        left = most - one * life_1
        for two in range(min(work[_LEFT + 1], left // life_2) + 1):
            cost = one * life_1 + two * life_2
            for three in range(min(work[_LEFT + 2], (most - cost) // life_3) + 1):
                if cost:
                    targets[work[_COST + cost]] = _target(tables, work, one, two, three)
                    work[_COST + cost] += 1
                cost += life_3
    serving = -1
    for cost in range(1, most + 1):
        if work[_COST + cost] >= 0:
            serving += 1
        work[_COST + cost] = serving
    return node


@kernel_njit
def _write_maximal(tables: IntArray, work: IntArray, dealt: int, targets: IntArray, edge: int) -> int:
    """Write the maximal sets that injuries eliminate (X4); returns where the edges end. Modified in place."""
    life_1, life_2, life_3 = work[_LIFE], work[_LIFE + 1], work[_LIFE + 2]
    for one in range(min(work[_LEFT], dealt // life_1) + 1):
        rest = dealt - one * life_1
        for two in range(min(work[_LEFT + 1], rest // life_2) + 1):
            left = rest - two * life_2
            three = min(work[_LEFT + 2], left // life_3)
            left -= three * life_3
            if one < work[_LEFT] and life_1 <= left:
                continue
            if two < work[_LEFT + 1] and life_2 <= left:
                continue
            targets[edge] = _target(tables, work, one, two, three)
            edge += 1
    return edge


@kernel_njit
def _in_order(tables: IntArray, work: IntArray, dealt: int) -> int:
    """Where it leads to eliminate types in a fixed order, as many of each as the injuries allow."""
    one, two, three = 0, 0, 0
    for place in range(3):
        kind = work[_ORDER + place]
        dead = min(work[_LEFT + kind], dealt // work[_LIFE + kind])
        dealt -= dead * work[_LIFE + kind]
        if kind == 0:
            one = dead
        elif kind == 1:
            two = dead
        else:
            three = dead
    return _target(tables, work, one, two, three)


@kernel_njit
def _write_dice(
    tables: IntArray,
    reals: FloatArray,
    work: IntArray,
    node: int,
    kinds: IntArray,
    starts: IntArray,
    targets: IntArray,
    weights: FloatArray,
) -> int:
    """Write the rerolls and the dice; returns how many nodes there are. Modified in place."""
    dice, rerolls, stride = work[_DICE], work[_REROLLS], tables[STRIDE]
    row = dice * stride
    forced = tables[ELVES] and work[_SIDE] == 1
    if forced:
        # All blanks that can be are rolled again: a binomial of another chance (B5).
        row = (stride + work[_MASKED]) * stride
        rerolls = 0
    eliminate = work[_CHEAPEST]
    base, low = work[_BASE], work[_LOW]
    before = -1
    edge = starts[node]
    for _ in range(rerolls):
        first = node
        for hits in range(dice):
            blanks = dice - hits
            kinds[node] = CHANCE
            for more in range(blanks + 1):
                now = hits + more
                at = eliminate + max(0, base + now) - low
                if before >= 0 and now < dice:
                    at = before + 2 * now + 1
                targets[edge] = -1 - at
                weights[edge] = reals[blanks * stride + more]
                edge += 1
            node += 1
            starts[node] = edge
            kinds[node] = work[_DECIDER]
            targets[edge] = -1 - (eliminate + max(0, base + hits) - low)
            targets[edge + 1] = -node
            edge += 2
            node += 1
            starts[node] = edge
        before = first
    kinds[node] = CHANCE
    for hits in range(dice + 1):
        at = eliminate + max(0, base + hits) - low
        if before >= 0 and hits < dice:
            at = before + 2 * hits + 1
        targets[edge] = -1 - at
        weights[edge] = reals[row + hits]
        edge += 1
    node += 1
    starts[node] = edge
    return node

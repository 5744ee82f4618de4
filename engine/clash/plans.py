"""Marches as plans: which territories are attacked with how little, and who stays, fills up and closes up.

A march of many units is far too many moves to look at one by one. A plan names up to two territories to
attack and how sure each attack has to be; which units go, and what the others do, follows from the *habits*
of a player, numbers that anybody can change. What it comes to is a list of ordinary moves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.clash import layout
from engine.clash.habits import CITY, FORGE, GUARDS, LOSS, PLAIN, RIVAL, STONE, SURE, WALK
from engine.clash.kernel_fighters import (
    LIFE,
    NUM_NUMBERS,
    NUM_PARTS,
    OWN,
    SIDE,
    describe_side,
    forecast,
    set_armies,
)
from engine.clash.kernel_march import march, passable, reachable
from engine.clash.kernel_rules import KernelRules
from engine.clash.kernel_state import (
    COUNT_BITS,
    NUM_TYPES,
    PLAYER,
    Words,
    active,
    controls,
    elves_at,
    enemies,
    enemy,
    figures,
    moved_at,
    of_type,
    units_at,
)
from engine.jit import kernel_njit

FloatArray = NDArray[np.float64]

NOWHERE = 31
NUM_LEVELS = 3
ANYHOW = 2
"""Levels of an attack: as sure as the habits say, half way from there to 1, with all that can reach it."""
NO_MORE = 1 << 16
"""Flag of a plan: after its targets nothing else is attacked."""
GREEDY = NOWHERE | NOWHERE << 7
"""The plan that names no target: the best ones by the habits."""

# Scratch of a march, int64.
_REACH = NUM_NUMBERS
_LOG = _REACH + NUM_TYPES * layout.MAX_PLACES
_MOST_MOVES = 60
STEPS = _LOG + 1 + _MOST_MOVES
"""[places] in the scratch, see `measure_steps`."""
NUM_WORK = STEPS + layout.MAX_PLACES
LOG = _LOG
"""[1 + 60] in the scratch: how many moves a plan came to, and those as `kernel_march.nth_march` has them."""

_BASTION, _BASTION_MASK = layout.BASTION.offset, layout.BASTION.mask
_FAR = 99
_MOST_STEPS = 4
"""From farther away, or from where there is no way, a step counts as from here."""


@kernel_njit
def worth(words: Words, rules: KernelRules, habits: FloatArray, player: int, place: int) -> float:
    """What a territory is worth to a player, by its habits, whoever holds it."""
    value = habits[PLAIN]
    if rules[layout.RULE_CITIES] >> place & 1:
        value += habits[CITY]
    elif rules[layout.RULE_FORGES] >> place & 1:
        value += habits[FORGE]
    value += habits[STONE] * rules[layout.RULE_STONES + place]
    if enemy(words, rules, player, place) >= 0:
        value *= habits[RIVAL]
    return float(value)


@kernel_njit
def _staying(words: Words, rules: KernelRules, habits: FloatArray, player: int, place: int) -> int:
    """The figures of a place that stay there: the weakest, in cities and forges the player controls."""
    if place >= rules[layout.RULE_NUM_TERRITORIES] or not controls(words, player, place):
        return 0
    if not (rules[layout.RULE_CITIES] | rules[layout.RULE_FORGES]) >> place & 1:
        return 0
    army, stay, left = units_at(words, rules, player, place), 0, int(habits[GUARDS])
    for kind in range(NUM_TYPES):
        number = min(left, of_type(army, kind))
        stay += number << COUNT_BITS * kind
        left -= number
    return int(stay)


@kernel_njit
def free_at(words: Words, rules: KernelRules, habits: FloatArray, player: int, place: int, kind: int) -> int:
    """Figures of a type in a place that may still march: they have not moved, and need not stay."""
    number = of_type(units_at(words, rules, player, place), kind) - of_type(moved_at(words, place), kind)
    return int(max(0, number - of_type(_staying(words, rules, habits, player, place), kind)))


@kernel_njit
def look_around(words: Words, rules: KernelRules, work: Words) -> None:
    """Write where the active player's units can go. Modified in place: `work`."""
    player, free = active(words), passable(words, rules)
    for kind in range(NUM_TYPES):
        for place in range(rules[layout.RULE_NUM_TERRITORIES] + 1):
            there = of_type(units_at(words, rules, player, place), kind)
            work[_REACH + kind * layout.MAX_PLACES + place] = (
                reachable(words, rules, kind, place, free) if there else 0
            )
    work[_LOG] = 0


@kernel_njit
def available(words: Words, rules: KernelRules, habits: FloatArray, target: int, work: Words) -> int:
    """The army of the active player that can still reach a territory."""
    player, army = active(words), 0
    for kind in range(NUM_TYPES):
        number = 0
        for place in range(rules[layout.RULE_NUM_TERRITORIES] + 1):
            if work[_REACH + kind * layout.MAX_PLACES + place] >> target & 1:
                number += free_at(words, rules, habits, player, place, kind)
        army += min(number, layout.COUNT_MASK) << COUNT_BITS * kind
    return int(army)


@kernel_njit
def stack_for(
    words: Words, rules: KernelRules, habits: FloatArray, target: int, level: int, work: Words
) -> int:
    """The least army that is sure enough to take a territory from its owner, 0 if none is.

    Figures are left out one by one, strong ones first. Modified in place: `work`, whose numbers describe the
    attack afterwards.
    """
    player = active(words)
    army = available(words, rules, habits, target, work)
    there = units_at(words, rules, player, target)
    owner = enemy(words, rules, player, target)
    other = elves_at(words, target) if owner < 0 else units_at(words, rules, owner, target)
    if not army:
        return 0
    numbers = work[:NUM_NUMBERS]
    describe_side(words, rules, player, 0, numbers)
    describe_side(words, rules, owner, 1, numbers)
    sure = habits[SURE]
    if level == 1:
        sure = (1.0 + sure) / 2.0
    set_armies(rules, army + there, other, owner < 0, numbers)
    if level == ANYHOW:
        return army
    if forecast(rules, numbers) < sure:
        # Slow ones may be what keeps it from being sure (B2).
        for kind in range(NUM_TYPES - 1, -1, -1):
            fewer = army & ~(layout.COUNT_MASK << COUNT_BITS * kind)
            if fewer and fewer != army:
                set_armies(rules, fewer + there, other, owner < 0, numbers)
                if forecast(rules, numbers) >= sure:
                    army = fewer
                    break
        else:
            return 0
    for kind in range(NUM_TYPES - 1, -1, -1):
        while of_type(army, kind) and figures(army) > 1:
            set_armies(rules, army - (1 << COUNT_BITS * kind) + there, other, owner < 0, numbers)
            if forecast(rules, numbers) < sure:
                break
            army -= 1 << COUNT_BITS * kind
    set_armies(rules, army + there, other, owner < 0, numbers)
    return army


@kernel_njit
def gain(words: Words, rules: KernelRules, habits: FloatArray, target: int, army: int, work: Words) -> float:
    """What an attack is worth by the habits: chance times worth, less what it is expected to lose.

    `work` has to describe it, as `stack_for` leaves it.
    """
    numbers = work[:NUM_NUMBERS]
    chance = forecast(rules, numbers)
    life = life_other = 0
    for kind in range(NUM_TYPES):
        life += of_type(numbers[OWN], kind) * numbers[kind * NUM_PARTS + LIFE]
        life_other += of_type(numbers[OWN + 1], kind) * numbers[SIDE + kind * NUM_PARTS + LIFE]
    lost = (1.0 - chance) * life + chance * min(0.5 * life_other, 0.7 * life)
    return float(chance * worth(words, rules, habits, active(words), target) - habits[LOSS] * lost)


@kernel_njit
def send(words: Words, rules: KernelRules, habits: FloatArray, target: int, army: int, work: Words) -> None:
    """An army marches to a territory that it can reach. Modified in place: `words`, `work`."""
    player = active(words)
    for kind in range(NUM_TYPES):
        wanted = of_type(army, kind)
        for place in range(rules[layout.RULE_NUM_TERRITORIES] + 1):
            if not wanted or not work[_REACH + kind * layout.MAX_PLACES + place] >> target & 1:
                continue
            free = min(wanted, free_at(words, rules, habits, player, place, kind))
            for _ in range(free):
                _step(words, rules, kind, place, target, work)
            wanted -= free


@kernel_njit
def _step(words: Words, rules: KernelRules, kind: int, origin: int, target: int, work: Words) -> None:
    if work[_LOG] >= _MOST_MOVES:
        return
    march(words, rules, kind, origin, target)
    work[_LOG] += 1
    work[_LOG + work[_LOG]] = (kind * 32 + origin) * 32 + target


@kernel_njit
def is_target(words: Words, rules: KernelRules, player: int, place: int) -> bool:
    """Whether enemies stand in a territory that nobody of the player's has marched to yet."""
    return bool(enemies(words, player, place) > 0 and units_at(words, rules, player, place) == 0)


@kernel_njit
def best_target(words: Words, rules: KernelRules, habits: FloatArray, work: Words, found: FloatArray) -> int:
    """The territory whose attack gains most, `NOWHERE` if none gains anything; found[0] is how much."""
    player, best = active(words), NOWHERE
    found[0] = 0.0
    for place in range(rules[layout.RULE_NUM_TERRITORIES]):
        if not is_target(words, rules, player, place):
            continue
        army = stack_for(words, rules, habits, place, 0, work)
        if army:
            value = gain(words, rules, habits, place, army, work)
            if value > found[0]:
                best, found[0] = place, value
    return best


@kernel_njit
def follow_plan(
    words: Words, rules: KernelRules, habits: FloatArray, plan: int, work: Words, found: FloatArray
) -> float:
    """Carry out the marches of a plan, but not the battles. Returns what they gain by the habits.

    Modified in place: `words`, which have to be in the phase of marching; `work`, whose log says what moved;
    `found`, `[1] float64`: the part of the gain that is walking nearer to what may be taken later.
    """
    player, total = active(words), 0.0
    look_around(words, rules, work)
    for part in range(2):
        target, level = plan >> 7 * part & 31, plan >> 7 * part + 5 & 3
        if target == NOWHERE or not is_target(words, rules, player, target):
            continue
        army = stack_for(words, rules, habits, target, level, work)
        if army:
            total += gain(words, rules, habits, target, army, work)
            send(words, rules, habits, target, army, work)
    while not plan & NO_MORE:
        target = best_target(words, rules, habits, work, found)
        if target == NOWHERE:
            break
        total += found[0]
        send(words, rules, habits, target, stack_for(words, rules, habits, target, 0, work), work)
    total += _fill_up(words, rules, habits, work)
    found[0] = _close_up(words, rules, habits, work)
    return float(total + found[0])


@kernel_njit
def _fill_up(words: Words, rules: KernelRules, habits: FloatArray, work: Words) -> float:
    """One figure goes to each territory that is worth something and stands empty. Modified in place."""
    player, total = active(words), 0.0
    for place in range(rules[layout.RULE_NUM_TERRITORIES]):
        if units_at(words, rules, player, place) or enemies(words, player, place):
            continue
        value = worth(words, rules, habits, player, place)
        if value < habits[STONE]:
            continue
        army = available(words, rules, habits, place, work)
        for kind in range(NUM_TYPES):
            if of_type(army, kind):
                send(words, rules, habits, place, 1 << COUNT_BITS * kind, work)
                total += value
                break
    return float(total)


@kernel_njit
def measure_steps(words: Words, rules: KernelRules, habits: FloatArray, player: int, work: Words) -> None:
    """Write how many steps on the ground each place is away from the next territory worth taking.

    Modified in place: `work`, from `STEPS` on; `_FAR` where there is none.
    """
    num_territories = rules[layout.RULE_NUM_TERRITORIES]
    edge = 0
    for place in range(num_territories):
        work[STEPS + place] = _FAR
        if not controls(words, player, place) and worth(words, rules, habits, player, place) >= habits[STONE]:
            edge |= 1 << place
    work[STEPS + num_territories] = _FAR
    beside = rules[layout.RULE_SPOT_NEIGHBOURS + (words[PLAYER + player] >> _BASTION & _BASTION_MASK)]
    reached, step = 0, 0
    while edge:
        reached |= edge
        beyond = 0
        for place in range(num_territories):
            if edge >> place & 1:
                work[STEPS + place] = step
                beyond |= rules[layout.RULE_OPEN + place]
        if edge & beside and work[STEPS + num_territories] == _FAR:
            work[STEPS + num_territories] = step + 1
        step += 1
        edge = beyond & ~reached


@kernel_njit
def _close_up(words: Words, rules: KernelRules, habits: FloatArray, work: Words) -> float:
    """Who is left over goes nearer to what is worth taking, where no enemies are. Modified in place.

    Returns what the steps are worth by the habits: whoever is far from everything is to walk, not to pass.
    """
    player, num_territories, total = active(words), rules[layout.RULE_NUM_TERRITORIES], 0.0
    measure_steps(words, rules, habits, player, work)
    for place in range(num_territories + 1):
        for kind in range(NUM_TYPES):
            number = free_at(words, rules, habits, player, place, kind)
            if not number:
                continue
            best, least = place, work[STEPS + place]
            for other in range(num_territories):
                if work[_REACH + kind * layout.MAX_PLACES + place] >> other & 1 and not enemies(
                    words, player, other
                ):
                    steps = work[STEPS + other]
                    if steps < least:
                        best, least = other, steps
            if best != place:
                total += habits[WALK] * number * (min(work[STEPS + place], _MOST_STEPS) - least)
                for _ in range(number):
                    _step(words, rules, kind, place, best, work)
    return float(total)

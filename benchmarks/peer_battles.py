"""Battles without decisions, as exact dice libraries can say them: both sides lose in a fixed order.

The weakest are eliminated first, nobody spares or flees, and blanks are always rolled again. Written for
these libraries as their documentation has it: a process that is mapped until nothing changes any more
(icepool), a recursion with its results kept (dyce).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from analysis.clash.scenario import Scenario
from engine.clash.fighters import Fighter

Counts = tuple[int, ...]
State = tuple[Counts, Counts, int, int, int]
"""Figures left of attacker and defender, their rage, whose assault it is."""


def _left(state: State, side: int) -> Counts:
    return state[0] if side == 0 else state[1]


def can_be_said(scenario: Scenario) -> bool:
    """Whether a battle has no decisions left: nobody may choose whether to roll blanks again (B5)."""
    sides = [scenario.attacker] if scenario.defender.elves else list(scenario.armies)
    return all(
        not (fighter.reroll and count)
        for army in sides
        for fighter, count in zip(army.fighters, army.counts, strict=True)
    )


def start(scenario: Scenario) -> State:
    """The beginning of a battle."""
    return scenario.attacker.counts, scenario.defender.counts, 0, 0, scenario.starts


def dice(scenario: Scenario, state: State) -> tuple[int, Fraction]:
    """How many dice are rolled, and the chance of each to injure, rolled again if it must be."""
    own = _present(scenario, state, state[4])
    miss = (1 - scenario.rules.battle.hit_chance) ** (1 + sum(fighter.reroll for fighter in own))
    return max(fighter.power for fighter in own), 1 - miss


def _present(scenario: Scenario, state: State, side: int) -> list[Fighter]:
    fighters = scenario.armies[side].fighters
    return [fighter for fighter, count in zip(fighters, _left(state, side), strict=True) if count]


def after(scenario: Scenario, state: State, hits: int) -> State:
    """What an assault with so many hits leaves."""
    side = state[4]
    own, other = _present(scenario, state, side), _present(scenario, state, 1 - side)
    rage = [state[2], state[3]]
    rage[side] += sum(fighter.rage for fighter in own)
    dealt = hits + rage[side] + sum(each.injury for each in own) - sum(each.shield for each in other)
    left = list(_left(state, 1 - side))
    for kind in _order(scenario, 1 - side):
        life = scenario.armies[1 - side].fighters[kind].life
        dead = min(left[kind], max(0, dealt) // life)
        left[kind] -= dead
        dealt -= dead * life
    if tuple(left) == _left(state, 1 - side):
        rage[side] += 1
    armies = [state[0], state[1]]
    armies[1 - side] = tuple(left)
    return armies[0], armies[1], rage[0], rage[1], 1 - side


def _order(scenario: Scenario, side: int) -> list[int]:
    """Types in the order in which they are lost, as `solving.simple_habits` has it."""
    fighters = scenario.armies[side].fighters
    return sorted(range(3), key=lambda kind: (fighters[kind].power, fighters[kind].life))


def is_over(state: State) -> bool:
    """Whether a side has nobody left."""
    return not any(state[0]) or not any(state[1])


def by_icepool(scenario: Scenario) -> Fraction:
    """The attacker's chance by icepool."""
    import icepool  # type: ignore[import-untyped,unused-ignore]

    def assault(state: State) -> Any:
        if is_over(state):
            return state
        number, chance = dice(scenario, state)
        die = icepool.Die({1: chance.numerator, 0: chance.denominator - chance.numerator})
        return (number @ die).map(lambda hits: after(scenario, state, hits))

    ends = icepool.map(assault, icepool.Die([start(scenario)]), repeat="inf", star=False)
    return Fraction(ends.map(lambda state: any(state[0]), star=False).probability(True))


def by_dyce(scenario: Scenario) -> Fraction:
    """The attacker's chance by dyce."""
    from dyce import H

    @cache
    def chance_from(state: State) -> Fraction:
        if is_over(state):
            return Fraction(int(any(state[0])))
        number, chance = dice(scenario, state)
        die = H({1: chance.numerator, 0: chance.denominator - chance.numerator})
        rolled = number @ die
        total = sum(rolled.values())
        parts = (
            Fraction(count, total) * chance_from(after(scenario, state, int(hits)))
            for hits, count in rolled.items()
        )
        return sum(parts, Fraction(0))

    return chance_from(start(scenario))

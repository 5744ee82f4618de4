"""A battle's parameters as arrays for `battle_kernel`, and its positions and outcomes in numbers and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, prod

import numpy as np
import numpy.typing as npt

from engine.clash import battle_layout as at
from engine.clash.battle_kernel import FIXED_WORDS
from engine.clash.fighters import Fighter
from engine.clash.rules import BattleRule

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
Counts = tuple[int, int, int]
Army = tuple[Fighter, Fighter, Fighter]

STALLS = 24
"""With a limit to rage: how many more assaults without eliminations are followed, unless told otherwise."""


@dataclass(frozen=True)
class Habit:
    """How a simple player of one side plays: as `flags` of `battle_layout` say, else optimally.

    Attributes
    ----------
    orders : in which order types of the attacker, of the defender are eliminated, with the flag `IN_ORDER`.
    retreats : with the flag `BY_RULE`: fewest and most own figures left, fewest and most of the other side's.
    """

    flags: int = 0
    orders: tuple[Counts, Counts] = ((0, 1, 2), (0, 1, 2))
    retreats: tuple[int, int, int, int] = (0, 0, 0, 0)


OPTIMAL = Habit()


@dataclass(frozen=True, eq=False)
class BattleTables:
    """A battle, and all that can come of it, as numbers.

    Attributes
    ----------
    rule, fighters, elves, chooser : as in `reference_battle.Battle`.
    counts : most figures of each type of both sides.
    cuts : most rage tokens of each side that are counted.
    exact : whether nothing lies beyond the cuts: more tokens than those are as good as those (B9).
    tables, reals, work_words, max_nodes, max_edges : for `battle_kernel.expand_battle`.
    """

    rule: BattleRule
    fighters: tuple[Army, Army]
    counts: tuple[Counts, Counts]
    elves: bool
    chooser: int
    cuts: tuple[int, int]
    exact: bool
    tables: IntArray
    reals: FloatArray
    work_words: int
    max_nodes: int
    max_edges: int

    @property
    def num_armies(self) -> tuple[int, int]:
        """How many armies each side can be left with, none included."""
        own, other = (prod(count + 1 for count in counts) for counts in self.counts)
        return own, other

    @property
    def num_positions(self) -> int:
        """How many positions are numbered."""
        return int(self.tables[at.NUM_POSITIONS])

    @property
    def num_outcomes(self) -> int:
        """How many outcomes are numbered."""
        return int(self.tables[at.NUM_OUTCOMES])

    def position(self, counts: Sequence[Sequence[int]], rage: Sequence[int], assaulter: int) -> int:
        """Return the number of a position; tokens that change nothing there are not counted.

        ValueError if a side has more figures than at most, or more tokens than are counted.
        """
        number = self._army(0, counts[0]) * self.num_armies[1] + self._army(1, counts[1])
        limit = int(self.tables[at.RAGE_LIMIT])
        for side, (tokens, cut) in enumerate(zip(rage, self.cuts, strict=True)):
            enough = _saturation(self.fighters, counts, side)
            if not 0 <= limit < enough:
                tokens = min(tokens, enough)
            if tokens > cut:
                raise ValueError(f"{tokens} rage tokens lie beyond the cut of {cut}")
            number = number * (cut + 1) + cut - tokens
        return number * 2 + assaulter

    def unpack(self, position: int) -> tuple[tuple[Counts, Counts], tuple[int, int], int]:
        """Return figures, rage and assaulter of a position."""
        rest, assaulter = divmod(position, 2)
        rest, room_d = divmod(rest, self.cuts[1] + 1)
        rest, room_a = divmod(rest, self.cuts[0] + 1)
        own, other = divmod(rest, self.num_armies[1])
        return (
            (self.army(0, own), self.army(1, other)),
            (self.cuts[0] - room_a, self.cuts[1] - room_d),
            assaulter,
        )

    def _army(self, side: int, counts: Sequence[int]) -> int:
        number = 0
        for count, most in zip(reversed(counts), reversed(self.counts[side]), strict=True):
            if not 0 <= count <= most:
                raise ValueError(f"{tuple(counts)} is no part of {self.counts[side]}")
            number = number * (most + 1) + count
        return number

    def army(self, side: int, number: int) -> Counts:
        """Return the figures of a side's army by its number."""
        left = []
        for most in self.counts[side]:
            number, count = divmod(number, most + 1)
            left.append(count)
        return left[0], left[1], left[2]

    def figures(self, side: int) -> IntArray:
        """Return [armies of a side, 3] figures."""
        return np.array([self.army(side, number) for number in range(self.num_armies[side])], np.int64)

    def elimination_node(self, counts: Sequence[Sequence[int]], assault: Assault, dealt: int) -> int:
        """Return the local node at which injuries of this number are distributed (B7).

        `assault` has to be one with these counts; ValueError if no dice deal that many.
        """
        low, high = (max(0, assault.base + assault.surplus + hits) for hits in (0, assault.dice))
        if not low <= dealt <= high:
            raise ValueError(f"{low} to {high} injuries can be dealt here, not {dealt}")
        return self._elimination_node(counts, assault, max(0, dealt - assault.surplus))

    def _elimination_node(self, counts: Sequence[Sequence[int]], assault: Assault, dealt: int) -> int:
        low, high = max(0, assault.base), max(0, assault.base + assault.dice)
        side = assault.side
        nested = not self._in_order(assault.decider)
        nested &= not (self.elves and side == 1 and self.chooser == 0)
        kills = 0
        if nested:
            others = [
                (fighter.life, count)
                for fighter, count in zip(self.fighters[1 - side], counts[1 - side], strict=True)
            ]
            costs = {0}
            for life, count in others:
                costs = {cost + dead * life for cost in costs for dead in range(count + 1)}
            kills = sum(0 < cost <= high for cost in costs)
        return kills + dealt - low

    def _in_order(self, side: int) -> bool:
        return bool(self.tables[at.HABITS + side] & at.IN_ORDER)

    def reroll_node(self, counts: Sequence[Sequence[int]], assault: Assault, hits: int, rerolls: int) -> int:
        """Return the local node at which `hits` dice injure and `rerolls` more are allowed (B5)."""
        if not 0 <= hits <= assault.dice or not 0 <= rerolls <= assault.rerolls:
            raise ValueError(
                f"{assault.dice} dice are rolled and {assault.rerolls} rerolls allowed,"
                f" not {hits} hits and {rerolls} rerolls"
            )
        dealt = max(0, assault.base + hits)
        if not rerolls or hits == assault.dice:
            return self._elimination_node(counts, assault, dealt)
        last = self._elimination_node(counts, assault, max(0, assault.base + assault.dice))
        return last + 2 * ((rerolls - 1) * assault.dice + hits) + 2

    def assault(self, counts: Sequence[Sequence[int]], rage: Sequence[int], side: int) -> Assault:
        """Return what an assault of a side is made of; `rage` without the tokens of its icons (B10)."""
        counted = self.unpack(self.position(counts, rage, side))[1][side]
        own, other = (
            [fighter for fighter, count in zip(self.fighters[army], counts[army], strict=True) if count]
            for army in (side, 1 - side)
        )
        icons, limit = sum(fighter.rage for fighter in own), self.rule.rage_limit
        tokens, had = counted + icons, rage[side] + icons
        if limit is not None:
            tokens, had = min(tokens, limit), min(had, limit)
        base = sum(fighter.injury for fighter in own) - sum(fighter.shield for fighter in other) + tokens
        elves = self.elves and side == 1
        return Assault(
            side=side,
            decider=self.chooser if elves else side,
            dice=max(fighter.power for fighter in own),
            rerolls=sum(fighter.reroll for fighter in own),
            base=base,
            surplus=had - tokens,
            forced=elves,
        )


@dataclass(frozen=True)
class Assault:
    """An assault before the dice.

    Attributes
    ----------
    base : injuries less hits (B6), of the tokens that are told apart.
    surplus : tokens that are not.
    forced : whether blanks have to be rolled again (B5).
    """

    side: int
    decider: int
    dice: int
    rerolls: int
    base: int
    surplus: int
    forced: bool


def battle_tables(
    rule: BattleRule,
    fighters: Sequence[Army],
    counts: Sequence[Counts],
    *,
    elves: bool = False,
    chooser: int = 1,
    rage: Sequence[int] = (0, 0),
    most_tokens: int | None = None,
    habits: Sequence[Habit] = (OPTIMAL, OPTIMAL),
) -> BattleTables:
    """Describe a battle, with all that can be left of these armies.

    Parameters
    ----------
    rule, fighters, counts, elves, chooser : as in `reference_battle.Battle`.
    rage : tokens that the sides may begin with.
    most_tokens : where to cut; None for nowhere, or, with a limit to rage, `STALLS` tokens above it.
    habits : how the sides are held to play.
    """
    armies = (fighters[0], fighters[1])
    enough = [_saturation(armies, counts, side) for side in (0, 1)]
    limit = -1 if rule.rage_limit is None else rule.rage_limit
    if limit >= max(enough):
        limit = -1
    if limit >= 0:
        cuts = [max(limit + STALLS if most_tokens is None else most_tokens, tokens) for tokens in rage]
    elif most_tokens is None:
        cuts = enough
    else:
        cuts = [min(most, max(most_tokens, tokens)) for most, tokens in zip(enough, rage, strict=True)]
    tables = np.zeros(at.NUM_WORDS, np.int64)
    for side in (0, 1):
        tables[at.COUNTS + 3 * side : at.COUNTS + 3 * side + 3] = counts[side]
        tables[at.LIVES + 3 * side : at.LIVES + 3 * side + 3] = [each.life for each in armies[side]]
        tables[at.ORDERS + 6 * side : at.ORDERS + 6 * side + 6] = np.ravel(habits[side].orders)
        tables[at.RETREATS + 4 * side : at.RETREATS + 4 * side + 4] = habits[side].retreats
        tables[at.CUTS + side], tables[at.HABITS + side] = cuts[side], habits[side].flags
        least = [_least(armies[side], mask) for mask in range(at.NUM_MASKS)]
        tables[at.LEAST + at.NUM_MASKS * side : at.LEAST + at.NUM_MASKS * (side + 1)] = least
    tables[at.RAGE_LIMIT], tables[at.SPARING] = limit, rule.sparing
    tables[at.ELVES], tables[at.CHOOSER] = elves, chooser
    sums = [[_sums(armies[side], mask) for mask in range(at.NUM_MASKS)] for side in (0, 1)]
    tables[at.PRESENT : at.LEAST] = np.ravel(sums)
    dice = max(each[at.POWER] for side in sums for each in side)
    rerolls = max(each[at.REROLLS] for side in sums for each in side)
    tables[at.STRIDE] = dice + 1
    all_armies = prod(count + 1 for side in counts for count in side)
    tables[at.NUM_POSITIONS] = all_armies * (cuts[0] + 1) * (cuts[1] + 1) * 2
    tables[at.NUM_OUTCOMES] = all_armies * at.NUM_ENDS
    life = max(_life(armies[side], counts[side]) for side in (0, 1))
    kills = max(prod(count + 1 for count in side) for side in counts)
    num_nodes = life + dice + 3 + 2 * dice * rerolls
    solo_edges = (dice + 1) * kills if elves and chooser == 0 else 0
    num_edges = kills + life + 3 * (dice + 2) + solo_edges + rerolls * dice * (dice + 4)
    return BattleTables(
        rule=rule,
        fighters=armies,
        counts=(counts[0], counts[1]),
        elves=elves,
        chooser=chooser,
        cuts=(cuts[0], cuts[1]),
        exact=limit < 0 and cuts == enough,
        tables=tables,
        reals=_chances(rule.hit_chance, dice, sums[1]),
        work_words=FIXED_WORDS + life,
        max_nodes=num_nodes,
        max_edges=num_edges,
    )


def _life(army: Army, counts: Sequence[int]) -> int:
    return sum(fighter.life * count for fighter, count in zip(army, counts, strict=True))


def _saturation(armies: Sequence[Army], counts: Sequence[Sequence[int]], side: int) -> int:
    """Tokens with which any assault of a side can eliminate all, whatever the dice: more change nothing."""
    own = [fighter for fighter, count in zip(armies[side], counts[side], strict=True) if count]
    other = [fighter for fighter, count in zip(armies[1 - side], counts[1 - side], strict=True) if count]
    shields = sum(fighter.shield for fighter in other)
    least = min((fighter.injury for fighter in own), default=0)
    return max(0, _life(armies[1 - side], counts[1 - side]) + shields - least)


def _sums(army: Army, mask: int) -> list[int]:
    """What the types present confer (B4, B5, B6, B10), in the order of `battle_layout.PRESENT`."""
    own = [fighter for kind, fighter in enumerate(army) if mask >> kind & 1]
    return [
        max((fighter.power for fighter in own), default=0),
        sum(fighter.reroll for fighter in own),
        sum(fighter.injury for fighter in own),
        sum(fighter.shield for fighter in own),
        sum(fighter.rage for fighter in own),
    ]


def _least(army: Army, mask: int) -> int:
    return min((fighter.injury for kind, fighter in enumerate(army) if mask >> kind & 1), default=0)


@lru_cache(maxsize=4096)
def _binomial(dice: int, chance: Fraction) -> tuple[float, ...]:
    return tuple(
        float(comb(dice, hits) * chance**hits * (1 - chance) ** (dice - hits)) for hits in range(dice + 1)
    )


def _chances(hit: Fraction, most: int, elves: Sequence[Sequence[int]]) -> FloatArray:
    """Return [most + 1 + 8, most + 1]: hits of so many dice, and of elves' dice by the types present."""
    rows = np.zeros((most + 1 + at.NUM_MASKS, most + 1))
    for dice in range(most + 1):
        rows[dice, : dice + 1] = _binomial(dice, hit)
    for mask, sums in enumerate(elves):
        dice, rerolls = sums[at.POWER], sums[at.REROLLS]
        rows[most + 1 + mask, : dice + 1] = _binomial(dice, 1 - (1 - hit) ** (rerolls + 1))
    return rows.ravel()

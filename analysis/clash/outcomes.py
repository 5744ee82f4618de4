"""How battles end, exactly: tables of outcomes for whole games, kept by what decides a battle."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from analysis.clash.stochastic import stochastic_game
from engine.clash import battle_layout as at
from engine.clash import kernel_fighters as kf
from engine.clash import layout
from engine.clash.battle_objectives import Weights, payoffs_of
from engine.clash.battle_tables import BattleTables, battle_tables
from engine.clash.fighters import Fighter
from engine.clash.rules import Rules
from solver.stochastic.forward import follow
from solver.stochastic.solving import solve

MOST_POSITIONS = 1_000_000
"""A battle with more is cut at fewer rage tokens: about a second."""
MOST_TABLES = 20_000
UNIT_WEIGHTS = (1.0, 2.0, 3.0)
"""Of a figure by its level; an elf counts 1, the territory 3: as `clash-solve --objective material` does."""
TERRITORY_WEIGHT = 3.0
_LEAST = 1e-12
_ENDLESS = 1e-6

Counts = tuple[int, int, int]
Numbers = NDArray[np.int64]
Kept = TypeVar("Kept")


@dataclass(frozen=True, eq=False)
class OutcomeTable:
    """How a battle ends when both sides play it as well as can be.

    Attributes
    ----------
    outcomes : `[N] int64`, as `kernel_fighters.finish_battle` takes them.
    chances : `[N] float64`, of each and those before it; the last is 1.
    hold : the chance that the attacker holds the territory.
    losses : life points, mean, of attacker and defender.
    beyond : chance that is unknown because the states were cut; the others are scaled up by it.
    """

    outcomes: NDArray[np.int64]
    chances: NDArray[np.float64]
    hold: float
    losses: tuple[float, float]
    beyond: float


class OutcomeTables:
    """Tables of battles, solved when they are first asked for; those not asked for longest are forgotten."""

    def __init__(self, rules: Rules, most_tables: int = MOST_TABLES) -> None:
        self.rules = rules
        self.solved = 0
        self._most = most_tables
        self._tables: OrderedDict[bytes, OutcomeTable] = OrderedDict()
        self._sizes: OrderedDict[bytes, int] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tables)

    def table(self, numbers: Numbers) -> OutcomeTable:
        """Return how the battle ends that `kernel_fighters.describe_battle` wrote."""
        return self._kept(self._tables, numbers, self._solved)

    def size(self, numbers: Numbers) -> int:
        """Return how many positions the battle has before it is cut, whether its table is kept or not.

        What players look up and what they guess must not depend on what was fought before.
        """
        return self._kept(self._sizes, numbers, lambda each: self._battle(each, None).num_positions)

    def _kept(
        self, kept: OrderedDict[bytes, Kept], numbers: Numbers, found: Callable[[Numbers], Kept]
    ) -> Kept:
        key = numbers.tobytes()
        if key in kept:
            kept.move_to_end(key)
            return kept[key]
        kept[key] = found(numbers)
        if len(kept) > self._most:
            kept.popitem(last=False)
        return kept[key]

    def _solved(self, numbers: Numbers) -> OutcomeTable:
        self.solved += 1
        return _table(self.battle(numbers), numbers)

    def battle(self, numbers: Numbers) -> BattleTables:
        """Return the battle as the solver takes it, cut at so many tokens that it fits."""
        battle = self._battle(numbers, None)
        tokens = max(battle.cuts)
        while battle.num_positions > MOST_POSITIONS and tokens > 2:
            tokens -= 1
            battle = self._battle(numbers, tokens)
        return battle

    def _battle(self, numbers: Numbers, most_tokens: int | None) -> BattleTables:
        sides = [_fighters(numbers, side) for side in (0, 1)]
        return battle_tables(
            self.rules.battle,
            (sides[0], sides[1]),
            (_counts(int(numbers[kf.OWN])), _counts(int(numbers[kf.OTHER]))),
            elves=bool(numbers[kf.ELVES]),
            chooser=int(numbers[kf.CHOOSER]),
            most_tokens=most_tokens,
        )


def _fighters(numbers: Numbers, side: int) -> tuple[Fighter, Fighter, Fighter]:
    first = side * kf.SIDE
    one, two, three = (
        Fighter(*numbers[first + kind * kf.NUM_PARTS : first + (kind + 1) * kf.NUM_PARTS].tolist())
        for kind in range(layout.NUM_TYPES)
    )
    return one, two, three


def _counts(army: int) -> Counts:
    one, two, three = (army >> layout.COUNT_BITS * kind & layout.COUNT_MASK for kind in range(3))
    return one, two, three


def _army(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    shifted: NDArray[np.int64] = (counts << layout.COUNT_BITS * np.arange(layout.NUM_TYPES)).sum(axis=1)
    return shifted


def _endless(numbers: Numbers) -> OutcomeTable:
    """With a limit to rage a battle may go on for ever (B12): then the attacker goes home."""
    outcome = int(numbers[kf.OWN]) | int(numbers[kf.OTHER]) << layout.ARMY_BITS | kf.FLED | kf.ATTACKER_FLED
    return OutcomeTable(np.array([outcome]), np.ones(1), 0.0, (0.0, 0.0), 0.0)


def _table(battle: BattleTables, numbers: Numbers) -> OutcomeTable:
    elves = (1.0, 1.0, 1.0)
    weights = Weights(TERRITORY_WEIGHT, UNIT_WEIGHTS, elves if battle.elves else UNIT_WEIGHTS)
    payoffs = payoffs_of(battle, "material", (weights, weights))
    root = battle.position(battle.counts, (0, 0), int(numbers[kf.STARTS]))
    solution = solve(stochastic_game(battle, payoffs), [root])
    spread = follow(solution, root)
    own, other = battle.figures(0), battle.figures(1)
    chances = spread.outcomes.reshape((at.NUM_ENDS, len(own), len(other)))
    kinds, left, left_other = np.nonzero(chances > _LEAST)
    found = chances[kinds, left, left_other]
    armies = _army(own), _army(other)
    outcomes = armies[0][left] | armies[1][left_other] << layout.ARMY_BITS
    outcomes |= np.where(kinds != at.DESTROYED, kf.FLED, 0)
    outcomes |= np.where(kinds == at.ATTACKER_FLED, kf.ATTACKER_FLED, 0)
    total = float(found.sum())
    if total < _ENDLESS:
        return _endless(numbers)
    lives = [np.array([each.life for each in side]) for side in battle.fighters]
    before = [float(np.dot(counts, life)) for counts, life in zip(battle.counts, lives, strict=True)]
    share = found / total
    losses = (
        before[0] - float(share @ (own @ lives[0])[left]),
        before[1] - float(share @ (other @ lives[1])[left_other]),
    )
    holds = (kinds == at.DEFENDER_FLED) | ((kinds == at.DESTROYED) & (left_other == 0))
    cumulated = np.cumsum(share)
    cumulated[-1] = 1.0
    return OutcomeTable(outcomes, cumulated, float(share[holds].sum()), losses, max(0.0, 1.0 - total))

"""Random battles, solved by the kernels and in rational arithmetic."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from msgspec.structs import replace as with_values

from analysis.clash.rational import (
    Choose,
    Numbers,
    RationalBattle,
    everything,
)
from analysis.clash.stochastic import stochastic_game
from engine.clash import battle_layout as at
from engine.clash.battle_objectives import OBJECTIVES, Objective, Payoffs, Weights, payoffs_of
from engine.clash.battle_tables import BattleTables, Counts, Habit, battle_tables
from engine.clash.fighters import Fighter
from engine.clash.reference_battle import FLEE, Battle, Move, Stage, start
from engine.clash.rules import BattleRule
from solver.stochastic.solving import Solution, solve
from tests.engine.clash.plays import BOX

HABITS = (at.NEVER_FLEES, at.NEVER_SPARES, at.NEVER_FLEES | at.NEVER_SPARES, at.IN_ORDER)


def never_flees(battle: Battle, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """A side that fights to the end."""
    return tuple(move for move in moves if move != FLEE)


def never_spares(battle: Battle, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """A side that eliminates where it may."""
    if battle.stage != Stage.ELIMINATE:
        return moves
    return tuple(move for move in moves if any(move.values)) or moves


def in_order(order: Sequence[Sequence[int]]) -> Choose:
    """A side that eliminates by an order, given for the types of either side."""

    def choose(battle: Battle, moves: tuple[Move, ...]) -> tuple[Move, ...]:
        if battle.stage != Stage.ELIMINATE:
            return moves
        types = order[1 - battle.assaulter]
        return (max(moves, key=lambda move: [move.values[kind] for kind in types]),)

    return choose


@dataclass(frozen=True)
class Case:
    """A battle in both forms."""

    beginning: Battle
    tables: BattleTables
    objective: Objective
    weights: tuple[Weights, Weights]
    habits: tuple[Habit, Habit]
    stalls: int

    @property
    def root(self) -> int:
        # Elves that start have had the tokens of their icons already (B10): positions come before those.
        return self.tables.position(self.beginning.counts, (0, 0), self.beginning.assaulter)

    @property
    def payoffs(self) -> Payoffs:
        return payoffs_of(self.tables, self.objective, self.weights)

    def solved(self) -> Solution:
        return solve(stochastic_game(self.tables, self.payoffs), [self.root])

    def rational(self, beyond: Any = ()) -> RationalBattle:
        def pay(battle: Battle) -> Numbers:
            holds = [Fraction(battle.winner == side) for side in (0, 1)]
            left = tuple(Fraction(sum(counts)) for counts in battle.counts)
            if self.objective == "win":
                return (holds[0], *left)
            worth = []
            for side, weight in enumerate(self.weights):
                sums = [
                    sum(Fraction(each) * count for each, count in zip(types, counts, strict=True))
                    for types, counts in zip(weight[1:], battle.counts, strict=True)
                ]
                worth.append(Fraction(weight.territory) * holds[side] + sums[side] - sums[1 - side])
            return (worth[0], *(worth[1:] if self.objective == "own" else ()), *left)

        def considered(habit: Habit) -> Choose:
            if habit.flags == at.IN_ORDER:
                return in_order(habit.orders)
            if habit.flags == at.NEVER_FLEES | at.NEVER_SPARES:
                return lambda battle, moves: never_flees(battle, never_spares(battle, moves))
            return {0: everything, at.NEVER_FLEES: never_flees, at.NEVER_SPARES: never_spares}[habit.flags]

        payoffs = self.payoffs
        return RationalBattle(
            pay,
            payoffs.preference.tolist(),
            Fraction(payoffs.tie),
            self.tables.cuts if self.tables.exact else (10**6, 10**6),
            self.stalls,
            tuple(map(Fraction, beyond)),
            (considered(self.habits[0]), considered(self.habits[1])),
        )


def random_case(seed: int, most: int = 3, *, plain: bool = False) -> Case:
    """A battle with up to `most` figures a side; if `plain`, without limits to rage and habits."""
    rng = random.Random(seed)
    objective = rng.choice(OBJECTIVES)
    limit = rng.choice([None, None, None, 0, 1, 2]) if objective != "own" and not plain else None
    elves = rng.random() < 0.5
    rule = with_values(
        BOX.battle,
        hit=rng.choice(["2/3", "2/3", "1/2", "5/6", "1/6"]),
        sparing=rng.random() < 0.6,
        rage_limit=limit,
        elves=rng.choice(["adversary", "adversary", "attacker"]),
    )
    armies, counts = zip(*(_army(rng, most) for _ in range(2)), strict=True)
    return _case(rng, rule, armies, counts, elves, objective, 0.0 if plain else 0.25)


def _case(
    rng: random.Random,
    rule: BattleRule,
    armies: Any,
    counts: Any,
    elves: bool,
    objective: Objective,
    simple: float,
) -> Case:
    beginning = start(rule, armies, counts, elves=elves, solo=rng.random() < 0.2)
    stalls = 0 if rule.rage_limit is None else rng.randint(0, 2)
    weights = tuple(Weights(rng.choice([0.0, 1.0, 3.0, 2.5]), _weights(rng), _weights(rng)) for _ in range(2))
    orders = tuple((0, 1, 2) if rng.random() < 0.5 else (2, 0, 1) for _ in range(2))
    habits = tuple(
        Habit(rng.choice(HABITS) if rng.random() < simple else 0, (orders[0], orders[1])) for _ in range(2)
    )
    tables = battle_tables(
        rule,
        armies,
        counts,
        elves=elves,
        chooser=beginning.chooser,
        most_tokens=None if rule.rage_limit is None else rule.rage_limit + stalls,
        habits=habits,
    )
    return Case(beginning, tables, objective, (weights[0], weights[1]), (habits[0], habits[1]), stalls)


def _weights(rng: random.Random) -> tuple[float, float, float]:
    return rng.choice([0.0, 1.0]), rng.choice([1.0, 2.0]), rng.choice([0.5, 3.0])


def _army(rng: random.Random, most: int) -> tuple[tuple[Fighter, Fighter, Fighter], Counts]:
    def icon() -> int:
        return rng.choice([0, 0, 0, 1, 1, 2]) if rng.random() < 0.5 else 0

    fighters = [
        Fighter(rng.randint(0, 5), rng.randint(1, 4), icon(), icon(), icon(), min(1, icon()), icon())
        for _ in range(3)
    ]
    counts = [0, 0, 0]
    for _ in range(rng.randint(1, most)):
        counts[rng.randrange(3)] += 1
    return (fighters[0], fighters[1], fighters[2]), (counts[0], counts[1], counts[2])

"""What the sides of a battle want, as payoffs of its outcomes and an order of columns.

Whatever the objective, of two ways that are worth the same a side takes that with fewer losses of its own,
then that with more of the other's; with `own` at last that which the other likes least. Columns hold what is
left, not what is lost: so they mean the same in every battle that starts with part of these armies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from engine.clash import battle_layout as at
from engine.clash.battle_tables import BattleTables, FloatArray, IntArray

Objective = Literal["win", "material", "own"]
OBJECTIVES: tuple[Objective, ...] = ("win", "material", "own")
TIE = 1e-13
"""Relative to the largest payoff: a thousand times what rounding does to one."""


class Weights(NamedTuple):
    """What a side values: to hold the territory, a figure of each type of the attacker, of the defender."""

    territory: float
    attacker: tuple[float, float, float]
    defender: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Payoffs:
    """What outcomes pay and how the sides compare it; see `solver.stochastic.game.StochasticGame`.

    Attributes
    ----------
    payoffs : [outcomes, columns] float64
        First what the attacker wants, with `own` then what the defender wants, then figures left of both.
    """

    payoffs: FloatArray
    preference: IntArray
    tie: float
    worst: FloatArray
    best: FloatArray


def payoffs_of(
    battle: BattleTables, objective: Objective, weights: tuple[Weights, Weights], *, ties: bool = True
) -> Payoffs:
    """Return the payoffs of a battle's outcomes; `win` looks at no weights, `material` at the attacker's.

    Without `ties` they are the first column alone, a third of the memory: what is lost in ways that are worth
    the same is then left to chance. Not for `own`.
    """
    own, other = battle.figures(0), battle.figures(1)
    shape = (at.NUM_ENDS, len(own), len(other))
    holds = np.zeros(shape)
    holds[at.DEFENDER_FLED] = 1.0
    holds[at.DESTROYED, :, 0] = 1.0
    left = (
        np.broadcast_to(own.sum(axis=1)[None, :, None], shape),
        np.broadcast_to(other.sum(axis=1)[None, None, :], shape),
    )

    def worth(weight: Weights, side: int) -> FloatArray:
        attackers = (own @ np.array(weight.attacker))[None, :, None]
        defenders = (other @ np.array(weight.defender))[None, None, :]
        sign = 1.0 if side == 0 else -1.0
        held = holds if side == 0 else 1.0 - holds
        total: FloatArray = weight.territory * held + sign * (attackers - defenders)
        return total

    if objective == "win":
        columns = [holds, *left]
        preference = [[1, 2, -3], [-1, 3, -2]]
    elif objective == "material":
        columns = [worth(weights[0], 0), *left]
        preference = [[1, 2, -3], [-1, 3, -2]]
    else:
        columns = [worth(weights[0], 0), worth(weights[1], 1), *left]
        preference = [[1, 3, -4, -2], [2, 4, -3, -1]]
    if not ties:
        columns, preference = columns[:1], [[1], [-1]]
    payoffs = np.ascontiguousarray(np.stack([column.ravel() for column in columns], axis=1))
    worst, best = payoffs.min(axis=0), payoffs.max(axis=0)
    if ties:
        worst[-1], best[-1] = best[-1], worst[-1]
    return Payoffs(
        payoffs,
        np.array(preference, np.int64),
        TIE * max(1.0, float(np.abs(payoffs).max())),
        worst,
        best,
    )


def at_the_beginning(counts: tuple[IntArray, IntArray], weight: Weights, side: int) -> float:
    """Return what has to be taken from what is left to get gains less losses since these counts."""
    attackers, defenders = float(counts[0] @ weight.attacker), float(counts[1] @ weight.defender)
    return attackers - defenders if side == 0 else defenders - attackers

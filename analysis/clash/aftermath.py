"""What is left of a battle: losses given that one side wins, and where it stands after some rounds."""

from __future__ import annotations

import numpy as np

from analysis.clash.reports import LeftReport, RoundsReport, Standing, StandingReport, WonReport
from engine.clash import battle_layout as at
from engine.clash.battle_tables import BattleTables
from solver.stochastic.forward import follow_for
from solver.stochastic.game import FloatArray
from solver.stochastic.solving import Solution

MOST_LISTED = 200
"""Armies that may be left, and standings, that a report lists."""
_RESULTS: tuple[Standing, ...] = ("destroyed", "attacker-fled", "defender-fled")


def won_report(tables: BattleTables, outcomes: FloatArray, side: int) -> WonReport | None:
    """Return what a side has lost, given that it holds the territory; None if it never does.

    Parameters
    ----------
    outcomes : [ends, armies of the attacker, of the defender]
        The probability of each.
    """
    other_fled = outcomes[at.DEFENDER_FLED if side == 0 else at.ATTACKER_FLED].sum(axis=1 - side)
    wiped = outcomes[at.DESTROYED, :, 0] if side == 0 else outcomes[at.DESTROYED, 0, :]
    chances = other_fled + wiped
    total = float(chances.sum())
    if total <= 0.0:
        return None
    shares = chances / total
    lost = np.array(tables.counts[side]) - tables.figures(side)
    figures = lost.sum(axis=1)
    by_figures = np.bincount(figures, shares, minlength=sum(tables.counts[side]) + 1)
    order = [int(number) for number in np.argsort(-shares, kind="stable")[:MOST_LISTED]]
    return WonReport(
        chance=total,
        lost=[float(number) for number in shares @ lost],
        figures_lost=by_figures.tolist(),
        left=[
            LeftReport(float(shares[number]), list(tables.army(side, number)))
            for number in order
            if shares[number] > 0
        ],
    )


def rounds_report(
    tables: BattleTables, solution: Solution, root: int, rounds: int, *, node: int = -1
) -> RoundsReport:
    """Return where a battle stands after so many rounds, each an assault of either side (B3).

    Parameters
    ----------
    node : the local node of the root where it begins; -1 for the beginning of the assault.
    """
    after = follow_for(solution, root, 2 * rounds, node=node)
    chances: dict[tuple[Standing, tuple[int, ...], tuple[int, ...]], float] = {}
    for position, chance in after.positions.items():
        (own, other), _, _ = tables.unpack(position)
        key: tuple[Standing, tuple[int, ...], tuple[int, ...]] = ("fighting", own, other)
        chances[key] = chances.get(key, 0.0) + chance
    outcomes = after.outcomes.reshape((at.NUM_ENDS, *tables.num_armies))
    for kind, one, two in zip(*map(list, np.nonzero(outcomes)), strict=True):
        key = _RESULTS[int(kind)], tables.army(0, int(one)), tables.army(1, int(two))
        chances[key] = float(outcomes[kind, one, two])
    order = sorted(chances, key=lambda key: -chances[key])
    listed = [StandingReport(chances[key], key[0], list(key[1]), list(key[2])) for key in order[:MOST_LISTED]]
    return RoundsReport(
        rounds=rounds,
        fighting=sum(after.positions.values()),
        standings=listed,
        left_out=max(0.0, sum(chances.values()) - sum(each.probability for each in listed)),
    )

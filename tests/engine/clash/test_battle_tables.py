"""Positions of battles as numbers: there and back, and downwards with every move."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine.clash import battle_layout as at
from engine.clash.battle_kernel import expand_battle
from engine.clash.battle_objectives import OBJECTIVES, Weights, payoffs_of
from engine.clash.battle_tables import battle_tables
from engine.clash.fighters import Fighter
from tests.engine.clash.plays import BOX

PLAIN = Fighter(power=2, life=2)
STRONG = Fighter(power=3, life=4, reroll=1, injury=1, shield=1, rage=1)
ARMY = (PLAIN, PLAIN, STRONG)


def test_positions_there_and_back() -> None:
    tables = battle_tables(BOX.battle, (ARMY, ARMY), ((2, 1, 1), (1, 0, 3)))
    rng = random.Random(1)
    for position in rng.sample(range(tables.num_positions), 300):
        counts, rage, side = tables.unpack(position)
        if not sum(counts[0]) or not sum(counts[1]):
            continue
        again = tables.position(counts, rage, side)
        if again != position:
            assert tables.unpack(again)[::2] == (counts, side)
            assert min(np.subtract(rage, tables.unpack(again)[1])) >= 0, "only tokens that change nothing go"


@pytest.mark.kernels
def test_every_move_leads_down() -> None:
    tables = battle_tables(BOX.battle, (ARMY, ARMY), ((2, 1, 1), (1, 0, 2)), most_tokens=4)
    work = np.zeros(tables.work_words, np.int64)
    kinds, starts = np.zeros(tables.max_nodes, np.int64), np.zeros(tables.max_nodes + 1, np.int64)
    targets, weights = np.zeros(tables.max_edges, np.int64), np.zeros(tables.max_edges)
    counts = ((2, 1, 1), (1, 0, 2))
    for rage in ((0, 0), (1, 3), (4, 4)):
        for side in (0, 1):
            position = tables.position(counts, rage, side)
            nodes = expand_battle(
                tables.tables, tables.reals, position, work, kinds, starts, targets, weights
            )
            reached = targets[: starts[nodes]]
            assert all(target < position or target >= tables.num_positions for target in reached)
            for node in range(nodes):
                if kinds[node] == at.CHANCE:
                    assert weights[starts[node] : starts[node + 1]].sum() == pytest.approx(1.0)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_payoffs_of_ends(objective: str) -> None:
    counts = ((2, 0, 1), (1, 1, 0))
    tables = battle_tables(BOX.battle, (ARMY, ARMY), counts)
    weights = (Weights(3.0, (1.0, 2.0, 3.0), (1.0, 2.0, 3.0)), Weights(5.0, (1.0, 1.0, 1.0), (2.0, 2.0, 2.0)))
    paid = payoffs_of(tables, objective, weights).payoffs  # type: ignore[arg-type]
    shape = (at.NUM_ENDS, *tables.num_armies)
    columns = paid.reshape((*shape, -1))
    full, other = tables.num_armies[0] - 1, tables.num_armies[1] - 1
    first = {"win": 1.0, "material": 3.0 + 2 + 3, "own": 3.0 + 2 + 3}[objective]
    assert columns[at.DESTROYED, full, 0, 0] == first
    assert columns[at.ATTACKER_FLED, full, other, 0] == {"win": 0.0}.get(objective, 2.0 + 3 - 3)
    if objective == "own":
        assert columns[at.DESTROYED, full, 0, 1] == -3.0
        assert columns[at.ATTACKER_FLED, full, other, 1] == 5.0 + 4 - 3
    assert columns[at.DESTROYED, full, 0, -2:].tolist() == [3.0, 0.0]

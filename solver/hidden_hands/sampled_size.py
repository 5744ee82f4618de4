"""The size of an un-merged public tree from a sample of it, in a second where counting takes minutes.

Stochastic enumeration (Vaisman & Kroese 2017): generation after generation all children of some decisions are
listed. Where there are too many to go on with, some are drawn, each as likely, and stand for the rest, so
every count is unbiased. Which decisions there are depends neither on payoffs nor on what the rows are worth:
a game with the same moves and fewer rows will do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hidden_hands.enumeration import (
    ACTS,
    HIDDEN,
    KIND,
    POOLS,
    ROWS,
    STEP,
    children_of,
    empty_tree,
    root_row,
    work_space,
)
from solver.hidden_hands.game import HandGame
from solver.hidden_hands.jit import F64, I32, I64, Flags
from solver.hidden_hands.spaces import Spaces
from solver.hidden_hands.tree import TOTALS, Automaton, TreeSize

_MOST = 5000
"""Decisions of a generation that are looked at: counts come out within some per cent."""


class _Sample(NamedTuple):
    """Decisions, and how many of the tree each stands for."""

    rows: I32  # [N, POOLS + 2T], see the columns of ``enumeration``
    stands_for: F64  # [N]

    def take(self, which: I64 | Flags) -> _Sample:
        return _Sample(self.rows[which], self.stands_for[which])


def sampled_size(
    g: Automaton,
    game: HandGame,
    spaces: tuple[Spaces, Spaces],
    exchange: bool,
    symmetric: bool,
    seed: int = 0,
) -> TreeSize:
    """Estimate what ``enumeration.count_tree`` would count; exact for trees of narrow generations.

    Parameters
    ----------
    exchange, symmetric : bool
        As for ``count_tree``.
    seed : int
        Seed of the sample.
    """
    random = np.random.default_rng(seed)
    tree, work = empty_tree(TreeSize(1, 1, 1, 1, 1, 1, 1), g.num_types, 1), work_space(game, spaces)
    totals = np.zeros(TOTALS)
    now = _Sample(root_row(game, exchange), np.ones(1))
    while now.stands_for.size:
        # Decisions of a step before any of the next: few lie above many.
        onward = []
        while now.stands_for.size:
            below = []
            # Whatever was drawn together stands for as many.
            for weight in np.unique(now.stands_for):
                counted = np.zeros(TOTALS, np.int64)
                chosen = now.rows[now.stands_for == weight]
                found = children_of(g, tree, work, counted, False, symmetric, chosen).rows
                totals += weight * counted
                below.append(_Sample(found, np.full(found.shape[0], weight)))
            children = _joined(below)
            inside = children.rows[:, STEP] == now.rows[0, STEP]
            onward.append(children.take(~inside))
            now = _drawn(children.take(inside), g, random)
        now = _drawn(_joined(onward), g, random)
    return TreeSize(*(round(float(total)) for total in totals))


def _joined(parts: list[_Sample]) -> _Sample:
    return _Sample(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _drawn(now: _Sample, g: Automaton, random: np.random.Generator) -> _Sample:
    """Some of too many decisions, each of which stands for as many.

    Drawn at equal distances from a list in which those lie together that are followed by about as much.
    """
    if now.stands_for.size <= _MOST:
        return now
    columns = now.rows.T
    chain = g.local_types[g.num_plain : g.num_plain + g.num_chain]
    pools = [*columns[POOLS + chain], *columns[POOLS + g.num_types + chain]]
    rows = columns[ROWS : ROWS + 2]
    keys = [*pools, *columns[HIDDEN : HIDDEN + 2], *rows, *g.length[rows], columns[ACTS], columns[KIND]]
    order = np.lexsort(keys)
    heap = np.cumsum(now.stands_for[order])
    distance = heap[-1] / _MOST
    places = np.searchsorted(heap, (random.random() + np.arange(_MOST)) * distance)
    some = now.take(order[np.minimum(places, order.size - 1)])
    return some._replace(stands_for=np.full(_MOST, distance))

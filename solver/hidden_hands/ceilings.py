"""The most that each player can still get from a node on: what a certificate counts where it does not look.

Letters as in ``walk_memory`` and ``merging``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import F32, I64
from solver.hidden_hands.final_tables import FinalTables
from solver.hidden_hands.jit import entry
from solver.hidden_hands.merging import MergedTree
from solver.hidden_hands.tree import CHILD_FINAL, CHILD_TERMINAL, LANES, MAX_LINKS, action_counts
from solver.hidden_hands.walk_memory import Problem

__all__ = ["Ceilings", "ceilings"]


class Ceilings(NamedTuple):
    """Upper bounds on what each player wins from there on, whatever both hold and do."""

    nodes: NDArray[np.float32]  # [2, n]
    finals: NDArray[np.float32]  # [2, u] by seat


def ceilings(q: Problem, merged: MergedTree) -> Ceilings:
    """Bound what can be won at every node and final record.

    Complexity: one pass over all child slots, and one over the tables of all final records.
    """
    found = np.full((2, q.tree.kind.size), -np.inf, np.float32)
    finals = np.full((2, merged.records.place.size), -np.inf, np.float32)
    _fill_records(q, merged, _ceilings_of_pairs(q.tables), finals, np.zeros(64, np.int64))
    _fill_nodes(q, merged, finals, found)
    return Ceilings(found, finals)


def _ceilings_of_pairs(tables: FinalTables) -> NDArray[np.float32]:
    """The same for the row pairs that final steps may start from: ``[2, U]``.

    Pairs of actions that are impossible, or after which play goes on, count as 0.
    """
    pairs = (1, 2)
    most = np.stack([tables.pay.max(axis=pairs), -tables.pay.min(axis=pairs)]).astype(np.float32)
    alone = tables.top_slot >= 0
    # Their tops lie in the order of the pairs.
    for p in range(2):
        own, other = tables.top[:, p].max(axis=(1, 2, 3)), -tables.top[:, 1 - p].min(axis=(1, 2, 3))
        most[p, alone] = np.maximum(most[p, alone], np.maximum(own, other))
    return most


@entry
def _fill_records(q: Problem, merged: MergedTree, most: F32, finals: F32, stack: I64) -> None:
    """Ceilings of final records by seat, with all that is nested in them."""
    records = merged.records
    for record in range(records.place.size):
        lane = records.place[record] % LANES
        stack[0] = records.place[record] // LANES
        top = 1
        while top > 0:
            top -= 1
            batch = stack[top]
            for p in range(2):
                finals[p, record] = max(finals[p, record], most[p, records.row_pair[batch, lane]])
            for link in range(MAX_LINKS if q.frame.num_chain else 0):
                below = records.link[batch, link]
                if below >= 0 and records.row_pair[below, lane] >= 0:
                    stack[top] = below
                    top += 1


@entry
def _fill_nodes(q: Problem, merged: MergedTree, finals: F32, found: F32) -> None:
    """Ceilings of nodes, last ones first: children come later."""
    tree = q.tree
    for node in range(tree.kind.size - 1, -1, -1):
        n0, n1 = action_counts(tree, node, q.types, q.stocks.shape[1])
        start = tree.child_start[node]
        for slot in range(start, start + n0 * n1):
            code = tree.child[slot]
            for p in range(2):
                if code >= 0:
                    found[p, node] = max(found[p, node], found[p, code])
                elif code == CHILD_TERMINAL:
                    pay = q.end_payoff[tree.child_end[slot]]
                    found[p, node] = max(found[p, node], pay if p == 0 else -pay)
                elif code <= CHILD_FINAL:
                    record = merged.record[slot]
                    found[p, node] = max(found[p, node], finals[p ^ (record & 1), record // 2])

"""Final records that are nested in others: what follows when both players place chain types."""

from __future__ import annotations

from solver.hidden_hands.arrays import I64
from solver.hidden_hands.jit import entry, kernel
from solver.hidden_hands.tree import (
    LANES,
    MAX_LINKS,
    NUM_BATCHES,
    NUM_RECORDS,
    Automaton,
    Tree,
)

__all__ = [
    "allocate_links",
    "link_records",
]


@kernel
def allocate_links(
    g: Automaton, t: Tree, cnt: I64, fill: bool, parent: int, pools: I64, stack: I64, top: int
) -> None:
    """Allocate the batches that follow when both players place chain types in a final step.

    Parameters
    ----------
    pools : [2, T] int64
        Public pools of the parent's history: upper bounds that decide only whether a link exists at all.
    stack : [*, LANES + 5] int64
        Work space; row ``top`` holds the batch to start from: its lane pairs (-1 inactive), its number, and
        how many of each chain type each player has placed in this step.
    """
    num_rows = g.face.size
    c0 = g.num_plain
    base = top
    stack[top, LANES] = parent
    for k in range(4):
        stack[top, LANES + 1 + k] = 0
    top += 1
    while top > base:
        top -= 1
        batch = stack[top, LANES]
        # The row is overwritten by the first batch found below it, so its contents move to the end of the
        # stack.
        last = stack.shape[0] - 1
        for k in range(LANES + 5):
            stack[last, k] = stack[top, k]
        for link in range(MAX_LINKS):
            i, j = link // 2, link % 2
            if i >= g.num_chain or j >= g.num_chain:
                continue
            a, b = g.local_types[c0 + i], g.local_types[c0 + j]
            if pools[0, a] <= stack[last, LANES + 1 + i] or pools[1, b] <= stack[last, LANES + 3 + j]:
                continue
            found = 0
            for lane in range(LANES):
                pair = stack[last, lane]
                stack[top, lane] = -1
                if pair < 0:
                    continue
                r0, r1 = pair // num_rows, pair % num_rows
                s0 = g.next_row[r0, g.face[r1], a, b]
                s1 = g.next_row[r1, g.face[r0], b, a]
                if s0 >= 0 and s1 >= 0 and g.pending[s0] and g.pending[s1]:
                    stack[top, lane] = s0 * num_rows + s1
                    found += 1
            if found == 0:
                continue
            sub = cnt[NUM_BATCHES]
            cnt[NUM_BATCHES] += 1
            cnt[NUM_RECORDS] += found
            if fill:
                t.link[batch, link] = sub
                for lane in range(LANES):
                    t.row_pair[sub, lane] = stack[top, lane]
            stack[top, LANES] = sub
            for k in range(4):
                stack[top, LANES + 1 + k] = stack[last, LANES + 1 + k]
            stack[top, LANES + 1 + i] += 1
            stack[top, LANES + 3 + j] += 1
            top += 1


@entry
def link_records(
    g: Automaton, t: Tree, cnt: I64, fill: bool, pairs: I64, most: I64, stack: I64, pools: I64
) -> None:
    """Lay out given final records: main batches first, then what is nested in them.

    Parameters
    ----------
    pairs : [m, LANES] int64
        ``row0 * R + row1`` of the records, -1 where there is none.
    most : [m, 2T] int64
        The most of each type that any of a batch's records leaves.
    """
    cnt[NUM_BATCHES] = pairs.shape[0]
    for batch in range(pairs.shape[0]):
        for p in range(2):
            for k in range(g.num_types):
                pools[p, k] = most[batch, p * g.num_types + k]
        for lane in range(LANES):
            stack[0, lane] = pairs[batch, lane]
            if fill:
                t.row_pair[batch, lane] = pairs[batch, lane]
        if g.num_chain:
            allocate_links(g, t, cnt, fill, batch, pools, stack, 0)

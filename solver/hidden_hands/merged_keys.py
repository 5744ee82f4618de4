"""Which decisions are merged into one: those with equal keys. Public pools to draw from while learning."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.enumeration import ACTS, HIDDEN, KIND, LEFT, POOLS, ROWS
from solver.hidden_hands.jit import F32, F64, I32, I64, Flags, entry
from solver.hidden_hands.tree import Automaton


class Generation(NamedTuple):
    """Decisions of one generation, in the columns of ``enumeration``."""

    rows: I32  # [n, POOLS + 2T]; pools are the most that any history leaves
    mean: F32  # [n, 2T] pools, the mean over histories
    twin: Flags  # [n] the mirror image of the decision before
    alike: Flags  # [n] one with its mirror image: both players have one table
    reach: F64  # [n] how likely it is, roughly
    origin: I64  # [n, 2] what it follows alone, and how, seen by either player; or -1

    def take(self, which: NDArray[Any]) -> Generation:
        """Some of the decisions."""
        return Generation(*(column[which] for column in self))


def automaton_chain_types(g: Automaton) -> I64:
    """Types that may call for a further placement."""
    return g.local_types[g.num_plain : g.num_plain + g.num_chain]


def decision_keys(g: Automaton, rows: I32, needed: int, first: int) -> I64:
    """One number per decision, seen by player ``first`` and equal for those that are merged: who acts, both
    rows, hidden items, stocks that last.

    ``needed``: items in stock and hand from which on no later draw can fail, so that larger stocks make no
    difference.
    """
    order = (first, 1 - first)
    acts = rows[:, ACTS]
    number = rows[:, KIND].astype(np.int64) * 4 + (acts if first == 0 else _swapped_acts(acts))
    for player in order:
        number = number * g.face.size + rows[:, ROWS + player]
    for player in order:
        left = np.minimum(rows[:, LEFT + player] - rows[:, HIDDEN + player], needed)
        number = (number * 8 + rows[:, HIDDEN + player]) * 64 + left
    return number


def _swapped_acts(acts: I32) -> I32:
    return (acts >> 1) | ((acts & 1) << 1)


def _mirrored(edges: Generation, chosen: Flags) -> Generation:
    """The same decisions, with the seats swapped in those chosen."""
    rows, mean = edges.rows.copy(), edges.mean.copy()
    types = mean.shape[1] // 2
    rows[chosen, ACTS] = _swapped_acts(rows[chosen, ACTS])
    for first in (ROWS, HIDDEN, LEFT):
        rows[chosen, first : first + 2] = edges.rows[chosen, first : first + 2][:, ::-1]
    other = np.r_[types : 2 * types, 0:types]
    rows[chosen, POOLS:] = edges.rows[chosen, POOLS:][:, other]
    mean[chosen] = edges.mean[chosen][:, other]
    origin = np.where(chosen[:, None], edges.origin[:, ::-1], edges.origin)
    return edges._replace(rows=rows, mean=mean, origin=origin)


class Merged(NamedTuple):
    """Decisions that have been merged, and where each one before has gone."""

    found: Generation
    number: I64
    swapped: Flags  # it is the mirror image of what it has become


def merge_decisions(edges: Generation, keys: I64, images: I64 | None, quotient: bool, twins: bool) -> Merged:
    """Merge decisions with equal keys into one generation.

    ``images`` ``[n] int64``: keys of the mirror images, where those are to be known; if found, they come
    right behind; ``quotient``: merge decisions with mirror images, too; ``twins``: if so, put the mirror
    image of each right behind it.
    """
    size = edges.twin.size
    swapped = alike = np.zeros(size, np.bool_)
    if images is not None:
        swapped = images < keys
        keys = np.minimum(keys, images)
        if quotient:
            alike = (images == keys) & ~swapped
            edges = _mirrored(edges, swapped)
    order = np.lexsort((swapped, keys))
    image = np.zeros(size, np.bool_)
    image[1:] = keys[order][1:] == keys[order][:-1]
    fresh = ~image
    if not quotient:
        fresh[1:] |= swapped[order][1:] != swapped[order][:-1]
    number = np.empty(size, np.int64)
    number[order] = np.cumsum(fresh) - 1
    first = order[fresh]
    rows, means = edges.rows[first], np.empty((first.size, edges.mean.shape[1]), np.float32)
    count = np.bincount(number, minlength=first.size)
    for k in range(means.shape[1]):
        np.maximum.at(rows[:, POOLS + k], number, edges.rows[:, POOLS + k])
        means[:, k] = np.bincount(number, weights=edges.mean[:, k], minlength=first.size) / count
    reach = np.bincount(number, weights=edges.reach, minlength=first.size).astype(np.float64)
    if quotient and twins:
        # A decision and its mirror image are as likely, and both have been counted.
        reach[~alike[first]] /= 2.0
    found = Generation(rows, means, image[fresh], alike[first], reach, edges.origin[first])
    if not quotient:
        return Merged(found, number, np.zeros(size, np.bool_))
    if not twins:
        return Merged(found, number, swapped)
    copies = 2 - found.alike.astype(np.int64)
    place = np.cumsum(copies) - copies
    twice = np.repeat(np.arange(first.size), copies)
    twin = np.ones(twice.size, np.bool_)
    twin[place] = False
    return Merged(_mirrored(found.take(twice)._replace(twin=twin), twin), place[number] + swapped, swapped)


def join_generations(parts: list[Generation]) -> Generation:
    return Generation(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def typical_pools(g: Automaton, now: Generation) -> I64:
    """``[n, 2T]`` pools to draw from while learning: the mean over histories, as whole numbers.

    Chain types, which decide what may be held at all, count at their most. As many items are left in all as
    in the first history: whether a draw is made depends on it.
    """
    most = now.rows[:, POOLS:].astype(np.int64)
    pools = np.clip(np.rint(now.mean), np.minimum(most, 1), most).astype(np.int64)
    chains = automaton_chain_types(g)
    for t in chains:
        for column in (t, g.num_types + t):
            pools[:, column] = most[:, column]
    late = np.zeros(g.num_types)
    late[chains] = 100.0
    for p in range(2):
        own = slice(p * g.num_types, (p + 1) * g.num_types)
        _correct(pools[:, own], now.mean[:, own], most[:, own], now.rows[:, LEFT + p], late)
    return pools


@entry
def _correct(pools: I64, mean: F32, most: I64, left: I32, late: F64) -> None:
    """Take items out of pools, or put some in, until ``left`` of them are there.

    One by one, where the pool is farthest from its mean; ``late`` ``[T]`` float64 puts types off.
    """
    for i in range(pools.shape[0]):
        off = pools[i].sum() - left[i]
        while off != 0:
            best, where = -1e9, -1
            for t in range(pools.shape[1]):
                if off > 0 and pools[i, t] > 0:
                    gain = pools[i, t] - mean[i, t] - late[t]
                elif off < 0 and pools[i, t] < most[i, t]:
                    gain = mean[i, t] - np.float64(pools[i, t])
                else:
                    continue
                if gain > best:
                    best, where = gain, t
            if where < 0:
                break
            by = -1 if off > 0 else 1
            pools[i, where] += by
            off += by

"""What a merged tree is made of, and which histories are merged in it.

Play is concentrated: on Arianna's day 3 of 100 nodes, and 10 of 100 final records, see four fifths of it
after a dozen iterations. What merging loses is lost there, and of refined histories even fewer see nearly all
of it. Merged decisions say how play spreads, so how likely each history is need not be stored.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from solver.hidden_hands.jit import F32, F64, I8, I32, I64, Flags, Halves, kernel
from solver.hidden_hands.spaces import MAX_ACTIONS
from solver.hidden_hands.tree import Tree, TreeSize

TOP, FINAL_TOP, PERIOD = 0.12, 0.4, 7
"""Shares of nodes and of final records that every pass updates, and one of how many passes the others."""

UPDATED, FINAL_UPDATED = (top + (1.0 - top) / PERIOD for top in (TOP, FINAL_TOP))
"""Shares that are updated in a pass."""

PARTIAL_ABOVE = 1 << 24
"""States of one player, over all nodes, from which on updates are partial."""


class Records(NamedTuple):
    """Final steps, merged like nodes: ``u`` records, eight side by side in ``m`` main batches of ``b``.

    Batches after the main ones hold what follows when both players place chain types (``link``).
    """

    place: I64  # [u] main batch * LANES + lane
    row_pair: I64  # [b, LANES] row0 * R + row1, or -1; joint numbers after the build
    link: I32  # [b, MAX_LINKS]
    hidden: I64  # [m, 2] hidden items
    held: I64  # [m, 2, LANES] items in hand
    pool: I8  # [m, 2, T, LANES] items not yet public, typically
    alike: Flags  # [u] its own mirror image
    mirror: I32  # [U] number of the row pair with the seats swapped


class MergedTree(NamedTuple):
    """A merged public tree: ``n`` nodes in ``G`` generations, ``c`` child slots.

    A node's final children are numbered from 0 on (``CHILD_FINAL - k``), and its batches begin at 0: no batch
    is stored but those of ``records``.
    """

    tree: Tree
    generations: I64  # [G + 1] first node of each generation
    twin: Flags  # [n] the node before this one is its mirror image
    key: I64  # [n, 2] what its histories agree in, seen by either player; -1 if not merged
    quotient: bool
    roots: I32  # [P, P] node after the root's actions, or less than 0
    record: I32  # [c] twice the record of a final child, plus 1 for its mirror image; -1 others
    records: Records


class MergedPlay(NamedTuple):
    """What the strategy of a merged tree is made of."""

    merged: MergedTree
    regret: Halves  # tables of the merged nodes
    average: Halves  # likewise, of those that have averages
    memory: F32  # [b, L, 2, K] of the merged records, calibrated (``remembered``)


class Spread(NamedTuple):
    """How play spreads: how likely each action was after ``k`` merged decisions and ``b`` others."""

    key: I64  # [k] of merged decisions, seen by player 0; sorted
    share: F32  # [k, 2, M]
    before: F32  # [b, 2, M] of those that no histories share: nodes 0 to b


def _no_keys() -> I64:
    return np.zeros(0, np.int64)


NOWHERE = Spread(_no_keys(), *(np.zeros((0, 2, MAX_ACTIONS), np.float32) for _ in range(2)))
"""No pilot iterations."""


@dataclass(frozen=True, eq=False)
class Refinement:
    """Where play goes, and which histories are refined there.

    Histories at least as likely as ``least``, by how play ``spread`` in pilot iterations, are merged with
    no others.
    """

    averaged: I64 = field(default_factory=_no_keys)  # keys of nodes that have averages; sorted
    spread: Spread = NOWHERE
    least: float = 2.0  # more than any is: all are merged

    @property
    def refines(self) -> bool:
        """Whether any history is refined."""
        return self.least <= 1.0


class Merging(NamedTuple):
    """Which histories are merged."""

    first: int = 2  # steps finished from which on histories are merged
    quotient: bool = False  # also with mirror images, where both players have the same stock
    refinement: Refinement = Refinement()  # but for the likeliest ones


class MergedSize(NamedTuple):
    """Counts of a merged tree.

    Tables that have averages come first: those of decisions before histories are merged, or where play goes.
    """

    how: Merging
    tree: TreeSize
    averages: int
    states: tuple[int, int]  # that both players may be in, over all nodes
    records: int
    batches: int
    refined: float  # share of play, roughly, along histories that no others share a final record with


def mirror_images(twin: Flags) -> I64:
    """``[n]`` the mirror image of each node, its own for some; ``twin``: those of the node before."""
    images = np.arange(twin.size)
    twins = np.flatnonzero(twin)
    images[twins], images[twins - 1] = twins - 1, twins
    return images


@kernel
def mirror_image(merged: MergedTree, node: int) -> int:
    """The mirror image of a node."""
    if merged.twin[node]:
        return node - 1
    return node + 1 if node + 1 < merged.twin.size and merged.twin[node + 1] else node


LEAST_GROWTH = 1.1
"""How much larger a tree gets, at least, by refined histories that are worth having."""
LIKELIHOODS = (1e-8, 2e-8, 3e-8, 5e-8, 1e-7, 3e-7, 1e-6)
"""How likely a history must be to be merged with no others: the least of these that there is room for."""

_AVERAGED = 0.97
"""Share of play that decisions with averages see (Greybeard's whole day takes half a GiB more for it)."""


class NodeReach(NamedTuple):
    """How much play comes by ``n`` nodes, with the keys of a merged tree."""

    key: I64  # [n, 2]
    reach: F64  # [n]
    spread: Spread = NOWHERE


def refine(node_reach: NodeReach, least: float) -> Refinement:
    """Refine histories that are so likely; give averages to decisions that see nearly all play."""
    averaged = busiest(node_reach.key, node_reach.reach, _AVERAGED)
    return Refinement(averaged, node_reach.spread if least <= 1.0 else NOWHERE, least)


def busiest(keys: I64, reach: F64, share: float) -> I64:
    """Keys of the fewest nodes that see so large a share of play; one for each and its mirror image."""
    merged = keys[:, 0] >= 0
    keys, reach = keys[merged], reach[merged]
    # Mirror images stay together: of two keys the smaller one stands for both.
    _, first, which = np.unique(keys.min(axis=1), return_index=True, return_inverse=True)
    total = np.bincount(which, weights=reach, minlength=first.size)
    order = np.argsort(-total, kind="stable")
    before = np.cumsum(total[order]) - total[order]
    chosen = order[(before < share * total.sum()) & (total[order] > 0.0)]
    return np.unique(keys[first[chosen]])

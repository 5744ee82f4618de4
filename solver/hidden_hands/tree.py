"""The un-merged public tree of a hidden-hands game as flat arrays.

Interior nodes are public histories at which somebody decides with his whole hand in view. Steps that surely
end play are not expanded into nodes: they are *final records*, eight to a batch, one per lane, because there
only the support of a hand matters.

When both players have the same stock the game is symmetric, and of two mirrored children only one is kept.
``enumeration`` fills the arrays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import I64
from solver.hidden_hands.game import HandGame
from solver.hidden_hands.jit import entry, kernel
from solver.hidden_hands.spaces import EXCHANGE, HIDE, PLACE, ActionSpace

__all__ = [
    "CHILD_FINAL",
    "CHILD_NONE",
    "CHILD_TERMINAL",
    "LANES",
    "MAX_LINKS",
    "NUM_BATCHES",
    "NUM_CHILDREN",
    "NUM_FLOWS",
    "NUM_LAZY",
    "NUM_NODES",
    "NUM_RECORDS",
    "NUM_REGRETS",
    "TOTALS",
    "Automaton",
    "Tree",
    "TreeSize",
    "action_counts",
    "automaton",
    "chain_types_of",
    "final_lanes",
    "menu_size",
    "public_type",
]

LANES = 8
"""Final records processed side by side; eight single-precision numbers fill one 256-bit register."""

CHILD_NONE, CHILD_TERMINAL, CHILD_FINAL = -1, -2, -3
"""What a child slot holds that is no node. ``CHILD_FINAL - k``: the k-th final record below its node."""

MAX_LINKS = 4


class Automaton(NamedTuple):
    """The game's arrays in the shape the kernels want (see ``HandGame``), plus the local action numbering."""

    face: NDArray[np.int64]
    next_row: NDArray[np.int32]
    pending: NDArray[np.bool_]
    hides: NDArray[np.bool_]
    commit: NDArray[np.int32]
    served: NDArray[np.int32]
    full: NDArray[np.bool_]
    length: NDArray[np.int64]
    terminal_class: NDArray[np.int32]
    payoff: NDArray[np.int32]
    placeable: NDArray[np.bool_]
    local_types: NDArray[np.int64]
    row_length: int
    hand_size: int
    num_types: int
    num_plain: int
    num_chain: int
    has_nothing: bool
    use_finals: (
        bool  # off: final steps are expanded into interior nodes too (the slow twin the tests compare with)
    )


class Tree(NamedTuple):
    """Flat arrays of the tree: ``n`` nodes, ``c`` child slots, ``b`` final batches.

    A node's children lie row by row: one row per action of player 0, one column per action of player 1 (a
    single row or column for a player who does not act). Its final records fill batches in the same order,
    eight to a batch.
    """

    kind: NDArray[np.int8]  # [n] PLACE, HIDE, EXCHANGE
    acts: NDArray[np.int8]  # [n] bit 0: player 0 decides, bit 1: player 1
    symmetric: NDArray[np.int8]  # [n] 1 at the root of a symmetric game: children with b < a are left out
    step: NDArray[np.int8]  # [n] number of steps finished before this decision
    opens: NDArray[np.int8]  # [n] 1 where the decision opens a step
    lazy: NDArray[
        np.int8
    ]  # [n] 1 two or more steps before the final one, with decisions below (not the root)
    level: NDArray[np.int16]  # [n, 2]
    pool: NDArray[np.int8]  # [n, 2, T] items not yet seen by everybody
    child_start: NDArray[np.int64]  # [n]
    batch_start: NDArray[np.int64]  # [n]
    regret_start: NDArray[np.int64]  # [n, 2]
    flow_start: NDArray[np.int64]  # [n, 2] cumulative reach per action, -1 where no child is terminal
    child: NDArray[np.int32]  # [c] node, or CHILD_*
    child_end: NDArray[np.int32]  # [c] class0 * C + class1 of terminal children
    row_pair: NDArray[np.int64]  # [b, LANES] row0 * R + row1, or -1; int32 joint numbers after the build
    link: NDArray[np.int32]  # [b, MAX_LINKS] batch of the records after both placed chain types, or -1


class TreeSize(NamedTuple):
    """Counts of a tree, known before its arrays are allocated."""

    nodes: int
    children: int
    batches: int
    regrets: int
    records: int
    flows: int
    lazy: int  # remainders of both players at lazy nodes


NUM_NODES, NUM_CHILDREN, NUM_BATCHES, NUM_REGRETS, NUM_RECORDS, NUM_FLOWS, NUM_LAZY = 0, 1, 2, 3, 4, 5, 6
TOTALS = 7
"""What is counted while decisions are expanded, in the order of `TreeSize`."""


def chain_types_of(game: HandGame) -> tuple[int, ...]:
    """Types whose placement may call for a further item in the same slot.

    First the one that may do so against most opposing actions: the others only copy it.
    """
    nxt = game.next_row
    calls = ((nxt >= 0) & game.pending[np.maximum(nxt, 0)]).any(axis=(0, 1))
    against = calls.sum(axis=1)
    types = [int(t) for t in np.argsort(-against[:-1], kind="stable") if against[t] > 0 and game.placeable[t]]
    if len(types) > 2:
        raise NotImplementedError("more than two chain types")
    return tuple(types)


def automaton(game: HandGame, actions: ActionSpace, use_finals: bool = True) -> Automaton:
    """Gather the game's arrays for the kernels; payoffs must be whole numbers."""
    payoff = np.rint(game.payoff)
    if not np.array_equal(payoff, game.payoff):
        raise ValueError("payoffs must be whole numbers")
    return Automaton(
        np.ascontiguousarray(game.face, np.int64),
        np.ascontiguousarray(game.next_row, np.int32),
        np.ascontiguousarray(game.pending, np.bool_),
        np.ascontiguousarray(game.hides, np.bool_),
        np.ascontiguousarray(game.commit, np.int32),
        np.ascontiguousarray(game.served, np.int32),
        np.ascontiguousarray(game.full, np.bool_),
        np.ascontiguousarray(game.length, np.int64),
        np.ascontiguousarray(game.terminal_class, np.int32),
        payoff.astype(np.int32),
        np.ascontiguousarray(game.placeable, np.bool_),
        actions.local_types,
        int(game.row_length),
        int(game.hand_size),
        len(game.type_ids),
        actions.num_plain,
        actions.num_chain,
        actions.has_nothing,
        use_finals,
    )


@entry
def menu_size(kind: int, types: I64, num_types: int) -> int:
    """Number of actions of a decision; ``types``: type of each local action."""
    if kind == PLACE:
        return types.size
    if kind == HIDE:
        return 2
    return num_types + 1


@entry
def action_counts(tree: Tree, node: int, types: I64, num_types: int) -> tuple[int, int]:
    """Rows and columns of a node's children: a player's actions, 1 if he does not act."""
    menu = menu_size(tree.kind[node], types, num_types)
    acts = tree.acts[node]
    return menu if acts & 1 else 1, menu if acts & 2 else 1


@entry
def public_type(kind: int, action: int, types: I64, num_types: int) -> int:
    """Type that an action shows to everybody, or -1."""
    if kind == PLACE:
        own: int = types[action]
        return own
    if kind == EXCHANGE and action < num_types:
        return action
    return -1


@kernel
def final_lanes(tree: Tree, node: int, n0: int, n1: int, number: int, actions: I64) -> int:
    """Which pairs of actions lead to the records of a node's batch; returns how many lanes are in use.

    Modified in place: ``actions`` ``[2, L]`` int64, both players' actions by lane; idle lanes repeat the
    first. Zero lanes: the node has no such batch.
    """
    start = tree.child_start[node]
    used = 0
    for a in range(n0):
        for b in range(n1):
            code = tree.child[start + a * n1 + b]
            if code <= CHILD_FINAL and (CHILD_FINAL - code) // LANES == number:
                actions[0, used] = a
                actions[1, used] = b
                used += 1
    for lane in range(used, LANES):
        actions[0, lane] = actions[0, 0]
        actions[1, lane] = actions[1, 0]
    return used

"""Payoff tables of the final step, one set for each distinct pair of rows it may start from.

At the final step (and at the sub-steps inside it) everything that follows is public arithmetic, so each pair
of rows gets: the payoff of every pair of actions, and, where a chain item leaves one player alone to place a
further item, what each further item is worth to him against each opposing one. ``U`` distinct row pairs,
``P`` local actions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import I16, I64, Flags
from solver.hidden_hands.jit import entry, kernel
from solver.hidden_hands.spaces import ActionSpace
from solver.hidden_hands.tree import LANES, Automaton, Tree

__all__ = ["FinalTables", "build_final_tables", "final_classes", "swapped_pairs", "tables_of_pairs"]


_UNSET = -(2**15)
"""Tops that no hand can hold there: the row already needed all copies. They count as 0 later."""


class FinalTables(NamedTuple):
    """Tables of the final step, indexed by joint number (``tree.row_pair`` after the build, int32)."""

    rows: NDArray[np.int64]  # [U] row0 * R + row1
    pay: NDArray[np.int16]  # [U, P, P] payoff to player 0; 0 where play goes on or the pair is impossible
    alone: NDArray[
        np.int8
    ]  # [U, 2, P] 1 where the first chain type leaves the player alone to go on, by opposing action
    top_slot: NDArray[np.int32]  # [U] row of `top`, or -1
    top: NDArray[
        np.int16
    ]  # [Y, 2, chain, P, P] payoff to the player: chain items placed - 1, opposing action, top


def build_final_tables(
    g: Automaton, tree: Tree, actions: ActionSpace, mirrored: bool = False
) -> tuple[Tree, FinalTables]:
    """Number the distinct row pairs, put the numbers in the place of ``tree.row_pair``, and tabulate payoffs.

    ``mirrored``: also of each pair with the seats swapped.

    Complexity: ``O(U P**2)`` row transitions after one sort of the row pairs.
    """
    flat = tree.row_pair.reshape(-1)
    active = flat >= 0
    keys, inverse = np.unique(flat[active], return_inverse=True)
    if mirrored:
        stored = keys
        keys = np.union1d(keys, swapped_pairs(g, keys))
        inverse = np.searchsorted(keys, stored)[inverse]
    # Half as wide as the words they replace.
    numbers: NDArray[Any] = np.full(flat.size, -1, np.int32)
    numbers[active] = inverse
    return tree._replace(row_pair=numbers.reshape(-1, LANES)), tables_of_pairs(g, keys, actions)


def swapped_pairs(g: Automaton, keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Row pairs with the seats swapped."""
    return keys % g.face.size * g.face.size + keys // g.face.size


def tables_of_pairs(g: Automaton, keys: NDArray[np.int64], actions: ActionSpace) -> FinalTables:
    """Tabulate the given row pairs (``row0 * R + row1``)."""
    p = g.local_types.size
    depth = max(1, int(actions.chain_copies[0]))
    needs_top = np.zeros(keys.size, np.bool_)
    # Without chain types there is nothing to mark, but a kernel to compile for days that have one.
    _mark_needs_top(g, keys[: keys.size if actions.num_chain else 0], needs_top)
    slots = np.where(needs_top, np.cumsum(needs_top) - 1, -1).astype(np.int32)
    tables = FinalTables(
        keys,
        np.zeros((keys.size, p, p), np.int16),
        np.zeros((keys.size, 2, p), np.int8),
        slots,
        np.full((int(needs_top.sum()), 2, depth, p, p), _UNSET, np.int16),
    )
    if not fill_final_tables(g, keys, tables):
        raise NotImplementedError(
            "only the first chain type may leave a player alone to place a further item"
        )
    top = tables.top
    comparable = (top[:, :, 1:] != _UNSET) & (top[:, :, :-1] != _UNSET)
    if ((top[:, :, 1:] < top[:, :, :-1]) & comparable).any():
        raise NotImplementedError(
            "a longer chain must never pay less: the solver always chains at the final step"
        )
    top[top == _UNSET] = 0
    return tables


@entry
def _mark_needs_top(g: Automaton, keys: I64, needs: Flags) -> None:
    """Mark the row pairs at which the first chain type may call for a further placement."""
    num_rows = g.face.size
    for u in range(keys.size):
        chain = g.local_types[g.num_plain]
        r0, r1 = keys[u] // num_rows, keys[u] % num_rows
        for b in range(g.local_types.size):
            y = g.local_types[b] if g.local_types[b] >= 0 else g.next_row.shape[2] - 1
            s0 = g.next_row[r0, g.face[r1], chain, y]
            s1 = g.next_row[r1, g.face[r0], chain, y]
            if (s0 >= 0 and g.pending[s0]) or (s1 >= 0 and g.pending[s1]):
                needs[u] = True


@kernel
def final_classes(g: Automaton, s0: int, s1: int) -> tuple[int, int]:
    """Terminal classes of both rows once the step is over on both sides."""
    e0 = g.commit[s0, 1 if g.hides[s0] else 0]
    e1 = g.commit[s1, 1 if g.hides[s1] else 0]
    return g.terminal_class[e0], g.terminal_class[e1]


@kernel
def _payoff_after(g: Automaton, s0: int, s1: int) -> int:
    """Payoff to player 0 once the step is over on both sides."""
    c0, c1 = final_classes(g, s0, s1)
    pay: int = g.payoff[c0, c1]
    return pay


@kernel
def _tops(g: Automaton, own: int, opp: int, table: I16, b: int) -> None:
    """Owner's payoff for each top to place on ``own`` against a finished row ``opp``, by chain length."""
    nothing = g.next_row.shape[2] - 1
    chain = g.local_types[g.num_plain]
    for j in range(table.shape[0]):
        for x in range(g.local_types.size):
            item = g.local_types[x] if g.local_types[x] >= 0 else nothing
            if item == chain:
                continue
            s0 = g.next_row[own, g.face[opp], item, nothing]
            s1 = g.next_row[opp, g.face[own], nothing, item]
            if s0 >= 0 and s1 >= 0:
                table[j, b, x] = _payoff_after(g, s0, s1)
        # A chain that cannot grow in the rules keeps the last table, so that longer is never worth less.
        if j + 1 < table.shape[0]:
            for x in range(g.local_types.size):
                table[j + 1, b, x] = table[j, b, x]
        above = g.next_row[own, g.face[opp], chain, nothing]
        facing = g.next_row[opp, g.face[own], nothing, chain]
        if above < 0 or facing < 0:
            return
        own, opp = above, facing


@entry
def fill_final_tables(g: Automaton, keys: I64, tables: FinalTables) -> bool:
    """Fill the tables of the given row pairs; False if a type other than the first leaves one alone.

    Modified in place: ``tables``.
    """
    sound = True
    num_rows = g.face.size
    nothing = g.next_row.shape[2] - 1
    num_actions = g.local_types.size
    for u in range(keys.size):
        r0, r1 = keys[u] // num_rows, keys[u] % num_rows
        for a in range(num_actions):
            x = g.local_types[a] if g.local_types[a] >= 0 else nothing
            for b in range(num_actions):
                y = g.local_types[b] if g.local_types[b] >= 0 else nothing
                if x == nothing and y == nothing and not (g.pending[r0] or g.pending[r1]):
                    tables.pay[u, a, b] = g.payoff[g.terminal_class[r0], g.terminal_class[r1]]
                    continue
                s0 = g.next_row[r0, g.face[r1], x, y]
                s1 = g.next_row[r1, g.face[r0], y, x]
                if s0 < 0 or s1 < 0:
                    continue
                if not g.pending[s0] and not g.pending[s1]:
                    tables.pay[u, a, b] = _payoff_after(g, s0, s1)
                elif g.pending[s0] and not g.pending[s1]:
                    sound = sound and a == g.num_plain
                    tables.alone[u, 0, b] = 1
                    _tops(g, s0, s1, tables.top[tables.top_slot[u], 0], b)
                elif g.pending[s1] and not g.pending[s0]:
                    sound = sound and b == g.num_plain
                    tables.alone[u, 1, a] = 1
                    _tops(g, s1, s0, tables.top[tables.top_slot[u], 1], a)
    return sound

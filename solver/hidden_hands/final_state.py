"""What the kernels of the final step remember, and what they work with.

``P`` local actions in the order plain types, chain types, nothing; ``I`` support indices; ``G`` groups of
states with the same hidden items (1 unless chains are possible and something is hidden); ``L = 8`` lanes,
always the last axis.

Payoffs are tabulated once for each distinct pair of rows that a final step may start from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.jit import F32, I8, I16, I32, I64, U32, Flags, entry, kernel
from solver.hidden_hands.spaces import ActionSpace
from solver.hidden_hands.tree import LANES, MAX_LINKS, Automaton, Tree


class FinalState(NamedTuple):
    """What final records remember between iterations (``b`` batches)."""

    reach: F32  # [b, 2, P, L] cumulative reach of the owner by action
    scale: F32  # [b, 2, L] accumulated squared range of the action values
    lone: F32  # [b or 1, 2, plain, L] accumulated worth of lone chains by opposing action
    shift: F32  # [b or 0, 2, P, L] what is added to action values; see ``calibrate_batch``
    mean: F32  # [b or 0, L] what a nested record is worth to player 0 on average


class Frame(NamedTuple):
    """Sizes every final kernel needs, and which supports hands of each size can have."""

    num_actions: int
    num_plain: int
    num_chain: int
    has_nothing: bool
    first_max: int
    second_max: int
    max_chain: int  # longest chain of the first type in one slot
    num_levels: int  # deepest nesting of sub-steps inside one final step, plus one
    order: U32  # [2**plain] supports, those of fewer types first
    room: I64  # [k] how many of `order` a hand with k chain items can have; k + 1: a remainder
    rows: U32  # support indices a hand can have


class FinalTables(NamedTuple):
    """Tables of the final step, indexed by joint number (``tree.row_pair`` after the build, int32)."""

    rows: I64  # [U] row0 * R + row1
    pay: I16  # [U, P, P] payoff to player 0; 0 where play goes on or the pair is impossible
    alone: I8  # [U, 2, P] 1 where the first chain type leaves the player alone to go on, by opposing action
    top_slot: I32  # [U] row of `top`, or -1
    top: I16  # [Y, 2, chain, P, P] payoff to the player: chain items placed - 1, opposing action, top


class FinalGame(NamedTuple):
    """What of a game its final records need."""

    types: I64  # [P] type of each local action, -1 nothing
    joints: I64  # [b, L] joint number of each record, -1 in idle lanes
    links: I32  # [b, MAX_LINKS] batch of the records nested there, -1 none
    tables: FinalTables
    frame: Frame


class FinalScratch(NamedTuple):
    """Work space of one thread.

    A visit serves one learner; the other player's range is pushed down and the learner's values are pulled
    up. ``D`` nesting levels of chain sub-steps; ``S`` *slots*, one for each record nested in one final step:
    what is prepared for a record stays in its slot until the record is played.
    """

    # by level
    mass: F32  # [D, G*I, L] range of the learner's opponent
    after: F32  # [D, 2, G*I, L] that range after a chain item and its draw
    share: F32  # [D, 2, G*I, L] learner's strategy of the chain types
    plainly: F32  # [D, G*I, L] learner's share of all plain types
    part: F32  # [D, 2**plain, L] share of a support's last type among its plain types
    now_q: F32  # [D, P, L] learner's action values at this visit
    now_chain: F32  # [D, 2, G*I, L] its values of remainders after a chain item
    # by slot
    pool: F32  # [S, 2, T, L] items not yet public when the decision is made
    stock: F32  # [S, 2, L] items left to draw
    held: F32  # [S, 2, L] items in hand
    draw: F32  # [S, 2, chain + 1, G, plain + 4, L] after 1, 2, .. first types; last: second
    avail: F32  # [S, 2, P, L] 1 where the type may still be held
    pay: F32  # [S, P, P, L]
    alone: F32  # [S, 2, P, L]
    best_top: F32  # [S, 2, chain, plain, 2, 2**plain, L]
    mean_q: F32  # [S, 2, P, L] accumulated action values
    mean_chain: F32  # [S, 2, 2, G*I, L] accumulated values of remainders after a chain item
    caps: I64  # [S, 2, 2] items of each chain type that are not yet public
    child: I64  # [S, MAX_LINKS] slot of the record nested there, -1 none
    parent: I64  # [S]
    batch: I64  # [S]
    link: I64  # [S] next link to follow
    used: I64  # [1] slots in use
    # of the moment
    value: F32  # [2, G*I, L] values handed up
    action_reach: F32  # [P, L] reach of the learner's opponent by action
    their_part: F32  # [2**plain, L] `part` of the learner's opponent
    tail: F32  # [chain, G*I, L] its range after forced chaining
    spare: F32  # [2, G*I, L]
    counts: F32  # [T]
    # Small tables. Separate arrays, because only then the compiler knows that they do not overlap.
    total: F32  # [2**plain, L] sums by support
    down: F32  # [2**plain, L] sums over larger supports
    facing: F32  # [P, L]
    worth: F32  # [P + 1, L]
    best: F32  # [2**plain, L] best accumulated value of a support
    top: F32  # [L] best value
    bottom: F32  # [L] worst
    eta: F32  # [L] steepness
    line: F32  # [L] of a row in progress, like the next two
    first_line: F32
    second_line: F32


def final_state(num_batches: int, frame: Frame, shifts: bool = False, skips: bool = False) -> FinalState:
    """Zeroed memory of all final records.

    ``shifts``: also of what action values are shifted by; ``skips``: of what nested records are worth where
    visits leave them out.
    """
    return FinalState(
        np.zeros((num_batches, 2, frame.num_actions, LANES), np.float32),
        np.zeros((num_batches, 2, LANES), np.float32),
        np.zeros((num_batches if frame.num_chain else 1, 2, frame.num_plain, LANES), np.float32),
        np.zeros((num_batches if shifts else 0, 2, frame.num_actions, LANES), np.float32),
        np.zeros((num_batches if skips else 0, LANES), np.float32),
    )


def frame_of(actions: ActionSpace, hand_size: int) -> Frame:
    """Sizes of the final step of a game."""
    bits = 1 << actions.num_plain
    sizes = np.array([support.bit_count() for support in range(bits)], np.int64)
    order = np.argsort(sizes, kind="stable").astype(np.uint32)
    most = np.array([int(actions.chain_max[0]), int(actions.chain_max[1])])
    room = np.array([(sizes <= hand_size - k).sum() for k in range(int(most.sum()) + 2)], np.int64)
    rows = [
        (v * (most[1] + 1) + c) * bits + int(s)
        for v in range(most[0] + 1)
        for c in range(most[1] + 1)
        for s in order[: room[v + c]]
    ]
    return Frame(
        actions.local_types.size,
        actions.num_plain,
        actions.num_chain,
        actions.has_nothing,
        int(most[0]),
        int(most[1]),
        max(1, int(actions.chain_copies[0])),
        int(actions.chain_copies.sum()) + 1,
        order,
        room,
        np.array(rows, np.uint32),
    )


def largest_nest(link: I32) -> int:
    """Most records nested in one final step, itself included."""
    return int(_count_nests(link, np.zeros(link.shape[0], np.int64)))


@entry
def _count_nests(link: I32, sizes: I64) -> int:
    """Fill ``sizes`` ``[b]``, and return the largest: sub-steps are numbered after the step they follow."""
    most = 1
    for batch in range(link.shape[0] - 1, -1, -1):
        sizes[batch] = 1
        for k in range(MAX_LINKS):
            if link[batch, k] >= 0:
                sizes[batch] += sizes[link[batch, k]]
        most = max(most, sizes[batch])
    return most


def final_scratch(frame: Frame, num_groups: int, num_types: int, num_slots: int) -> FinalScratch:
    """Work space for one thread; some 200 KB per group and nested record."""
    levels, slots = frame.num_levels, num_slots
    p, plain = frame.num_actions, frame.num_plain
    bits = 1 << plain
    index = (frame.first_max + 1) * (frame.second_max + 1) * bits * num_groups
    chain_index = index if frame.num_chain else 1

    def array(*shape: int) -> F32:
        return np.zeros((*shape, LANES), np.float32)

    return FinalScratch(
        mass=array(levels, index),
        after=array(levels, 2, chain_index),
        share=array(levels, 2, chain_index),
        plainly=array(levels, index),
        part=array(levels, bits),
        now_q=array(levels, p),
        now_chain=array(levels, 2, chain_index),
        pool=array(slots, 2, num_types),
        stock=array(slots, 2),
        held=array(slots, 2),
        draw=array(slots, 2, frame.max_chain + 1, num_groups, plain + 4),
        avail=array(slots, 2, p),
        pay=array(slots, p, p),
        alone=array(slots, 2, p),
        best_top=array(slots, 2, frame.max_chain, plain, 2, bits if frame.num_chain else 1),
        mean_q=array(slots, 2, p),
        mean_chain=array(slots, 2, 2, chain_index),
        caps=np.zeros((slots, 2, 2), np.int64),
        child=np.zeros((slots, MAX_LINKS), np.int64),
        parent=np.zeros(slots, np.int64),
        batch=np.zeros(slots, np.int64),
        link=np.zeros(slots, np.int64),
        used=np.zeros(1, np.int64),
        value=array(2, index),
        action_reach=array(p),
        their_part=array(bits),
        tail=array(frame.max_chain, chain_index),
        spare=array(2, index),
        counts=np.zeros(num_types, np.float32),
        total=array(bits),
        down=array(bits),
        facing=array(p),
        worth=array(p + 1),
        best=array(bits),
        top=array(),
        bottom=array(),
        eta=array(),
        line=array(),
        first_line=array(),
        second_line=array(),
    )


_UNSET = -(2**15)
"""Tops that no hand can hold there: the row already needed all copies. They count as 0 later."""


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


def swapped_pairs(g: Automaton, keys: I64) -> I64:
    """Row pairs with the seats swapped."""
    return keys % g.face.size * g.face.size + keys // g.face.size


def tables_of_pairs(g: Automaton, keys: I64, actions: ActionSpace) -> FinalTables:
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

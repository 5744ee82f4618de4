"""The un-merged public tree of a hidden-hands game as flat arrays, and what a pair of actions leads to.

Interior nodes are public histories at which somebody decides with its whole hand in view. Steps that surely
end play are not expanded into nodes: they are *final records*, eight to a batch, one per lane, because there
only the support of a hand matters. What follows when both players place chain types is nested in others.

When both players have the same stock the game is symmetric, and of two mirrored children only one is kept.
``enumeration`` fills the arrays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hidden_hands.game import HandGame, Start
from solver.hidden_hands.jit import I8, I16, I32, I64, Flags, entry, kernel
from solver.hidden_hands.spaces import EXCHANGE, HIDE, PLACE, ActionSpace

LANES = 8
"""Final records processed side by side; eight single-precision numbers fill one 256-bit register."""

CHILD_NONE, CHILD_TERMINAL, CHILD_FINAL = -1, -2, -3
"""What a child slot holds that is no node. ``CHILD_FINAL - k``: the k-th final record below its node."""

MAX_LINKS = 4


class Automaton(NamedTuple):
    """The game's arrays in the shape the kernels want (see ``HandGame``), plus the local action numbering."""

    face: I64
    next_row: I32
    pending: Flags
    hides: Flags
    commit: I32
    served: I32
    full: Flags
    length: I64
    terminal_class: I32
    payoff: I32
    placeable: Flags
    local_types: I64
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

    kind: I8  # [n] PLACE, HIDE, EXCHANGE
    acts: I8  # [n] bit 0: player 0 decides, bit 1: player 1
    symmetric: I8  # [n] 1 at the root of a symmetric game: children with b < a are left out
    step: I8  # [n] number of steps finished before this decision
    begins_step: I8  # [n] 1 where a step begins with the decision
    lazy: I8  # [n] 1 two or more steps before the final one, with decisions below (not the root)
    level: I16  # [n, 2]
    pool: I8  # [n, 2, T] items not yet seen by everybody
    child_start: I64  # [n]
    batch_start: I64  # [n]
    regret_start: I64  # [n, 2]
    reach_start: I64  # [n, 2] cumulative reach per action, -1 where no child is terminal
    child: I32  # [c] node, or CHILD_*
    child_end: I32  # [c] class0 * C + class1 of terminal children
    row_pair: I64  # [b, LANES] row0 * R + row1, or -1; int32 joint numbers after the build
    link: I32  # [b, MAX_LINKS] batch of the records after both placed chain types, or -1


class TreeSize(NamedTuple):
    """Counts of a tree, known before its arrays are allocated."""

    nodes: int
    children: int
    batches: int
    regrets: int
    records: int
    ends: int
    lazy: int  # remainders of both players at lazy nodes


NUM_NODES, NUM_CHILDREN, NUM_BATCHES, NUM_REGRETS, NUM_RECORDS, NUM_ENDS, NUM_LAZY = 0, 1, 2, 3, 4, 5, 6
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
    """Rows and columns of a node's children: a player's actions, 1 if it does not act."""
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


@kernel
def _may_place_nothing(g: Automaton, pool: I64, n: int) -> bool:
    """Whether a hand of n items may hold nothing placeable, as far as the public knows."""
    if not g.has_nothing:
        return False
    banned = 0
    for t in range(g.num_types):
        if not g.placeable[t]:
            banned += pool[t]
    return banned >= n


@kernel
def is_final(g: Automaton, r0: int, r1: int) -> bool:
    """Whether the step that begins with these rows surely ends play."""
    if not g.use_finals:
        return False
    last0: bool = g.length[r0] == g.row_length - 1
    last1: bool = g.length[r1] == g.row_length - 1
    if g.has_nothing:
        return last0 and last1
    return last0 or last1


IMPOSSIBLE, EXCHANGED, PENDING, HIDING, OVER, NEXT_STEP = 0, 1, 2, 3, 4, 5


@entry
def outcome(
    g: Automaton, kind: int, acts: int, r0: int, r1: int, x: int, y: int, a: int, b: int
) -> tuple[int, int, int, int, int]:
    """What a pair of actions leads to: ``(what, row 0, row 1, h0, h1)``.

    ``h0``, ``h1``: who is to hide an item (``HIDING``) or has just hidden one (otherwise). At once
    (``HandGame.served``) means before somebody goes on; where nobody does, that is the end of the step.
    """
    if kind == EXCHANGE:
        return EXCHANGED, r0, r1, 0, 0
    if kind == PLACE:
        if acts == 3 and x < 0 and y < 0 and not (g.pending[r0] or g.pending[r1]):
            # Nobody can place anything: play ends with the rows as they are.
            return OVER, r0, r1, 0, 0
        nothing = g.next_row.shape[2] - 1
        own = x if x >= 0 else nothing
        opp = y if y >= 0 else nothing
        s0 = g.next_row[r0, g.face[r1], own, opp]
        s1 = g.next_row[r1, g.face[r0], opp, own]
        if s0 < 0 or s1 < 0:
            return IMPOSSIBLE, r0, r1, 0, 0
        if _hides_now(g, s0, s1):
            return HIDING, s0, s1, 1 if g.served[s0, 0] >= 0 else 0, 1 if g.served[s1, 0] >= 0 else 0
        if g.pending[s0] or g.pending[s1]:
            return PENDING, s0, s1, 0, 0
        h0 = 1 if g.hides[s0] else 0
        h1 = 1 if g.hides[s1] else 0
        if h0 or h1:
            may_fail = g.has_nothing
            over = g.full[g.commit[s0, h0]] or g.full[g.commit[s1, h1]]
            if may_fail or not over:
                return HIDING, s0, s1, h0, h1
    else:
        s0, s1 = r0, r1
        h0 = 1 if g.hides[s0] and a == 0 else 0
        h1 = 1 if g.hides[s1] and b == 0 else 0
        if g.pending[s0] or g.pending[s1]:
            s0 = g.served[s0, h0] if g.hides[s0] else s0
            s1 = g.served[s1, h1] if g.hides[s1] else s1
            return PENDING, s0, s1, h0, h1
    e0, e1 = g.commit[s0, h0], g.commit[s1, h1]
    if g.full[e0] or g.full[e1]:
        return OVER, e0, e1, h0, h1
    return NEXT_STEP, e0, e1, h0, h1


@kernel
def _hides_now(g: Automaton, s0: int, s1: int) -> bool:
    """Whether somebody is to hide an item before one goes on whose row is pending.

    Not where the step ends play whatever is hidden, and hiding cannot fail: it changes nothing then.
    """
    if not (g.pending[s0] or g.pending[s1]) or (g.served[s0, 0] < 0 and g.served[s1, 0] < 0):
        return False
    ends = g.length[s0] >= g.row_length or g.length[s1] >= g.row_length
    return g.has_nothing or not ends


@kernel
def is_possible(g: Automaton, kind: int, acting: int, action: int, pool: I64, hand: int) -> bool:
    if not acting:
        return True
    if kind == HIDE:
        return hand > 0 if action == 0 else _may_place_nothing(g, pool, hand)
    x = public_type(kind, action, g.local_types, g.num_types)
    if x >= 0:
        return hand > 0 and pool[x] > 0
    return kind == EXCHANGE or _may_place_nothing(g, pool, hand)


def follow(g: Automaton, start: Start, types: tuple[int, int], options: tuple[int, int]) -> Start | None:
    """Where a pair of actions leads: the next decision, or None once play is over.

    ``types``: type that each player's action shows to everybody, -1 for none; ``options``: the actions' local
    numbers; 0 for who does not act.

    Raises
    ------
    ValueError
        If the automaton knows no such pair.
    """
    what, r0, r1, h0, h1 = outcome(g, start.kind, start.acts, *start.rows, *types, *options)
    pools = start.pools.copy()
    for p, shown in enumerate(types):
        if shown >= 0:
            pools[p, shown] -= 1
    rows = (int(r0), int(r1))
    if what == IMPOSSIBLE:
        raise ValueError("no play leads there")
    if what == OVER:
        return None
    if what == EXCHANGED:
        return Start(PLACE, 3, rows, start.hidden, 0, pools)
    if what == PENDING:
        acts = (1 if g.pending[r0] else 0) | (2 if g.pending[r1] else 0)
        hidden = (start.hidden[0] + int(h0), start.hidden[1] + int(h1))
        return Start(PLACE, acts, rows, hidden, start.step, pools)
    if what == HIDING:
        return Start(HIDE, int(h0 | (h1 << 1)), rows, start.hidden, start.step, pools)
    hidden = (start.hidden[0] + int(h0), start.hidden[1] + int(h1))
    return Start(PLACE, 3, rows, hidden, start.step + 1, pools)


@kernel
def allocate_links(
    g: Automaton, t: Tree, cnt: I64, fill: bool, parent: int, pools: I64, stack: I64, top: int
) -> None:
    """Allocate the batches that follow when both players place chain types in a final step.

    ``pools`` ``[2, T] int64``: public pools of the parent's history: upper bounds that decide only whether a
    link exists at all; ``stack`` ``[*, LANES + 5] int64``: work space; row ``top`` holds the batch to start
    from: its lane pairs (-1 inactive), its number, and how many of each chain type each player has placed in
    this step.
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

    ``pairs`` ``[m, LANES] int64``: ``row0 * R + row1`` of the records, -1 where there is none; ``most`` ``[m,
    2T] int64``: the most of each type that any of a batch's records leaves.
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

"""From the rules to the arrays of a public tree.

The tree is enumerated depth first, twice: once to count, once to fill arrays of exactly the right size.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hidden_hands.game import HandGame, Start, poll_leave
from solver.hidden_hands.jit import I32, I64, entry, kernel
from solver.hidden_hands.spaces import EXCHANGE, HIDE, MAX_ACTIONS, PLACE, Spaces
from solver.hidden_hands.tree import (
    CHILD_FINAL,
    CHILD_NONE,
    CHILD_TERMINAL,
    EXCHANGED,
    HIDING,
    LANES,
    MAX_LINKS,
    NEXT_STEP,
    NUM_BATCHES,
    NUM_CHILDREN,
    NUM_ENDS,
    NUM_LAZY,
    NUM_NODES,
    NUM_RECORDS,
    NUM_REGRETS,
    OVER,
    PENDING,
    TOTALS,
    Automaton,
    Tree,
    TreeSize,
    allocate_links,
    is_final,
    is_possible,
    menu_size,
    outcome,
    public_type,
)

KIND, ACTS, ROWS, HIDDEN, LEFT, STEP, SLOT, POOLS = 0, 1, 2, 4, 6, 8, 9, 10
"""Columns of a decision still to be numbered: the kind, who acts, then rows, hidden items and items not yet
seen by everybody of both players, steps finished, the child slot it belongs to, and both pools."""


_AT_ONCE = 1 << 16
"""Batches until it is asked once more whether somebody leaves: a tenth of a second."""


class Work(NamedTuple):
    """What enumerating works on."""

    pairs: I64  # [2, 3, Q] (hand, action) pairs of each player by decision kind and level
    rests: I64  # [2, 4, Q] remainders of all actions together; hands for who does not act (kind 3)
    stack: I64  # [*, POOLS + 2T] decisions still to be numbered
    link_stack: I64  # [*, L + 5] see ``allocate_links``
    pools: I64  # [2, T]
    hand: I64  # [2]
    finals: I64  # [MAX_ACTIONS, MAX_ACTIONS]


@entry
def _push(
    w: Work,
    top: int,
    kind: int,
    acts: int,
    r0: int,
    r1: int,
    hidden0: int,
    hidden1: int,
    left0: int,
    left1: int,
    step: int,
    slot: int,
) -> int:
    """Put a decision with the pools at hand on the stack; return the new top."""
    stack, pools = w.stack, w.pools
    stack[top, KIND] = kind
    stack[top, ACTS] = acts
    stack[top, ROWS] = r0
    stack[top, ROWS + 1] = r1
    stack[top, HIDDEN] = hidden0
    stack[top, HIDDEN + 1] = hidden1
    stack[top, LEFT] = left0
    stack[top, LEFT + 1] = left1
    stack[top, STEP] = step
    stack[top, SLOT] = slot
    num_types = pools.shape[1]
    for t in range(num_types):
        stack[top, POOLS + t] = pools[0, t]
        stack[top, POOLS + num_types + t] = pools[1, t]
    return top + 1


@kernel
def expand(
    g: Automaton, t: Tree, w: Work, cnt: I64, fill: bool, symmetric: bool, root: bool, top: int
) -> int:
    """Number the decision on top of the stack as the next node; those right below it take its place there.

    ``cnt`` ``[7] int64``: running totals. Modified in place, as is ``w``; ``symmetric``: leave out children
    that are the mirror image of another one; ``top``: how many decisions the stack holds; how many it holds
    afterwards is returned.
    """
    pairs, rests, stack, link_stack = w.pairs, w.rests, w.stack, w.link_stack
    pools, hand, finals = w.pools, w.hand, w.finals
    per_n = pairs.shape[2] // (g.hand_size + 1)
    num_types = g.num_types
    top -= 1
    kind, acts = stack[top, KIND], stack[top, ACTS]
    r0, r1 = stack[top, ROWS], stack[top, ROWS + 1]
    hidden0, hidden1 = stack[top, HIDDEN], stack[top, HIDDEN + 1]
    left0, left1 = stack[top, LEFT], stack[top, LEFT + 1]
    step = stack[top, STEP]
    for k in range(num_types):
        pools[0, k] = stack[top, POOLS + k]
        pools[1, k] = stack[top, POOLS + num_types + k]
    node = cnt[NUM_NODES]
    cnt[NUM_NODES] += 1
    for p in range(2):
        hidden = hidden0 if p == 0 else hidden1
        hand[p] = min(g.hand_size, (left0 if p == 0 else left1) - hidden)
        level = hand[p] * per_n + hidden
        if fill:
            t.level[node, p] = level
            for k in range(num_types):
                t.pool[node, p, k] = pools[p, k]
        if (acts >> p) & 1:
            if symmetric and p == 1:
                if fill:
                    t.regret_start[node, 1] = t.regret_start[node, 0]
                continue
            if fill:
                t.regret_start[node, p] = cnt[NUM_REGRETS]
            cnt[NUM_REGRETS] += pairs[p, kind, level]
    menu = menu_size(kind, g.local_types, g.num_types)
    n0 = menu if acts & 1 else 1
    n1 = menu if acts & 2 else 1
    child_start = cnt[NUM_CHILDREN]
    cnt[NUM_CHILDREN] += n0 * n1
    if fill:
        t.kind[node] = kind
        t.acts[node] = acts
        t.symmetric[node] = 1 if symmetric else 0
        t.step[node] = step
        t.begins_step[node] = 1 if kind == PLACE and not (g.pending[r0] or g.pending[r1]) else 0
        t.child_start[node] = child_start
    num_finals = 0
    terminal = False
    bottom = top
    for a in range(n0):
        for b in range(n1):
            finals[a, b] = -1
            if symmetric and b < a:
                continue
            if not is_possible(g, kind, acts & 1, a, pools[0], hand[0]) or not is_possible(
                g, kind, acts & 2, b, pools[1], hand[1]
            ):
                continue
            x = public_type(kind, a, g.local_types, g.num_types) if acts & 1 else -1
            y = public_type(kind, b, g.local_types, g.num_types) if acts & 2 else -1
            place = child_start + a * n1 + b
            u0, u1 = left0, left1
            if x >= 0:
                pools[0, x] -= 1
                u0 -= 1
            if y >= 0:
                pools[1, y] -= 1
                u1 -= 1
            what, e0, e1, h0, h1 = outcome(g, kind, acts, r0, r1, x, y, a, b)
            if what == EXCHANGED:
                top = _push(w, top, PLACE, 3, r0, r1, hidden0, hidden1, u0, u1, 0, place)
            elif what == PENDING:
                sub = (1 if g.pending[e0] else 0) | (2 if g.pending[e1] else 0)
                h0, h1 = hidden0 + h0, hidden1 + h1
                top = _push(w, top, PLACE, sub, e0, e1, h0, h1, u0, u1, step, place)
            elif what == HIDING:
                top = _push(w, top, HIDE, h0 | (h1 << 1), e0, e1, hidden0, hidden1, u0, u1, step, place)
            elif what == OVER:
                terminal = True
                if fill:
                    t.child[place] = CHILD_TERMINAL
                    t.child_end[place] = g.terminal_class[e0] * g.payoff.shape[0] + g.terminal_class[e1]
            elif what == NEXT_STEP:
                if is_final(g, e0, e1):
                    finals[a, b] = e0 * g.face.size + e1
                    num_finals += 1
                    if fill:
                        t.child[place] = CHILD_FINAL + 1 - num_finals
                else:
                    h0, h1 = hidden0 + h0, hidden1 + h1
                    top = _push(w, top, PLACE, 3, e0, e1, h0, h1, u0, u1, step + 1, place)
            if x >= 0:
                pools[0, x] += 1
            if y >= 0:
                pools[1, y] += 1
    if top > bottom and not root and step <= g.row_length - 3:
        if fill:
            t.lazy[node] = 1
        for p in range(2):
            hidden = hidden0 if p == 0 else hidden1
            level = hand[p] * per_n + hidden
            cnt[NUM_LAZY] += rests[p, kind if (acts >> p) & 1 else 3, level]
    if terminal:
        if fill:
            t.reach_start[node, 0] = cnt[NUM_ENDS]
            t.reach_start[node, 1] = cnt[NUM_ENDS] if symmetric else cnt[NUM_ENDS] + n0
        cnt[NUM_ENDS] += n0 if symmetric else n0 + n1
    if num_finals == 0:
        return top
    num_batches = (num_finals + LANES - 1) // LANES
    start = cnt[NUM_BATCHES]
    cnt[NUM_BATCHES] += num_batches
    cnt[NUM_RECORDS] += num_finals
    if fill:
        t.batch_start[node] = start
    for lane in range(LANES):
        link_stack[0, lane] = -1
    rank = 0
    for a in range(n0):
        for b in range(n1):
            if finals[a, b] < 0:
                continue
            link_stack[0, rank % LANES] = finals[a, b]
            rank += 1
            if rank % LANES != 0 and rank < num_finals:
                continue
            batch = start + (rank - 1) // LANES
            if fill:
                for lane in range(LANES):
                    t.row_pair[batch, lane] = link_stack[0, lane]
            if g.num_chain:
                allocate_links(g, t, cnt, fill, batch, pools, link_stack, 0)
            for lane in range(LANES):
                link_stack[0, lane] = -1
    return top


@entry
def enumerate_all(
    g: Automaton, t: Tree, w: Work, cnt: I64, fill: bool, mirrored: bool, most_batches: int, top: int
) -> int:
    """Enumerate the tree depth first from the decisions on the stack; arguments as for ``expand``.

    Ends early once there are more than ``most_batches``; how many decisions the stack then holds is returned.
    """
    while top > 0 and cnt[NUM_BATCHES] <= most_batches:
        slot = w.stack[top - 1, SLOT]
        root = slot < 0
        if fill and not root:
            t.child[slot] = cnt[NUM_NODES]
        top = expand(g, t, w, cnt, fill, mirrored and root, root, top)
    return top


@entry
def expand_all(
    g: Automaton,
    t: Tree,
    w: Work,
    cnt: I64,
    fill: bool,
    halved_root: bool,
    rows: I32,
    edges: I32,
    parents: I64,
    moves: I64,
) -> int:
    """Expand all decisions of a generation; return how many children that are decisions they have.

    ``halved_root``: the root's actions in one order only.

    Modified in place: ``edges`` ``[*, POOLS + 2T]`` int64, those children, as far as they fit; ``parents``
    ``[*]`` and ``moves`` ``[*, 2]`` int64, the decisions they follow and both players' actions there.
    """
    count, stack = 0, w.stack
    for i in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            stack[0, k] = rows[i, k]
        first = cnt[NUM_CHILDREN]
        width = menu_size(rows[i, KIND], g.local_types, g.num_types) if rows[i, ACTS] & 2 else 1
        root = rows[i, SLOT] < 0
        top = expand(g, t, w, cnt, fill, halved_root and root, root, 1)
        for j in range(top):
            if count < parents.size:
                parents[count] = i
                moves[count, 0] = (stack[j, SLOT] - first) // width
                moves[count, 1] = (stack[j, SLOT] - first) % width
                for k in range(rows.shape[1]):
                    edges[count, k] = stack[j, k]
            count += 1
    return count


class Children(NamedTuple):
    """All decisions right below those of a generation."""

    rows: I32  # [M, POOLS + 2T]
    parents: I64  # [M] number of the decision each follows
    moves: I64  # [M, 2] both players' actions there


def children_of(
    g: Automaton, t: Tree, w: Work, cnt: I64, fill: bool, halved_root: bool, rows: I32
) -> Children:
    """List them; arguments as for ``expand_all``."""
    none = Children(np.zeros((0, rows.shape[1]), np.int32), np.zeros(0, np.int64), np.zeros((0, 2), np.int64))
    total = expand_all(g, t, w, cnt.copy(), False, halved_root, rows, *none)
    found = Children(*(np.empty((total, *column.shape[1:]), column.dtype) for column in none))
    expand_all(g, t, w, cnt, fill, halved_root, rows, *found)
    return found


def root_row(game: HandGame, exchange: bool) -> I32:
    """The decision that play begins with, as a generation of its own: ``[1, POOLS + 2T]``."""
    left, start = game.copies.sum(axis=1), int(game.start_row)
    columns = [EXCHANGE if exchange else PLACE, 3, start, start, 0, 0, *left, 0, -1, *game.copies.reshape(-1)]
    return np.array([columns], np.int32)


def pair_counts(spaces: tuple[Spaces, Spaces]) -> I64:
    counts = np.zeros((2, 3, spaces[0].set_actions.shape[1]), np.int64)
    for p in range(2):
        counts[p] = spaces[p].segment[:, :, MAX_ACTIONS] - spaces[p].segment[:, :, 0]
    return counts


def remainder_counts(spaces: tuple[Spaces, Spaces]) -> I64:
    """Remainders of all actions together by player, decision kind and level; kind 3: hands, nobody acts."""
    counts = np.zeros((2, 4, spaces[0].set_actions.shape[1]), np.int64)
    for p in range(2):
        sizes = np.diff(spaces[p].level_start)
        counts[p, 3] = sizes
        for kind in range(3):
            for level, actions in enumerate(spaces[p].set_actions[kind]):
                counts[p, kind, level] = sizes[spaces[p].remainder_level[kind, level, :actions]].sum()
    return counts


def empty_tree(size: TreeSize, num_types: int, links: int) -> Tree:
    return Tree(
        np.zeros(size.nodes, np.int8),
        np.zeros(size.nodes, np.int8),
        np.zeros(size.nodes, np.int8),
        np.zeros(size.nodes, np.int8),
        np.zeros(size.nodes, np.int8),
        np.zeros(size.nodes, np.int8),
        np.zeros((size.nodes, 2), np.int16),
        np.zeros((size.nodes, 2, num_types), np.int8),
        np.zeros(size.nodes, np.int64),
        np.full(size.nodes, -1, np.int64),
        np.full((size.nodes, 2), -1, np.int64),
        np.full((size.nodes, 2), -1, np.int64),
        np.full(size.children, CHILD_NONE, np.int32),
        np.zeros(size.children, np.int32),
        np.full((size.batches, LANES), -1, np.int64),
        np.full((links, MAX_LINKS), -1, np.int32),
    )


def count_tree(
    g: Automaton,
    game: HandGame,
    spaces: tuple[Spaces, Spaces],
    exchange: bool,
    symmetric: bool,
    start: Start | None = None,
    most_batches: int | None = None,
) -> TreeSize:
    """Count nodes, child slots, batches, regrets and records without storing the tree.

    ``start``: where play begins, instead of the deal. Counting ends once there are more than
    ``most_batches``.
    """
    tree = empty_tree(TreeSize(1, 1, 1, 1, 1, 1, 1), g.num_types, 1)
    return _run(g, game, tree, spaces, False, exchange, symmetric, start, most_batches)


def build_tree(
    g: Automaton,
    game: HandGame,
    spaces: tuple[Spaces, Spaces],
    size: TreeSize,
    exchange: bool,
    symmetric: bool,
    start: Start | None = None,
) -> Tree:
    """Fill the arrays of a tree whose size has been counted."""
    tree = empty_tree(size, g.num_types, size.batches if g.num_chain else 1)
    _run(g, game, tree, spaces, True, exchange, symmetric, start, None)
    return tree


def work_space(game: HandGame, spaces: tuple[Spaces, Spaces]) -> Work:
    """Allocate what enumerating works on; the stack has room for a whole tree, depth first."""
    # A path holds at most a placement, chain items and a hidden one per slot; every node on it leaves
    # siblings.
    decisions = 3 * game.row_length + int(game.copies.max()) * 2 + 4
    num_types = len(game.type_ids)
    return Work(
        pair_counts(spaces),
        remainder_counts(spaces),
        np.zeros((decisions * MAX_ACTIONS**2, POOLS + 2 * num_types), np.int64),
        np.zeros((64, LANES + 5), np.int64),
        np.zeros((2, num_types), np.int64),
        np.zeros(2, np.int64),
        np.full((MAX_ACTIONS, MAX_ACTIONS), -1, np.int64),
    )


def _run(
    g: Automaton,
    game: HandGame,
    tree: Tree,
    spaces: tuple[Spaces, Spaces],
    fill: bool,
    exchange: bool,
    symmetric: bool,
    start: Start | None,
    most_batches: int | None,
) -> TreeSize:
    cnt = np.zeros(TOTALS, np.int64)
    work = work_space(game, spaces)
    if start is None:
        start = Start(
            EXCHANGE if exchange else PLACE, 3, (game.start_row, game.start_row), (0, 0), 0, game.copies
        )
    work.pools[:] = start.pools
    left = work.pools.sum(axis=1)
    _push(work, 0, start.kind, start.acts, *start.rows, *start.hidden, left[0], left[1], start.step, -1)
    most = np.iinfo(np.int64).max if most_batches is None else most_batches
    top = 1
    while top > 0 and cnt[NUM_BATCHES] <= most:
        poll_leave()
        top = enumerate_all(g, tree, work, cnt, fill, symmetric, min(most, cnt[NUM_BATCHES] + _AT_ONCE), top)
    return TreeSize(*(int(c) for c in cnt))

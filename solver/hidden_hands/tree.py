"""The un-merged public tree of a hidden-hands game as flat arrays.

Interior nodes are public histories at which somebody decides with his whole hand in view. Steps that surely
end play are not expanded into nodes: they are *final records*, eight to a batch, one per lane, because there
only the support of a hand matters.

The tree is enumerated depth first, twice: once to count, once to fill arrays of exactly the right size. When
both players have the same stock the game is symmetric, and of two mirrored children only one is kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import I64
from solver.hidden_hands.game import HandGame
from solver.hidden_hands.jit import kernel
from solver.hidden_hands.positions import Start
from solver.hidden_hands.spaces import EXCHANGE, HIDE, MAX_ACTIONS, PLACE, ActionSpace, Spaces

__all__ = [
    "CHILD_FINAL",
    "CHILD_NONE",
    "CHILD_TERMINAL",
    "LANES",
    "MAX_LINKS",
    "Automaton",
    "Tree",
    "TreeSize",
    "action_counts",
    "automaton",
    "build_tree",
    "chain_types_of",
    "count_tree",
    "final_lanes",
    "follow",
    "menu_size",
    "public_type",
    "remainder_counts",
]

LANES = 8
"""Final records processed side by side; eight single-precision numbers fill one 256-bit register."""

CHILD_NONE, CHILD_TERMINAL, CHILD_FINAL = -1, -2, -3
"""What a child slot holds that is no node. ``CHILD_FINAL - k``: the k-th final record below its node."""

MAX_LINKS = 4

_NODES, _CHILDREN, _BATCHES, _REGRETS, _RECORDS, _FLOWS, _DEFERRED = 0, 1, 2, 3, 4, 5, 6


class Automaton(NamedTuple):
    """The game's arrays in the shape the kernels want (see ``HandGame``), plus the local action numbering."""

    face: NDArray[np.int64]
    next_row: NDArray[np.int32]
    pending: NDArray[np.bool_]
    hides: NDArray[np.bool_]
    commit: NDArray[np.int32]
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
    defers: NDArray[
        np.int8
    ]  # [n] 1 two or more steps before the final one, with decisions below (not the root)
    level: NDArray[np.int16]  # [n, 2]
    pool: NDArray[np.int8]  # [n, 2, T] items not yet seen by everybody
    child_start: NDArray[np.int64]  # [n]
    batch_start: NDArray[np.int64]  # [n]
    regret_start: NDArray[np.int64]  # [n, 2]
    flow_start: NDArray[np.int64]  # [n, 2] accumulated flow per action, -1 where no child is terminal
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
    deferred: int  # remainders of both players at nodes that defer


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


@kernel
def menu_size(kind: int, types: I64, num_types: int) -> int:
    """Number of actions of a decision; ``types``: type of each local action."""
    if kind == PLACE:
        return types.size
    if kind == HIDE:
        return 2
    return num_types + 1


@kernel
def action_counts(tree: Tree, node: int, types: I64, num_types: int) -> tuple[int, int]:
    """Rows and columns of a node's children: a player's actions, 1 if he does not act."""
    menu = menu_size(tree.kind[node], types, num_types)
    acts = tree.acts[node]
    return menu if acts & 1 else 1, menu if acts & 2 else 1


@kernel
def public_type(kind: int, action: int, types: I64, num_types: int) -> int:
    """Type that an action shows to everybody, or -1."""
    if kind == PLACE:
        own: int = types[action]
        return own
    if kind == EXCHANGE and action < num_types:
        return action
    return -1


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
def _total(pool: I64) -> int:
    total = 0
    for t in range(pool.size):
        total += pool[t]
    return total


@kernel
def _is_final(g: Automaton, r0: int, r1: int) -> bool:
    if not g.use_finals:
        return False
    last0: bool = g.length[r0] == g.row_length - 1
    last1: bool = g.length[r1] == g.row_length - 1
    if g.has_nothing:
        return last0 and last1
    return last0 or last1


@kernel
def _links(
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
            sub = cnt[_BATCHES]
            cnt[_BATCHES] += 1
            cnt[_RECORDS] += found
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


_KIND, _ACTS, _ROW0, _ROW1, _HIDDEN0, _HIDDEN1, _STEP, _SLOT, _POOLS = 0, 1, 2, 3, 4, 5, 6, 7, 8


@kernel
def _push(
    stack: I64,
    top: int,
    kind: int,
    acts: int,
    r0: int,
    r1: int,
    hidden0: int,
    hidden1: int,
    step: int,
    slot: int,
    pools: I64,
) -> int:
    """Put a node on the stack; return the new top."""
    stack[top, _KIND] = kind
    stack[top, _ACTS] = acts
    stack[top, _ROW0] = r0
    stack[top, _ROW1] = r1
    stack[top, _HIDDEN0] = hidden0
    stack[top, _HIDDEN1] = hidden1
    stack[top, _STEP] = step
    stack[top, _SLOT] = slot
    num_types = pools.shape[1]
    for t in range(num_types):
        stack[top, _POOLS + t] = pools[0, t]
        stack[top, _POOLS + num_types + t] = pools[1, t]
    return top + 1


@kernel
def _enumerate(
    g: Automaton,
    t: Tree,
    pairs: I64,
    rests: I64,
    cnt: I64,
    fill: bool,
    mirrored: bool,
    stack: I64,
    link_stack: I64,
    pools: I64,
    hand: I64,
    finals: I64,
) -> None:
    """Enumerate the tree depth first from the node on the stack.

    Parameters
    ----------
    pairs : [2, 3, Q] int64
        Number of (hand, action) pairs of each player by decision kind and level.
    rests : [2, 4, Q] int64
        Remainders of all actions together, likewise; hands for who does not act (kind 3).
    cnt : [7] int64
        Running totals. Modified in place, as is all that follows.
    stack : [*, 8 + 2T] int64
        Nodes still to visit; row 0 is the root.
    pools, hand, finals : [2, T], [2], [MAX_ACTIONS, MAX_ACTIONS] int64
        Work space.

    """
    per_n = pairs.shape[2] // (g.hand_size + 1)
    num_types = g.num_types
    top = 1
    while top > 0:
        top -= 1
        kind, acts = stack[top, _KIND], stack[top, _ACTS]
        r0, r1 = stack[top, _ROW0], stack[top, _ROW1]
        hidden0, hidden1 = stack[top, _HIDDEN0], stack[top, _HIDDEN1]
        step = stack[top, _STEP]
        slot = stack[top, _SLOT]
        symmetric = mirrored and slot < 0
        for k in range(num_types):
            pools[0, k] = stack[top, _POOLS + k]
            pools[1, k] = stack[top, _POOLS + num_types + k]
        node = cnt[_NODES]
        cnt[_NODES] += 1
        if fill and slot >= 0:
            t.child[slot] = node
        for p in range(2):
            hidden = hidden0 if p == 0 else hidden1
            hand[p] = min(g.hand_size, _total(pools[p]) - hidden)
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
                    t.regret_start[node, p] = cnt[_REGRETS]
                cnt[_REGRETS] += pairs[p, kind, level]
        menu = menu_size(kind, g.local_types, g.num_types)
        n0 = menu if acts & 1 else 1
        n1 = menu if acts & 2 else 1
        child_start = cnt[_CHILDREN]
        cnt[_CHILDREN] += n0 * n1
        if fill:
            t.kind[node] = kind
            t.acts[node] = acts
            t.symmetric[node] = 1 if symmetric else 0
            t.step[node] = step
            t.opens[node] = 1 if kind == PLACE and not (g.pending[r0] or g.pending[r1]) else 0
            t.child_start[node] = child_start
        num_finals = 0
        terminal = False
        bottom = top
        for a in range(n0):
            for b in range(n1):
                finals[a, b] = -1
                if symmetric and b < a:
                    continue
                if not _possible(g, kind, acts & 1, a, pools[0], hand[0]) or not _possible(
                    g, kind, acts & 2, b, pools[1], hand[1]
                ):
                    continue
                x = public_type(kind, a, g.local_types, g.num_types) if acts & 1 else -1
                y = public_type(kind, b, g.local_types, g.num_types) if acts & 2 else -1
                place = child_start + a * n1 + b
                if x >= 0:
                    pools[0, x] -= 1
                if y >= 0:
                    pools[1, y] -= 1
                what, e0, e1, h0, h1 = _outcome(g, kind, acts, r0, r1, x, y, a, b)
                if what == _EXCHANGED:
                    top = _push(stack, top, PLACE, 3, r0, r1, hidden0, hidden1, 0, place, pools)
                elif what == _PENDING:
                    sub = (1 if g.pending[e0] else 0) | (2 if g.pending[e1] else 0)
                    top = _push(stack, top, PLACE, sub, e0, e1, hidden0, hidden1, step, place, pools)
                elif what == _HIDING:
                    top = _push(
                        stack, top, HIDE, h0 | (h1 << 1), e0, e1, hidden0, hidden1, step, place, pools
                    )
                elif what == _OVER:
                    terminal = True
                    if fill:
                        t.child[place] = CHILD_TERMINAL
                        t.child_end[place] = g.terminal_class[e0] * g.payoff.shape[0] + g.terminal_class[e1]
                elif what == _NEXT_STEP:
                    if _is_final(g, e0, e1):
                        finals[a, b] = e0 * g.face.size + e1
                        num_finals += 1
                        if fill:
                            t.child[place] = CHILD_FINAL + 1 - num_finals
                    else:
                        top = _push(
                            stack, top, PLACE, 3, e0, e1, hidden0 + h0, hidden1 + h1, step + 1, place, pools
                        )
                if x >= 0:
                    pools[0, x] += 1
                if y >= 0:
                    pools[1, y] += 1
        if top > bottom and slot >= 0 and step <= g.row_length - 3:
            if fill:
                t.defers[node] = 1
            for p in range(2):
                hidden = hidden0 if p == 0 else hidden1
                level = hand[p] * per_n + hidden
                cnt[_DEFERRED] += rests[p, kind if (acts >> p) & 1 else 3, level]
        if terminal:
            if fill:
                t.flow_start[node, 0] = cnt[_FLOWS]
                t.flow_start[node, 1] = cnt[_FLOWS] if symmetric else cnt[_FLOWS] + n0
            cnt[_FLOWS] += n0 if symmetric else n0 + n1
        if num_finals == 0:
            continue
        num_batches = (num_finals + LANES - 1) // LANES
        start = cnt[_BATCHES]
        cnt[_BATCHES] += num_batches
        cnt[_RECORDS] += num_finals
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
                    _links(g, t, cnt, fill, batch, pools, link_stack, 0)
                for lane in range(LANES):
                    link_stack[0, lane] = -1


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


_IMPOSSIBLE, _EXCHANGED, _PENDING, _HIDING, _OVER, _NEXT_STEP = 0, 1, 2, 3, 4, 5


@kernel
def _outcome(
    g: Automaton, kind: int, acts: int, r0: int, r1: int, x: int, y: int, a: int, b: int
) -> tuple[int, int, int, int, int]:
    """What a pair of actions leads to: ``(what, row 0, row 1, h0, h1)``.

    ``h0``, ``h1``: who is to hide an item (``_HIDING``) or has just hidden one (otherwise).
    """
    if kind == EXCHANGE:
        return _EXCHANGED, r0, r1, 0, 0
    if kind == PLACE:
        if acts == 3 and x < 0 and y < 0 and not (g.pending[r0] or g.pending[r1]):
            # Nobody can place anything: play ends with the rows as they are.
            return _OVER, r0, r1, 0, 0
        nothing = g.next_row.shape[2] - 1
        own = x if x >= 0 else nothing
        opp = y if y >= 0 else nothing
        s0 = g.next_row[r0, g.face[r1], own, opp]
        s1 = g.next_row[r1, g.face[r0], opp, own]
        if s0 < 0 or s1 < 0:
            return _IMPOSSIBLE, r0, r1, 0, 0
        if g.pending[s0] or g.pending[s1]:
            return _PENDING, s0, s1, 0, 0
        h0 = 1 if g.hides[s0] else 0
        h1 = 1 if g.hides[s1] else 0
        if h0 or h1:
            may_fail = g.has_nothing
            over = g.full[g.commit[s0, h0]] or g.full[g.commit[s1, h1]]
            if may_fail or not over:
                return _HIDING, s0, s1, h0, h1
    else:
        s0, s1 = r0, r1
        h0 = 1 if g.hides[s0] and a == 0 else 0
        h1 = 1 if g.hides[s1] and b == 0 else 0
    e0, e1 = g.commit[s0, h0], g.commit[s1, h1]
    if g.full[e0] or g.full[e1]:
        return _OVER, e0, e1, h0, h1
    return _NEXT_STEP, e0, e1, h0, h1


@kernel
def _possible(g: Automaton, kind: int, acting: int, action: int, pool: I64, hand: int) -> bool:
    if not acting:
        return True
    if kind == HIDE:
        return hand > 0 if action == 0 else _may_place_nothing(g, pool, hand)
    x = public_type(kind, action, g.local_types, g.num_types)
    if x >= 0:
        return hand > 0 and pool[x] > 0
    return kind == EXCHANGE or _may_place_nothing(g, pool, hand)


def _pair_counts(spaces: tuple[Spaces, Spaces]) -> NDArray[np.int64]:
    counts = np.zeros((2, 3, spaces[0].set_actions.shape[1]), np.int64)
    for p in range(2):
        counts[p] = spaces[p].segment[:, :, MAX_ACTIONS] - spaces[p].segment[:, :, 0]
    return counts


def remainder_counts(spaces: tuple[Spaces, Spaces]) -> NDArray[np.int64]:
    """Remainders of all actions together by player, decision kind and level; kind 3: hands, nobody acts."""
    counts = np.zeros((2, 4, spaces[0].set_actions.shape[1]), np.int64)
    for p in range(2):
        sizes = np.diff(spaces[p].level_start)
        counts[p, 3] = sizes
        for kind in range(3):
            for level, actions in enumerate(spaces[p].set_actions[kind]):
                counts[p, kind, level] = sizes[spaces[p].remainder_level[kind, level, :actions]].sum()
    return counts


def _empty_tree(size: TreeSize, num_types: int, links: int) -> Tree:
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
) -> TreeSize:
    """Count nodes, child slots, batches, regrets and records without storing the tree.

    ``start``: where play begins, instead of the deal.
    """
    tree = _empty_tree(TreeSize(1, 1, 1, 1, 1, 1, 1), g.num_types, 1)
    return _run(g, game, tree, spaces, False, exchange, symmetric, start)


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
    tree = _empty_tree(size, g.num_types, size.batches if g.num_chain else 1)
    _run(g, game, tree, spaces, True, exchange, symmetric, start)
    return tree


def _run(
    g: Automaton,
    game: HandGame,
    tree: Tree,
    spaces: tuple[Spaces, Spaces],
    fill: bool,
    exchange: bool,
    symmetric: bool,
    start: Start | None,
) -> TreeSize:
    cnt = np.zeros(7, np.int64)
    num_types = g.num_types
    # A path holds at most a placement, chain items and a hidden one per slot; every node on it leaves
    # siblings.
    decisions = 3 * game.row_length + int(game.copies.max()) * 2 + 4
    stack = np.zeros((decisions * MAX_ACTIONS**2, _POOLS + 2 * num_types), np.int64)
    if start is None:
        start = Start(
            EXCHANGE if exchange else PLACE, 3, (game.start_row, game.start_row), (0, 0), 0, game.copies
        )
    pools = np.ascontiguousarray(start.pools, np.int64)
    _push(stack, 0, start.kind, start.acts, *start.rows, *start.hidden, start.step, -1, pools)
    _enumerate(
        g,
        tree,
        _pair_counts(spaces),
        remainder_counts(spaces),
        cnt,
        fill,
        symmetric,
        stack,
        np.zeros((64, LANES + 5), np.int64),
        np.zeros((2, num_types), np.int64),
        np.zeros(2, np.int64),
        np.full((MAX_ACTIONS, MAX_ACTIONS), -1, np.int64),
    )
    return TreeSize(*(int(c) for c in cnt))


def follow(g: Automaton, start: Start, types: tuple[int, int], options: tuple[int, int]) -> Start | None:
    """Where a pair of actions leads: the next decision, or None once play is over.

    Parameters
    ----------
    types : (int, int)
        Type that each player's action shows to everybody, -1 for none.
    options : (int, int)
        The actions' local numbers; 0 for who does not act.

    Raises
    ------
    ValueError
        If the automaton knows no such pair.
    """
    what, r0, r1, h0, h1 = _outcome(g, start.kind, start.acts, *start.rows, *types, *options)
    pools = start.pools.copy()
    for p, shown in enumerate(types):
        if shown >= 0:
            pools[p, shown] -= 1
    rows = (int(r0), int(r1))
    if what == _IMPOSSIBLE:
        raise ValueError("no play leads there")
    if what == _OVER:
        return None
    if what == _EXCHANGED:
        return Start(PLACE, 3, rows, start.hidden, 0, pools)
    if what == _PENDING:
        acts = (1 if g.pending[r0] else 0) | (2 if g.pending[r1] else 0)
        return Start(PLACE, acts, rows, start.hidden, start.step, pools)
    if what == _HIDING:
        return Start(HIDE, int(h0 | (h1 << 1)), rows, start.hidden, start.step, pools)
    hidden = (start.hidden[0] + int(h0), start.hidden[1] + int(h1))
    return Start(PLACE, 3, rows, hidden, start.step + 1, pools)

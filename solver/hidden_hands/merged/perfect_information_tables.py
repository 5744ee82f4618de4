"""The tables of what a player gets at most who sees the hand he meets, and what filling them works on.

Also the least and the most that any history of a merged node leaves of its public pools.

Letters as in ``perfect_information``.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.decisions.walk_memory import Problem
from solver.hidden_hands.final.state import Frame
from solver.hidden_hands.jit import F32, I16, I64, ONE, ZERO, Flags, entry, kernel
from solver.hidden_hands.merged.merged_tree import MergedTree, mirror_image
from solver.hidden_hands.spaces import Spaces
from solver.hidden_hands.tree import CHILD_FINAL, MAX_LINKS, action_counts, public_type

Bytes: TypeAlias = NDArray[np.uint8]


class PerfectInformation(NamedTuple):
    """What a player gets at most who sees the hand he meets; first axis: that player, or only player 0.

    *Here*: that hand is about to decide; *ahead*: it still has to draw.
    """

    start: I64  # [2, n + 1] where a node's hands lie, if they are ever asked for
    ahead_start: I64  # [2, n + 1] and those with one item less, likewise
    base: F32  # [2 or 1, n] worth that 0 stands for
    unit: F32  # [2 or 1, n] worth of a step
    here: Bytes  # [2 or 1, *]
    ahead: Bytes  # [2 or 1, *]
    final_base: F32  # [2, u] by seat
    final_unit: F32  # [2, u]
    final_here: Bytes  # [2, u, X]
    final_ahead: Bytes  # [2, u, Y]
    places: I64  # [2, I] place of each support index among X, and among Y; -1 none


class TableScratch(NamedTuple):
    """Work space of one thread.

    ``E`` records, a final one and those nested in it; ``S`` supports.
    """

    here: F32  # [N]
    ahead: F32  # [N]
    chances: F32  # [2, T, C] least and most of a draw, by how many items of a type are out
    sums: F32  # [N]
    shares: F32  # [plain + 2, S] each plain action's share; best value, sum of weights
    tops: F32  # [S] the best top he has; also sums over his plain items
    plain: F32  # [S] worth when he places a plain item
    chained: F32  # [2, S] when he goes on alone, the second chain type at hand or not
    draw: F32  # [2, P, C] least and most of a draw, by how many items of a type are in hand
    final_here: F32  # [X]
    final_ahead: F32  # [E, Y]
    batch: I64  # [E]
    placed: I64  # [E, 2, 2] items of both chain types that led there
    nested: I64  # [E, MAX_LINKS] -1 none
    places: I64  # [2, I]
    rests: I64  # [Y] support indices


def empty_tables(q: Problem, merged: MergedTree) -> PerfectInformation:
    """Allocate the tables."""
    learners = 1 if merged.quotient else 2
    nodes, records = q.tree.kind.size, merged.records.place.size
    needs = np.zeros((2, 2, nodes), np.bool_)
    _mark_needs(q, needs)
    start, ahead = np.zeros((2, nodes + 1), np.int64), np.zeros((2, nodes + 1), np.int64)
    for learner in range(learners):
        sp = q.spaces1 if learner == 0 else q.spaces0
        level = q.tree.level[:, 1 - learner].astype(np.int64)
        sizes = np.diff(sp.level_start)
        before = np.maximum(level - (sp.num_hidden + 1), 0)
        start[learner, 1:] = np.cumsum(np.where(needs[0, learner], sizes[level], 0))
        ahead[learner, 1:] = np.cumsum(np.where(needs[1, learner], sizes[before], 0))
    places, rests = _places(q.frame)
    return PerfectInformation(
        start,
        ahead,
        np.zeros((learners, nodes), np.float32),
        np.zeros((learners, nodes), np.float32),
        np.zeros((learners, int(start[:learners, -1].max())), np.uint8),
        np.zeros((learners, int(ahead[:learners, -1].max())), np.uint8),
        np.zeros((2, records), np.float32),
        np.zeros((2, records), np.float32),
        np.zeros((2, records, q.frame.rows.size), np.uint8),
        np.zeros((2, records, rests.size), np.uint8),
        places,
    )


@entry
def _mark_needs(q: Problem, needs: Flags) -> None:
    """Mark what is ever asked for, by learner: hands about to decide, hands that still have to draw."""
    for node in range(1, q.tree.kind.size):
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        for k in range(n0 * n1):
            child = q.tree.child[q.tree.child_start[node] + k]
            for learner in range(2 if child >= 0 else 0):
                opp, action = 1 - learner, k % n1 if learner == 0 else k // n1
                sp = q.spaces0 if opp == 0 else q.spaces1
                level = q.tree.level[node, opp]
                if (q.tree.acts[node] >> opp) & 1:
                    level = sp.remainder_level[q.tree.kind[node], level, action]
                drawn = is_drawn(sp, level, q.tree.level[child, opp])
                needs[1 if drawn else 0, learner, child] = True


def _places(frame: Frame) -> tuple[I64, I64]:
    """Place of each support index among those of hands and of remainders; the latter."""
    plain, second = frame.num_plain, frame.second_max + 1
    chains = frame.rows >> plain
    items = (
        np.array([int(s).bit_count() for s in frame.rows & ((1 << plain) - 1)])
        + chains // second
        + chains % second
    )
    rests = frame.rows[items < items.max()].astype(np.int64)
    places = np.full((2, (frame.first_max + 1) * second << plain), -1)
    places[0, frame.rows] = np.arange(frame.rows.size)
    places[1, rests] = np.arange(rests.size)
    return places, rests


def table_scratch(q: Problem, nest: int) -> TableScratch:
    """Allocate one thread's work space; ``nest``: most records nested in one final step, itself included."""
    n = max(int(np.diff(sp.level_start).max()) for sp in (q.spaces0, q.spaces1))
    frame, p, plain = q.frame, q.types.size, q.frame.num_plain
    bits = 1 << plain
    places, rests = _places(frame)

    def array(*shape: int) -> F32:
        return np.zeros(shape, np.float32)

    return TableScratch(
        array(n),
        array(n),
        array(2, q.stocks.shape[1], int(q.stocks.max()) + 1),
        array(n),
        array(plain + 2, bits),
        array(bits),
        array(bits),
        array(2, bits),
        array(2, p, max(frame.first_max, frame.second_max) + 1),
        array(frame.rows.size),
        array(nest, rests.size),
        np.zeros(nest, np.int64),
        np.zeros((nest, 2, 2), np.int64),
        np.zeros((nest, MAX_LINKS), np.int64),
        places,
        rests,
    )


@kernel
def is_drawn(sp: Spaces, level: int, after: int) -> bool:
    """Whether remainders of a level become hands of another one by a draw."""
    return after == level + sp.num_hidden + 1


class Bounds(NamedTuple):
    """Least and most that any history leaves of public pools, at nodes and final records."""

    pool: I16  # [n, 2, T, 2] items of a type not yet seen by everybody
    left: I16  # [n, 2, 2] of all types together
    final_pool: I16  # [u, 2, T, 2]
    final_left: I16  # [u, 2, 2]


def bounds_of_pools(q: Problem, merged: MergedTree) -> Bounds:
    """Bound the public pools of all histories.

    Complexity: one pass over all child slots.
    """
    nodes, types, records = q.tree.kind.size, q.tree.pool.shape[2], merged.records.place.size

    def empty(*shape: int) -> I16:
        found = np.empty((*shape, 2), np.int16)
        found[..., 0], found[..., 1] = np.iinfo(np.int16).max, -1
        return found

    found = Bounds(empty(nodes, 2, types), empty(nodes, 2), empty(records, 2, types), empty(records, 2))
    found.pool[0] = q.stocks[..., None]
    found.left[0] = q.stocks.sum(axis=1)[:, None]
    for a, b in zip(*np.nonzero(merged.roots >= 0), strict=True):
        shown = [public_type(q.tree.kind[0], x, q.types, types) for x in (a, b)]
        _widen(found, False, int(merged.roots[a, b]), 0, shown[0], shown[1], 0)
    _spread_bounds(q, merged, found)
    return found


@entry
def _widen(found: Bounds, final: bool, child: int, node: int, one: int, other: int, swap: int) -> None:
    """Let a child's bounds contain what a node leaves once types ``one`` and ``other`` are public."""
    from_pool, from_left = found.pool, found.left
    pool, left = (found.final_pool, found.final_left) if final else (found.pool, found.left)
    for p in range(2):
        shown = one if p == 0 else other
        seat = p ^ swap
        for t in range(pool.shape[2]):
            least, most = from_pool[node, p, t, 0], from_pool[node, p, t, 1]
            if t == shown:
                least, most = max(least, 1) - 1, most - 1
            pool[child, seat, t, 0] = min(pool[child, seat, t, 0], least)
            pool[child, seat, t, 1] = max(pool[child, seat, t, 1], most)
        gone = 1 if shown >= 0 else 0
        left[child, seat, 0] = min(left[child, seat, 0], from_left[node, p, 0] - gone)
        left[child, seat, 1] = max(left[child, seat, 1], from_left[node, p, 1] - gone)


@entry
def _spread_bounds(q: Problem, merged: MergedTree, found: Bounds) -> None:
    """Hand bounds down: children come later."""
    tree = q.tree
    for node in range(1, tree.kind.size):
        n0, n1 = action_counts(tree, node, q.types, q.stocks.shape[1])
        start, acts, kind = tree.child_start[node], tree.acts[node], tree.kind[node]
        for a in range(n0):
            one = public_type(kind, a, q.types, q.stocks.shape[1]) if acts & 1 else -1
            if one >= 0 and found.pool[node, 0, one, 1] <= 0:
                continue
            for b in range(n1):
                other = public_type(kind, b, q.types, q.stocks.shape[1]) if acts & 2 else -1
                if other >= 0 and found.pool[node, 1, other, 1] <= 0:
                    continue
                code, record = tree.child[start + a * n1 + b], merged.record[start + a * n1 + b]
                if code >= 0:
                    _widen(found, False, code, node, one, other, 0)
                elif code <= CHILD_FINAL:
                    _widen(found, True, record // 2, node, one, other, record % 2)


@kernel
def after_draw(least: int, most: int, away: np.float32, few: int, many: int) -> tuple[np.float32, np.float32]:
    """Least and most probability of drawing a type of which ``away`` items are out of the stock."""
    low = max(np.float32(least) - away, ZERO) / np.float32(many)
    high = max(np.float32(most) - away, ZERO) / np.float32(few)
    return low, min(high, ONE)


@kernel
def bound_of_child(
    q: Problem,
    merged: MergedTree,
    found: PerfectInformation,
    node: int,
    learner: int,
    slot: int,
    action: int,
    reach: F32,
    rest: F32,
) -> float:
    """What who sees gets at most in a child: its worths times the range met there.

    ``slot``: of the child; ``action``: the other side's; ``reach``, ``rest`` ``[N] float32``: the other
    side's range at the node, and after the action, before the draw.
    """
    opp = 1 - learner
    sp = q.spaces0 if opp == 0 else q.spaces1
    level = q.tree.level[node, opp]
    acts = (q.tree.acts[node] >> opp) & 1
    target = sp.remainder_level[q.tree.kind[node], level, action] if acts else level
    first, end = sp.level_start[target], sp.level_start[target + 1]
    code = q.tree.child[slot]
    flow = total = 0.0
    if code >= 0:
        seat, number = learner, code
        if merged.quotient and learner == 1:
            seat, number = 0, mirror_image(merged, code)
        drawn = is_drawn(sp, target, q.tree.level[code, opp])
        stored = found.ahead[seat] if drawn else found.here[seat]
        at = found.ahead_start[seat, number] if drawn else found.start[seat, number]
        for m in range(end - first):
            mass = np.float64(rest[m] if acts else reach[m])
            flow += mass
            total += mass * np.float64(stored[at + m])
        inside: float = flow * found.base[seat, number] + total * found.unit[seat, number]
        return inside
    record = merged.record[slot]
    seat, number = learner ^ (record % 2), record // 2
    draws = 1 if acts and sp.draws[q.tree.kind[node], level, action] == 1 else 0
    rows = found.final_ahead[seat, number] if draws else found.final_here[seat, number]
    for m in range(end - first):
        mass = np.float64(rest[m] if acts else reach[m])
        flow += mass
        total += mass * np.float64(rows[found.places[draws, sp.index[first + m]]])
    worth: float = flow * found.final_base[seat, number] + total * found.final_unit[seat, number]
    return worth

"""What a certificate counts where it does not look: the most that is left to who sees the other hand.

Given what the other player holds, his strategy is a fixed mix of actions. Somebody who sees that hand, and
every item drawn into it, and who may place whatever is still in his own stock, needs no further history: what
he can win at a merged node depends on the node and on that hand alone. So all of it is tabulated in one
sweep, from the last generation to the first, and whoever stops following a history adds up the range met
there times these worths. All this is a gift to the deviator, so the sum is never too small.

What histories that share a node differ in are the public pools, which draws depend on. They are bounded: each
type is drawn with a probability that lies between the least and the most of any history.

At a final step less has to be given: what each of his actions wins is tabulated for itself, so that he
chooses one against the whole range, among those that his own hand holds.

Worths are stored as whole numbers from 0 to 255 between the least and the most of their node, rounded up.
Letters as in ``walk_memory`` and ``merging``; ``X`` supports in the order of ``frame.rows``, ``Y`` those of
them that a hand with one item less may have, in the same order; ``A`` actions of who sees, filled up to whole
chunks of eight. Kernels of final steps loop over these innermost, chunk by chunk.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import F32, I16, I32, I64, Flags
from solver.hidden_hands.decisions.habits import is_bound, keep_habits
from solver.hidden_hands.decisions.ranges import regret_matching
from solver.hidden_hands.decisions.walk_memory import Problem, WalkScratch
from solver.hidden_hands.final.memory import Frame
from solver.hidden_hands.final.steps import fading
from solver.hidden_hands.halves import Halves
from solver.hidden_hands.jit import entry, kernel
from solver.hidden_hands.merged.merging import MergedTree, mirror_image
from solver.hidden_hands.spaces import Spaces
from solver.hidden_hands.tree import (
    CHILD_FINAL,
    CHILD_NONE,
    CHILD_TERMINAL,
    LANES,
    MAX_LINKS,
    action_counts,
    public_type,
)

__all__ = [
    "Bounds",
    "Foresight",
    "Outlook",
    "bounds_of_pools",
    "foresee_nodes",
    "foresee_records",
    "foreseen",
    "foreseen_actions",
    "foresight",
    "gather_supports",
    "num_remainders",
    "outlook",
]

Bytes: TypeAlias = NDArray[np.uint8]

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_LOW = np.float32(-1e30)
_TINY = np.float32(1e-30)
_STEPS = np.float32(255.0)
_CLOSED, _RAISED = np.float32(9e29), np.float32(20.0)
"""What is as low as ``_LOW`` lies further down than the first; so many times as much as that lifts it above
everything."""
_MARGIN = np.float32(1e-4)
"""Part of a step that is added before rounding up, for single precision."""


class Bounds(NamedTuple):
    """Least and most that any history leaves of public pools, at nodes and final records."""

    pool: NDArray[np.int16]  # [n, 2, T, 2] items of a type not yet seen by everybody
    left: NDArray[np.int16]  # [n, 2, 2] of all types together
    final_pool: NDArray[np.int16]  # [u, 2, T, 2]
    final_left: NDArray[np.int16]  # [u, 2, 2]


class Foresight(NamedTuple):
    """What a player gets at most who sees the hand he meets; first axis: that player, or only player 0.

    *Here*: that hand is about to decide; *ahead*: it still has to draw.
    """

    start: NDArray[np.int64]  # [2, n + 1] where a node's hands lie, if they are ever asked for
    ahead_start: NDArray[np.int64]  # [2, n + 1] and those with one item less, likewise
    base: NDArray[np.float32]  # [2 or 1, n] worth that 0 stands for
    unit: NDArray[np.float32]  # [2 or 1, n] worth of a step
    here: Bytes  # [2 or 1, *]
    ahead: Bytes  # [2 or 1, *]
    final_base: NDArray[np.float32]  # [2, u] by seat
    final_unit: NDArray[np.float32]  # [2, u]
    final_here: Bytes  # [2, u, X]
    final_ahead: Bytes  # [2, u, Y, P] by action of who sees
    places: NDArray[np.int64]  # [2, I] place of each support index among X, and among Y; -1 none


class Outlook(NamedTuple):
    """Work space of one thread.

    ``E`` records, a final one and those nested in it; ``S`` supports, and room for one chunk more.
    """

    here: NDArray[np.float32]  # [N]
    ahead: NDArray[np.float32]  # [N]
    chances: NDArray[np.float32]  # [2, T, C] least and most of a draw, by how many items of a type are out
    sums: NDArray[np.float32]  # [N]
    best: NDArray[np.uint8]  # [Y]
    values: NDArray[np.float32]  # [P]
    shares: NDArray[np.float32]  # [plain + 2, S] each plain action's share; best value, sum of weights
    shut: NDArray[np.float32]  # [A] zero, or ``_LOW`` where no history leaves such an item
    pays: NDArray[np.float32]  # [P, A] of a pair of actions, the one who is seen first
    tops: NDArray[np.float32]  # [plain, A] when he goes on alone, and tops with a plain item
    chained: NDArray[np.float32]  # [2, 2**plain, A] that by support, also with a second chain type
    second: NDArray[np.float32]  # [A] when he places that one
    plain: NDArray[np.float32]  # [2**plain, A] when he places a plain item
    draw: NDArray[np.float32]  # [2, P, C] least and most of a draw, by how many items of a type are in hand
    line: NDArray[np.float32]  # [L] of a chunk in progress, like the next two
    top: NDArray[np.float32]  # [L]
    bottom: NDArray[np.float32]  # [L]
    final_here: NDArray[np.float32]  # [X, A]
    final_ahead: NDArray[np.float32]  # [Y, A]
    nested_ahead: NDArray[np.float32]  # [E, Y] the best of them
    batch: NDArray[np.int64]  # [E]
    placed: NDArray[np.int64]  # [E, 2, 2] items of both chain types that led there
    nested: NDArray[np.int64]  # [E, MAX_LINKS] -1 none
    places: NDArray[np.int64]  # [2, I]
    rests: NDArray[np.int64]  # [Y] support indices


def foresight(q: Problem, merged: MergedTree) -> Foresight:
    """Allocate the tables."""
    learners = 1 if merged.folded else 2
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
    return Foresight(
        start,
        ahead,
        np.zeros((learners, nodes), np.float32),
        np.zeros((learners, nodes), np.float32),
        np.zeros((learners, int(start[:learners, -1].max())), np.uint8),
        np.zeros((learners, int(ahead[:learners, -1].max())), np.uint8),
        np.zeros((2, records), np.float32),
        np.zeros((2, records), np.float32),
        np.zeros((2, records, q.frame.rows.size), np.uint8),
        np.zeros((2, records, rests.size, q.types.size), np.uint8),
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
                drawn = _is_drawn(sp, level, q.tree.level[child, opp])
                needs[1 if drawn else 0, learner, child] = True


def _places(frame: Frame) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
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


def num_remainders(frame: Frame) -> int:
    """How many supports a hand with one item less may have."""
    return int(_places(frame)[1].size)


def outlook(q: Problem, nest: int) -> Outlook:
    """Allocate one thread's work space; ``nest``: most records nested in one final step, itself included."""
    n = max(int(np.diff(sp.level_start).max()) for sp in (q.spaces0, q.spaces1))
    frame, p, plain = q.frame, q.types.size, q.frame.num_plain
    bits, width = 1 << plain, (p + LANES - 1) // LANES * LANES
    places, rests = _places(frame)

    def array(*shape: int) -> NDArray[np.float32]:
        return np.zeros(shape, np.float32)

    return Outlook(
        array(n),
        array(n),
        array(2, q.stocks.shape[1], int(q.stocks.max()) + 1),
        array(n),
        np.zeros(rests.size, np.uint8),
        array(p),
        array(plain + 2, bits + LANES),
        array(width),
        array(p, width),
        array(plain, width),
        array(2, bits, width),
        array(width),
        array(bits, width),
        array(2, p, max(frame.first_max, frame.second_max) + 1),
        array(LANES),
        array(LANES),
        array(LANES),
        array(frame.rows.size, width),
        array(rests.size, width),
        array(nest, rests.size),
        np.zeros(nest, np.int64),
        np.zeros((nest, 2, 2), np.int64),
        np.zeros((nest, MAX_LINKS), np.int64),
        places,
        rests,
    )


def bounds_of_pools(q: Problem, merged: MergedTree) -> Bounds:
    """Bound the public pools of all histories.

    Complexity: one pass over all child slots.
    """
    nodes, types, records = q.tree.kind.size, q.tree.pool.shape[2], merged.records.place.size

    def empty(*shape: int) -> NDArray[np.int16]:
        found = np.empty((*shape, 2), np.int16)
        found[..., 0], found[..., 1] = np.iinfo(np.int16).max, -1
        return found

    found = Bounds(empty(nodes, 2, types), empty(nodes, 2), empty(records, 2, types), empty(records, 2))
    found.pool[0] = q.stocks[..., None]
    found.left[0] = q.stocks.sum(axis=1)[:, None]
    for a, b in zip(*np.nonzero(merged.roots >= 0), strict=True):
        shown = [public_type(q.tree.kind[0], x, q.types, types) for x in (a, b)]
        _widen(
            found.pool, found.left, int(merged.roots[a, b]), found.pool, found.left, 0, shown[0], shown[1], 0
        )
    _spread_bounds(q, merged, found)
    return found


@entry
def _widen(
    pool: I16,
    left: I16,
    child: int,
    from_pool: I16,
    from_left: I16,
    node: int,
    one: int,
    other: int,
    swap: int,
) -> None:
    """Let a child's bounds contain what a node leaves once types ``one`` and ``other`` are public."""
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
                    _widen(found.pool, found.left, code, found.pool, found.left, node, one, other, 0)
                elif code <= CHILD_FINAL:
                    number, swap = record // 2, record % 2
                    to_pool, to_left = found.final_pool, found.final_left
                    _widen(to_pool, to_left, number, found.pool, found.left, node, one, other, swap)


@kernel
def _stored(worth: np.float32, base: np.float32, unit: np.float32) -> np.uint8:
    """The step that is no less than a worth."""
    if unit <= _ZERO:
        return np.uint8(0)
    return np.uint8(min(max(np.ceil((worth - base) / unit + _MARGIN), _ZERO), _STEPS))


@kernel
def _after_draw(
    least: int, most: int, away: np.float32, few: int, many: int
) -> tuple[np.float32, np.float32]:
    """Least and most probability of drawing a type of which ``away`` items are out of the stock."""
    low = max(np.float32(least) - away, _ZERO) / np.float32(many)
    high = max(np.float32(most) - away, _ZERO) / np.float32(few)
    return low, min(high, _ONE)


@kernel
def _look_ahead(sp: Spaces, level: int, pool: I16, left: I16, here: F32, chances: F32, ahead: F32) -> None:
    """Worths of hands with one item less, before their draw: at most the mean over any history's draw.

    For whatever ``c``, a mean is ``c + sum_t p_t (worth_t - c)``; each term is bounded for itself.

    Parameters
    ----------
    pool : [T, 2] int16
    left : [2] int16
    here : [N] float32
        Worths of hands of the level.
    chances : [2, T, C] float32
        Work space.
    ahead : [N] float32
        Modified in place: those of the level with one item less.
    """
    width = sp.num_hidden + 1
    before = level - width
    hand, hidden = level // width, level % width
    few, many = max(left[0] - (hand - 1) - hidden, 1), max(left[1] - (hand - 1) - hidden, 1)
    low, high = chances[0], chances[1]
    for t in range(pool.shape[0]):
        for out in range(low.shape[1]):
            low[t, out], high[t, out] = _after_draw(pool[t, 0], pool[t, 1], np.float32(out), few, many)
    first = sp.level_start[before]
    for m in range(sp.level_start[before + 1] - first):
        targets, away = sp.draw_target[first + m], sp.away[first + m]
        weights = mean = _ZERO
        top = _LOW
        for t in range(pool.shape[0]):
            s, out = targets[t], int(away[t])
            if s >= 0 and high[t, out] > _ZERO:
                weight = low[t, out] + high[t, out]
                weights += weight
                mean += weight * here[s]
                top = max(top, here[s])
        if weights <= _ZERO:
            ahead[m] = _ZERO
            continue
        mean /= weights
        worth = mean
        for t in range(pool.shape[0]):
            s, out = targets[t], int(away[t])
            if s >= 0 and high[t, out] > _ZERO:
                more = here[s] - mean
                worth += more * (high[t, out] if more > _ZERO else low[t, out])
        ahead[m] = min(worth, top)


@kernel
def _is_open(q: Problem, node: int, player: int, action: int, pool: I16) -> bool:
    """Whether any history leaves a player such an item."""
    if not (q.tree.acts[node] >> player) & 1:
        return True
    t = public_type(q.tree.kind[node], action, q.types, q.stocks.shape[1])
    return t < 0 or pool[node, player, t, 1] > 0


@kernel
def _is_drawn(sp: Spaces, level: int, after: int) -> bool:
    """Whether remainders of a level become hands of another one by a draw."""
    return after == level + sp.num_hidden + 1


@entry
def foresee_nodes(
    q: Problem,
    merged: MergedTree,
    first: int,
    last: int,
    learner: int,
    regret: Halves,
    average: Halves,
    bounds: Bounds,
    found: Foresight,
    w: WalkScratch,
    z: Outlook,
) -> None:
    """Tabulate nodes ``first`` to ``last`` (exclusive) for who sees, when all their children are done.

    Parameters
    ----------
    learner : int
        Who sees the other one's hand.
    regret, average : [*] uint16
        Tables of the merged nodes.
    found : Foresight
        Modified in place.
    """
    opp = 1 - learner
    sp = q.spaces0 if opp == 0 else q.spaces1
    for node in range(first, last):
        level = q.tree.level[node, opp]
        size = sp.level_start[level + 1] - sp.level_start[level]
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        ours, theirs = (n0, n1) if learner == 0 else (n1, n0)
        if (q.tree.acts[node] >> opp) & 1:
            kind, start = q.tree.kind[node], q.tree.regret_start[node, opp]
            table = average if start < average.size else regret
            regret_matching(sp, level, kind, theirs, table, start, w.sigma[0, opp], w.norm)
            if is_bound(q.habits, q.tree, node, opp):
                keep_habits(sp, level, theirs, q.habits[opp, q.tree.step[node]], w.sigma[0, opp], w.norm)
        for s in range(size):
            z.here[s] = _LOW
        for a in range(ours):
            if not _is_open(q, node, learner, a, bounds.pool):
                continue
            _add_up(q, merged, node, learner, a, theirs, n1, found, w.sigma[0, opp], z.sums, z.best)
            for s in range(size):
                z.here[s] = max(z.here[s], z.sums[s])
        least, most = -_LOW, _LOW
        for s in range(size):
            if z.here[s] == _LOW:
                z.here[s] = _ZERO
            least, most = min(least, z.here[s]), max(most, z.here[s])
        unit = (most - least) / _STEPS
        found.base[learner, node], found.unit[learner, node] = least, unit
        at = found.start[learner, node]
        for s in range(size if found.start[learner, node + 1] > at else 0):
            found.here[learner, at + s] = _stored(z.here[s], least, unit)
        at = found.ahead_start[learner, node]
        length = found.ahead_start[learner, node + 1] - at
        if length == 0:
            continue
        _look_ahead(sp, level, bounds.pool[node, opp], bounds.left[node, opp], z.here, z.chances, z.ahead)
        for m in range(length):
            found.ahead[learner, at + m] = _stored(z.ahead[m], least, unit)


@kernel
def _add_up(
    q: Problem,
    merged: MergedTree,
    node: int,
    learner: int,
    action: int,
    theirs: int,
    n1: int,
    found: Foresight,
    sigma: F32,
    sums: F32,
    best: Bytes,
) -> None:
    """Worths of all hands met if the one who sees takes an action.

    Modified in place: ``sums`` ``[N]``; ``best`` ``[Y]`` is work space.
    """
    opp = 1 - learner
    sp = q.spaces0 if opp == 0 else q.spaces1
    kind, level = q.tree.kind[node], q.tree.level[node, opp]
    acts = (q.tree.acts[node] >> opp) & 1
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        sums[s] = _ZERO
    for b in range(theirs):
        slot = q.tree.child_start[node] + (action * n1 + b if learner == 0 else b * n1 + action)
        code = q.tree.child[slot]
        if code == CHILD_NONE:
            continue
        target = sp.remainder_level[kind, level, b] if acts else level
        if not acts:
            begin, end = 0, sp.level_start[level + 1] - sp.level_start[level]
            offset = 0
        else:
            begin, end = sp.segment[kind, level, b], sp.segment[kind, level, b + 1]
            offset = sp.segment[kind, level, 0]
        if code == CHILD_TERMINAL:
            pay = q.end_payoff[q.tree.child_end[slot]]
            worth = pay if learner == 0 else -pay
            for j in range(begin, end):
                if acts:
                    sums[sp.pair_state[j]] += sigma[j - offset] * worth
                else:
                    sums[j] += worth
            continue
        if code >= 0:
            drawn = _is_drawn(sp, target, q.tree.level[code, opp])
            stored = found.ahead[learner] if drawn else found.here[learner]
            at = found.ahead_start[learner, code] if drawn else found.start[learner, code]
            base, unit = found.base[learner, code], found.unit[learner, code]
            for j in range(begin, end):
                if acts:
                    worth = base + unit * np.float32(stored[at + sp.pair_rest[j]])
                    sums[sp.pair_state[j]] += sigma[j - offset] * worth
                else:
                    sums[j] += base + unit * np.float32(stored[at + j])
            continue
        record = merged.record[slot]
        seat, number = learner ^ (record % 2), record // 2
        base, unit = found.final_base[seat, number], found.final_unit[seat, number]
        first = sp.level_start[target]
        if acts and sp.draws[kind, level, b] == 1:
            _best_of_actions(found.final_ahead[seat, number], best)
            for j in range(begin, end):
                at = found.places[1, sp.index[first + sp.pair_rest[j]]]
                sums[sp.pair_state[j]] += sigma[j - offset] * (base + unit * np.float32(best[at]))
            continue
        rows = found.final_here[seat, number]
        for j in range(begin, end):
            at = found.places[0, sp.index[first + (sp.pair_rest[j] if acts else j)]]
            worth = base + unit * np.float32(rows[at])
            if acts:
                sums[sp.pair_state[j]] += sigma[j - offset] * worth
            else:
                sums[j] += worth


@kernel
def _best_of_actions(worths: Bytes, best: Bytes) -> None:
    """The most that any action is worth. Modified in place: ``best`` ``[Y]``."""
    for i in range(worths.shape[0]):
        most = worths[i, 0]
        for a in range(1, worths.shape[1]):
            most = max(most, worths[i, a])
        best[i] = most


@kernel
def foreseen(
    q: Problem,
    merged: MergedTree,
    found: Foresight,
    node: int,
    learner: int,
    slot: int,
    action: int,
    reach: F32,
    rest: F32,
) -> float:
    """What who sees gets at most in a child: its worths times the range met there.

    Parameters
    ----------
    slot : int
        Of the child.
    action : int
        The other side's.
    reach, rest : [N] float32
        The other side's range at the node, and after the action, before the draw.
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
        if merged.folded and learner == 1:
            seat, number = 0, mirror_image(merged, code)
        drawn = _is_drawn(sp, target, q.tree.level[code, opp])
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
    rows = found.final_here[seat, number]
    for m in range(end - first):
        mass = np.float64(rest[m] if acts else reach[m])
        flow += mass
        total += mass * np.float64(rows[found.places[0, sp.index[first + m]]])
    worth: float = flow * found.final_base[seat, number] + total * found.final_unit[seat, number]
    return worth


@kernel
def gather_supports(sp: Spaces, level: int, rest: F32, found: Foresight, met: F32) -> None:
    """Add up a range of remainders by support. Modified in place: ``met`` ``[Y]``."""
    for i in range(met.size):
        met[i] = _ZERO
    first = sp.level_start[level]
    for m in range(sp.level_start[level + 1] - first):
        met[found.places[1, sp.index[first + m]]] += rest[m]


@kernel
def foreseen_actions(found: Foresight, seat: int, record: int, met: F32, scores: F32) -> None:
    """What each action of who sits at ``seat`` wins at most from a range that still has to draw.

    Modified in place: ``scores`` ``[P]``.
    """
    worths = found.final_ahead[seat, record]
    base, unit = found.final_base[seat, record], found.final_unit[seat, record]
    total = _ZERO
    for a in range(scores.size):
        scores[a] = _ZERO
    for i in range(met.size):
        mass = met[i]
        if mass > _ZERO:
            total += mass
            for a in range(scores.size):
                scores[a] += mass * np.float32(worths[i, a])
    for a in range(scores.size):
        scores[a] = total * base + scores[a] * unit


@entry
def foresee_records(
    q: Problem,
    merged: MergedTree,
    first: int,
    last: int,
    heat: float,
    memory: F32,
    bounds: Bounds,
    found: Foresight,
    z: Outlook,
) -> None:
    """Tabulate final records ``first`` to ``last`` (exclusive) for who sees, at either seat.

    Parameters
    ----------
    memory : [b, L, 2, K] float32
        Of the merged records, calibrated (``remembered``).
    found : Foresight
        Modified in place.
    """
    records = merged.records
    for record in range(first, last):
        lane = records.place[record] % LANES
        count = _gather(records.row_pair, records.link, records.place[record] // LANES, lane, q.frame, z)
        for seat in range(2):
            for k in range(count - 1, -1, -1):
                known = memory[z.batch[k], lane, 1 - seat]
                _see(q, merged, record, lane, k, seat, heat, known, bounds, z)
            _store(found, seat, record, q.frame.num_actions, z)


@kernel
def _store(found: Foresight, seat: int, record: int, num: int, z: Outlook) -> None:
    """Keep what was found of a final record."""
    here, ahead, low, high = z.final_here, z.final_ahead, z.bottom, z.top
    for lane in range(LANES):
        low[lane] = -_LOW
        high[lane] = _LOW
    for chunk in range(0, here.shape[1], LANES):
        for i in range(here.shape[0]):
            row = here[i, chunk : chunk + LANES]
            for lane in range(LANES):
                low[lane] = min(low[lane], row[lane] + max(-row[lane] - _CLOSED, _ZERO) * _RAISED)
            for lane in range(LANES):
                high[lane] = max(high[lane], row[lane])
    least, most = low[0], high[0]
    for lane in range(LANES):
        least, most = min(least, low[lane]), max(most, high[lane])
    unit = (most - least) / _STEPS
    found.final_base[seat, record], found.final_unit[seat, record] = least, unit
    for i in range(here.shape[0]):
        worth = here[i, 0]
        for a in range(1, num):
            worth = max(worth, here[i, a])
        found.final_here[seat, record, i] = _stored(worth, least, unit)
    line = z.line
    for chunk in range(0, ahead.shape[1], LANES):
        for i in range(ahead.shape[0]):
            row = ahead[i, chunk : chunk + LANES]
            for lane in range(LANES):
                line[lane] = min(max(np.ceil((row[lane] - least) / unit + _MARGIN), _ZERO), _STEPS)
            kept = found.final_ahead[seat, record, i]
            for a in range(chunk, min(chunk + LANES, num)):
                kept[a] = np.uint8(line[a - chunk]) if unit > _ZERO else np.uint8(0)


@kernel
def _gather(row_pair: I64, link: I32, batch: int, lane: int, frame: Frame, z: Outlook) -> int:
    """List a record and all nested in it, outer ones first; return how many there are."""
    z.batch[0] = batch
    for p in range(2):
        for which in range(2):
            z.placed[0, p, which] = 0
    count, at = 1, 0
    while at < count:
        for k in range(MAX_LINKS):
            below = link[z.batch[at], k] if frame.num_chain else -1
            z.nested[at, k] = -1
            if below < 0 or row_pair[below, lane] < 0:
                continue
            z.nested[at, k] = count
            z.batch[count] = below
            for p in range(2):
                for which in range(2):
                    z.placed[count, p, which] = z.placed[at, p, which]
            z.placed[count, 0, k // 2] += 1
            z.placed[count, 1, k % 2] += 1
            count += 1
        at += 1
    return count


@kernel
def _set_pays(q: Problem, joint: int, seat: int, pool: I16, z: Outlook) -> None:
    """What pairs of actions are worth to who sees: ``z.pays``, and ``z.chained`` where the other one goes on.

    Left alone that one takes his best top; he has at least what he holds.
    """
    tables, num, plain = q.tables, q.frame.num_actions, q.frame.num_plain
    opp, pays, tops, chained = 1 - seat, z.pays, z.tops, z.chained
    for b in range(num):
        for a in range(num):
            pay = tables.pay[joint, a, b] if seat == 0 else -tables.pay[joint, b, a]
            pays[b, a] = np.float32(pay)
    if q.frame.num_chain == 0:
        return
    for b in range(num):
        if tables.alone[joint, seat, b]:
            own = tables.top[tables.top_slot[joint], seat]
            most = _LOW
            for j in range(own.shape[0]):
                for x in range(num):
                    if q.types[x] < 0 or pool[seat, q.types[x], 1] > 0:
                        most = max(most, np.float32(own[j, b, x]))
            pays[b, plain] = most
    for a in range(num):
        if not tables.alone[joint, opp, a]:
            chained[0, 0, a] = chained[1, 0, a] = pays[plain, a]
            for i in range(plain):
                tops[i, a] = pays[plain, a]
            continue
        top = tables.top[tables.top_slot[joint], opp, 0, a]
        least = -_LOW
        for x in range(num):
            least = min(least, np.float32(top[x]))
        chained[0, 0, a] = -least
        chained[1, 0, a] = -np.float32(top[plain + 1]) if q.frame.num_chain > 1 else -least
        for i in range(plain):
            tops[i, a] = -np.float32(top[i])
    for chunk in range(0, tops.shape[1], LANES):
        for i in range(plain):
            half, own_top = 1 << i, tops[i, chunk : chunk + LANES]
            only = chained[0, half, chunk : chunk + LANES]
            for lane in range(LANES):
                only[lane] = own_top[lane]
            # One plain item alone is what he tops with; any other hand has a choice.
            for two in range(2):
                for s in range(1 - two, half):
                    less = chained[two, s, chunk : chunk + LANES]
                    more = chained[two, half + s, chunk : chunk + LANES]
                    for lane in range(LANES):
                        more[lane] = min(less[lane], own_top[lane])
        if q.frame.num_chain > 1:
            second, there = pays[plain + 1, chunk : chunk + LANES], z.second[chunk : chunk + LANES]
            for lane in range(LANES):
                there[lane] = second[lane]


@kernel
def _set_shares(q: Problem, joint: int, opp: int, heat: float, memory: F32, z: Outlook) -> None:
    """How who is seen plays each support's plain types, as ``final`` does: ``z.shares``.

    Supports grow by one type at a time. Each step goes by whole chunks; what it writes beyond the supports
    that there are so far, the next steps overwrite.

    Parameters
    ----------
    memory : [K] float32
        What his record remembers: scale, shifts, the other side's flow and worths of lone chains.
    """
    num, plain = q.frame.num_actions, q.frame.num_plain
    values, shares, part, less, sums = z.values, z.shares, z.line, z.top, z.bottom
    for a in range(plain):
        values[a] = memory[1 + a]
        for b in range(num):
            pay = q.tables.pay[joint, a, b] if opp == 0 else -q.tables.pay[joint, b, a]
            values[a] += np.float32(pay) * memory[1 + num + b]
        if q.frame.num_chain:
            values[a] -= memory[1 + 2 * num + a]
    eta = np.float32(heat) / np.sqrt(max(memory[0], _TINY))
    best, total = shares[plain], shares[plain + 1]
    best[0], total[0] = _LOW, _ZERO
    for i in range(plain):
        value = values[i]
        for s in range(0, 1 << i, LANES):
            more = (1 << i) + s
            for lane in range(LANES):
                part[lane] = eta * (value - best[s + lane])
            # One of both weights is 1.
            for lane in range(LANES):
                less[lane] = fading(max(part[lane], _ZERO))
            for lane in range(LANES):
                part[lane] = fading(max(-part[lane], _ZERO))
            for lane in range(LANES):
                sums[lane] = part[lane] + total[s + lane] * less[lane]
            for lane in range(LANES):
                total[more + lane] = sums[lane]
            for lane in range(LANES):
                less[lane] = max(best[s + lane], value)
            for lane in range(LANES):
                best[more + lane] = less[lane]
            for lane in range(LANES):
                part[lane] = part[lane] / sums[lane]
            for lane in range(LANES):
                shares[i, more + lane] = part[lane]
            for k in range(i):
                for lane in range(LANES):
                    less[lane] = shares[k, s + lane] * (_ONE - part[lane])
                for lane in range(LANES):
                    shares[k, more + lane] = less[lane]


@kernel
def _see(
    q: Problem,
    merged: MergedTree,
    record: int,
    lane: int,
    k: int,
    seat: int,
    heat: float,
    memory: F32,
    bounds: Bounds,
    z: Outlook,
) -> None:
    """Worths of one record, or one nested in it, when those nested deeper are done.

    Whether a hand places a chain item depends on what it may still draw, and so on the history: it counts at
    the most that any choice between plain types and chain items leaves.
    """
    frame, opp = q.frame, 1 - seat
    plain, num = frame.num_plain, frame.num_actions
    bits = 1 << plain
    joint = merged.records.row_pair[z.batch[k], lane]
    pool, left = bounds.final_pool[record], bounds.final_left[record]
    _set_pays(q, joint, seat, pool, z)
    _set_shares(q, joint, opp, heat, memory, z)
    for a in range(z.shut.size):
        gone = a >= num or (q.types[a] >= 0 and pool[seat, q.types[a], 1] <= 0)
        z.shut[a] = _LOW if gone else _ZERO
    for chunk in range(0, z.shut.size, LANES):
        for s in range(bits):
            worth = z.plain[s, chunk : chunk + LANES]
            for one in range(LANES):
                worth[one] = _ZERO
            for b in range(plain):
                share, pays = z.shares[b, s], z.pays[b, chunk : chunk + LANES]
                if share > _ZERO:
                    for one in range(LANES):
                        worth[one] += share * pays[one]
    # Two chain types at once lead to a record that is nested in this one.
    for which in range(frame.num_chain):
        for other in range(frame.num_chain):
            if z.nested[k, other * 2 + which if seat == 0 else which * 2 + other] >= 0:
                for s in range(bits if which == 0 else 0):
                    z.chained[0, s, plain + other] = z.chained[1, s, plain + other] = _LOW
                if which == 1:
                    z.second[plain + other] = _LOW
    most = _most_chains(q, pool[opp], z.placed[k, opp])
    for chunk in range(0, z.shut.size, LANES):
        _see_hands(frame, chunk, k, seat, most, z)
    _look_ahead_of_supports(q, merged, record, lane, k, pool[opp], left[opp], opp, z)


@kernel
def _see_hands(frame: Frame, chunk: int, k: int, seat: int, most: tuple[int, int], z: Outlook) -> None:
    """A chunk of ``z.final_here``: worths of all hands that are about to decide."""
    plain, second, bits = frame.num_plain, frame.second_max + 1, 1 << frame.num_plain
    nothing, shut = z.pays[frame.num_actions - 1, chunk : chunk + LANES], z.shut[chunk : chunk + LANES]
    second_type = z.second[chunk : chunk + LANES]
    for i in range(frame.rows.size):
        here = z.final_here[i, chunk : chunk + LANES]
        row = int(frame.rows[i])
        s, chains = row & (bits - 1), row >> plain
        v, c = chains // second, chains % second
        if (s == 0 and not (row == 0 and frame.has_nothing)) or v > most[0] or c > most[1]:
            for lane in range(LANES):
                here[lane] = _LOW
            if v > most[0] or c > most[1]:
                continue
        else:
            # Only a hand with nothing else places nothing.
            worth = z.plain[s, chunk : chunk + LANES] if s > 0 else nothing
            for lane in range(LANES):
                here[lane] = worth[lane]
        for which in range(2):
            if (v if which == 0 else c) == 0:
                continue
            if which == 0:
                chained = z.chained[min(c, 1), s, chunk : chunk + LANES]
                for lane in range(LANES):
                    here[lane] = max(here[lane], chained[lane])
            else:
                for lane in range(LANES):
                    here[lane] = max(here[lane], second_type[lane])
            rest = z.places[1, row - (second * bits if which == 0 else bits)]
            for other in range(frame.num_chain):
                nested = z.nested[k, other * 2 + which if seat == 0 else which * 2 + other]
                at = plain + other - chunk
                if nested >= 0 and 0 <= at < LANES:
                    here[at] = max(here[at], z.nested_ahead[nested, rest])
        for lane in range(LANES):
            here[lane] = max(here[lane] + shut[lane], _LOW)


@kernel
def _most_chains(q: Problem, pool: I16, placed: I64) -> tuple[int, int]:
    """Most items of both chain types that any history leaves in a hand."""
    plain, chains = q.frame.num_plain, q.frame.num_chain
    first = pool[q.types[plain], 1] - placed[0] if chains > 0 else 0
    second = pool[q.types[plain + 1], 1] - placed[1] if chains > 1 else 0
    return min(first, q.frame.first_max), min(second, q.frame.second_max)


@kernel
def _look_ahead_of_supports(
    q: Problem,
    merged: MergedTree,
    record: int,
    lane: int,
    k: int,
    pool: I16,
    left: I16,
    opp: int,
    z: Outlook,
) -> None:
    """Worths of supports before the draw; see ``_look_ahead``, with the worth of no change for ``c``."""
    frame = q.frame
    plain = frame.num_plain
    bits, second = 1 << plain, frame.second_max + 1
    batch = merged.records.place[record] // LANES
    hidden = merged.records.hidden[batch, opp]
    chained = z.placed[k, opp, 0] + z.placed[k, opp, 1]
    gone = merged.records.held[batch, opp, lane] - 1 + hidden + chained
    few, many = max(left[0] - gone, 1), max(left[1] - gone, 1)
    most = _most_chains(q, pool, z.placed[k, opp])
    low, high = z.draw[0], z.draw[1]
    for x in range(plain + frame.num_chain):
        least, largest = pool[q.types[x], 0], pool[q.types[x], 1]
        for held in range(low.shape[1]):
            known = 0 if x < plain else held + z.placed[k, opp, x - plain]
            low[x, held], _ = _after_draw(least, largest, np.float32(known + hidden), few, many)
            _, high[x, held] = _after_draw(0, largest, np.float32(known), few, many)
    for i in range(z.rests.size):
        z.nested_ahead[k, i] = _LOW
    worth, top = z.line, z.top
    for chunk in range(0, z.final_ahead.shape[1], LANES):
        for i in range(z.rests.size):
            row = int(z.rests[i])
            s, chains = row & (bits - 1), row >> plain
            v, c = chains // second, chains % second
            ahead = z.final_ahead[i, chunk : chunk + LANES]
            if v > most[0] or c > most[1]:
                for one in range(LANES):
                    ahead[one] = _LOW
                continue
            stay = z.final_here[z.places[0, row], chunk : chunk + LANES]
            for one in range(LANES):
                worth[one] = stay[one]
            for one in range(LANES):
                top[one] = stay[one]
            for x in range(plain + frame.num_chain):
                held, other = 0, row | (1 << x)
                if x < plain:
                    if (s >> x) & 1:
                        continue
                elif x == plain:
                    held, other = v, row + second * bits
                    if v >= most[0]:
                        continue
                else:
                    held, other = c, row + bits
                    if c >= most[1]:
                        continue
                place, rise, fall = z.places[0, other], high[x, held], low[x, held]
                if place < 0 or rise <= _ZERO:
                    continue
                there = z.final_here[place, chunk : chunk + LANES]
                # One of both terms is zero.
                for one in range(LANES):
                    more = there[one] - stay[one]
                    worth[one] += max(more, _ZERO) * rise + min(more, _ZERO) * fall
                for one in range(LANES):
                    top[one] = max(top[one], there[one])
            # An empty stock leaves the hand as it is; an empty hand has no worth to begin with.
            if left[0] > gone:
                for one in range(LANES):
                    worth[one] += max(-stay[one] - _CLOSED, _ZERO) * _RAISED
                for one in range(LANES):
                    top[one] = min(worth[one], top[one])
            for one in range(LANES):
                ahead[one] = top[one]
            best = z.nested_ahead[k, i]
            for one in range(LANES):
                best = max(best, top[one])
            z.nested_ahead[k, i] = best

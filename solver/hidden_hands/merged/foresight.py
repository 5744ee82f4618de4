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

from solver.hidden_hands.arrays import F32, I16, Flags
from solver.hidden_hands.decisions.habits import is_bound, keep_habits
from solver.hidden_hands.decisions.ranges import regret_matching
from solver.hidden_hands.decisions.walk_memory import Problem, WalkScratch
from solver.hidden_hands.final.memory import Frame
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
    "after_draw",
    "bounds_of_pools",
    "foresee_nodes",
    "foreseen",
    "foreseen_actions",
    "foresight",
    "gather_supports",
    "num_remainders",
    "outlook",
    "stored",
]

Bytes: TypeAlias = NDArray[np.uint8]

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
LOW = np.float32(-1e30)
"""The worth of what cannot be."""
STEPS = np.float32(255.0)
"""Steps from the least to the most worth that a byte tells apart."""
MARGIN = np.float32(1e-4)
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
    shut: NDArray[np.float32]  # [A] zero, or ``LOW`` where no history leaves such an item
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
def stored(worth: np.float32, base: np.float32, unit: np.float32) -> np.uint8:
    """The step that is no less than a worth."""
    if unit <= _ZERO:
        return np.uint8(0)
    return np.uint8(min(max(np.ceil((worth - base) / unit + MARGIN), _ZERO), STEPS))


@kernel
def after_draw(least: int, most: int, away: np.float32, few: int, many: int) -> tuple[np.float32, np.float32]:
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
            low[t, out], high[t, out] = after_draw(pool[t, 0], pool[t, 1], np.float32(out), few, many)
    first = sp.level_start[before]
    for m in range(sp.level_start[before + 1] - first):
        targets, away = sp.draw_target[first + m], sp.away[first + m]
        weights = mean = _ZERO
        top = LOW
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
            z.here[s] = LOW
        for a in range(ours):
            if not _is_open(q, node, learner, a, bounds.pool):
                continue
            _add_up(q, merged, node, learner, a, theirs, n1, found, w.sigma[0, opp], z.sums, z.best)
            for s in range(size):
                z.here[s] = max(z.here[s], z.sums[s])
        least, most = -LOW, LOW
        for s in range(size):
            if z.here[s] == LOW:
                z.here[s] = _ZERO
            least, most = min(least, z.here[s]), max(most, z.here[s])
        unit = (most - least) / STEPS
        found.base[learner, node], found.unit[learner, node] = least, unit
        at = found.start[learner, node]
        for s in range(size if found.start[learner, node + 1] > at else 0):
            found.here[learner, at + s] = stored(z.here[s], least, unit)
        at = found.ahead_start[learner, node]
        length = found.ahead_start[learner, node + 1] - at
        if length == 0:
            continue
        _look_ahead(sp, level, bounds.pool[node, opp], bounds.left[node, opp], z.here, z.chances, z.ahead)
        for m in range(length):
            found.ahead[learner, at + m] = stored(z.ahead[m], least, unit)


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

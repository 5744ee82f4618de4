"""Exact best responses on the un-merged public tree: the certificate.

Works from the game and from the accumulated flows of the average strategies alone (no regrets, no ranges):
what an action is worth to a deviator depends on the other side's flow into each outcome and on chance, so
values are pulled up the tree and the better action is taken hand by hand. Double precision throughout, one
record at a time.

The same pass with every payoff set to one audits the flows: whatever the deviator does, the other side's flow
must add up to exactly one. How far it misses bounds what rounding in the stored flows can hide.

Letters as in ``walk``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import F32, F64, I64, Flags
from solver.hidden_hands.final_memory import FinalState, Frame
from solver.hidden_hands.jit import Pointer, kernel
from solver.hidden_hands.spaces import MAX_ACTIONS, Spaces
from solver.hidden_hands.tree import CHILD_FINAL, CHILD_TERMINAL, LANES, MAX_LINKS, action_counts, public_type
from solver.hidden_hands.walk import Problem

__all__ = [
    "BEST",
    "LEAST_MASS",
    "MOST_MASS",
    "ResponseScratch",
    "close_response",
    "open_response",
    "pointer_to_records",
    "record_values",
    "respond",
    "response_scratch",
    "store_response",
]

BEST, MOST_MASS, LEAST_MASS = 0, 1, 2
"""What a pass computes: best-response values, or the largest / smallest mass a deviator can meet."""


RecordValues: TypeAlias = Callable[..., None]
"""``record_values`` as a function pointer (see ``pointer_to_records``)."""


class ResponseScratch(NamedTuple):
    """Work space of one thread."""

    value: NDArray[np.float64]  # [D, 2, N]
    back: NDArray[np.float64]  # [D, 2, M, N] child values summed over the other side's actions
    flat: NDArray[np.float64]  # [D, 2, M]
    gains: NDArray[np.float64]  # [D, 2, M, G, I]
    record: NDArray[np.float64]  # [E, 2, G, I] values of a record by nesting level
    inner: NDArray[np.float64]  # [E, 2, 2, G, I] values after a chain item, same nesting
    work: NDArray[np.float64]  # [4, G, I]
    best: NDArray[np.float64]  # [I]
    rest_value: NDArray[np.float64]  # [2, M, N] values of remainders by action, of the node closed last
    scores: NDArray[np.float64]  # [E, P] values of actions at a record
    allowed: NDArray[np.bool_]  # [E + 1, P]; the last row is all true
    tops: NDArray[np.float64]  # [P]
    total: NDArray[np.float64]  # [2, 2**plain]
    pools: NDArray[np.int64]  # [E, 2, T] public pools by nesting level
    stock: NDArray[np.int64]  # [E, 2]
    held: NDArray[np.int64]  # [E, 2]
    own: NDArray[np.int64]  # [T]
    batch: NDArray[np.int64]  # [E]
    link: NDArray[np.int64]  # [E]
    node: NDArray[np.int64]  # [D]
    slot: NDArray[np.int64]  # [D]


def response_scratch(problem: Problem, depth: int) -> ResponseScratch:
    """Allocate one thread's work space."""
    spaces = (problem.spaces0, problem.spaces1)
    n = max(int(np.diff(s.level_start).max()) for s in spaces)
    x = max(int(np.diff(s.group_start).max()) for s in spaces)
    groups = x if problem.keep_groups else 1
    frame = problem.frame
    index = (frame.first_max + 1) * (frame.second_max + 1) << frame.num_plain
    levels = frame.num_levels
    num_types = problem.stocks.shape[1]
    return ResponseScratch(
        np.zeros((depth, 2, n)),
        np.zeros((depth, 2, MAX_ACTIONS, n)),
        np.zeros((depth, 2, MAX_ACTIONS)),
        np.zeros((depth, 2, MAX_ACTIONS, groups, index)),
        np.zeros((levels, 2, groups, index)),
        np.zeros((levels, 2, 2, groups, index)),
        np.zeros((4, groups, index)),
        np.zeros(max(index, 1)),
        np.zeros((2, MAX_ACTIONS, n)),
        np.zeros((levels, frame.num_actions)),
        np.ones((levels + 1, frame.num_actions), np.bool_),
        np.zeros(frame.num_actions),
        np.zeros((2, 1 << frame.num_plain)),
        np.zeros((levels, 2, num_types), np.int64),
        np.zeros((levels, 2), np.int64),
        np.zeros((levels, 2), np.int64),
        np.zeros(num_types, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
    )


def pointer_to_records(q: Problem, state: FinalState, z: ResponseScratch) -> RecordValues:
    """Compile, or load, the evaluation of a final record for arrays of these types."""
    pointer: Any = Pointer(record_values, q, 0, 0, 0, q.spaces0.group_hidden[0:1], state, BEST, z)
    typed: RecordValues = pointer
    return typed


@kernel
def _pull_index(
    values: F64, out: F64, frame: Frame, types: I64, pool: I64, hidden: F32, held_after: int, stock: int
) -> None:
    """Expected value by support index before a draw: ``out[m] = sum_d P(d | m) values[m + d]``.

    ``pool``: the owner's items not yet public; ``hidden``: those of them he placed face down.
    """
    plain = frame.num_plain
    bits = 1 << plain
    second = frame.second_max + 1
    size = (frame.first_max + 1) * second * bits
    if stock <= 0:
        for i in range(size):
            out[i] = values[i]
        return
    everything = 0.0
    for t in range(pool.size):
        everything += pool[t] - hidden[t]
    outside = everything
    for i in range(plain):
        outside -= pool[types[i]] - hidden[types[i]]
    first_left = second_left = 0.0
    if frame.num_chain > 0:
        first_left = pool[types[plain]] - hidden[types[plain]]
        outside -= first_left
    if frame.num_chain > 1:
        second_left = pool[types[plain + 1]] - hidden[types[plain + 1]]
        outside -= second_left
    for v in range(frame.first_max + 1):
        for c in range(second):
            block = (v * second + c) * bits
            for s in range(bits):
                # Copies of what is held, and of what no index counts, leave the index alone.
                same = outside - (held_after - v - c)
                for i in range(plain):
                    if (s >> i) & 1:
                        same += pool[types[i]] - hidden[types[i]]
                out[block + s] = same * values[block + s]
            for i in range(plain):
                copies = pool[types[i]] - hidden[types[i]]
                if copies <= 0.0:
                    continue
                step = 1 << i
                for s in range(bits):
                    if not (s >> i) & 1:
                        out[block + s] += copies * values[block + s + step]
            if v < frame.first_max and first_left > v:
                for s in range(bits):
                    out[block + s] += (first_left - v) * values[block + second * bits + s]
            if c < frame.second_max and second_left > c:
                for s in range(bits):
                    out[block + s] += (second_left - c) * values[block + bits + s]
    for i in range(size):
        out[i] /= stock


@kernel
def _best_of_support(scores: F64, best: F64, frame: Frame, allowed: Flags, mode: int) -> None:
    """``best[S]``: the best score among the plain types of each support (``best[0]`` is left as -inf)."""
    worst = np.inf if mode == LEAST_MASS else -np.inf
    best[0] = worst
    for i in range(frame.num_plain):
        score = scores[i] if allowed[i] else worst
        size = 1 << i
        for s in range(size):
            if mode == LEAST_MASS:
                best[size + s] = min(best[s], score)
            else:
                best[size + s] = max(best[s], score)


@kernel
def _open_record(
    q: Problem,
    level: int,
    batch: int,
    lane: int,
    player: int,
    hidden: F32,
    state: FinalState,
    mode: int,
    z: ResponseScratch,
) -> None:
    """Values of the actions at a record, and of going on alone; sub-steps of both players are added later."""
    frame, types, tables = q.frame, q.types, q.tables
    num, plain = frame.num_actions, frame.num_plain
    joint = q.tree.row_pair[batch, lane]
    other = 1 - player
    sign = 1.0 if player == 0 else -1.0
    scores, allowed = z.scores[level], z.allowed[level]
    for a in range(num):
        scores[a] = 0.0
        allowed[a] = types[a] < 0 or z.pools[level, player, types[a]] > 0
        for b in range(num):
            flow = state.flow[batch, other, b, lane]
            if mode == BEST:
                pay = tables.pay[joint, a, b] if player == 0 else tables.pay[joint, b, a]
                scores[a] += sign * pay * flow
            else:
                x, y = (a, b) if player == 0 else (b, a)
                if not _goes_on(q, joint, batch, lane, x, y):
                    scores[a] += flow
        if frame.num_chain:
            if mode == BEST:
                if a < plain:
                    scores[a] -= state.lone[batch, other, a, lane]
            elif tables.alone[joint, other, a]:
                scores[a] += state.flow[batch, other, plain, lane]
    for which in range(frame.num_chain):
        if allowed[plain + which]:
            for group in range(hidden.shape[0]):
                for i in range(z.inner.shape[4]):
                    z.inner[level, player, which, group, i] = 0.0
    if frame.num_chain and allowed[plain]:
        _lone(q, level, joint, batch, lane, player, hidden, state, mode, z.inner[level, player, 0], z)


@kernel
def _close_record(q: Problem, level: int, player: int, hidden: F32, mode: int, z: ResponseScratch) -> None:
    """Best-response values of a record: ``z.record[level, player]`` ``[G, I]``."""
    frame, types = q.frame, q.types
    num, plain = frame.num_actions, frame.num_plain
    bits = 1 << plain
    second = frame.second_max + 1
    scores, allowed = z.scores[level], z.allowed[level]
    out = z.record[level, player]
    groups = hidden.shape[0]
    for which in range(frame.num_chain):
        if not allowed[plain + which]:
            continue
        for t in range(z.own.size):
            z.own[t] = z.pools[level, player, t]
        z.own[types[plain + which]] -= 1
        inner = z.inner[level, player, which]
        for group in range(groups):
            _pull_index(
                inner[group],
                z.work[0, group],
                frame,
                types,
                z.own,
                hidden[group],
                z.held[level, player] - 1,
                z.stock[level, player],
            )
            for i in range(inner.shape[1]):
                inner[group, i] = z.work[0, group, i]
    _best_of_support(scores, z.best, frame, allowed, mode)
    for group in range(groups):
        for v in range(frame.first_max + 1):
            for c in range(second):
                block = (v * second + c) * bits
                for s in range(bits):
                    best = z.best[s]
                    if v > 0 and allowed[plain]:
                        gain = scores[plain] + z.inner[level, player, 0, group, block + s - second * bits]
                        best = min(best, gain) if mode == LEAST_MASS else max(best, gain)
                    if c > 0 and allowed[plain + 1]:
                        gain = scores[plain + 1] + z.inner[level, player, 1, group, block + s - bits]
                        best = min(best, gain) if mode == LEAST_MASS else max(best, gain)
                    if not np.isfinite(best):
                        best = scores[num - 1] if frame.has_nothing else 0.0
                    out[group, block + s] = best


@kernel
def record_values(
    q: Problem,
    batch: int,
    lane: int,
    player: int,
    hidden: F32,
    state: FinalState,
    mode: int,
    z: ResponseScratch,
) -> None:
    """Best-response values of one player at one final record: ``z.record[0, player]`` ``[G, I]``.

    ``z.pools[0]``, ``z.stock[0]``, ``z.held[0]``: public counts when the decision is made. Sub-steps of both
    players are visited depth first with an explicit stack.
    """
    at, sub = 0, batch
    entering = True
    while True:
        if entering:
            z.batch[at] = sub
            z.link[at] = 0
            _open_record(q, at, sub, lane, player, hidden, state, mode, z)
            entering = False
        link = z.link[at]
        if q.frame.num_chain and link < MAX_LINKS:
            sub = q.tree.link[z.batch[at], link]
            first0 = q.types[q.frame.num_plain + link // 2] if sub >= 0 else 0
            first1 = q.types[q.frame.num_plain + link % 2] if sub >= 0 else 0
            if (
                sub < 0
                or q.tree.row_pair[sub, lane] < 0
                or z.pools[at, 0, first0] <= 0
                or z.pools[at, 1, first1] <= 0
            ):
                z.link[at] += 1
                continue
            for p in range(2):
                which = link // 2 if p == 0 else link % 2
                for t in range(z.own.size):
                    z.pools[at + 1, p, t] = z.pools[at, p, t]
                z.pools[at + 1, p, q.types[q.frame.num_plain + which]] -= 1
                z.stock[at + 1, p] = max(z.stock[at, p] - 1, 0)
                z.held[at + 1, p] = z.held[at, p] - (0 if z.stock[at, p] > 0 else 1)
            at += 1
            entering = True
            continue
        _close_record(q, at, player, hidden, mode, z)
        if at == 0:
            return
        at -= 1
        link = z.link[at]
        which = link // 2 if player == 0 else link % 2
        for group in range(hidden.shape[0]):
            for i in range(z.record.shape[3]):
                z.inner[at, player, which, group, i] += z.record[at + 1, player, group, i]
        z.link[at] += 1


@kernel
def _goes_on(q: Problem, joint: int, batch: int, lane: int, a: int, b: int) -> bool:
    """Whether a pair of actions leads to a further placement inside the final step."""
    plain = q.frame.num_plain
    if q.frame.num_chain == 0:
        return False
    if a == plain and q.tables.alone[joint, 0, b]:
        return True
    if b == plain and q.tables.alone[joint, 1, a]:
        return True
    i, j = a - plain, b - plain
    if 0 <= i < q.frame.num_chain and 0 <= j < q.frame.num_chain:
        sub = q.tree.link[batch, 2 * i + j]
        further: bool = sub >= 0 and q.tree.row_pair[sub, lane] >= 0
        return further
    return False


@kernel
def _lone(
    q: Problem,
    level: int,
    joint: int,
    batch: int,
    lane: int,
    player: int,
    hidden: F32,
    state: FinalState,
    mode: int,
    inner: F64,
    z: ResponseScratch,
) -> None:
    """Add the values of going on alone after the first chain type, by support index after its draw."""
    frame, types, tables = q.frame, q.types, q.tables
    num, plain = frame.num_actions, frame.num_plain
    bits = 1 << plain
    second = frame.second_max + 1
    other = 1 - player
    slot = tables.top_slot[joint]
    first = types[plain]
    allowed, tops, total = z.allowed[z.allowed.shape[0] - 1], z.tops, z.total
    stock, held = z.stock[level, player], z.held[level, player]
    available = z.pools[level, player, first]
    groups = hidden.shape[0]
    values, pulled = z.work[1], z.work[2]
    # Longest chain first; with a chain item in hand a player always places it (checked when the tables are
    # made).
    longest = min(frame.max_chain, available)
    for j in range(longest - 1, -1, -1):
        for s in range(bits):
            total[0, s] = 0.0
            total[1, s] = 0.0
        for b in range(num):
            flow = state.flow[batch, other, b, lane]
            if not tables.alone[joint, player, b] or flow == 0.0:
                continue
            for x in range(num):
                tops[x] = tables.top[slot, player, j, b, x] if mode == BEST else 1.0
            _best_of_support(tops, z.best, frame, allowed, mode)
            for s in range(bits):
                best = z.best[s]
                if frame.num_chain > 1:
                    more = tops[plain + 1]
                    with_second = min(best, more) if mode == LEAST_MASS else max(best, more)
                    total[1, s] += flow * with_second
                if not np.isfinite(best):
                    best = tops[num - 1] if frame.has_nothing else 0.0
                total[0, s] += flow * best
        own = z.own
        for t in range(own.size):
            own[t] = z.pools[level, player, t]
        own[first] -= j + 1
        drawn = min(stock, j)
        for group in range(groups):
            for v in range(frame.first_max + 1):
                for c in range(second):
                    block = (v * second + c) * bits
                    for s in range(bits):
                        if v == 0:
                            values[group, block + s] = total[1 if c > 0 else 0, s]
                        elif j + 1 < longest:
                            values[group, block + s] = pulled[group, block + s - second * bits]
                        else:
                            values[group, block + s] = 0.0
            if j > 0:
                _pull_index(
                    values[group],
                    pulled[group],
                    frame,
                    types,
                    own,
                    hidden[group],
                    held - 1 - (j - drawn),
                    stock - drawn,
                )
    for group in range(groups):
        for i in range(inner.shape[1]):
            inner[group, i] += values[group, i]


@kernel
def _public(q: Problem, sp: Spaces, node: int, player: int, action: int, pool: I64) -> tuple[int, int, int]:
    """Pool, stock and hand size once an action has been taken and its draw made, and the level reached."""
    tree = q.tree
    kind, level = tree.kind[node], tree.level[node, player]
    width = sp.num_hidden + 1
    held, hidden = level // width, level % width
    total = 0
    for t in range(pool.size):
        pool[t] = tree.pool[node, player, t]
        total += tree.pool[node, player, t]
    stock = total - held - hidden
    if (tree.acts[node] >> player) & 1:
        t = public_type(kind, action, q.types, q.stocks.shape[1])
        if t >= 0:
            pool[t] -= 1
        level = sp.remainder_level[kind, level, action]
        if sp.draws[kind, tree.level[node, player], action]:
            held -= 1
            if stock > 0:
                stock -= 1
                held += 1
                level += width
    return stock, held, level


@kernel
def open_response(
    q: Problem,
    node: int,
    depth: int,
    flows: F32,
    state: FinalState,
    mode: int,
    z: ResponseScratch,
    record: RecordValues,
) -> None:
    """Values of everything directly below a node: terminal children and final records."""
    tree = q.tree
    acts = tree.acts[node]
    n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
    symmetric = tree.symmetric[node] == 1
    start = tree.child_start[node]
    index = z.gains.shape[4]
    for p in range(2):
        for a in range(n0 if p == 0 else n1):
            z.flat[depth, p, a] = 0.0
            for s in range(z.back.shape[3]):
                z.back[depth, p, a, s] = 0.0
            if tree.batch_start[node] >= 0:
                for group in range(z.gains.shape[3]):
                    for i in range(index):
                        z.gains[depth, p, a, group, i] = 0.0
    pools, stock, held = z.pools[0], z.stock[0], z.held[0]
    columns = n1 if acts == 3 else max(n0, n1)
    per_row = (columns + LANES - 1) // LANES
    for a in range(n0):
        for b in range(n1):
            code = tree.child[start + a * n1 + b]
            if code == CHILD_TERMINAL:
                pay = float(q.end_payoff[tree.child_end[start + a * n1 + b]])
                f0, f1 = flows[tree.flow_start[node, 0] + a], flows[tree.flow_start[node, 1] + b]
                z.flat[depth, 0, a] += f1 * (pay if mode == BEST else 1.0)
                z.flat[depth, 1, b] += f0 * (-pay if mode == BEST else 1.0)
                if symmetric and a != b:
                    z.flat[depth, 0, b] += f0 * (-pay if mode == BEST else 1.0)
                    z.flat[depth, 1, a] += f1 * (pay if mode == BEST else 1.0)
            elif code == CHILD_FINAL:
                row = a if acts == 3 else 0
                column = b if acts == 3 else max(a, b)
                batch = tree.batch_start[node] + row * per_row + column // LANES
                level0, level1 = 0, 0
                for p in range(2):
                    sp = q.spaces0 if p == 0 else q.spaces1
                    stock[p], held[p], level = _public(q, sp, node, p, a if p == 0 else b, pools[p])
                    level0, level1 = (level, level1) if p == 0 else (level0, level)
                for p in range(2):
                    sp = q.spaces0 if p == 0 else q.spaces1
                    hidden = sp.group_hidden[0:1]
                    if q.keep_groups:
                        level = level0 if p == 0 else level1
                        hidden = sp.group_hidden[sp.group_start[level] : sp.group_start[level + 1]]
                    record(q, batch, column % LANES, p, hidden, state, mode, z)
                    action = a if p == 0 else b
                    for group in range(hidden.shape[0]):
                        for i in range(index):
                            z.gains[depth, p, action, group, i] += z.record[0, p, group, i]
                            if symmetric and a != b:
                                z.gains[depth, 1 - p, action, group, i] += z.record[0, p, group, i]


@kernel
def close_response(q: Problem, node: int, depth: int, mode: int, z: ResponseScratch) -> None:
    """Best-response values of a node from those of its children: ``z.value[depth]``."""
    tree = q.tree
    kind, acts = tree.kind[node], tree.acts[node]
    n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
    has_batches = tree.batch_start[node] >= 0
    pool = z.own
    for p in range(2):
        sp = q.spaces0 if p == 0 else q.spaces1
        level = tree.level[node, p]
        start, end = sp.level_start[level], sp.level_start[level + 1]
        width = sp.num_hidden + 1
        if not (acts >> p) & 1:
            for s in range(start, end):
                value = z.flat[depth, p, 0] + z.back[depth, p, 0, s - start]
                if has_batches:
                    value += z.gains[depth, p, 0, _group_of(q, sp, level, s), sp.index[s]]
                z.value[depth, p, s - start] = value
            continue
        worst = np.inf if mode == LEAST_MASS else -np.inf
        for s in range(end - start):
            z.value[depth, p, s] = worst
        for a in range(n0 if p == 0 else n1):
            stock, _, after = _public(q, sp, node, p, a, pool)
            target = sp.remainder_level[kind, level, a]
            drawn = after != target
            first = sp.level_start[target]
            before = stock + 1
            for group in range(sp.group_start[target + 1] - sp.group_start[target]):
                number = sp.group_start[target] + group
                hidden = sp.group_hidden[number]
                slot = group if q.keep_groups else 0
                if has_batches:
                    if drawn:
                        _pull_index(
                            z.gains[depth, p, a, slot],
                            z.work[3, 0],
                            q.frame,
                            q.types,
                            pool,
                            hidden,
                            target // width,
                            before,
                        )
                    else:
                        for i in range(z.work.shape[2]):
                            z.work[3, 0, i] = z.gains[depth, p, a, slot, i]
                for m in range(sp.group_first[number], sp.group_first[number + 1]):
                    value = z.flat[depth, p, a]
                    if has_batches:
                        value += z.work[3, 0, sp.index[m]]
                    if drawn:
                        acc = 0.0
                        for t in range(pool.size):
                            s = sp.draw_target[m, t]
                            if s >= 0 and pool[t] > sp.away[m, t]:
                                acc += (pool[t] - sp.away[m, t]) * z.back[depth, p, a, s]
                        value += acc / before
                    else:
                        value += z.back[depth, p, a, m - first]
                    z.rest_value[p, a, m - first] = value
            for j in range(sp.segment[kind, level, a], sp.segment[kind, level, a + 1]):
                s = sp.pair_state[j]
                value = z.rest_value[p, a, sp.pair_rest[j]]
                if mode == LEAST_MASS:
                    z.value[depth, p, s] = min(z.value[depth, p, s], value)
                else:
                    z.value[depth, p, s] = max(z.value[depth, p, s], value)
        for s in range(end - start):
            if not np.isfinite(z.value[depth, p, s]):
                z.value[depth, p, s] = 0.0


@kernel
def _group_of(q: Problem, sp: Spaces, level: int, state: int) -> int:
    """Hidden group of a state, 0 where groups are not told apart."""
    if not q.keep_groups:
        return 0
    first = sp.group_start[level]
    group = 0
    while sp.group_first[first + group + 1] <= state:
        group += 1
    return group


@kernel
def store_response(
    q: Problem, node: int, a: int, b: int, values: F64, z: ResponseScratch, depth: int
) -> None:
    """Add a child's values ``[2, N]`` to its parent's sums."""
    symmetric = q.tree.symmetric[node] == 1
    for s in range(values.shape[1]):
        z.back[depth, 0, a, s] += values[0, s]
        z.back[depth, 1, b, s] += values[1, s]
        if symmetric and a != b:
            # The mirrored child (b, a) is left out of the tree: the players swap seats in it.
            z.back[depth, 0, b, s] += values[1, s]
            z.back[depth, 1, a, s] += values[0, s]


@kernel
def respond(
    q: Problem,
    root: int,
    flows: F32,
    state: FinalState,
    mode: int,
    z: ResponseScratch,
    record: RecordValues,
) -> None:
    """Best-response values of both players at a node: ``z.value[0]`` ``[2, N]``.

    In units of accumulated flow. Depth first with an explicit stack. Complexity: one pass over the subtree.
    """
    depth, node = 0, root
    entering = True
    while True:
        if entering:
            z.node[depth] = node
            z.slot[depth] = 0
            open_response(q, node, depth, flows, state, mode, z, record)
            entering = False
        node, slot = z.node[depth], z.slot[depth]
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        if slot < n0 * n1:
            child = q.tree.child[q.tree.child_start[node] + slot]
            if child < 0:
                z.slot[depth] += 1
                continue
            depth += 1
            node = child
            entering = True
            continue
        close_response(q, node, depth, mode, z)
        if depth == 0:
            return
        depth -= 1
        n0, n1 = action_counts(q.tree, z.node[depth], q.types, q.stocks.shape[1])
        slot = z.slot[depth]
        store_response(q, z.node[depth], slot // n1, slot % n1, z.value[depth + 1], z, depth)
        z.slot[depth] += 1

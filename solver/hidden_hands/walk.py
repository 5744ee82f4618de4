"""Full-width counterfactual regret minimisation over the un-merged public tree.

A visit to an interior node opens it (regret matching, ranges of all children), visits the children, and
closes it (values, discounted regrets). Ranges include the owner's chance probabilities, so values are
counterfactual for the other player's range. Both players are updated in the same visit.

Shapes: ``D`` depth, ``N`` largest level, ``J`` largest number of pairs, ``M = MAX_ACTIONS``, ``K`` chunks of
eight action columns; other letters as in ``final`` and ``spaces``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import F32
from solver.hidden_hands.deferral import PERIOD, THRESHOLD, Deferral
from solver.hidden_hands.draws import adjoint_draw, forward_draw, set_draw_weights
from solver.hidden_hands.final import hedge_batch
from solver.hidden_hands.final_memory import FinalScratch, FinalState, Frame, final_scratch, largest_nest
from solver.hidden_hands.final_tables import FinalTables
from solver.hidden_hands.halves import Halves, halved, whole
from solver.hidden_hands.jit import Pointer, kernel
from solver.hidden_hands.spaces import HIDE, MAX_ACTIONS, Spaces
from solver.hidden_hands.tree import CHILD_FINAL, CHILD_TERMINAL, LANES, Tree, action_counts, public_type

__all__ = [
    "Hedge",
    "Problem",
    "Step",
    "WalkScratch",
    "close_node",
    "load_child",
    "open_node",
    "pointer_to_hedge",
    "store_child",
    "walk",
    "walk_scratch",
]

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
Hedge: TypeAlias = Callable[..., None]
"""``hedge_batch`` as a function pointer (see ``pointer_to_hedge``)."""
NUM_CHUNKS = (MAX_ACTIONS + LANES - 1) // LANES


class Problem(NamedTuple):
    """Everything about the game that stays as it is while solving."""

    tree: Tree
    spaces0: Spaces
    spaces1: Spaces
    tables: FinalTables
    frame: Frame
    types: NDArray[np.int64]  # [P] type of each local action, -1 nothing
    stocks: NDArray[np.int64]  # [2, T]
    end_payoff: NDArray[np.float32]  # [C * C] payoff to player 0 by pair of terminal classes
    keep_groups: bool  # chains are possible, so final steps must tell hidden items apart


class Step(NamedTuple):
    """Numbers of one iteration."""

    heat: float  # of the hedge at the final step
    keep_positive: float  # factor on positive regrets
    keep_negative: float  # factor on negative regrets
    who: int  # bit p: player p learns at this visit
    time: int  # number of the iteration
    everything: bool  # refresh all that is deferred


class WalkScratch(NamedTuple):
    """Work space of one thread."""

    reach: NDArray[np.float32]  # [D, 2, N]
    value: NDArray[np.float32]  # [D, 2, N]
    sigma: NDArray[np.float32]  # [D, 2, J]
    rest: NDArray[np.float32]  # [D, 2, M, N] range of remainders by action
    onward: NDArray[np.float32]  # [D, 2, M, N] range after the draw
    back: NDArray[np.float32]  # [D, 2, M, N] summed child values
    flat: NDArray[np.float32]  # [D, 2, M] values that do not depend on the hand
    flow: NDArray[np.float32]  # [D, 2, M]
    columns: NDArray[np.float32]  # [D, 2, K, G*I, L] final-step ranges, actions as lanes
    gains: NDArray[np.float32]  # [D, 2, K, G*I, L] final-step values
    draw: NDArray[np.float32]  # [D, 2, K, X, plain+4, L] draw weights by hidden group of the remainder
    norm: NDArray[np.float32]  # [2, N]
    pulled: NDArray[np.float32]  # [2, G*I, L]
    pool: NDArray[np.float32]  # [T]
    waited: NDArray[np.float32]  # [D, M, N] deferred range after the draw
    extra: NDArray[np.float32]  # [M, N] values kept for the node being closed
    was: NDArray[np.bool_]  # [D, M * M] children that were active before a refresh
    weight: NDArray[np.float64]  # [D] weight of the visit in the averages
    overdue: NDArray[np.float64]  # [D] weight of the deferred range
    phase: NDArray[np.int64]  # [D] 0 while deferred children are visited, 1 for the active ones, 2 skipped
    node: NDArray[np.int64]  # [D] node in progress at each depth
    slot: NDArray[np.int64]  # [D] its child in progress
    final: FinalScratch


def walk_scratch(problem: Problem, depth: int, defers: bool) -> WalkScratch:
    """Allocate one thread's work space; its size grows with the depth and the largest level."""
    spaces = (problem.spaces0, problem.spaces1)
    n = max(int(np.diff(s.level_start).max()) for s in spaces)
    j = max(int((s.segment[..., MAX_ACTIONS] - s.segment[..., 0]).max()) for s in spaces)
    x = max(int(np.diff(s.group_start).max()) for s in spaces)
    frame = problem.frame
    groups = x if problem.keep_groups else 1
    bits = 1 << frame.num_plain
    index = (frame.first_max + 1) * (frame.second_max + 1) * bits
    slots = int(largest_nest(problem.tree.link, np.zeros(problem.tree.link.shape[0], np.int64)))

    def array(*shape: int) -> NDArray[np.float32]:
        return np.zeros(shape, np.float32)

    return WalkScratch(
        array(depth, 2, n),
        array(depth, 2, n),
        array(depth, 2, j),
        array(depth, 2, MAX_ACTIONS, n),
        array(depth, 2, MAX_ACTIONS, n),
        array(depth, 2, MAX_ACTIONS, n),
        array(depth, 2, MAX_ACTIONS),
        array(depth, 2, MAX_ACTIONS),
        array(depth, 2, NUM_CHUNKS, groups * index, LANES),
        array(depth, 2, NUM_CHUNKS, groups * index, LANES),
        array(depth, 2, NUM_CHUNKS, x, frame.num_plain + 4, LANES),
        array(2, n),
        array(2, index * max(x, 1), LANES),
        np.zeros(problem.stocks.shape[1], np.float32),
        array(depth if defers else 1, MAX_ACTIONS, n),
        array(MAX_ACTIONS, n),
        np.zeros((depth, MAX_ACTIONS * MAX_ACTIONS), np.bool_),
        np.zeros(depth),
        np.zeros(depth),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        final_scratch(frame, groups, problem.stocks.shape[1], slots),
    )


def pointer_to_hedge(q: Problem, state: FinalState, w: WalkScratch) -> Hedge:
    """Compile, or load, the visit to a batch of final records for arrays of these types."""
    hidden = q.spaces0.group_hidden[0:1]
    tree = q.tree
    pointer: Any = Pointer(
        hedge_batch,
        *(0, 1.0, 1.0, 1, q.types, hidden, hidden, tree.row_pair, tree.link),
        *(q.tables, state, w.final, q.frame),
    )
    typed: Hedge = pointer
    return typed


@kernel
def _regret_matching(
    sp: Spaces, level: int, kind: int, num_actions: int, regret: Halves, start: int, sigma: F32, norm: F32
) -> None:
    """Strategy of a node. Modified in place: ``sigma`` ``[J]``; ``norm`` ``[2, N]`` is work space."""
    first = sp.segment[kind, level, 0]
    size = sp.level_start[level + 1] - sp.level_start[level]
    total, legal = norm[0], norm[1]
    for s in range(size):
        total[s] = _ZERO
        legal[s] = _ZERO
    for j in range(first, sp.segment[kind, level, num_actions]):
        s = sp.pair_state[j]
        total[s] += max(whole(regret[start + j - first]), _ZERO)
        legal[s] += _ONE
    for s in range(size):
        if total[s] > _ZERO:
            total[s] = _ONE / total[s]
            legal[s] = _ZERO
        elif legal[s] > _ZERO:
            legal[s] = _ONE / legal[s]
    for j in range(first, sp.segment[kind, level, num_actions]):
        s = sp.pair_state[j]
        sigma[j - first] = max(whole(regret[start + j - first]), _ZERO) * total[s] + legal[s]


@kernel
def _split_range(
    sp: Spaces, level: int, kind: int, num_actions: int, sigma: F32, reach: F32, rest: F32, flow: F32
) -> None:
    """Range of every remainder under a strategy.

    Modified in place: ``rest`` ``[M, N]``, ``flow`` ``[M]`` (total range by action).
    """
    first = sp.segment[kind, level, 0]
    for a in range(num_actions):
        target = sp.remainder_level[kind, level, a]
        length = sp.level_start[target + 1] - sp.level_start[target]
        out = rest[a]
        for m in range(length):
            out[m] = _ZERO
        mass = _ZERO
        for j in range(sp.segment[kind, level, a], sp.segment[kind, level, a + 1]):
            p = sigma[j - first] * reach[sp.pair_state[j]]
            out[sp.pair_rest[j]] += p
            mass += p
        flow[a] = mass


@kernel
def _draw_range(sp: Spaces, source: F32, target: F32, source_level: int, pool: F32, stock: int) -> None:
    """Push a range over remainders through a draw in the full space."""
    level = source_level + sp.num_hidden + 1
    start = sp.level_start[level]
    unit = np.float32(1.0 / stock)
    for s in range(sp.level_start[level + 1] - start):
        acc = _ZERO
        for t in range(pool.size):
            m = sp.draw_source[start + s, t]
            if m >= 0:
                acc += source[m] * max(pool[t] + _ONE - sp.away[start + s, t], _ZERO)
        target[s] = acc * unit


@kernel
def _draw_back(sp: Spaces, values: F32, source_level: int, m: int, pool: F32, unit: np.float32) -> np.float32:
    """Expected value of a remainder over its draw in the full space."""
    row = sp.level_start[source_level] + m
    acc = _ZERO
    for t in range(pool.size):
        s = sp.draw_target[row, t]
        if s >= 0:
            acc += values[s] * max(pool[t] - sp.away[row, t], _ZERO)
    return acc * unit


@kernel
def _stock_left(sp: Spaces, tree: Tree, node: int, player: int) -> int:
    """Items a player can still draw at a node."""
    level = tree.level[node, player]
    hand, hidden = level // (sp.num_hidden + 1), level % (sp.num_hidden + 1)
    total = 0
    for t in range(tree.pool.shape[2]):
        total += tree.pool[node, player, t]
    left: int = total - hand - hidden
    return left


@kernel
def _pool_after(q: Problem, node: int, player: int, kind: int, action: int, pool: F32) -> None:
    """Public pool after an action. Modified in place: ``pool`` ``[T]`` float32."""
    for t in range(pool.size):
        pool[t] = np.float32(q.tree.pool[node, player, t])
    t = public_type(kind, action, q.types, q.stocks.shape[1])
    if t >= 0:
        pool[t] -= _ONE


@kernel
def _child_kinds(q: Problem, node: int, player: int, action: int, n0: int, n1: int) -> tuple[bool, bool]:
    """Whether an action may lead to an interior child, and to a final one."""
    interior, final = False, False
    start = q.tree.child_start[node]
    symmetric = q.tree.symmetric[node]
    for other in range(n1 if player == 0 else n0):
        a, b = (action, other) if player == 0 else (other, action)
        for _ in range(2 if symmetric else 1):
            code = q.tree.child[start + a * n1 + b]
            interior = interior or code >= 0
            final = final or code == CHILD_FINAL
            a, b = b, a
    return interior, final


@kernel
def _index_size(q: Problem) -> int:
    return (q.frame.first_max + 1) * (q.frame.second_max + 1) << q.frame.num_plain


@kernel
def _open_player(
    q: Problem,
    node: int,
    depth: int,
    player: int,
    regret: Halves,
    w: WalkScratch,
    sp: Spaces,
    learns: bool,
    passes_on: bool,
) -> None:
    """Open a node for one player: strategy, ranges of all children, final-step columns.

    ``learns``: his range is not needed at final steps; ``passes_on``: it is needed at interior children.
    """
    tree = q.tree
    kind, level = tree.kind[node], tree.level[node, player]
    n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
    count = n0 if player == 0 else n1
    acting = (tree.acts[node] >> player) & 1
    size = _index_size(q)
    stock = _stock_left(sp, tree, node, player)
    has_batches = tree.batch_start[node] >= 0
    pool = w.pool
    if has_batches:
        groups = sp.group_start[level + 1] - sp.group_start[level] if q.keep_groups else 1
        if acting and kind == HIDE:
            groups = sp.group_start[level + 2] - sp.group_start[level + 1] if q.keep_groups else 1
        for chunk in range((count + LANES - 1) // LANES):
            for group in range(groups):
                for k in range(q.frame.rows.size):
                    row = group * size + q.frame.rows[k]
                    for lane in range(LANES):
                        w.columns[depth, player, chunk, row, lane] = _ZERO
                        w.gains[depth, player, chunk, row, lane] = _ZERO
    if not acting:
        w.flat[depth, player, 0] = _ZERO
        start = sp.level_start[level]
        total = _ZERO
        for s in range(sp.level_start[level + 1] - start):
            total += w.reach[depth, player, s]
            w.back[depth, player, 0, s] = _ZERO
            w.onward[depth, player, 0, s] = w.reach[depth, player, s]
        w.flow[depth, player, 0] = total
        if has_batches and not learns:
            first = sp.group_start[level]
            for group in range(sp.group_start[level + 1] - first):
                base = group * size if q.keep_groups else 0
                for state in range(sp.group_first[first + group], sp.group_first[first + group + 1]):
                    mass = w.reach[depth, player, state - start]
                    row = base + sp.index[state]
                    for lane in range(LANES):
                        w.columns[depth, player, 0, row, lane] += mass
        return
    sigma = w.sigma[depth, player]
    _regret_matching(sp, level, kind, count, regret, tree.regret_start[node, player], sigma, w.norm)
    if passes_on:
        reach, rest = w.reach[depth, player], w.rest[depth, player]
        _split_range(sp, level, kind, count, sigma, reach, rest, w.flow[depth, player])
    plain_types = q.types[: q.frame.num_plain]
    chain_types = q.types[q.frame.num_plain : q.frame.num_plain + q.frame.num_chain]
    for a in range(count):
        w.flat[depth, player, a] = _ZERO
        target = sp.remainder_level[kind, level, a]
        moved = sp.draws[kind, level, a]
        interior, _ = _child_kinds(q, node, player, a, n0, n1)
        _pool_after(q, node, player, kind, a, pool)
        drawn = moved == 1 and stock > 0
        onward = target + sp.num_hidden + 1 if drawn else target
        for s in range(sp.level_start[onward + 1] - sp.level_start[onward]):
            w.back[depth, player, a, s] = _ZERO
        if interior and passes_on:
            if drawn:
                _draw_range(sp, w.rest[depth, player, a], w.onward[depth, player, a], target, pool, stock)
            else:
                for s in range(sp.level_start[onward + 1] - sp.level_start[onward]):
                    w.onward[depth, player, a, s] = w.rest[depth, player, a, s]
        if has_batches:
            chunk, lane = a // LANES, a % LANES
            first = sp.group_start[target]
            held = target // (sp.num_hidden + 1)
            for group in range(sp.group_start[target + 1] - first):
                set_draw_weights(
                    w.draw[depth, player, chunk, group],
                    lane,
                    plain_types,
                    chain_types,
                    pool,
                    sp.group_hidden[first + group],
                    held,
                    stock if moved == 1 else 0,
                )
    if not has_batches or learns:
        return
    for chunk in range((count + LANES - 1) // LANES):
        # All actions of a chunk share the number of groups unless "nothing hidden" is among them.
        groups = 1
        for a in range(chunk * LANES, min(count, (chunk + 1) * LANES)):
            target = sp.remainder_level[kind, level, a]
            groups = max(groups, sp.group_start[target + 1] - sp.group_start[target])
        for group in range(groups):
            source, drawn_range = w.pulled[0], w.pulled[1]
            for k in range(q.frame.rows.size):
                for lane in range(LANES):
                    source[q.frame.rows[k], lane] = _ZERO
            for a in range(chunk * LANES, min(count, (chunk + 1) * LANES)):
                target = sp.remainder_level[kind, level, a]
                first = sp.group_start[target]
                if group >= sp.group_start[target + 1] - first:
                    continue
                lane = a - chunk * LANES
                start = sp.level_start[target]
                for state in range(sp.group_first[first + group], sp.group_first[first + group + 1]):
                    source[sp.index[state], lane] += w.rest[depth, player, a, state - start]
            forward_draw(
                source,
                drawn_range,
                w.draw[depth, player, chunk, group],
                q.frame,
                0,
                q.frame.first_max,
                q.frame.second_max,
            )
            base = group * size if q.keep_groups else 0
            for k in range(q.frame.rows.size):
                row = q.frame.rows[k]
                for lane in range(LANES):
                    w.columns[depth, player, chunk, base + row, lane] += drawn_range[row, lane]


@kernel
def _groups_after(q: Problem, sp: Spaces, node: int, player: int) -> tuple[int, int]:
    """First and number of hidden groups a player may be in once a node's action has been taken."""
    level = q.tree.level[node, player]
    if q.tree.kind[node] == HIDE and (q.tree.acts[node] >> player) & 1:
        level = sp.remainder_level[HIDE, level, 0]
    first = sp.group_start[level]
    return first, sp.group_start[level + 1] - first


@kernel
def _lane_publics(
    q: Problem, sp: Spaces, node: int, player: int, action: int, lane: int, z: FinalScratch
) -> None:
    """Public counts of one lane after an action: what the final step starts from."""
    kind, level = q.tree.kind[node], q.tree.level[node, player]
    acting = (q.tree.acts[node] >> player) & 1
    held = level // (sp.num_hidden + 1)
    stock = _stock_left(sp, q.tree, node, player)
    for t in range(q.tree.pool.shape[2]):
        z.pool[0, player, t, lane] = np.float32(q.tree.pool[node, player, t])
    if acting:
        t = public_type(kind, action, q.types, q.stocks.shape[1])
        if t >= 0:
            z.pool[0, player, t, lane] -= _ONE
        if sp.draws[kind, level, action]:
            if stock > 0:
                stock -= 1
            else:
                held -= 1
    z.stock[0, player, lane] = np.float32(stock)
    z.held[0, player, lane] = np.float32(held)


@kernel
def _visit_finals(
    q: Problem, node: int, depth: int, state: FinalState, step: Step, w: WalkScratch, hedge: Hedge
) -> None:
    """Visit all final batches of a node."""
    tree, z = q.tree, w.final
    start = tree.batch_start[node]
    if start < 0:
        return
    acts = tree.acts[node]
    n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
    rows, columns = (n0, n1) if acts == 3 else (1, max(n0, n1))
    per_row = (columns + LANES - 1) // LANES
    learner = 0 if step.who == 1 else 1
    opp = 1 - learner
    size = _index_size(q)
    if q.keep_groups:
        first0, groups0 = _groups_after(q, q.spaces0, node, 0)
        first1, groups1 = _groups_after(q, q.spaces1, node, 1)
        hidden0 = q.spaces0.group_hidden[first0 : first0 + groups0]
        hidden1 = q.spaces1.group_hidden[first1 : first1 + groups1]
    else:
        # The first group of any level 0 hides nothing.
        hidden0 = q.spaces0.group_hidden[0:1]
        hidden1 = q.spaces1.group_hidden[0:1]
    groups = hidden0.shape[0] if learner == 0 else hidden1.shape[0]
    opp_groups = hidden0.shape[0] if opp == 0 else hidden1.shape[0]
    for row in range(rows):
        for chunk in range(per_row):
            batch = start + row * per_row + chunk
            # Where both act, player 0's action is the row, player 1's the lane; else the actor's is the lane.
            opp_chunk, opp_lane = _place_of(acts, opp, row, chunk)
            used = False
            for lane in range(LANES):
                if tree.row_pair[batch, lane] >= 0:
                    at = opp_chunk * LANES + (lane if opp_lane < 0 else opp_lane)
                    used = used or w.flow[depth, opp, at] > _ZERO
            if not used:
                continue
            for lane in range(LANES):
                column = min(chunk * LANES + lane, columns - 1)
                a = row if acts == 3 else (column if acts & 1 else 0)
                b = column if acts & 2 else 0
                for p in range(2):
                    sp = q.spaces0 if p == 0 else q.spaces1
                    _lane_publics(q, sp, node, p, a if p == 0 else b, lane, z)
            for group in range(opp_groups):
                for k in range(q.frame.rows.size):
                    i = group * size + q.frame.rows[k]
                    for lane in range(LANES):
                        z.mass[0, i, lane] = w.columns[
                            depth, opp, opp_chunk, i, lane if opp_lane < 0 else opp_lane
                        ]
            for lane in range(LANES):
                if tree.row_pair[batch, lane] < 0:
                    for group in range(opp_groups):
                        for k in range(q.frame.rows.size):
                            z.mass[0, group * size + q.frame.rows[k], lane] = _ZERO
            hedge(
                batch,
                w.weight[depth],
                step.heat,
                learner,
                q.types,
                hidden0,
                hidden1,
                tree.row_pair,
                tree.link,
                q.tables,
                state,
                z,
                q.frame,
            )
            own_chunk, own_lane = _place_of(acts, learner, row, chunk)
            for lane in range(LANES):
                if tree.row_pair[batch, lane] < 0:
                    continue
                for group in range(groups):
                    for k in range(q.frame.rows.size):
                        i = group * size + q.frame.rows[k]
                        w.gains[depth, learner, own_chunk, i, lane if own_lane < 0 else own_lane] += z.value[
                            learner, i, lane
                        ]


@kernel
def _place_of(acts: int, player: int, row: int, chunk: int) -> tuple[int, int]:
    """Where a player's range of a batch lies: chunk, and the lane all lanes share (-1: each has its own)."""
    if acts == 3 and player == 0:
        return row // LANES, row % LANES
    if (acts >> player) & 1:
        return chunk, -1
    return 0, 0


@kernel
def _terminals(q: Problem, node: int, depth: int, w: WalkScratch) -> None:
    """Values of children at which play ends."""
    tree = q.tree
    n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
    start = tree.child_start[node]
    symmetric = tree.symmetric[node] == 1
    for a in range(n0):
        for b in range(n1):
            if tree.child[start + a * n1 + b] != CHILD_TERMINAL:
                continue
            pay = q.end_payoff[tree.child_end[start + a * n1 + b]]
            w.flat[depth, 0, a] += pay * w.flow[depth, 1, b]
            if symmetric:
                if a != b:
                    w.flat[depth, 0, b] -= pay * w.flow[depth, 0, a]
            else:
                w.flat[depth, 1, b] -= pay * w.flow[depth, 0, a]


@kernel
def open_node(
    q: Problem,
    node: int,
    depth: int,
    regret: Halves,
    flows: F32,
    state: FinalState,
    step: Step,
    w: WalkScratch,
    hedge: Hedge,
    defers: bool,
) -> None:
    """Strategies, ranges of the children, and everything below that needs no further visit."""
    for p in range(2):
        sp = q.spaces0 if p == 0 else q.spaces1
        learns = (step.who >> p) & 1 == 1
        # The learner's range matters only for what to defer, and at the root.
        _open_player(q, node, depth, p, regret, w, sp, learns, not learns or defers)
    if q.tree.flow_start[node, 0] >= 0:
        _terminals(q, node, depth, w)
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        weight = np.float32(w.weight[depth])
        for a in range(n0 if step.who & 2 else 0):
            flows[q.tree.flow_start[node, 0] + a] += weight * w.flow[depth, 0, a]
        if q.tree.symmetric[node] == 0 and step.who & 1:
            for b in range(n1):
                flows[q.tree.flow_start[node, 1] + b] += weight * w.flow[depth, 1, b]
    _visit_finals(q, node, depth, state, step, w, hedge)


@kernel
def load_child(
    q: Problem,
    child: int,
    a: int,
    b: int,
    source: WalkScratch,
    depth: int,
    target: WalkScratch,
    child_depth: int,
) -> None:
    """Copy the ranges of a child into its own depth (possibly of another work space)."""
    for p in range(2):
        sp = q.spaces0 if p == 0 else q.spaces1
        action = a if p == 0 else b
        level = q.tree.level[child, p]
        for s in range(sp.level_start[level + 1] - sp.level_start[level]):
            target.reach[child_depth, p, s] = source.onward[depth, p, action, s]


@kernel
def _load_overdue(q: Problem, child: int, action: int, player: int, depth: int, w: WalkScratch) -> None:
    """Replace the range of the learner's opponent at a child by what has waited for it."""
    sp = q.spaces0 if player == 0 else q.spaces1
    level = q.tree.level[child, player]
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        w.reach[depth + 1, player, s] = w.waited[depth, action, s]


@kernel
def _remainders(q: Problem, sp: Spaces, node: int, player: int, action: int) -> tuple[int, bool, int]:
    """Level of an action's remainders, whether a draw follows, and how many remainders there are."""
    kind, level = q.tree.kind[node], q.tree.level[node, player]
    drawn = False
    if (q.tree.acts[node] >> player) & 1:
        drawn = sp.draws[kind, level, action] == 1 and _stock_left(sp, q.tree, node, player) > 0
        level = sp.remainder_level[kind, level, action]
    return level, drawn, sp.level_start[level + 1] - sp.level_start[level]


@kernel
def _begin_deferral(
    q: Problem, node: int, depth: int, learner: int, step: Step, defer: Deferral, w: WalkScratch
) -> None:
    """Add the opponent's range to what waits at a node; at a refresh, take it out and choose anew.

    Sets ``w.phase`` of the depth: 0 at a refresh, 1 else; ``w.overdue`` is the weight of what was taken out.
    """
    opp = 1 - learner
    row = defer.row[node]
    sp = q.spaces0 if opp == 0 else q.spaces1
    counts = action_counts(q.tree, node, q.types, q.stocks.shape[1])
    count = counts[opp]
    acting = (q.tree.acts[node] >> opp) & 1
    weight = np.float32(w.weight[depth])
    at = defer.start[row, opp]
    for a in range(count):
        _, _, length = _remainders(q, sp, node, opp, a)
        source = w.rest[depth, opp, a] if acting else w.reach[depth, opp]
        for m in range(length):
            defer.waiting[at + m] += weight * source[m]
        at += length
    defer.weight[row, learner] += w.weight[depth]
    w.overdue[depth] = 0.0
    w.phase[depth] = 1
    if not step.everything and (step.time + row) % PERIOD != 0:
        return
    w.phase[depth] = 0
    w.overdue[depth] = defer.weight[row, learner]
    defer.weight[row, learner] = 0.0
    unit = np.float32(1.0 / w.overdue[depth])
    at = defer.start[row, opp]
    pool = w.pool
    for a in range(count):
        level, drawn, length = _remainders(q, sp, node, opp, a)
        rest = w.norm[0]
        for m in range(length):
            rest[m] = defer.waiting[at + m] * unit
            defer.waiting[at + m] = _ZERO
        at += length
        if drawn:
            _pool_after(q, node, opp, q.tree.kind[node], a, pool)
            _draw_range(sp, rest, w.waited[depth, a], level, pool, _stock_left(sp, q.tree, node, opp))
        else:
            for m in range(length):
                w.waited[depth, a, m] = rest[m]
    for a in range(counts[0]):
        for b in range(counts[1]):
            slot = a * counts[1] + b
            w.was[depth, slot] = defer.active[row, learner, slot]
            joint = w.flow[depth, 0, a] * w.flow[depth, 1, b]
            defer.active[row, learner, slot] = joint > THRESHOLD


@kernel
def _keep_deferred(q: Problem, node: int, depth: int, learner: int, defer: Deferral, w: WalkScratch) -> None:
    """Keep what the deferred children were worth to the learner, pulled back to his remainders."""
    sp = q.spaces0 if learner == 0 else q.spaces1
    count = action_counts(q.tree, node, q.types, q.stocks.shape[1])[learner]
    at = defer.start[defer.row[node], learner]
    pool = w.pool
    for a in range(count):
        level, drawn, length = _remainders(q, sp, node, learner, a)
        back = w.back[depth, learner, a]
        if drawn:
            _pool_after(q, node, learner, q.tree.kind[node], a, pool)
            unit = np.float32(1.0 / _stock_left(sp, q.tree, node, learner))
            for m in range(length):
                defer.kept[at + m] = _draw_back(sp, back, level, m, pool, unit)
            above = level + sp.num_hidden + 1
            for s in range(sp.level_start[above + 1] - sp.level_start[above]):
                back[s] = _ZERO
        else:
            for m in range(length):
                defer.kept[at + m] = back[m]
                back[m] = _ZERO
        at += length


@kernel
def _add_kept(q: Problem, node: int, depth: int, learner: int, defer: Deferral, w: WalkScratch) -> None:
    """Count what was kept, as values of remainders (of hands, for who does not act)."""
    sp = q.spaces0 if learner == 0 else q.spaces1
    count = action_counts(q.tree, node, q.types, q.stocks.shape[1])[learner]
    at = defer.start[defer.row[node], learner]
    for a in range(count):
        _, _, length = _remainders(q, sp, node, learner, a)
        for m in range(length):
            w.extra[a, m] = defer.kept[at + m]
        at += length


@kernel
def store_child(
    q: Problem, node: int, child: int, a: int, b: int, who: int, values: F32, w: WalkScratch, depth: int
) -> None:
    """Add a child's values ``[2, N]`` to its parent's sums, for the players who learn.

    At a symmetric node all values count for player 0: those of player 1 at (a, b) are his at the
    mirrored (b, a).
    """
    symmetric = q.tree.symmetric[node] == 1
    for p in range(2):
        if not (who >> p) & 1 or (symmetric and p == 1 and a == b):
            continue
        sp = q.spaces0 if p == 0 else q.spaces1
        action = a if p == 0 else b
        owner = 0 if symmetric else p
        level = q.tree.level[child, p]
        for s in range(sp.level_start[level + 1] - sp.level_start[level]):
            w.back[depth, owner, action, s] += values[p, s]


@kernel
def _close_player(
    q: Problem,
    node: int,
    depth: int,
    player: int,
    regret: Halves,
    step: Step,
    w: WalkScratch,
    sp: Spaces,
    defers: bool,
) -> None:
    """Values of a node for one player, and his regrets.

    ``defers``: ``w.extra`` holds what his remainders are worth at deferred children.
    """
    tree = q.tree
    kind, level = tree.kind[node], tree.level[node, player]
    n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
    count = n0 if player == 0 else n1
    acting = (tree.acts[node] >> player) & 1
    size = _index_size(q)
    stock = _stock_left(sp, tree, node, player)
    has_batches = tree.batch_start[node] >= 0
    value = w.value[depth, player]
    start = sp.level_start[level]
    if not acting:
        for s in range(sp.level_start[level + 1] - start):
            value[s] = w.back[depth, player, 0, s] + w.flat[depth, player, 0]
            if defers:
                value[s] += w.extra[0, s]
        if has_batches:
            first = sp.group_start[level]
            for group in range(sp.group_start[level + 1] - first):
                base = group * size if q.keep_groups else 0
                for state in range(sp.group_first[first + group], sp.group_first[first + group + 1]):
                    value[state - start] += w.gains[depth, player, 0, base + sp.index[state], 0]
        return
    pool = w.pool
    # Values of remainders: final-step part first (pulled back through the draw for each hidden group).
    rest = w.rest[depth, player]
    for a in range(count):
        target = sp.remainder_level[kind, level, a]
        for m in range(sp.level_start[target + 1] - sp.level_start[target]):
            rest[a, m] = w.flat[depth, player, a] + (w.extra[a, m] if defers else _ZERO)
    if has_batches:
        for chunk in range((count + LANES - 1) // LANES):
            groups = 1
            for a in range(chunk * LANES, min(count, (chunk + 1) * LANES)):
                target = sp.remainder_level[kind, level, a]
                groups = max(groups, sp.group_start[target + 1] - sp.group_start[target])
            for group in range(groups):
                base = group * size if q.keep_groups else 0
                adjoint_draw(
                    w.gains[depth, player, chunk, base : base + size],
                    w.pulled[0],
                    w.draw[depth, player, chunk, group],
                    q.frame,
                    0,
                    q.frame.first_max,
                    q.frame.second_max,
                )
                for a in range(chunk * LANES, min(count, (chunk + 1) * LANES)):
                    target = sp.remainder_level[kind, level, a]
                    first = sp.group_start[target]
                    if group >= sp.group_start[target + 1] - first:
                        continue
                    begin = sp.level_start[target]
                    for s in range(sp.group_first[first + group], sp.group_first[first + group + 1]):
                        rest[a, s - begin] += w.pulled[0, sp.index[s], a - chunk * LANES]
    for s in range(sp.level_start[level + 1] - start):
        value[s] = _ZERO
    begin = sp.segment[kind, level, 0]
    sigma = w.sigma[depth, player]
    for a in range(count):
        target = sp.remainder_level[kind, level, a]
        interior, _ = _child_kinds(q, node, player, a, n0, n1)
        if interior:
            _pool_after(q, node, player, kind, a, pool)
            back = w.back[depth, player, a]
            if sp.draws[kind, level, a] == 1 and stock > 0:
                unit = np.float32(1.0 / stock)
                for m in range(sp.level_start[target + 1] - sp.level_start[target]):
                    rest[a, m] += _draw_back(sp, back, target, m, pool, unit)
            else:
                for m in range(sp.level_start[target + 1] - sp.level_start[target]):
                    rest[a, m] += back[m]
        for j in range(sp.segment[kind, level, a], sp.segment[kind, level, a + 1]):
            value[sp.pair_state[j]] += sigma[j - begin] * rest[a, sp.pair_rest[j]]
    slot = tree.regret_start[node, player] - begin
    up, down = np.float32(step.keep_positive), np.float32(step.keep_negative)
    for a in range(count):
        for j in range(sp.segment[kind, level, a], sp.segment[kind, level, a + 1]):
            r = whole(regret[slot + j])
            r = r * (up if r > _ZERO else down) + rest[a, sp.pair_rest[j]] - value[sp.pair_state[j]]
            regret[slot + j] = halved(r, slot + j, 2 * step.time + player)


@kernel
def close_node(
    q: Problem, node: int, depth: int, regret: Halves, step: Step, w: WalkScratch, defers: bool
) -> None:
    """Values for the parent and new regrets."""
    for p in range(2):
        if (step.who >> p) & 1:
            sp = q.spaces0 if p == 0 else q.spaces1
            _close_player(q, node, depth, p, regret, step, w, sp, defers)


@kernel
def _is_reached(q: Problem, node: int, player: int, depth: int, w: WalkScratch) -> bool:
    """Whether any of a player's hands comes here."""
    sp = q.spaces0 if player == 0 else q.spaces1
    level = q.tree.level[node, player]
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        if w.reach[depth, player, s] > _ZERO:
            return True
    return False


@kernel
def _clear_value(q: Problem, node: int, player: int, depth: int, w: WalkScratch) -> None:
    """A node is worth nothing where the other player never comes."""
    sp = q.spaces0 if player == 0 else q.spaces1
    level = q.tree.level[node, player]
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        w.value[depth, player, s] = _ZERO


@kernel
def walk(
    q: Problem,
    root: int,
    regret: Halves,
    flows: F32,
    state: FinalState,
    defer: Deferral,
    step: Step,
    w: WalkScratch,
    hedge: Hedge,
) -> None:
    """Visit a node and everything below it: ``w.reach[0]`` and ``w.weight[0]`` in, ``w.value[0]`` out.

    Depth first with an explicit stack; one player learns. Complexity: one pass over the subtree at most.
    """
    learner = 0 if step.who == 1 else 1
    depth, node = int(np.int64(0)), root  # not a literal: see `kernel`
    entering = True
    while True:
        if entering:
            w.node[depth] = node
            w.slot[depth] = 0
            w.phase[depth] = 1
            w.overdue[depth] = 0.0
            defers = defer.row[node] >= 0
            if not defers and not _is_reached(q, node, 1 - learner, depth, w):
                # Nothing to learn and nothing to remember; only deferring nodes may have something waiting.
                _clear_value(q, node, learner, depth, w)
                w.slot[depth] = MAX_ACTIONS * MAX_ACTIONS
                w.phase[depth] = 2
            else:
                open_node(q, node, depth, regret, flows, state, step, w, hedge, defers)
                if defers:
                    _begin_deferral(q, node, depth, learner, step, defer, w)
            entering = False
        node = w.node[depth]
        row = defer.row[node]
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        slot = w.slot[depth]
        if slot < n0 * n1:
            child = q.tree.child[q.tree.child_start[node] + slot]
            # Deferred children are visited in phase 0, active ones in phase 1.
            if child < 0 or (row >= 0 and defer.active[row, learner, slot] != (w.phase[depth] == 1)):
                w.slot[depth] += 1
                continue
            load_child(q, child, slot // n1, slot % n1, w, depth, w, depth + 1)
            w.weight[depth + 1] = w.weight[depth]
            if w.overdue[depth] > 0.0 and not w.was[depth, slot]:
                action = slot % n1 if learner == 0 else slot // n1
                _load_overdue(q, child, action, 1 - learner, depth, w)
                w.weight[depth + 1] = w.overdue[depth]
            depth += 1
            node = child
            entering = True
            continue
        if w.phase[depth] == 0:
            _keep_deferred(q, node, depth, learner, defer, w)
            w.phase[depth] = 1
            w.slot[depth] = 0
            continue
        if w.phase[depth] == 1:
            if row >= 0:
                _add_kept(q, node, depth, learner, defer, w)
            close_node(q, node, depth, regret, step, w, row >= 0)
        if depth == 0:
            return
        depth -= 1
        parent, slot = w.node[depth], w.slot[depth]
        n0, n1 = action_counts(q.tree, parent, q.types, q.stocks.shape[1])
        store_child(q, parent, node, slot // n1, slot % n1, step.who, w.value[depth + 1], w, depth)
        w.slot[depth] += 1

"""What happens when both average strategies meet: outcomes, points, and which items are placed when.

Hands are independent given the public history, so the probability of a pair of actions is the product of both
players' accumulated flows. One exception: how a lone chain is topped at the very last placement is stored
only as what it was worth; its outcome is estimated as if the owner's hand were drawn afresh from what he may
still hold, and the error this makes in the mean payoff is measured and reported.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import F32, F64, I64
from solver.hidden_hands.decisions.walk_memory import Problem
from solver.hidden_hands.final.memory import FinalState
from solver.hidden_hands.final.tables import settled_classes
from solver.hidden_hands.jit import entry, kernel
from solver.hidden_hands.problem import Blueprint
from solver.hidden_hands.tree import (
    CHILD_FINAL,
    CHILD_NONE,
    CHILD_TERMINAL,
    LANES,
    MAX_LINKS,
    Automaton,
    action_counts,
)

__all__ = [
    "Statistics",
    "child_inflow",
    "combined",
    "count_end",
    "count_record",
    "inflows",
    "play_statistics",
    "swapped",
]


@dataclass(frozen=True)
class Statistics:
    """Outcome of the average strategies against each other (player 0's side where it matters)."""

    usage: NDArray[np.float64]  # [2, steps, P] probability that a step is opened with each action
    outcome: NDArray[np.float64]  # [4] win, draw, loss, two losers
    mean_points: NDArray[np.float64]  # [2]
    mass: float  # total probability found: 1 up to rounding


@kernel
def _batch_lane(q: Problem, node: int, code: int) -> tuple[int, int]:
    """Where the record of a final child lies."""
    rank = CHILD_FINAL - code
    return q.tree.batch_start[node] + rank // LANES, rank % LANES


@kernel
def child_inflow(
    q: Problem, node: int, a: int, b: int, player: int, flows: F32, state: FinalState, inflow: F64
) -> float:
    """Accumulated flow of a player into a child."""
    _, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
    code = q.tree.child[q.tree.child_start[node] + a * n1 + b]
    if code >= 0:
        total: float = inflow[code, player]
        return total
    if code <= CHILD_FINAL:
        batch, lane = _batch_lane(q, node, code)
        total = 0.0
        for x in range(q.types.size):
            total += state.flow[batch, player, x, lane]
        return total
    end: float = flows[q.tree.flow_start[node, player] + (a if player == 0 else b)]
    return end


@entry
def inflows(q: Problem, flows: F32, state: FinalState, inflow: F64) -> None:
    """Accumulated flow of both players into every node, children before parents."""
    for back in range(q.tree.kind.size):
        node = q.tree.kind.size - 1 - back
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        for p in range(2):
            total = 0.0
            for own in range(n0 if p == 0 else n1):
                for other in range(n1 if p == 0 else n0):
                    a, b = (own, other) if p == 0 else (other, own)
                    if q.tree.child[q.tree.child_start[node] + a * n1 + b] != CHILD_NONE:
                        total += child_inflow(q, node, a, b, p, flows, state, inflow)
                        break
            inflow[node, p] = total


@kernel
def count_end(
    class0: int, class1: int, mass: float, points: F64, outcome: I64, ends: F64, means: F64
) -> None:
    """Count one way play may end."""
    ends[outcome[class0, class1]] += mass
    means[0] += mass * points[class0, class1]
    means[1] += mass * points[class1, class0]
    means[2] += mass


@kernel
def _count_lone(
    q: Problem,
    g: Automaton,
    batch: int,
    lane: int,
    player: int,
    b: int,
    mass: float,
    points: F64,
    outcome: I64,
    ends: F64,
    means: F64,
    order: I64,
) -> None:
    """Count the outcomes of a lone chain: the best top of a hand drawn afresh from the whole stock."""
    joint = q.tree.row_pair[batch, lane]
    slot = q.tables.top_slot[joint]
    plain, num_rows = q.frame.num_plain, g.face.size
    count = 0
    for x in range(q.types.size):
        if q.types[x] < 0 or x == plain:
            continue
        at = count
        while (
            at > 0 and q.tables.top[slot, player, 0, b, order[at - 1]] < q.tables.top[slot, player, 0, b, x]
        ):
            order[at] = order[at - 1]
            at -= 1
        order[at] = x
        count += 1
    nothing = g.next_row.shape[2] - 1
    r0, r1 = q.tables.rows[joint] // num_rows, q.tables.rows[joint] % num_rows
    own, opp = (r0, r1) if player == 0 else (r1, r0)
    other = q.types[b] if q.types[b] >= 0 else nothing
    s_own = g.next_row[own, g.face[opp], q.types[plain], other]
    s_opp = g.next_row[opp, g.face[own], other, q.types[plain]]
    left, worse = 1.0, 0.0
    for t in range(q.stocks.shape[1]):
        worse += q.stocks[player, t]
    everything = worse
    for i in range(count):
        x = order[i]
        worse -= q.stocks[player, q.types[x]]
        # Probability that five draws miss this type and all better ones (i < count - 1), everything at the
        # end.
        miss = (max(worse, 0.0) / everything) ** g.hand_size if i < count - 1 else 0.0
        share = max(left - miss, 0.0)
        left = min(left, miss)
        t0 = g.next_row[s_own, g.face[s_opp], q.types[x], nothing]
        t1 = g.next_row[s_opp, g.face[s_own], nothing, q.types[x]]
        if t0 < 0 or t1 < 0:
            continue
        c_own, c_opp = settled_classes(g, t0, t1)
        if player == 0:
            count_end(c_own, c_opp, mass * share, points, outcome, ends, means)
        else:
            count_end(c_opp, c_own, mass * share, points, outcome, ends, means)


@kernel
def count_record(
    q: Problem,
    g: Automaton,
    batch: int,
    lane: int,
    state: FinalState,
    scale: float,
    points: F64,
    outcome: I64,
    ends: F64,
    means: F64,
    order: I64,
    lone: F64,
    stack: I64,
) -> None:
    """Count all ends of one final record, its sub-steps included."""
    num, num_rows = q.types.size, g.face.size
    nothing = g.next_row.shape[2] - 1
    stack[0] = batch
    top = 1
    while top > 0:
        top -= 1
        batch = stack[top]
        joint = q.tree.row_pair[batch, lane]
        r0, r1 = q.tables.rows[joint] // num_rows, q.tables.rows[joint] % num_rows
        for a in range(num):
            f0 = state.flow[batch, 0, a, lane]
            if f0 == 0.0:
                continue
            x = q.types[a] if q.types[a] >= 0 else nothing
            for b in range(num):
                mass = f0 * scale * state.flow[batch, 1, b, lane] * scale
                if mass == 0.0:
                    continue
                y = q.types[b] if q.types[b] >= 0 else nothing
                if x == nothing and y == nothing and not (g.pending[r0] or g.pending[r1]):
                    count_end(g.terminal_class[r0], g.terminal_class[r1], mass, points, outcome, ends, means)
                    continue
                s0 = g.next_row[r0, g.face[r1], x, y]
                s1 = g.next_row[r1, g.face[r0], y, x]
                if s0 < 0 or s1 < 0 or (g.pending[s0] and g.pending[s1]):
                    continue
                if g.pending[s0]:
                    lone[0] += mass
                    _count_lone(q, g, batch, lane, 0, b, mass, points, outcome, ends, means, order)
                elif g.pending[s1]:
                    lone[0] += mass
                    _count_lone(q, g, batch, lane, 1, a, mass, points, outcome, ends, means, order)
                else:
                    c0, c1 = settled_classes(g, s0, s1)
                    count_end(c0, c1, mass, points, outcome, ends, means)
        if q.frame.num_chain:
            for link in range(MAX_LINKS):
                sub = q.tree.link[batch, link]
                if sub >= 0 and q.tree.row_pair[sub, lane] >= 0:
                    stack[top] = sub
                    top += 1


@entry
def _count(
    q: Problem,
    g: Automaton,
    first: int,
    last: int,
    flows: F32,
    state: FinalState,
    inflow: F64,
    scale: float,
    points: F64,
    outcome: I64,
    usage: F64,
    ends: F64,
    means: F64,
    order: I64,
    lone: F64,
    stack: I64,
) -> None:
    """Count everything that can happen at nodes ``first`` to ``last`` (exclusive)."""
    num_classes = points.shape[0]
    for node in range(first, last):
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        start = q.tree.child_start[node]
        step = q.tree.step[node]
        for a in range(n0):
            for b in range(n1):
                code = q.tree.child[start + a * n1 + b]
                if code == CHILD_NONE:
                    continue
                f0 = child_inflow(q, node, a, b, 0, flows, state, inflow) * scale
                f1 = child_inflow(q, node, a, b, 1, flows, state, inflow) * scale
                if q.tree.opens[node]:
                    usage[0, step, a] += f0 * f1
                    usage[1, step, b] += f0 * f1
                    if q.tree.symmetric[node] and a != b:
                        usage[0, step, b] += f0 * f1
                        usage[1, step, a] += f0 * f1
                if code == CHILD_TERMINAL:
                    end = q.tree.child_end[start + a * n1 + b]
                    c0, c1 = end // num_classes, end % num_classes
                    count_end(c0, c1, f0 * f1, points, outcome, ends, means)
                    if q.tree.symmetric[node] and a != b:
                        count_end(c1, c0, f0 * f1, points, outcome, ends, means)
                elif code <= CHILD_FINAL:
                    batch, lane = _batch_lane(q, node, code)
                    for x in range(q.types.size):
                        usage[0, step + 1, x] += state.flow[batch, 0, x, lane] * scale * f1
                        usage[1, step + 1, x] += state.flow[batch, 1, x, lane] * scale * f0
                    count_record(
                        q, g, batch, lane, state, scale, points, outcome, ends, means, order, lone, stack
                    )


def play_statistics(
    plan: Blueprint,
    problem: Problem,
    flows: NDArray[np.float32],
    state: FinalState,
    total_weight: float,
    jobs: list[tuple[int, int, int]],
) -> Statistics:
    """Count outcomes over the whole tree.

    Parameters
    ----------
    jobs : list of (int, int, int)
        Root children (action 0, action 1, node) in any order.

    Notes
    -----
    In a symmetric game a stored subtree off the diagonal counts once more with the seats swapped.
    """
    g, game = plan.rows, plan.game
    inflow = np.zeros((problem.tree.kind.size, 2))
    inflows(problem, flows, state, inflow)
    steps = int(problem.tree.step.max()) + 2
    points, outcome = game.gp.astype(np.float64), game.outcome.astype(np.int64)
    order, lone = np.zeros(16, np.int64), np.zeros(1)
    stack = np.zeros(64, np.int64)

    def count(first: int, last: int) -> Statistics:
        usage = np.zeros((2, steps, max(problem.types.size, problem.stocks.shape[1] + 1)))
        ends, means = np.zeros(4), np.zeros(3)
        _count(
            problem,
            g,
            first,
            last,
            flows,
            state,
            inflow,
            1.0 / total_weight,
            points,
            outcome,
            usage,
            ends,
            means,
            order,
            lone,
            stack,
        )
        return Statistics(usage[:, :, : problem.types.size], ends, means[:2], float(means[2]))

    symmetric = bool(problem.tree.symmetric[0])
    if not symmetric:
        return count(0, problem.tree.kind.size)
    parts = [count(0, 1)]
    starts = sorted(node for _, _, node in jobs)
    pair_of = {node: (a, b) for a, b, node in jobs}
    for i, start in enumerate(starts):
        end = starts[i + 1] if i + 1 < len(starts) else problem.tree.kind.size
        part = count(start, end)
        parts.append(part)
        if pair_of[start][0] != pair_of[start][1]:
            parts.append(swapped(part))
    return combined(parts)


def combined(parts: list[Statistics]) -> Statistics:
    """The sum over parts of the tree."""
    return Statistics(
        np.sum([s.usage for s in parts], axis=0),
        np.sum([s.outcome for s in parts], axis=0),
        np.sum([s.mean_points for s in parts], axis=0),
        sum(s.mass for s in parts),
    )


def swapped(part: Statistics) -> Statistics:
    """The same play with the seats exchanged."""
    return Statistics(part.usage[::-1], part.outcome[[2, 1, 0, 3]], part.mean_points[::-1], part.mass)

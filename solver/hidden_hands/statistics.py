"""What happens when both average strategies meet: outcomes, points, and which items are placed when.

Hands are independent given the public history, so the probability of a pair of actions is the product of both
players' cumulative reach. One exception: how a lone chain is topped at the very last placement is stored
only as what it was worth. So the mean payoff is exact, but outcomes and each side's points are estimated
there, as if the owner's hand were drawn afresh from what it may still hold; how far they can be off, given
what the chain was worth, is bounded and reported.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from solver.hidden_hands.final_state import FinalState, final_classes
from solver.hidden_hands.game import HandGame
from solver.hidden_hands.jit import F32, F64, I64, entry, kernel
from solver.hidden_hands.profile import Profile
from solver.hidden_hands.tree import (
    CHILD_FINAL,
    CHILD_NONE,
    CHILD_TERMINAL,
    LANES,
    MAX_LINKS,
    Automaton,
    action_counts,
)
from solver.hidden_hands.walk_memory import Problem

_SAME = 1e-9
"""Payoffs closer than that are equal; they are whole numbers."""
_SLIGHT = 1e-8
"""Probability below which what an estimate may be off by is not looked at closely."""
TOPS = 128
"""Most ways to top a lone chain that are looked at."""


@dataclass(frozen=True)
class Statistics:
    """Outcome of the average strategies against each other (player 0's side where it matters)."""

    usage: F64  # [2, steps, P] probability that a step begins with each action
    outcome: F64  # [4] win, draw, loss, two losers
    mean_points: F64  # [2]
    mass: float  # total probability found: 1 up to rounding
    outcome_off: float = 0.0  # how far any of the outcomes can be off
    points_off: float = 0.0  # likewise the mean points; their difference is exact


class Tally(NamedTuple):
    """What play adds up to, and what counting works with; ``C`` classes of rows at the end."""

    points: F64  # [C, C] of the owner of the first row
    outcome: I64  # [C, C] of four: win, draw, loss, two losers
    usage: F64  # [2, steps, P] how likely a step begins with each action
    ends: F64  # [4] each outcome
    means: F64  # [3] points of both, and the probability counted
    lone: F64  # [3] probability of lone chains; how far outcomes, and points, may be off by them
    tops: F64  # [*, 3] ways to top one, see ``_tops_of``
    top_ends: I64  # [*]
    stack: I64  # [*] final records still to count


def tally(game: HandGame, steps: int, num_actions: int) -> Tally:
    """Zeroed sums."""
    return Tally(
        game.gp.astype(np.float64),
        game.outcome.astype(np.int64),
        np.zeros((2, steps, num_actions)),
        np.zeros(4),
        np.zeros(3),
        np.zeros(3),
        np.zeros((TOPS, 3)),
        np.zeros(TOPS, np.int64),
        np.zeros(64, np.int64),
    )


def counted(t: Tally, num_actions: int) -> Statistics:
    """What has been counted."""
    usage, off = t.usage[:, :, :num_actions], t.lone.tolist()
    return Statistics(usage, t.ends, t.means[:2], float(t.means[2]), off[1], off[2])


@kernel
def _batch_lane(q: Problem, node: int, code: int) -> tuple[int, int]:
    """Where the record of a final child lies."""
    rank = CHILD_FINAL - code
    return q.tree.batch_start[node] + rank // LANES, rank % LANES


@kernel
def child_reach(
    q: Problem, node: int, a: int, b: int, player: int, end_reach: F32, state: FinalState, node_reach: F64
) -> float:
    """Cumulative reach of a player into a child."""
    _, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
    code = q.tree.child[q.tree.child_start[node] + a * n1 + b]
    if code >= 0:
        total: float = node_reach[code, player]
        return total
    if code <= CHILD_FINAL:
        batch, lane = _batch_lane(q, node, code)
        total = 0.0
        for x in range(q.types.size):
            total += state.reach[batch, player, x, lane]
        return total
    end: float = end_reach[q.tree.reach_start[node, player] + (a if player == 0 else b)]
    return end


@entry
def reach_of_nodes(q: Problem, end_reach: F32, state: FinalState, node_reach: F64) -> None:
    """Cumulative reach of both players into every node, children before parents."""
    for back in range(q.tree.kind.size):
        node = q.tree.kind.size - 1 - back
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        for p in range(2):
            total = 0.0
            for own in range(n0 if p == 0 else n1):
                for other in range(n1 if p == 0 else n0):
                    a, b = (own, other) if p == 0 else (other, own)
                    if q.tree.child[q.tree.child_start[node] + a * n1 + b] != CHILD_NONE:
                        total += child_reach(q, node, a, b, p, end_reach, state, node_reach)
                        break
            node_reach[node, p] = total


@kernel
def count_end(class0: int, class1: int, mass: float, t: Tally) -> None:
    """Count one way play may end."""
    t.ends[t.outcome[class0, class1]] += mass
    t.means[0] += mass * t.points[class0, class1]
    t.means[1] += mass * t.points[class1, class0]
    t.means[2] += mass


@kernel
def _tops_of(q: Problem, g: Automaton, joint: int, player: int, b: int, sums: Tally) -> int:
    """List how a lone chain may be topped against one opposing action; returns in how many ways.

    Modified in place: ``tops`` ``[*, 3]``, by way what it pays its owner, the owner's points, and how likely
    a hand drawn afresh from the whole stock takes it; ``top_ends`` ``[*]``, the outcome for player 0.
    """
    points, outcome, tops, ends = sums.points, sums.outcome, sums.tops, sums.top_ends
    slot = q.tables.top_slot[joint]
    plain, num_rows = q.frame.num_plain, g.face.size
    nothing = g.next_row.shape[2] - 1
    r0, r1 = q.tables.rows[joint] // num_rows, q.tables.rows[joint] % num_rows
    own, opp = (r0, r1) if player == 0 else (r1, r0)
    chain, other = q.types[plain], q.types[b] if q.types[b] >= 0 else nothing
    s_own = g.next_row[own, g.face[opp], chain, other]
    s_opp = g.next_row[opp, g.face[own], other, chain]
    everything = 0.0
    for t in range(q.stocks.shape[1]):
        everything += q.stocks[player, t]
    count = 0
    for j in range(min(q.tables.top.shape[2], q.stocks[player, chain])):
        first = count
        for x in range(q.types.size):
            if x == plain or q.types[x] < 0 or q.stocks[player, q.types[x]] == 0 or count == tops.shape[0]:
                continue
            t_own = g.next_row[s_own, g.face[s_opp], q.types[x], nothing]
            t_opp = g.next_row[s_opp, g.face[s_own], nothing, q.types[x]]
            if t_own < 0 or t_opp < 0:
                continue
            c_own, c_opp = final_classes(g, t_own, t_opp)
            pays = np.float64(q.tables.top[slot, player, j, b, x])
            at = count
            while j == 0 and at > first and tops[at - 1, 0] < pays:
                for k in range(3):
                    tops[at, k] = tops[at - 1, k]
                ends[at] = ends[at - 1]
                at -= 1
            tops[at, 0], tops[at, 1] = pays, points[c_own, c_opp]
            # How many of the type there are, for now.
            tops[at, 2] = np.float64(q.stocks[player, q.types[x]]) if j == 0 else 0.0
            ends[at] = outcome[c_own, c_opp] if player == 0 else outcome[c_opp, c_own]
            count += 1
        if j == 0:
            left, worse = 1.0, everything
            for at in range(count):
                worse -= tops[at, 2]
                # Probability that a hand misses this type and all better ones, everything at the end.
                miss = (max(worse, 0.0) / everything) ** g.hand_size if at < count - 1 else 0.0
                tops[at, 2] = max(left - miss, 0.0)
                left = min(left, miss)
        above = g.next_row[s_own, g.face[s_opp], chain, nothing]
        facing = g.next_row[s_opp, g.face[s_own], nothing, chain]
        if above < 0 or facing < 0:
            break
        s_own, s_opp = above, facing
    return count


@kernel
def _count_lone(
    q: Problem, g: Automaton, joint: int, player: int, b: int, mass: float, worth: float, t: Tally
) -> None:
    """Count the outcomes of a lone chain: those of a hand drawn afresh, moved towards what it was worth.

    ``worth`` is exact, so the mean payoff is, too; what its points and outcomes may be off by at most, given
    that, is added to ``lone``.
    """
    count = _tops_of(q, g, joint, player, b, t)
    ends, means, lone, tops, top_ends = t.ends, t.means, t.lone, t.tops, t.top_ends
    if count == 0:
        return
    low = high = 0
    mean = total = 0.0
    for i in range(count):
        low = i if tops[i, 0] < tops[low, 0] else low
        high = i if tops[i, 0] > tops[high, 0] else high
        mean += tops[i, 2] * tops[i, 0]
        total += tops[i, 2]
    if total <= 0.0:
        tops[low, 2] = total = 1.0
        mean = tops[low, 0]
    mean = mean / total
    worth = min(max(worth, tops[low, 0]), tops[high, 0])
    towards = high if worth > mean else low
    moved = 0.0
    if abs(tops[towards, 0] - mean) > _SAME:
        moved = (worth - mean) / (tops[towards, 0] - mean)
    gp = 0.0
    for i in range(count):
        share = (1.0 - moved) * tops[i, 2] / total + (moved if i == towards else 0.0)
        ends[top_ends[i]] += mass * share
        gp += share * tops[i, 1]
        tops[i, 2] = share
    opp = gp - (1.0 - moved) * mean - moved * tops[towards, 0]
    means[0] += mass * (gp if player == 0 else opp)
    means[1] += mass * (opp if player == 0 else gp)
    means[2] += mass
    lone[0] += mass
    if mass < _SLIGHT:
        least = most = tops[0, 1]
        for i in range(count):
            least, most = min(least, tops[i, 1]), max(most, tops[i, 1])
        lone[1] += mass
        lone[2] += mass * (most - least)
        return
    lone[2] += mass * _off_by(tops, top_ends, count, worth, -1, gp)
    off = 0.0
    for end in range(4):
        share = 0.0
        for i in range(count):
            share += tops[i, 2] if top_ends[i] == end else 0.0
        off = max(off, _off_by(tops, top_ends, count, worth, end, share))
    lone[1] += mass * off


@kernel
def _off_by(tops: F64, ends: I64, count: int, worth: float, end: int, estimate: float) -> float:
    """How far a mean over tops can be from an estimate, if what they pay is known on average.

    ``end``: an outcome, to bound its share, or -1 to bound the owner's points. Extremes mix two tops at most.
    """
    off = 0.0
    for i in range(count):
        for k in range(count):
            if tops[i, 0] > worth or tops[k, 0] < worth:
                continue
            one = tops[i, 1] if end < 0 else (1.0 if ends[i] == end else 0.0)
            other = tops[k, 1] if end < 0 else (1.0 if ends[k] == end else 0.0)
            between = tops[k, 0] - tops[i, 0]
            part = (worth - tops[i, 0]) / between if between > _SAME else 0.0
            off = max(off, abs(one + part * (other - one) - estimate))
            if between <= _SAME:
                off = max(off, abs(other - estimate))
    return off


@kernel
def count_record(
    q: Problem, g: Automaton, batch: int, lane: int, state: FinalState, scale: float, t: Tally
) -> None:
    """Count all ends of one final record, its sub-steps included."""
    stack = t.stack
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
            f0 = state.reach[batch, 0, a, lane]
            if f0 == 0.0:
                continue
            x = q.types[a] if q.types[a] >= 0 else nothing
            for b in range(num):
                mass = f0 * scale * state.reach[batch, 1, b, lane] * scale
                if mass == 0.0:
                    continue
                y = q.types[b] if q.types[b] >= 0 else nothing
                if x == nothing and y == nothing and not (g.pending[r0] or g.pending[r1]):
                    count_end(g.terminal_class[r0], g.terminal_class[r1], mass, t)
                    continue
                s0 = g.next_row[r0, g.face[r1], x, y]
                s1 = g.next_row[r1, g.face[r0], y, x]
                if s0 < 0 or s1 < 0 or (g.pending[s0] and g.pending[s1]):
                    continue
                if g.pending[s0] or g.pending[s1]:
                    player = 0 if g.pending[s0] else 1
                    other = b if player == 0 else a
                    worth = np.float64(state.lone[batch, player, other, lane])
                    worth /= state.reach[batch, player, a if player == 0 else b, lane]
                    _count_lone(q, g, joint, player, other, mass, worth, t)
                else:
                    c0, c1 = final_classes(g, s0, s1)
                    count_end(c0, c1, mass, t)
        if q.frame.num_chain:
            for link in range(MAX_LINKS):
                sub = q.tree.link[batch, link]
                if sub >= 0 and q.tree.row_pair[sub, lane] >= 0:
                    stack[top] = sub
                    top += 1


@kernel
def count_child(
    q: Problem,
    g: Automaton,
    node: int,
    a: int,
    b: int,
    f0: float,
    f1: float,
    state: FinalState,
    scale: float,
    t: Tally,
) -> None:
    """Count what can happen after a pair of actions that both players' reach ``f0`` and ``f1`` lead to."""
    tree, usage, num_classes = q.tree, t.usage, t.points.shape[0]
    _, n1 = action_counts(tree, node, q.types, q.stocks.shape[1])
    place, step = tree.child_start[node] + a * n1 + b, tree.step[node]
    code, mirrored = tree.child[place], tree.symmetric[node] == 1 and a != b
    if tree.begins_step[node]:
        usage[0, step, a] += f0 * f1
        usage[1, step, b] += f0 * f1
        if mirrored:
            usage[0, step, b] += f0 * f1
            usage[1, step, a] += f0 * f1
    if code == CHILD_TERMINAL:
        c0, c1 = tree.child_end[place] // num_classes, tree.child_end[place] % num_classes
        count_end(c0, c1, f0 * f1, t)
        if mirrored:
            count_end(c1, c0, f0 * f1, t)
    elif code <= CHILD_FINAL:
        batch, lane = _batch_lane(q, node, code)
        for x in range(q.types.size):
            usage[0, step + 1, x] += state.reach[batch, 0, x, lane] * scale * f1
            usage[1, step + 1, x] += state.reach[batch, 1, x, lane] * scale * f0
        count_record(q, g, batch, lane, state, scale, t)


@entry
def _count(
    q: Problem,
    g: Automaton,
    first: int,
    last: int,
    end_reach: F32,
    state: FinalState,
    node_reach: F64,
    scale: float,
    t: Tally,
) -> None:
    """Count everything that can happen at nodes ``first`` to ``last`` (exclusive)."""
    for node in range(first, last):
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        for a in range(n0):
            for b in range(n1):
                if q.tree.child[q.tree.child_start[node] + a * n1 + b] != CHILD_NONE:
                    f0 = child_reach(q, node, a, b, 0, end_reach, state, node_reach) * scale
                    f1 = child_reach(q, node, a, b, 1, end_reach, state, node_reach) * scale
                    count_child(q, g, node, a, b, f0, f1, state, scale, t)


def play_statistics(profile: Profile) -> Statistics:
    """Count outcomes over the whole of an un-merged tree.

    Notes
    -----
    In a symmetric game a stored subtree off the diagonal counts once more with the seats swapped.
    """
    problem, first = profile.problem, profile.first
    end_reach, state = profile.end_reach, profile.state
    node_reach = np.zeros((problem.tree.kind.size, 2))
    reach_of_nodes(problem, end_reach, state, node_reach)
    steps, width = int(problem.tree.step.max()) + 2, max(problem.types.size, problem.stocks.shape[1] + 1)

    def count(begin: int, end: int) -> Statistics:
        sums = tally(profile.game, steps, width)
        scale = 1.0 / first.weight
        _count(problem, profile.rows, begin, end, end_reach, state, node_reach, scale, sums)
        return counted(sums, problem.types.size)

    if not first.symmetric:
        return count(0, problem.tree.kind.size)
    parts = [count(0, 1)]
    jobs = sorted((node, a, b) for a, b, node in first.jobs)
    ends = [*(node for node, _, _ in jobs[1:]), problem.tree.kind.size]
    for (start, a, b), end in zip(jobs, ends, strict=True):
        part = count(start, end)
        parts.append(part)
        if a != b:
            parts.append(swapped(part))
    return combined(parts)


def combined(parts: list[Statistics]) -> Statistics:
    """The sum over parts of the tree."""
    return Statistics(
        np.sum([s.usage for s in parts], axis=0),
        np.sum([s.outcome for s in parts], axis=0),
        np.sum([s.mean_points for s in parts], axis=0),
        sum(s.mass for s in parts),
        sum(s.outcome_off for s in parts),
        sum(s.points_off for s in parts),
    )


def swapped(part: Statistics) -> Statistics:
    """The same play with the seats exchanged."""
    usage, outcome, points = part.usage[::-1], part.outcome[[2, 1, 0, 3]], part.mean_points[::-1]
    return replace(part, usage=usage, outcome=outcome, mean_points=points)

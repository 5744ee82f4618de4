"""The strategy of a merged tree as it is shipped (``docs/day-solver.md``, Strategies as shipped).

*Moment matching.* Of a final record only how much flow went into each action is remembered. Each action's
value is shifted until the accumulated range, sent through the hedge, flows into the actions as on average.

*Thresholding.* A public action that hardly any play takes costs its owner far more in what can be proved than
it brings. The rarest is dropped first, and its play goes to the others, until all that are left are taken
often enough; hands that have no other one keep it. The lower the threshold, the less there is to drop.

Letters as in ``walk_memory``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hidden_hands.decisions.forward import forward_children, mix_actions
from solver.hidden_hands.decisions.ranges import split_range
from solver.hidden_hands.decisions.walk_memory import Problem, WalkScratch, is_locked
from solver.hidden_hands.final.hedging import INVERSE_TEMPERATURE, push
from solver.hidden_hands.final.means import prepare
from solver.hidden_hands.final.state import FinalGame, FinalScratch, FinalState, Frame
from solver.hidden_hands.final.steps import NEAR, descend, draw_chains
from solver.hidden_hands.jit import F32, ONE, ZERO, Halves, entry, kernel, whole
from solver.hidden_hands.merged.merged_tree import MergedTree
from solver.hidden_hands.spaces import Spaces
from solver.hidden_hands.tree import LANES, MAX_LINKS, action_counts

_ROUNDS, _ROUNDS_DEEP = 24, 8
"""How often flows are matched, and beyond what every visit goes to."""
_TINY = np.float32(1e-30)
_LEAST = np.float32(1e-9)
"""Shares below which an action counts as never taken."""


@kernel
def _fit(
    level: int,
    slot: int,
    player: int,
    groups: int,
    state: FinalState,
    shift: F32,
    z: FinalScratch,
    frame: Frame,
) -> None:
    """Shift a record's action values until the range ``z.mass[level]`` flows as it did on average."""
    batch, num = z.batch[slot], frame.num_actions
    scale, q = state.scale[batch, player], z.mean_q[slot, player]
    target = state.flow[batch, player]
    for _ in range(_ROUNDS if level <= NEAR else _ROUNDS_DEEP):
        push(level, slot, player, scale, z, frame, groups)
        for lane in range(LANES):
            wanted = got = ZERO
            for a in range(num):
                wanted += target[a, lane]
                got += z.flow[a, lane]
            if wanted <= ZERO or got <= ZERO:
                continue
            scaled = INVERSE_TEMPERATURE / np.sqrt(max(scale[lane], _TINY))
            for a in range(num):
                want, have = target[a, lane] / wanted, z.flow[a, lane] / got
                if want < _LEAST and have < _LEAST:
                    continue
                by = np.log(max(want, _LEAST) / max(have, _LEAST)) / scaled
                shift[a, lane] += by
                q[a, lane] += by
    push(level, slot, player, scale, z, frame, groups)


@kernel
def calibrate_batch(
    batch: int,
    player: int,
    g: FinalGame,
    hidden: tuple[F32, F32],
    state: FinalState,
    shift: F32,
    z: FinalScratch,
) -> None:
    """Find the shifts of one player's action values in a batch of final records and all nested in it.

    Input as for ``hedge_batch``, but ``z.mass[0]`` is the player's own accumulated range.

    ``shift`` ``[b, 2, P, L] float32``: modified in place; zero to begin with.
    """
    frame, groups = g.frame, hidden[player].shape[0]
    z.batch[0] = batch
    prepare(g, hidden, state, z, 1 << player, frame.num_levels)
    level, at = 0, 0
    entering = True
    while True:
        if entering:
            z.link[at] = 0
            _fit(level, at, player, groups, state, shift[z.batch[at], player], z, frame)
            if frame.num_chain:
                draw_chains(level, at, player, z, frame, groups)
            entering = False
        link = z.link[at]
        if frame.num_chain and link < MAX_LINKS:
            if z.child[at, link] < 0:
                z.link[at] += 1
                continue
            descend(level, at, link, 1 - player, z, frame, groups)
            at = z.child[at, link]
            level += 1
            entering = True
            continue
        if level == 0:
            return
        level -= 1
        at = z.parent[at]
        z.link[at] += 1


_LOW = np.float32(-1e30)
_TAKEN = np.float32(1e30)
_HARDLY = np.float32(1e-6)
"""A hand that plays all actions that are left with less than this takes the one it regrets most."""
_AHEAD = 4.0
"""How many times the least flow an action must have where decisions follow: their actions share it."""


@kernel
def apply_threshold(
    q: Problem, node: int, depth: int, player: int, regret: Halves, rare: float, w: WalkScratch, sp: Spaces
) -> None:
    """Drop the rare part of what a player has mixed at a node, if he comes there with more than ``rare``.

    Modified in place: ``w.sigma``, ``w.rest`` and ``w.flow`` at ``depth``.

    ``regret`` ``[*] uint16``: of the merged nodes; ``rare``: flow up to which an action is dropped: no less
    than what is not followed, so that nothing is thresholded where a certificate counts what merged nodes
    say.
    """
    tree, sigma = q.tree, w.sigma[depth, player]
    reach, flow = w.reach[depth, player], w.flow[depth, player]
    kind, level = tree.kind[node], tree.level[node, player]
    count = action_counts(tree, node, q.types, q.stocks.shape[1])[player]
    total = ZERO
    for a in range(count):
        total += flow[a]
    if total <= rare or is_locked(q.locked, tree, node, player):
        return
    enough = rare if tree.batch_start[node] >= 0 else _AHEAD * rare
    start = tree.regret_start[node, player]
    regrets = regret[start : start + sp.segment[kind, level, count] - sp.segment[kind, level, 0]]
    if drop_rare(sp, kind, level, count, regrets, enough, reach, sigma, flow, w.mixed, w.norm):
        split_range(sp, level, kind, count, sigma, reach, w.rest[depth, player], flow)


@entry
def drop_rare(
    sp: Spaces,
    kind: int,
    level: int,
    count: int,
    regret: Halves,
    enough: float,
    reach: F32,
    sigma: F32,
    flow: F32,
    mixed: F32,
    norm: F32,
) -> bool:
    """Drop the rarest action, and again, until all that are left are taken often enough, or one is left.

    Hands that hold one that is left share their play out among these as they have mixed them. Who has mixed
    none of them takes the one that he regrets most not to have played.

    Complexity: one pass over all (hand, action) pairs for each action that is dropped.

    ``count``: number of actions; ``regret`` ``[J] uint16``: by (hand, action) pair; ``enough``: flow an
    action must have more than; ``reach`` ``[N] float32``: range at the node; ``sigma`` ``[J] float32``:
    strategy, modified in place; ``flow`` ``[M] float32``: flow of each action under it, likewise;
    ``mixed``, ``norm`` [J] and [2, N] float32: work space.
    Returns whether any was dropped.
    """
    first, end = sp.segment[kind, level, 0], sp.segment[kind, level, count]
    left = 0
    for a in range(count):
        if flow[a] > ZERO:
            left |= 1 << a
    changed = False
    while True:
        rarest = -1
        for a in range(count):
            if (left >> a) & 1 and (rarest < 0 or flow[a] < flow[rarest]):
                rarest = a
        if rarest < 0 or flow[rarest] > enough or left == 1 << rarest:
            return changed
        left -= 1 << rarest
        if not changed:
            changed = True
            for j in range(end - first):
                mixed[j] = sigma[j]
        _move(sp, kind, level, count, left, regret, mixed, sigma, norm)
        for a in range(count):
            flow[a] = ZERO
            for j in range(sp.segment[kind, level, a], sp.segment[kind, level, a + 1]):
                flow[a] += sigma[j - first] * reach[sp.pair_state[j]]


@kernel
def _move(
    sp: Spaces,
    kind: int,
    level: int,
    count: int,
    left: int,
    regret: Halves,
    mixed: F32,
    sigma: F32,
    norm: F32,
) -> None:
    """Move all play to the actions that are left (bit a), with hands that have one.

    Modified in place: ``sigma`` ``[J]``, from ``mixed`` ``[J]``; ``norm`` ``[2, N]`` is work space.
    """
    first = sp.segment[kind, level, 0]
    mass, best = norm[0], norm[1]
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        mass[s] = ZERO
        best[s] = _LOW
    for a in range(count):
        if not (left >> a) & 1:
            continue
        for j in range(sp.segment[kind, level, a], sp.segment[kind, level, a + 1]):
            s = sp.pair_state[j]
            mass[s] += mixed[j - first]
            best[s] = max(best[s], whole(regret[j - first]))
    for a in range(count):
        stays = (left >> a) & 1
        for j in range(sp.segment[kind, level, a], sp.segment[kind, level, a + 1]):
            s = sp.pair_state[j]
            share = mixed[j - first]
            if best[s] > _LOW:
                if not stays:
                    share = ZERO
                elif mass[s] > _HARDLY:
                    share /= mass[s]
                elif whole(regret[j - first]) == best[s]:
                    share = ONE
                    best[s] = _TAKEN
                else:
                    share = ZERO
            sigma[j - first] = share


class Shipped(NamedTuple):
    """What the strategy of a merged tree is made of."""

    merged: MergedTree
    regret: Halves  # tables of the merged nodes
    average: Halves  # likewise, of those that have averages
    memory: F32  # [b, L, 2, K] of the merged records, calibrated (``remembered``)


@kernel
def forward_average(
    q: Problem,
    node: int,
    depth: int,
    player: int,
    shipped: Shipped,
    w: WalkScratch,
    sp: Spaces,
    least: float,
    rare: float,
) -> None:
    """Forward pass over a node for the strategy as shipped.

    That is the average where there is one, the latest one elsewhere, and rare actions dropped
    (``apply_threshold``).

    ``least``: flow up to which the range after an action is not needed; ``rare``: see ``apply_threshold``.

    Where a player decides alone, or hardly any play comes by, the latest play is about as good (measured on
    three slots: .424 GP instead of .413).
    """
    if (q.tree.acts[node] >> player) & 1:
        has_average = q.tree.regret_start[node, player] < shipped.average.size
        table = shipped.average if has_average else shipped.regret
        mix_actions(q, node, depth, player, table, w, sp, True)
        apply_threshold(q, node, depth, player, shipped.regret, rare, w, sp)
    forward_children(q, node, depth, player, w, sp, False, True, least)

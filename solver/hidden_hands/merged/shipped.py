"""The strategy of a merged tree as it is shipped (``docs/day-solver.md``, Strategies as shipped).

*Moment matching.* Of a final record only the cumulative reach of each action is remembered. Each action's
value is shifted until the accumulated range, sent through the hedge, reaches the actions as on average.

*Thresholding* (Ganzfried, Sandholm and Waugh 2012). A public action that hardly any play takes costs its
owner far more in what can be proved than it brings, so it is not played.

Letters as in ``walk_memory``.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.decisions.forward import forward_children, mix_actions
from solver.hidden_hands.decisions.ranges import split_range
from solver.hidden_hands.final.hedging import INVERSE_TEMPERATURE, push
from solver.hidden_hands.final.means import prepare
from solver.hidden_hands.final.steps import NEAR, descend, draw_chains
from solver.hidden_hands.final_state import FinalGame, FinalScratch, FinalState, Frame
from solver.hidden_hands.jit import F32, ONE, ZERO, Halves, entry, kernel, whole
from solver.hidden_hands.merged_tree import MergedPlay
from solver.hidden_hands.spaces import Spaces
from solver.hidden_hands.tree import LANES, MAX_LINKS, action_counts
from solver.hidden_hands.walk_memory import Problem, WalkScratch, is_locked

_ROUNDS, _ROUNDS_DEEP = 24, 8
"""How often reaches are matched, and beyond what every visit goes to."""
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
    """Shift a record's action values until the range ``z.mass[level]`` reaches the actions as on average."""
    batch, num = z.batch[slot], frame.num_actions
    scale, q = state.scale[batch, player], z.mean_q[slot, player]
    target = state.reach[batch, player]
    rounds = _ROUNDS if level <= NEAR else _ROUNDS_DEEP
    for number in range(rounds + 1):
        push(level, slot, player, scale, z, frame, groups)
        if number == rounds:
            return
        for lane in range(LANES):
            wanted = got = ZERO
            for a in range(num):
                wanted += target[a, lane]
                got += z.action_reach[a, lane]
            if wanted <= ZERO or got <= ZERO:
                continue
            scaled = INVERSE_TEMPERATURE / np.sqrt(max(scale[lane], _TINY))
            for a in range(num):
                want, have = target[a, lane] / wanted, z.action_reach[a, lane] / got
                if want < _LEAST and have < _LEAST:
                    continue
                by = np.log(max(want, _LEAST) / max(have, _LEAST)) / scaled
                shift[a, lane] += by
                q[a, lane] += by


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
"""How many times the least reach an action must have where decisions follow: their actions share it."""


@kernel
def apply_threshold(
    q: Problem, node: int, depth: int, player: int, regret: Halves, rare: float, w: WalkScratch, sp: Spaces
) -> None:
    """Drop the rare part of what a player has mixed at a node, if it comes there with more than ``rare``.

    Modified in place: ``w.sigma``, ``w.rest`` and ``w.action_reach`` at ``depth``.

    ``regret`` ``[*] uint16``: of the merged nodes; ``rare``: reach up to which an action is dropped: no less
    than what is not followed, so that nothing is dropped where a certificate counts what merged nodes say.
    """
    tree, sigma, reach = q.tree, w.sigma[depth, player], w.reach[depth, player]
    action_reach = w.action_reach[depth, player]
    kind, level = tree.kind[node], tree.level[node, player]
    count = action_counts(tree, node, q.types, q.stocks.shape[1])[player]
    total = ZERO
    for a in range(count):
        total += action_reach[a]
    if total <= rare or is_locked(q.locked, tree, node, player):
        return
    enough = rare if tree.batch_start[node] >= 0 else _AHEAD * rare
    start = tree.regret_start[node, player]
    regrets = regret[start : start + sp.segment[kind, level, count] - sp.segment[kind, level, 0]]
    if drop_rare(sp, kind, level, count, regrets, enough, action_reach, sigma, w.norm):
        split_range(sp, level, kind, count, sigma, reach, w.rest[depth, player], action_reach)


@entry
def drop_rare(
    sp: Spaces,
    kind: int,
    level: int,
    count: int,
    regret: Halves,
    enough: float,
    action_reach: F32,
    sigma: F32,
    norm: F32,
) -> bool:
    """Drop all actions that are not taken often enough, but the one taken most; return whether there are any.

    Hands that hold one that is left share their play out among these as they have mixed them. Who has mixed
    none of them takes the one that it regrets most not to have played. Others keep what they have.

    ``count``: number of actions; ``regret`` ``[J] uint16``: by (hand, action) pair; ``enough``: reach an
    action must have more than; ``action_reach`` ``[M] float32``: of each; ``sigma`` ``[J] float32``:
    strategy, modified in place; ``norm`` ``[2, N] float32``: work space.
    """
    first, left, most, drops = sp.segment[kind, level, 0], 0, 0, False
    for a in range(count):
        left |= (1 << a) if action_reach[a] > enough else 0
        most = a if action_reach[a] > action_reach[most] else most
    left |= 1 << most
    mass, best = norm[0], norm[1]
    for s in range(sp.level_start[level + 1] - sp.level_start[level]):
        mass[s], best[s] = ZERO, _LOW
    for a in range(count):
        stays = (left >> a) & 1
        drops = drops or (not stays and action_reach[a] > ZERO)
        if not stays:
            continue
        for j in range(sp.segment[kind, level, a], sp.segment[kind, level, a + 1]):
            s = sp.pair_state[j]
            mass[s] += sigma[j - first]
            best[s] = max(best[s], whole(regret[j - first]))
    for a in range(count if drops else 0):
        stays = (left >> a) & 1
        for j in range(sp.segment[kind, level, a], sp.segment[kind, level, a + 1]):
            s = sp.pair_state[j]
            if best[s] == _LOW:
                continue
            share = ZERO
            if stays and mass[s] > _HARDLY:
                share = sigma[j - first] / mass[s]
            elif stays and whole(regret[j - first]) == best[s]:
                share, best[s] = ONE, _TAKEN
            sigma[j - first] = share
    return drops


@kernel
def forward_average(
    q: Problem,
    node: int,
    depth: int,
    player: int,
    shipped: MergedPlay,
    w: WalkScratch,
    sp: Spaces,
    least: float,
    rare: float,
) -> None:
    """Forward pass over a node for the strategy as shipped.

    That is the average where there is one, the latest one elsewhere, and rare actions dropped.

    ``least``: reach up to which the range after an action is not needed; ``rare``: see ``apply_threshold``.

    Where a player decides alone, or hardly any play comes by, the latest play is about as good (measured on
    three slots: .424 GP instead of .413).
    """
    if (q.tree.acts[node] >> player) & 1:
        has_average = q.tree.regret_start[node, player] < shipped.average.size
        table = shipped.average if has_average else shipped.regret
        mix_actions(q, node, depth, player, table, w, sp, True)
        apply_threshold(q, node, depth, player, shipped.regret, rare, w, sp)
    forward_children(q, node, depth, player, w, sp, False, True, least)

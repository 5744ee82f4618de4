"""The final step: a bilinear game over supports, solved by hedging against the opponent's average.

At the last placement every hand sees the same action values, so a player's state shrinks to its *support
index* (see ``spaces``): how many chain items it holds and which other types. A record keeps only the two
players' cumulative reach per action, and what the cumulative reach of lone chain items was worth against each
opposing action. Everything else (action values, strategies, values of chains) is recomputed from them at
every visit.

A visit serves one learner: the other player's range is pushed through the record, the learner's values are
pulled out of it. All arrays have the eight lanes of a batch as their last axis; kernels loop over them
innermost, element by element, so that the compiler turns each such loop into one vector instruction.

Letters as in ``final_state``. Where both players place chain types, a further record is *nested* in this
one.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.final.draws import (
    caps_after,
    caps_of,
    clear_index,
    copy_hands,
    forward_draw,
    lone_ranges,
    lone_values,
    lone_worth,
)
from solver.hidden_hands.final.hedging import mix_strategy, push
from solver.hidden_hands.final.means import add_nested, appraise, prepare, pull_chains
from solver.hidden_hands.final_state import FinalGame, FinalScratch, FinalState, Frame
from solver.hidden_hands.jit import F32, ZERO, inlined, kernel, pointed
from solver.hidden_hands.tree import LANES, MAX_LINKS

NEAR = 1
"""How deep records are nested that every visit goes to."""


@kernel
def draw_chains(level: int, slot: int, player: int, z: FinalScratch, frame: Frame, num_groups: int) -> None:
    """Push ``z.after`` of the level through the draws."""
    bits = 1 << frame.num_plain
    second = frame.second_max + 1
    size = (frame.first_max + 1) * second * bits
    drawn = z.spare[1]
    for which in range(frame.num_chain):
        if not z.caps[slot, player, which] > 0:
            continue
        first, last = caps_after(z.caps[slot, player], which, frame)
        kind = frame.max_chain if which else 0
        after = z.after[level, which]
        for group in range(num_groups):
            base = group * size
            forward_draw(after, drawn, z.draw[slot, player, kind, group], frame, base, first, last)
            copy_hands(drawn, after, frame, base, first, last, 0)


@inlined
def _play(
    level: int,
    slot: int,
    step: np.float32,
    learner: int,
    groups: int,
    opp_groups: int,
    state: FinalState,
    z: FinalScratch,
    frame: Frame,
    learns: bool,
) -> None:
    """Play a record: strategies, the opponent's reach, memory, and the values that need no nested record."""
    num, plain = frame.num_actions, frame.num_plain
    batch, opp = z.batch[slot], 1 - learner
    push(level, slot, opp, state.scale[batch, opp], z, frame, opp_groups)
    if learns:
        mix_strategy(level, slot, learner, state.scale[batch, learner], z, frame, groups)
    q = z.now_q[level]
    for a in range(num):
        for lane in range(LANES):
            state.reach[batch, opp, a, lane] += step * z.action_reach[a, lane]
            q[a, lane] = ZERO
    for a in range(num):
        for b in range(num):
            if learner == 0:
                for lane in range(LANES):
                    q[a, lane] += z.pay[slot, a, b, lane] * z.action_reach[b, lane]
            else:
                for lane in range(LANES):
                    q[b, lane] -= z.pay[slot, a, b, lane] * z.action_reach[a, lane]
    if frame.num_chain == 0:
        return
    draw_chains(level, slot, opp, z, frame, opp_groups)
    if z.caps[slot, opp, 0] > 0:
        lone_ranges(slot, opp, z.after[level, 0], z, frame, opp_groups)
        worth = z.worth
        lone_worth(slot, opp, worth, z, frame, opp_groups)
        for a in range(plain):
            for lane in range(LANES):
                state.lone[batch, opp, a, lane] += step * worth[a, lane]
                q[a, lane] -= worth[a, lane]
    if not learns:
        return
    for which in range(frame.num_chain):
        if z.caps[slot, learner, which] > 0:
            first, last = caps_after(z.caps[slot, learner], which, frame)
            clear_index(z.now_chain[level, which], first, last, frame, groups)
    if z.caps[slot, learner, 0] > 0:
        lone_values(slot, learner, z.action_reach, z.now_chain[level, 0], z, frame, groups)


@kernel
def descend(
    level: int, slot: int, link: int, learner: int, z: FinalScratch, frame: Frame, groups: int
) -> None:
    """Hand the opponent's range down to a nested record."""
    second = frame.second_max + 1
    bits = 1 << frame.num_plain
    size = (frame.first_max + 1) * second * bits
    opp = 1 - learner
    which = link // 2 if opp == 0 else link % 2
    first, last = caps_after(z.caps[slot, opp], which, frame)
    source, target = z.after[level, which], z.mass[level + 1]
    for group in range(groups):
        copy_hands(source, target, frame, group * size, first, last, 0)


@kernel
def _widen(
    slot: int, learner: int, step: np.float32, q: F32, scale: F32, z: FinalScratch, frame: Frame
) -> None:
    """Add a visit's range of action values, squared, to those accumulated."""
    low, high = z.bottom, z.top
    for lane in range(LANES):
        low[lane] = np.float32(1e30)
        high[lane] = np.float32(-1e30)
    for a in range(frame.num_plain):
        for lane in range(LANES):
            if z.avail[slot, learner, a, lane] > ZERO:
                low[lane] = min(low[lane], q[a, lane])
                high[lane] = max(high[lane], q[a, lane])
    for lane in range(LANES):
        spread = step * max(high[lane] - low[lane], ZERO)
        scale[lane] += spread * spread


@inlined
def _collect_values(
    level: int,
    slot: int,
    step: np.float32,
    learner: int,
    groups: int,
    state: FinalState,
    z: FinalScratch,
    frame: Frame,
) -> None:
    """The learner's values under the strategies just played, once those of nested records are in."""
    if frame.num_chain:
        pull_chains(slot, learner, z.now_chain[level], z, frame, groups)
    plain, num = frame.num_plain, frame.num_actions
    bits = 1 << plain
    second = frame.second_max + 1
    size = (frame.first_max + 1) * second * bits
    q, part, plainly = z.now_q[level], z.part[level], z.plainly[level]
    share, after = z.share[level], z.now_chain[level]
    total, line = z.total, z.line
    out = z.value[learner]
    first, last = caps_of(z.caps[slot, learner], frame)
    for lane in range(LANES):
        total[0, lane] = ZERO
    for i in range(plain):
        half = 1 << i
        for s in range(half):
            for lane in range(LANES):
                line[lane] = total[s, lane] + part[half + s, lane] * (q[i, lane] - total[s, lane])
            for lane in range(LANES):
                total[half + s, lane] = line[lane]
    for group in range(groups):
        base = group * size
        for v in range(frame.first_max + 1):
            for c in range(second):
                block = base + (v * second + c) * bits
                if v > first or c > last:
                    # Nobody can hold these. The caller of the whole visit reads them all the same.
                    if level == 0:
                        for r in range(frame.room[v + c]):
                            for lane in range(LANES):
                                out[block + frame.order[r], lane] = ZERO
                    continue
                here = out[block : block + bits]
                if v == 0 and c == 0:
                    for r in range(frame.room[0]):
                        s = frame.order[r]
                        for lane in range(LANES):
                            here[s, lane] = total[s, lane]
                    continue
                share_here = plainly[block : block + bits]
                for r in range(frame.room[v + c]):
                    s = frame.order[r]
                    for lane in range(LANES):
                        here[s, lane] = total[s, lane] * share_here[s, lane]
                for which in range(2):
                    if (v if which == 0 else c) == 0:
                        continue
                    share_here = share[which, block : block + bits]
                    fewer = block - (bits if which else second * bits)
                    worth = after[which, fewer : fewer + bits]
                    for r in range(frame.room[v + c]):
                        s = frame.order[r]
                        for lane in range(LANES):
                            here[s, lane] += share_here[s, lane] * (q[plain + which, lane] + worth[s, lane])
        if frame.has_nothing:
            for lane in range(LANES):
                out[base, lane] = q[num - 1, lane]
    _widen(slot, learner, step, q, state.scale[z.batch[slot], learner], z, frame)


@kernel
def _shift(state: FinalState, z: FinalScratch, frame: Frame) -> None:
    """Move the action values of all records in their slots by what ``calibrate_batch`` has found."""
    for slot in range(z.used[0]):
        for p in range(2):
            for a in range(frame.num_actions):
                for lane in range(LANES):
                    z.mean_q[slot, p, a, lane] += state.shift[z.batch[slot], p, a, lane]


@inlined
def _has_lanes(z: FinalScratch, state: FinalState) -> bool:
    """Always true; what follows such a question is compiled for rows of exactly so many numbers."""
    all_have: bool = (
        z.best.shape[1] == LANES
        and z.total.shape[1] == LANES
        and z.down.shape[1] == LANES
        and z.their_part.shape[1] == LANES
        and z.part.shape[2] == LANES
        and z.mass.shape[2] == LANES
        and z.value.shape[2] == LANES
        and z.plainly.shape[2] == LANES
        and z.pay.shape[3] == LANES
        and z.mean_q.shape[3] == LANES
        and z.now_q.shape[2] == LANES
        and z.action_reach.shape[1] == LANES
        and state.reach.shape[3] == LANES
    )
    return all_have


@pointed
def hedge_batch(
    batch: int,
    weight: float,
    learner: int,
    g: FinalGame,
    hidden: tuple[F32, F32],
    state: FinalState,
    z: FinalScratch,
    learns: bool,
    deep: int,
) -> None:
    """One visit to a batch of final records: play, remember, return values.

    The opponent's range ``z.mass[0]`` and, in slot 0, ``z.pool``, ``z.stock`` and ``z.held`` are the input;
    if it ``learns``, ``z.value[learner]`` holds the learner's counterfactual values of all hands afterwards.
    Nested records are visited depth first with an explicit stack.

    ``weight``: weight of this visit in the averages; ``learner``: whose values are wanted. It is the other
    player's reach that is remembered: what one learns from is what one has met (accumulating one's own reach
    instead would anticipate the other side's next move, which converges markedly more slowly); ``hidden`` two
    of [G, T] float32: hidden items of each group, per player; ``deep``: 0: records nested deeper than
    ``NEAR`` are left out, and count at what they were worth on average (``state.mean``). Else they are
    visited, and remember this visit as so many.
    """
    frame, groups, opp_groups = g.frame, hidden[learner].shape[0], hidden[1 - learner].shape[0]
    if not _has_lanes(z, state):
        return
    z.batch[0] = batch
    who = 3 if learns else 2 >> learner
    most = frame.num_levels if deep else NEAR
    prepare(g, hidden, state, z, who, most)
    if state.shift.shape[0] > 0:
        _shift(state, z, frame)
    level, at = 0, 0
    entering = True
    while True:
        step = np.float32(weight * deep if level > NEAR else weight)
        if entering:
            z.link[at] = 0
            _play(level, at, step, learner, groups, opp_groups, state, z, frame, learns)
            entering = False
        link = z.link[at]
        if frame.num_chain and link < MAX_LINKS:
            if z.child[at, link] < 0:
                z.link[at] += 1
                continue
            descend(level, at, link, learner, z, frame, opp_groups)
            at = z.child[at, link]
            level += 1
            entering = True
            continue
        if learns:
            _collect_values(level, at, step, learner, groups, state, z, frame)
            if level > NEAR and state.mean.shape[0] > 0:
                appraise(at, state, z, frame)
        if level == 0:
            return
        level -= 1
        at = z.parent[at]
        if learns:
            add_nested(at, learner, z.link[at], z.now_chain[level], z, frame, groups)
        z.link[at] += 1

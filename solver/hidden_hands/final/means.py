"""What the final step's memory says: accumulated action values of a record and of all nested in it.

Letters as in ``final_state``.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.final.draws import (
    adjoint_draw,
    caps_after,
    caps_of,
    clear_index,
    copy_hands,
    lone_values,
    set_draw_weights,
    tabulate_tops,
)
from solver.hidden_hands.final_state import FinalGame, FinalScratch, FinalState, FinalTables, Frame
from solver.hidden_hands.jit import F32, I32, I64, ONE, ZERO, inlined, kernel
from solver.hidden_hands.tree import LANES, MAX_LINKS


@kernel
def _load(slot: int, batch: int, joints: I64, tables: FinalTables, z: FinalScratch, frame: Frame) -> None:
    """Bring a batch's payoffs and masks into the lanes (zero in idle lanes)."""
    num, live, line = frame.num_actions, z.top, z.line
    for lane in range(LANES):
        live[lane] = ONE if joints[batch, lane] >= 0 else ZERO
    # Lanes innermost: they lie far apart, and memory is slow, but fetches for all of them at the same time.
    for a in range(num):
        for b in range(num):
            for lane in range(LANES):
                line[lane] = live[lane] * np.float32(tables.pay[max(joints[batch, lane], 0), a, b])
            for lane in range(LANES):
                z.pay[slot, a, b, lane] = line[lane]
        for p in range(2 if frame.num_chain else 0):
            for lane in range(LANES):
                line[lane] = live[lane] * np.float32(tables.alone[max(joints[batch, lane], 0), p, a])
            for lane in range(LANES):
                z.alone[slot, p, a, lane] = line[lane]


@kernel
def _set_draws(
    slot: int, player: int, types: I64, hidden: F32, z: FinalScratch, frame: Frame, num_groups: int
) -> None:
    """Draw weights after each possible chain placement of a player."""
    plain, chain = frame.num_plain, frame.num_chain
    num_types = z.pool.shape[2]
    pool = z.counts
    plain_types = types[:plain]
    chain_types = types[plain : plain + chain]
    for lane in range(LANES):
        for kind in range(frame.max_chain + 1 if chain > 1 else (frame.max_chain if chain else 0)):
            which = 1 if kind == frame.max_chain else 0
            if z.caps[slot, player, which] <= (0 if which else kind):
                continue
            placed = 1 if which else kind + 1
            for t in range(num_types):
                pool[t] = z.pool[slot, player, t, lane]
            pool[chain_types[which]] -= placed
            held = z.held[slot, player, lane]
            stock = z.stock[slot, player, lane]
            for _ in range(placed - 1):
                if stock > 0:
                    stock -= 1
                else:
                    held -= 1
            for group in range(num_groups):
                weights, away = z.draw[slot, player, kind, group], hidden[group]
                set_draw_weights(
                    weights, lane, plain_types, chain_types, pool, away, int(held) - 1, int(stock)
                )


@kernel
def _set_held(slot: int, player: int, types: I64, z: FinalScratch, frame: Frame) -> None:
    """What types a player may still hold, and the most items of each chain type."""
    for a in range(frame.num_actions):
        for lane in range(LANES):
            z.avail[slot, player, a, lane] = (
                ONE if types[a] < 0 or z.pool[slot, player, types[a], lane] > ZERO else ZERO
            )
    for which in range(2):
        most = 0
        if which < frame.num_chain:
            for lane in range(LANES):
                most = max(most, int(z.pool[slot, player, types[frame.num_plain + which], lane]))
        z.caps[slot, player, which] = most


@kernel
def _nest(slot: int, child: int, link: int, batch: int, types: I64, z: FinalScratch, frame: Frame) -> None:
    """Make a slot for the record after both placed chain types: public counts and where it hangs."""
    z.child[slot, link] = child
    z.parent[child] = slot
    z.batch[child] = batch
    for p in range(2):
        which = link // 2 if p == 0 else link % 2
        item = types[frame.num_plain + which]
        for t in range(z.pool.shape[2]):
            for lane in range(LANES):
                z.pool[child, p, t, lane] = z.pool[slot, p, t, lane]
        for lane in range(LANES):
            z.pool[child, p, item, lane] -= ONE
            stock = z.stock[slot, p, lane]
            z.stock[child, p, lane] = max(stock - ONE, ZERO)
            z.held[child, p, lane] = z.held[slot, p, lane] - (ZERO if stock > ZERO else ONE)


@kernel
def pull_chains(
    slot: int, player: int, chain_values: F32, z: FinalScratch, frame: Frame, num_groups: int
) -> None:
    """Pull a player's values after chain items (``[2, G*I, L]``) back through the draw, in place."""
    second = frame.second_max + 1
    bits = 1 << frame.num_plain
    size = (frame.first_max + 1) * second * bits
    pulled = z.spare[1]
    for which in range(frame.num_chain):
        if not z.caps[slot, player, which] > 0:
            continue
        kind = frame.max_chain if which else 0
        first, last = caps_after(z.caps[slot, player], which, frame)
        values = chain_values[which]
        for group in range(num_groups):
            base = group * size
            adjoint_draw(values, pulled, z.draw[slot, player, kind, group], frame, base, first, last)
            copy_hands(pulled, values, frame, base, first, last, 1)


@kernel
def add_nested(
    slot: int, player: int, link: int, chain_values: F32, z: FinalScratch, frame: Frame, num_groups: int
) -> None:
    """Add the values of a nested record (``z.value``) to those after the chain item that led there."""
    second = frame.second_max + 1
    bits = 1 << frame.num_plain
    size = (frame.first_max + 1) * second * bits
    which = link // 2 if player == 0 else link % 2
    first, last = caps_of(z.caps[z.child[slot, link], player], frame)
    for group in range(num_groups):
        for v in range(first + 1):
            for c in range(last + 1):
                block = group * size + (v * second + c) * bits
                here, more = chain_values[which, block : block + bits], z.value[player, block : block + bits]
                for r in range(frame.room[v + c]):
                    s = frame.order[r]
                    for lane in range(LANES):
                        here[s, lane] += more[s, lane]


@inlined
def _mean_values(
    slot: int, g: FinalGame, hidden: tuple[F32, F32], state: FinalState, z: FinalScratch, who: int
) -> None:
    """Accumulated action values of a record; ``z.pay`` tells what follows when both players place chain
    types."""
    frame, batch = g.frame, z.batch[slot]
    num, plain = frame.num_actions, frame.num_plain
    q, reach = z.mean_q[slot], state.reach[batch]
    for a in range(num):
        for lane in range(LANES):
            q[0, a, lane] = ZERO
            q[1, a, lane] = ZERO
    for a in range(num):
        for b in range(num):
            for lane in range(LANES):
                q[0, a, lane] += z.pay[slot, a, b, lane] * reach[1, b, lane]
            for lane in range(LANES):
                q[1, b, lane] -= z.pay[slot, a, b, lane] * reach[0, a, lane]
    for p in range(2):
        _set_held(slot, p, g.types, z, frame)
        if not (who >> p) & 1:
            continue
        groups = hidden[p].shape[0]
        _set_draws(slot, p, g.types, hidden[p], z, frame, groups)
        if frame.num_chain == 0:
            continue
        for a in range(plain):
            for lane in range(LANES):
                q[p, a, lane] -= state.lone[batch, 1 - p, a, lane]
        for which in range(frame.num_chain):
            if z.caps[slot, p, which] > 0:
                first, last = caps_after(z.caps[slot, p], which, frame)
                clear_index(z.mean_chain[slot, p, which], first, last, frame, groups)
        if z.caps[slot, p, 0] > 0:
            tabulate_tops(slot, batch, p, g.joints, g.tables, z, frame)
            lone_values(slot, p, reach[1 - p], z.mean_chain[slot, p, 0], z, frame, groups)


@kernel
def _stand_in(slot: int, links: I32, state: FinalState, z: FinalScratch, frame: Frame) -> None:
    """What nested records are worth takes the place of payoffs that both players' chain items lead to."""
    plain = frame.num_plain
    for link in range(MAX_LINKS):
        below = links[z.batch[slot], link]
        if below >= 0:
            for lane in range(LANES):
                z.pay[slot, plain + link // 2, plain + link % 2, lane] = state.mean[below, lane]


@kernel
def appraise(slot: int, state: FinalState, z: FinalScratch, frame: Frame) -> None:
    """Note in ``state.mean`` what a record is worth to player 0, as the cumulative reach of both players
    goes.

    Records nested in it count at what has been noted of them.
    """
    num, plain, batch = frame.num_actions, frame.num_plain, z.batch[slot]
    reach, lone, worth = state.reach[batch], state.lone[batch], state.mean[batch]
    ours, theirs, line = z.top, z.bottom, z.line
    for lane in range(LANES):
        worth[lane] = ours[lane] = theirs[lane] = ZERO
    for a in range(num):
        for lane in range(LANES):
            ours[lane] += reach[0, a, lane]
            theirs[lane] += reach[1, a, lane]
            line[lane] = ZERO
        for b in range(num):
            for lane in range(LANES):
                line[lane] += z.pay[slot, a, b, lane] * reach[1, b, lane]
            if plain <= a < plain + frame.num_chain and plain <= b < plain + frame.num_chain:
                child = z.child[slot, 2 * (a - plain) + b - plain]
                if child >= 0:
                    for lane in range(LANES):
                        line[lane] += state.mean[z.batch[child], lane] * reach[1, b, lane]
        for lane in range(LANES):
            worth[lane] += line[lane] * reach[0, a, lane]
    for a in range(plain):
        for lane in range(LANES):
            worth[lane] += lone[0, a, lane] * reach[1, a, lane] - lone[1, a, lane] * reach[0, a, lane]
    for lane in range(LANES):
        both = ours[lane] * theirs[lane]
        worth[lane] = worth[lane] / both if both > ZERO else ZERO


@kernel
def _best_values(slot: int, player: int, z: FinalScratch, frame: Frame, num_groups: int) -> None:
    """Value of every hand if its owner best-responds to the accumulated play of the other side."""
    plain, num = frame.num_plain, frame.num_actions
    bits = 1 << plain
    second = frame.second_max + 1
    q = z.mean_q[slot, player]
    best, line = z.total, z.line
    out = z.value[player]
    for lane in range(LANES):
        best[0, lane] = np.float32(-1e30)
    for i in range(plain):
        size = 1 << i
        for s in range(size):
            for lane in range(LANES):
                line[lane] = max(best[s, lane], q[i, lane])
            for lane in range(LANES):
                best[size + s, lane] = line[lane]
    first, last = caps_of(z.caps[slot, player], frame)
    after = z.mean_chain[slot, player]
    for group in range(num_groups):
        base = group * (frame.first_max + 1) * second * bits
        for v in range(first + 1):
            for c in range(last + 1):
                block = base + (v * second + c) * bits
                here = out[block : block + bits]
                for r in range(frame.room[v + c]):
                    s = frame.order[r]
                    for lane in range(LANES):
                        here[s, lane] = best[s, lane]
                for which in range(2):
                    if (v if which == 0 else c) == 0:
                        continue
                    fewer = block - (bits if which else second * bits)
                    worth = after[which, fewer : fewer + bits]
                    for r in range(frame.room[v + c]):
                        s = frame.order[r]
                        for lane in range(LANES):
                            here[s, lane] = max(here[s, lane], q[plain + which, lane] + worth[s, lane])
        for lane in range(LANES):
            out[base, lane] = q[num - 1, lane] if frame.has_nothing else ZERO


@inlined
def prepare(
    g: FinalGame, hidden: tuple[F32, F32], state: FinalState, z: FinalScratch, who: int, most: int
) -> None:
    """Accumulated action values of slot 0 and of all records nested in it, each in a slot of its own.

    Depth first with explicit parents. A nested record counts at what a best response to the accumulated play
    is worth there.

    ``who``: bit p: those of player p are wanted; ``most``: how deep records may be nested. What lies deeper
    is left out, and counts at ``state.mean``.
    """
    frame = g.frame
    at, used, level = 0, 1, 0
    entering = True
    while True:
        if entering:
            _load(at, z.batch[at], g.joints, g.tables, z, frame)
            if level == most and frame.num_chain:
                _stand_in(at, g.links, state, z, frame)
            _mean_values(at, g, hidden, state, z, who)
            if frame.num_chain == 0:
                z.used[0] = used
                return
            z.link[at] = 0
            entering = False
        link = z.link[at]
        if link < MAX_LINKS:
            batch = g.links[z.batch[at], link]
            # The tree's links are an upper bound: it does not know what each lane has left.
            missing = not (z.caps[at, 0, link // 2] > 0 and z.caps[at, 1, link % 2] > 0)
            if batch < 0 or level == most or missing:
                z.child[at, link] = -1
                z.link[at] += 1
                continue
            _nest(at, used, link, batch, g.types, z, frame)
            at = used
            used += 1
            level += 1
            entering = True
            continue
        for p in range(2):
            if (who >> p) & 1:
                pull_chains(at, p, z.mean_chain[at, p], z, frame, hidden[p].shape[0])
        if at == 0:
            z.used[0] = used
            return
        for p in range(2):
            if (who >> p) & 1:
                _best_values(at, p, z, frame, hidden[p].shape[0])
        at = z.parent[at]
        level -= 1
        for p in range(2):
            if (who >> p) & 1:
                add_nested(at, p, z.link[at], z.mean_chain[at, p], z, frame, hidden[p].shape[0])
        z.link[at] += 1

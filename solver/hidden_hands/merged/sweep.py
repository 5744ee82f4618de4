"""One learner's pass over a merged tree: ranges on the way down, values on the way up.

On the way down a node collects the range of the learner's opponent, summed over all histories that lead there
and weighted with how likely the learner itself comes by each; on the way up it keeps the learner's value of
each hand per unit of that range. Final records are nodes as well, with one number per support a hand may
have; hidden items are not distinguished there.

In a symmetry quotient only player 0 learns. A pass goes to one half of the root's children, the next one to
their images; records are visited for either seat in turn. In a large tree *updates are partial* (``layers``):
who is left out hands nothing on, and is worth what it was worth when last visited.

A generation is swept in chunks of nodes. Within a chunk nodes go forward independently, then what they hand
on is added up child by child in the order of nodes, so results do not depend on the number of threads.
Letters as in ``walk_memory`` and ``merging``.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.decisions.backward import backward_node
from solver.hidden_hands.decisions.forward import end_values, forward_player
from solver.hidden_hands.decisions.ranges import total_of
from solver.hidden_hands.final.visits import Hedge, final_game, play_batch
from solver.hidden_hands.final_state import FinalScratch, FinalState
from solver.hidden_hands.jit import F32, ONE, ZERO, Halves, entry, halved, kernel, whole
from solver.hidden_hands.merged.layers import Layers, length_after
from solver.hidden_hands.merged.shipped import calibrate_batch
from solver.hidden_hands.merged_tree import MergedTree, mirror_image
from solver.hidden_hands.spaces import Spaces
from solver.hidden_hands.tree import LANES, action_counts
from solver.hidden_hands.walk_memory import Problem, Step, WalkScratch, index_size

FLOOR = 1e-3
"""Least weight of an own action in the mean over histories, so that what is rarely done is trained, too."""

_LEAST_OWN = 1e-20
"""Least weight of all own actions together: single precision has no number for one over much less."""

_LEAST = np.float32(1e-30)
"""What the other side must bring to a place, at least, to be met there, for the same reason."""

DEEP = 4
"""Of how many visits to a final record one goes to all that is nested in it."""

DEEP_QUOTIENT = DEEP + 1
"""The same in symmetry quotients: an odd number, for a batch may come by in every other pass only."""


@entry
def push_down(
    q: Problem,
    merged: MergedTree,
    first: int,
    last: int,
    learner: int,
    weight: float,
    time: int,
    regret: Halves,
    average: Halves,
    layers: Layers,
    out: F32,
    w: WalkScratch,
) -> None:
    """Forward pass over nodes ``first`` to ``last`` (exclusive) for the learner's opponent, and add to its
    averages.

    Fills ``layers.mass`` and ``layers.share`` of the nodes, the latter of their mirror images as well, and
    ``out``: from ``layers.out[opponent, first]`` on, action by action, the range after the draw and, where
    final steps follow, by support.
    """
    opp = 1 - learner
    sp = q.spaces0 if opp == 0 else q.spaces1
    base = layers.out[opp, first]
    for node in range(first, last):
        layers.mass[node] = ZERO
        if layers.place[node] < 0 or layers.own[node] <= 0.0:
            continue
        unit = np.float32(1.0 / layers.own[node])
        level = q.tree.level[node, opp]
        states = sp.level_start[level + 1] - sp.level_start[level]
        numbers = layers.numbers[layers.place[node] : layers.place[node] + states]
        reach = w.reach[0, opp, :states]
        for s in range(states):
            reach[s] = numbers[s] * unit
        total = total_of(reach)
        if total <= _LEAST:
            continue
        layers.mass[node] = total
        forward_player(q, node, 0, opp, regret, w, sp, False, True, -1.0)
        count = action_counts(q.tree, node, q.types, q.stocks.shape[1])[opp]
        if (q.tree.acts[node] >> opp) & 1:
            image = mirror_image(merged, node)
            for a in range(count):
                layers.share[node, opp, a] = w.action_reach[0, opp, a] / total
                if merged.quotient:
                    layers.share[image, learner, a] = layers.share[node, opp, a]
            if q.tree.regret_start[node, opp] < average.size:
                _add_average(q, sp, node, opp, count, weight, time, average, w)
        place = layers.out[opp, node] - base
        groups_at = q.tree.batch_start[node] >= 0
        for a in range(count):
            length = length_after(q, sp, node, opp, a)
            after = out[place : place + length]
            for s in range(length):
                after[s] = w.onward[0, opp, a, s]
            place += length
            if groups_at:
                columns = w.columns[0, opp, a // LANES]
                if a % LANES == 0:
                    _add_up_groups(q, sp, node, opp, a, columns)
                supports, lane = out[place : place + q.frame.rows.size], a % LANES
                for k in range(supports.size):
                    supports[k] = columns[q.frame.rows[k], lane]
                place += supports.size


@kernel
def _add_up_groups(q: Problem, sp: Spaces, node: int, player: int, action: int, columns: F32) -> None:
    """Add all sets of hidden items to the first one, for actions side by side from one on.

    What an action has no set for is zero.
    """
    size = index_size(q)
    last = min(action + LANES, action_counts(q.tree, node, q.types, q.stocks.shape[1])[player])
    groups = 1
    for a in range(action, last):
        groups = max(groups, _groups_after(q, sp, node, player, a))
    for group in range(1, groups):
        more = columns[group * size : (group + 1) * size]
        for k in range(q.frame.rows.size):
            row = q.frame.rows[k]
            for lane in range(LANES):
                columns[row, lane] += more[row, lane]


@kernel
def _groups_after(q: Problem, sp: Spaces, node: int, player: int, action: int) -> int:
    """How many sets of hidden items final steps distinguish after an action."""
    if not q.keep_groups:
        return 1
    level = q.tree.level[node, player]
    if (q.tree.acts[node] >> player) & 1:
        level = sp.remainder_level[q.tree.kind[node], level, action]
    groups: int = sp.group_start[level + 1] - sp.group_start[level]
    return groups


@kernel
def _add_average(
    q: Problem,
    sp: Spaces,
    node: int,
    player: int,
    count: int,
    weight: float,
    time: int,
    average: Halves,
    w: WalkScratch,
) -> None:
    """Add a player's strategy to its average, hand by hand as likely as it comes here."""
    kind, level = q.tree.kind[node], q.tree.level[node, player]
    begin, end = sp.segment[kind, level, 0], sp.segment[kind, level, count]
    slot = q.tree.regret_start[node, player]
    scale, salt = np.float32(weight), 2 * time + player
    states, reach, sigma = sp.pair_state[begin:end], w.reach[0, player], w.sigma[0, player]
    sums = average[slot : slot + states.size]
    # What nothing is added to comes out as it was.
    for j in range(states.size):
        more = scale * reach[states[j]] * sigma[j]
        sums[j] = halved(whole(sums[j]) + more, slot + j, salt)


@entry
def hand_on(
    q: Problem,
    merged: MergedTree,
    first: int,
    last: int,
    learner: int,
    part: int,
    parts: int,
    layers: Layers,
    out: F32,
) -> None:
    """Add up what ``push_down`` left in ``out`` at the children, those of every ``parts``-th number."""
    opp = 1 - learner
    sp = q.spaces0 if opp == 0 else q.spaces1
    base = layers.out[opp, first]
    rows = q.frame.rows.size
    for node in range(first, last):
        if layers.mass[node] <= ZERO:
            continue
        has_finals = q.tree.batch_start[node] >= 0
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        acts = (q.tree.acts[node] >> learner) & 1
        place = layers.out[opp, node] - base
        for b in range(n1 if learner == 0 else n0):
            length = length_after(q, sp, node, opp, b)
            met = np.float64(layers.mass[node])
            if (q.tree.acts[node] >> opp) & 1:
                met *= layers.share[node, opp, b]
            for a in range(n0 if learner == 0 else n1):
                slot = q.tree.child_start[node] + (a * n1 + b if learner == 0 else b * n1 + a)
                share = np.float64(layers.share[node, learner, a]) if acts else 1.0
                weight = max(layers.own[node] * max(share, FLOOR), _LEAST_OWN)
                child = q.tree.child[slot]
                if child >= 0:
                    if child % parts == part:
                        layers.joint[child] += weight * met
                        at = layers.place[child]
                        if at < 0:
                            continue
                        layers.own[child] += weight
                        after = out[place : place + length]
                        _add(layers.numbers[at : at + length], np.float32(weight), after)
                elif merged.record[slot] >= 0:
                    record, swapped = merged.record[slot] // 2, merged.record[slot] % 2
                    spot = merged.records.place[record]
                    batch, lane = spot // LANES, spot % LANES
                    if batch % parts == part:
                        layers.final_joint[batch] += weight * met
                        at = layers.final_place[batch]
                        if at < 0:
                            continue
                        supports = out[place + length : place + length + rows]
                        for seat in range(layers.final_own.shape[0]):
                            if seat == swapped or merged.records.alike[record]:
                                layers.final_own[seat, batch, lane] += weight
                                _add(layers.final_numbers[seat, at, lane], np.float32(weight), supports)
            place += length + (rows if has_finals else 0)


@kernel
def _add(sums: F32, weight: np.float32, numbers: F32) -> None:
    """Add weighted numbers to sums of the same length."""
    for i in range(sums.size):
        sums[i] += weight * numbers[i]


@kernel
def _add_halves(sums: F32, weight: np.float32, numbers: Halves) -> None:
    """The same with stored numbers, which may be more."""
    for i in range(sums.size):
        sums[i] += weight * whole(numbers[i])


@kernel
def load_publics(q: Problem, merged: MergedTree, batch: int, z: FinalScratch) -> None:
    """Public counts of a main batch, as they typically are."""
    records = merged.records
    for lane in range(LANES):
        for p in range(2):
            left = ZERO
            for t in range(q.stocks.shape[1]):
                z.pool[0, p, t, lane] = np.float32(records.pool[batch, p, t, lane])
                left += z.pool[0, p, t, lane]
            held = records.held[batch, p, lane]
            z.held[0, p, lane] = np.float32(held)
            z.stock[0, p, lane] = max(left - np.float32(held + records.hidden[batch, p]), ZERO)


@entry
def visit_records(
    q: Problem,
    merged: MergedTree,
    first: int,
    last: int,
    learner: int,
    weight: float,
    time: int,
    layers: Layers,
    state: FinalState,
    w: WalkScratch,
    hedge: Hedge,
    every: int,
) -> None:
    """Play the records of main batches ``first`` to ``last``: fills ``layers.final_values``.

    ``every``: of how many visits one goes to all records nested in them; see ``hedge_batch``.
    """
    z, opp = w.final, 1 - learner
    # The first group of any level 0 hides nothing.
    hidden = (q.spaces0.group_hidden[0:1], q.spaces1.group_hidden[0:1])
    unit = w.final.bottom  # free between visits
    seat = learner if merged.quotient else 0
    for batch in range(first, last):
        if layers.final_place[batch] < 0:
            continue
        reached = False
        for lane in range(LANES):
            own = layers.final_own[seat, batch, lane]
            unit[lane] = np.float32(1.0 / own) if own > 0.0 else ZERO
        numbers, mass = layers.final_numbers[seat, layers.final_place[batch]], z.mass[0]
        for k in range(q.frame.rows.size):
            row = q.frame.rows[k]
            for lane in range(LANES):
                mass[row, lane] = numbers[lane, k] * unit[lane]
        for lane in range(LANES):
            total = ZERO
            for k in range(q.frame.rows.size):
                total += mass[q.frame.rows[k], lane]
            layers.final_own[seat, batch, lane] = total
            if total > _LEAST:
                reached = True
        if not reached:
            continue
        load_publics(q, merged, batch, z)
        _add_range(q, layers.final_range[opp, batch], z.mass[0], weight, time, batch)
        skips = layers.final_skips[learner, batch]
        deep = 0 if skips > 0 else every
        layers.final_skips[learner, batch] = skips - 1 if skips > 0 else every - 1
        play_batch(q, batch, weight, learner, hidden, state, w, hedge, True, deep)
        for lane in range(LANES):
            total = np.float32(layers.final_own[seat, batch, lane])
            unit[lane] = ONE / total if total > _LEAST else ZERO
        values = layers.final_values[learner, batch]
        for k in range(q.frame.rows.size):
            row = q.frame.rows[k]
            for lane in range(LANES):
                if unit[lane] > ZERO:
                    place = (batch * q.frame.rows.size + k) * LANES + lane
                    values[lane, k] = halved(z.value[learner, row, lane] * unit[lane], place, time)


@kernel
def _add_range(q: Problem, ranges: Halves, mass: F32, weight: float, time: int, batch: int) -> None:
    """Add a batch's ranges to those accumulated."""
    scale = np.float32(weight)
    for k in range(q.frame.rows.size):
        row = q.frame.rows[k]
        for lane in range(LANES):
            more = scale * mass[row, lane]
            if more > ZERO:
                place = (batch * ranges.shape[0] + k) * LANES + lane
                ranges[k, lane] = halved(whole(ranges[k, lane]) + more, place, time)


@entry
def pull_up(
    q: Problem,
    merged: MergedTree,
    first: int,
    last: int,
    step: Step,
    regret: Halves,
    layers: Layers,
    w: WalkScratch,
) -> None:
    """Backward pass over nodes ``first`` up to ``last``: the learner's regrets and ``layers.values``."""
    learner = 0 if step.who == 1 else 1
    opp = 1 - learner
    sp = q.spaces0 if learner == 0 else q.spaces1
    size = index_size(q)
    values = layers.values[learner]
    # Free while children are added up.
    worths = w.norm[0, : q.frame.rows.size]
    for node in range(first, last):
        at = layers.start[learner, node]
        level = q.tree.level[node, learner]
        states = sp.level_start[level + 1] - sp.level_start[level]
        total = layers.mass[node]
        if total <= ZERO:
            continue
        for s in range(states):
            w.reach[0, learner, s] = ZERO
        forward_player(q, node, 0, learner, regret, w, sp, True, False, -1.0)
        n0, n1 = action_counts(q.tree, node, q.types, q.stocks.shape[1])
        own_count, opp_count = (n0, n1) if learner == 0 else (n1, n0)
        for a in range(own_count):
            w.action_reach[0, learner, a] = ZERO
        for b in range(opp_count):
            w.flat[0, opp, b] = ZERO
            w.action_reach[0, opp, b] = total
            if (q.tree.acts[node] >> opp) & 1:
                w.action_reach[0, opp, b] = total * layers.share[node, opp, b]
        if q.tree.reach_start[node, 0] >= 0:
            end_values(q, node, 0, w)
        acting = (q.tree.acts[node] >> learner) & 1
        for a in range(own_count):
            length = length_after(q, sp, node, learner, a)
            groups = _groups_after(q, sp, node, learner, a)
            chunk, lane = (a // LANES, a % LANES) if acting else (0, 0)
            for k in range(q.frame.rows.size):
                worths[k] = ZERO
            for b in range(opp_count):
                met = w.action_reach[0, opp, b]
                slot = q.tree.child_start[node] + (a * n1 + b if learner == 0 else b * n1 + a)
                child = q.tree.child[slot]
                if met <= ZERO:
                    continue
                if child >= 0:
                    _add_halves(w.back[0, learner, a, :length], met, values[layers.start[learner, child] :])
                elif merged.record[slot] >= 0:
                    spot = merged.records.place[merged.record[slot] // 2]
                    seat = learner ^ (merged.record[slot] & 1)
                    _add_halves(worths, met, layers.final_values[seat, spot // LANES, spot % LANES])
            if q.tree.batch_start[node] >= 0:
                for group in range(groups):
                    gains = w.gains[0, learner, chunk, group * size : (group + 1) * size]
                    for k in range(worths.size):
                        gains[q.frame.rows[k], lane] = worths[k]
        backward_node(q, node, 0, regret, step, w, False)
        unit = ONE / total
        for s in range(states):
            values[at + s] = halved(w.value[0, learner, s] * unit, at + s, 2 * step.time + learner)


@entry
def calibrate_records(
    q: Problem,
    merged: MergedTree,
    first: int,
    last: int,
    layers: Layers,
    state: FinalState,
    shift: F32,
    w: WalkScratch,
) -> None:
    """Calibrate the records of main batches ``first`` to ``last``; see ``calibrate_batch``."""
    z = w.final
    hidden = (q.spaces0.group_hidden[0:1], q.spaces1.group_hidden[0:1])
    for batch in range(first, last):
        for p in range(2):
            reached = False
            for k in range(q.frame.rows.size):
                row = q.frame.rows[k]
                for lane in range(LANES):
                    z.mass[0, row, lane] = whole(layers.final_range[p, batch, k, lane])
                    if z.mass[0, row, lane] > ZERO:
                        reached = True
            if not reached:
                continue
            load_publics(q, merged, batch, z)
            calibrate_batch(batch, p, final_game(q), hidden, state, shift, z)

"""What who sees the other hand wins at final steps, tabulated by action (see ``perfect_information``).

Letters as in ``perfect_information``; kernels loop over actions of who sees innermost, chunk by chunk.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.arrays import F32, I16, I32, I64
from solver.hidden_hands.decisions.walk_memory import Problem
from solver.hidden_hands.final.hedging import INVERSE_TEMPERATURE, fading
from solver.hidden_hands.final.state import Frame
from solver.hidden_hands.jit import entry, kernel
from solver.hidden_hands.merged.merged_tree import MergedTree
from solver.hidden_hands.merged.perfect_information import LOW, MARGIN, STEPS, stored
from solver.hidden_hands.merged.perfect_information_tables import PerfectInformation, TableScratch
from solver.hidden_hands.merged.pool_bounds import Bounds, after_draw
from solver.hidden_hands.tree import LANES, MAX_LINKS

__all__ = ["tabulate_records"]

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_TINY = np.float32(1e-30)
_CLOSED, _RAISED = np.float32(9e29), np.float32(20.0)
"""What is as low as ``LOW`` lies further down than the first; so many times as much as that lifts it above
everything."""


@entry
def tabulate_records(
    q: Problem,
    merged: MergedTree,
    first: int,
    last: int,
    memory: F32,
    bounds: Bounds,
    found: PerfectInformation,
    z: TableScratch,
) -> None:
    """Tabulate final records ``first`` to ``last`` (exclusive) for who sees, at either seat.

    Parameters
    ----------
    memory : [b, L, 2, K] float32
        Of the merged records, calibrated (``remembered``).
    found : PerfectInformation
        Modified in place.
    """
    records = merged.records
    for record in range(first, last):
        lane = records.place[record] % LANES
        count = _gather(records.row_pair, records.link, records.place[record] // LANES, lane, q.frame, z)
        for seat in range(2):
            for k in range(count - 1, -1, -1):
                known = memory[z.batch[k], lane, 1 - seat]
                _see(q, merged, record, lane, k, seat, known, bounds, z)
            _store(found, seat, record, q.frame.num_actions, z)


@kernel
def _store(found: PerfectInformation, seat: int, record: int, num: int, z: TableScratch) -> None:
    """Keep what was found of a final record."""
    here, ahead, low, high = z.final_here, z.final_ahead, z.bottom, z.top
    for lane in range(LANES):
        low[lane] = -LOW
        high[lane] = LOW
    for chunk in range(0, here.shape[1], LANES):
        for i in range(here.shape[0]):
            row = here[i, chunk : chunk + LANES]
            for lane in range(LANES):
                low[lane] = min(low[lane], row[lane] + max(-row[lane] - _CLOSED, _ZERO) * _RAISED)
            for lane in range(LANES):
                high[lane] = max(high[lane], row[lane])
    least, most = low[0], high[0]
    for lane in range(LANES):
        least, most = min(least, low[lane]), max(most, high[lane])
    unit = (most - least) / STEPS
    found.final_base[seat, record], found.final_unit[seat, record] = least, unit
    for i in range(here.shape[0]):
        worth = here[i, 0]
        for a in range(1, num):
            worth = max(worth, here[i, a])
        found.final_here[seat, record, i] = stored(worth, least, unit)
    line = z.line
    for chunk in range(0, ahead.shape[1], LANES):
        for i in range(ahead.shape[0]):
            row = ahead[i, chunk : chunk + LANES]
            for lane in range(LANES):
                line[lane] = min(max(np.ceil((row[lane] - least) / unit + MARGIN), _ZERO), STEPS)
            kept = found.final_ahead[seat, record, i]
            for a in range(chunk, min(chunk + LANES, num)):
                kept[a] = np.uint8(line[a - chunk]) if unit > _ZERO else np.uint8(0)


@kernel
def _gather(row_pair: I64, link: I32, batch: int, lane: int, frame: Frame, z: TableScratch) -> int:
    """List a record and all nested in it, outer ones first; return how many there are."""
    z.batch[0] = batch
    for p in range(2):
        for which in range(2):
            z.placed[0, p, which] = 0
    count, at = 1, 0
    while at < count:
        for k in range(MAX_LINKS):
            below = link[z.batch[at], k] if frame.num_chain else -1
            z.nested[at, k] = -1
            if below < 0 or row_pair[below, lane] < 0:
                continue
            z.nested[at, k] = count
            z.batch[count] = below
            for p in range(2):
                for which in range(2):
                    z.placed[count, p, which] = z.placed[at, p, which]
            z.placed[count, 0, k // 2] += 1
            z.placed[count, 1, k % 2] += 1
            count += 1
        at += 1
    return count


@kernel
def _set_pays(q: Problem, joint: int, seat: int, pool: I16, z: TableScratch) -> None:
    """What pairs of actions are worth to who sees: ``z.pays``, and ``z.chained`` where the other one goes on.

    Left alone that one takes his best top; he has at least what he holds.
    """
    tables, num, plain = q.tables, q.frame.num_actions, q.frame.num_plain
    opp, pays, tops, chained = 1 - seat, z.pays, z.tops, z.chained
    for b in range(num):
        for a in range(num):
            pay = tables.pay[joint, a, b] if seat == 0 else -tables.pay[joint, b, a]
            pays[b, a] = np.float32(pay)
    if q.frame.num_chain == 0:
        return
    for b in range(num):
        if tables.alone[joint, seat, b]:
            own = tables.top[tables.top_slot[joint], seat]
            most = LOW
            for j in range(own.shape[0]):
                for x in range(num):
                    if q.types[x] < 0 or pool[seat, q.types[x], 1] > 0:
                        most = max(most, np.float32(own[j, b, x]))
            pays[b, plain] = most
    for a in range(num):
        if not tables.alone[joint, opp, a]:
            chained[0, 0, a] = chained[1, 0, a] = pays[plain, a]
            for i in range(plain):
                tops[i, a] = pays[plain, a]
            continue
        top = tables.top[tables.top_slot[joint], opp, 0, a]
        least = -LOW
        for x in range(num):
            least = min(least, np.float32(top[x]))
        chained[0, 0, a] = -least
        chained[1, 0, a] = -np.float32(top[plain + 1]) if q.frame.num_chain > 1 else -least
        for i in range(plain):
            tops[i, a] = -np.float32(top[i])
    for chunk in range(0, tops.shape[1], LANES):
        for i in range(plain):
            half, own_top = 1 << i, tops[i, chunk : chunk + LANES]
            only = chained[0, half, chunk : chunk + LANES]
            for lane in range(LANES):
                only[lane] = own_top[lane]
            # One plain item alone is what he tops with; any other hand has a choice.
            for two in range(2):
                for s in range(1 - two, half):
                    less = chained[two, s, chunk : chunk + LANES]
                    more = chained[two, half + s, chunk : chunk + LANES]
                    for lane in range(LANES):
                        more[lane] = min(less[lane], own_top[lane])
        if q.frame.num_chain > 1:
            second, there = pays[plain + 1, chunk : chunk + LANES], z.second[chunk : chunk + LANES]
            for lane in range(LANES):
                there[lane] = second[lane]


@kernel
def _set_shares(q: Problem, joint: int, opp: int, memory: F32, z: TableScratch) -> None:
    """How who is seen plays each support's plain types, as ``final`` does: ``z.shares``.

    Supports grow by one type at a time. Each step goes by whole chunks; what it writes beyond the supports
    that there are so far, the next steps overwrite.

    Parameters
    ----------
    memory : [K] float32
        What his record remembers: scale, shifts, the other side's flow and worths of lone chains.
    """
    num, plain = q.frame.num_actions, q.frame.num_plain
    values, shares, part, less, sums = z.values, z.shares, z.line, z.top, z.bottom
    for a in range(plain):
        values[a] = memory[1 + a]
        for b in range(num):
            pay = q.tables.pay[joint, a, b] if opp == 0 else -q.tables.pay[joint, b, a]
            values[a] += np.float32(pay) * memory[1 + num + b]
        if q.frame.num_chain:
            values[a] -= memory[1 + 2 * num + a]
    eta = INVERSE_TEMPERATURE / np.sqrt(max(memory[0], _TINY))
    best, total = shares[plain], shares[plain + 1]
    best[0], total[0] = LOW, _ZERO
    for i in range(plain):
        value = values[i]
        for s in range(0, 1 << i, LANES):
            more = (1 << i) + s
            for lane in range(LANES):
                part[lane] = eta * (value - best[s + lane])
            # One of both weights is 1.
            for lane in range(LANES):
                less[lane] = fading(max(part[lane], _ZERO))
            for lane in range(LANES):
                part[lane] = fading(max(-part[lane], _ZERO))
            for lane in range(LANES):
                sums[lane] = part[lane] + total[s + lane] * less[lane]
            for lane in range(LANES):
                total[more + lane] = sums[lane]
            for lane in range(LANES):
                less[lane] = max(best[s + lane], value)
            for lane in range(LANES):
                best[more + lane] = less[lane]
            for lane in range(LANES):
                part[lane] = part[lane] / sums[lane]
            for lane in range(LANES):
                shares[i, more + lane] = part[lane]
            for k in range(i):
                for lane in range(LANES):
                    less[lane] = shares[k, s + lane] * (_ONE - part[lane])
                for lane in range(LANES):
                    shares[k, more + lane] = less[lane]


@kernel
def _see(
    q: Problem,
    merged: MergedTree,
    record: int,
    lane: int,
    k: int,
    seat: int,
    memory: F32,
    bounds: Bounds,
    z: TableScratch,
) -> None:
    """Worths of one record, or one nested in it, when those nested deeper are done.

    Whether a hand places a chain item depends on what it may still draw, and so on the history: it counts at
    the most that any choice between plain types and chain items leaves.
    """
    frame, opp = q.frame, 1 - seat
    plain, num = frame.num_plain, frame.num_actions
    bits = 1 << plain
    joint = merged.records.row_pair[z.batch[k], lane]
    pool, left = bounds.final_pool[record], bounds.final_left[record]
    _set_pays(q, joint, seat, pool, z)
    _set_shares(q, joint, opp, memory, z)
    for a in range(z.shut.size):
        gone = a >= num or (q.types[a] >= 0 and pool[seat, q.types[a], 1] <= 0)
        z.shut[a] = LOW if gone else _ZERO
    for chunk in range(0, z.shut.size, LANES):
        for s in range(bits):
            worth = z.plain[s, chunk : chunk + LANES]
            for one in range(LANES):
                worth[one] = _ZERO
            for b in range(plain):
                share, pays = z.shares[b, s], z.pays[b, chunk : chunk + LANES]
                if share > _ZERO:
                    for one in range(LANES):
                        worth[one] += share * pays[one]
    # Two chain types at once lead to a record that is nested in this one.
    for which in range(frame.num_chain):
        for other in range(frame.num_chain):
            if z.nested[k, other * 2 + which if seat == 0 else which * 2 + other] >= 0:
                for s in range(bits if which == 0 else 0):
                    z.chained[0, s, plain + other] = z.chained[1, s, plain + other] = LOW
                if which == 1:
                    z.second[plain + other] = LOW
    most = _most_chains(q, pool[opp], z.placed[k, opp])
    for chunk in range(0, z.shut.size, LANES):
        _see_hands(frame, chunk, k, seat, most, z)
    _look_ahead_of_supports(q, merged, record, lane, k, pool[opp], left[opp], opp, z)


@kernel
def _see_hands(frame: Frame, chunk: int, k: int, seat: int, most: tuple[int, int], z: TableScratch) -> None:
    """A chunk of ``z.final_here``: worths of all hands that are about to decide."""
    plain, second, bits = frame.num_plain, frame.second_max + 1, 1 << frame.num_plain
    nothing, shut = z.pays[frame.num_actions - 1, chunk : chunk + LANES], z.shut[chunk : chunk + LANES]
    second_type = z.second[chunk : chunk + LANES]
    for i in range(frame.rows.size):
        here = z.final_here[i, chunk : chunk + LANES]
        row = int(frame.rows[i])
        s, chains = row & (bits - 1), row >> plain
        v, c = chains // second, chains % second
        if (s == 0 and not (row == 0 and frame.has_nothing)) or v > most[0] or c > most[1]:
            for lane in range(LANES):
                here[lane] = LOW
            if v > most[0] or c > most[1]:
                continue
        else:
            # Only a hand with nothing else places nothing.
            worth = z.plain[s, chunk : chunk + LANES] if s > 0 else nothing
            for lane in range(LANES):
                here[lane] = worth[lane]
        for which in range(2):
            if (v if which == 0 else c) == 0:
                continue
            if which == 0:
                chained = z.chained[min(c, 1), s, chunk : chunk + LANES]
                for lane in range(LANES):
                    here[lane] = max(here[lane], chained[lane])
            else:
                for lane in range(LANES):
                    here[lane] = max(here[lane], second_type[lane])
            rest = z.places[1, row - (second * bits if which == 0 else bits)]
            for other in range(frame.num_chain):
                nested = z.nested[k, other * 2 + which if seat == 0 else which * 2 + other]
                at = plain + other - chunk
                if nested >= 0 and 0 <= at < LANES:
                    here[at] = max(here[at], z.nested_ahead[nested, rest])
        for lane in range(LANES):
            here[lane] = max(here[lane] + shut[lane], LOW)


@kernel
def _most_chains(q: Problem, pool: I16, placed: I64) -> tuple[int, int]:
    """Most items of both chain types that any history leaves in a hand."""
    plain, chains = q.frame.num_plain, q.frame.num_chain
    first = pool[q.types[plain], 1] - placed[0] if chains > 0 else 0
    second = pool[q.types[plain + 1], 1] - placed[1] if chains > 1 else 0
    return min(first, q.frame.first_max), min(second, q.frame.second_max)


@kernel
def _look_ahead_of_supports(
    q: Problem,
    merged: MergedTree,
    record: int,
    lane: int,
    k: int,
    pool: I16,
    left: I16,
    opp: int,
    z: TableScratch,
) -> None:
    """Worths of supports before the draw; see ``_look_ahead``, with the worth of no change for ``c``."""
    frame = q.frame
    plain = frame.num_plain
    bits, second = 1 << plain, frame.second_max + 1
    batch = merged.records.place[record] // LANES
    hidden = merged.records.hidden[batch, opp]
    chained = z.placed[k, opp, 0] + z.placed[k, opp, 1]
    gone = merged.records.held[batch, opp, lane] - 1 + hidden + chained
    few, many = max(left[0] - gone, 1), max(left[1] - gone, 1)
    most = _most_chains(q, pool, z.placed[k, opp])
    low, high = z.draw[0], z.draw[1]
    for x in range(plain + frame.num_chain):
        least, largest = pool[q.types[x], 0], pool[q.types[x], 1]
        for held in range(low.shape[1]):
            known = 0 if x < plain else held + z.placed[k, opp, x - plain]
            low[x, held], _ = after_draw(least, largest, np.float32(known + hidden), few, many)
            _, high[x, held] = after_draw(0, largest, np.float32(known), few, many)
    for i in range(z.rests.size):
        z.nested_ahead[k, i] = LOW
    worth, top = z.line, z.top
    for chunk in range(0, z.final_ahead.shape[1], LANES):
        for i in range(z.rests.size):
            row = int(z.rests[i])
            s, chains = row & (bits - 1), row >> plain
            v, c = chains // second, chains % second
            ahead = z.final_ahead[i, chunk : chunk + LANES]
            if v > most[0] or c > most[1]:
                for one in range(LANES):
                    ahead[one] = LOW
                continue
            stay = z.final_here[z.places[0, row], chunk : chunk + LANES]
            for one in range(LANES):
                worth[one] = stay[one]
            for one in range(LANES):
                top[one] = stay[one]
            for x in range(plain + frame.num_chain):
                held, other = 0, row | (1 << x)
                if x < plain:
                    if (s >> x) & 1:
                        continue
                elif x == plain:
                    held, other = v, row + second * bits
                    if v >= most[0]:
                        continue
                else:
                    held, other = c, row + bits
                    if c >= most[1]:
                        continue
                place, rise, fall = z.places[0, other], high[x, held], low[x, held]
                if place < 0 or rise <= _ZERO:
                    continue
                there = z.final_here[place, chunk : chunk + LANES]
                # One of both terms is zero.
                for one in range(LANES):
                    more = there[one] - stay[one]
                    worth[one] += max(more, _ZERO) * rise + min(more, _ZERO) * fall
                for one in range(LANES):
                    top[one] = max(top[one], there[one])
            # An empty stock leaves the hand as it is; an empty hand has no worth to begin with.
            if left[0] > gone:
                for one in range(LANES):
                    worth[one] += max(-stay[one] - _CLOSED, _ZERO) * _RAISED
                for one in range(LANES):
                    top[one] = min(worth[one], top[one])
            for one in range(LANES):
                ahead[one] = top[one]
            best = z.nested_ahead[k, i]
            for one in range(LANES):
                best = max(best, top[one])
            z.nested_ahead[k, i] = best

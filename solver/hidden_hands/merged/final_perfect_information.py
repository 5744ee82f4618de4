"""What who sees the other hand wins at final steps (see ``perfect_information``).

Letters as there.
"""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.decisions.walk_memory import Problem
from solver.hidden_hands.final.hedging import INVERSE_TEMPERATURE, fading
from solver.hidden_hands.final.state import Frame
from solver.hidden_hands.jit import F32, I16, I32, I64, ONE, ZERO, entry, kernel
from solver.hidden_hands.merged.merged_tree import MergedTree
from solver.hidden_hands.merged.perfect_information import LOW, STEPS, stored
from solver.hidden_hands.merged.perfect_information_tables import (
    Bounds,
    PerfectInformation,
    TableScratch,
    after_draw,
)
from solver.hidden_hands.tree import LANES, MAX_LINKS

_TINY = np.float32(1e-30)


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

    ``memory`` ``[b, L, 2, K] float32``: of the merged records, calibrated (``remembered``); ``found``:
    modified in place.
    """
    records = merged.records
    for record in range(first, last):
        lane = records.place[record] % LANES
        count = _gather(records.row_pair, records.link, records.place[record] // LANES, lane, q.frame, z)
        for seat in range(2):
            for k in range(count - 1, -1, -1):
                known = memory[z.batch[k], lane, 1 - seat]
                _see(q, merged, record, lane, k, seat, known, bounds, z)
            least, most = -LOW, LOW
            for worth in z.final_here:
                if worth > LOW:
                    least, most = min(least, worth), max(most, worth)
            unit = (most - least) / STEPS
            found.final_base[seat, record], found.final_unit[seat, record] = least, unit
            for i in range(z.final_here.size):
                found.final_here[seat, record, i] = stored(z.final_here[i], least, unit)
            for i in range(z.rests.size):
                found.final_ahead[seat, record, i] = stored(z.final_ahead[0, i], least, unit)


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
def _set_shares(q: Problem, joint: int, opp: int, memory: F32, z: TableScratch) -> None:
    """How who is seen plays each support's plain types, as ``final`` does: ``z.shares``.

    Supports grow by one type at a time, and shares are relative to the best type so far.

    ``memory`` ``[K] float32``: what his record remembers: scale, shifts, the other side's flow and worths of
    lone chains.
    """
    num, plain = q.frame.num_actions, q.frame.num_plain
    shares, best, total = z.shares, z.shares[plain], z.shares[plain + 1]
    eta = INVERSE_TEMPERATURE / np.sqrt(max(memory[0], _TINY))
    best[0], total[0] = LOW, ZERO
    for i in range(plain):
        value = memory[1 + i]
        for b in range(num):
            pay = q.tables.pay[joint, i, b] if opp == 0 else -q.tables.pay[joint, b, i]
            value += np.float32(pay) * memory[1 + num + b]
        if q.frame.num_chain:
            value -= memory[1 + 2 * num + i]
        half = 1 << i
        for s in range(half):
            # One of both weights is 1.
            lead = eta * (value - best[s])
            own, others = fading(max(-lead, ZERO)), fading(max(lead, ZERO))
            total[half + s] = own + total[s] * others
            best[half + s] = max(best[s], value)
            part = own / total[half + s]
            shares[i, half + s] = part
            for k in range(i):
                shares[k, half + s] = shares[k, s] * (ONE - part)


@kernel
def _pay_of(q: Problem, joint: int, seat: int, a: int, b: int, pool: I16) -> np.float32:
    """What ``a`` of who sees is worth against ``b``; left alone he takes the best top that there may be."""
    tables = q.tables
    if q.frame.num_chain == 0 or a != q.frame.num_plain or not tables.alone[joint, seat, b]:
        return np.float32(tables.pay[joint, a, b] if seat == 0 else -tables.pay[joint, b, a])
    own = tables.top[tables.top_slot[joint], seat]
    most = LOW
    for j in range(own.shape[0]):
        for x in range(q.frame.num_actions):
            if q.types[x] < 0 or pool[q.types[x], 1] > 0:
                most = max(most, np.float32(own[j, b, x]))
    return most


@kernel
def _see_supports(q: Problem, joint: int, seat: int, k: int, pool: I16, z: TableScratch) -> np.float32:
    """The best answers of who sees to a plain item, ``z.plain``, and to one of the first chain type,
    ``z.chained``, by support; return what the best answer to the second chain type is worth.

    Two chain types at once lead to a nested record, and count there.

    ``pool``: ``[T, 2]`` of who sees.
    """
    tables, num, plain, opp = q.tables, q.frame.num_actions, q.frame.num_plain, 1 - seat
    bits, second = 1 << plain, LOW
    for s in range(bits):
        z.plain[s] = z.chained[0, s] = z.chained[1, s] = LOW
    for a in range(num):
        if q.types[a] >= 0 and pool[q.types[a], 1] <= 0:
            continue
        sums = z.tops
        for s in range(bits):
            sums[s] = ZERO
        for b in range(plain):
            pay, shares = _pay_of(q, joint, seat, a, b, pool), z.shares[b]
            for s in range(bits):
                sums[s] += shares[s] * pay
        for s in range(1, bits):
            z.plain[s] = max(z.plain[s], sums[s])
        for which in range(q.frame.num_chain):
            other = a - plain
            if 0 <= other < q.frame.num_chain:
                if z.nested[k, other * 2 + which if seat == 0 else which * 2 + other] >= 0:
                    continue
            if which == 1:
                second = max(second, _pay_of(q, joint, seat, a, plain + 1, pool))
                continue
            if not tables.alone[joint, opp, a]:
                worth = _pay_of(q, joint, seat, a, plain, pool)
                for s in range(bits):
                    z.chained[0, s], z.chained[1, s] = (
                        max(z.chained[0, s], worth),
                        max(z.chained[1, s], worth),
                    )
                continue
            # Left alone the other one takes his best top; he has at least what he holds. What is drawn, if
            # he holds nothing, may be whatever suits him least.
            top = tables.top[tables.top_slot[joint], opp, 0, a]
            least = -LOW
            for x in range(num):
                least = min(least, np.float32(top[x]))
            for two in range(2):
                z.tops[0] = np.float32(top[plain + 1]) if two and q.frame.num_chain > 1 else LOW
                for i in range(plain):
                    for s in range(1 << i):
                        z.tops[(1 << i) + s] = max(z.tops[s], np.float32(top[i]))
                for s in range(bits):
                    worth = -(z.tops[s] if z.tops[s] > LOW else least)
                    z.chained[two, s] = max(z.chained[two, s], worth)
    return second


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
    """Worths of one record, or one nested in it, when those nested deeper are done: ``z.final_here``, and
    before the draw ``z.final_ahead[k]``.

    Whether a hand places a chain item depends on what it may still draw, and so on the history: it counts at
    the most that any choice between plain types and chain items leaves.
    """
    frame, opp = q.frame, 1 - seat
    plain, width, bits = frame.num_plain, frame.second_max + 1, 1 << frame.num_plain
    joint = merged.records.row_pair[z.batch[k], lane]
    own = bounds.final_pool[record, seat]
    _set_shares(q, joint, opp, memory, z)
    second = _see_supports(q, joint, seat, k, own, z)
    nothing = LOW
    for a in range(frame.num_actions):
        if q.types[a] < 0 or own[q.types[a], 1] > 0:
            nothing = max(nothing, _pay_of(q, joint, seat, a, frame.num_actions - 1, own))
    most = _most_chains(q, bounds.final_pool[record, opp], z.placed[k, opp])
    for i in range(frame.rows.size):
        row = int(frame.rows[i])
        s, v, c = row & (bits - 1), (row >> plain) // width, (row >> plain) % width
        z.final_here[i] = LOW
        if v > most[0] or c > most[1]:
            continue
        # Only a hand with nothing else places nothing.
        worth = z.plain[s] if s > 0 else (nothing if row == 0 and frame.has_nothing else LOW)
        if v > 0:
            worth = max(worth, z.chained[min(c, 1), s])
        if c > 0:
            worth = max(worth, second)
        for which in range(frame.num_chain):
            if (v if which == 0 else c) > 0:
                rest = z.places[1, row - (width * bits if which == 0 else bits)]
                for other in range(frame.num_chain):
                    nested = z.nested[k, other * 2 + which if seat == 0 else which * 2 + other]
                    if nested >= 0 and own[q.types[plain + other], 1] > 0:
                        worth = max(worth, z.final_ahead[nested, rest])
        z.final_here[i] = worth
    _look_ahead_of_supports(q, merged, record, lane, k, bounds, opp, most, z)


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
    bounds: Bounds,
    opp: int,
    most: tuple[int, int],
    z: TableScratch,
) -> None:
    """Worths of supports before the draw; see ``_look_ahead``, with the worth of no change for ``c``."""
    frame, pool, left = q.frame, bounds.final_pool[record, opp], bounds.final_left[record, opp]
    plain, width, bits = frame.num_plain, frame.second_max + 1, 1 << frame.num_plain
    batch = merged.records.place[record] // LANES
    hidden = merged.records.hidden[batch, opp]
    gone = merged.records.held[batch, opp, lane] - 1 + hidden + z.placed[k, opp, 0] + z.placed[k, opp, 1]
    few, many = max(left[0] - gone, 1), max(left[1] - gone, 1)
    low, high = z.draw[0], z.draw[1]
    for x in range(plain + frame.num_chain):
        least, largest = pool[q.types[x], 0], pool[q.types[x], 1]
        for held in range(low.shape[1]):
            known = 0 if x < plain else held + z.placed[k, opp, x - plain]
            low[x, held], _ = after_draw(least, largest, np.float32(known + hidden), few, many)
            _, high[x, held] = after_draw(0, largest, np.float32(known), few, many)
    for i in range(z.rests.size):
        row = int(z.rests[i])
        s, v, c = row & (bits - 1), (row >> plain) // width, (row >> plain) % width
        z.final_ahead[k, i] = LOW
        if v > most[0] or c > most[1]:
            continue
        stay = z.final_here[z.places[0, row]]
        worth = top = stay
        for x in range(plain + frame.num_chain):
            held, other = 0, row | (1 << x)
            if x < plain:
                if (s >> x) & 1:
                    continue
            elif x == plain:
                held, other = v, row + width * bits
                if v >= most[0]:
                    continue
            else:
                held, other = c, row + bits
                if c >= most[1]:
                    continue
            place, rise, fall = z.places[0, other], high[x, held], low[x, held]
            if place >= 0 and rise > ZERO:
                more = z.final_here[place] - stay
                worth += more * (rise if more > ZERO else fall)
                top = max(top, z.final_here[place])
        # An empty stock leaves the hand as it is; an empty hand has no worth to begin with.
        z.final_ahead[k, i] = min(worth, top) if left[0] > gone and stay > LOW else top

"""What best responses work on, at final records and at earlier decisions.

Letters as in ``final.response`` and ``best_response``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hidden_hands.final_state import Frame
from solver.hidden_hands.jit import F32, F64, I64, kernel
from solver.hidden_hands.spaces import MAX_ACTIONS
from solver.hidden_hands.tree import LANES
from solver.hidden_hands.walk_memory import Problem


class Supports(NamedTuple):
    """All sets of plain types, small ones first."""

    order: I64  # [2**plain] bit sets
    within: I64  # [plain + 1] number of sets with at most so many types


class RecordScratch(NamedTuple):
    """Work space of one thread; the leading axis is the nesting level of chain sub-steps."""

    pool: F64  # [E, 2, T, L] items not yet public when this level's decision is made
    stock: F64  # [E, 2, L] items left to draw
    held: F64  # [E, 2, L] items in hand
    value: F64  # [E, 2, G*I, L] values handed to the caller
    inner: F64  # [E, 2, 2, G*I, L] values after a chain item and its draw
    live: I64  # [E, 2] 1 where the player meets any reach; its values are left out otherwise
    inner_live: I64  # [E, 2, 2] the same for `inner`
    caps: I64  # [E, 2, 2] most items of each chain type in any lane
    room: I64  # [E, 2] most items in hand in any lane
    scores: F64  # [E, 2, P, L] values of actions
    facing: F64  # [E, 2, P, L] the other side's reach by action
    work: F64  # [2, G*I, L]
    best: F64  # [2**plain, L]
    total: F64  # [2, 2**plain, L]
    tops: F64  # [P, L]
    left: F64  # [T, L] items that may still be drawn or held
    weights: F64  # [plain + 4, L]
    public: F64  # [2, L] items in hand and in stock when a draw is made
    batch: I64  # [E] batch in progress
    link: I64  # [E] its next link


def supports_by_size(num_plain: int) -> Supports:
    """List all sets of plain types by size."""
    sizes = np.array([int(s).bit_count() for s in range(1 << num_plain)])
    within = np.cumsum(np.bincount(sizes, minlength=num_plain + 1))
    return Supports(np.argsort(sizes, kind="stable").astype(np.int64), within.astype(np.int64))


def record_scratch(frame: Frame, num_groups: int, num_types: int) -> RecordScratch:
    """Allocate one thread's work space for ``num_groups`` groups of hidden items."""
    levels, p = frame.num_levels, frame.num_actions
    bits = 1 << frame.num_plain
    index = (frame.first_max + 1) * (frame.second_max + 1) * bits * num_groups
    chain_index = index if frame.num_chain else 1

    def array(*shape: int) -> F64:
        return np.zeros((*shape, LANES))

    return RecordScratch(
        array(levels, 2, num_types),
        array(levels, 2),
        array(levels, 2),
        array(levels, 2, index),
        array(levels, 2, 2, chain_index),
        np.zeros((levels, 2), np.int64),
        np.zeros((levels, 2, 2), np.int64),
        np.zeros((levels, 2, 2), np.int64),
        np.zeros((levels, 2), np.int64),
        array(levels, 2, p),
        array(levels, 2, p),
        array(2, chain_index),
        array(bits),
        array(2, bits),
        array(p),
        array(num_types),
        array(frame.num_plain + 4),
        array(2),
        np.zeros(levels, np.int64),
        np.zeros(levels, np.int64),
    )


@kernel
def draw_weights(
    weights: F64,
    left: F64,
    types: I64,
    frame: Frame,
    first_placed: int,
    second_placed: int,
    held: F64,
    stock: F64,
) -> None:
    """Weights of a draw for ``pull_draw``.

    ``weights`` ``[plain + 4, L] float64``: modified in place: probability of each plain type and of both
    chain types while none is held, of drawing what no index counts, and the unit ``1 / stock``; ``left``
    ``[T, L] float64``: items that may be drawn or held, less what ``first_placed`` and ``second_placed`` take
    off the chain types; ``held``, ``stock`` ``[L] float64``: items in hand and items left when the draw is
    made; a stock of 0 leaves the hand as it is.
    """
    plain = frame.num_plain
    stay, unit = plain + 2, plain + 3
    for lane in range(LANES):
        weights[plain, lane] = 0.0
        weights[plain + 1, lane] = 0.0
        weights[unit, lane] = 1.0 / stock[lane] if stock[lane] > 0.0 else 0.0
        weights[stay, lane] = -held[lane] - first_placed - second_placed
    for t in range(left.shape[0]):
        for lane in range(LANES):
            weights[stay, lane] += left[t, lane]
    for i in range(plain + frame.num_chain):
        placed = float(first_placed) if i == plain else (float(second_placed) if i > plain else 0.0)
        for lane in range(LANES):
            copies = left[types[i], lane] - placed
            weights[stay, lane] -= copies
            weights[i, lane] = copies * weights[unit, lane]
    for lane in range(LANES):
        weights[stay, lane] = weights[stay, lane] * weights[unit, lane] if stock[lane] > 0.0 else 1.0


@kernel
def pull_draw(
    values: F64,
    out: F64,
    weights: F64,
    supports: Supports,
    frame: Frame,
    base: int,
    first: int,
    last: int,
    room: int,
) -> None:
    """Expected value by support index before a draw: ``out[m] = sum_d P(d | m) values[m + d]``.

    Drawing a type already held, or one that no index counts, leaves the index alone.

    ``values``, ``out`` ``[*, L] float64``: blocks of ``I`` rows starting at ``base``. Modified in place:
    ``out``; ``first``, ``last``: most items of both chain types, before and after the draw; ``room``: most
    items in hand before the draw.
    """
    plain = frame.num_plain
    stay, unit = plain + 2, plain + 3
    bits = 1 << plain
    second = frame.second_max + 1
    for v in range(min(first, room) + 1):
        for c in range(min(last, room - v) + 1):
            block = base + (v * second + c) * bits
            held = float(v + c)
            count = supports.within[min(room - v - c, plain)]
            for k in range(count):
                row = block + supports.order[k]
                for lane in range(LANES):
                    out[row, lane] = (weights[stay, lane] + held * weights[unit, lane]) * values[row, lane]
                for i in range(plain):
                    other = block + (supports.order[k] | (1 << i))
                    for lane in range(LANES):
                        out[row, lane] += weights[i, lane] * values[other, lane]
            if v < first:
                for k in range(count):
                    row = block + supports.order[k]
                    other = row + second * bits
                    for lane in range(LANES):
                        out[row, lane] += (
                            max(weights[plain, lane] - v * weights[unit, lane], 0.0) * values[other, lane]
                        )
            if c < last:
                for k in range(count):
                    row = block + supports.order[k]
                    other = row + bits
                    for lane in range(LANES):
                        out[row, lane] += (
                            max(weights[plain + 1, lane] - c * weights[unit, lane], 0.0) * values[other, lane]
                        )


@kernel
def set_public(public: F64, held: F64, stock: F64, placed: int) -> None:
    """Items in hand and in stock when the draw after the ``placed``-th item of one step is made."""
    for lane in range(LANES):
        drawn = min(stock[lane], placed - 1.0)
        public[0, lane] = held[lane] - 1.0 - (placed - 1.0 - drawn)
        public[1, lane] = stock[lane] - drawn


@kernel
def set_left(left: F64, pool: F64, hidden: F32) -> None:
    """Items that may still be drawn or held if those of a group are hidden."""
    for t in range(left.shape[0]):
        away = np.float64(hidden[t])
        for lane in range(LANES):
            left[t, lane] = pool[t, lane] - away


class ResponseScratch(NamedTuple):
    """Work space of one thread; ``K`` chunks of eight action columns."""

    value: F64  # [D, 2, N]
    back: F64  # [D, 2, M, N] child values summed over the other side's actions
    inside: I64  # [D, 2, M] 1 where an action has a child that is a node: `back` counts
    flat: F64  # [D, 2, M] values that do not depend on the hand
    gains: F64  # [D, 2, K, G*I, L] final-step values, own actions as lanes
    pulled: F64  # [I, L]
    actions: I64  # [2, L] both players' actions by lane of a batch
    rest_value: F64  # [2, M, N] values of remainders by action, of the latest node in its backward pass
    lock: F64  # [2, N] probability that locked actions take, and what they bring
    pool: I64  # [T]
    left: F64  # [T, L]
    public: F64  # [2, L] items in hand and in stock when a draw is made
    weights: F64  # [plain + 4, L]
    node: I64  # [D] node in progress at each depth
    slot: I64  # [D] its child in progress
    supports: Supports
    record: RecordScratch


def response_scratch(problem: Problem, depth: int) -> ResponseScratch:
    """Allocate one thread's work space."""
    spaces = (problem.spaces0, problem.spaces1)
    n = max(int(np.diff(s.level_start).max()) for s in spaces)
    x = max(int(np.diff(s.group_start).max()) for s in spaces)
    groups = x if problem.keep_groups else 1
    frame = problem.frame
    index = (frame.first_max + 1) * (frame.second_max + 1) << frame.num_plain
    num_types = problem.stocks.shape[1]
    # Only placing and hiding (two actions) lead to final records.
    chunks = (max(frame.num_actions, 2) + LANES - 1) // LANES
    return ResponseScratch(
        np.zeros((depth, 2, n)),
        np.zeros((depth, 2, MAX_ACTIONS, n)),
        np.zeros((depth, 2, MAX_ACTIONS), np.int64),
        np.zeros((depth, 2, MAX_ACTIONS)),
        np.zeros((depth, 2, chunks, groups * index, LANES)),
        np.zeros((index, LANES)),
        np.zeros((2, LANES), np.int64),
        np.zeros((2, MAX_ACTIONS, n)),
        np.zeros((2, n)),
        np.zeros(num_types, np.int64),
        np.zeros((num_types, LANES)),
        np.zeros((2, LANES)),
        np.zeros((frame.num_plain + 4, LANES)),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        supports_by_size(frame.num_plain),
        record_scratch(frame, groups, num_types),
    )

"""What the kernels of the final step remember, and what they work with.

``P`` local actions in the order plain types, chain types, nothing; ``I`` support indices; ``G`` groups of
states with the same hidden items (1 unless chains are possible and something is hidden); ``L = 8`` lanes,
always the last axis.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.arrays import F32, I32, I64
from solver.hidden_hands.jit import entry
from solver.hidden_hands.spaces import ActionSpace
from solver.hidden_hands.tree import LANES, MAX_LINKS

__all__ = [
    "FinalScratch",
    "FinalState",
    "Frame",
    "final_scratch",
    "final_state",
    "frame_of",
    "largest_nest",
]


class FinalState(NamedTuple):
    """What final records remember between iterations (``b`` batches)."""

    flow: NDArray[np.float32]  # [b, 2, P, L] accumulated own flow by action
    scale: NDArray[np.float32]  # [b, 2, L] accumulated squared range of the action values
    lone: NDArray[np.float32]  # [b or 1, 2, plain, L] accumulated worth of lone chains by opposing action
    shift: NDArray[np.float32]  # [b or 0, 2, P, L] what is added to action values; see ``calibration``
    mean: NDArray[np.float32]  # [b or 0, L] what a nested record is worth to player 0 on average


class Frame(NamedTuple):
    """Sizes every final kernel needs, and which supports hands of each size can have."""

    num_actions: int
    num_plain: int
    num_chain: int
    has_nothing: bool
    first_max: int
    second_max: int
    max_chain: int  # longest chain of the first type in one slot
    num_levels: int  # deepest nesting of sub-steps inside one final step, plus one
    order: NDArray[np.uint32]  # [2**plain] supports, those of fewer types first
    room: NDArray[np.int64]  # [k] how many of `order` a hand with k chain items can have; k + 1: a remainder
    rows: NDArray[np.uint32]  # support indices a hand can have


class FinalScratch(NamedTuple):
    """Work space of one thread.

    A visit serves one learner; the other player's range is pushed down and the learner's values are pulled
    up. ``D`` nesting levels of chain sub-steps; ``S`` *slots*, one for each record nested in one final step:
    what is prepared for a record stays in its slot until the record is played.
    """

    # by level
    mass: NDArray[np.float32]  # [D, G*I, L] range of the learner's opponent
    after: NDArray[np.float32]  # [D, 2, G*I, L] that range after a chain item and its draw
    share: NDArray[np.float32]  # [D, 2, G*I, L] learner's strategy of the chain types
    plainly: NDArray[np.float32]  # [D, G*I, L] learner's share of all plain types
    part: NDArray[np.float32]  # [D, 2**plain, L] share of a support's last type among its plain types
    now_q: NDArray[np.float32]  # [D, P, L] learner's action values at this visit
    now_chain: NDArray[np.float32]  # [D, 2, G*I, L] his values of remainders after a chain item
    # by slot
    pool: NDArray[np.float32]  # [S, 2, T, L] items not yet public when the decision is made
    stock: NDArray[np.float32]  # [S, 2, L] items left to draw
    held: NDArray[np.float32]  # [S, 2, L] items in hand
    draw: NDArray[np.float32]  # [S, 2, chain + 1, G, plain + 4, L] after 1, 2, .. first types; last: second
    avail: NDArray[np.float32]  # [S, 2, P, L] 1 where the type may still be held
    pay: NDArray[np.float32]  # [S, P, P, L]
    alone: NDArray[np.float32]  # [S, 2, P, L]
    best_top: NDArray[np.float32]  # [S, 2, chain, plain, 2, 2**plain, L]
    mean_q: NDArray[np.float32]  # [S, 2, P, L] accumulated action values
    mean_chain: NDArray[np.float32]  # [S, 2, 2, G*I, L] accumulated values of remainders after a chain item
    caps: NDArray[np.int64]  # [S, 2, 2] items of each chain type that are not yet public
    child: NDArray[np.int64]  # [S, MAX_LINKS] slot of the record nested there, -1 none
    parent: NDArray[np.int64]  # [S]
    batch: NDArray[np.int64]  # [S]
    link: NDArray[np.int64]  # [S] next link to follow
    used: NDArray[np.int64]  # [1] slots in use
    # of the moment
    value: NDArray[np.float32]  # [2, G*I, L] values handed up
    flow: NDArray[np.float32]  # [P, L] flow of the learner's opponent by action
    their_part: NDArray[np.float32]  # [2**plain, L] `part` of the learner's opponent
    tail: NDArray[np.float32]  # [chain, G*I, L] his range after forced chaining
    spare: NDArray[np.float32]  # [2, G*I, L]
    counts: NDArray[np.float32]  # [T]
    # Small tables. Separate arrays, because only then the compiler knows that they do not overlap.
    total: NDArray[np.float32]  # [2**plain, L] sums by support
    down: NDArray[np.float32]  # [2**plain, L] sums over larger supports
    facing: NDArray[np.float32]  # [P, L]
    worth: NDArray[np.float32]  # [P + 1, L]
    best: NDArray[np.float32]  # [2**plain, L] best accumulated value of a support
    top: NDArray[np.float32]  # [L] best value
    bottom: NDArray[np.float32]  # [L] worst
    eta: NDArray[np.float32]  # [L] steepness
    line: NDArray[np.float32]  # [L] of a row in progress, like the next two
    first_line: NDArray[np.float32]
    second_line: NDArray[np.float32]


def final_state(num_batches: int, frame: Frame, shifts: bool = False, skips: bool = False) -> FinalState:
    """Zeroed memory of all final records.

    ``shifts``: also of what action values are shifted by; ``skips``: of what nested records are worth where
    visits leave them out.
    """
    return FinalState(
        np.zeros((num_batches, 2, frame.num_actions, LANES), np.float32),
        np.zeros((num_batches, 2, LANES), np.float32),
        np.zeros((num_batches if frame.num_chain else 1, 2, frame.num_plain, LANES), np.float32),
        np.zeros((num_batches if shifts else 0, 2, frame.num_actions, LANES), np.float32),
        np.zeros((num_batches if skips else 0, LANES), np.float32),
    )


def frame_of(actions: ActionSpace, hand_size: int) -> Frame:
    """Sizes of the final step of a game."""
    bits = 1 << actions.num_plain
    sizes = np.array([support.bit_count() for support in range(bits)], np.int64)
    order = np.argsort(sizes, kind="stable").astype(np.uint32)
    most = np.array([int(actions.chain_max[0]), int(actions.chain_max[1])])
    room = np.array([(sizes <= hand_size - k).sum() for k in range(int(most.sum()) + 2)], np.int64)
    rows = [
        (v * (most[1] + 1) + c) * bits + int(s)
        for v in range(most[0] + 1)
        for c in range(most[1] + 1)
        for s in order[: room[v + c]]
    ]
    return Frame(
        actions.local_types.size,
        actions.num_plain,
        actions.num_chain,
        actions.has_nothing,
        int(most[0]),
        int(most[1]),
        max(1, int(actions.chain_copies[0])),
        int(actions.chain_copies.sum()) + 1,
        order,
        room,
        np.array(rows, np.uint32),
    )


def largest_nest(link: I32) -> int:
    """Most records nested in one final step, itself included."""
    return int(_count_nests(link, np.zeros(link.shape[0], np.int64)))


@entry
def _count_nests(link: I32, sizes: I64) -> int:
    """Fill ``sizes`` ``[b]``, and return the largest: sub-steps are numbered after the step they follow."""
    most = 1
    for batch in range(link.shape[0] - 1, -1, -1):
        sizes[batch] = 1
        for k in range(MAX_LINKS):
            if link[batch, k] >= 0:
                sizes[batch] += sizes[link[batch, k]]
        most = max(most, sizes[batch])
    return most


def final_scratch(frame: Frame, num_groups: int, num_types: int, num_slots: int) -> FinalScratch:
    """Work space for one thread; some 200 KB per group and nested record."""
    levels, slots = frame.num_levels, num_slots
    p, plain = frame.num_actions, frame.num_plain
    bits = 1 << plain
    index = (frame.first_max + 1) * (frame.second_max + 1) * bits * num_groups
    chain_index = index if frame.num_chain else 1

    def array(*shape: int) -> F32:
        return np.zeros((*shape, LANES), np.float32)

    return FinalScratch(
        mass=array(levels, index),
        after=array(levels, 2, chain_index),
        share=array(levels, 2, chain_index),
        plainly=array(levels, index),
        part=array(levels, bits),
        now_q=array(levels, p),
        now_chain=array(levels, 2, chain_index),
        pool=array(slots, 2, num_types),
        stock=array(slots, 2),
        held=array(slots, 2),
        draw=array(slots, 2, frame.max_chain + 1, num_groups, plain + 4),
        avail=array(slots, 2, p),
        pay=array(slots, p, p),
        alone=array(slots, 2, p),
        best_top=array(slots, 2, frame.max_chain, plain, 2, bits if frame.num_chain else 1),
        mean_q=array(slots, 2, p),
        mean_chain=array(slots, 2, 2, chain_index),
        caps=np.zeros((slots, 2, 2), np.int64),
        child=np.zeros((slots, MAX_LINKS), np.int64),
        parent=np.zeros(slots, np.int64),
        batch=np.zeros(slots, np.int64),
        link=np.zeros(slots, np.int64),
        used=np.zeros(1, np.int64),
        value=array(2, index),
        flow=array(p),
        their_part=array(bits),
        tail=array(frame.max_chain, chain_index),
        spare=array(2, index),
        counts=np.zeros(num_types, np.float32),
        total=array(bits),
        down=array(bits),
        facing=array(p),
        worth=array(p + 1),
        best=array(bits),
        top=array(),
        bottom=array(),
        eta=array(),
        line=array(),
        first_line=array(),
        second_line=array(),
    )

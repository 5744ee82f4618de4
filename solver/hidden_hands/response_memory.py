"""What one thread's best responses work on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.hidden_hands.decisions.walk_memory import Problem
from solver.hidden_hands.final.response_memory import (
    RecordScratch,
    Supports,
    record_scratch,
    supports_by_size,
)
from solver.hidden_hands.jit import F64, I64
from solver.hidden_hands.spaces import MAX_ACTIONS
from solver.hidden_hands.tree import LANES


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

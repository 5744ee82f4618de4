"""Policies that kernels can follow: trained tables and compiled functions.

A policy is a mode, a table and a function, so that one kernel signature serves all of them; the parts a mode
does not use are placeholders.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from solver.sampling.game import (
    INFOSET_KEY,
    NUM_MOVES,
    POLICY,
    FloatArray,
    IntArray,
)
from solver.sampling.infoset_table import COUNT, FIRST, MISSING, InfosetTable, find_record, new_table
from solver.sampling.specialisation import sampling_kernel

#: The mode's function decides.
FUNCTION = 0
#: The second row of a table, normalised: the average strategy of a training.
AVERAGE = 1
#: The move with the largest first row: after training against a frozen policy, the response.
LARGEST = 2
_MODES = {"function": FUNCTION, "average": AVERAGE, "largest": LARGEST}

#: numba types of what `CompiledPolicy.arguments` returns.
POLICY_TYPES = (types.int64, types.int64[:, ::1], types.float64[::1], POLICY)


@dataclass(frozen=True, eq=False)
class CompiledPolicy:
    """A policy for kernels. Where a table holds nothing, its function is asked.

    Attributes
    ----------
    name : str
    mode : int
        `FUNCTION`, `AVERAGE` or `LARGEST`.
    table : InfosetTable
    function : dispatcher (tables, state, work, probabilities) -> None
        Reads work[0], the number of moves n, and work[1], the infoset key, as `observe` left them and writes
        n probabilities. It may look at no more of the state than the decider sees; nothing checks that.
    """

    name: str
    mode: int
    table: InfosetTable
    function: Callable[..., None]

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What kernels take, of the types `POLICY_TYPES`."""
        return self.mode, self.table.records, self.table.reals, self.function


def function_policy(name: str, function: Callable[..., None]) -> CompiledPolicy:
    """Return the policy of a compiled function."""
    return CompiledPolicy(name, FUNCTION, new_table(1, 1), function)


def uniform_policy() -> CompiledPolicy:
    """Return the policy that plays all moves equally often."""
    return function_policy("uniform", uniform_moves)


def table_policy(
    name: str, table: InfosetTable, *, pure: bool = False, otherwise: Callable[..., None] | None = None
) -> CompiledPolicy:
    """Return the policy of a trained table: its average strategy, or if `pure` the move of largest regret.

    The table is borrowed: training it further changes the policy. `otherwise` decides where the table holds
    nothing; uniform if None.
    """
    return CompiledPolicy(name, LARGEST if pure else AVERAGE, table, otherwise or uniform_moves)


@sampling_kernel
def uniform_moves(tables: IntArray, state: IntArray, work: IntArray, probabilities: FloatArray) -> None:
    """Write equal probabilities for all moves."""
    count = work[NUM_MOVES]
    for move in range(count):
        probabilities[move] = 1.0 / count


@sampling_kernel
def policy_probabilities(
    mode: int,
    records: npt.NDArray[np.int64],
    reals: FloatArray,
    function: Callable[..., None],
    tables: IntArray,
    state: IntArray,
    work: IntArray,
    probabilities: FloatArray,
) -> None:
    """Write what a policy plays at a state just observed to `probabilities`."""
    if mode != FUNCTION:
        record = find_record(records, work[INFOSET_KEY])
        if record != MISSING:
            count = records[record, COUNT]
            first = records[record, FIRST]
            if mode == AVERAGE:
                first += count
                total = 0.0
                for move in range(count):
                    total += reals[first + move]
                if total > 0.0:
                    for move in range(count):
                        probabilities[move] = reals[first + move] / total
                    return
            else:
                best = 0
                for move in range(1, count):
                    if reals[first + move] > reals[first + best]:
                        best = move
                for move in range(count):
                    probabilities[move] = 0.0
                probabilities[best] = 1.0
                return
    function(tables, state, work, probabilities)

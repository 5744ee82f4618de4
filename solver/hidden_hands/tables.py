"""What learning changes of a tree, under the names that saved solves have for it."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.decisions.walk import LazyUpdates
from solver.hidden_hands.final.visits import Hedge, pointer_to_hedge
from solver.hidden_hands.final_state import final_state
from solver.hidden_hands.machine import zeros_on_disk
from solver.hidden_hands.problem import Blueprint
from solver.hidden_hands.walk_memory import Problem
from solver.hidden_hands.workers import Workers

_LAZY_ARRAYS = ("waiting", "kept", "weight", "active")
"""What of a ``LazyUpdates`` changes while solving."""
_SAVED_AS = {"reach": "flow"}
"""Names that saved solves have for arrays of final records, where they differ."""


def lazy_arrays(updates: LazyUpdates) -> dict[str, NDArray[Any]]:
    """What changes of lazy updates, as a checkpoint names it."""
    return {f"deferred_{name}": getattr(updates, name) for name in _LAZY_ARRAYS}


class Tables:
    """Regrets and cumulative reach of a tree, the root included: what every visit changes."""

    def __init__(self, plan: Blueprint, problem: Problem, workers: Workers) -> None:
        size, tree = plan.size, problem.tree
        self.regret = (
            np.zeros(size.regrets, np.uint16)
            if plan.disk is None
            else zeros_on_disk(plan.disk, size.regrets, np.uint16)
        )
        self.end_reach = np.zeros(max(size.ends, 1), np.float32)
        self.state = final_state(tree.row_pair.shape[0], problem.frame, skips=plan.merged is not None)
        self._problem, self._scratch = problem, workers.walks[0]

    @cached_property
    def hedge(self) -> Hedge:
        """What visits final records: compiled, or loaded, when it is first asked for."""
        return pointer_to_hedge(self._problem, self.state, self._scratch)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays, as a checkpoint names them."""
        finals = {f"final_{_SAVED_AS.get(name, name)}": each for name, each in self.state._asdict().items()}
        tables = {"regret": self.regret, "flows": self.end_reach}
        return tables | {name: array for name, array in finals.items() if array.size}

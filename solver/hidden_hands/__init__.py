"""Hidden-hands games: simultaneous placements from hidden hands, solved on the un-merged public tree.

Importing this package loads neither numba nor scipy; the solver is loaded by the first call that needs it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from arena_solver.machine import memory_limit
from solver.hidden_hands.checkpoint import Checkpoint, CheckpointError, WarmStart
from solver.hidden_hands.checkpoint import check as check_checkpoint
from solver.hidden_hands.checkpoint import check_place as check_checkpoint_place
from solver.hidden_hands.game import (
    BaselinePolicy,
    CannotMerge,
    DiskRefused,
    Estimate,
    HandGame,
    Left,
    LockedFrequency,
    MemoryRefused,
    Position,
    PositionSolution,
    Progress,
    Samples,
    Sampling,
    Settings,
    Solution,
    Start,
    StopFlag,
)

if TYPE_CHECKING:
    from solver.hidden_hands.compiling import compile_kernels as warmup
    from solver.hidden_hands.planning import estimate, estimate_quickly
    from solver.hidden_hands.solving import solve, solve_position

__all__ = [
    "BaselinePolicy",
    "CannotMerge",
    "Checkpoint",
    "CheckpointError",
    "DiskRefused",
    "Estimate",
    "HandGame",
    "Left",
    "LockedFrequency",
    "MemoryRefused",
    "Position",
    "PositionSolution",
    "Progress",
    "Samples",
    "Sampling",
    "Settings",
    "Solution",
    "Start",
    "StopFlag",
    "WarmStart",
    "check_checkpoint",
    "check_checkpoint_place",
    "estimate",
    "estimate_quickly",
    "memory_limit",
    "solve",
    "solve_position",
    "warmup",
]

_LATE = {
    "estimate": ("planning", "estimate"),
    "estimate_quickly": ("planning", "estimate_quickly"),
    "solve": ("solving", "solve"),
    "solve_position": ("solving", "solve_position"),
    "warmup": ("compiling", "compile_kernels"),
}
"""What takes numba, by module and name there."""


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, there = _LATE[name]
    return getattr(importlib.import_module(f"{__name__}.{module}"), there)

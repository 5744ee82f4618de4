"""Hidden-hands games: simultaneous placements from hidden hands, solved on the un-merged public tree.

Importing this package loads neither numba nor scipy; the solver is loaded by the first call that needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from solver.hidden_hands.checkpoint import Checkpoint, CheckpointError
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
    Progress,
    Samples,
    Sampling,
    Settings,
    Solution,
    StopFlag,
)
from solver.hidden_hands.memory import memory_limit
from solver.hidden_hands.positions import Position, PositionSolution, Start

if TYPE_CHECKING:
    from solver.hidden_hands.course import Course
    from solver.hidden_hands.merged.merged_tree import MergedSize

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
    "check_checkpoint",
    "check_checkpoint_place",
    "estimate",
    "estimate_quickly",
    "memory_limit",
    "solve",
    "solve_position",
    "warmup",
]


def estimate(game: HandGame, settings: Settings) -> Estimate:
    """Memory and time of a solve (see `solver.hidden_hands.planning.estimate`)."""
    from solver.hidden_hands import planning as module

    return module.estimate(game, settings)


def estimate_quickly(
    game: HandGame, settings: Settings, merged: Callable[[bool], MergedSize | None]
) -> Estimate:
    """Memory and time of a solve in a second (see `solver.hidden_hands.planning.estimate_quickly`)."""
    from solver.hidden_hands import planning as module

    return module.estimate_quickly(game, settings, merged)


def solve(
    game: HandGame,
    settings: Settings,
    progress: Callable[[Progress], None] | None = None,
    stop: StopFlag | None = None,
    checkpoint: Checkpoint | None = None,
    leave: StopFlag | None = None,
) -> Solution:
    """Solve a game and certify the answer (see `solver.hidden_hands.solving.solve`)."""
    from solver.hidden_hands import solving as module

    return module.solve(game, settings, progress, stop, checkpoint, leave)


def solve_position(
    course: Course,
    position: Position,
    settings: Settings,
    progress: Callable[[Progress], None] | None = None,
    stop: StopFlag | None = None,
) -> PositionSolution:
    """Solve the rest of a game from a position on (see `solver.hidden_hands.solving.solve_position`)."""
    from solver.hidden_hands import solving as module

    return module.solve_position(course, position, settings, progress, stop)


def warmup(progress: Callable[[Progress], None] | None = None) -> None:
    """Compile all kernels into the on-disk cache (see `solver.hidden_hands.compiling.compile_kernels`)."""
    from solver.hidden_hands import compiling as module

    module.compile_kernels(progress)

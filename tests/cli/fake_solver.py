"""A stand-in for the day solver: uniform openings, a NashConv that falls with every iteration, no waiting.

Command-line tests are about what surrounds a solve. This one obeys limits, reports progress and can be
stopped, all in known numbers: the value is 0.25 GP, and NashConv is 1 / iterations.
"""

from __future__ import annotations

import itertools
import sys
import time
import types
from dataclasses import replace
from functools import lru_cache
from math import comb, prod
from typing import Any

import numpy as np

from solver.hidden_hands import checkpoint as checkpoints
from solver.hidden_hands.game import (
    BaselinePolicy,
    CannotMerge,
    DiskRefused,
    Estimate,
    Left,
    LockedFrequency,
    MemoryRefused,
    PositionSolution,
    Progress,
    Samples,
    Sampling,
    Settings,
    Solution,
)

VALUE_GP = 0.25
NEEDED_BYTES = 2**20
STEPS = 2
#: Names of the games solved, in order.
solved: list[Any] = []
#: And the checkpoints they were to keep.
kept: list[Any] = []
pause_s = 0.0
#: How long a certificate takes.
proof_s = 0.0
#: Whether answers carry a certificate.
certifies = True
disk_is_full = False


@lru_cache
def _hands(copies: tuple[int, ...], hand_size: int) -> np.ndarray[Any, Any]:
    limits = [range(min(most, hand_size) + 1) for most in copies]
    hands = [hand for hand in itertools.product(*limits) if sum(hand) == hand_size]
    return np.array(hands, np.int8)


def estimate(game: Any, settings: Settings) -> Estimate:
    """Return a fixed estimate; half of it may lie on disk."""
    if settings.disk is not None and memory_limit(settings.memory_bytes) < NEEDED_BYTES:
        return Estimate("exact", NEEDED_BYTES // 2, 0.001, 1000, NEEDED_BYTES // 2)
    return Estimate("exact", NEEDED_BYTES, 0.001, 1000)


def estimate_quickly(game: Any, settings: Settings, merged: Any) -> Estimate:
    """Return the same estimate."""
    return estimate(game, settings)


def memory_limit(memory_bytes: int | None) -> int:
    """Return what may be used."""
    return 2**30 if memory_bytes is None else memory_bytes


def warmup(progress: Any = None) -> None:
    """Report that two kernels are compiled."""
    for done in (0.5, 1.0):
        progress(Progress("compile", done, 0, None, done, 0, "kernel"))


def solve(
    game: Any,
    settings: Settings,
    progress: Any = None,
    stop: Any = None,
    checkpoint: Any = None,
    leave: Any = None,
    warm: Any = None,
    show: Any = None,
    second: Any = None,
) -> Solution:
    """Return uniform openings after as many iterations as `settings` ask for."""
    if settings.method == "merged" and settings.preparation == "seen":
        raise CannotMerge("no exchange in view")
    limit = memory_limit(settings.memory_bytes)
    needed = estimate(game, settings)
    if limit < needed.memory_bytes:
        raise MemoryRefused(needed.memory_bytes, limit)
    if needed.disk_bytes and disk_is_full:
        raise DiskRefused(needed.disk_bytes, str(settings.disk), "No space left on device")
    solved.append(game)
    kept.append(checkpoint)
    start = time.monotonic()
    iteration = 0
    while True:
        iteration += 1
        if pause_s:
            time.sleep(pause_s)
        elapsed = time.monotonic() - start
        if progress is not None:
            progress(Progress("solve", None, iteration, 1 / iteration, elapsed, NEEDED_BYTES, ""))
        if settings.target is not None and 1 / iteration <= settings.target:
            break
        if iteration >= (settings.iterations or 2000):
            break
        if settings.time_limit_s is not None and elapsed >= settings.time_limit_s:
            break
        if stop is not None and stop():
            break
    proved = time.monotonic() + proof_s
    left = False
    while time.monotonic() < proved and not left:
        time.sleep(0.01)
        left = leave is not None and leave()
    nash_conv = 1 / iteration
    hands = _hands(tuple(game.copies.max(axis=0).tolist()), game.hand_size)
    num_types = len(game.type_ids)
    deal = np.zeros((2, len(hands)))
    for player in (0, 1):
        copies = [int(c) for c in game.copies[player]]
        total = comb(sum(copies), game.hand_size)
        deal[player] = [prod(map(comb, copies, hand)) / total for hand in hands.tolist()]
    playable = (hands > 0) & game.placeable
    idle = ~playable.any(axis=1)
    allowed = np.concatenate([playable, idle[:, None]], axis=1)
    mix = allowed / allowed.sum(axis=1, keepdims=True)
    opening = np.stack([mix, mix]).astype(np.float32)
    ev = np.where(allowed, np.arange(num_types + 1) / 4, np.nan)
    opening_mix = np.einsum("ph,pha->pa", deal, opening)
    preparation_mix = None
    if settings.preparation == "redraw":
        keep = np.zeros((len(hands), num_types + 1))
        keep[:, -1] = 1
        preparation_mix = np.stack([keep, keep]).astype(np.float32)
    solution = Solution(
        value=VALUE_GP,
        nash_conv=nash_conv,
        certified=certifies and not left,
        certificate="best response of a stand-in",
        best_response_values=(VALUE_GP + nash_conv / 2, nash_conv / 2 - VALUE_GP),
        iterations=iteration,
        seconds=time.monotonic() - start,
        peak_memory_bytes=NEEDED_BYTES,
        seed=settings.seed,
        method="exact" if settings.method == "auto" else settings.method,
        preparation=settings.preparation,
        converged=settings.target is not None and nash_conv <= settings.target,
        hands=hands,
        hand_probability=deal,
        opening=opening,
        reach=deal,
        opening_ev=np.stack([ev, ev]).astype(np.float32),
        opening_mix=opening_mix,
        preparation_mix=preparation_mix,
        usage=np.repeat(opening_mix[:, None], STEPS, axis=1) * (np.nan if left else 1.0),
        outcome=np.array([0.375, 0.25, 0.25, 0.125]) * (np.nan if left else 1.0),
        mean_gp=np.array([4.25, 4.0]) * (np.nan if left else 1.0),
        samples=None if settings.sampling is None or left else _samples(settings),
        refined=0.6 if settings.method == "merged" else None,
    )
    if show is not None:
        show(replace(solution, nash_conv=2 * nash_conv))
    return solution


def _samples(settings: Settings) -> Samples:
    """Return three days of a Basher and a Slasher against two Slashers, and one the other way round."""
    assert settings.sampling is not None
    steps = [[-1, -1]] if settings.preparation == "seen" else []
    one, other = [*steps, [0, 1], [1, 1], [-2, -2]], [*steps, [1, 0], [1, 1], [-2, -2]]
    return Samples(
        np.array([one, one, one, other], np.int8),
        2.0,
        {policy.name: np.array([[-1.0, 0.125], [-1.5, 0.25]]) for policy, _ in settings.sampling.policies},
    )


def stand_in() -> types.ModuleType:
    """Return a module with what the command line needs of the solver."""
    module = types.ModuleType("solver.hidden_hands")
    contracts = (
        *(
            CannotMerge,
            DiskRefused,
            Estimate,
            LockedFrequency,
            Left,
            BaselinePolicy,
            MemoryRefused,
            Progress,
            Sampling,
        ),
        *(PositionSolution, Settings, Solution),
    )
    for contract in contracts:
        setattr(module, contract.__name__, contract)
    for name in ("Checkpoint", "CheckpointError", "WarmStart"):
        setattr(module, name, getattr(checkpoints, name))
    module.check_checkpoint = checkpoints.check  # type: ignore[attr-defined]
    module.check_checkpoint_place = checkpoints.check_place  # type: ignore[attr-defined]
    for function in (estimate, estimate_quickly, memory_limit, solve, warmup):
        setattr(module, function.__name__, function)
    return module


def install() -> None:
    """Put the stand-in in the place of the solver, for the rest of this process."""
    sys.modules["solver.hidden_hands"] = stand_in()

"""How a game is solved, and what that takes: chosen before anything large is allocated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from arena_solver.machine import memory_limit, processors, thread_limit
from solver.hidden_hands.game import Estimate, HandGame, MemoryRefused, Settings
from solver.hidden_hands.merged.sweeping import Sweeps
from solver.hidden_hands.merged_tree import MergedSize
from solver.hidden_hands.problem import (
    MERGING,
    Blueprint,
    blueprint,
    build_merged_problem,
    build_problem,
    deepest,
    may_merge,
    merged_blueprint,
)
from solver.hidden_hands.tables import Tables
from solver.hidden_hands.training import Trainer, tree_trainer
from solver.hidden_hands.workers import Workers

PREPARATIONS = ("none", "redraw", "seen")
METHODS = ("auto", "exact", "merged")
_BASE_BYTES = 250 * 2**20
_SCRATCH_BYTES, _MERGED_SCRATCH_BYTES = 100 * 2**20, 600 * 2**20
_SECONDS_PER_NODE = 3e-5
_SECONDS_PER_BATCH = 3e-6
_SECONDS_PER_CHAIN_BATCH = 9e-6
_SECONDS_PER_MERGED_NODE = 2e-5
_SECONDS_PER_MERGED_BATCH = 1e-5
_LONG_S, _FEWEST_EXACT = 10.0, 25
"""Where an iteration that visits everything takes so long (a guess), a time limit must allow for so many,
or else histories are merged.

Arianna's whole day, two threads: .5 GP after half an hour un-merged, .07 after an hour; merged .3 after ten
minutes, .2 after twenty.
"""

PILOT_ITERATIONS, FEWEST_PILOT_ITERATIONS = 8, 4
"""Iterations of a merged tree that only show where play goes, and with how few that is clear enough."""

_ROOM_FOR_REFINED = 1.3
"""By how much, at least, memory must exceed what a tree without the symmetry quotient takes: refined
histories bring more than the quotient costs."""


def num_threads(settings: Settings) -> int:
    return thread_limit(settings.threads)


def check_settings(settings: Settings) -> None:
    if settings.preparation not in PREPARATIONS:
        raise ValueError(f"preparation {settings.preparation!r}: one of {', '.join(PREPARATIONS)}")
    if settings.method not in METHODS:
        raise ValueError(f"method {settings.method!r}: one of {', '.join(METHODS)}")


def refusal_of(plan: Blueprint, settings: Settings, limit: int) -> MemoryRefused:
    """What to raise for a plan that does not fit."""
    threads = num_threads(settings)
    needed = estimate_of(plan, threads).memory_bytes
    fitting = threads - -(-(needed - limit) // _scratch_bytes(plan))
    # More than there are processors would fit, but help nobody.
    return MemoryRefused(needed, limit, min(fitting, processors()) if fitting > 0 else None)


def _scratch_bytes(plan: Blueprint) -> int:
    """Bytes of work space that each thread takes."""
    return _SCRATCH_BYTES if plan.merged is None else _MERGED_SCRATCH_BYTES


def estimate_of(plan: Blueprint, threads: int) -> Estimate:
    scratch = _scratch_bytes(plan)
    memory = plan.memory_bytes + _BASE_BYTES + threads * scratch
    if plan.merged is not None:
        seconds = plan.size.nodes * _SECONDS_PER_MERGED_NODE + plan.merged.batches * _SECONDS_PER_MERGED_BATCH
        nodes = plan.size.nodes + plan.merged.records
        return Estimate("merged", memory, seconds * 2 / threads, nodes, plan.disk_bytes)
    per_batch = _SECONDS_PER_CHAIN_BATCH if plan.actions.num_chain else _SECONDS_PER_BATCH
    seconds = (plan.size.nodes * _SECONDS_PER_NODE + plan.size.batches * per_batch) * 2 / threads
    return Estimate("exact", memory, seconds, plan.size.nodes + plan.size.records, plan.disk_bytes)


def choose_plan(
    game: HandGame, settings: Settings, quotient: bool | None = None
) -> tuple[Blueprint, Estimate]:
    """Choose how to solve a game, and what that takes: the finest way that fits, or else the smallest one.

    ``quotient``: whether a merged tree is a symmetry quotient, if that is not to be chosen.
    """
    limit = memory_limit(settings.memory_bytes)
    return _choose(_plans(game, settings, limit, quotient), settings, limit)


def _choose(plans: Iterable[Blueprint], settings: Settings, limit: int) -> tuple[Blueprint, Estimate]:
    """Choose the first plan that fits and is quick enough, or else the first that fits, or the last."""
    second = None
    for each in plans:
        plan, found = fit_memory(each, settings, limit)
        if found.memory_bytes > limit:
            continue
        if not (_takes_too_long(plan, found, settings) or _is_cramped(plan, settings, limit)):
            return plan, found
        second = second or (plan, found)
    return second or (plan, found)


def _is_cramped(plan: Blueprint, settings: Settings, limit: int) -> bool:
    """Whether a merged tree leaves hardly any room for refined histories, and a symmetry quotient would."""
    if plan.merged is None or plan.merged.how.quotient or not plan.symmetric:
        return False
    if settings.iterations is not None and settings.iterations <= PILOT_ITERATIONS:
        return False
    return limit < _ROOM_FOR_REFINED * fit_memory(plan, settings, 0)[1].memory_bytes


def _takes_too_long(plan: Blueprint, found: Estimate, settings: Settings) -> bool:
    """Whether there is hardly time for an un-merged solve, where merging is an option."""
    if settings.method != "auto" or settings.time_limit_s is None:
        return False
    if plan.merged is not None or not may_merge(plan) or found.seconds_per_iteration < _LONG_S:
        return False
    iterations = min(_FEWEST_EXACT, settings.iterations or _FEWEST_EXACT)
    return iterations * found.seconds_per_iteration > settings.time_limit_s


def fit_memory(plan: Blueprint, settings: Settings, limit: int) -> tuple[Blueprint, Estimate]:
    """Decide where regrets lie: on disk only where there is one, and they do not fit in memory."""
    for way in [plan] if settings.disk is None else [plan, replace(plan, disk=settings.disk)]:
        found = estimate_of(way, num_threads(settings))
        if found.memory_bytes <= limit:
            break
    return way, found


def _plans(game: HandGame, settings: Settings, limit: int, quotient: bool | None) -> Iterator[Blueprint]:
    """Ways to solve a game, the finest first: exact, merged, symmetry quotient (see `choose_plan`)."""
    merges = settings.method == "merged"
    most = {"exact": None, "merged": 0, "auto": limit}[settings.method]
    plan = blueprint(game, settings.preparation, locked=settings.locked, most_bytes=most)
    if not merges:
        yield plan
    if merges or (settings.method == "auto" and may_merge(plan)):
        for takes in (False, True) if quotient is None else (quotient,):
            if plan.symmetric or not takes:
                yield merged_blueprint(plan, MERGING._replace(quotient=takes))
    elif settings.method == "auto":
        # Counting ended early; what is refused is to be counted in full.
        yield blueprint(game, settings.preparation, locked=settings.locked)


def estimate(game: HandGame, settings: Settings) -> Estimate:
    """Memory and time of a solve, before anything large is allocated.

    The tree is counted exactly; seconds per iteration that visits everything are a rough guess from its size.
    """
    check_settings(settings)
    return choose_plan(game, settings)[1]


def estimate_quickly(
    game: HandGame, settings: Settings, merged: Callable[[bool], MergedSize | None]
) -> Estimate:
    """Likewise in a second or so: the un-merged tree is sampled, sizes of merged ones are looked up.

    Parameters
    ----------
    game : HandGame
        Only its moves matter.
    merged : callable
        Size of the merged tree, with the symmetry quotient or without it; None where it is not known.

    Raises
    ------
    CannotMerge
        As `merged_blueprint`.
    """
    check_settings(settings)
    limit = memory_limit(settings.memory_bytes)
    plan = blueprint(game, settings.preparation, locked=settings.locked, sampled=True)
    merges = settings.method == "merged"
    if merges and not may_merge(plan):
        merged_blueprint(plan)  # raises
    plans = [] if merges else [plan]
    if settings.method != "exact" and may_merge(plan):
        sizes = [merged(takes) for takes in ((False, True) if plan.symmetric else (False,))]
        plans += [replace(plan, size=size.tree, merged=size) for size in sizes if size is not None]
    found = _choose(plans or [plan], settings, limit)[1]
    # Merging makes a tree smaller, whatever its size.
    return replace(found, method="merged") if merges else found


def least_bytes_of(plan: Blueprint, settings: Settings) -> int:
    """Memory a plan takes where nothing is spared to save some."""
    return fit_memory(plan, settings, 0)[1].memory_bytes


def build_trainer(plan: Blueprint, settings: Settings) -> Trainer:
    """What has been planned, built."""
    threads, redraws = num_threads(settings), settings.preparation == "redraw"
    if plan.merged is not None:
        return merged_trainer(plan, threads, redraws)
    return tree_trainer(plan, build_problem(plan), threads, redraws)


def merged_trainer(plan: Blueprint, threads: int, redraws: bool) -> Trainer:
    """What learns on a merged tree."""
    problem, merged = build_merged_problem(plan)
    workers = Workers(problem, deepest(plan), threads)
    tables = Tables(plan, problem, workers)
    below = Sweeps(plan, problem, merged, workers, tables)
    return Trainer(plan, problem, workers, tables, below, redraws)

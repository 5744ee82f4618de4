"""Solve a hidden-hands game and certify the answer."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena_solver.compiling import counted
from solver.hidden_hands.assistant import Assistant
from solver.hidden_hands.checkpoint import (
    Checkpoint,
    CheckpointError,
    Keeper,
    Pace,
    check,
    check_place,
    stored,
)
from solver.hidden_hands.course import Course
from solver.hidden_hands.decisions.walk_memory import Problem
from solver.hidden_hands.enumeration import enumerate_all
from solver.hidden_hands.game import (
    Estimate,
    HandGame,
    Left,
    Manner,
    MemoryRefused,
    Progress,
    Samples,
    Sampling,
    Settings,
    Solution,
    StopFlag,
)
from solver.hidden_hands.jit import ready, was_compiled
from solver.hidden_hands.memory import memory_limit, peak_bytes
from solver.hidden_hands.merged.merging import Apart, Spread, expand_all
from solver.hidden_hands.merged.splitting import LEAST_GROWTH, SINGLES, Traffic, told_apart
from solver.hidden_hands.merged.training import MergedTrainer
from solver.hidden_hands.positions import Position, PositionSolution
from solver.hidden_hands.problem import (
    MERGING,
    Blueprint,
    blueprint,
    build_merged_problem,
    build_problem,
    may_merge,
    merged_blueprint,
)
from solver.hidden_hands.resolving import PositionTrainer
from solver.hidden_hands.samples import Players
from solver.hidden_hands.simulation import manners
from solver.hidden_hands.spaces import EXCHANGE
from solver.hidden_hands.statistics import Statistics
from solver.hidden_hands.training import FULL_AT_FIRST, Certificate, Trainer
from solver.hidden_hands.warming import Coins

__all__ = ["compile_kernels", "estimate", "solve", "solve_position"]

PREPARATIONS = ("none", "redraw", "seen")
METHODS = ("auto", "exact", "merged")

DEFAULT_ITERATIONS = 100
_BASE_BYTES = 400 * 2**20
_SCRATCH_BYTES, _MERGED_SCRATCH_BYTES = 200 * 2**20, 600 * 2**20
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
_CHECK_EVERY, _CHECK_EVERY_DEFERRING = 4, 12
"""Fewest iterations between two certificates along the way."""
_SELDOM = 4
"""So many times rarer where no target may end the solve: then they only inform."""
_CHECK_EVERY_MERGED = 16
"""The same for merged trees, and only if there is a target: their certificates follow every history."""
_MERGED_CHECK, _MERGED_CHECK_PER_S = 80.0, 6.0
"""Iterations that such a certificate takes the time of, roughly, unless they are quick; and, if that is more,
for each second that one takes: the larger a day, the more histories share a node."""
_MOST_FOR_CHECK = 0.5
"""Share of a time limit that it may take: for large days, what it does not follow is most of the bound."""
_SCOUTS, _FEWEST_SCOUTS = 8, 4
"""Iterations of a merged tree that only show where play goes, and with how few that is clear enough."""
_MOST_FOR_SCOUTS = 0.125
"""Share of a time limit that they may take."""
_MOST_FOR_CHOICE = 0.2
"""After this share of it what fits will do: counting a large tree takes half a minute."""
_SINGLE_GROWTH = 0.5
"""To what power of one over their likelihood the room that single histories take grows, about."""
_ROOM_FOR_SINGLES = 1.3
"""By how much, at least, memory must exceed what an unfolded tree takes: single histories bring more than
folding costs."""
_QUICK_S = 1.0
_ROUNDING, _MOST_SLACK = 1e-6, 0.05
"""How far best responses may be beyond what play can pay, and NashConv with its slack, as a part of that."""
_CHECK_GROWTH, _CHECK_GROWTH_DEFERRING = 0.3, 0.6
"""How many there are at least, as a share of those done.

A certificate costs .4 iterations of a three-slot day; with the visit to all that is deferred, .8 on four
slots and 3.7 on the box's five. Numbers, not the clock: what is visited when, and where a target is found to
be met, must be the same in every run.
"""

_PACKAGE = "solver.hidden_hands."

_ANYHOW = Manner("any", (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), playouts=1)
_WARM = Sampling(2, ((_ANYHOW, 2),))
"""Enough to compile what samples."""

_ASSISTED_THROUGHOUT = ("exact",)
"""Where compiling what iterations need takes as long as all that comes after them. Elsewhere a second process
compiles best responses only."""

_APART = "apart_single"
"""What saved solves of merged trees, and no others, have among their numbers."""

Report = Callable[[Progress], None]


def _threads(settings: Settings) -> int:
    return settings.threads if settings.threads > 0 else _cores()


def _cores() -> int:
    """How many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else (os.cpu_count() or 1)


def _check(settings: Settings) -> None:
    if settings.preparation not in PREPARATIONS:
        raise ValueError(f"preparation {settings.preparation!r}: one of {', '.join(PREPARATIONS)}")
    if settings.method not in METHODS:
        raise ValueError(f"method {settings.method!r}: one of {', '.join(METHODS)}")


def _refusal(plan: Blueprint, settings: Settings, limit: int) -> MemoryRefused:
    """What to raise for a plan that does not fit."""
    threads = _threads(settings)
    needed = _estimate(plan, threads).memory_bytes
    fitting = threads - -(-(needed - limit) // _scratch_bytes(plan))
    # More than there are processors would fit, but help nobody.
    return MemoryRefused(needed, limit, min(fitting, _cores()) if fitting > 0 else None)


def _scratch_bytes(plan: Blueprint) -> int:
    """Bytes of work space that each thread takes."""
    return _SCRATCH_BYTES if plan.merged is None else _MERGED_SCRATCH_BYTES


def _estimate(plan: Blueprint, threads: int) -> Estimate:
    scratch = _scratch_bytes(plan)
    memory = plan.memory_bytes + _BASE_BYTES + threads * scratch
    if plan.merged is not None:
        seconds = plan.size.nodes * _SECONDS_PER_MERGED_NODE + plan.merged.batches * _SECONDS_PER_MERGED_BATCH
        nodes = plan.size.nodes + plan.merged.records
        return Estimate("merged", memory, seconds * 2 / threads, nodes, plan.disk_bytes)
    per_batch = _SECONDS_PER_CHAIN_BATCH if plan.actions.num_chain else _SECONDS_PER_BATCH
    seconds = (plan.size.nodes * _SECONDS_PER_NODE + plan.size.batches * per_batch) * 2 / threads
    return Estimate("exact", memory, seconds, plan.size.nodes + plan.size.records, plan.disk_bytes)


def _plan(game: HandGame, settings: Settings, folds: bool | None = None) -> tuple[Blueprint, Estimate]:
    """Choose how to solve a game, and what that takes: the finest way that fits, or else the smallest one.

    ``folds``: whether a merged tree is folded, if that is not to be chosen.
    """
    limit = memory_limit(settings.memory_bytes)
    second = None
    for each in _plans(game, settings, limit, folds):
        plan, found = _placed(each, settings, limit)
        if found.memory_bytes > limit:
            continue
        if not (_takes_too_long(plan, found, settings) or _is_cramped(plan, settings, limit)):
            return plan, found
        second = second or (plan, found)
    return second or (plan, found)


def _is_cramped(plan: Blueprint, settings: Settings, limit: int) -> bool:
    """Whether a merged tree leaves hardly any room for single histories, and a folded one would."""
    if plan.merged is None or plan.merged.how.folds or not plan.symmetric:
        return False
    if settings.iterations is not None and settings.iterations <= _SCOUTS:
        return False
    return limit < _ROOM_FOR_SINGLES * _placed(plan, settings, 0)[1].memory_bytes


def _takes_too_long(plan: Blueprint, found: Estimate, settings: Settings) -> bool:
    """Whether there is hardly time for an un-merged solve, where merging is an option."""
    if settings.method != "auto" or settings.time_limit_s is None:
        return False
    if plan.merged is not None or not may_merge(plan) or found.seconds_per_iteration < _LONG_S:
        return False
    iterations = min(_FEWEST_EXACT, settings.iterations or _FEWEST_EXACT)
    return iterations * found.seconds_per_iteration > settings.time_limit_s


def _placed(plan: Blueprint, settings: Settings, limit: int) -> tuple[Blueprint, Estimate]:
    """Decide what there is room for.

    Certificates along the way are given up where they do not fit, unless a target is the only thing that ends
    the solve. Regrets lie on disk only where there is one to take them, and they do not fit in memory then.
    """
    ways = [replace(plan, checks=True)]
    if settings.target is None or settings.time_limit_s is not None or settings.iterations is not None:
        ways.append(replace(plan, checks=False))
    if settings.disk is not None:
        ways.append(replace(ways[-1], disk=settings.disk))
    for way in ways:
        found = _estimate(way, _threads(settings))
        if found.memory_bytes <= limit:
            break
    return way, found


def _plans(game: HandGame, settings: Settings, limit: int, folds: bool | None) -> Iterator[Blueprint]:
    """Ways to solve a game, the finest first: un-merged, merged, merged and folded (see `_plan`)."""
    merges = settings.method == "merged"
    most = {"exact": None, "merged": 0, "auto": limit}[settings.method]
    plan = blueprint(game, settings.preparation, habits=settings.habits, most_bytes=most)
    if not merges:
        yield plan
    if merges or (settings.method == "auto" and may_merge(plan)):
        for folded in (False, True) if folds is None else (folds,):
            if plan.symmetric or not folded:
                yield merged_blueprint(plan, MERGING._replace(folds=folded))
    elif settings.method == "auto":
        # Counting ended early; what is refused is to be counted in full.
        yield blueprint(game, settings.preparation, habits=settings.habits)


def estimate(game: HandGame, settings: Settings) -> Estimate:
    """Memory and time of a solve, before anything large is allocated.

    The tree is counted exactly; seconds per iteration that visits everything are a rough guess from its size.
    """
    _check(settings)
    return _plan(game, settings)[1]


def solve(
    game: HandGame,
    settings: Settings,
    progress: Report | None = None,
    stop: StopFlag | None = None,
    checkpoint: Checkpoint | None = None,
    leave: StopFlag | None = None,
) -> Solution:
    """Solve a game by full-width counterfactual regret minimisation on its public tree.

    Where that does not fit, public histories with equal rows are merged (see `Settings`); what is certified
    is the un-merged game all the same.

    Parameters
    ----------
    game : HandGame
        Arrays of the game; payoffs in points, whole numbers.
    settings : Settings
    progress : callable, optional
        Called with a ``Progress`` about once per iteration.
    stop : callable, optional
        Polled once per iteration; when true, the solve ends with what it has.
    checkpoint : Checkpoint, optional
        Where to save the running solve, and from where to take one up. Limits count from its very start.
    leave : callable, optional
        Polled many times in an iteration or a certificate; when true, the solve ends within seconds with what
        is known.

    Returns
    -------
    Solution
        Certified by an exact best response on the un-merged tree, unless somebody left before: then
        ``certified`` is False, ``nash_conv`` and the best responses are those of the latest check (or what
        payoffs allow), and outcomes, mean points and later items are not numbers.

    Raises
    ------
    MemoryRefused
        Before any allocation, when the estimate exceeds the limit.
    ValueError
        Unknown preparation or method.
    Left
        Somebody left before the first iteration was done.
    CheckpointError
        What is to be taken up is no solve of this game, or spoilt; or what is to be written over is none.
    """
    _check(settings)
    folds = None
    if checkpoint is not None and checkpoint.resume_from is not None:
        # Whatever time and memory there are now.
        saved = check(checkpoint.resume_from, checkpoint.identity)
        merged = _APART in saved["numbers"]
        if settings.method == "auto":
            settings = replace(settings, method="merged" if merged else "exact")
        if merged:
            folds = _is_folded(saved, checkpoint.resume_from)
    if checkpoint is not None and checkpoint.save_to is not None and not checkpoint.overwrite:
        check_place(checkpoint.save_to, checkpoint.identity)
    clock = _Clock(settings, progress)
    clock.say("compile", "loading or compiling what counts the tree")
    counted = "merged" if settings.method == "merged" else "exact"
    _plan(Coins(), Settings(preparation="none", method=counted))
    # No time limit counts that.
    clock.begin = time.perf_counter()
    clock.say("build", "counting the public tree")
    plan, guess = _plan(game, settings, folds)
    _poll(leave)
    limit = memory_limit(settings.memory_bytes)
    if guess.memory_bytes > limit:
        raise _refusal(plan, settings, limit)
    begun = time.perf_counter()
    compile_kernels(progress, (guess.method,))
    clock.begin += time.perf_counter() - begun
    _poll(leave)
    clock.say("build", f"building {guess.num_nodes:,} public nodes")
    return _solve(plan, settings, clock, stop, checkpoint, leave)


def _poll(leave: StopFlag | None) -> None:
    if leave is not None and leave():
        raise Left


def _is_folded(saved: Mapping[str, Any], path: Path) -> bool:
    """Whether a saved solve of a merged tree is one of a folded tree."""
    try:
        return bool(saved["arrays"]["values"][1][0] == 1)
    except (KeyError, IndexError, TypeError):
        raise CheckpointError(f"{path} is spoilt: the sizes of its arrays are missing") from None


def compile_kernels(progress: Report | None = None, methods: Sequence[str] = METHODS[1:]) -> None:
    """Compile all kernels of some methods, or load them from the on-disk cache, once per process.

    Minutes for each the first time, a second afterwards (`docs/day-solver.md`, Compiling); no time limit
    counts it.
    """
    todo = [method for method in methods if method not in _compiled]
    needs_all = {*todo, *_compiled} == {*METHODS[1:]}
    begin = time.perf_counter()

    def say(message: str, fraction: float | None = None) -> None:
        if progress is not None:
            elapsed = time.perf_counter() - begin
            progress(Progress("compile", fraction, 0, None, elapsed, peak_bytes(), message))

    def count(what: str) -> None:
        done, total = ready()
        some, fraction = (f" of {total}", done / total) if needs_all else ("", None)
        say(f"{done}{some} kernels ready, {what}", fraction)

    def watch(name: str) -> None:
        if name.startswith(_PACKAGE):
            count(f"now {name.removeprefix(_PACKAGE)}")

    for method in todo:
        say(f"loading or compiling the kernels, method {method}")
        with counted(watch):
            _compile_method(method, tick=lambda: count("waiting for the second process"))
        _compiled.append(method)
    if todo:
        say("kernels ready", 1.0)


def _compile_method(method: str, tick: Callable[[], None]) -> None:
    """Compile the kernels of a method, or load them; `tick` is called while another process is waited for."""
    settings = _warming(method)
    plan = _plan(Coins(), settings)[0]
    # Who had to compile what counts the tree will have to compile everything.
    first = expand_all if method == "merged" else enumerate_all
    helps = was_compiled(first) and _cores() > 1
    with Assistant(method if helps else None) as assistant:
        trainer = _trainer(plan, settings)
        try:
            trainer.prepare()
            assistant.go_on()
            trainer.iterate()
            if method in _ASSISTED_THROUGHOUT:
                assistant.wait(tick)
            trainer.prepare_to_certify()
            trainer.statistics()
            trainer.sample(_WARM, settings.seed)
            assistant.wait(tick)
            trainer.certify()
        finally:
            trainer.close()


def compile_certificates(method: str, ready: Callable[[], object]) -> None:
    """Compile the kernels that are needed once iterations are over; what ``Assistant`` does.

    Parameters
    ----------
    method : {"exact", "merged"}
    ready : callable
        Returns when there is nothing left to wait for.
    """
    settings = _warming(method)
    trainer = _trainer(_plan(Coins(), settings)[0], settings)
    # Nothing was learnt, so what comes out says nothing.
    trainer.total_weight = 1.0
    try:
        with np.errstate(all="ignore"):
            trainer.prepare_to_certify()
            if method == "merged":
                ready()
            trainer.certify()
            if method not in _ASSISTED_THROUGHOUT:
                return
            trainer.statistics()
            anybody = manners((_ANYHOW, _ANYHOW), len(Coins.type_ids))
            trainer.sampler()(1, Players(np.zeros(2, np.bool_), anybody, False, settings.seed))
    finally:
        trainer.close()


def _warming(method: str) -> Settings:
    return Settings(preparation="none", method=method, threads=1)


_compiled: list[str] = []


def _solve(
    plan: Blueprint,
    settings: Settings,
    clock: _Clock,
    stop: StopFlag | None = None,
    checkpoint: Checkpoint | None = None,
    leave: StopFlag | None = None,
) -> Solution:
    """Solve what has been planned, with kernels that are ready."""
    apart = None
    if plan.merged is not None and checkpoint is not None and checkpoint.resume_from is not None:
        apart = _stored_apart(checkpoint.resume_from, checkpoint.identity)
        if apart is None:
            checkpoint.note(f"{checkpoint.resume_from} was saved early: the solve begins anew.")
            checkpoint = replace(checkpoint, resume_from=None)
    trainer = _begun(plan, settings, clock, stop, apart)
    plan = trainer.plan
    trainer.watch = lambda share: clock.say("certify", "", trainer.iterations, share, trainer.bound)
    trainer.leave = leave
    try:
        keeper = None if checkpoint is None else Keeper(checkpoint, trainer)
        certificate = _train(trainer, settings, clock, stop, keeper)
        _poll(leave)
        clock.say("certify", "outcomes", trainer.iterations)
        return _solution(plan, trainer, certificate, settings, clock, stop, trainer.statistics())
    except Left:
        return _unproved(plan, trainer, settings, clock)
    finally:
        trainer.close()


def _stored_apart(path: Path, identity: Mapping[str, str]) -> Apart | None:
    """What a saved solve tells apart; None if it was still looking where play goes, and may begin anew.

    Raises
    ------
    CheckpointError
        If it is no merged one of this game.
    """
    header = check(path, identity)
    spread = Spread(*(stored(path, f"apart_spread_{name}") for name in Spread._fields))
    apart = Apart(stored(path, "apart_averaged"), spread, header["numbers"][_APART])
    return None if header["iterations"] <= _SCOUTS and not apart.tells else apart


def _begun(
    plan: Blueprint, settings: Settings, clock: _Clock, stop: StopFlag | None, apart: Apart | None
) -> Trainer:
    """What has been planned, built; in a merged tree histories are told apart where play goes.

    Raises
    ------
    MemoryRefused
        If that is known already (`apart`), and does not fit.
    """
    merged, limit = plan.merged, memory_limit(settings.memory_bytes)
    if merged is None:
        return _trainer(plan, settings)
    if apart is not None:
        plan, found = _placed(merged_blueprint(plan, merged.how._replace(apart=apart)), settings, limit)
        if found.memory_bytes > limit:
            raise _refusal(plan, settings, limit)
        return _trainer(plan, settings)
    # With a disk there is room for more single histories, too.
    room = limit / _least_bytes(plan, settings)
    trainer = _trainer(plan, settings)
    assert isinstance(trainer, MergedTrainer)
    if room < LEAST_GROWTH or not _scouted(trainer, settings, clock, stop):
        return trainer
    traffic = trainer.traffic()
    trainer.close()
    # The first one must be gone before there is a second one.
    del trainer
    return _trainer(_finest(plan, traffic, settings, limit, clock), settings)


def _finest(coarse: Blueprint, traffic: Traffic, settings: Settings, limit: int, clock: _Clock) -> Blueprint:
    """Keep as many of the likeliest histories of a merged tree single as there is room for."""
    assert coarse.merged is not None
    apart = told_apart(traffic, SINGLES[-1])
    merged_bytes = _least_bytes(coarse, settings)
    finest, first, last = coarse, 0, len(SINGLES)
    at = last // 2
    while first < last:
        clock.say("build", f"telling histories apart from a likelihood of {SINGLES[at]:.0e} on")
        how = coarse.merged.how._replace(apart=replace(apart, single=SINGLES[at]))
        finer, found = _placed(merged_blueprint(coarse, how), settings, limit)
        if found.memory_bytes > limit:
            first = at + 1
            at = (first + last) // 2
            continue
        finest, last = finer, at
        if clock.limit is not None and clock.elapsed() > clock.limit * _MOST_FOR_CHOICE:
            break
        # Counting takes long, so what comes next is the finest that seems to fit, by what this one takes.
        room = (limit - merged_bytes) / max(_least_bytes(finer, settings) - merged_bytes, 1)
        least = SINGLES[at] * max(room, 1.0) ** (-1.0 / _SINGLE_GROWTH)
        at = next(i for i in range(first, last + 1) if SINGLES[i] >= least)
        if at == last:
            at = (first + last) // 2
    return finest


def _least_bytes(plan: Blueprint, settings: Settings) -> int:
    """Memory a plan takes where nothing is spared to save some."""
    return _placed(plan, settings, 0)[1].memory_bytes


def _scouted(trainer: MergedTrainer, settings: Settings, clock: _Clock, stop: StopFlag | None) -> bool:
    """Iterate a little, to see where play goes; return whether there was time for it.

    If not, the solve goes on from there.
    """
    if settings.iterations is not None and settings.iterations <= _SCOUTS:
        return False
    while trainer.iterations < _SCOUTS:
        late = clock.limit is not None and clock.elapsed() > clock.limit * _MOST_FOR_SCOUTS
        if late or (stop is not None and stop()):
            break
        clock.say("build", f"looking where play goes, {trainer.iterations + 1} of {_SCOUTS}")
        trainer.iterate()
        trainer.look()
    return trainer.iterations >= _FEWEST_SCOUTS


def _trainer(plan: Blueprint, settings: Settings) -> Trainer:
    """What has been planned, built."""
    threads, redraws = _threads(settings), settings.preparation == "redraw"
    if plan.merged is not None:
        return MergedTrainer(plan, *build_merged_problem(plan), threads, redraws)
    return Trainer(plan, build_problem(plan), threads, redraws)


def solve_position(
    course: Course,
    position: Position,
    settings: Settings,
    progress: Report | None = None,
    stop: StopFlag | None = None,
) -> PositionSolution:
    """Solve the rest of a game from a position on, with the ranges it gives.

    Parameters
    ----------
    course : Course
        The game's.
    position : Position
        Where play stands, and what is believed about the hands.
    settings, progress, stop
        As for :func:`solve`; `settings.preparation` is not looked at.

    Raises
    ------
    MemoryRefused
        As :func:`solve`; what it says is needed is then a lower bound.
    ValueError
        As :func:`solve`.
    """
    _check(settings)
    compile_kernels(progress, ("exact",))
    clock = _Clock(settings, progress)
    clock.say("build", "counting the rest of the public tree")
    threads = _threads(settings)
    limit = memory_limit(settings.memory_bytes)
    # Counting a tree that does not fit would take minutes; that it does not fit is soon known.
    plan = blueprint(course.game, "none", start=position.start, privates=course.privates, most_bytes=limit)
    needed = _estimate(plan, threads).memory_bytes
    if needed > limit:
        raise _refusal(plan, settings, limit)
    trainer = PositionTrainer(plan, build_problem(plan), threads, position)
    try:
        certificate = _train(trainer, settings, clock, stop)
    finally:
        trainer.close()
    return PositionSolution(
        mixes=trainer.mixes(),
        values=certificate.opening_values,
        best_response_values=certificate.best_response_values,
        nash_conv=certificate.nash_conv,
        iterations=trainer.iterations,
        seconds=clock.elapsed(),
        peak_memory_bytes=peak_bytes(),
        seed=settings.seed,
        converged=settings.target is None or certificate.nash_conv <= settings.target,
        history=clock.history,
    )


class _Clock:
    """Elapsed time, history and progress reports of a solve."""

    def __init__(self, settings: Settings, progress: Report | None) -> None:
        self.begin = time.perf_counter()
        self.limit = settings.time_limit_s
        self.history: list[tuple[int, float, float]] = []
        self.proved: tuple[int, Certificate] | None = None
        """The latest certificate, and of which iteration."""
        self._progress = progress
        self._iterations = settings.iterations

    def elapsed(self) -> float:
        return time.perf_counter() - self.begin

    def left(self) -> float | None:
        """Time left, if it is limited."""
        return None if self.limit is None else max(self.limit - self.elapsed(), 0.0)

    def say(
        self,
        phase: str,
        message: str,
        iteration: int = 0,
        fraction: float | None = None,
        bound: float | None = None,
    ) -> None:
        """Report progress; ``bound``: NashConv so far, if not that of the latest check."""
        if self._progress is None:
            return
        if phase == "solve":
            shares = [iteration / self._iterations] if self._iterations else []
            if self.limit:
                shares.append(self.elapsed() / self.limit)
            fraction = min(1.0, max(shares)) if shares else None
        if bound is None and self.history:
            bound = self.history[-1][2]
        self._progress(Progress(phase, fraction, iteration, bound, self.elapsed(), peak_bytes(), message))


def _train(
    trainer: Trainer,
    settings: Settings,
    clock: _Clock,
    stop: StopFlag | None,
    keeper: Keeper | None = None,
) -> Certificate:
    """Iterate until a limit is reached; return the final certificate."""
    unlimited = settings.iterations is None and settings.time_limit_s is None and settings.target is None
    last = (
        settings.iterations
        if settings.iterations is not None
        else (DEFAULT_ITERATIONS if unlimited else None)
    )
    pace = Pace()
    resumed = None if keeper is None else keeper.resume()
    if resumed is not None:
        pace, elapsed_s, clock.history = resumed
        clock.begin -= elapsed_s
    merges = trainer.plan.merged is not None
    closing = stopped = False
    while not closing and not _reached(settings, clock, trainer.iterations):
        upcoming = trainer.iterations + 1
        stopped = stop is not None and stop()
        # A final certificate takes the time of three checks, and all that is deferred must be visited first.
        late = clock.limit is not None and clock.elapsed() + _rest_s(pace) >= clock.limit
        closing = stopped or late or (last is not None and upcoming >= last)
        if keeper is not None and closing:
            # Before the last iteration: it visits everything, which one that is followed by others may not.
            clock.say("solve", "saving", trainer.iterations)
            keeper.close(pace, clock.elapsed(), clock.history)
        elif keeper is not None and keeper.due():
            clock.say("solve", "saving", trainer.iterations)
            keeper.save(pace, clock.elapsed(), clock.history)
        checks = upcoming >= pace.next_check
        if merges:
            checks = checks and settings.target is not None and upcoming >= _CHECK_EVERY_MERGED
            # One check shows how long they take, where that cannot be long.
            checks |= upcoming == 3 and clock.limit is not None and pace.plain_s < _QUICK_S
            checks = checks and trainer.plan.checks
        everything = not trainer.defers or closing or checks or upcoming <= FULL_AT_FIRST
        if closing and trainer.defers:
            clock.say("solve", "visiting all that was deferred", trainer.iterations)
        begun = clock.elapsed()
        trainer.iterate(everything)
        taken = clock.elapsed() - begun
        if not all(np.isfinite(average).all() for average in trainer.root_average):
            raise ArithmeticError(f"an error in the solver: what iteration {upcoming} left are no numbers")
        if everything and trainer.defers:
            pace.plain_s, pace.full_s = pace.plain_s or taken, taken
        else:
            pace.plain_s = taken
        if merges and upcoming > 1 and not clock.history and taken >= _QUICK_S:
            pace.check_s = _merged_check_s(taken, clock.limit)
        clock.say("solve", "", upcoming)
        if closing or not checks:
            continue
        begun = clock.elapsed()
        left = clock.left()
        found = trainer.certify(audit=False, seconds=None if left is None else left / 4)
        pace.check_s = clock.elapsed() - begun
        clock.history.append((upcoming, clock.elapsed(), found.nash_conv))
        clock.proved = (upcoming, found)
        clock.say("solve", "", upcoming)
        gap, growth = (
            (_CHECK_EVERY_DEFERRING, _CHECK_GROWTH_DEFERRING)
            if trainer.defers
            else (_CHECK_EVERY, _CHECK_GROWTH)
        )
        if merges:
            gap, growth = _CHECK_EVERY_MERGED, 1.0
        elif settings.target is None:
            gap, growth = _SELDOM * gap, _SELDOM * growth
        pace.next_check = upcoming + max(gap, int(np.ceil(growth * upcoming)))
    if keeper is not None and not closing:
        keeper.close(pace, clock.elapsed(), clock.history)
    clock.say("certify", "exact best response on the un-merged game", trainer.iterations)
    trainer.finish()
    tell = trainer.watch

    def watch(share: float) -> None:
        if stop is not None and stop():
            trainer.hurry()
        if tell is not None:
            tell(share)

    trainer.watch = watch
    final = _sound(trainer.certify(seconds=0.0 if stopped else clock.left()), trainer.plan.game)
    clock.history.append((trainer.iterations, clock.elapsed(), final.nash_conv))
    clock.proved = (trainer.iterations, final)
    return final


def _merged_check_s(iteration_s: float, limit_s: float | None) -> float:
    """How much time is kept for the certificate of a merged day."""
    iterations = max(_MERGED_CHECK, _MERGED_CHECK_PER_S * iteration_s)
    return min(iterations * iteration_s, (limit_s or np.inf) * _MOST_FOR_CHECK)


def _rest_s(pace: Pace) -> float:
    """What another iteration, one more that visits everything, and a certificate would take."""
    return pace.plain_s + pace.full_s + pace.check_s


def _reached(settings: Settings, clock: _Clock, iterations: int) -> bool:
    """Whether the latest iteration was checked and met the target."""
    if settings.target is None or not clock.history or clock.history[-1][0] != iterations:
        return False
    return clock.history[-1][2] <= settings.target * (1.0 - 1e-3)


def _solution(
    plan: Blueprint,
    trainer: Trainer,
    certificate: Certificate,
    settings: Settings,
    clock: _Clock,
    stop: StopFlag | None,
    stats: Statistics | None,
) -> Solution:
    """Gather what the trainer has learnt in the shape callers expect; who is stopped samples nothing.

    Without statistics nothing is claimed: see `_unproved`.
    """
    game, problem = plan.game, trainer.problem
    num_types = len(game.type_ids)
    seen = int(problem.tree.kind[0]) == EXCHANGE
    first = [trainer.seen_opening(p) if seen else {} for p in range(2)]
    hands, numbers = _all_hands(problem, [{trainer.levels[p], *first[p]} for p in range(2)])
    rows = [numbers[p][trainer.levels[p]] for p in range(2)]
    size = hands.shape[0]
    probability = np.zeros((2, size))
    reach = np.zeros((2, size))
    opening = np.zeros((2, size, num_types + 1), np.float32)
    gains = np.full((2, size, num_types + 1), np.nan, np.float32)
    exchange_mix = np.zeros((2, size, num_types + 1), np.float32) if settings.preparation != "none" else None
    columns = np.where(problem.types >= 0, problem.types, num_types)
    for p in range(2):
        probability[p, rows[p]] = trainer.deals[p]
        mix = _normalised(trainer.root_average[p], np.isfinite(certificate.opening_values[p]))
        if seen:
            assert exchange_mix is not None
            exchange_mix[p, rows[p]] = mix
            continue
        reach[p, rows[p]] = trainer.root_mass[p] / trainer.total_weight
        opening[p][np.ix_(rows[p], columns)] = mix
        gains[p][np.ix_(rows[p], columns)] = certificate.opening_values[p]
        if trainer.exchange is not None and exchange_mix is not None:
            exchange_mix[p, rows[p]] = trainer.exchange[p].average_strategy()
    usage = np.full((2, game.row_length, num_types + 1), np.nan)
    if stats is not None:
        # The deepest numbering allows for one step more than play may have.
        steps = int(np.flatnonzero(stats.usage.sum(axis=(0, 2)) > 0.0)[-1]) + 1
        usage = np.zeros((2, steps, num_types + 1))
        usage[:, :, columns] = stats.usage[:, :steps]
    if seen:
        # Hands, what is done with them and what that is worth, over all public exchanges.
        for p in range(2):
            worths = trainer.seen_opening_values(p)
            for level, mass in first[p].items():
                where = numbers[p][level]
                reach[p, where] = mass.sum(axis=1)
                opening[p][np.ix_(where, columns)] = _normalised(mass, mass > 0.0)
                gains[p][np.ix_(where, columns)] = worths[level]
    samples = None if stats is None else _sampled(trainer, settings, clock, stop)
    values = certificate.best_response_values
    return Solution(
        value=_value(plan, stats, values),
        nash_conv=certificate.nash_conv,
        certified=stats is not None,
        certificate="" if stats is None else _describe(certificate, stats, plan),
        best_response_values=values,
        iterations=trainer.iterations,
        seconds=clock.elapsed(),
        peak_memory_bytes=peak_bytes(),
        seed=settings.seed,
        method=trainer.method,
        told_apart=trainer.told_apart,
        preparation=settings.preparation,
        converged=settings.target is None or certificate.nash_conv <= settings.target,
        hands=hands,
        hand_probability=probability,
        opening=opening,
        reach=reach,
        opening_ev=gains,
        opening_mix=np.einsum("ps,psa->pa", reach, opening.astype(np.float64)),
        preparation_mix=exchange_mix,
        usage=usage,
        outcome=np.full(4, np.nan) if stats is None else stats.outcome / stats.mass,
        mean_gp=np.full(2, np.nan) if stats is None else stats.mean_points / stats.mass,
        samples=samples,
        history=clock.history,
    )


def _unproved(plan: Blueprint, trainer: Trainer, settings: Settings, clock: _Clock) -> Solution:
    """What is known when somebody leaves early: how the day has been opened, and what the latest check found.

    Raises
    ------
    Left
        If there is nothing yet.
    """
    trainer.leave = None
    if any(average.sum() <= 0.0 for average in trainer.root_average):
        raise Left
    if clock.proved is None:
        most = float(np.abs(plan.game.payoff).max())
        nothing = tuple(np.full(average.shape, np.nan) for average in trainer.root_average)
        found = Certificate((most, most), 0.0, (nothing[0], nothing[1]), (np.zeros(0), np.zeros(0)))
        how = "nothing was proved before somebody left; no gain is larger than what payoffs allow"
    else:
        iteration, found = clock.proved
        how = "exact best response on the un-merged game, left before outcomes were counted"
        if iteration < trainer.iterations:
            how = f"exact best response to the play of iteration {iteration}; left before the last was proved"
    # Where the exchange is seen, what is held and played after it takes that long to find out.
    stats = trainer.statistics() if int(trainer.problem.tree.kind[0]) == EXCHANGE else None
    known = _solution(plan, trainer, found, replace(settings, sampling=None), clock, None, stats)
    reach = known.reach / known.reach.sum(axis=1, keepdims=True)  # The last iteration may be half done.
    mix = np.einsum("ps,psa->pa", reach, known.opening.astype(np.float64))
    return replace(known, certified=False, certificate=how, converged=False, reach=reach, opening_mix=mix)


class _Stopped(Exception):
    """Somebody does not want to wait."""


def _sampled(trainer: Trainer, settings: Settings, clock: _Clock, stop: StopFlag | None) -> Samples | None:
    """Sample plays, if that was asked for; none if it is stopped."""

    def watch(share: float) -> None:
        if stop is not None and stop():
            raise _Stopped
        clock.say("certify", "sampled plays", trainer.iterations, share)

    if settings.sampling is None:
        return None
    try:
        watch(0.0)
        return trainer.sample(settings.sampling, settings.seed, watch)
    except _Stopped:
        return None


def _value(plan: Blueprint, stats: Statistics | None, best: tuple[float, float]) -> float:
    """What both plans pay player 0 against each other, kept between what best responses allow.

    Rounding, and what statistics of a merged tree do not follow, may put it a little outside. Where nothing
    was counted it is the middle of these.
    """
    if plan.symmetric:
        return 0.0
    if stats is None:
        return (best[0] - best[1]) / 2.0
    paid = float(stats.mean_points[0] - stats.mean_points[1])
    if plan.merged is not None:
        paid /= stats.mass
    return min(max(paid, -best[1]), best[0])


def _normalised(mass: NDArray[np.float64], legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Rows scaled to one; uniform over what is legal where a row is empty."""
    total = mass.sum(axis=1, keepdims=True)
    count = np.maximum(legal.sum(axis=1, keepdims=True), 1)
    return np.where(total > 0.0, mass / np.where(total > 0.0, total, 1.0), legal / count)


def _all_hands(
    problem: Problem, levels: Sequence[Set[int]]
) -> tuple[NDArray[np.int8], list[dict[int, NDArray[np.int64]]]]:
    """The hands of both players at some levels in one list, and where each player's hands stand in it."""
    places = [(p, level) for p in range(2) for level in sorted(levels[p])]
    lists = []
    for p, level in places:
        spaces = problem.spaces0 if p == 0 else problem.spaces1
        lists.append(spaces.held[spaces.level_start[level] : spaces.level_start[level + 1]].astype(np.int8))
    hands, where = np.unique(np.concatenate(lists), axis=0, return_inverse=True)
    parts = np.split(where.reshape(-1).astype(np.int64), np.cumsum([each.shape[0] for each in lists])[:-1])
    numbers: list[dict[int, NDArray[np.int64]]] = [{}, {}]
    for (p, level), part in zip(places, parts, strict=True):
        numbers[p][level] = part
    return hands, numbers


def _describe(certificate: Certificate, stats: Statistics, plan: Blueprint) -> str:
    """How exact the answer is and how that is known, in words."""
    slack = 10.0 ** np.ceil(np.log10(max(certificate.slack, 1e-12)))
    text = f"exact best response on the un-merged game{certificate.left_out}"
    text += f"; rounding (under {slack:.0e}) counted"
    if plan.actions.num_chain:
        outcomes, points = (_rounded_up(off) for off in (stats.outcome_off, stats.points_off))
        text += (
            "; outcomes and mean points estimated where a lone chain ends play"
            f" (shares off by {outcomes} at most, means by {points}, their difference by nothing)"
        )
    return text


def _rounded_up(amount: float) -> str:
    """An amount with two digits, never too small."""
    if amount <= 0.0:
        return "0"
    unit = 10.0 ** (np.floor(np.log10(amount)) - 1.0)
    return f"{np.ceil(amount / unit - 1e-9) * unit:.2g}"


def _sound(certificate: Certificate, game: HandGame) -> Certificate:
    """Return a certificate that can be one.

    Raises
    ------
    ArithmeticError
        If anybody gains more than play can pay, so that it says nothing, or is wrong.
    """
    pays = float(np.abs(game.payoff).max())
    most = pays * (1.0 + _ROUNDING) + certificate.slack
    gains = certificate.best_response_values
    if not (certificate.nash_conv <= 2.0 * pays * (1.0 + _MOST_SLACK) and max(map(abs, gains)) <= most):
        raise ArithmeticError(
            f"an error in the solver: its certificate (NashConv {certificate.nash_conv:.3g}, best responses"
            f" {gains[0]:.3g} and {gains[1]:.3g}) is beyond what play can pay ({pays:g})"
        )
    return certificate

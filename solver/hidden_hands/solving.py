"""Solve a hidden-hands game and certify the answer."""

from __future__ import annotations

import time
from dataclasses import replace

from solver.hidden_hands.checkpoint import Checkpoint, Keeper, check, check_place
from solver.hidden_hands.clock import Clock, Report
from solver.hidden_hands.compiling import Coins, compile_kernels
from solver.hidden_hands.course import Course, PositionTrainer
from solver.hidden_hands.game import HandGame, Left, Settings, Solution, StopFlag
from solver.hidden_hands.memory import memory_limit, peak_bytes
from solver.hidden_hands.planning import check_settings, choose_plan, estimate_of, num_threads, refusal_of
from solver.hidden_hands.positions import Position, PositionSolution
from solver.hidden_hands.problem import Blueprint, blueprint, build_problem
from solver.hidden_hands.running import (
    REFINEMENT_KEY,
    begin_trainer,
    is_quotient,
    poll_leave,
    stored_refinement,
    train_to_limit,
)
from solver.hidden_hands.solutions import gather_solution, unproved_solution


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
    check_settings(settings)
    quotient = None
    if checkpoint is not None and checkpoint.resume_from is not None:
        # Whatever time and memory there are now.
        saved = check(checkpoint.resume_from, checkpoint.identity)
        merged = REFINEMENT_KEY in saved["numbers"]
        if settings.method == "auto":
            settings = replace(settings, method="merged" if merged else "exact")
        if merged:
            quotient = is_quotient(saved, checkpoint.resume_from)
    if checkpoint is not None and checkpoint.save_to is not None and not checkpoint.overwrite:
        check_place(checkpoint.save_to, checkpoint.identity)
    clock = Clock(settings, progress)
    clock.say("compile", "loading or compiling what counts the tree")
    counted = "merged" if settings.method == "merged" else "exact"
    choose_plan(Coins(), Settings(preparation="none", method=counted))
    # No time limit counts that.
    clock.begin = time.perf_counter()
    clock.say("build", "counting the public tree")
    plan, guess = choose_plan(game, settings, quotient)
    poll_leave(leave)
    limit = memory_limit(settings.memory_bytes)
    if guess.memory_bytes > limit:
        raise refusal_of(plan, settings, limit)
    begun = time.perf_counter()
    compile_kernels(progress, (guess.method,))
    clock.begin += time.perf_counter() - begun
    poll_leave(leave)
    clock.say("build", f"building {guess.num_nodes:,} public nodes")
    return _solve(plan, settings, clock, stop, checkpoint, leave)


def _solve(
    plan: Blueprint,
    settings: Settings,
    clock: Clock,
    stop: StopFlag | None = None,
    checkpoint: Checkpoint | None = None,
    leave: StopFlag | None = None,
) -> Solution:
    """Solve what has been planned, with kernels that are ready."""
    refinement = None
    if plan.merged is not None and checkpoint is not None and checkpoint.resume_from is not None:
        refinement = stored_refinement(checkpoint.resume_from, checkpoint.identity)
        if refinement is None:
            checkpoint.note(f"{checkpoint.resume_from} was saved early: the solve begins anew.")
            checkpoint = replace(checkpoint, resume_from=None)
    trainer = begin_trainer(plan, settings, clock, stop, refinement)
    plan = trainer.plan
    trainer.watch = lambda share: clock.say("certify", "", trainer.iterations, share, trainer.bound)
    trainer.leave = leave
    try:
        keeper = None if checkpoint is None else Keeper(checkpoint, trainer)
        certificate = train_to_limit(trainer, settings, clock, stop, keeper)
        poll_leave(leave)
        clock.say("certify", "outcomes", trainer.iterations)
        return gather_solution(plan, trainer, certificate, settings, clock, stop, trainer.statistics())
    except Left:
        return unproved_solution(plan, trainer, settings, clock)
    finally:
        trainer.close()


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
    check_settings(settings)
    compile_kernels(progress, ("exact",))
    clock = Clock(settings, progress)
    clock.say("build", "counting the rest of the public tree")
    threads = num_threads(settings)
    limit = memory_limit(settings.memory_bytes)
    # Counting a tree that does not fit would take minutes; that it does not fit is soon known.
    plan = blueprint(course.game, "none", start=position.start, privates=course.privates, most_bytes=limit)
    needed = estimate_of(plan, threads).memory_bytes
    if needed > limit:
        raise refusal_of(plan, settings, limit)
    trainer = PositionTrainer(plan, build_problem(plan), threads, position)
    try:
        certificate = train_to_limit(trainer, settings, clock, stop)
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

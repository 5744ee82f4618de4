"""Solve a hidden-hands game and certify the answer, in the shape callers expect."""

from __future__ import annotations

import time
from collections.abc import Sequence, Set
from contextlib import suppress
from dataclasses import replace

import numpy as np

from arena_solver.machine import memory_limit, peak_bytes
from solver.hidden_hands.checkpoint import Checkpoint, Keeper, WarmStart, check, check_place
from solver.hidden_hands.compiling import Coins, compile_kernels
from solver.hidden_hands.course import Course
from solver.hidden_hands.following import Second, follows
from solver.hidden_hands.game import (
    Certificate,
    HandGame,
    Left,
    Position,
    PositionSolution,
    Samples,
    Settings,
    Show,
    Solution,
    StopFlag,
    leaving,
    poll_leave,
)
from solver.hidden_hands.jit import F64, I8, I64, Flags
from solver.hidden_hands.machine import Clock, Report
from solver.hidden_hands.measuring import samples, statistics
from solver.hidden_hands.planning import check_settings, choose_plan, estimate_of, num_threads, refusal_of
from solver.hidden_hands.problem import Blueprint, blueprint, build_problem
from solver.hidden_hands.profile import FirstStep, Profile
from solver.hidden_hands.running import (
    REFINEMENT_KEY,
    begin_trainer,
    is_quotient,
    stored_refinement,
    train_to_limit,
)
from solver.hidden_hands.second_step import Averages
from solver.hidden_hands.statistics import Statistics
from solver.hidden_hands.training import Subtrees, Trainer, tree_trainer
from solver.hidden_hands.walk_memory import Problem
from solver.hidden_hands.warm_start import begin_warm, keep_tables
from solver.hidden_hands.workers import Workers

_BYTES_PER_EXPANDED = 500
"""What a final step takes at least once it is expanded into decisions (days of the box: 1 to 3 KB)."""


def gather_solution(
    plan: Blueprint,
    first: FirstStep,
    certificate: Certificate,
    settings: Settings,
    clock: Clock,
    stats: Statistics | None,
    samples: Samples | None,
) -> Solution:
    """Gather what is known in the shape callers expect.

    Without statistics nothing is claimed: see `unproved_solution`.
    """
    game, problem = plan.game, first.problem
    num_types = len(game.type_ids)
    seen = [{} if first.seen is None else first.seen.opening(p, first.weight) for p in range(2)]
    hands, numbers = _all_hands(problem, [{first.levels[p], *seen[p]} for p in range(2)])
    rows = [numbers[p][first.levels[p]] for p in range(2)]
    size = hands.shape[0]
    probability = np.zeros((2, size))
    reach = np.zeros((2, size))
    opening = np.zeros((2, size, num_types + 1), np.float32)
    gains = np.full((2, size, num_types + 1), np.nan, np.float32)
    exchange_mix = np.zeros((2, size, num_types + 1), np.float32) if settings.preparation != "none" else None
    columns = np.where(problem.types >= 0, problem.types, num_types)
    for p in range(2):
        probability[p, rows[p]] = first.deals[p]
        worths = first.by_hand(p, certificate.opening_values[p])
        mix = _normalised(first.average[p], np.isfinite(worths))
        if first.seen is not None:
            assert exchange_mix is not None
            exchange_mix[p, rows[p]] = mix
            # Hands, what is done with them and what that is worth, over all public exchanges.
            known = certificate.seen_worths
            after = None if known is None else first.seen.opening_values(p, first.weight, known)
            for level, mass in seen[p].items():
                where = numbers[p][level]
                reach[p, where] = mass.sum(axis=1)
                opening[p][np.ix_(where, columns)] = _normalised(mass, mass > 0.0)
                if after is not None:
                    gains[p][np.ix_(where, columns)] = after[level]
            continue
        reach[p, rows[p]] = first.mass[p] / first.weight
        opening[p][np.ix_(rows[p], columns)] = mix
        gains[p][np.ix_(rows[p], columns)] = worths
        if first.exchange_mix is not None and exchange_mix is not None:
            exchange_mix[p, rows[p]] = first.exchange_mix[p]
    usage = np.full((2, game.row_length, num_types + 1), np.nan)
    if stats is not None:
        # The deepest numbering allows for one step more than play may have.
        steps = int(np.flatnonzero(stats.usage.sum(axis=(0, 2)) > 0.0)[-1]) + 1
        usage = np.zeros((2, steps, num_types + 1))
        usage[:, :, columns] = stats.usage[:, :steps]
    values = certificate.best_response_values
    return Solution(
        value=_value(plan, stats, values),
        nash_conv=certificate.nash_conv,
        certified=stats is not None,
        certificate="" if stats is None else _describe(certificate, stats, plan),
        best_response_values=values,
        iterations=first.iterations,
        seconds=clock.elapsed(),
        peak_memory_bytes=peak_bytes(),
        seed=settings.seed,
        method=plan.method,
        refined=plan.refined,
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


def unproved_solution(plan: Blueprint, trainer: Trainer, settings: Settings, clock: Clock) -> Solution:
    """What is known when somebody leaves early: how the day has been opened, and what the latest check found.

    Raises ``Left`` if there is nothing yet.
    """
    trainer.workers.leave = None
    if any(average.sum() <= 0.0 for average in trainer.root_average):
        raise Left
    first = trainer.first_step()
    if clock.proved is None:
        most = float(np.abs(plan.game.payoff).max())
        sizes = [sum(pairs.stop - pairs.start for pairs in first.pairs(p)) for p in range(2)]
        found = Certificate((most, most), 0.0, (np.full(sizes[0], np.nan), np.full(sizes[1], np.nan)))
        how = "nothing was proved before somebody left; no gain is larger than what payoffs allow"
    else:
        iteration, found = clock.proved
        how = "exact best response on the un-merged game, left before outcomes were counted"
        if iteration < trainer.iterations:
            how = f"exact best response to the play of iteration {iteration}; left before the last was proved"
    # Where the exchange is seen, what is held and played after it takes that long to find out.
    stats = None if first.seen is None else statistics(trainer.profile(), trainer.workers)
    known = gather_solution(plan, first, found, settings, clock, stats, None)
    reach = known.reach / known.reach.sum(axis=1, keepdims=True)  # The last iteration may be half done.
    mix = np.einsum("ps,psa->pa", reach, known.opening.astype(np.float64))
    return replace(known, certified=False, certificate=how, converged=False, reach=reach, opening_mix=mix)


class _Stopped(Exception):
    """Somebody does not want to wait."""


def _sampled(
    profile: Profile, workers: Workers, settings: Settings, clock: Clock, stop: StopFlag | None
) -> Samples | None:
    """Sample plays, if that was asked for; none if it is stopped."""

    def watch(share: float) -> None:
        if stop is not None and stop():
            raise _Stopped
        clock.say("certify", "sampled plays", profile.first.iterations, share)

    if settings.sampling is None:
        return None
    try:
        watch(0.0)
        return samples(profile, workers, settings.sampling, settings.seed, watch)
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


def _normalised(mass: F64, legal: Flags) -> F64:
    """Rows scaled to one; uniform over what is legal where a row is empty."""
    total = mass.sum(axis=1, keepdims=True)
    count = np.maximum(legal.sum(axis=1, keepdims=True), 1)
    return np.where(total > 0.0, mass / np.where(total > 0.0, total, 1.0), legal / count)


def _all_hands(problem: Problem, levels: Sequence[Set[int]]) -> tuple[I8, list[dict[int, I64]]]:
    """The hands of both players at some levels in one list, and where each player's hands stand in it."""
    places = [(p, level) for p in range(2) for level in sorted(levels[p])]
    lists = []
    for p, level in places:
        spaces = problem.spaces0 if p == 0 else problem.spaces1
        lists.append(spaces.held[spaces.level_start[level] : spaces.level_start[level + 1]].astype(np.int8))
    hands, where = np.unique(np.concatenate(lists), axis=0, return_inverse=True)
    parts = np.split(where.reshape(-1).astype(np.int64), np.cumsum([each.shape[0] for each in lists])[:-1])
    numbers: list[dict[int, I64]] = [{}, {}]
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


def solve(
    game: HandGame,
    settings: Settings,
    progress: Report | None = None,
    stop: StopFlag | None = None,
    checkpoint: Checkpoint | None = None,
    leave: StopFlag | None = None,
    warm: WarmStart | None = None,
    show: Show | None = None,
    second: Second | None = None,
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
    warm : WarmStart, optional
        Tables of the same game with other payoffs to begin from, and where those of this solve are kept for
        others; nothing of it counts on merged trees, or where a saved solve is taken up.
    show : callable, optional
        Called with what each check on the way has proved, as a solution; its outcomes are counted for that.
    second : callable, optional
        Called with what follows the openings, up to the second step, once all is proved, whatever time that
        takes; with nothing where it is not known (see `following.follows`).

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
    by_hand, leave = leave, clock.leaves(leave)
    clock.say("build", "counting the public tree")
    with leaving(leave):
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
    return _solve(plan, settings, clock, stop, checkpoint, leave, warm, (show, second, by_hand))


def _solve(
    plan: Blueprint,
    settings: Settings,
    clock: Clock,
    stop: StopFlag | None,
    checkpoint: Checkpoint | None,
    leave: StopFlag,
    warm: WarmStart | None,
    told: tuple[Show | None, Second | None, StopFlag | None],
) -> Solution:
    """Solve what has been planned, with kernels that are ready."""
    show, second, by_hand = told
    refinement = None
    if plan.merged is not None and checkpoint is not None and checkpoint.resume_from is not None:
        refinement = stored_refinement(checkpoint.resume_from, checkpoint.identity)
        if refinement is None:
            checkpoint.note(f"{checkpoint.resume_from} was saved early: the solve begins anew.")
            checkpoint = replace(checkpoint, resume_from=None)
    with leaving(leave):
        trainer = begin_trainer(plan, settings, clock, stop, leave, refinement)
    plan, workers = trainer.plan, trainer.workers
    averages = Averages(trainer.problem) if second is not None and plan.merged is None else None
    if isinstance(trainer.below, Subtrees):
        trainer.below.averages = averages
    try:
        started_from = ""
        if plan.merged is not None or (checkpoint is not None and checkpoint.resume_from is not None):
            warm = None
        if warm is not None and warm.candidates:
            clock.say("build", "reading the tables to begin from")
            started_from = begin_warm(trainer, warm)
        keeper = None if checkpoint is None else Keeper(checkpoint, trainer)

        def gathered(certificate: Certificate, profile: Profile, sampled: Samples | None = None) -> Solution:
            stats = statistics(profile, workers)
            found = gather_solution(plan, profile.first, certificate, settings, clock, stats, sampled)
            return replace(found, iterations=found.iterations - trainer.began, started_from=started_from)

        shown = None if show is None else lambda *proved: show(gathered(*proved))
        certificate, profile = train_to_limit(trainer, settings, clock, stop, keeper, shown)
        poll_leave(leave)
        clock.say("certify", "outcomes", trainer.iterations)
        sampled = _sampled(
            profile, workers, settings, clock, lambda: clock.left() == 0.0 or bool(stop and stop())
        )
        found = gathered(certificate, profile, sampled)
        if second is not None:

            def watch(share: float) -> None:
                clock.say("certify", "what follows the openings", trainer.iterations, share)

            watch(0.0)
            # All is proved by now, and stays so whoever leaves; no time limit counts what is added to it.
            workers.leave = by_hand
            with suppress(Left):
                second(follows(profile, workers, averages, watch))
        if warm is not None:
            clock.say("certify", "keeping the tables", trainer.iterations)
            keep_tables(trainer, warm, clock.elapsed())
        return found
    except Left:
        return unproved_solution(plan, trainer, settings, clock)
    finally:
        workers.close()


def solve_position(
    course: Course,
    position: Position,
    settings: Settings,
    progress: Report | None = None,
    stop: StopFlag | None = None,
    leave: StopFlag | None = None,
) -> PositionSolution:
    """Solve the rest of a game from a position on, with the ranges it gives.

    Parameters
    ----------
    course : Course
        The game's.
    position : Position
        Where play stands, and what is believed about the hands.
    settings, progress, stop, leave
        As for :func:`solve`; `settings.preparation` is not looked at.

    Returns
    -------
    PositionSolution
        Where somebody leaves, or the limit is over, before the last proof: what the latest check has proved.

    Raises
    ------
    MemoryRefused
        As :func:`solve`; what it says is needed is then a lower bound.
    ValueError
        As :func:`solve`.
    Left
        Somebody left, or the limit was over, before anything was proved.
    """
    check_settings(settings)
    compile_kernels(progress, ("exact",))
    clock = Clock(settings, progress)
    leave = clock.leaves(leave)
    clock.say("build", "counting the rest of the public tree")
    threads = num_threads(settings)
    limit = memory_limit(settings.memory_bytes)
    game, start, known, room = course.game, position.start, course.privates, min(settings.expand_bytes, limit)
    # Counting a tree that does not fit would take minutes; that it does not fit is soon known.
    with leaving(leave):
        plan = blueprint(game, "none", start=start, privates=known, most_bytes=limit)
        if estimate_of(plan, threads).memory_bytes > limit:
            raise refusal_of(plan, settings, limit)
        whole = plan
        if room and plan.size.records * _BYTES_PER_EXPANDED <= room:
            whole = blueprint(game, "none", use_finals=False, start=start, privates=known)
            whole = whole if whole.memory_bytes <= room else plan
        problem = build_problem(whole)
    poll_leave(leave)
    trainer = tree_trainer(whole, problem, threads, ranges=position.ranges)
    trainer.below.lazy = trainer.below.lazy and whole is plan
    trainer.workers.leave = leave
    proved: PositionSolution | None = None

    def show(certificate: Certificate, profile: Profile) -> None:
        nonlocal proved
        # The profile holds until the next iteration, these mixes are their own.
        one, other = (average / profile.first.weight for average in profile.first.average)
        proved = PositionSolution(
            mixes=(one, other),
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

    try:
        show(*train_to_limit(trainer, settings, clock, stop, show=show))
    except Left:
        if proved is None:
            raise
    finally:
        trainer.workers.close()
    assert proved is not None
    return replace(proved, seconds=clock.elapsed())

"""Iterate until a limit is reached, and certify; refine likely histories of a merged tree before that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from arena_solver.machine import memory_limit
from solver.hidden_hands.checkpoint import CheckpointError, Keeper, Pace, check, stored
from solver.hidden_hands.game import Certificate, HandGame, Settings, StopFlag, poll_leave
from solver.hidden_hands.machine import Clock
from solver.hidden_hands.measuring import certify
from solver.hidden_hands.merged.sweeping import Sweeps
from solver.hidden_hands.merged_tree import (
    LEAST_GROWTH,
    LIKELIHOODS,
    NodeReach,
    Refinement,
    Spread,
    refine,
)
from solver.hidden_hands.planning import (
    FEWEST_PILOT_ITERATIONS,
    PILOT_ITERATIONS,
    build_trainer,
    fit_memory,
    least_bytes_of,
    refusal_of,
)
from solver.hidden_hands.problem import Blueprint, merged_blueprint
from solver.hidden_hands.profile import Profile
from solver.hidden_hands.schedule import Schedule, Turn
from solver.hidden_hands.training import Trainer

_ROUNDING, _MOST_SLACK = 1e-6, 0.05
"""How far best responses may be beyond what play can pay, and NashConv with its slack, as a part of that."""


def train_to_limit(
    trainer: Trainer,
    settings: Settings,
    clock: Clock,
    stop: StopFlag | None,
    keeper: Keeper | None = None,
    show: Callable[[Certificate, Profile], None] | None = None,
) -> tuple[Certificate, Profile]:
    """Iterate until a limit is reached; return the final certificate, and the profile it is of.

    Parameters
    ----------
    show : told of each check on the way, and the profile it is of.
    """
    pace = Pace()
    resumed = None if keeper is None else keeper.resume()
    if resumed is not None:
        pace, elapsed_s, clock.history = resumed
        clock.begin -= elapsed_s
        clock.taken_up_s = elapsed_s
    schedule = Schedule(trainer, settings, clock, stop, pace)

    def tell(share: float, bound: float | None) -> None:
        clock.say("certify", "", trainer.iterations, share, bound)

    def proved(found: Certificate) -> None:
        clock.history.append((trainer.iterations, clock.elapsed(), found.nash_conv))
        clock.proved = (trainer.iterations, found)

    def check() -> None:
        begun, left = clock.elapsed(), clock.left()
        seconds = None if left is None else left / 4
        found, profile = certify(trainer.profile(), trainer.workers, False, seconds, tell)
        proved(found)
        if show is not None:
            show(found, profile)
        clock.say("solve", "", trainer.iterations)
        schedule.checked(clock.elapsed() - begun)

    def save(turn: Turn) -> None:
        if keeper is not None and (turn.last or keeper.due()):
            clock.say("solve", "saving", trainer.iterations)
            # Before the last iteration: it visits everything, which one that is followed by others may not.
            keep = keeper.close if turn.last else keeper.save
            keep(pace, clock.elapsed(), clock.history)

    if resumed is None and trainer.began > 0:
        # What was learnt of other payoffs, in this game: an answer before the first iteration.
        check()
    latest = None
    while (latest is None or not latest.last) and (turn := schedule.turn()) is not None:
        latest = turn
        save(turn)
        if turn.last and trainer.below.lazy:
            clock.say("solve", "visiting all lazy children", trainer.iterations)
        begun = clock.elapsed()
        trainer.iterate(turn.everything)
        if not all(np.isfinite(average).all() for average in trainer.root_average):
            raise ArithmeticError(
                f"an error in the solver: what iteration {turn.iteration} left are no numbers"
            )
        schedule.took(turn, clock.elapsed() - begun)
        clock.say("solve", "", turn.iteration)
        if turn.checks:
            check()
    if keeper is not None and not (latest is not None and latest.last):
        keeper.close(pace, clock.elapsed(), clock.history)
    clock.say("certify", "exact best response on the un-merged game", trainer.iterations)
    trainer.below.finish()
    seconds = 0.0 if latest is not None and latest.stopped else clock.left()
    found, profile = certify(trainer.profile(), trainer.workers, True, seconds, tell, stop)
    final = _sound(found, trainer.plan.game)
    proved(final)
    return final, profile


def _sound(certificate: Certificate, game: HandGame) -> Certificate:
    """Return a certificate that can be one.

    Raises ``ArithmeticError`` if anybody gains more than play can pay, so that it says nothing, or is wrong.
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


_MOST_FOR_PILOT = 0.125
"""Share of a time limit that they may take."""

_MOST_FOR_CHOICE = 0.2
"""After this share of it what fits will do: counting a large tree takes half a minute."""

_REFINED_GROWTH = 0.5
"""To what power of one over their likelihood the room that refined histories take grows, about."""

REFINEMENT_KEY = "apart_single"
"""What saved solves of merged trees, and no others, have among their numbers."""


def is_quotient(saved: Mapping[str, Any], path: Path) -> bool:
    """Whether a saved solve of a merged tree is one of a symmetry quotient."""
    try:
        return bool(saved["arrays"]["values"][1][0] == 1)
    except (KeyError, IndexError, TypeError):
        raise CheckpointError(f"{path} is spoilt: the sizes of its arrays are missing") from None


def stored_refinement(path: Path, identity: Mapping[str, str]) -> Refinement | None:
    """What a saved solve refines; None if it was still at its pilot iterations, and may begin anew.

    Raises ``CheckpointError`` if it is no merged one of this game.
    """
    header = check(path, identity)
    spread = Spread(*(stored(path, f"apart_spread_{name}") for name in Spread._fields))
    refinement = Refinement(stored(path, "apart_averaged"), spread, header["numbers"][REFINEMENT_KEY])
    return None if header["iterations"] <= PILOT_ITERATIONS and not refinement.refines else refinement


def begin_trainer(
    plan: Blueprint,
    settings: Settings,
    clock: Clock,
    stop: StopFlag | None,
    leave: StopFlag,
    refinement: Refinement | None,
) -> Trainer:
    """What has been planned, built; in a merged tree histories are refined where play goes.

    Raises ``MemoryRefused`` if that is known already (`refinement`), and does not fit.
    """
    merged, limit = plan.merged, memory_limit(settings.memory_bytes)

    def built(plan: Blueprint) -> Trainer:
        trainer = build_trainer(plan, settings)
        trainer.workers.leave = leave
        poll_leave(leave)
        return trainer

    if merged is None:
        return built(plan)
    if refinement is not None:
        plan, found = fit_memory(
            merged_blueprint(plan, merged.how._replace(refinement=refinement)), settings, limit
        )
        if found.memory_bytes > limit:
            raise refusal_of(plan, settings, limit)
        return built(plan)
    # With a disk there is room for more refined histories, too.
    room = limit / least_bytes_of(plan, settings)
    trainer = built(plan)
    if room < LEAST_GROWTH or not _piloted(trainer, settings, clock, stop):
        return trainer
    below = trainer.below
    assert isinstance(below, Sweeps)
    node_reach = below.node_reach(trainer.first_step())
    trainer.workers.close()
    # The first one must be gone before there is a second one.
    del trainer, below
    return built(_finest(plan, node_reach, settings, limit, clock))


def _finest(
    coarse: Blueprint, node_reach: NodeReach, settings: Settings, limit: int, clock: Clock
) -> Blueprint:
    """Keep as many of the likeliest histories of a merged tree refined as there is room for."""
    assert coarse.merged is not None
    refinement = refine(node_reach, LIKELIHOODS[-1])
    merged_bytes = least_bytes_of(coarse, settings)
    finest, first, last = coarse, 0, len(LIKELIHOODS)
    at = last // 2
    while first < last:
        clock.say("build", f"refining histories from a likelihood of {LIKELIHOODS[at]:.0e} on")
        how = coarse.merged.how._replace(refinement=replace(refinement, least=LIKELIHOODS[at]))
        finer, found = fit_memory(merged_blueprint(coarse, how), settings, limit)
        if found.memory_bytes > limit:
            first = at + 1
            at = (first + last) // 2
            continue
        finest, last = finer, at
        if clock.limit is not None and clock.elapsed() > clock.limit * _MOST_FOR_CHOICE:
            break
        # Counting takes long, so what comes next is the finest that seems to fit, by what this one takes.
        room = (limit - merged_bytes) / max(least_bytes_of(finer, settings) - merged_bytes, 1)
        least = LIKELIHOODS[at] * max(room, 1.0) ** (-1.0 / _REFINED_GROWTH)
        at = next(i for i in range(first, last + 1) if LIKELIHOODS[i] >= least)
        if at == last:
            at = (first + last) // 2
    return finest


def _piloted(trainer: Trainer, settings: Settings, clock: Clock, stop: StopFlag | None) -> bool:
    """Iterate a little, to see where play goes; return whether there was time for it.

    If not, the solve goes on from there.
    """
    if settings.iterations is not None and settings.iterations <= PILOT_ITERATIONS:
        return False
    below = trainer.below
    assert isinstance(below, Sweeps)
    while trainer.iterations < PILOT_ITERATIONS:
        late = clock.limit is not None and clock.elapsed() > clock.limit * _MOST_FOR_PILOT
        if late or (stop is not None and stop()):
            break
        clock.say("build", f"pilot iteration {trainer.iterations + 1} of {PILOT_ITERATIONS}")
        trainer.iterate()
        below.remember_spread(trainer.iterations)
    return trainer.iterations >= FEWEST_PILOT_ITERATIONS

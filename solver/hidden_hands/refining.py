"""Refine the likeliest histories of a merged tree, once pilot iterations have shown where play goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from solver.hidden_hands.checkpoint import (
    CheckpointError,
    check,
    stored,
)
from solver.hidden_hands.clock import Clock
from solver.hidden_hands.game import (
    Settings,
    StopFlag,
)
from solver.hidden_hands.memory import memory_limit
from solver.hidden_hands.merged.merged_tree import Refinement, Spread
from solver.hidden_hands.merged.refinement import LEAST_GROWTH, LIKELIHOODS, NodeReach, refine
from solver.hidden_hands.merged.training import MergedTrainer
from solver.hidden_hands.planning import (
    FEWEST_PILOT_ITERATIONS,
    PILOT_ITERATIONS,
    build_trainer,
    fit_memory,
    least_bytes_of,
    refusal_of,
)
from solver.hidden_hands.problem import (
    Blueprint,
    merged_blueprint,
)
from solver.hidden_hands.training import Trainer

__all__ = [
    "REFINEMENT_KEY",
    "begin_trainer",
    "is_quotient",
    "stored_refinement",
]

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

    Raises
    ------
    CheckpointError
        If it is no merged one of this game.
    """
    header = check(path, identity)
    spread = Spread(*(stored(path, f"apart_spread_{name}") for name in Spread._fields))
    refinement = Refinement(stored(path, "apart_averaged"), spread, header["numbers"][REFINEMENT_KEY])
    return None if header["iterations"] <= PILOT_ITERATIONS and not refinement.refines else refinement


def begin_trainer(
    plan: Blueprint, settings: Settings, clock: Clock, stop: StopFlag | None, refinement: Refinement | None
) -> Trainer:
    """What has been planned, built; in a merged tree histories are refined where play goes.

    Raises
    ------
    MemoryRefused
        If that is known already (`refinement`), and does not fit.
    """
    merged, limit = plan.merged, memory_limit(settings.memory_bytes)
    if merged is None:
        return build_trainer(plan, settings)
    if refinement is not None:
        plan, found = fit_memory(
            merged_blueprint(plan, merged.how._replace(refinement=refinement)), settings, limit
        )
        if found.memory_bytes > limit:
            raise refusal_of(plan, settings, limit)
        return build_trainer(plan, settings)
    # With a disk there is room for more refined histories, too.
    room = limit / least_bytes_of(plan, settings)
    trainer = build_trainer(plan, settings)
    assert isinstance(trainer, MergedTrainer)
    if room < LEAST_GROWTH or not _piloted(trainer, settings, clock, stop):
        return trainer
    node_reach = trainer.node_reach()
    trainer.close()
    # The first one must be gone before there is a second one.
    del trainer
    return build_trainer(_finest(plan, node_reach, settings, limit, clock), settings)


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


def _piloted(trainer: MergedTrainer, settings: Settings, clock: Clock, stop: StopFlag | None) -> bool:
    """Iterate a little, to see where play goes; return whether there was time for it.

    If not, the solve goes on from there.
    """
    if settings.iterations is not None and settings.iterations <= PILOT_ITERATIONS:
        return False
    while trainer.iterations < PILOT_ITERATIONS:
        late = clock.limit is not None and clock.elapsed() > clock.limit * _MOST_FOR_PILOT
        if late or (stop is not None and stop()):
            break
        clock.say("build", f"pilot iteration {trainer.iterations + 1} of {PILOT_ITERATIONS}")
        trainer.iterate()
        trainer.remember_spread()
    return trainer.iterations >= FEWEST_PILOT_ITERATIONS

"""Solves that begin from what was learnt of another game with the same tree, whose payoffs differ.

Regrets are taken over as they are. What has been averaged, and how far values have been apart, counts as if a
few iterations had been done, so that the averages soon forget the old payoffs; the hedge of final steps is
gentler at first. Measured on what-ifs of one payoff among ranges of such settings: the optimum is flat, and
only regrets that are scaled down, or old averages that weigh too much, do harm.

What is certified is the profile in the new game, as always: a start that fits badly costs time, and nothing
else.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.checkpoint import CheckpointError, WarmStart, load, save
from solver.hidden_hands.training import AVERAGE_EXPONENT, Trainer
from solver.hidden_hands.walk_memory import Problem

TAKEN_OVER_AS = 20
"""Iterations that the averages of an earlier solve count as."""
GENTLER = 4.0
"""How much flatter the hedge of final steps is at first."""
FEWEST_ITERATIONS = 16
"""Of a solve worth beginning from."""


def begin_warm(trainer: Trainer, start: WarmStart) -> str:
    """Take over the first candidate that can be; return its title, or nothing for a cold start.

    A file that is spoilt may leave the trainer half filled, so its tables are cleared before the next one.
    """
    identity = _identity(trainer, start)
    for path in start.candidates:
        try:
            header = load(path, trainer, identity)
        except CheckpointError as error:
            start.note(f"Not begun from earlier tables: {error}.")
            for array in trainer.arrays().values():
                array[...] = 0
            continue
        take_over(trainer)
        return str(header["title"])
    return ""


def take_over(trainer: Trainer) -> None:
    """Make the beginning of a solve of what an earlier one has left in a trainer."""
    count = min(TAKEN_OVER_AS, trainer.iterations)
    share = float(np.sum(np.arange(1.0, count + 1.0) ** AVERAGE_EXPONENT)) / trainer.total_weight
    state = trainer.tables.state
    averaged: list[NDArray[Any]] = [trainer.tables.end_reach, state.reach, state.lone]
    averaged += [*trainer.root_mass, *trainer.root_average]
    if trainer.seen is not None:
        averaged.append(trainer.seen.steps)
    for array in averaged:
        array *= share
    np.multiply(state.scale, (GENTLER * share) ** 2, out=state.scale)
    for side in trainer.exchange or ():
        side.total *= share
        side.weight *= share
    trainer.total_weight *= share
    trainer.iterations = trainer.began = count


def keep_tables(trainer: Trainer, start: WarmStart, seconds: float) -> None:
    """Keep what a solve has learnt, if it is worth it, for those of other payoffs to begin from.

    Only after an iteration that visits everything: then nothing waits at lazy nodes.
    """
    size = sum(array.nbytes for array in trainer.arrays().values())
    path = start.keep_in
    done = trainer.iterations - trainer.began
    if path is None or size > start.most_bytes or done < FEWEST_ITERATIONS or seconds < start.least_s:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        header = {"identity": _identity(trainer, start), "title": start.title, "values": start.values}
        save(path, trainer, header)
    except OSError as error:
        start.note(f"The tables of this solve could not be kept: {error.strerror or error}.")


def _identity(trainer: Trainer, start: WarmStart) -> dict[str, str]:
    return {**start.identity, "tree": _digest(trainer.problem)}


def _digest(problem: Problem) -> str:
    """A hash of which decisions there are, and in which order."""
    digest = hashlib.sha256()
    tree = problem.tree
    for array in (tree.kind, tree.acts, tree.symmetric, tree.level, tree.pool, tree.child, tree.link):
        digest.update(np.ascontiguousarray(array).view(np.uint8).reshape(-1).data)
    return digest.hexdigest()[:32]

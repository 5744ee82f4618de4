"""Days, and trainers of them, that tests of merged trees share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.ragers.day import DayTables, day_tables
from solver.hidden_hands import HandGame, Samples, Sampling
from solver.hidden_hands.game import Certificate
from solver.hidden_hands.measuring import certify, samples, statistics
from solver.hidden_hands.merged.sweeping import Sweeps
from solver.hidden_hands.merged_tree import Merging, refine
from solver.hidden_hands.planning import merged_trainer
from solver.hidden_hands.problem import blueprint, build_problem, merged_blueprint
from solver.hidden_hands.statistics import Statistics
from solver.hidden_hands.training import Subtrees, Trainer, tree_trainer
from tests.oracles.games import ASYMMETRIC, LARGE, SYMMETRIC

NOTHING = Merging(first=99)
#: Longer than the two steps below which nothing can be merged, and without an exchange in view.
GAMES = [
    game
    for game in (*SYMMETRIC, *ASYMMETRIC, *LARGE)
    if game.preparation != "seen" and day_tables(game.rules(), game.patron, game.cheers).row_length > 2
]
#: All card types, three slots, symmetric: histories of two and three steps meet again.
ALL_TYPES = ("match.row_length=3", "match.hand_size=2", "cards.prodder.copies=2", "cards.slasher.copies=0")
#: As many kinds of decisions in a tenth of the histories, for what is trained without merging anything.
FEW_TYPES = (*ALL_TYPES, "cards.cheater.copies=0", "cards.stopper.copies=0")


def refinement(game: DayTables, how: Merging, least: float, preparation: str = "none") -> Merging:
    """Refine histories that are so likely in early play."""
    trainer = trained(game, how, 8, preparation)
    return how._replace(refinement=refine(sweeps_of(trainer).node_reach(trainer.first_step()), least))


def trained(
    game: HandGame, how: Merging | None, iterations: int, preparation: str = "none", threads: int = 1
) -> Trainer:
    plan, redraws = blueprint(game, preparation), preparation == "redraw"
    if how is None:
        trainer = tree_trainer(plan, build_problem(plan), threads, redraws)
    else:
        trainer = merged_trainer(merged_blueprint(plan, how), threads, redraws)
    for _ in range(iterations):
        trainer.iterate()
    return trainer


def sweeps_of(trainer: Trainer) -> Sweeps:
    """What learns below the root of a merged tree."""
    assert isinstance(trainer.below, Sweeps)
    return trainer.below


def subtrees_of(trainer: Trainer) -> Subtrees:
    """What learns below the root of an un-merged tree."""
    assert isinstance(trainer.below, Subtrees)
    return trainer.below


def certificate_of(trainer: Trainer, **choices: Any) -> Certificate:
    """The certificate of what has been learnt by now; further arguments as for `certify`."""
    return certify(trainer.profile(), trainer.workers, **choices)[0]


def statistics_of(trainer: Trainer) -> Statistics:
    return statistics(trainer.profile(), trainer.workers)


def samples_of(
    trainer: Trainer, sampling: Sampling, seed: int, watch: Callable[[float], None] | None = None
) -> Samples:
    return samples(trainer.profile(), trainer.workers, sampling, seed, watch)

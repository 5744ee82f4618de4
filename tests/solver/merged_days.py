"""Days, and trainers of them, that tests of merged trees share."""

from __future__ import annotations

from engine.ragers.day import DayTables, day_tables
from solver.hidden_hands import HandGame
from solver.hidden_hands.merged.merged_tree import Merging, refine
from solver.hidden_hands.merged.training import MergedTrainer
from solver.hidden_hands.problem import blueprint, build_merged_problem, build_problem, merged_blueprint
from solver.hidden_hands.training import Trainer
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
    assert isinstance(trainer, MergedTrainer)
    return how._replace(refinement=refine(trainer.node_reach(), least))


def trained(
    game: HandGame, how: Merging | None, iterations: int, preparation: str = "none", threads: int = 1
) -> Trainer:
    plan = blueprint(game, preparation)
    trainer: Trainer
    if how is None:
        trainer = Trainer(plan, build_problem(plan), threads, preparation == "redraw")
    else:
        plan = merged_blueprint(plan, how)
        trainer = MergedTrainer(plan, *build_merged_problem(plan), threads, preparation == "redraw")
    for _ in range(iterations):
        trainer.iterate()
    return trainer

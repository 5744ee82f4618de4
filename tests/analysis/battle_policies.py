"""What the solution of a battle does in a state of the reference."""

from __future__ import annotations

from engine.clash.battle_layout import DESTROYED, NUM_ENDS
from engine.clash.reference_battle import FLEE, KEEP, REROLL, ROLL, Battle, Move, Stage, injuries, present
from solver.stochastic.decisions import decision
from solver.stochastic.solving import Solution
from tests.oracles.clash_battles import Case


def where(case: Case, battle: Battle) -> tuple[int, int]:
    """Position and local node of a state of the reference in which somebody decides."""
    rage = list(battle.rage)
    if battle.stage != Stage.ASSAULT:
        # Positions come before the icons' tokens of their assault (B10); cut where more change nothing.
        rage[battle.assaulter] -= sum(each.rage for each in present(battle, battle.assaulter))
    position = case.tables.position(battle.counts, rage, battle.assaulter)
    if battle.stage == Stage.ASSAULT:
        return position, -1
    assault = case.tables.assault(battle.counts, rage, battle.assaulter)
    if battle.stage == Stage.REROLL:
        return position, case.tables.reroll_node(battle.counts, assault, battle.hits, battle.rerolls)
    return position, case.tables.elimination_node(battle.counts, assault, injuries(battle))


def policy(case: Case, solution: Solution, battle: Battle) -> Move:
    """The move that the solution makes."""
    found = decision(solution, *where(case, battle))
    target = found.targets[found.chosen]
    if battle.stage == Stage.ASSAULT:
        return ROLL if target < 0 else FLEE
    if battle.stage == Stage.REROLL:
        return REROLL if target < 0 else KEEP
    before = battle.counts[1 - battle.assaulter]
    after: tuple[int, ...] = (0, 0, 0)
    if target < case.tables.num_positions:
        after = case.tables.unpack(target)[0][1 - battle.assaulter]
    else:
        assert (target - case.tables.num_positions) // (case.tables.num_outcomes // NUM_ENDS) == DESTROYED
    one, two, three = (had - left for had, left in zip(before, after, strict=True))
    return Move("eliminate", (one, two, three))

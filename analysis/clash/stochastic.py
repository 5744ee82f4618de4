"""A battle as the game that the solver takes."""

from __future__ import annotations

from engine.clash.battle_kernel import expand_battle
from engine.clash.battle_objectives import Payoffs
from engine.clash.battle_tables import BattleTables
from solver.stochastic.game import StochasticGame


def stochastic_game(battle: BattleTables, payoffs: Payoffs) -> StochasticGame:
    """Return a battle with an objective as a stochastic game; the attacker is player 0."""
    return StochasticGame(
        num_positions=battle.num_positions,
        payoffs=payoffs.payoffs,
        preference=payoffs.preference,
        tie=payoffs.tie,
        beyond_worst=payoffs.worst,
        beyond_best=payoffs.best,
        tables=battle.tables,
        reals=battle.reals,
        work_words=battle.work_words,
        max_nodes=battle.max_nodes,
        max_edges=battle.max_edges,
        expand=expand_battle,
    )

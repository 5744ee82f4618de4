"""Exact best responses and NashConv on explicit game trees.

Works on sequences (the last slot each player has played), not on the tree walk of the CFR loop: a terminal's
payoff is weighted with chance and the opponent's realisation probability, credited to the owner's last slot,
and infosets take their best slot from the last decisions to the first. Exact for perfect recall.

Letters used for shapes: see `solver.extensive`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.extensive import NONE, ExtensiveGame, FloatArray, check_strategy


@dataclass(frozen=True, eq=False)
class BestResponse:
    """One player's best answer to the other's strategy.

    Attributes
    ----------
    player : int
    value : float
        What the answer pays its owner.
    actions : [I_p] int64
        The slot chosen at each infoset of the owner, in the order of infosets.
    """

    player: int
    value: float
    actions: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Exploitability:
    """How far a pair of strategies is from equilibrium.

    Attributes
    ----------
    best_response_values : tuple of 2 floats
        What the best answer pays player 0 against player 1's strategy, and player 1 against player 0's.
    nash_conv : float
        Their sum: what the two could gain together by deviating alone. Zero exactly in equilibrium.
    """

    best_response_values: tuple[float, float]
    nash_conv: float

    @property
    def exploitability(self) -> float:
        """NashConv shared by the two players: what one of them can gain on average."""
        return self.nash_conv / 2


def realisation_plan(game: ExtensiveGame, strategy: npt.ArrayLike) -> FloatArray:
    """Return the realisation probabilities [Q + 1] of all slots; the last entry, index `NONE`, is 1.

    The entry of a slot is the product of its owner's probabilities on the way to it, itself included.
    """
    probabilities = check_strategy(game, strategy)
    plan = np.ones(game.num_slots + 1)
    plan[:-1] = probabilities
    for infoset in range(game.num_infosets):
        plan[game.first_slot[infoset] : game.first_slot[infoset + 1]] *= plan[game.parent_slot[infoset]]
    return plan


def best_response(game: ExtensiveGame, strategy: npt.ArrayLike, player: int) -> BestResponse:
    """Return the best pure answer of `player` to the other player's part of a [Q] float64 behaviour strategy.

    Ties go to the first action. O(N + Q). Raises ValueError for a malformed strategy.
    """
    plan = realisation_plan(game, strategy)
    terminals = game.terminals
    sign = 1.0 if player == 0 else -1.0
    weighted = sign * game.payoff[terminals] * game.chance_reach[terminals]
    weighted *= plan[game.last_slot[1 - player, terminals]]
    # Slot -1 (no decision yet) is credited to the extra last entry.
    credit = np.bincount(
        game.last_slot[player, terminals] % (game.num_slots + 1), weighted, game.num_slots + 1
    )
    begin, end = game.first_infoset_of[player], game.first_infoset_of[player + 1]
    actions = np.zeros(end - begin, dtype=np.int64)
    for infoset in range(end - 1, begin - 1, -1):
        slots = credit[game.first_slot[infoset] : game.first_slot[infoset + 1]]
        best = int(np.argmax(slots))
        actions[infoset - begin] = game.first_slot[infoset] + best
        credit[game.parent_slot[infoset]] += slots[best]
    return BestResponse(player=player, value=float(credit[NONE]), actions=actions)


def exploitability(game: ExtensiveGame, strategy: npt.ArrayLike) -> Exploitability:
    """Return NashConv of a [Q] float64 behaviour strategy of both players. O(N + Q)."""
    values = (best_response(game, strategy, 0).value, best_response(game, strategy, 1).value)
    return Exploitability(best_response_values=values, nash_conv=values[0] + values[1])

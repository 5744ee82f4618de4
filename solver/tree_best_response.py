"""Exact best responses and NashConv on explicit game trees.

Shares nothing with the CFR loop but the game: each terminal's payoff is weighted with chance and the
opponent's realisation probability, credited to the owner's last slot, and infosets take their best slot from
the last decisions to the first. Exact for perfect recall.

Letters used for shapes: see `solver.extensive`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arena_solver.kernel_cache import cached_njit
from solver.extensive import PROBABILITY_TOLERANCE, ExtensiveGame, FloatArray, IntArray, check_strategy


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


def exploitability(game: ExtensiveGame, strategy: npt.ArrayLike) -> Exploitability:
    """Return NashConv of a [Q] float64 behaviour strategy of both players. O(N + Q).

    Raises ValueError for a malformed strategy.
    """
    values, _ = best_responses(game, strategy)
    return Exploitability(best_response_values=values, nash_conv=values[0] + values[1])


def best_responses(
    game: ExtensiveGame, strategy: npt.ArrayLike
) -> tuple[tuple[float, float], npt.NDArray[np.int64]]:
    """Return what each player's best pure answer pays its owner, and the slots they choose, [I] int64.

    To a [Q] float64 behaviour strategy of both. Ties go to the first action. O(N + Q). Raises ValueError for
    a malformed strategy.
    """
    probabilities = np.ascontiguousarray(strategy, dtype=np.float64)
    actions = np.empty(game.num_infosets, dtype=np.int64)
    if probabilities.shape == (game.num_slots,):
        sound, first, second = _best_responses_kernel(
            probabilities,
            game.first_slot,
            game.parent_slot,
            game.first_infoset_of[1],
            game.terminal_weight,
            game.terminal_slots,
            np.empty(game.num_slots + 1),
            np.empty(game.num_slots),
            actions,
        )
        if sound:
            return (first, second), actions
    check_strategy(game, probabilities)
    raise AssertionError("the two checks of a strategy do not agree")


@cached_njit()
def _best_responses_kernel(
    strategy: FloatArray,
    first_slot: IntArray,
    parent_slot: IntArray,
    num_own_infosets: int,
    terminal_weight: FloatArray,
    terminal_slots: IntArray,
    plan: FloatArray,
    credit: FloatArray,
    actions: npt.NDArray[np.int64],
) -> tuple[bool, float, float]:
    """Return whether the strategy is one, and the values of player 0's and player 1's best responses.

    `plan` ([Q + 1]) and `credit` ([Q]), both scratch, and `actions` ([I]) are modified in place.
    """
    num_infosets = parent_slot.shape[0]
    # Slot NONE, no decision yet, is index -1: the last entry.
    plan[strategy.shape[0]] = 1.0
    for infoset in range(num_infosets):
        total = 0.0
        reach = plan[parent_slot[infoset]]
        for slot in range(first_slot[infoset], first_slot[infoset + 1]):
            # Written so that nan fails as well.
            if not strategy[slot] >= 0.0:
                return False, 0.0, 0.0
            total += strategy[slot]
            plan[slot] = reach * strategy[slot]
            credit[slot] = 0.0
        if not abs(total - 1.0) <= PROBABILITY_TOLERANCE:
            return False, 0.0, 0.0
    first = 0.0
    second = 0.0
    for terminal in range(terminal_weight.shape[0]):
        own = terminal_slots[0, terminal]
        opp = terminal_slots[1, terminal]
        gain = terminal_weight[terminal] * plan[opp]
        loss = terminal_weight[terminal] * plan[own]
        if own >= 0:
            credit[own] += gain
        else:
            first += gain
        if opp >= 0:
            credit[opp] -= loss
        else:
            second -= loss
    # Infosets come after those their owner has passed before: backwards every credit is complete when read.
    for infoset in range(num_infosets - 1, -1, -1):
        best = first_slot[infoset]
        for slot in range(best + 1, first_slot[infoset + 1]):
            if credit[slot] > credit[best]:
                best = slot
        actions[infoset] = best
        parent = parent_slot[infoset]
        if parent >= 0:
            credit[parent] += credit[best]
        elif infoset < num_own_infosets:
            first += credit[best]
        else:
            second += credit[best]
    return True, first, second

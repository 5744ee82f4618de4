"""Explicit games with their payoffs mapped onto [0, 1], exactly, and amounts mapped back.

Neither linear programs nor their tolerances bear payoffs of any size, and an offset costs digits. Positive
scaling and shifts change no equilibrium, so solvers work on the standard payoffs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from solver.extensive import ExtensiveGame


@dataclass(frozen=True)
class PayoffScale:
    """Where standard payoffs come from.

    Attributes
    ----------
    smallest : the payoff that became 0.
    payoff_range : largest minus smallest payoff; 0 where all are equal.
    """

    smallest: Fraction
    payoff_range: Fraction

    def payoff(self, standard: float) -> float:
        """Return a standard payoff in units of the game. Raises OverflowError beyond float64."""
        return float(self.smallest + Fraction(standard) * self.payoff_range)

    def difference(self, standard: float) -> float:
        """Return a difference of such in units of the game. Raises OverflowError beyond float64."""
        return float(Fraction(standard) * self.payoff_range)


def standard_payoffs(game: ExtensiveGame) -> tuple[ExtensiveGame, PayoffScale]:
    """Return the game with payoffs between 0 and 1 in `payoff`, and the way back. O(N).

    `exact_payoff` stays as it is. Payoffs are mapped before they are rounded, so neither an offset nor a
    scale costs a digit.
    """
    distinct = {game.exact_payoff[node] for node in game.terminals.tolist()}
    smallest = min(distinct)
    scale = PayoffScale(smallest, max(distinct) - smallest)
    divisor = scale.payoff_range or Fraction(1)
    standard = {payoff: float((payoff - smallest) / divisor) for payoff in distinct}
    payoff = np.zeros(game.num_nodes)
    payoff[game.terminals] = [standard[game.exact_payoff[node]] for node in game.terminals.tolist()]
    return replace(game, payoff=payoff), scale

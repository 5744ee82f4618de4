"""What symmetry makes exact: a player against itself, every deal from each seat with the same luck.

Where all players are the same, and draw nothing that depends on who they are, every game of a deal is the
first one again with the names moved on by a seat: each player gets the same share, whatever is sampled.
Such a figure has no interval of confidence; the answer says `WHY`. Figures of seats still have one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isclose

from analysis.estimates import Estimate

WHY = "One player plays itself, every deal from each seat with the same luck: equal shares are by design."
"""What stands beneath a table of such figures."""


def plays_itself(players: Sequence[object]) -> bool:
    """Return whether all players are the same.

    Whatever they draw depends on the deal and the seat alone, so each play of a deal is the first one again.
    """
    return all(player == players[0] for player in players)


def exact_by_symmetry(
    players: Sequence[object], measured: float | None, expected: float, *, same_luck: bool = True
) -> bool:
    """Return whether a figure of a match is exact because one player plays itself.

    Parameters
    ----------
    players : whatever tells players apart: names, budgets, values, in any form that compares.
    measured : the mean over whole deals, each played from every seat; None before anything is played.
    expected : what symmetry says: one over the number of players, or 0 for a difference.
    same_luck : whether all that players draw depends on the deal and the seat alone, not on a clock.

    Returns
    -------
    bool
        False, too, if `measured` is something else: then the players were not the same, and an answer must
        not claim it.
    """
    return (
        plays_itself(players)
        and same_luck
        and measured is not None
        and isclose(measured, expected, abs_tol=1e-9)
    )


def without_interval(estimate: Estimate) -> Estimate:
    """Return a figure that is exact by design: no interval of samples stands beside it."""
    return Estimate(estimate.mean, None, None, estimate.observations)

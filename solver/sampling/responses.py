"""How much can be won from a policy, measured from below on games too large for an exact best response.

A response, one per seat, knows the frozen policy and plays fresh deals against it. What any response wins is
at most what the best one would, so however poor it is, the result is a true lower bound, up to the noise that
its confidence interval states. It says nothing from above: a response that wins nothing may just be a poor
one. What a response that searches hopes for does not count, only what it wins.

Source: Timbers et al. 2022, *Approximate exploitability: learning a best response* (there by reinforcement
learning).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from solver.sampling.game import SamplingGame
from solver.sampling.head_to_head import ChoosingPolicy, MatchResult, play_matches
from solver.sampling.policy import CompiledPolicy

# With fewer deals too many may be alike to tell by their sums how much they differ.
_ENOUGH_DEALS = 30


@dataclass(frozen=True, eq=False)
class ResponseBound:
    """What responses won from a policy, seat by seat.

    Attributes
    ----------
    matches : tuple of P MatchResult
        The response in seat p against the policy in all others.
    nash_conv : float
        Sum of the responses' mean payoffs: in a zero-sum game an estimate of a lower bound on NashConv.
    lower_bound : float
        NashConv is at least this with the stated confidence (one-sided, normal approximation over deals).
    confidence : float
    """

    matches: tuple[MatchResult, ...]
    nash_conv: float
    lower_bound: float
    confidence: float

    @property
    def exploitability(self) -> float:
        """`nash_conv` shared by the players."""
        return self.nash_conv / len(self.matches)


def measure_responses(
    game: SamplingGame,
    policy: CompiledPolicy | ChoosingPolicy,
    responses: Sequence[CompiledPolicy | ChoosingPolicy],
    *,
    num_deals: int,
    seed: int = 0,
    confidence: float = 0.95,
    progress: Callable[[int], bool | None] | None = None,
) -> ResponseBound:
    """Play responses[p] in seat p against the policy and return what they won.

    Parameters
    ----------
    game : SamplingGame
    policy : the frozen policy
    responses : one per player
        Searching (`InformationSetSearch` with `frozen`), or anything else.
    num_deals : int
        Per seat. The seed should not be one that a response was chosen with.
    progress : callable, optional
        As for `play_matches`, in each seat.

    Raises
    ------
    ValueError
        If there is not one response per player.
    """
    if len(responses) != game.num_players:
        raise ValueError(f"need {game.num_players} responses, one per player, got {len(responses)}")
    matches = tuple(
        play_matches(
            game,
            response,
            policy,
            num_deals=num_deals,
            seed=seed,
            seats=(seat,),
            confidence=confidence,
            progress=progress,
        )
        for seat, response in enumerate(responses)
    )
    total = sum(match.mean for match in matches)
    # Errors may go together: adding them is right in the worst case.
    error = math.fsum(match.standard_error for match in matches)
    deals = {match.num_deals for match in matches}
    if len(deals) == 1 and min(deals) >= _ENOUGH_DEALS:
        # All seats were dealt the same: what luck a deal brings to one it takes from another.
        by_deal = np.sum([match.payoffs[:, 0] for match in matches], axis=0)
        error = float(by_deal.std(ddof=1) / math.sqrt(len(by_deal)))
    return ResponseBound(
        matches=matches,
        nash_conv=total,
        lower_bound=total - NormalDist().inv_cdf(confidence) * error,
        confidence=confidence,
    )

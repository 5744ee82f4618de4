"""What one card more is worth: shadow prices by regression, and by giving one.

The regression explains who wins by what stands at the beginning of a day: the lead in GP and in cheers cards,
and how many cards more of each type the Accusers have left. It finds associations: who holds a card may have
come by it in ways that matter themselves. So cards are given, too: matches are played on from the same
states, once with a card more for one side and once for the other.

Letters used for shapes: N matches, W words of a state, T types.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.estimates import NOTHING_KNOWN, Estimate, around, estimate
from engine.ragers import layout
from engine.ragers.rules import NUM_TYPES

FEWEST = 2000
"""Matches that a regression needs."""
_STRIDE, _CARD_MASK = layout.COUNT_STRIDE, layout.CARDS.mask
_MOST_STEPS = 50

_Reals = npt.NDArray[np.float64]
_Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Price:
    """What one card of a type more than the other side is worth: in GP, and in chance of winning."""

    gp: Estimate
    win: Estimate


def card_counts(words: _Ints) -> _Ints:
    """Return `[N, T]` cards of each type in packed multisets `[N]`."""
    return words[:, None] >> np.arange(NUM_TYPES) * _STRIDE & _CARD_MASK


def logistic(design: _Reals, won: npt.NDArray[np.bool_]) -> tuple[_Reals, _Reals] | None:
    """Return coefficients and their covariance of a logistic regression, by Newton's method.

    None if there is no answer: too few matches, or columns that depend on each other.
    """
    weights: _Reals = np.zeros(design.shape[1])
    for _ in range(_MOST_STEPS):
        chance = 1.0 / (1.0 + np.exp(-design @ weights))
        curvature = design.T @ (design * (chance * (1.0 - chance))[:, None])
        try:
            covariance = np.asarray(np.linalg.inv(curvature), np.float64)
        except np.linalg.LinAlgError:
            return None
        step = covariance @ (design.T @ (won - chance))
        weights = weights + step
        if not np.all(np.isfinite(weights)) or np.abs(weights).max() > 50.0:
            return None
        if np.abs(step).max() < 1e-9:
            return weights, covariance
    return None


def regression_prices(
    lead: _Ints, taken: _Ints, cards: _Ints, won: npt.NDArray[np.bool_]
) -> tuple[Estimate, list[Price]]:
    """Return what a GP of lead is worth in chance of winning at no lead, and the price of each type.

    Parameters
    ----------
    lead, taken : [N]
        Of the Accusers, in GP and in cheers cards.
    cards : [N, T]
        How many cards more they have left.
    """
    unknown = Price(NOTHING_KNOWN, NOTHING_KNOWN)
    prices = [unknown] * NUM_TYPES
    if len(lead) < FEWEST:
        return NOTHING_KNOWN, prices
    varying = [kind for kind in range(NUM_TYPES) if cards[:, kind].std() > 0]
    others = [taken] if taken.std() > 0 else []
    columns = [np.ones(len(lead)), lead, *(cards[:, kind] for kind in varying), *others]
    design = np.stack(columns, axis=1).astype(np.float64)
    found = logistic(design, won)
    if found is None:
        return NOTHING_KNOWN, prices
    weights, covariance = found
    chance = 1.0 / (1.0 + np.exp(-design @ weights))
    # A little more of something moves the chance of winning by its coefficient times this, on average.
    slope = float((chance * (1.0 - chance)).mean())
    errors = np.sqrt(np.diag(covariance))
    for column, kind in enumerate(varying, start=2):
        ratio = weights[column] / weights[1]
        # By the delta method.
        variance = (
            covariance[column, column]
            - 2.0 * ratio * covariance[1, column]
            + ratio * ratio * covariance[1, 1]
        ) / weights[1] ** 2
        prices[kind] = Price(
            around(float(ratio), float(max(variance, 0.0) ** 0.5), len(lead)),
            around(slope * float(weights[column]), slope * float(errors[column]), len(lead)),
        )
    return around(0.25 * float(weights[1]), 0.25 * float(errors[1]), len(lead)), prices


def with_card(states: _Ints, player: int, kind: int, hand_size: int) -> _Ints:
    """Return copies of states `[N, W]` before a patron is revealed, with one card more for a player.

    It goes to its deck; to its hand if that lacks a card, since then it has no deck.
    """
    given = states.copy()
    held = card_counts(states[:, layout.HAND + player]).sum(axis=1)
    drawn = card_counts(states[:, layout.DECK + player]).sum(axis=1)
    lacks = (held < hand_size) & (drawn == 0)
    # Before the first day nothing is drawn yet: then the deck it is.
    lacks &= states[:, layout.FLOW] >> layout.DRAWING.offset & layout.DRAWING.mask == 0
    card = 1 << kind * _STRIDE
    given[:, layout.HAND + player] += card * lacks
    given[:, layout.DECK + player] += card * ~lacks
    return given


def given_price(won_with: npt.NDArray[np.bool_], won_against: npt.NDArray[np.bool_]) -> Estimate:
    """Return what a card given is worth, from matches that go on from the same states.

    Parameters
    ----------
    won_with, won_against : [N]
        Whether the Accusers win with a card more on their own side, and on the other.
    """
    halves = (won_with.astype(np.float64) - won_against) / 2.0
    return estimate(halves)

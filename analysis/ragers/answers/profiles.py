"""What days look like when both play as found: sampled, scored card by card by the reference rules.

Also how simple players fare against the plans found. All of it is statistics over sampled days; errors are
standard errors.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from analysis.ragers.naive import NAIVE, greedy_scores
from engine.ragers.rules import NUM_TYPES, Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from analysis.ragers.scenarios import Scenario
    from solver.hidden_hands import Samples, Sampling

PLAYS = 10_000
_SIMPLE_PLAYS = 30_000
_PLAYOUT_PLAYS, _PLAYOUTS = 4_000, 32
_SUM_TOLERANCE = 1e-9


class Fares(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a simple way of playing fares against the plan found: GP on balance of each player who plays so."""

    gp: tuple[float, float]
    error_gp: tuple[float, float]


class Profile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Statistics of sampled days.

    Attributes
    ----------
    days : how many days of both plans were sampled.
    nash_conv_gp : of the strategies they were sampled from: those of the answer, or those of a shorter solve.
    deviation_gp : standard deviation of what a day pays player 0 on balance.
    steps : mean number of steps, not counting further cards on Veterans.
    card_gp : [2, T] mean GP that each printed type brings its owner; cheers cards not counted.
    cheers : shares of days on which player 0 alone, player 1 alone, both or nobody meets the cheers card;
        days without an attack on either side count as nobody (S2).
    naive : by name, see :data:`analysis.ragers.naive.NAIVE`.
    """

    days: int
    nash_conv_gp: float
    deviation_gp: float
    steps: float
    card_gp: list[list[float]]
    cheers: tuple[float, float, float, float]
    naive: dict[str, Fares]

    def problems(self) -> list[str]:
        """Return what cannot be true of any sampled days; empty if all is well."""
        found = []
        numbers = [
            self.nash_conv_gp,
            self.deviation_gp,
            self.steps,
            *(gp for row in self.card_gp for gp in row),
        ]
        numbers += [number for fares in self.naive.values() for number in (*fares.gp, *fares.error_gp)]
        if not all(math.isfinite(number) for number in numbers):
            found.append("a number about sampled days is not finite")
        if abs(sum(self.cheers) - 1.0) > _SUM_TOLERANCE or min(self.cheers) < 0.0:
            found.append("who meets the cheers card is no probability distribution")
        if [len(row) for row in self.card_gp] != [NUM_TYPES] * 2 or min(map(min, self.card_gp)) < 0.0:
            found.append("glory points by card are wrong")
        if self.days <= 0 or self.deviation_gp < 0.0 or set(self.naive) != set(NAIVE):
            found.append("what was sampled is wrong")
        return found

    def relabelled(self, order: list[int]) -> Profile:
        """Return the profile with its types in `order`."""
        cards = [[row[old] for old in order] for row in self.card_gp]
        return msgspec.structs.replace(self, card_gp=cards)


def sampling(rules: Rules) -> Sampling:
    """Return what to sample of a day under `rules`."""
    from solver.hidden_hands import BaselinePolicy, Sampling

    nought = (0.0,) * NUM_TYPES
    greedy = greedy_scores(rules)
    chosen = (
        (BaselinePolicy("uniform", nought, nought, nought, exchanges=True), _SIMPLE_PLAYS),
        (BaselinePolicy("greedy", *greedy), _SIMPLE_PLAYS),
        (BaselinePolicy("playouts", nought, nought, nought, playouts=_PLAYOUTS), _PLAYOUT_PLAYS),
    )
    assert {policy.name for policy, _ in chosen} == set(NAIVE)
    return Sampling(PLAYS, chosen)


def profile(samples: Samples, scenario: Scenario, nash_conv_gp: float) -> Profile:
    """Score sampled days."""
    # Only when days are scored: reading stored answers must stay quick.
    from engine.ragers.reference_row import card_gp, score_day, scoring_icon
    from engine.ragers.replay import replay

    rules = scenario.rules
    limit = rules.row_length(scenario.patron)
    card = rules.cheers.index(scenario.cheers)
    cards: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    met = [0, 0, 0, 0]
    steps = 0
    different, counts = _different(samples.shown[:, int(scenario.preparation == "seen") :])
    for day, number in zip(different, counts, strict=True):
        shown = [pair for pair in day if pair[0] >= -1]
        rows = replay(shown, limit, at_once=scenario.day.hides_at_once)
        # A card hidden beside a Deadeye takes a slot, but no step.
        steps += number * max(sum(not slot[-1].hidden for slot in row) for row in rows)
        result = score_day(rules, rows, (card,))
        for player in (0, 1):
            icon = scoring_icon(result.outcome, rows[player], player)
            if icon is not None:
                for printed, gp in card_gp(rules, rows[player], icon).items():
                    cards[player][printed] += number * gp
        met[0 if result.taken[0] else 1 if result.taken[1] else 2 if result.removed else 3] += number
    days = len(samples.shown)
    return Profile(
        days=days,
        nash_conv_gp=nash_conv_gp,
        deviation_gp=samples.payoff_deviation,
        steps=steps / days,
        card_gp=[[each[t] / days for t in range(NUM_TYPES)] for each in cards],
        cheers=(met[0] / days, met[1] / days, met[2] / days, met[3] / days),
        naive={
            name: Fares((float(w[0, 0]), float(w[1, 0])), (float(w[0, 1]), float(w[1, 1])))
            for name, w in samples.worths.items()
        },
    )


def _different(shown: NDArray[np.int8]) -> tuple[list[list[list[int]]], list[int]]:
    """Return the different days among the sampled ones, and how often each was met."""
    import numpy as np

    found, counts = np.unique(shown, axis=0, return_counts=True)
    return found.tolist(), counts.tolist()

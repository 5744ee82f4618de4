"""What recorded matches say: ends, ties, leads, comebacks, and prices of cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.estimates import NOTHING_KNOWN, Estimate, estimate, share
from analysis.ragers.match.prices import card_counts, regression_prices
from analysis.ragers.match.report import DayReport, DecidedBy, LeadReport, MatchFigures, PriceReport
from engine.ragers import layout
from engine.ragers.rules import TYPES, Rules

_Ints = npt.NDArray[np.int64]
_Flags = npt.NDArray[np.bool_]
#: Leads beyond this are rare where the winning lead is large.
_MOST_LEAD = 20
LEAD, GP, CHEERS, DECKS, DEFENDERS = range(5)


def lead_of(states: _Ints) -> _Ints:
    """Return how many GP the Accusers are ahead, `[N]`."""
    flow = states[:, layout.FLOW] >> layout.SCORE.offset
    stride, mask = layout.SCORE.stride, layout.SCORE.mask
    return (flow & mask) - (flow >> stride & mask)


def with_lead(states: _Ints, lead: int) -> _Ints:
    """Return copies of states `[N, W]` in which the Accusers are so far ahead."""
    found = states.copy()
    stride, mask = layout.SCORE.stride, layout.SCORE.mask
    both = max(lead, 0) | max(-lead, 0) << stride
    places = (mask | mask << stride) << layout.SCORE.offset
    found[:, layout.FLOW] = found[:, layout.FLOW] & ~places | both << layout.SCORE.offset
    return found


def taken_of(states: _Ints) -> _Ints:
    """Return how many cheers cards more the Accusers have taken, `[N]`."""
    taken = states[:, layout.DECK : layout.DECK + 2] >> layout.TAKEN.offset & layout.TAKEN.mask
    return taken[:, 0] - taken[:, 1]


def deck_sizes(states: _Ints) -> _Ints:
    """Return how many cards both still have to draw, `[N, 2]`."""
    sizes = [card_counts(states[:, layout.DECK + player]).sum(axis=1) for player in (0, 1)]
    return np.stack(sizes, axis=1)


def days_finished(states: _Ints) -> _Ints:
    """Return the number of days finished, `[N]`."""
    return states[:, layout.TABLE] >> layout.DAY.offset & layout.DAY.mask


@dataclass(frozen=True, eq=False)
class Ends:
    """How matches ended.

    Attributes
    ----------
    won : [N] whether the Accusers won.
    days : [N] days played.
    reason : [N] `LEAD`, `GP`, `CHEERS`, `DECKS` or `DEFENDERS`.
    """

    won: _Flags
    days: _Ints
    reason: _Ints


def ends(finals: _Ints, rules: Rules) -> Ends:
    """Return how matches with these final states `[N, W]` ended (M3)."""
    sizes, days = deck_sizes(finals), days_finished(finals)
    standings = [lead_of(finals), taken_of(finals), sizes[:, 0] - sizes[:, 1]]
    won = np.zeros(len(finals), np.bool_)
    reason = np.full(len(finals), DEFENDERS)
    for kind, standing in reversed(list(zip((GP, CHEERS, DECKS), standings, strict=True))):
        differs = standing != 0
        won[differs] = standing[differs] > 0
        reason[differs] = kind
    reason[days < rules.match.days] = LEAD
    return Ends(won, days, reason)


def reached(marks: _Ints, day: int) -> _Flags:
    """Return in which matches `[N, D, W]` a day (from 2) came, `[N]`."""
    came: _Flags = days_finished(marks[:, day - 2]) == day - 1
    return came


def day_report(marks: _Ints, end: Ends, day: int, given: Sequence[Estimate] | None) -> DayReport:
    """Return what stands before a day; `given` are the prices of cards given, by type, if they were tried."""
    given = given or [NOTHING_KNOWN] * len(TYPES)
    if day == 1:
        cards = [
            PriceReport(name, NOTHING_KNOWN, NOTHING_KNOWN, price)
            for name, price in zip(TYPES, given, strict=True)
        ]
        return DayReport(1, len(marks), NOTHING_KNOWN, NOTHING_KNOWN, [], cards)
    going = reached(marks, day)
    states, won = marks[going, day - 2], end.won[going]
    lead = lead_of(states)
    ahead = np.where(lead >= 0, won, ~won)
    behind = lead != 0
    by_lead = []
    for number in range(min(int(np.abs(lead).max(initial=0)), _MOST_LEAD) + 1):
        rows = np.abs(lead) == number
        if rows.any():
            by_lead.append(LeadReport(number, share(int(ahead[rows].sum()), int(rows.sum()))))
    left = [
        card_counts(states[:, layout.HAND + player]) + card_counts(states[:, layout.DECK + player])
        for player in (0, 1)
    ]
    gp_win, prices = regression_prices(lead, taken_of(states), left[0] - left[1], won)
    cards = [
        PriceReport(name, price.gp, price.win, worth)
        for name, price, worth in zip(TYPES, prices, given, strict=True)
    ]
    return DayReport(
        day, len(states), share(int((~ahead[behind]).sum()), int(behind.sum())), gp_win, by_lead, cards
    )


def match_figures(
    marks: _Ints, rules: Rules, given: Sequence[Sequence[Estimate]], head: tuple[object, object]
) -> MatchFigures:
    """Return all figures of recorded matches `[N, D, W]`.

    Parameters
    ----------
    given : prices of cards given, by day and type; days that were not tried are missing at the end.
    """
    total, end = len(marks), ends(marks[:, -1], rules)
    counts = np.bincount(end.reason, minlength=5)
    to_the_end = end.days == rules.match.days
    empty = (deck_sizes(marks[:, -1]) == 0).all(axis=1) & to_the_end
    days = [
        day_report(marks, end, day, given[day - 1] if day <= len(given) else None)
        for day in range(1, rules.match.days + 1)
    ]
    return MatchFigures(
        *head,  # type: ignore[arg-type]
        matches=total,
        accusers_win=share(int(end.won.sum()), total),
        days_played=estimate(end.days, (1.0, float(rules.match.days))),
        ended_after_day=[
            share(int((end.days == day).sum()), total) for day in range(1, rules.match.days + 1)
        ],
        decided_by=DecidedBy(*(share(int(counts[kind]), total) for kind in range(5))),
        decks_empty=share(int(empty.sum()), int(to_the_end.sum())),
        days=days,
    )

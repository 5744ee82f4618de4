"""What recorded plays of a policy say about the game: cards, actions, order, length. See `analyse`.

Worths of moves come from explored decisions (`solver.sampling.recorded_plays`): the move is drawn evenly
there, so that situations in which the policy likes it do not count for more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from analysis.raverun.approximate_answers import (
    ActionReport,
    AdvantageReport,
    CardWorth,
    LengthReport,
    OrderReport,
    RoundReport,
    StrengthReport,
)
from analysis.raverun.estimates import estimate
from engine.raverun import layout
from engine.raverun.card_sets import SET_MASK
from engine.raverun.rules import ACTIONS, EXCHANGE, Rules
from solver.sampling.recorded_plays import RecordedPlays

WORDS = (layout.PLAYER, layout.PLAYER + 1, layout.PLAYER + 2, layout.DECK, layout.FLOW)
"""Words of a state to keep with each decision."""
EXPLORED = 16
"""Among how many own decisions one is explored: the mean number in a play (measured)."""
_DECK, _FLOW = 3, 4
_STRENGTHS = 5

_Ints = NDArray[np.int64]
_Reals = NDArray[np.float64]
_Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Decisions:
    """Recorded decisions, read as moves of the game.

    Attributes
    ----------
    payoffs : `[N, P] float64`, of the plays; empty if only explored decisions were kept.
    play, decider, num_moves : `[R] int64`.
    probability : `[R] float64`, of the move made, by the policy.
    explored : `[R] bool`.
    payoff : `[R] float64`, of the decider.
    hand : `[R] int64`, the decider's cards, a bit each.
    phase, round : `[R] int64`, the round from 1, 0 before the first.
    card : `[R] int64`, the card chosen or played (V3, P1), -1 elsewhere.
    offered : `[R] int64`, the card that may be used, -1 elsewhere.
    used : `[R] bool`, whether it is.
    first : `[R] int64`, who plays first by an order, -1 elsewhere.
    first_payoff : `[R] float64`, his payoff.
    """

    payoffs: _Reals
    play: _Ints
    decider: _Ints
    num_moves: _Ints
    probability: _Reals
    explored: _Flags
    payoff: _Reals
    hand: _Ints
    phase: _Ints
    round: _Ints
    card: _Ints
    offered: _Ints
    used: _Flags
    first: _Ints
    first_payoff: _Reals

    def only_explored(self) -> Decisions:
        """The explored decisions alone."""
        kept = {
            field.name: getattr(self, field.name)[self.explored]
            for field in fields(self)
            if field.name != "payoffs"
        }
        return Decisions(payoffs=self.payoffs[:0], **kept)


def joined(parts: Sequence[Decisions]) -> Decisions:
    """Several recordings as one; play numbers repeat."""
    names = [field.name for field in fields(Decisions)]
    return Decisions(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


def read(plays: RecordedPlays, orders: _Ints) -> Decisions:
    """Read decisions recorded with `WORDS`; `orders` `[., P]` are the orders of play by number."""
    flow = plays.words[:, _FLOW]
    phase = flow >> layout.PHASE.offset & layout.PHASE.mask
    hand = plays.words[np.arange(len(flow)), plays.decider] & SET_MASK
    held = hand[:, None] >> np.arange(layout.MAX_CARDS) & 1
    rank = held.cumsum(axis=1) - 1
    chosen = ((rank == plays.move[:, None]) & (held == 1)).argmax(axis=1)
    is_card = (phase == layout.BID) | (phase == layout.PLAY)
    is_order = phase == layout.ORDERING
    is_offer = (phase == layout.ROUND) | (phase == layout.LAST)
    offered = np.where(is_offer, flow >> layout.OFFERED.offset & layout.OFFERED.mask, -1)
    # A second card to go under the deck is the same use (2).
    going = plays.words[:, _DECK] >> layout.GOING.offset & SET_MASK
    offered[going != 0] = -1
    begins = np.searchsorted(plays.play, plays.play)
    so_far = np.cumsum(is_order)
    first = np.where(is_order, orders[np.minimum(plays.move, len(orders) - 1), 0], -1)
    return Decisions(
        payoffs=plays.payoffs,
        play=plays.play,
        decider=plays.decider,
        num_moves=plays.num_moves,
        probability=plays.probability,
        explored=plays.explored,
        payoff=plays.payoffs[plays.play, plays.decider],
        hand=hand,
        phase=phase,
        round=so_far - (so_far[begins] - is_order[begins]),
        card=np.where(is_card, chosen, -1),
        offered=offered,
        used=(offered >= 0) & (plays.move < plays.num_moves - 1),
        first=first,
        first_payoff=plays.payoffs[plays.play, np.maximum(first, 0)],
    )


def _card_worths(
    rules: Rules, own: Decisions, tried: Decisions, rows: _Flags, among: _Flags
) -> list[CardWorth]:
    """How often each card is chosen when held (`rows`), and what it brings (`among` those tried)."""
    choices, hands = own.card[rows], own.hand[rows]
    tried_cards, payoffs = tried.card[among], tried.payoff[among]
    return [
        CardWorth(
            card=rules.card_name(card),
            chosen=estimate((choices == card)[(hands >> card & 1) == 1]),
            worth=estimate(payoffs[tried_cards == card]),
        )
        for card in range(rules.num_cards)
    ]


def first_cards(rules: Rules, own: Decisions, tried: Decisions) -> list[CardWorth]:
    """Each card as a first card (V3)."""
    return _card_worths(rules, own, tried, own.phase == layout.BID, tried.phase == layout.BID)


def rounds(rules: Rules, own: Decisions, tried: Decisions) -> list[RoundReport]:
    """Each card, round by round (P1)."""
    reports = []
    for number in range(1, int(own.round.max(initial=0)) + 1):
        rows = (own.phase == layout.PLAY) & (own.round == number)
        among = (tried.phase == layout.PLAY) & (tried.round == number)
        reached = np.bincount(own.play[rows], minlength=len(own.payoffs)) > 0
        cards = _card_worths(rules, own, tried, rows, among)
        reports.append(RoundReport(round=number, reached=estimate(reached), cards=cards))
    return reports


def _gain(tried: Decisions, rows: _Flags, instead: _Reals) -> _Reals:
    """What the policy's choice brings beyond that of `instead` (probabilities of the moves made), row by row.

    Each move came with probability one over their number, so payoffs times number of moves times probability
    are unbiased.
    """
    gains: _Reals = tried.payoff * tried.num_moves * (tried.probability - instead)
    return gains[rows]


def orders(own: Decisions, tried: Decisions) -> OrderReport:
    """What it is worth to decide the order (P1), and to play first."""
    rows = tried.phase == layout.ORDERING
    lot = 1.0 / tried.num_moves
    ordering = own.phase == layout.ORDERING
    return OrderReport(
        right=estimate(_gain(tried, rows, lot)),
        right_in_round_1=estimate(_gain(tried, rows & (tried.round == 1), lot)),
        plays_first=estimate(own.first[ordering] == own.decider[ordering]),
        first_by_lot=estimate(tried.first_payoff[rows]),
    )


def actions(rules: Rules, own: Decisions, tried: Decisions) -> list[ActionReport]:
    """How often the card of each character may be used and is, and what that brings over passing."""
    reports = []
    for index in range(rules.match.characters):
        begin, end = index * rules.match.letters, (index + 1) * rules.match.letters
        offers = (own.offered >= begin) & (own.offered < end)
        rows = (tried.offered >= begin) & (tried.offered < end)
        action = rules.action(begin)
        reports.append(
            ActionReport(
                character=str(index + 1),
                action=ACTIONS[action],
                offered=estimate(np.bincount(own.play[offers], minlength=len(own.payoffs))),
                used=estimate(own.used[offers]),
                gain=estimate(_gain(tried, rows, (~tried.used).astype(np.float64))),
                first_choice_only=action == EXCHANGE,
            )
        )
    return reports


def strengths(own: Decisions) -> list[StrengthReport]:
    """How often hands win, by the sum of their cards' ranks (1A is 1), in five parts of like size."""
    rows = own.phase == layout.BID
    payoffs = own.payoff[rows]
    totals = (own.hand[rows, None] >> np.arange(layout.MAX_CARDS) & 1) @ np.arange(1, layout.MAX_CARDS + 1)
    edges = np.unique(np.quantile(totals, np.linspace(0, 1, _STRENGTHS + 1), method="inverted_cdf"))
    reports = []
    for low, high in pairwise(edges):
        inside = (totals <= high) & ((totals > low) | (low == edges[0]))
        part = payoffs[inside]
        reports.append(
            StrengthReport(int(totals[inside].min()), int(high), estimate(part > 0), estimate(part))
        )
    return reports


def advantages(own: Decisions) -> AdvantageReport:
    """What those have in the end who chose the highest first card (V3), and who played first (P1)."""
    rows = (own.phase == layout.ORDERING) & (own.round == 1)
    return AdvantageReport(
        highest_bid=estimate(own.payoff[rows]),
        highest_bid_wins=estimate(own.payoff[rows] > 0),
        first_mover=estimate(own.first_payoff[rows]),
        first_mover_wins=estimate(own.first_payoff[rows] > 0),
        draws=estimate(~own.payoffs.any(axis=1)),
    )


def lengths(own: Decisions) -> LengthReport:
    """How long a game is."""
    num_plays = len(own.payoffs)
    most = np.zeros(num_plays, np.int64)
    np.maximum.at(most, own.play, own.round)
    return LengthReport(
        rounds=estimate(most),
        decisions=estimate(np.bincount(own.play[own.num_moves > 1], minlength=num_plays)),
        most_rounds=int(most.max()),
    )

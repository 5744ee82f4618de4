"""What recorded plays of a policy say about the game: cards, actions, order, length.

How often things happen comes from plays as they are played (`solver.sampling.recorded_plays`). What moves are
worth comes from branched decisions (`solver.sampling.branched_plays`): every move of them is played out with
the same luck, whether the policy likes it or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from analysis.estimates import Estimate, estimate, share_of
from analysis.raverun.approximate_answers import (
    AdvantageReport,
    BoundReport,
    CardWorth,
    GroupWorth,
    LengthReport,
    MatchReport,
    RoundReport,
    StrengthReport,
)
from engine.raverun import layout
from engine.raverun.card_sets import SET_MASK
from engine.raverun.rules import Rules
from solver.sampling.branched_plays import BranchedPlays, Field
from solver.sampling.head_to_head import MatchResult
from solver.sampling.recorded_plays import RecordedPlays
from solver.sampling.responses import ResponseBound

WORDS = (layout.PLAYER, layout.PLAYER + 1, layout.PLAYER + 2, layout.DECK, layout.FLOW)
"""Words of a state to keep with each decision."""
_DECK, _FLOW = 3, 4
_STRENGTHS = 5

_Ints = NDArray[np.int64]
_Reals = NDArray[np.float64]
_Flags = NDArray[np.bool_]


def phase_field(first: int, last: int | None = None) -> Field:
    """Return the decisions of some phases, from `first` to `last`."""
    phase = layout.PHASE
    return Field(layout.FLOW, phase.offset, phase.mask, first, first if last is None else last)


@dataclass(frozen=True, eq=False)
class Decisions:
    """Recorded decisions, read as moves of the game.

    Attributes
    ----------
    payoffs : `[N, P] float64`, of the plays.
    play, decider, num_moves : `[R] int64`.
    payoff : `[R] float64`, of the decider.
    hand : `[R] int64`, the decider's cards, a bit each.
    phase, round : `[R] int64`, the round from 1, 0 before the first.
    card : `[R] int64`, the card chosen or played (V3, P1), -1 elsewhere.
    offered : `[R] int64`, the card that may be used, -1 elsewhere.
    used : `[R] bool`, whether it is.
    first : `[R] int64`, who plays first by an order, -1 elsewhere.
    first_payoff : `[R] float64`, that player's payoff.
    """

    payoffs: _Reals
    play: _Ints
    decider: _Ints
    num_moves: _Ints
    payoff: _Reals
    hand: _Ints
    phase: _Ints
    round: _Ints
    card: _Ints
    offered: _Ints
    used: _Flags
    first: _Ints
    first_payoff: _Reals


def held_cards(words: _Ints, decider: _Ints) -> _Ints:
    """The deciders' cards, a bit each, `[R] int64`, of words kept as in `WORDS`."""
    return np.asarray(words[np.arange(len(words)), decider] & SET_MASK)


def offered_cards(words: _Ints) -> _Ints:
    """The card offered in each of some states, -1 where none is, `[R] int64`.

    A second card to go under the deck is the same use (2).
    """
    flow = words[:, _FLOW]
    phase = flow >> layout.PHASE.offset & layout.PHASE.mask
    is_offer = (phase == layout.ROUND) | (phase == layout.LAST)
    offered = np.where(is_offer, flow >> layout.OFFERED.offset & layout.OFFERED.mask, -1)
    going = words[:, _DECK] >> layout.GOING.offset & SET_MASK
    offered[going != 0] = -1
    return np.asarray(offered, dtype=np.int64)


def nth_cards(hands: _Ints, moves: _Ints) -> _Ints:
    """The card that each move plays from a hand: the so manieth from below, `int64`."""
    held = hands[:, None] >> np.arange(layout.MAX_CARDS) & 1
    rank = held.cumsum(axis=1) - 1
    return np.asarray(((rank == moves[:, None]) & (held == 1)).argmax(axis=1), dtype=np.int64)


def read(plays: RecordedPlays, orders: _Ints) -> Decisions:
    """Read decisions recorded with `WORDS`; `orders` `[., P]` are the orders of play by number."""
    flow = plays.words[:, _FLOW]
    phase = flow >> layout.PHASE.offset & layout.PHASE.mask
    hand = held_cards(plays.words, plays.decider)
    is_card = (phase == layout.BID) | (phase == layout.PLAY)
    is_order = phase == layout.ORDERING
    offered = offered_cards(plays.words)
    begins = np.searchsorted(plays.play, plays.play)
    so_far = np.cumsum(is_order)
    first = np.where(is_order, orders[np.minimum(plays.move, len(orders) - 1), 0], -1)
    return Decisions(
        payoffs=plays.payoffs,
        play=plays.play,
        decider=plays.decider,
        num_moves=plays.num_moves,
        payoff=plays.payoffs[plays.play, plays.decider],
        hand=hand,
        phase=phase,
        round=so_far - (so_far[begins] - is_order[begins]),
        card=np.where(is_card, nth_cards(hand, plays.move), -1),
        offered=offered,
        used=(offered >= 0) & (plays.move < plays.num_moves - 1),
        first=first,
        first_payoff=plays.payoffs[plays.play, np.maximum(first, 0)],
    )


def payoff_bounds(num_players: int) -> tuple[float, float]:
    """What a game may pay (A2)."""
    return -1.0 / (num_players - 1), 1.0


def difference_bounds(num_players: int) -> tuple[float, float]:
    """By how much payoffs of a game may differ."""
    low, high = payoff_bounds(num_players)
    return low - high, high - low


@dataclass(frozen=True, eq=False)
class CardTrials:
    """What each card of some hands brings when it is chosen or played; a row for each card of each hand.

    Attributes
    ----------
    play : which play, `[T] int64`.
    round : `[T] int64`, 0 for first cards.
    card : `[T] int64`.
    worth : what it brings, `[T] float64`.
    advantage : how much more than the rest of the hand on average.
    holding : what the hand brings under the policy, over the mean of all hands of that round.
    bounds, differences : of payoffs and of their differences.
    """

    play: _Ints
    round: _Ints
    card: _Ints
    worth: _Reals
    advantage: _Reals
    holding: _Reals
    bounds: tuple[float, float]
    differences: tuple[float, float]

    def of(self, rows: _Flags, chosen: Estimate, name: str) -> CardWorth:
        """Return what some rows say."""
        play = self.play[rows]
        return CardWorth(
            card=name,
            chosen=chosen,
            worth=estimate(self.worth[rows], self.bounds, play),
            advantage=estimate(self.advantage[rows], self.differences, play),
            holding=estimate(self.holding[rows], self.differences, play),
        )

    def group(self, rows: _Flags, name: str) -> GroupWorth:
        """Return what the cards of a character or letter have in common."""
        play = self.play[rows]
        return GroupWorth(
            name=name,
            advantage=estimate(self.advantage[rows], self.differences, play),
            holding=estimate(self.holding[rows], self.differences, play),
        )


def card_trials(branched: BranchedPlays, num_players: int, rounds: _Ints | None = None) -> CardTrials:
    """Read branched choices of cards; `rounds` `[R] int64` of each decision, first cards if None."""
    row, payoff, count = branched.row, branched.payoff, branched.num_moves
    rounds = np.zeros(len(count), np.int64) if rounds is None else rounds
    hands = held_cards(branched.words, branched.decider)
    rest = (branched.sums(payoff)[row] - payoff) / np.maximum(count - 1, 1)[row]
    value = branched.sums(payoff * branched.probability)
    mean = np.bincount(rounds, value) / np.maximum(np.bincount(rounds), 1)
    return CardTrials(
        play=branched.play[row],
        round=rounds[row],
        card=nth_cards(hands[row], branched.move),
        worth=payoff,
        advantage=payoff - rest,
        holding=(value - mean[rounds])[row],
        bounds=payoff_bounds(num_players),
        differences=difference_bounds(num_players),
    )


def first_cards(rules: Rules, own: Decisions, trials: CardTrials) -> list[CardWorth]:
    """Each card as a first card (V3)."""
    return _cards(rules, own, own.phase == layout.BID, trials, trials.round == 0)


def rounds(rules: Rules, own: Decisions, trials: CardTrials) -> list[RoundReport]:
    """Each card, round by round (P1)."""
    reports = []
    for number in range(1, int(own.round.max(initial=0)) + 1):
        rows = (own.phase == layout.PLAY) & (own.round == number)
        reached = np.bincount(own.play[rows], minlength=len(own.payoffs)) > 0
        cards = _cards(rules, own, rows, trials, trials.round == number)
        reports.append(RoundReport(round=number, reached=share_of(reached), cards=cards))
    return reports


def _cards(rules: Rules, own: Decisions, rows: _Flags, trials: CardTrials, among: _Flags) -> list[CardWorth]:
    """How often each card is chosen when held (`rows`), and what it brings (`among` those tried)."""
    choices, hands, plays = own.card[rows], own.hand[rows], own.play[rows]
    reports = []
    for card in range(rules.num_cards):
        held = (hands >> card & 1) == 1
        chosen = share_of((choices == card)[held], plays[held])
        reports.append(trials.of(among & (trials.card == card), chosen, rules.card_name(card)))
    return reports


def characters(rules: Rules, trials: CardTrials) -> list[GroupWorth]:
    """The cards of each character together."""
    letters = rules.match.letters
    return [
        trials.group(trials.card // letters == index, str(index + 1))
        for index in range(rules.match.characters)
    ]


def letters(rules: Rules, trials: CardTrials) -> list[GroupWorth]:
    """The cards of each letter together: with equal letters, these would be alike."""
    number = rules.match.letters
    return [
        trials.group(trials.card % number == index, rules.card_name(index)[-1]) for index in range(number)
    ]


def gains(branched: BranchedPlays, instead: _Reals, rows: _Flags, num_players: int) -> Estimate:
    """What the policy's choice brings beyond that of `instead` (probabilities of moves, `[T]`)."""
    gained = branched.sums(branched.payoff * (branched.probability - instead))
    return estimate(gained[rows], difference_bounds(num_players), branched.play[rows])


def strengths(own: Decisions) -> list[StrengthReport]:
    """How often hands win, by the sum of their cards' ranks (1A is 1), in five parts of like size."""
    rows = own.phase == layout.BID
    payoffs, plays, bounds = own.payoff[rows], own.play[rows], payoff_bounds(own.payoffs.shape[1])
    totals = (own.hand[rows, None] >> np.arange(layout.MAX_CARDS) & 1) @ np.arange(1, layout.MAX_CARDS + 1)
    edges = np.unique(np.quantile(totals, np.arange(_STRENGTHS + 1) / _STRENGTHS, method="inverted_cdf"))
    reports = []
    for low, high in pairwise(edges):
        inside = (totals <= high) & ((totals > low) | (low == edges[0]))
        part, of = payoffs[inside], plays[inside]
        least = int(totals[inside].min())
        reports.append(StrengthReport(least, int(high), share_of(part > 0, of), estimate(part, bounds, of)))
    return reports


def advantages(own: Decisions) -> AdvantageReport:
    """What those have in the end who chose the highest first card (V3), and who played first (P1)."""
    rows = (own.phase == layout.ORDERING) & (own.round == 1)
    bounds = payoff_bounds(own.payoffs.shape[1])
    return AdvantageReport(
        highest_bid=estimate(own.payoff[rows], bounds),
        highest_bid_wins=share_of(own.payoff[rows] > 0),
        first_mover=estimate(own.first_payoff[rows], bounds),
        first_mover_wins=share_of(own.first_payoff[rows] > 0),
        draws=share_of(~own.payoffs.any(axis=1)),
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


def bound_report(bound: ResponseBound, kinds: list[str], seconds: float, iterations: int) -> BoundReport:
    """Return what responses won in its public form."""
    return BoundReport(
        nash_conv=bound.nash_conv,
        lower_bound=max(0.0, bound.lower_bound),
        responses=[_payoff(match) for match in bound.matches],
        kinds=kinds,
        seconds=seconds,
        iterations=iterations,
    )


def _payoff(match: MatchResult) -> Estimate:
    return estimate(np.nanmean(match.payoffs, axis=1), payoff_bounds(len(match.seat_means)))


def match_report(match: MatchResult) -> MatchReport:
    """Return a match in its public form."""
    return MatchReport(match.names[1], _payoff(match), match.wins, match.draws, match.losses)

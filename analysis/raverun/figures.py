"""What compiled players of the full game, one kind in all seats, say about it: the figures of an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from analysis.estimates import Estimate, estimate, share_of
from analysis.front.verdicts import Figure, best
from analysis.raverun import approximate_answers as answers
from analysis.raverun import statistics
from analysis.raverun.budget import Budget
from analysis.raverun.statistics import WORDS, phase_field
from engine.raverun import layout
from engine.raverun.codec import encode
from engine.raverun.reference import Phase, Player, State, advance
from engine.raverun.rules import ACTIONS, EXCHANGE, Rules
from engine.raverun.sampling import SamplingTables
from solver.sampling.branched_plays import BranchedPlays, Field, branch_plays
from solver.sampling.head_to_head import play_matches
from solver.sampling.policy import CompiledPolicy, Restriction
from solver.sampling.recorded_plays import record_plays

#: Games as they are played, and deals of each match against a restriction, for each game of `Measured.games`.
_OWN, _RESTRICTED_DEALS = 2, 1
#: Shares of the decisions of each kind that are branched: a first card takes seven games, an order two.
_BIDS, _ORDERS, _PLAYS, _OFFERS = 0.25, 0.2, 0.1, 0.2
#: Parts of the time that each kind of figure may take.
_PARTS = 6


@dataclass(frozen=True)
class Measured:
    """How much is played.

    Attributes
    ----------
    games : from which decisions are branched; other numbers follow from it.
    threads : the answer is the same for any number.
    """

    games: int
    seed: int
    threads: int
    budget: Budget


def figures(
    rules: Rules,
    game: SamplingTables,
    policy: CompiledPolicy,
    hand: tuple[int, ...] | None,
    measured: Measured,
    note: Callable[[str], None],
) -> dict[str, Any]:
    """Return the figures of `ApproximateReport` that do not depend on how the policy was found."""
    num_players, seed, budget = game.num_players, measured.seed, measured.budget
    begin = layout.RULE_ORDERS
    number = int(game.tables[layout.RULE_NUM_ORDERS])
    orders = game.tables[begin : begin + number * layout.MAX_PLAYERS].reshape(number, -1)
    note("measuring: games as they are played")
    own = statistics.read(
        record_plays(
            game,
            policy,
            num_plays=_OWN * measured.games,
            seed=seed + 10,
            words=WORDS,
            stop=budget.part(_PARTS).over,
            threads=measured.threads,
        ),
        orders,
    )
    asked = None if hand is None else played_hand(rules, game, policy, hand, measured)
    ordering = phase_field(layout.ORDERING)

    def branched(left: int, where: Field, part: float) -> BranchedPlays:
        return branch_plays(
            game,
            policy,
            where,
            num_plays=measured.games,
            share=part,
            counted=ordering,
            seed=seed + 10 + left,
            words=WORDS,
            threads=measured.threads,
            stop=budget.part(left).over,
        )

    note("measuring: every card and action tried")
    bids = statistics.card_trials(branched(5, phase_field(layout.BID), _BIDS), num_players)
    played = branched(4, phase_field(layout.PLAY), _PLAYS)
    plays = statistics.card_trials(played, num_players, played.before)
    offers = branched(3, phase_field(layout.ROUND, layout.LAST), _OFFERS)
    ordered = branched(2, ordering, _ORDERS)
    note("measuring: players who do without")
    restrictions = _Restricted(game, policy, measured)
    return {
        "games": len(own.payoffs),
        "first_cards": statistics.first_cards(rules, own, bids),
        "bid_groups": _groups(rules, bids),
        "rounds": statistics.rounds(rules, own, plays),
        "play_groups": _groups(rules, plays),
        "order": _order(own, ordered, orders, restrictions),
        "actions": _actions(rules, own, offers, restrictions),
        "strengths": statistics.strengths(own),
        "advantage": statistics.advantages(own),
        "length": statistics.lengths(own),
        "hand": asked,
    }


def _groups(rules: Rules, trials: statistics.CardTrials) -> answers.Groups:
    return answers.Groups(statistics.characters(rules, trials), statistics.letters(rules, trials))


class _Restricted:
    """Matches of the policy with a restriction against the policy as it is."""

    def __init__(self, game: SamplingTables, policy: CompiledPolicy, measured: Measured) -> None:
        self.game, self.policy, self.measured = game, policy, measured
        self._left = len(ACTIONS) + 3

    def win(self, restriction: Restriction, sign: float = 1.0) -> Estimate:
        """Return what the restriction wins a game, or with a sign of -1 what it loses."""
        measured = self.measured
        part = measured.budget.part(self._left)
        self._left = max(1, self._left - 1)
        match = play_matches(
            self.game,
            self.policy.restricted(restriction),
            self.policy,
            num_deals=max(2, _RESTRICTED_DEALS * measured.games),
            seed=measured.seed + 20,
            threads=measured.threads,
            progress=lambda done: done > 1 and part.over(),
        )
        bounds = statistics.difference_bounds(self.game.num_players)
        return estimate(sign * match.payoffs.mean(axis=1), bounds)


def _restriction(field: Field, moves: str | tuple[tuple[int, ...], ...]) -> Restriction:
    return Restriction(field.word, field.shift, field.mask, field.least, field.most, moves)


def _order(
    own: statistics.Decisions, tried: BranchedPlays, orders: np.ndarray, restrictions: _Restricted
) -> answers.OrderReport:
    """What it is worth to decide the order (P1), and to play first."""
    num_players = own.payoffs.shape[1]
    lot = 1.0 / tried.num_moves[tried.row]
    everywhere = np.ones(len(tried.play), np.bool_)
    ordering = own.phase == layout.ORDERING
    leads = own.first[ordering] == own.decider[ordering]
    first_player = orders[tried.move, 0]
    paid = tried.payoffs[np.arange(len(tried.move)), first_player]
    # Each player is first in some orders and not in others: the payoff in those, less that in these.
    every = tried.payoffs.sum(axis=1)
    size = tried.num_moves / num_players
    firsts = tried.sums(paid) / size
    others = (tried.sums(every) - tried.sums(paid)) / (size * (num_players - 1))
    gained = (firsts - others) / num_players
    kept = [
        tuple(tuple(np.flatnonzero((orders[:, 0] == seat) == first).tolist()) for seat in range(num_players))
        for first in (True, False)
    ]
    field = phase_field(layout.ORDERING)
    always, never = (restrictions.win(_restriction(field, moves)) for moves in kept)
    return answers.OrderReport(
        right=statistics.gains(tried, lot, everywhere, num_players),
        right_in_round_1=statistics.gains(tried, lot, tried.before == 0, num_players),
        plays_first=share_of(leads, own.play[ordering]),
        plays_first_by_round=[
            share_of(leads[own.round[ordering] == number]) for number in range(1, int(own.round.max()) + 1)
        ],
        first=estimate(gained, statistics.difference_bounds(num_players), tried.play),
        right_a_game=restrictions.win(_restriction(field, "evenly"), -1.0),
        always_first=always,
        never_first=never,
    )


def _actions(
    rules: Rules, own: statistics.Decisions, tried: BranchedPlays, restrictions: _Restricted
) -> list[answers.ActionReport]:
    """How often the card of each character may be used and is, and what that brings."""
    reports = []
    offered = statistics.offered_cards(tried.words)
    passing = (tried.move == tried.num_moves[tried.row] - 1).astype(np.float64)
    for index in range(rules.match.characters):
        begin, end = index * rules.match.letters, (index + 1) * rules.match.letters
        offers = (own.offered >= begin) & (own.offered < end)
        rows = (offered >= begin) & (offered < end)
        action = rules.action(begin)
        bits = layout.OFFERED
        never = Field(layout.FLOW, bits.offset, bits.mask, begin, end - 1)
        reports.append(
            answers.ActionReport(
                character=str(index + 1),
                action=ACTIONS[action],
                offered=estimate(np.bincount(own.play[offers], minlength=len(own.payoffs))),
                used=share_of(own.used[offers], own.play[offers]),
                gain=statistics.gains(tried, passing, rows, own.payoffs.shape[1]),
                worth=restrictions.win(_restriction(never, "last"), -1.0),
                first_choice_only=action == EXCHANGE,
            )
        )
    return reports


def hand_root(rules: Rules, num_players: int, game: SamplingTables, hand: tuple[int, ...]) -> np.ndarray:
    """Return a root `[state_words] int64` in which player 0 holds a hand and the others are dealt theirs."""
    rest = tuple(card for card in range(rules.num_cards) if card not in hand)
    players = (Player(hand=tuple(sorted(hand))), *[Player()] * (num_players - 1))
    root = np.zeros(game.state_words, np.int64)
    root[: layout.NUM_WORDS] = encode(advance(State(rules, players, (rest,), Phase.DEAL)))
    return root


def played_hand(
    rules: Rules, game: SamplingTables, policy: CompiledPolicy, hand: tuple[int, ...], measured: Measured
) -> answers.HandReport:
    """Play the hand with each of its cards chosen first, with the same deals and luck."""
    dealt = replace(game, root=hand_root(rules, game.num_players, game, hand))
    tried = branch_plays(
        dealt,
        policy,
        phase_field(layout.BID),
        num_plays=measured.games,
        brancher=0,
        seed=measured.seed + 5,
        threads=measured.threads,
        stop=measured.budget.part(_PARTS).over,
    )
    num_cards = len(hand)
    paid = tried.payoff.reshape(-1, num_cards)
    mixes = tried.probability.reshape(-1, num_cards)
    means = paid.mean(axis=0)
    first = int(np.argmax(means))
    bounds = statistics.payoff_bounds(game.num_players)
    differences = statistics.difference_bounds(game.num_players)
    cards = [
        answers.HandCard(
            card=rules.card_name(card),
            mix=float(mixes[:, index].mean()),
            worth=estimate(paid[:, index], bounds),
            behind=Estimate(0.0, 0.0, 0.0, len(paid))
            if index == first
            else estimate(paid[:, first] - paid[:, index], differences),
        )
        for index, card in enumerate(sorted(hand))
    ]
    return answers.HandReport(
        cards=sorted(cards, key=lambda card: -float(card.worth.mean or 0.0)),
        payoff=estimate((paid * mixes).sum(axis=1), bounds),
        best=best(
            [Figure(card.card, card.worth, paid[:, index].tolist()) for index, card in enumerate(cards)]
        ),
    )

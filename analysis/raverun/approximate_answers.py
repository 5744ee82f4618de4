"""What a trained approximation of the full game says: structs as in ``schema/approximate-1.schema.json``."""

from __future__ import annotations

import msgspec

from analysis.raverun.estimates import Estimate
from analysis.raverun.exact_answers import RulesReport

SCHEMA_NUMBER = 1
TWO = (
    "an approximation by sampling on an abstraction, not an equilibrium; how far from one is known only"
    " from below"
)
THREE = (
    "a heuristic: with three players these strategies are no equilibrium, and no measure of that is claimed"
)


class TrainingReport(msgspec.Struct, frozen=True):
    """How the strategies were found.

    Attributes
    ----------
    abstraction : what infosets keep apart (`summary`, `view` or `perfect`).
    infosets, max_infosets : in the table, and its room.
    lost : visits to infosets for which there was no room; they play evenly.
    stopped : `limit`, or `interrupted`.
    """

    method: str
    abstraction: str
    iterations: int
    seconds: float
    nodes: int
    updates: int
    infosets: int
    max_infosets: int
    lost: int
    seed: int
    stopped: str


class BoundReport(msgspec.Struct, frozen=True):
    """What responses win from the strategies: NashConv from below, never from above.

    Either, in each seat, the better one (on other deals) of a response trained against the strategies and
    the greedy player; or a search against the strategies, move by move: whichever bounds better, each held to
    half the risk.

    Attributes
    ----------
    lower_bound : NashConv is at least this with the stated confidence (one-sided).
    nash_conv : the estimate.
    responses : what the response in each seat wins.
    kinds : which response that is.
    seconds : of training for each response.
    """

    nash_conv: float
    lower_bound: float
    responses: list[Estimate]
    kinds: list[str]
    seconds: float
    iterations: int


class MatchReport(msgspec.Struct, frozen=True):
    """Strategies against an opponent in all other seats, every deal once per seat.

    Attributes
    ----------
    payoff : per play, over deals.
    wins, draws, losses : plays.
    """

    opponent: str
    payoff: Estimate
    wins: int
    draws: int
    losses: int


class CardWorth(msgspec.Struct, frozen=True):
    """A card as a choice: how often it is chosen when held, and what it brings when chosen by lot."""

    card: str
    chosen: Estimate
    worth: Estimate


class RoundReport(msgspec.Struct, frozen=True):
    """The cards played in one round (P1), and how many games have such a round."""

    round: int
    reached: Estimate
    cards: list[CardWorth]


class OrderReport(msgspec.Struct, frozen=True):
    """The order of play (P1).

    Attributes
    ----------
    right : what deciding it brings over an order by lot, to who decides.
    right_in_round_1 : in the first round.
    plays_first : how often who decides plays first himself.
    first_by_lot : what playing first brings when the order is drawn by lot.
    """

    right: Estimate
    right_in_round_1: Estimate
    plays_first: Estimate
    first_by_lot: Estimate


class ActionReport(msgspec.Struct, frozen=True):
    """The cards of a character, by what they do.

    Attributes
    ----------
    offered : how often a game that one may be used.
    used : of these.
    gain : what having the choice brings over passing, per offer.
    first_choice_only : the action is made of several choices, and the gain is that of the first.
    """

    character: str
    action: str
    offered: Estimate
    used: Estimate
    gain: Estimate
    first_choice_only: bool


class StrengthReport(msgspec.Struct, frozen=True):
    """Hands by the sum of their cards' ranks, 1A being 1: how often they win, and their payoff."""

    least: int
    most: int
    wins: Estimate
    payoff: Estimate


class AdvantageReport(msgspec.Struct, frozen=True):
    """What goes with the highest first card (V3), and with playing first in the first round (P1).

    As they happen, so causes are not told from what goes with them.
    """

    highest_bid: Estimate
    highest_bid_wins: Estimate
    first_mover: Estimate
    first_mover_wins: Estimate
    draws: Estimate


class LengthReport(msgspec.Struct, frozen=True):
    """Rounds (P4) and decisions with a choice in a game."""

    rounds: Estimate
    decisions: Estimate
    most_rounds: int


class HandCard(msgspec.Struct, frozen=True):
    """A card of the hand asked about: how often it is chosen first, and what it brings."""

    card: str
    mix: float
    worth: Estimate


class HandReport(msgspec.Struct, frozen=True):
    """A hand; `trained` says whether training ever came to its infoset (if not, the mix is even)."""

    cards: list[HandCard]
    payoff: Estimate
    trained: bool


class ApproximateReport(msgspec.Struct, frozen=True):
    """Everything measured; payoffs are per game: win 1, draw 0, loss -1 (with three players -1/2) (A2).

    Attributes
    ----------
    label : what kind of answer this is.
    bound : None with three players, and where an interrupt came first.
    """

    schema: int
    game: str
    version: str
    rules: RulesReport
    players: int
    label: str
    confidence: float
    games: int
    training: TrainingReport
    bound: BoundReport | None
    matches: list[MatchReport]
    first_cards: list[CardWorth]
    rounds: list[RoundReport]
    order: OrderReport
    actions: list[ActionReport]
    strengths: list[StrengthReport]
    advantage: AdvantageReport
    length: LengthReport
    hand: HandReport | None

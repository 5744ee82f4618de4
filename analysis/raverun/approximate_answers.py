"""What players of the full game say about it."""

from __future__ import annotations

import msgspec

from analysis.estimates import Estimate
from analysis.front.question import Answer
from analysis.front.verdicts import Best

LEARNED = (
    "by a player who learned by playing itself, not an equilibrium; how far from one is known only from below"
)
THREE = (
    "a heuristic: with three players these strategies are no equilibrium, and no measure of that is claimed"
)


class TrainingReport(msgspec.Struct, frozen=True, kw_only=True):
    """How the strategies were found.

    Attributes
    ----------
    source : `shipped` with the package, `trained` for this answer, or the name of a file of values.
    iterations : plays against themselves.
    updates : corrections of the network.
    num_hidden : units of the network.
    stopped : `limit`, or `interrupted`.
    """

    method: str
    source: str
    iterations: int
    seconds: float
    updates: int
    seed: int
    stopped: str
    num_hidden: int


class BoundReport(msgspec.Struct, frozen=True):
    """What responses win from the strategies: NashConv from below, never from above.

    The responses are searches against the strategies, move by move.

    Attributes
    ----------
    lower_bound : NashConv is at least this with the stated confidence (one-sided).
    nash_conv : what these responses win, the best estimate there is; better ones may win more.
    responses : what the response in each seat wins.
    kinds : which response that is.
    seconds : of the whole measurement.
    iterations : of each search.
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
    """A card as a choice.

    Attributes
    ----------
    chosen : how often it is, when held.
    worth : what the game pays when it is.
    advantage : how much more than with the rest of the same hand on average.
    holding : how much more the hand brings than all hands do on average, as the strategies play it.
    """

    card: str
    chosen: Estimate
    worth: Estimate
    advantage: Estimate
    holding: Estimate


class GroupWorth(msgspec.Struct, frozen=True):
    """The cards of a character, or of a letter, together; see `CardWorth`."""

    name: str
    advantage: Estimate
    holding: Estimate


class Groups(msgspec.Struct, frozen=True):
    """First cards (V3), or cards played (P1, all rounds), by character and by letter."""

    characters: list[GroupWorth]
    letters: list[GroupWorth]


class RoundReport(msgspec.Struct, frozen=True):
    """The cards played in one round (P1), and how many games have such a round."""

    round: int
    reached: Estimate
    cards: list[CardWorth]


class OrderReport(msgspec.Struct, frozen=True):
    """The order of play (P1).

    Attributes
    ----------
    right : what deciding it brings over an order by lot, to who decides, a decision.
    right_in_round_1 : in the first round.
    plays_first : how often who decides plays first.
    plays_first_by_round : the same, round by round.
    first : what playing first brings over another place, where the order is the only difference.
    right_a_game : what deciding brings over a lot, a game: what a player loses who always draws lots.
    always_first, never_first : what a player wins who always, or never, plays first when deciding.
    """

    right: Estimate
    right_in_round_1: Estimate
    plays_first: Estimate
    plays_first_by_round: list[Estimate]
    first: Estimate
    right_a_game: Estimate
    always_first: Estimate
    never_first: Estimate


class ActionReport(msgspec.Struct, frozen=True):
    """The cards of a character, by what they do.

    Attributes
    ----------
    offered : how often a game that one may be used.
    used : of these.
    gain : what having the choice brings over passing, per offer.
    worth : what a player loses a game who never uses it, against one who does.
    first_choice_only : the action is made of several choices, and the gain is that of the first.
    """

    character: str
    action: str
    offered: Estimate
    used: Estimate
    gain: Estimate
    worth: Estimate
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
    """A card of the hand asked about.

    Attributes
    ----------
    mix : how often it is chosen first.
    worth : what the game then pays.
    behind : by how much that is less than with the best card, with the same deals and luck.
    """

    card: str
    mix: float
    worth: Estimate
    behind: Estimate


class HandReport(msgspec.Struct, frozen=True):
    """A hand, the card first that did best.

    Attributes
    ----------
    payoff : what the hand is worth.
    best : which card is the best one, as far as these games tell.
    """

    cards: list[HandCard]
    payoff: Estimate
    best: Best = Best()


class ApproximateAnswer(Answer, frozen=True, kw_only=True):
    """Everything measured; payoffs are per game: win 1, draw 0, loss -1 (with three players -1/2) (A2).

    Attributes
    ----------
    label : what kind of answer this is.
    bound : None with three players, where an interrupt came first, and where nobody measured it.
    bounds : by search with more and more effort, if that was measured.
    """

    schema: int = 2
    players: int
    label: str
    confidence: float
    games: int
    training: TrainingReport
    bound: BoundReport | None
    bounds: list[BoundReport]
    matches: list[MatchReport]
    first_cards: list[CardWorth]
    bid_groups: Groups
    rounds: list[RoundReport]
    play_groups: Groups
    order: OrderReport
    actions: list[ActionReport]
    strengths: list[StrengthReport]
    advantage: AdvantageReport
    length: LengthReport
    hand: HandReport | None

"""What an exact solution of a reduced game says."""

from __future__ import annotations

import msgspec

from analysis.front.question import Answer, Exactness


class CardReport(msgspec.Struct, frozen=True):
    """A card as a first card (V3), in the equilibrium found.

    Attributes
    ----------
    held : probability that player 0 holds it.
    chosen : how often it is then chosen first.
    worth : what player 0 gets on average then; None if it never is.
    """

    card: str
    held: float
    chosen: float
    worth: float | None


class HandMixReport(msgspec.Struct, frozen=True):
    """How player 0 chooses first with a hand (V3), in the equilibrium found.

    Attributes
    ----------
    hand : cards as printed.
    dealt : how likely it is.
    value : what it is worth.
    cards : each card of the hand; `worth` is what it brings if it is chosen, player 0 playing on as before.
    """

    hand: str
    dealt: float
    value: float
    cards: list[CardReport]


class ExactOrderReport(msgspec.Struct, frozen=True):
    """The order of play (P1), in the equilibrium found.

    Attributes
    ----------
    decisions : a game, of both players.
    plays_first : how often who decides plays first.
    right : what deciding brings over an order by lot, a decision; None if nobody ever decides, as before.
    """

    decisions: float
    plays_first: float | None
    right: float | None


class ExactActionReport(msgspec.Struct, frozen=True):
    """The cards of a character by what they do, in the equilibrium found.

    Attributes
    ----------
    offered : how often a game one may be used, by either player.
    used : of these; None if never offered.
    gain : what the choice brings over passing, per offer.
    """

    character: str
    action: str
    offered: float
    used: float | None
    gain: float | None


class CfrReport(msgspec.Struct, frozen=True):
    """What CFR found on the same tree, measured by best response."""

    value: float
    nash_conv: float
    iterations: int
    converged: bool


class ExactAnswer(Answer, frozen=True, kw_only=True):
    """An exactly solved game for two; amounts are payoffs of player 0: win 1, draw 0, loss -1 (A2).

    Attributes
    ----------
    value, nash_conv : of the linear program's equilibrium, the latter by best response.
    cfr : None if it was not run.
    hands : every hand of player 0, or the one that was asked about.
    """

    schema: int = 2
    exactness: Exactness = "exact"
    num_nodes: int
    num_infosets: int
    value: float
    nash_conv: float
    cfr: CfrReport | None
    cards: list[CardReport]
    hands: list[HandMixReport]
    order: ExactOrderReport
    actions: list[ExactActionReport]

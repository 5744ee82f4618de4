"""The form of answers that stand on many battles: fields of their JSON."""

from __future__ import annotations

from typing import Literal

import msgspec

from analysis.clash.maps import MapReport
from analysis.clash.reports import Side, SwitchesReport
from analysis.front.question import Answer

SplitObjective = Literal["both", "either", "material"]


class SplitOption(msgspec.Struct, frozen=True):
    """A way to split an army over two targets.

    Attributes
    ----------
    sent : figures by level sent to each target; nobody if there is no battle.
    home : figures by level that stay at home.
    value : what the split is worth by the objective.
    values : what the battle for each target is worth: a chance, or with `material` gains less losses.
    wins : the chance to hold each target.
    """

    sent: list[list[int]]
    home: list[int]
    value: float
    values: list[float]
    wins: list[float]


class SplitAnswer(Answer, frozen=True, kw_only=True):
    """How to split one army over two targets.

    Attributes
    ----------
    objective : `both`, the chance to hold both targets; `either`, at least one; `material`, the sum of
        gains less losses.
    units : what figures count.
    most : figures at hand.
    splits : how many there are.
    best : the best ones, the first of all at the head; of equal ones that which sends fewer figures.
    front : splits than which none is better for one target without being worse for the other.
    bracket : whether values are lower bounds.
    states : positions solved, of each target.
    """

    switches: SwitchesReport
    objective: SplitObjective
    weights: dict[str, float] | None
    solo: bool
    attacker: str
    units: list[str]
    most: list[int]
    targets: list[str]
    splits: int
    best: list[SplitOption]
    front: list[SplitOption]
    bracket: bool
    states: list[int]
    sha256: str


class AttachedReport(msgspec.Struct, frozen=True):
    """A unit type and the cards attached to it."""

    unit: str
    cards: list[str]


class PurchaseReport(msgspec.Struct, frozen=True):
    """Cards bought, and how all cards are then attached.

    Attributes
    ----------
    value : to the buyer: its chance to hold the territory, or gains less losses; of several battles the mean
        by their shares.
    values : of each battle.
    gain : over what it has now; `gain_per_gold` is None where nothing is paid.
    """

    gold: int
    bought: list[str]
    attached: list[AttachedReport]
    value: float
    values: list[float]
    gain: float
    gain_per_gold: float | None


class StackReport(msgspec.Struct, frozen=True):
    """A stack of the market.

    Attributes
    ----------
    alone : the best that can be had by buying one such card and nothing else; None if it costs too much, or
        nobody has a space for it.
    """

    card: str
    copies: int
    cost: int
    alone: PurchaseReport | None


class EquipAnswer(Answer, frozen=True, kw_only=True):
    """What to buy for a battle, or for several.

    Attributes
    ----------
    buyer : whose equipment is bought.
    battles : the enemies, with `shares` that say how much each counts.
    now : nothing bought, and everything attached as it is.
    front : the cheapest purchases of each value, dearer ones better; the last is the best there is.
    assignments : ways to buy and attach that the gold allows.
    solves : battles solved: of assignments that count for the same in battle only the cheapest matters.
    """

    switches: SwitchesReport
    objective: Literal["win", "material"]
    weights: dict[str, float] | None
    solo: bool
    buyer: Side
    army: str
    battles: list[str]
    shares: list[float]
    gold: int
    market: list[StackReport]
    now: PurchaseReport
    front: list[PurchaseReport]
    assignments: int
    solves: int
    sha256: str


TacticSource = Literal["file", "playouts"]


class CardReport(msgspec.Struct, frozen=True):
    """A tactic card, named by its order.

    Attributes
    ----------
    probability : to be played, over all hands.
    value : to the first player, against the other's equilibrium strategy.
    """

    card: int
    probability: float
    value: float


class HandReport(msgspec.Struct, frozen=True):
    """How a hand is played: probabilities of its cards in equilibrium."""

    cards: list[int]
    probabilities: list[float]


class TacticOptionReport(msgspec.Struct, frozen=True):
    """A card of the hand in question; `cost` is against the best of them, if the other plays its part."""

    card: int
    probability: float
    value: float
    cost: float


class CellReport(msgspec.Struct, frozen=True):
    """What a pair of cards is worth to the first player, and the standard error of that."""

    card: int
    other: int
    value: float
    error: float


class TacticAnswer(Answer, frozen=True, kw_only=True):
    """Which tactic card to play.

    Attributes
    ----------
    played : cards on both open discard piles; so it is this `round`, and the values are those of
        `values_round`, None if the file does not say.
    map : on which tiles playouts were played.
    policy : how both sides go on in playouts, and which part of these games somebody won (`decided`).
    value : of the game to the first player, for the values as given; exact but for `gap`, what best replies
        to both strategies gain together.
    error : its standard error to first order, if the errors of pairs are independent.
    low, high : what the game is worth lies between them with this `confidence` at least.
    cards : of both players.
    hand : the one in question, and its `options`.
    hands : of both players, all of them.
    """

    clans: list[str]
    played: list[list[int]]
    round: int
    values_round: int | None
    source: TacticSource
    map: MapReport | None
    policy: str | None
    playouts: int | None
    decided: float | None
    value: float
    gap: float
    error: float
    low: float
    high: float
    confidence: float
    cards: list[list[CardReport]]
    hand: list[int] | None
    options: list[TacticOptionReport]
    hands: list[list[HandReport]]
    values: list[CellReport]
    sha256: str

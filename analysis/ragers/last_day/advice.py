"""What advice for a whole match, and a day of one solved, say."""

from __future__ import annotations

from typing import Literal

import msgspec

from analysis.front.question import Answer
from analysis.front.render.numbers import number_text

CERTIFICATE = "exact best response on the rest of the un-merged day, beliefs given; rounding counted"


class Chance(msgspec.Struct, frozen=True):
    """A chance of winning: certainly from `low` to `high`; `mean` is the middle."""

    mean: float
    low: float
    high: float


def win_words(chance: Chance) -> str:
    """Return the bounds of a chance of winning in per cent, as tables have them; one where they agree."""
    low, high = number_text(chance.low, "share"), number_text(chance.high, "share")
    return low if low == high else f"{low} to {high}"


class ActionChance(msgspec.Struct, frozen=True):
    """An action of one hand: how often it is taken, and the chance of winning with best play afterwards."""

    action: str
    mix: float
    win: float


class SearchedAction(msgspec.Struct, frozen=True):
    """An action by the search: the chance of winning with it, None if it was not tried."""

    action: str
    win: float | None


class SearchAdvice(msgspec.Struct, frozen=True):
    """What the search of the whole match found; estimates of play as in it."""

    best: str
    actions: list[SearchedAction]
    iterations: int
    player: str


class SolvedAdvice(msgspec.Struct, frozen=True):
    """What the solve of the rest of the last day found.

    Attributes
    ----------
    win : the player's chance, over all hands it may hold by now.
    nash_conv_win : what both could gain by other play from here on, added up.
    beliefs : ``fresh`` hands when the day began, or as the ``course`` of play tells; `read_by` says how.
    surprises : steps of this day in which somebody did what the solve never does, so that its hand is hardly
        known.
    """

    actions: list[ActionChance]
    win: Chance
    nash_conv_win: float
    beliefs: Literal["fresh", "course"]
    read_by: str
    tie_breaks: Literal["exact", "no decks"]
    surprises: list[int]
    iterations: int
    seconds: float
    certificate: str = CERTIFICATE


class MatchAdvice(Answer, frozen=True, kw_only=True):
    """Advice for the chance of winning the match.

    Attributes
    ----------
    names : of the patron, and of each cheers card, for people.
    match : where the match stood when combat, or the discard, of the day began; empty before the last day.
    search : None for a typed standing: there is no match to search.
    solved : None before the last day, and where it would not fit; `unsolved` says why, in words.
    """

    patron: str
    cheers: list[str]
    names: list[str]
    day: int
    match: str
    player: str
    hand: list[str]
    decision: str
    history: list[str]
    search: SearchAdvice | None
    solved: SolvedAdvice | None
    unsolved: str


class CardChances(msgspec.Struct, frozen=True):
    """What a card means for the player whose view it is.

    Attributes
    ----------
    card : a type, or ``nothing``.
    mix : how often it is chosen at the first decision, over all hands.
    win : chance of winning of those who choose it, with best play afterwards, over hands that can.
    held : chance of winning with one or more of it in hand, with best play.
    """

    card: str
    mix: float
    win: float | None
    held: float | None


class LastDayAnswer(msgspec.Struct, frozen=True):
    """The day solved with one kind of beliefs.

    Attributes
    ----------
    beliefs : ``fresh`` hands, or those the ``course`` of play leads to.
    read_by : how the course of play was read, in words; empty for fresh hands.
    win : the player's chance.
    nash_conv_win : what both players could gain by other play, added up, in chance of winning.
    hand : actions of the hand asked about; empty without one.
    """

    beliefs: Literal["fresh", "course"]
    read_by: str
    win: Chance
    nash_conv_win: float
    cards: list[CardChances]
    hand: list[ActionChance]
    iterations: int
    seconds: float


class LastDayReport(Answer, frozen=True, kw_only=True):
    """A day of a match, solved for the chance of winning it.

    Attributes
    ----------
    names : of the patron, and of each cheers card, for people.
    match : where the match stands.
    tie_breaks : ``exact``: all that decides ties is in. ``no decks``: rows do not count cards placed, so that
        ties on GP and cheers cards go to who has the larger deck before the day. ``later``: it is not the
        last day.
    worth : before the last day, where the worth of the match after it comes from; empty on the last one.
    worth_error : how far chances of winning that rest on it are off, root mean square; 0 on the last day.
    decision : what is decided first: ``place``, or with a seen discard ``exchange``.
    answers : with beliefs by the course of play first, if it is known; else with fresh hands alone.
    """

    patron: str
    cheers: list[str]
    names: list[str]
    match: str
    preparation: Literal["none", "seen"]
    player: str
    hand: list[str]
    decision: Literal["place", "exchange"]
    tie_breaks: Literal["exact", "no decks", "later"]
    worth: str
    worth_error: float = 0.0
    certificate: str
    answers: list[LastDayAnswer]

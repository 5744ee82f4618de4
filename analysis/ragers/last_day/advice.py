"""What advice for a whole match says."""

from __future__ import annotations

from typing import Literal

import msgspec

from analysis.front.question import Answer

CERTIFICATE = "exact best response on the rest of the un-merged day, beliefs given; rounding counted"


class Chance(msgspec.Struct, frozen=True):
    """A chance of winning: certainly from `low` to `high`; `mean` is the middle."""

    mean: float
    low: float
    high: float


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
    win
        The player's chance, over all hands he may hold by now.
    nash_conv_win
        What both could gain by other play from here on, added up.
    beliefs
        ``fresh`` hands when the day began, or as the ``course`` of play tells; `read_by` says how.
    surprises
        Steps of this day in which somebody did what the solve never does, so that his hand is hardly known.
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
    names
        Of the patron, and of each cheers card, for people.
    match
        Where the match stood when combat, or the discard, of the day began; empty before the last day.
    search
        None for a typed standing: there is no match to search.
    solved
        None before the last day, and where it would not fit; `unsolved` says why, in words.
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

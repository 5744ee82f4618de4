"""The report of ``ragers match``, as it is printed in JSON."""

from __future__ import annotations

import msgspec

from analysis.estimates import Estimate


class MatchRules(msgspec.Struct, frozen=True):
    """Rules that matches were played by.

    Attributes
    ----------
    changed : keys whose values differ from the box.
    changes : the same with both values, in words.
    """

    name: str
    sha256: str
    changed: list[str]
    changes: list[str] = []


class PlayerReport(msgspec.Struct, frozen=True):
    """Who played, on both sides.

    Attributes
    ----------
    words : how it plays.
    trained_plays, trained_seed : of its network, None without one.
    """

    name: str
    words: str
    trained_plays: int | None
    trained_seed: int | None


class DecidedBy(msgspec.Struct, frozen=True):
    """Shares of matches by what decided them (M3).

    Attributes
    ----------
    lead : a lead of the winning size before the last day was played.
    gp, cheers, decks, defenders : after the last day, the first of them that was not equal.
    """

    lead: Estimate
    gp: Estimate
    cheers: Estimate
    decks: Estimate
    defenders: Estimate


class LeadReport(msgspec.Struct, frozen=True):
    """How often the side that is ahead by so many GP wins; at a lead of 0, the Accusers."""

    lead: int
    win: Estimate


class PriceReport(msgspec.Struct, frozen=True):
    """What one card of a type more is worth.

    Attributes
    ----------
    gp, win : by regression, in GP of lead and in chance of winning: an association.
    given : in chance of winning, by giving one.
    """

    card: str
    gp: Estimate
    win: Estimate
    given: Estimate


class DayReport(msgspec.Struct, frozen=True):
    """What stands before a day, among matches that go on.

    Attributes
    ----------
    day : from 1.
    matches : that come to it.
    trailing_wins : how often the side behind wins.
    gp_win : chance of winning that a GP more brings where nobody is ahead, by regression.
    """

    day: int
    matches: int
    trailing_wins: Estimate
    gp_win: Estimate
    win_by_lead: list[LeadReport]
    cards: list[PriceReport]


class MatchFigures(msgspec.Struct, frozen=True):
    """How matches of one player with itself go by one set of rules.

    Attributes
    ----------
    days_played : of a match.
    ended_after_day : shares of matches, from day 1.
    decks_empty : of the matches that were played to the last day, both decks at its end.
    """

    rules: MatchRules
    player: PlayerReport
    matches: int
    accusers_win: Estimate
    days_played: Estimate
    ended_after_day: list[Estimate]
    decided_by: DecidedBy
    decks_empty: Estimate
    days: list[DayReport]


class DifferenceReport(msgspec.Struct, frozen=True):
    """A figure by both sets of rules.

    Attributes
    ----------
    difference : the second less the first.
    exceeds : whether its interval leaves out 0.
    """

    figure: str
    first: Estimate
    second: Estimate
    difference: Estimate
    exceeds: bool


class DuelReport(msgspec.Struct, frozen=True):
    """Matches of a player against another one, each deal once from each seat with the same chance.

    Attributes
    ----------
    win : how often the player wins; an observation is a deal. Without an interval against itself: by design.
    seats : the same as Accusers and as Defenders.
    """

    rules: MatchRules
    player: PlayerReport
    opponent: PlayerReport
    deals: int
    win: Estimate
    seats: list[Estimate]


class MatchReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that matches of one player, with itself or against others, showed.

    Attributes
    ----------
    given_matches : played for each figure of a card given, half of them with each side.
    figures : by one set of rules, or by two.
    differences : between the two, else empty.
    duels : against other players, if any were asked for; nothing else is played then.
    """

    schema: int = 1
    game: str = "ragers"
    version: str
    seed: int
    confidence: float
    seconds: float
    completed: bool
    given_matches: int
    figures: list[MatchFigures]
    differences: list[DifferenceReport]
    duels: list[DuelReport]

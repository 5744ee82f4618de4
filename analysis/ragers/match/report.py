"""How whole matches of a player with itself go, as it is printed in JSON."""

from __future__ import annotations

from pathlib import Path

import msgspec

from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.verbs.match_page import MatchAnswer


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


class MatchesAnswer(MatchAnswer, frozen=True, kw_only=True):
    """What players won; of one player with itself how its matches go, too.

    Attributes
    ----------
    figures : of a player with itself; none where others meet, or nobody plays whole matches in kernels.
    given_matches : played for each figure of a card given, half of them with each side.
    """

    figures: list[MatchFigures] = msgspec.field(default_factory=list)
    given_matches: int = 0


class KnownFigures(msgspec.Struct, frozen=True):
    """What is read again of `MatchFigures`, old ones included, which have fewer fields."""

    rules: MatchRules
    player: PlayerReport
    matches: int
    days: list[DayReport]


class MatchReport(msgspec.Struct, frozen=True):
    """What is read again of an answer of ``ragers match``."""

    figures: list[KnownFigures]


def read_report(path: Path, option: str) -> MatchReport:
    """Return the answer in a file; RequestError names the option if it is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=MatchReport)
    except OSError as error:
        raise RequestError(f"cannot read {str(path)!r}: {error.strerror}", option) from None
    except msgspec.DecodeError:
        raise RequestError(f"{path} is no answer of ragers match --format json", option) from None

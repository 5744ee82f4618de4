"""The public form of answers about whole games: fields of their JSON."""

from __future__ import annotations

import msgspec

from analysis.clash.maps import MapReport
from analysis.clash.reports import SCHEMA_NUMBER, RulesReport


class Share(msgspec.Struct, frozen=True):
    """A share of games, with its interval of confidence.

    Attributes
    ----------
    mean, low, high : None without games.
    games : played; `deals` of them, each once per seat, count as independent.
    by_design : whether it is exact, since one player plays itself: then it has no interval.
    """

    mean: float | None
    low: float | None
    high: float | None
    games: int
    deals: int
    by_design: bool = False


class PlayerReport(msgspec.Struct, frozen=True):
    """A player of a match.

    Attributes
    ----------
    seat : his place in the list of players, whatever seats he took.
    won : share of games won, a draw being shared by all.
    """

    seat: int
    name: str
    won: Share


class GroupReport(msgspec.Struct, frozen=True):
    """Games won by clan, or by the seat in the order of clans, whoever played."""

    name: str
    won: Share


class MatchReport(msgspec.Struct, frozen=True, kw_only=True):
    """A match: every deal is played once per seat, so that luck of the deal is nobody's.

    Attributes
    ----------
    budget : of each decision of searching players, in words.
    clans : in the order of seats; None for others in every deal.
    rounds : mean length.
    draws : games that nobody won.
    complete : whether all deals were played.
    confidence : of the intervals.
    """

    rules: RulesReport
    players: list[PlayerReport]
    budget: str
    habits: dict[str, float]
    clans: list[str] | None
    map: MapReport
    long_game: bool
    deals: int
    seed: int
    games: int
    draws: int
    rounds: float | None
    by_clan: list[GroupReport]
    by_seat: list[GroupReport]
    complete: bool
    confidence: float
    time_s: float
    version: str
    schema: int = SCHEMA_NUMBER
    game: str = "clash"
    compile_s: float | msgspec.UnsetType = msgspec.UNSET


class DifficultyReport(msgspec.Struct, frozen=True):
    """Solo play at a difficulty.

    Attributes
    ----------
    threshold : domination points at which it is lost (X1).
    won : how often the policy wins: a lower bound of what can be reached.
    rounds : mean length.
    by_clan : the same by clan.
    """

    difficulty: str
    threshold: int
    won: Share
    rounds: float | None
    by_clan: list[GroupReport]


class NextReport(msgspec.Struct, frozen=True):
    """A choice at the first decision of a game, and its chance to win by playouts."""

    choice: str
    chance: float
    error: float


class SoloReport(msgspec.Struct, frozen=True, kw_only=True):
    """Chances in solo play of a named policy.

    Attributes
    ----------
    policy : who plays.
    first : what a search weighs first in the game of the first seed, at the first difficulty; the best at the
        head.
    first_budget : what that search may spend, whoever plays; None without one.
    complete : whether all games were played.
    """

    rules: RulesReport
    policy: str
    budget: str
    habits: dict[str, float]
    clans: list[str]
    map: MapReport
    games: int
    seed: int
    difficulties: list[DifficultyReport]
    first: list[NextReport]
    first_budget: str | None
    complete: bool
    confidence: float
    time_s: float
    version: str
    schema: int = SCHEMA_NUMBER
    game: str = "clash"
    compile_s: float | msgspec.UnsetType = msgspec.UNSET

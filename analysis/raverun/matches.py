"""Matches as files of earlier versions keep them, for the page of kept results."""

from __future__ import annotations

import msgspec

from analysis.raverun.approximate_answers import MatchReport
from analysis.raverun.exact_answers import RulesReport

SEARCHING = ("guided", "search")


class MatchesReport(msgspec.Struct, frozen=True, kw_only=True):
    """Matches of one player; payoffs per game, every deal once per seat with the same chance.

    Attributes
    ----------
    budget : of each search, in words.
    policy : file of the trained strategies, None if they did not play.
    values : file of the learned values, None if nobody used them (or could: early files lack it).
    played : with --resume, of each match the payoffs of each deal, by the seats of the player.
    """

    schema: int
    game: str
    version: str
    rules: RulesReport
    players: int
    player: str
    budget: str
    policy: str | None
    values: str | None = None
    deals: int
    seed: int
    confidence: float
    matches: list[MatchReport]
    played: list[list[list[float]]] | None = None

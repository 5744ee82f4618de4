"""One player against the elves: how often it wins, and what it may do first."""

from __future__ import annotations

from typing import Any

import msgspec

from analysis.amounts import counted
from analysis.clash import setup as declared
from analysis.clash.maps import MapReport, map_text
from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.page import Cell, Column, Page, Section, Table
from analysis.front.parameters import text_of
from analysis.front.players import Player
from analysis.front.question import Amount, Answer, Running
from analysis.front.render.numbers import number_text
from analysis.front.verdicts import doubt_said
from engine.clash.rules import Rules
from engine.clash.rules_schema import DIFFICULTIES

__all__ = ["ALL", "SoloAnswer", "amounts", "answer", "page"]

ALL = "all"
"""Every difficulty."""


class ClanShare(msgspec.Struct, frozen=True):
    """Games won with a clan."""

    name: str
    won: Estimate


class Difficulty(msgspec.Struct, frozen=True):
    """Solo play at a difficulty.

    Attributes
    ----------
    threshold : domination points at which it is lost (X1).
    won : how often the player wins: a lower bound of what can be reached.
    rounds : mean length.
    """

    difficulty: str
    threshold: int
    won: Estimate
    rounds: float | None
    by_clan: list[ClanShare]


class FirstChoice(msgspec.Struct, frozen=True):
    """A choice at the first decision of a game, and its chance to win by playouts."""

    choice: str
    chance: float
    error: float


class SoloAnswer(Answer, frozen=True, kw_only=True):
    """Chances in solo play of a named player.

    Attributes
    ----------
    first : what a search weighs first in the first deal, at the first difficulty; the best at the head.
    first_budget : what that search may spend, whoever plays; None without one.
    """

    player: str
    clans: list[str]
    map: MapReport
    asked_deals: int
    deals: int
    difficulties: list[Difficulty]
    first: list[FirstChoice]
    first_budget: str | None


def answer(asked: Any, running: Running) -> SoloAnswer:
    """Play alone, often; `asked` is what ``match`` is asked, with a difficulty."""
    from analysis import estimates
    from analysis.clash.contest import scenario_of_deal
    from analysis.clash.game import GAME
    from analysis.clash.maps import map_report, read_tiles
    from analysis.front.contest import play_deals

    if len(asked.player) > 1:
        raise RequestError(f"one plays alone, not {len(asked.player)}", "--player")
    player = (asked.player or (declared.SEARCH,))[0]
    rules, place = GAME.rules_of(asked.rules), asked.setup
    clans = place.clan or tuple(clan.id for clan in rules.clans)
    difficulties = DIFFICULTIES if ALL in place.solo else place.solo
    setup = declared.SoloSetup(clan=clans, tiles=place.tiles, difficulties=difficulties)
    seed = asked.work.seed
    deals = play_deals(GAME, rules, setup, (player,), asked.deals, asked.work, asked.kept, running)
    rounds = deals.tallies.get("rounds", {})

    def won(number: int, clan: str | None = None) -> Estimate:
        return estimates.share_of_deals(
            [
                each[number][0]
                for deal, each in enumerate(deals.won)
                if clan in (None, clans[deal % len(clans)])
            ]
        )

    places = [
        scenario_of_deal(rules, setup, clans[:1], seed, deal, difficulties[0]) for deal in range(asked.deals)
    ]
    return SoloAnswer(
        rules=GAME.rules_note(rules),
        player=text_of(player),
        clans=list(clans),
        map=map_report(read_tiles(rules, setup.tiles), [each.tiles for each in places], places[0].centres),
        asked_deals=asked.deals,
        deals=len(deals.won),
        difficulties=[
            Difficulty(
                name,
                rules.solo.thresholds[DIFFICULTIES.index(name)],
                won(number),
                rounds[name][1] / rounds[name][0] if name in rounds else None,
                [ClanShare(clan, won(number, clan)) for clan in clans[: len(deals.won)]],
            )
            for number, name in enumerate(difficulties)
        ],
        first=[] if place.no_first or running.interrupt() else _first(rules, setup, player, seed),
        first_budget=None if place.no_first else _budget(player),
        complete=len(deals.won) == asked.deals,
    )


def _budget(player: Player) -> str:
    from analysis.clash.contest import budget_of

    return str(budget_of(player))


def _first(rules: Rules, setup: declared.SoloSetup, player: Player, seed: int) -> list[FirstChoice]:
    """What the choices of the first decision of the first deal are worth, if there are several."""
    from analysis.clash.contest import Solo, advisor
    from analysis.clash.narration import choice_text

    game = Solo(rules, setup, (player,)).begun(seed, 0, setup.difficulties[0])
    options = advisor(player, seed).options(game)
    if len(options) == 1:
        return []
    return [FirstChoice(choice_text(game, each.choice), each.worth, each.error) for each in options]


def amounts(found: SoloAnswer) -> list[Amount]:
    """Return what can be compared between two answers."""
    return [
        Amount(f"won_{each.difficulty}", f"games won at {each.difficulty}", each.won, "share")
        for each in found.difficulties
    ]


def page(found: SoloAnswer) -> Page:
    """Return how it looks."""
    columns = [
        Column("difficulty", "difficulty"),
        Column("threshold", "points to lose", "count"),
        Column("won", "won", "share"),
        Column("rounds", "rounds", "number", 1),
    ]
    rows: list[list[Cell]] = [
        [each.difficulty, each.threshold, each.won, each.rounds] for each in found.difficulties
    ]
    sections: list[Section] = [Table(columns, rows)]
    if len(found.clans) > 1:
        heads = [Column("clan", "clan")]
        heads += [Column(each.difficulty, each.difficulty, "share", 0) for each in found.difficulties]
        means = [{clan.name: clan.won.mean for clan in each.by_clan} for each in found.difficulties]
        sections.append(
            Table(heads, [[clan, *(each.get(clan) for each in means)] for clan in found.clans], "Won by clan")
        )
    if found.first:
        title = f"The first decision of deal 1 ({found.difficulties[0].difficulty}), by playouts"
        heads = [Column("choice", "choice"), Column("chance", "chance to win", "share", 0)]
        sections.append(Table(heads, [[each.choice, each.chance] for each in found.first[:6]], title))
    notes = [
        "The shares are those of this player; one that plays better wins more.",
        map_text(found.map),
    ]
    if found.first and not found.player.startswith("search"):
        notes.append(
            f"The first decision is weighed by a search of {found.first_budget};"
            f" {found.player} plays without one."
        )
    if not found.complete:
        notes.append(f"Stopped early: {found.deals:,} of {found.asked_deals:,} deals are finished.")
    return Page(
        headline=_headline(found),
        sections=sections,
        notes=notes,
        method=[
            f"The same {counted(found.asked_deals, 'deal')} at each difficulty. Intervals hold with 95 %"
            " confidence.",
            "Battles are drawn from exact tables of outcomes.",
        ],
    )


def _headline(found: SoloAnswer) -> str:
    if not found.deals:
        return "No deal is finished."
    ends = dict.fromkeys((found.difficulties[0].difficulty, found.difficulties[-1].difficulty))
    said = [
        f"{number_text(each.won.mean or 0.0, 'share')} % ({doubt_said(each.won, 'share')}) of the games at"
        f" {each.difficulty}"
        for each in found.difficulties
        if each.difficulty in ends
    ]
    return f"{found.player} wins {', and '.join(said)}."

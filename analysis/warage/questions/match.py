"""``match``: two decks, as in all games; or three to six at one table, each for itself or in guilds."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import msgspec

from analysis.amounts import counted
from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.kinds import Pick
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table
from analysis.front.parameters import param, unheeded
from analysis.front.question import Amount, Question, Running, imported
from analysis.front.verbs import match as shared
from analysis.front.verbs.match_page import MatchAnswer, match_amounts, match_page
from analysis.warage.game import GAME, Decks

__all__ = ["QUESTION", "KingReport", "Tables", "WarageMatch"]

_GAME: Any = GAME


class Tables(Decks, frozen=True, kw_only=True):
    """Who sits at a table."""

    more: Annotated[
        tuple[str, ...],
        param(
            "Further decks. Three to six heroes sit at one table, in all orders as often.",
            kind=Pick("decks"),
            argument=True,
            metavar="DECK...",
        ),
    ] = ()
    guilds: Annotated[
        int, param("Guilds that sit A1 B1 A2 B2; 0: everybody against everybody.", ge=0, le=3, unit="guilds")
    ] = 0
    watched: Annotated[
        int,
        param(
            "Matches at a table in which players without chances are looked for; 0: none.",
            ge=0,
            le=1_000_000,
            unit="matches",
            more=True,
        ),
    ] = 10

    @property
    def decks(self) -> tuple[str, ...]:
        """All decks, in the order of their players."""
        return (self.deck, self.against, *self.more)


class KingReport(msgspec.Struct, frozen=True):
    """How far players without chances decide who wins, by whom they attack.

    Attributes
    ----------
    attacks, lost : choices of a target in the matches watched, and those of players without chances.
    moved : how far the choice moves the share of one of the others, on average over the latter.
    """

    matches: int
    attacks: int
    lost: int
    moved: Estimate


class WarageMatch(MatchAnswer, frozen=True, kw_only=True):
    """What decks won: sampled matches of two, or at one table, in all orders of sitting.

    Attributes
    ----------
    seats : at a table, what whoever sat first, second, ... won.
    guilds : how many there are at the table; 0 for none.
    kings : None where nobody was watched, and for two.
    """

    seats: tuple[Estimate, ...] = ()
    guilds: int = 0
    kings: KingReport | None = None


_ASKED = shared.Match[Tables, _GAME.player]


def _observed(asked: Any, running: Running) -> tuple[WarageMatch, dict[str, list[float]]]:
    at_table: Tables = asked.setup
    if not at_table.more:
        unheeded(asked, "goes with three decks at least", "guilds", "watched", declared=_ASKED)
        setup = Decks(deck=at_table.deck, against=at_table.against)
        found, seen = shared.observed(GAME, msgspec.structs.replace(asked, setup=setup), running)
        return WarageMatch(**msgspec.structs.asdict(found)), seen
    unheeded(asked, "goes with two decks", "within", "jobs", "scheduler", "keep", declared=_ASKED)
    size = len(at_table.decks)
    if size > 6:
        raise RequestError(f"two to six heroes play, not {size}", "DECK")
    if at_table.guilds == 1 or (at_table.guilds and size % at_table.guilds):
        problem = f"{size} heroes do not make {at_table.guilds} guilds of equal sizes (M1)"
        raise RequestError(problem, "--guilds")
    at_one: WarageMatch = imported("analysis.warage.tables:answer")(asked, running)
    return at_one, {}


def _without_matrix(asked: Any) -> str | None:
    return None if not asked.setup.more else f"a matrix is of two decks, not {len(asked.setup.decks)}"


def _amounts(found: WarageMatch) -> list[Amount]:
    seats = [Amount(f"seat_{n}", f"seat {n} wins", each, "share") for n, each in enumerate(found.seats, 1)]
    return [*match_amounts(found), *seats[1:]]


def _page(found: WarageMatch) -> Page:
    page = match_page(found)
    if not found.seats:
        return page
    rows: list[list[Cell]] = [[number, each] for number, each in enumerate(found.seats, 1)]
    columns = [Column("seat", "seat", "count"), Column("seat_won", "wins", "share")]
    sections: list[Section] = [*page.sections, Table(columns, rows, "Whoever sits there")]
    if (kings := found.kings) is not None:
        facts = [
            Fact("attacks", "choices of a target that were watched", kings.attacks, "count"),
            Fact("lost", "of these by players without chances", kings.lost, "count"),
            Fact("moved", "each of them moves another's share by", kings.moved, "gain"),
        ]
        sections.append(Facts(facts, "Kingmaking"))
    notes = [
        "Whom to attack is convention, and no equilibrium: these players attack the hero with the fewest HP.",
        *page.notes,
    ]
    method = [f"{counted(found.plays, 'match')}, every order of sitting as often.", *page.method[1:]]
    return msgspec.structs.replace(page, sections=sections, notes=notes, method=method)


_OF_TWO: Question[Any, Any] = shared.match_of(GAME)
QUESTION = replace(
    _OF_TWO,
    about="Measure what decks win against each other. Two play every deal once from either seat; three to six"
    " sit at one table, or in guilds.",
    asked=_ASKED,
    answers=WarageMatch,
    function=lambda asked, running: _observed(asked, running)[0],
    page=_page,
    amounts=_amounts,
    observed=_observed,
    without_matrix=_without_matrix,
)

"""``brawl``: three to six heroes at one table, each for itself or in guilds."""

from __future__ import annotations

from typing import Annotated

import msgspec

from analysis.amounts import chance
from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.bundles import RulesFiles, Seeded
from analysis.front.kinds import Pick
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table
from analysis.front.parameters import param
from analysis.front.question import Amount, Answer, Question, Running
from analysis.warage.players import ByRules, Greedy

__all__ = ["QUESTION", "BrawlAnswer", "KingReport", "SeatRow"]


class Brawl(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits at the table, and how often it plays."""

    decks: Annotated[
        tuple[str, ...],
        param("Three to six decks in order of seats.", kind=Pick("decks"), argument=True, metavar="DECK..."),
    ] = ("orc-warrior", "elf-mage", "human-paladin")
    guilds: Annotated[
        int, param("Guilds that sit A1 B1 A2 B2; 0: everybody against everybody.", ge=0, le=3, unit="guilds")
    ] = 0
    player: Annotated[ByRules | Greedy, param("Who plays all decks.", metavar="NAME[:key=value,...]")] = (
        ByRules()
    )
    plays: Annotated[
        int, param("Matches in all orders of sitting together.", ge=1, le=100_000_000, unit="matches")
    ] = 6_000
    watched: Annotated[
        int,
        param(
            "Matches in which players without chances are looked for; 0: none.",
            ge=0,
            le=1_000_000,
            unit="matches",
        ),
    ] = 10
    chance: Seeded = Seeded()
    rules: RulesFiles = RulesFiles()


class SeatRow(msgspec.Struct, frozen=True):
    """What a seat, or a deck, wins of all matches."""

    name: str
    share: Estimate


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


class BrawlAnswer(Answer, frozen=True, kw_only=True):
    """A brawl, or guilds: sampled matches at one table, in all orders of sitting.

    Attributes
    ----------
    guilds : how many; 0 for a brawl.
    turns : on average.
    """

    guilds: int
    player: str
    settings: dict[str, int]
    matches: int
    seats: list[SeatRow]
    decks: list[SeatRow]
    turns: float
    kings: KingReport | None


def _answer(asked: Brawl, running: Running) -> BrawlAnswer:
    from analysis.warage.game import GAME

    rules = GAME.rules_of(asked.rules)
    size = len(asked.decks)
    if not 3 <= size <= 6:
        raise RequestError(f"three to six heroes play, not {size}; two play a match", "DECKS")
    if asked.guilds == 1 or (asked.guilds and size % asked.guilds):
        raise RequestError(f"{size} heroes do not make {asked.guilds} guilds of equal sizes (M1)", "--guilds")
    from analysis.warage.tables import TableQuestion, table_report

    decks = tuple(map(rules.deck, asked.decks))
    effort = asked.plays, asked.watched, asked.chance.seed
    return table_report(TableQuestion(rules, decks, asked.guilds, asked.player, *effort), running)


def _amounts(found: BrawlAnswer) -> list[Amount]:
    amounts = [
        Amount(f"{kind}_{place}", row.name, row.share, "share")
        for kind, rows in (("seat", found.seats), ("deck", found.decks))
        for place, row in enumerate(rows, 1)
    ]
    return [*amounts, Amount("turns", "turns, mean", found.turns)]


def _page(found: BrawlAnswer) -> Page:
    columns = [Column("name", "name"), Column("share", "wins", "share")]

    def table(rows: list[SeatRow], title: str) -> Table:
        return Table(columns, [[row.name, row.share] for row in rows], title)

    rows: list[list[Cell]] = [
        [kind, row.name, row.share]
        for kind, several in (("seat", found.seats), ("deck", found.decks))
        for row in several
    ]
    sections: list[Section] = [table(found.seats, "By seat"), table(found.decks, "By deck")]
    kings = found.kings
    if kings is not None:
        facts = [
            Fact("attacks", "choices of a target that were watched", kings.attacks, "count"),
            Fact("lost", "of these by players without chances", kings.lost, "count"),
            Fact("moved", "each of them moves another's share by", kings.moved, "gain"),
        ]
        sections.append(Facts(facts, "Kingmaking"))
    sections.append(Facts([Fact("turns", "turns, mean", found.turns, "number", 1)]))
    settings = ", ".join(f"{key} {value}" for key, value in found.settings.items())
    notes = [
        "Whom to attack is convention, and no equilibrium: these players attack the hero with the fewest HP."
    ]
    return Page(
        headline=_headline(found),
        sections=sections,
        notes=[*notes, *([] if found.complete else ["Stopped early: this is what was finished."])],
        method=[f"{found.matches:,} matches.", f"Played by {found.player} ({settings})."],
        data=Table([Column("of", "of"), *columns], rows),
    )


def _headline(found: BrawlAnswer) -> str:
    if not found.matches:
        return "No order of sitting is finished."
    best = max(found.decks, key=lambda row: row.share.mean or 0.0)
    return f"{best.name} wins most at this table: {chance(best.share.mean)}."


QUESTION = Question(
    name="brawl",
    about="Let three to six heroes play at one table, or guilds: what does each seat and each deck win?",
    asked=Brawl,
    answers=BrawlAnswer,
    function=_answer,
    page=_page,
    exactness="measured",
    amounts=_amounts,
    examples=(
        "brawl orc-warrior elf-mage human-paladin --plays 600 --watched 1",
        "brawl orc-warrior elf-mage human-paladin angel-paladin --guilds 2 --plays 600 --watched 0",
    ),
)

"""``solve``: two heroes race each other, exactly; with sales and declined attacks where they are allowed."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from analysis.amounts import chance
from analysis.front.bundles import RulesFiles
from analysis.front.kinds import Counts
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table
from analysis.front.parameters import param
from analysis.front.question import Amount, Answer, Question
from analysis.warage.positions import Heroes, Race, Season

__all__ = ["QUESTION", "Certificate", "Decisions", "RaceAnswer", "Rounds", "SeasonRow", "SpellsRow"]

_MOST_PIECES = 3


class Solve(msgspec.Struct, frozen=True, kw_only=True):
    """Who races whom, how it begins, and what can be decided."""

    heroes: Heroes = Heroes()
    race: Race = Race()
    season: Season | None = None
    first: Annotated[Literal["both", "hero", "other"], param("Who moves first.")] = "both"
    start: (
        Annotated[
            Literal["truce", "attacks"],
            param(
                "Whether first rounds go by without attacks."
                "  [default: truce, but attacks if HP or rounds left are said]"
            ),
        ]
        | None
    ) = None
    sell: Annotated[
        dict[str, int],
        param("Cards that the first hero may sell, in reply too.", kind=Counts("cards", most=_MOST_PIECES)),
    ] = msgspec.field(default_factory=dict)
    other_sell: Annotated[
        dict[str, int], param("Cards that the other hero may sell.", kind=Counts("cards", most=_MOST_PIECES))
    ] = msgspec.field(default_factory=dict)
    decline: Annotated[bool, param("Attacks may be declined.")] = False
    rules: RulesFiles = RulesFiles()


class SeasonRow(msgspec.Struct, frozen=True):
    """The first hero's chance to win with a season in force at the beginning.

    Attributes
    ----------
    first, second : where it moves first, and second; None if that was not asked.
    mean : of the two.
    """

    season: str
    first: float | None
    second: float | None
    mean: float


class Rounds(msgspec.Struct, frozen=True):
    """How many rounds of single heroes a race takes: on average, and by when 10, 50, 90 % are over."""

    mean: float
    tenth: int
    median: int
    ninetieth: int


class Certificate(msgspec.Struct, frozen=True):
    """A second computation: chances pushed forward, beside values taken backward.

    Attributes
    ----------
    difference : the largest there is; None if there was no second computation.
    slack : what it may be.
    """

    difference: float | None
    slack: float


class SpellsRow(msgspec.Struct, frozen=True):
    """How a hero, 0 or 1, casts in some seasons: what hurts most on average, melee included."""

    hero: int
    seasons: list[str]
    attacks: list[str]


class Decisions(msgspec.Struct, frozen=True):
    """What both heroes may decide, which they do optimally.

    Attributes
    ----------
    may_sell : pieces of both heroes.
    without : the first hero's chance without any decision; the certificate is of that race.
    """

    may_sell: list[list[str]]
    may_decline: bool
    without: float


class RaceAnswer(Answer, frozen=True, kw_only=True):
    """Two loadouts without hidden cards, played out exactly.

    Attributes
    ----------
    hp, cards_left : of both heroes.
    rounds_left : rounds of single heroes until one has to draw and cannot, by who moves first.
    win : the first hero's chance, over who moves first and the season at the beginning as far as not given.
    by_season : in the order of the season deck.
    deck_out_share : the chance that it is decided by a deck that is empty.
    season_classes, largest_hp, modes, values : seasons that are alike, and sizes.
    special_seasons : special season cards that are in the deck of this race.
    left_out : those that are not.
    decisions : None if nothing can be decided.
    """

    heroes: list[str]
    hp: list[int]
    cards_left: list[int]
    rounds_left: list[int]
    truce: bool
    win: float
    by_seat: list[float | None]
    by_season: list[SeasonRow]
    rounds: Rounds | None = None
    deck_out_share: float | None = None
    spells: list[SpellsRow]
    season_classes: list[list[str]]
    special_seasons: list[str]
    left_out: list[str]
    largest_hp: list[int]
    modes: int = 0
    values: int = 0
    certificate: Certificate
    decisions: Decisions | None = None


def _amounts(found: RaceAnswer) -> list[Amount]:
    amounts = [Amount("win", "the first hero wins", found.win, "share")]
    amounts += [
        Amount(f"seat_{seat}", f"moving {name} it wins", share, "share")
        for seat, (name, share) in enumerate(zip(("first", "second"), found.by_seat, strict=True), 1)
        if share is not None
    ]
    if found.rounds is not None:
        amounts.append(Amount("rounds", "rounds, mean", found.rounds.mean))
    return amounts


def _page(found: RaceAnswer) -> Page:
    decisions = found.decisions
    facts = [Fact("hero", "first hero", _with_hp(found, 0)), Fact("other", "other hero", _with_hp(found, 1))]
    facts.append(Fact("win", "the first hero wins", found.win, "share", 2))
    if decisions is not None:
        facts.append(Fact("without", "without decisions", decisions.without, "share", 2))
        facts.append(Fact("gain", "decisions bring it", found.win - decisions.without, "gain", 2))
    if found.rounds is not None:
        facts.append(Fact("rounds", "rounds, mean", found.rounds.mean, "number", 1))
        for key, share in (("tenth", 10), ("median", 50), ("ninetieth", 90)):
            facts.append(Fact(key, f"{share} % are over after", getattr(found.rounds, key), "count"))
    if found.deck_out_share is not None:
        facts.append(Fact("deck_out", "decided by an empty deck", found.deck_out_share, "share", 2))
    columns = [
        Column("season", "season at the start"),
        Column("first", "moving first", "share", 2),
        Column("second", "moving second", "share", 2),
        Column("mean", "mean", "share", 2),
    ]
    rows: list[list[Cell]] = [[row.season, row.first, row.second, row.mean] for row in found.by_season]
    if len(rows) > 1:
        rows.append(["any", *found.by_seat, found.win])
    sections: list[Section] = [Facts(facts), Table(columns, rows, "The first hero wins")]
    if found.spells:
        heads = [Column("hero", "hero"), Column("seasons", "in"), Column("attacks", "casts")]
        spells: list[list[Cell]] = [
            [found.heroes[row.hero], ", ".join(row.seasons), ", ".join(row.attacks)] for row in found.spells
        ]
        sections.append(Table(heads, spells, "How spells are cast"))
    return Page(
        headline=f"{found.heroes[0]} wins {chance(found.win)} of these races.",
        sections=sections,
        notes=_notes(found),
        method=[_checked(found)],
    )


def _with_hp(found: RaceAnswer, place: int) -> str:
    sold = found.decisions.may_sell[place] if found.decisions is not None else []
    said = f"; may sell {', '.join(sold)}" if sold else ""
    return f"{found.heroes[place]}, {found.hp[place]} HP{said}"


def _notes(found: RaceAnswer) -> list[str]:
    rounds = " or ".join(map(str, dict.fromkeys(found.rounds_left)))
    if found.decisions is not None:
        sales = "Attacks may be declined; sales" if found.decisions.may_decline else "Sales"
        notes = [
            f"{sales} come at any time, in reply to attacks too; {rounds} rounds. Both decide optimally."
        ]
    else:
        truce = ", the first of each without attacks" if found.truce else ""
        notes = [
            f"No hidden cards, no decisions: both attack with all they have, for {rounds} rounds{truce}."
        ]
    if found.special_seasons:
        names = ", ".join(found.special_seasons)
        notes.append(f"With {names}; those passed over at the start count as shuffled in.")
    if found.left_out:
        left = f"Left out of the season deck: {', '.join(found.left_out)}"
        more = "" if found.decisions else "; --special-seasons with takes them in, and longer"
        notes.append(f"{left}{more}.")
    return notes


def _checked(found: RaceAnswer) -> str:
    difference = found.certificate.difference
    checked = "no second computation: it would take more than --memory"
    if difference is not None:
        race = "of the race without decisions " if found.decisions else ""
        checked = f"a second computation {race}differs by {difference:.1e}"
    return f"Exact but for rounding: {f'{found.values:,} values; ' if found.values else ''}{checked}."


QUESTION = Question(
    name="solve",
    about="Race two heroes, exactly: who wins with what both have in play? Without --season all seasons may"
    " begin, by the cards in their deck.",
    asked=Solve,
    answers=RaceAnswer,
    function="analysis.warage.race_choices:answer",
    page=_page,
    exactness="exact",
    amounts=_amounts,
    examples=(
        "solve orc/warrior:great-sword,plate-armour human/mage:bone-collar,fireball,lightning",
        "solve orc/warrior:war-axe elf/mage:fireball --hp 60 --other-hp 45 --season spring --rounds-left 12",
        "solve human/warrior:war-axe elf/warrior:war-axe --set match.season_unit=point",
        "solve orc/warrior:war-axe,gauntlets elf/warrior:war-axe --hp 30 --other-hp 30 --rounds-left 14 "
        "--sell gauntlets --other-sell war-axe --decline",
    ),
)

"""``deck check``: whether a deck may be played, and what is odd about it."""

from __future__ import annotations

from typing import Annotated

import msgspec

from analysis.exit_codes import EXIT_FAILURE
from analysis.front.bundles import RulesFiles
from analysis.front.kinds import Counts, Pick
from analysis.front.page import Board, Cell, Column, Fact, Facts, Page, Section, Table, data_of
from analysis.front.parameters import param
from analysis.front.question import Amount, Answer, Question
from analysis.ophidian.setup import TEAM

__all__ = ["QUESTION", "CardLine", "CheckDeck", "DeckAnswer"]


class CheckDeck(msgspec.Struct, frozen=True, kw_only=True):
    """Which deck is checked."""

    name: (
        Annotated[
            str, param("Name of a deck of the rules.", kind=Pick("decks"), argument=True, metavar="NAME")
        ]
        | None
    ) = None
    team: (
        Annotated[str, param("A side. With --cards: the team that plays them.", kind=TEAM, metavar="TEAM")]
        | None
    ) = None
    cards: Annotated[
        dict[str, int],
        param('With --team: the cards, such as "hex 3, veil 3".', kind=Counts("cards"), metavar="CARDS"),
    ] = msgspec.field(default_factory=dict)
    rules: RulesFiles = RulesFiles()


class CardLine(msgspec.Struct, frozen=True):
    """A card of a deck.

    Attributes
    ----------
    level : the lowest level that some gladiator needs for it; 0 for any, None if the team can never play it.
    wave : the first wave in which it can be.
    """

    card: str
    type: str
    copies: int
    cost: int
    sign: str
    level: int | None
    wave: int | None


class DeckAnswer(Answer, frozen=True, kw_only=True):
    """A deck for a team: whether it may be played, and what is odd about it.

    Attributes
    ----------
    problems : why it may not be played.
    warnings : what it may be, but hardly should.
    """

    name: str
    team: list[str]
    legal: bool
    problems: list[str]
    warnings: list[str]
    size: int
    by_type: dict[str, int]
    mean_cost: float
    cards: list[CardLine]

    @property
    def exit_code(self) -> int:
        """What a command ends with: a deck that may not be played is a failure."""
        return 0 if self.legal else EXIT_FAILURE


def page(found: DeckAnswer) -> Page:
    """Return whether it may be played, and its cards."""
    kinds = ", ".join(f"{number} {kind}" for kind, number in found.by_type.items() if number)
    sections: list[Section] = [
        Facts(
            [
                Fact("team", "team", ", ".join(found.team)),
                Fact("cards", "cards", f"{found.size}: {kinds}"),
                Fact("mean_cost", "cost on average", found.mean_cost, "number", 1),
            ]
        )
    ]
    if found.problems:
        sections.append(Board(found.problems, "What is wrong"))
    if found.warnings:
        sections.append(Board(found.warnings, "What is odd"))
    late = [each for each in found.cards if each.wave is None or each.wave > 1]
    if late:
        columns = [Column("card", "card"), Column("copies", "copies", "count"), Column("from", "from")]
        rows: list[list[Cell]] = [[each.card, each.copies, _when(each)] for each in late]
        sections.append(Table(columns, rows, "Not playable in wave 1"))
    may = "may be played" if found.legal else "may not be played"
    return Page(
        headline=f"Deck {found.name} {may}.",
        sections=sections,
        data=data_of(
            [
                {
                    "card": each.card,
                    "type": each.type,
                    "copies": each.copies,
                    "cost": each.cost,
                    "sign": each.sign,
                    "level": each.level,
                    "wave": each.wave,
                }
                for each in found.cards
            ]
        ),
    )


def _when(card: CardLine) -> str:
    return "never" if card.wave is None else f"wave {card.wave}, level {card.level}"


def amounts(found: DeckAnswer) -> list[Amount]:
    """Return how many cards there are, what they cost, and what is wrong or odd."""
    return [
        Amount("size", "cards", found.size, "count"),
        Amount("mean_cost", "cost on average", found.mean_cost),
        Amount("problems", "what is wrong", len(found.problems), "count"),
        Amount("warnings", "what is odd", len(found.warnings), "count"),
    ]


QUESTION: Question[CheckDeck, DeckAnswer] = Question(
    name="deck check",
    about="Check whether a deck of the rules, or a team with cards, may be played. Cards are named that the"
    " team cannot play, or not before late waves: it has the discipline only at a level that a promotion in"
    " each breather reaches later.",
    asked=CheckDeck,
    answers=DeckAnswer,
    function="analysis.ophidian.decks:check",
    page=page,
    exactness="exact",
    amounts=amounts,
    examples=(
        "deck check iron",
        "deck check iron --vary match.min_deck=45:51:3",
    ),
)

"""``deck check``: whether a deck may be played, and what is odd about it."""

from __future__ import annotations

from typing import Annotated

import msgspec

from analysis.exit_codes import EXIT_FAILURE
from analysis.front.bundles import RulesFiles
from analysis.front.kinds import Lineup, Mark, Pick
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table, data_of
from analysis.front.parameters import param
from analysis.front.question import Amount, Answer, Question

__all__ = ["QUESTION", "THESE", "CardLine", "DeckAnswer", "DeckCheck"]

THESE = "these cards"
"""What cards are called that are no deck of the rules."""


class DeckCheck(msgspec.Struct, frozen=True, kw_only=True):
    """Which deck."""

    deck: (
        Annotated[
            str,
            param(
                "A deck. One of the rules, by its name.", kind=Pick("decks"), argument=True, metavar="DECK"
            ),
        ]
        | None
    ) = None
    team: (
        Annotated[
            str,
            param(
                "A side. With --cards: the name of a team, or gladiators between commas.",
                kind=Lineup("gladiators", ready="teams"),
                metavar="TEAM",
            ),
        ]
        | None
    ) = None
    cards: (
        Annotated[
            str,
            param(
                "Cards with their copies. With --team: hex 3, veil 3.",
                kind=Lineup("cards", marks=(Mark("copies", "There are so many of it.", "{}", 1),)),
                metavar="CARDS",
            ),
        ]
        | None
    ) = None
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
        """A failure if the deck may not be played."""
        return 0 if self.legal else EXIT_FAILURE


def amounts(found: DeckAnswer) -> list[Amount]:
    """Return what can be compared between two answers."""
    late = sum(each.copies for each in found.cards if each.wave is None or each.wave > 1)
    return [
        Amount("size", "cards", found.size, "count"),
        Amount("mean_cost", "cost, mean", found.mean_cost, "number"),
        Amount("late", "cards not playable in wave 1", late, "count"),
        Amount("problems", "problems", len(found.problems), "count"),
    ]


def page(found: DeckAnswer) -> Page:
    """Return whether it may be played, and its cards."""
    facts = [Fact("team", "team", ", ".join(found.team)), Fact("size", "cards", found.size, "count")]
    facts += [Fact(kind, f"of these, {kind}", number, "count") for kind, number in found.by_type.items()]
    facts.append(Fact("mean_cost", "cost, mean", found.mean_cost, "number", 1))
    sections: list[Section] = [Facts(facts)]
    for title, lines in (("What is wrong", found.problems), ("What is odd", found.warnings)):
        if lines:
            sections.append(Table([Column("line", title)], [[line] for line in lines]))
    late = [each for each in found.cards if each.wave is None or each.wave > 1]
    if late:
        heads = [Column("card", "card"), Column("copies", "copies", "count")]
        heads += [Column("wave", "from wave", "count"), Column("level", "level", "count")]
        rows: list[list[Cell]] = [[each.card, each.copies, each.wave or "never", each.level] for each in late]
        sections.append(Table(heads, rows, "Not playable in wave 1"))
    details = len(sections)
    sections.append(_cards(found))
    verdict = "may be played" if found.legal else "may not be played"
    return Page(
        headline=f"{'These cards' if found.name == THESE else f'The deck {found.name}'} {verdict}.",
        sections=sections,
        details=details,
        data=data_of([_row(each) for each in found.cards]),
    )


def _cards(found: DeckAnswer) -> Table:
    heads = [Column("card", "card"), Column("type", "type"), Column("copies", "copies", "count")]
    heads += [Column("cost", "cost", "count"), Column("sign", "sign")]
    heads += [Column("level", "level", "count"), Column("wave", "from wave", "count")]
    return Table(heads, [list(_row(each).values()) for each in found.cards], "All cards")


def _row(each: CardLine) -> dict[str, Cell]:
    return {
        "card": each.card,
        "type": each.type,
        "copies": each.copies,
        "cost": each.cost,
        "sign": each.sign,
        "level": each.level,
        "wave": each.wave,
    }


QUESTION: Question[DeckCheck, DeckAnswer] = Question(
    name="deck check",
    about="Check whether a deck may be played, and what is odd about it: cards that the team cannot play, or"
    " not before late waves. A team has a discipline only at a level that promotions in breathers reach"
    " later.",
    asked=DeckCheck,
    answers=DeckAnswer,
    function="analysis.ophidian.decks:check",
    page=page,
    exactness="exact",
    amounts=amounts,
    examples=(
        "deck check iron",
        'deck check --team "Tempest, G\'frhtru, Saw-Hand, Scrap" --cards "hex 3, veil 3, plate 3"'
        " --set match.min_deck=9",
    ),
)

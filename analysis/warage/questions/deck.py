"""``deck check``: what is in a deck."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from analysis.front.bundles import RulesFiles
from analysis.front.kinds import Pick
from analysis.front.page import Cell, Column, Fact, Facts, Page, Table
from analysis.front.parameters import Bundle, param
from analysis.front.question import Answer, Question

__all__ = ["Check", "DeckAnswer", "DeckRow"]


class Named(Bundle, frozen=True, kw_only=True):
    """A deck."""

    deck: Annotated[
        str,
        param(
            "Deck of the first player, or the one that is looked into.",
            kind=Pick("decks"),
            argument=True,
            metavar="DECK",
        ),
    ] = "orc-warrior"


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """Which deck is looked into."""

    named: Named = Named()
    rules: RulesFiles = RulesFiles()


class DeckRow(msgspec.Struct, frozen=True):
    """A card of a deck; `problem` says why its hero can do nothing with it, if that is so."""

    card: str
    kind: str
    copies: int
    cost: int
    sell: int
    red: int
    blue: int
    problem: str


class DeckAnswer(Answer, frozen=True, kw_only=True):
    """What is in a deck.

    Attributes
    ----------
    slots, needs : red and blue ones of the hero, and of all cards together.
    cost, mean_cost : of all cards, and of a card on average.
    useless : copies that the hero can do nothing with.
    most_hp : what its HP can never exceed, as far as a count of all gains bounds them; None if it does not.
    """

    deck: str
    hero: str
    size: int
    slots: list[int]
    needs: list[int]
    cost: int
    mean_cost: float
    kinds: dict[str, int]
    cards: list[DeckRow]
    useless: int
    most_hp: int | None


def _check_page(found: DeckAnswer) -> Page:
    bound = "no bound" if found.most_hp is None else f"never more than {found.most_hp} in a duel"
    facts = [
        Fact("hero", "hero", found.hero),
        Fact("kinds", "cards", ", ".join(f"{kind} {count}" for kind, count in found.kinds.items())),
        Fact("cost", "HP that all cards cost", found.cost, "count"),
        Fact("mean_cost", "HP that a card costs, mean", found.mean_cost, "number", 1),
        Fact("red", "red slots", found.slots[0], "count"),
        Fact("red_needs", "red slots that all cards need", found.needs[0], "count"),
        Fact("blue", "blue slots", found.slots[1], "count"),
        Fact("blue_needs", "blue slots that all cards need", found.needs[1], "count"),
        Fact("most_hp", "HP", bound),
    ]
    columns = [
        Column("card", "card"),
        Column("kind", "kind"),
        *(Column(key, key, "count") for key in ("copies", "cost", "sell", "red", "blue")),
    ]
    problems = any(row.problem for row in found.cards)
    columns += [Column("problem", "problem")] if problems else []
    rows: list[list[Cell]] = [
        [
            *(row.card, row.kind, row.copies, row.cost, row.sell, row.red, row.blue),
            *([row.problem] if problems else []),
        ]
        for row in found.cards
    ]
    headline = f"{found.deck} has {found.size} cards, all of which its hero can use."
    if found.useless:
        headline = f"{found.useless} of the {found.size} cards of {found.deck} are of no use to its hero."
    return Page(headline=headline, sections=[Facts(facts), Table(columns, rows)])


QUESTIONS: tuple[Question[Any, Any], ...] = (
    Question(
        name="deck check",
        about="Show what is in a deck, what it costs, and which cards its hero can do nothing with.",
        asked=Check,
        answers=DeckAnswer,
        function="analysis.warage.deck_contents:answer",
        page=_check_page,
        exactness="exact",
        examples=("deck check orc-warrior", "deck check elf-mage --set classes.mage.slots.blue=2"),
    ),
)

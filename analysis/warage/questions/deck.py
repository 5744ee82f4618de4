"""``deck``: what is in a deck, what its cards are worth, which swaps make it better."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from analysis.amounts import chance
from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.bundles import RulesFiles, Seeded
from analysis.front.kinds import Pick
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table
from analysis.front.parameters import Bundle, param
from analysis.front.question import Amount, Answer, Question, Running
from analysis.warage.players import ByRules, Greedy

if TYPE_CHECKING:
    from analysis.warage.deck_building import Field
    from engine.warage.rules import DeckRule, Rules

__all__ = [
    "DeckAnswer",
    "DeckRow",
    "SwapRow",
    "TuneAnswer",
    "ValueAnswer",
    "ValueRow",
]

_BY_RULES = "For these players: no equilibrium; another way to play wants other cards."


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


class Measured(Bundle, frozen=True, kw_only=True):
    """Whom a deck is measured against, by whom it is played, and how often."""

    against: Annotated[
        tuple[str, ...], param("Deck to play against; repeatable.  [default: all others]", kind=Pick("decks"))
    ] = ()
    player: Annotated[ByRules | Greedy, param("Who plays all decks.", metavar="NAME[:key=value,...]")] = (
        ByRules()
    )
    duels: Annotated[
        int, param("Duels with every deck that is tried.", ge=1, le=100_000_000, unit="duels")
    ] = 40_000
    chance: Seeded = Seeded()

    def field(self, rules: Rules, deck: DeckRule) -> Field:
        """Return what measures decks."""
        from analysis.warage.deck_building import Field

        names = self.against or [other.id for other in rules.decks if other.id != deck.id] or [deck.id]
        others = tuple(map(rules.deck, names))
        return Field(rules, others, self.player, self.duels, self.chance.seed)


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """Which deck is looked into."""

    named: Named = Named()
    rules: RulesFiles = RulesFiles()


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """Which cards of which deck are measured."""

    named: Named = Named()
    card: Annotated[
        tuple[str, ...], param("Card that is measured; repeatable.  [default: all]", kind=Pick("cards"))
    ] = ()
    measured: Measured = Measured()
    rules: RulesFiles = RulesFiles()


class Tune(msgspec.Struct, frozen=True, kw_only=True):
    """Which deck is made better, by how many swaps."""

    named: Named = Named()
    swaps: Annotated[int, param("Swaps are made at most.", ge=1, le=100, unit="swaps")] = 5
    measured: Measured = Measured()
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


class ValueRow(msgspec.Struct, frozen=True):
    """What one copy of a card adds to a deck's share."""

    card: str
    copies: int
    cost: int
    worth: Estimate


class ValueAnswer(Answer, frozen=True, kw_only=True):
    """What the cards of a deck are worth: one copy against a blank in its place, with the same chance.

    Attributes
    ----------
    win : the deck's share against the others.
    duels : with the deck, and as many with each blank.
    cards : the best first.
    """

    deck: str
    against: list[str]
    player: str
    settings: dict[str, int]
    duels: int
    win: Estimate
    cards: list[ValueRow]


class SwapRow(msgspec.Struct, frozen=True):
    """One copy out, one of another card in: what that gained when it was tried."""

    out: str
    into: str
    gain: Estimate


class TuneAnswer(Answer, frozen=True, kw_only=True):
    """A deck that is better against some others, card by card.

    Attributes
    ----------
    before, after : shares of the deck as it was, and as it is now, on duels that no swap was chosen by.
    gain : of all swaps together.
    cards : of the deck now.
    finished : whether no further swap was found.
    """

    deck: str
    against: list[str]
    player: str
    settings: dict[str, int]
    duels: int
    before: float
    after: float
    gain: Estimate
    swaps: list[SwapRow]
    cards: list[str]
    finished: bool


def _rules_and_deck(asked: Any) -> tuple[Rules, DeckRule]:
    from analysis.warage.game import GAME

    rules = GAME.rules_of(asked.rules)
    return rules, rules.deck(asked.named.deck)


def _check(asked: Check, running: Running) -> DeckAnswer:
    from analysis.warage.deck_contents import deck_report

    return deck_report(*_rules_and_deck(asked))


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


def _value(asked: Value, running: Running) -> ValueAnswer:
    rules, deck = _rules_and_deck(asked)
    for name in asked.card:
        if name not in dict(deck.cards):
            raise RequestError(f"{name!r}: {deck.id} holds no such card", "--card")
    from analysis.warage.deck_building import value_report

    return value_report(asked.measured.field(rules, deck), deck, running, asked.card)


def _value_amounts(found: ValueAnswer) -> list[Amount]:
    return [
        Amount("win", f"{found.deck} wins", found.win, "share"),
        *(
            Amount(row.card, row.card, row.worth, "gain")
            for row in sorted(found.cards, key=lambda row: row.card)
        ),
    ]


def _value_page(found: ValueAnswer) -> Page:
    columns = [
        Column("card", "card"),
        Column("copies", "copies", "count"),
        Column("cost", "cost", "count"),
        Column("worth", "worth", "gain", 2),
    ]
    rows: list[list[Cell]] = [[row.card, row.copies, row.cost, row.worth] for row in found.cards]
    title = f"What one copy adds to the share that {found.deck} wins"
    sections: list[Section] = [Facts([Fact("win", f"{found.deck} wins", found.win, "share", 2)])]
    best = found.cards[0] if found.cards else None
    if best is not None:
        sections.append(Table(columns, rows, title))
    return Page(
        headline=f"Of these cards {best.card} adds most to {found.deck}." if best else "No card is finished.",
        sections=sections,
        notes=[_BY_RULES, *([] if found.complete else ["Stopped early: this is what was finished."])],
        method=[
            "One copy is taken out for a blank, which comes by the same random numbers;"
            f" {found.duels:,} duels each; intervals hold with 95 % confidence.",
            _played(found),
        ],
    )


def _played(found: ValueAnswer | TuneAnswer) -> str:
    settings = ", ".join(f"{key} {value}" for key, value in found.settings.items())
    return f"Played by {found.player} ({settings}); against {', '.join(found.against)}."


def _tune(asked: Tune, running: Running) -> TuneAnswer:
    rules, deck = _rules_and_deck(asked)
    from analysis.warage.deck_building import tune_report

    return tune_report(asked.measured.field(rules, deck), deck, asked.swaps, running)


def _tune_amounts(found: TuneAnswer) -> list[Amount]:
    return [
        Amount("gain", "the swaps gain", found.gain, "gain"),
        Amount("before", f"{found.deck} wins before", found.before, "share"),
        Amount("after", f"{found.deck} wins after", found.after, "share"),
    ]


def _tune_page(found: TuneAnswer) -> Page:
    facts = [
        Fact("before", f"{found.deck} wins", found.before, "share", 2),
        Fact("after", "afterwards", found.after, "share", 2),
        Fact("gain", "gain, on other duels", found.gain, "gain", 2),
    ]
    columns = [Column("out", "out"), Column("into", "in"), Column("gain", "when tried", "gain", 2)]
    rows: list[list[Cell]] = [[row.out, row.into, row.gain] for row in found.swaps]
    sections: list[Section] = [Facts(facts)]
    if rows:
        sections.append(Table(columns, rows, "Swaps"))
        sections.append(Facts([Fact("cards", "the deck now", ", ".join(found.cards))]))
    swaps = f"{len(rows)} swap{'' if len(rows) == 1 else 's'}"
    headline = f"{swaps} take {found.deck} from {chance(found.before)} to {chance(found.after)}."
    return Page(
        headline=headline if rows else f"No swap makes {found.deck} better beyond chance.",
        sections=sections,
        notes=[
            "No further swap is better beyond chance." if found.finished else "More swaps might follow.",
            _BY_RULES,
        ],
        method=[f"{found.duels:,} duels with every pair of the last choice.", _played(found)],
    )


QUESTIONS: tuple[Question[Any, Any], ...] = (
    Question(
        name="deck check",
        about="Show what is in a deck, what it costs, and which cards its hero can do nothing with.",
        asked=Check,
        answers=DeckAnswer,
        function=_check,
        page=_check_page,
        exactness="exact",
        examples=("deck check orc-warrior", "deck check elf-mage --set classes.mage.slots.blue=2"),
    ),
    Question(
        name="deck value",
        about="Measure what one copy of each card adds to a deck, against a blank in its place.",
        asked=Value,
        answers=ValueAnswer,
        function=_value,
        page=_value_page,
        exactness="measured",
        amounts=_value_amounts,
        examples=("deck value orc-warrior --against elf-mage --duels 4000 --card war-axe",),
    ),
    Question(
        name="deck tune",
        about="Swap single cards of a deck as long as one makes it better beyond chance.",
        asked=Tune,
        answers=TuneAnswer,
        function=_tune,
        page=_tune_page,
        exactness="measured",
        amounts=_tune_amounts,
        examples=("deck tune elf-mage --against orc-warrior --duels 16 --swaps 1",),
    ),
)

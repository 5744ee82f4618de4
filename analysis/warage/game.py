"""Warage, declared: decks, players, and where a match and a game with a person in it are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from analysis.front.checkup.plan import Plan, Rung
from analysis.front.entries import EntryKind
from analysis.front.game import Game
from analysis.front.kinds import Pick
from analysis.front.parameters import Bundle, param, text_of
from analysis.front.players import Player
from analysis.warage.cards import card_names, cards_note, own_names
from analysis.warage.players import ByRules, Greedy, Random, Search
from engine.warage.rules import Rules

_MOST = 10_000_000


DeckLookedInto = Annotated[
    str,
    param(
        "Deck of the first player, or the one that is looked into.",
        kind=Pick("decks"),
        argument=True,
        metavar="DECK",
    ),
]


class Decks(Bundle, frozen=True, kw_only=True):
    """Who fights whom: a deck has its hero."""

    deck: DeckLookedInto = "orc-warrior"
    against: Annotated[
        str, param("Deck of the second player.", kind=Pick("decks"), argument=True, metavar="AGAINST")
    ] = "elf-mage"


class Checks(Bundle, frozen=True, kw_only=True):
    """What is checked besides rules."""

    deck: Annotated[
        tuple[str, ...], param("Deck that is looked at; repeatable.", kind=Pick("decks"), metavar="DECK")
    ] = ()


class Advice(Bundle, frozen=True, kw_only=True):
    """How a person is helped."""

    playouts: Annotated[
        int,
        param("Playouts that a hint, or a judgement, may try.", ge=1, le=_MOST, unit="playouts", more=True),
    ] = 1000
    no_costs: Annotated[bool, param("Do not say afterwards what decisions cost.", more=True)] = False


def sides(setup: Decks, players: Sequence[Player]) -> list[str]:
    """Return what the players of a match are called."""
    decks = (setup.deck, setup.against)
    return [f"{deck} by {text_of(player)}" for deck, player in zip(decks, players, strict=True)]


def rules_of(files: Sequence[Any], overrides: Sequence[str]) -> Rules:
    """Return the illustrative card set with changes; RulesError if they are wrong."""
    from engine.warage.rules import load_rules

    return load_rules(files, overrides)


def rests_on(rules: Rules, setup: Decks) -> dict[str, set[str]]:
    """Return whose numbers duels of two decks rest on."""
    decks = [rules.deck(name.rpartition("/")[2]) for name in (setup.deck, setup.against)]
    return {"decks": {deck.id for deck in decks}, "cards": {card for deck in decks for card, _ in deck.cards}}


GAME = Game(
    name="warage",
    title="Warage",
    seats=(2,),
    place="analysis.warage.game:GAME",
    load="analysis.warage.game:rules_of",
    rules_schema="engine.warage.rules_schema:SCHEMA",
    rules_example="cards.fireball.cost=6",
    setup=Decks,
    checks=Checks,
    findings="analysis.warage.deck_contents:findings",
    advice=Advice,
    player=ByRules | Greedy | Search | Random,
    usual=(ByRules(), ByRules()),
    opponent=Search(),
    names=card_names,
    value_words="analysis.warage.wording:value_words",
    contest="analysis.warage.contest:Duels",
    rests_on=rests_on,
    session="analysis.warage.session:begin",
    sides=sides,
    own=("solve", "attack", "worth", "balance", "tune", "match", "export"),
    said=cards_note,
    entries={
        "card": EntryKind("cards", "analysis.warage.entries:cards", "cost", "HP", by_itself=True),
        "deck": EntryKind(
            "decks", "analysis.warage.entries:cards", parts=("card", "analysis.warage.entries:cards_of")
        ),
    },
    plan=Plan(
        ladder=(Rung(Random(), 100), Rung(ByRules(), 1000), Rung(Search(iterations=20), 10)),
        setups_by=1,
        setups=1000,
        entries={"card": 400},
    ),
    own_names=own_names,
    examples={
        "match": (
            "match orc-warrior elf-mage",
            "match orc-warrior orc-warrior --player rules --player greedy --deals 20000",
            "match elf-mage human-paladin --set cards.fireball.cost=6 --player rules:life_below=50",
            "match orc-warrior elf-mage --deals 500 --vary cards.fireball.cost=4:8:2",
            "match orc-warrior elf-mage human-paladin --deals 100 --watched 1",
            "match orc-warrior elf-mage human-paladin angel-paladin --guilds 2 --deals 300 --watched 0",
        ),
        "rules check": (
            "rules check --set cards.fireball.cost=6",
            "rules check --set cards.fireball.cost=6 --format toml -o my.toml",
            "rules check --deck elf-mage --set classes.mage.slots.blue=2",
        ),
        "play": (
            "play orc-warrior elf-mage --seed 7",
            "play elf-mage human-paladin --seat 2 --opponent rules",
        ),
    },
)

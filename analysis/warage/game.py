"""Warage, declared: decks, players, and where a match and a game with a person in it are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from analysis.front.game import Game
from analysis.front.kinds import Named, Pick
from analysis.front.parameters import Bundle, param, text_of
from analysis.front.players import Player
from engine.warage.rules import Rules
from engine.warage.styles import GREEDY, RULE_BASED

_MOST = 10_000_000


class Decks(Bundle, frozen=True, kw_only=True):
    """Who fights whom: a deck has its hero."""

    deck: Annotated[
        str, param("Deck of the first player.", kind=Pick("decks"), argument=True, metavar="DECK")
    ] = "orc-warrior"
    against: Annotated[
        str, param("Deck of the second player.", kind=Pick("decks"), argument=True, metavar="AGAINST")
    ] = "elf-mage"


class Advice(Bundle, frozen=True, kw_only=True):
    """How a person is helped."""

    playouts: Annotated[
        int,
        param("Playouts that a hint, or a judgement, may try.", ge=1, le=_MOST, unit="playouts", more=True),
    ] = 1000
    no_costs: Annotated[bool, param("Do not say afterwards what decisions cost.", more=True)] = False


class Styled(Player, frozen=True, kw_only=True):
    """Plays by rules of thumb with these settings."""

    life_below: Annotated[
        int, param("Cards go into the life pile below this many HP.", ge=0, le=_MOST, unit="HP")
    ] = RULE_BASED.life_below
    reserve: Annotated[int, param("HP that purchases leave.", ge=0, le=_MOST, unit="HP")] = RULE_BASED.reserve
    horizon: Annotated[
        int, param("HP that a point of attack, defence or magic is worth.", ge=0, le=_MOST, unit="HP")
    ] = RULE_BASED.horizon
    gain: Annotated[
        int,
        param("A flash has to bring this many half HP more than it costs; above 200: none.", ge=0, le=_MOST),
    ] = RULE_BASED.gain
    heal_below: Annotated[
        int, param("What only gains HP is kept above this many.", ge=0, le=_MOST, unit="HP")
    ] = RULE_BASED.heal_below


class ByRules(Styled, frozen=True, kw_only=True, tag="rules"):
    """Buys, attacks and plays flashes by rules of thumb."""


class Greedy(Styled, frozen=True, kw_only=True, tag="greedy"):
    """Buys and attacks; no flashes, no life pile."""

    life_below: Annotated[
        int, param("Cards go into the life pile below this many HP.", ge=0, le=_MOST, unit="HP")
    ] = GREEDY.life_below
    reserve: Annotated[int, param("HP that purchases leave.", ge=0, le=_MOST, unit="HP")] = GREEDY.reserve
    gain: Annotated[
        int,
        param("A flash has to bring this many half HP more than it costs; above 200: none.", ge=0, le=_MOST),
    ] = GREEDY.gain


class Search(Styled, frozen=True, kw_only=True, tag="search"):
    """Tries every move by playouts of players by rules."""

    iterations: Annotated[int, param("Playouts for each decision.", ge=1, le=_MOST, unit="playouts")] = 200


class Random(Player, frozen=True, tag="random"):
    """Makes any move."""


def names(rules: Rules) -> dict[str, list[Named]]:
    """Return the lists that values are chosen from."""
    heroes = [f"{deck.race} {deck.hero_class}" for deck in rules.decks]
    return {
        "decks": [
            Named(deck.id, deck.name, f"The deck of the {hero}.")
            for deck, hero in zip(rules.decks, heroes, strict=True)
        ]
    }


def sides(setup: Decks, players: Sequence[Player]) -> list[str]:
    """Return what the players of a match are called."""
    decks = (setup.deck, setup.against)
    return [f"{deck} by {text_of(player)}" for deck, player in zip(decks, players, strict=True)]


def rules_of(files: Sequence[Any], overrides: Sequence[str]) -> Rules:
    """Return the illustrative card set with changes; RulesError if they are wrong."""
    from engine.warage.rules import load_rules

    return load_rules(files, overrides)


GAME = Game(
    name="warage",
    title="Warage",
    seats=(2,),
    place="analysis.warage.game:GAME",
    load="analysis.warage.game:rules_of",
    rules_example="cards.fireball.cost=6",
    setup=Decks,
    advice=Advice,
    player=ByRules | Greedy | Search | Random,
    usual=(ByRules(), ByRules()),
    names=names,
    value_words="analysis.warage.wording:value_words",
    contest="analysis.warage.contest:Duels",
    session="analysis.warage.session:begin",
    sides=sides,
    examples={
        "match": (
            "match orc-warrior elf-mage",
            "match orc-warrior orc-warrior --player rules --player greedy --deals 20000",
            "match elf-mage human-paladin --set cards.fireball.cost=6 --player rules:life_below=50",
            "match orc-warrior elf-mage --deals 500 --vary cards.fireball.cost=4:8:2",
        ),
        "play": (
            "play orc-warrior elf-mage --seed 7",
            "play elf-mage human-paladin --seat 2 --opponent rules",
        ),
    },
)

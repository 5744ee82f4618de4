"""Ophidian Arena, declared: decks, players, and where a match and a game with a person in it are made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from analysis.front.game import Game
from analysis.front.kinds import Named, Pick
from analysis.front.parameters import Bundle, param
from analysis.front.players import Player
from engine.ophidian.rules import ILLUSTRATIVE, Rules

_MOST = 10_000_000


class Decks(Bundle, frozen=True, kw_only=True):
    """Teams with their decks; they stay at their seats, and players change."""

    deck: Annotated[str, param("Team and deck of the first seat.", kind=Pick("decks"), metavar="DECK")] = (
        "iron"
    )
    against: Annotated[
        str, param("Team and deck of the second seat.", kind=Pick("decks"), metavar="DECK")
    ] = "storm"


class Search(Player, frozen=True, tag="search"):
    """Looks ahead to the end of the wave, and plays the last one exactly where cards no longer matter."""

    iterations: Annotated[
        int, param("Plays that are tried at each decision.", ge=1, le=_MOST, unit="plays")
    ] = 1000
    seconds: (
        Annotated[
            float, param("Time for each decision, instead of iterations.", ge=0.001, le=86_400, unit="s")
        ]
        | None
    ) = None


class Values(Player, frozen=True, tag="values"):
    """Looks one move ahead by values learned by self-play."""

    file: (
        Annotated[Path, param("File of learned values.  [default: those that come with the package]")] | None
    ) = None


class Greedy(Player, frozen=True, tag="greedy"):
    """Takes the move after which it likes the position best, roars included."""


class Random(Player, frozen=True, tag="random"):
    """Makes any move."""


def names(rules: Rules) -> dict[str, list[Named]]:
    """Return the lists that values are chosen from."""
    return {"decks": [Named(deck.id, deck.name, f"Plays the team {deck.team}.") for deck in rules.decks]}


def rules_of(files: Sequence[Any], overrides: Sequence[str]) -> Rules:
    """Return the illustrative set with changes; RulesError if they are wrong."""
    from engine.ophidian.rules import load_rules

    return load_rules(files, overrides)


def said(rules: Rules) -> str:
    """Return the sentence that has to go with answers about illustrative gladiators."""
    return ILLUSTRATIVE if rules.illustrative else ""


GAME = Game(
    name="ophidian",
    title="Ophidian Arena",
    seats=(2,),
    place="analysis.ophidian.game:GAME",
    load="analysis.ophidian.game:rules_of",
    rules_example="cards.hex.cost=3",
    setup=Decks,
    player=Search | Values | Greedy | Random,
    usual=(Search(), Greedy()),
    names=names,
    value_words="analysis.ophidian.wording:value_words",
    contest="analysis.ophidian.contest:Matches",
    session="analysis.ophidian.session:begin",
    said=said,
    board_changes=True,
    examples={
        "match": (
            "match --deals 2",
            "match --player greedy --player random --deck brood --against patron --deals 100",
            "match --player values --player greedy --deals 20",
            "match --player greedy --player random --deals 40 --vary gladiators.runt.attack.one=1:3",
        ),
        "play": ("play --opponent greedy --seed 7", "play --seat 2 --deck brood --against patron"),
    },
    former={
        "match": {"--players": "--player,", "--decks": "--deck,--against"},
        "play": {"--decks": "--deck,--against"},
    },
)

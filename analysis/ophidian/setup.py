"""What questions about Ophidian Arena share: decks, positions within a wave, players, lists of names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from analysis.front.kinds import Lineup, Mark, Named, Pick
from analysis.front.parameters import Bundle, param
from analysis.front.players import Player
from engine.ophidian.rules import ILLUSTRATIVE, Rules

_MOST = 10_000_000
TEAM = Lineup(
    "gladiators",
    ready="teams",
    marks=(
        Mark("field", "It stands in the support field.", "@S"),
        Mark("wounds", "It has so many wounds.", "w{}"),
        Mark("level", "It has this level.", "L{}", 1, 4),
        Mark("set", "It is set.", "set"),
        Mark("out", "It is destroyed.", "out"),
    ),
)
"""How sides are written."""
ANY = "any"
"""Says that teams need no gladiator in particular."""
POOL = Lineup("hidden cards", ready="decks", marks=(Mark("copies", "There are so many of it.", "{}", 1),))
"""How what a hand is drawn from is written."""


class Decks(Bundle, frozen=True, kw_only=True):
    """Teams with their decks; they stay at their seats, and players change."""

    deck: Annotated[
        str, param("A deck. That of the first seat, with its team.", kind=Pick("decks"), metavar="DECK")
    ] = "iron"
    against: Annotated[
        str,
        param(
            "The other side. The deck of the second seat, with its team.", kind=Pick("decks"), metavar="DECK"
        ),
    ] = "storm"


class Checks(Bundle, frozen=True, kw_only=True):
    """Which decks and teams are checked besides rules."""

    deck: (
        Annotated[str, param("A deck. One of the rules, by its name.", kind=Pick("decks"), metavar="DECK")]
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
    teams: (
        Annotated[
            str,
            param(
                "List the teams that may play: all, or those with the gladiators that are named.",
                metavar="GLADIATORS",
                bare=ANY,
            ),
        ]
        | None
    ) = None


class Advice(Bundle, frozen=True, kw_only=True):
    """What a person is told after a match."""

    playouts: Annotated[
        int, param("Playouts that a judgement may try.", ge=1, le=_MOST, unit="playouts", more=True)
    ] = 400
    no_costs: Annotated[bool, param("Do not say afterwards what decisions cost.", more=True)] = False


class Fight(Bundle, frozen=True, kw_only=True):
    """A position within a wave, without cards."""

    team: Annotated[
        str,
        param(
            "A side. The name of a team, or gladiators and how they stand: Bastion@S w5 L3 set, Thorn out.",
            kind=TEAM,
            metavar="TEAM",
        ),
    ]
    against: Annotated[str, param("The other side. Written likewise.", kind=TEAM, metavar="TEAM")]
    wave: Annotated[int, param("Which wave it is. The fourth one decides the match.", ge=1, le=99)] = 1
    cheer: Annotated[str, param("Cheer of the team, and of the others.", metavar="N:N")] = "0:0"
    momentum: Annotated[Literal["team", "against"], param("Who acts, or attacks.")] = "team"
    passed: Annotated[bool, param("The last action was the other side's pass.")] = False


class Exchange(Bundle, frozen=True, kw_only=True):
    """An attack at a position within a wave, and what both sides may hold."""

    fight: Fight
    attack: (
        Annotated[str, param("The attack, by whoever has momentum: Tempest > Thorn.", metavar="ATTACK")]
        | None
    ) = None
    hidden: (
        Annotated[
            str,
            param(
                "Where the other hand comes from: a deck, or cards: sidestep 3, hex 3, other 45.",
                kind=POOL,
                metavar="POOL",
            ),
        ]
        | None
    ) = None
    hidden_cards: Annotated[int, param("Cards in the other hand.", ge=0, le=12, unit="cards")] = 7
    own: Annotated[
        str,
        param("Where the attacker's hand comes from, which is hidden, too.", kind=POOL, metavar="POOL"),
    ] = "other"
    own_cards: Annotated[int, param("Cards in the attacker's hand.", ge=0, le=12, unit="cards")] = 0
    resources: (
        Annotated[
            str,
            param(
                "Resources of the team, and of the others.  [default: what both begin the wave with]",
                metavar="N:N",
            ),
        ]
        | None
    ) = None


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
    gladiators = [Named(each.id, each.name, f"It counts {each.points} points.") for each in rules.gladiators]
    cards = [Named(card.id, card.name, f"It costs {card.cost}.") for card in rules.cards]
    return {
        "decks": [Named(deck.id, deck.name, f"Plays the team {deck.team}.") for deck in rules.decks],
        "teams": [Named(team.id, team.name, f"{', '.join(team.gladiators)}.") for team in rules.teams],
        "gladiators": gladiators,
        "cards": cards,
        "hidden cards": [*cards, Named("other", "Any other card")],
    }


def rules_of(files: Sequence[Any], overrides: Sequence[str]) -> Rules:
    """Return the illustrative set with changes; RulesError if they are wrong."""
    from engine.ophidian.rules import load_rules

    return load_rules(files, overrides)


def said(rules: Rules) -> str:
    """Return the sentence that has to go with answers about illustrative gladiators."""
    return ILLUSTRATIVE if rules.illustrative else ""

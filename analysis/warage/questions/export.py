"""``export``: a whole duel with decks of a few cards, or an attack with hidden replies, as a tree."""

from __future__ import annotations

from typing import Annotated

import msgspec

from analysis.front.bundles import RulesFiles
from analysis.front.parameters import Bundle, param, parameters
from analysis.front.verbs.export import MAX_NODES as NODES
from analysis.front.verbs.export import Form, export_question
from analysis.warage.positions import Heroes, Season
from analysis.warage.questions.replies import EXAMPLE, MAX_NODES, Replies

__all__ = ["QUESTION"]


class Reduced(Bundle, frozen=True, kw_only=True):
    """The smaller numbers of a duel that is written."""

    start_hp: Annotated[int, param("HP that the first hero begins with.", ge=1, le=1_000, unit="HP")] = 10
    other_start_hp: Annotated[
        int, param("HP that the other hero begins with.", ge=1, le=1_000, unit="HP")
    ] = 10
    hand: Annotated[int, param("Cards that are dealt to each.", ge=1, le=5, unit="cards")] = 1
    draws: Annotated[int, param("Cards that are drawn in a round.", ge=1, le=5, unit="cards")] = 1
    dice: Annotated[int, param("Dice of each total.", ge=0, le=2, unit="dice")] = 0
    turns: Annotated[int, param("Turns after which it is a draw.", ge=1, le=20, unit="turns")] = 3


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """What is written: heroes with their decks in a reduced duel, or an attack that replies may answer."""

    heroes: Heroes = Heroes()
    reduced: Reduced = Reduced()
    season: Season = "summer"
    held: Replies = Replies()
    max_nodes: Annotated[int, NODES] = MAX_NODES
    rules: RulesFiles = RulesFiles()


QUESTION = export_question(
    Export,
    (
        Form(
            name="queue",
            about="an attack with hidden replies as a tree that Gambit and OpenSpiel read",
            write="analysis.warage.written:queue",
            suffix="efg",
            takes=("season", *(each.name for each in parameters(Replies))),
        ),
        Form(
            name="duel",
            about="a whole duel as such a tree: each hero's cards are its deck, in one season, without"
            " abilities and life piles. Two or three cards a side, without dice, are what fits",
            write="analysis.warage.written:duel",
            suffix="efg",
            takes=tuple(each.name for each in parameters(Reduced)),
        ),
    ),
    about="Write an attack with hidden replies, or a duel, for programs.",
    examples=(
        f"export --to queue {EXAMPLE} -o queue.efg",
        'export --to duel "orc/warrior: war-axe, battle-cry" "human/paladin: parry, negate" --start-hp 6'
        " --other-start-hp 6 --turns 2 -o duel.efg",
    ),
)

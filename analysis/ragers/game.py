"""Ragers, declared: its lists of names, its players, its questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.front.game import Game
from analysis.front.kinds import Named
from analysis.front.players import Player
from analysis.ragers.hands import LETTERS
from engine.ragers.rules import Rules


class Random(Player, frozen=True, tag="random"):
    """Makes any move."""


def names(rules: Rules) -> dict[str, list[Named]]:
    """Return the lists that values are chosen from."""
    letters = {name: letter for letter, name in LETTERS.items()}
    return {
        "patrons": [Named(each.id, each.name) for each in rules.patrons],
        "cheers cards": [Named(each.id, each.name) for each in rules.cheers],
        "cards": [
            Named(each.id, each.id.capitalize(), most=max(each.copies), short=letters[each.id])
            for each in rules.cards
        ],
    }


def rules_of(files: Sequence[Any], overrides: Sequence[str]) -> Rules:
    """Return the rules with changes; RulesError if they are wrong."""
    from engine.ragers.rules import load_rules

    return load_rules(files, overrides)


def said(rules: Rules) -> str:
    """Return the sentence that goes with answers where a ruling is read otherwise."""
    if not rules.hides_at_once:
        return ""
    return f"Played with a Deadeye's further card {rules.match.deadeye_card} (match.deadeye_card, K9)."


GAME = Game(
    name="ragers",
    title="Ragers: Champions of the Arena",
    seats=(2,),
    place="analysis.ragers.game:GAME",
    load="analysis.ragers.game:rules_of",
    rules_schema="engine.ragers.rules_schema:SCHEMA",
    rules_example="cards.basher.gp=4",
    player=Random,
    usual=(Random(), Random()),
    names=names,
    said=said,
    own=("explain", "balance", "day", "advise", "diff", "lock", "sweep", "tune"),
    former={
        **{
            name: {"--player": "--side"} for name in ("explain", "balance", "advise", "diff", "sweep", "tune")
        },
        "lock": {"--player": "--who"},
    },
)

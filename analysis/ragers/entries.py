"""For the check-up: what a card more of each type is worth in whole matches, and what is proved of seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analysis.front.entries import Tried
from analysis.front.question import Running
from analysis.ragers.match.figures import ends
from analysis.ragers.match.networks import network_of
from analysis.ragers.match.players import kernel_game, player_of
from analysis.ragers.match.prices import with_card
from analysis.ragers.match.self_play import record
from engine.ragers.rules import TYPES, Rules

__all__ = ["cards", "equal_decks"]

HOW = "With: the Accusers begin with one card more of the type in their deck. Without: the Defenders do."


def equal_decks(rules: Rules) -> str:
    """Return what follows if both decks are equal: both players place their cards at once in a day."""
    equal = all(card.copies[0] == card.copies[1] for card in rules.cards)
    return "Days are even for the two sides, as their decks are equal (proved)." if equal else ""


def cards(rules: Rules, asked: Any, ids: Sequence[str], running: Running) -> dict[str, Tried]:
    """Return what a card more is worth; both matches of a deal have the same luck."""
    player, game = asked.player[0], kernel_game(rules)
    plays = player_of(player, game, network_of(player, rules))
    found = {}
    for number, id_ in enumerate(ids):
        if running.interrupt():
            break
        running.note("cards", number, len(ids))
        both = []
        for side in (0, 1):
            roots = with_card(game.root[None, :], side, TYPES.index(id_), rules.match.hand_size)
            played = record(
                *(game, plays, rules.match.days),
                num_matches=asked.deals,
                seed=asked.work.seed,
                roots=roots,
            )
            both.append(ends(played.marks[:, -1], rules).won.astype(float).tolist())
        found[id_] = Tried(both[0], both[1], HOW)
    return found

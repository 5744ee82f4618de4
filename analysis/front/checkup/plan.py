"""How much a check-up measures: who plays, how many deals; a game may declare it, and need not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from analysis.front.players import Player, players_of, struct_text

__all__ = ["EFFORTS", "Effort", "Plan", "Rung", "ladder_of"]

Effort = Literal["glance", "quick", "thorough", "overnight"]
EFFORTS: dict[Effort, float] = {"glance": 0.05, "quick": 1, "thorough": 6, "overnight": 50}
"""How many times as many deals as a quick check-up."""


class Rung(NamedTuple):
    """A player, and how many deals of a quick check-up it plays with itself, and against the one below."""

    player: Player
    deals: int = 200


@dataclass(frozen=True)
class Plan:
    """What a quick check-up of a game takes.

    Attributes
    ----------
    ladder : players from the weakest to the strongest; none: random, then the usual ones of the game.
    setups_by : number of the rung that plays with entries, and setups, such as decks, against each other.
    changes_by : number of the rung whose matches show what differs from the box; None: the same.
    setups : deals of each pair of them.
    entries : word of a kind of entries -> deals, or whatever one observation is called, for each of them.
    tried : changes of one value that are tried to mend a finding.
    kinds : further kinds of entries than ``balance --only`` has.
    seats : rules -> what is proved of seats, a sentence; empty if nothing is.
    """

    ladder: tuple[Rung, ...] = ()
    setups_by: int = -1
    changes_by: int | None = None
    setups: int = 200
    entries: Mapping[str, int] = field(default_factory=dict)
    tried: int = 8
    kinds: Mapping[str, Any] = field(default_factory=dict)
    seats: str = ""


def ladder_of(game: Any) -> list[Rung]:
    """Return the players whom a check-up lets meet, from the weakest to the strongest."""
    if game.plan.ladder:
        return list(game.plan.ladder)
    players = players_of(game.player)
    found = [players["random"]()] if "random" in players else []
    found += [each for each in reversed(game.usual) if struct_text(each) not in map(struct_text, found)]
    return [Rung(each) for each in found]

"""Decks, and tables of them, as they are written on the command line."""

from __future__ import annotations

from analysis.errors import RequestError
from analysis.warage.players import Player
from engine.rulefiles import AmbiguousNameError, UnknownNameError
from engine.warage.rules import DeckRule, Rules


def deck_of(rules: Rules, text: str, option: str) -> DeckRule:
    """Find a deck by its name.

    Raises
    ------
    RequestError
        If there is none.
    """
    try:
        return rules.deck(text)
    except (UnknownNameError, AmbiguousNameError) as error:
        raise RequestError(str(error), option) from None


def check_table(size: int, guilds: int, player: Player) -> None:
    """Raise RequestError for a table at which nobody can play (M1)."""
    if not player.by_rules:
        raise RequestError("tables are played by rules: rules, or greedy", "--player")
    if not 3 <= size <= 6:
        raise RequestError(f"three to six heroes play, not {size}; two play a match", "DECK")
    if guilds and size % guilds:
        said = f"{size} heroes do not make {guilds} guilds of equal sizes (M1)"
        raise RequestError(said, "--guilds")

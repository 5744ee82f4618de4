"""How rule-based players play, as numbers; `engine.warage.players` says what they do with them."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["GREEDY", "RULE_BASED", "Style"]


class Style(NamedTuple):
    """How a player plays.

    Attributes
    ----------
    life_below : cards go into the life pile below so many HP.
    reserve : HP that purchases leave.
    horizon : a point of A, D or M is taken to be worth so many HP.
    gain : a flash has to bring so many half HP more than it costs; above 200: no flashes at all.
    heal_below : what only gains HP is kept above so many.
    """

    life_below: int = 25
    reserve: int = 12
    horizon: int = 6
    gain: int = 2
    heal_below: int = 1000


RULE_BASED = Style()
GREEDY = Style(life_below=0, reserve=0, gain=201)
"""Buys and attacks; no flashes, no life pile."""

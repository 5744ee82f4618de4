"""Compiled Goofspiel with lists of what a player sees, for solvers that learn values.

Facts: one for each card still in his own hand, one for each prize left, one for how many points he is ahead,
by halves from -15 to 15 (what all have heard announced), and one that he has bid this round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.games.compiled_goofspiel import (
    _BIDS,
    _CARDS,
    _PLAYERS,
    _PRIZES,
    _WINNERS,
    MOST_CARDS,
    CompiledGoofspiel,
    IntArray,
    _holds,
    _length,
    _rule,
)

_PRIZE = MOST_CARDS + 1
_AHEAD = 2 * _PRIZE
_MOST_AHEAD = 30
_HAS_BID = _AHEAD + 2 * _MOST_AHEAD + 1
NUM_FEATURES = _HAS_BID + 1
MAX_ACTIVE = 2 * MOST_CARDS + 2


@_rule
def features(tables: IntArray, state: IntArray, work: IntArray, player: int, active: IntArray) -> int:
    cards, players = tables[_CARDS], tables[_PLAYERS]
    used = 0
    for card in range(1, cards + 1):
        if not _holds(state[_BIDS + player], card):
            active[used] = card
            used += 1
        if not _holds(state[_PRIZES], card):
            active[used] = _PRIZE + card
            used += 1
    total = 0
    for other in range(players):
        total += state[_BIDS + players + other]
    own = state[_BIDS + players + player]
    ahead = 2 * (own * players - total) // (players - 1)
    active[used] = _AHEAD + _MOST_AHEAD + max(-_MOST_AHEAD, min(_MOST_AHEAD, ahead))
    used += 1
    if _length(state[_BIDS + player]) > _length(state[_WINNERS]):
        active[used] = _HAS_BID
        used += 1
    return used


@dataclass(frozen=True, eq=False)
class FeaturedGoofspiel(CompiledGoofspiel):
    """See `solver.sampling.value_network.FeaturedGame` for the attributes."""

    reveals: bool = True
    features: Callable[..., int] = field(default=features, repr=False)
    num_features: int = NUM_FEATURES
    max_active: int = MAX_ACTIVE

    @property
    def payoff_range(self) -> tuple[float, float]:
        """Nobody wins or loses more than all prizes."""
        total = self.num_cards * (self.num_cards + 1) / 2.0
        return -total, total

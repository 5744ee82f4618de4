"""Sets of at most 24 cards as bits of an int64, for kernels."""

from __future__ import annotations

from engine.jit import kernel_njit
from engine.raverun.layout import MAX_CARDS

SET_MASK = (1 << MAX_CARDS) - 1

assert MAX_CARDS <= 24, "`count` sums three bytes"


@kernel_njit
def count(cards: int) -> int:
    """Number of cards in a set."""
    cards -= cards >> 1 & 0x555555
    cards = (cards & 0x333333) + (cards >> 2 & 0x333333)
    return (cards + (cards >> 4) & 0x0F0F0F) * 0x010101 >> 16 & 0xFF


@kernel_njit
def lowest(cards: int) -> int:
    """The lowest card of a set that is not empty."""
    return count((cards & -cards) - 1)


@kernel_njit
def nth(cards: int, index: int) -> int:
    """The card at a position `0 <= index < count(cards)` in ascending order."""
    for _ in range(index):
        cards &= cards - 1
    return lowest(cards)


@kernel_njit
def smeared(cards: int) -> int:
    """All cards up to the highest of a set, itself included."""
    cards |= cards >> 1
    cards |= cards >> 2
    cards |= cards >> 4
    cards |= cards >> 8
    return cards | cards >> 16

"""Hidden hands out of known pools: which there may be, and how likely each is."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import comb

OTHER = "other"
"""Cards of a pool that make no difference."""
Pool = tuple[tuple[str, int], ...]
"""Names and copies."""


def hands(pool: Pool, size: int, most: Mapping[str, int] | None = None) -> list[tuple[tuple[str, ...], int]]:
    """Return the hands of `size` cards from a pool, without `OTHER`, each with its weight.

    Parameters
    ----------
    most
        How many copies of a card make a difference; further ones are left out. All of them if not said.
    """
    limits = most or {}
    found: dict[tuple[str, ...], int] = {}
    for counts in product(*(range(min(copies, size) + 1) for _, copies in pool)):
        if sum(counts) != size:
            continue
        weight = 1
        hand: list[str] = []
        for (name, copies), count in zip(pool, counts, strict=True):
            weight *= comb(copies, count)
            hand += [name] * min(count, limits.get(name, count)) if name != OTHER else []
        key = tuple(sorted(hand))
        found[key] = found.get(key, 0) + weight
    return list(found.items())

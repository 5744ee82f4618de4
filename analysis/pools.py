"""Hidden hands out of known pools: which there may be, how likely each is, and what hiding them is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.extensive import ExtensiveGame

OTHER = "other"
"""Cards of a pool that make no difference."""
Pool = tuple[tuple[str, int], ...]
"""Names and copies."""


def counted(text: str) -> Iterator[tuple[str, int]]:
    """Read ``hex 3, dread, other 44``: names and numbers, one where there is no number."""
    for word in (part.strip() for part in text.split(",")):
        if word:
            name, _, number = word.rpartition(" ")
            yield (name.strip(), int(number)) if name and number.isdigit() else (word, 1)


def hands(pool: Pool, size: int, most: Mapping[str, int] | None = None) -> list[tuple[tuple[str, ...], int]]:
    """Return the hands of `size` cards from a pool, without `OTHER`, each with its weight.

    Parameters
    ----------
    most : how many copies of a card make a difference; further ones are left out. All of them if not said.
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


def open_value(game: ExtensiveGame) -> float:
    """Return the value for player 0 if all hands lay open: each node decided for itself."""
    from solver.extensive import CHANCE, TERMINAL

    values = game.payoff.copy()
    for node in range(len(values) - 1, -1, -1):
        player = game.node_player[node]
        if player == TERMINAL:
            continue
        below = slice(game.first_child[node], game.first_child[node] + game.num_children[node])
        if player == CHANCE:
            values[node] = game.chance_probability[below] @ values[below]
        else:
            values[node] = values[below].max() if player == 0 else values[below].min()
    return float(values[0])

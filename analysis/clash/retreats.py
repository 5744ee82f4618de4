"""A rule of one's own for when to flee, such as ``losses>=3``: read, and put to a battle."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from analysis.errors import RequestError

MOST_FIGURES = 10**6
_CONDITION = re.compile(r"\s*([a-z]+)\s*(>=|<=|==|=|>|<)\s*(\d{1,6})\s*")
QUANTITIES = ("losses", "left", "enemies")


class Condition(NamedTuple):
    """A quantity lies between two whole numbers, both included."""

    quantity: str
    least: int
    most: int


@dataclass(frozen=True)
class Retreat:
    """When a side flees at the beginning of its assault; at no other time does it.

    Attributes
    ----------
    text : as it was asked.
    conditions : all of which have to hold. ``losses`` are own figures lost since the question begins,
        ``left`` own figures left, ``enemies`` the other side's figures left.
    """

    text: str
    conditions: tuple[Condition, ...]

    def holds(self, losses: int, left: int, enemies: int) -> bool:
        """Return whether it says to flee."""
        numbers = {"losses": losses, "left": left, "enemies": enemies}
        return all(least <= numbers[quantity] <= most for quantity, least, most in self.conditions)

    def bounds(self, figures: int) -> tuple[int, int, int, int]:
        """Return fewest and most own figures left, of so many, and fewest and most of the other side's."""
        own, other = [0, MOST_FIGURES], [0, MOST_FIGURES]
        for quantity, least, most in self.conditions:
            if quantity == "losses":
                least, most = figures - most, figures - least
            place = other if quantity == "enemies" else own
            place[0], place[1] = max(place[0], least), min(place[1], most)
        return own[0], own[1], other[0], other[1]


def parse_retreat(text: str, option: str) -> Retreat:
    """Read conditions with "and" between them: ``losses>=3``, ``left<=2 and enemies>3``.

    Raises
    ------
    RequestError
        Which names the option.
    """
    conditions = []
    for part in text.split(" and "):
        match = _CONDITION.fullmatch(part)
        if match is None or match[1] not in QUANTITIES:
            raise RequestError(
                f"{part.strip()!r}: compare {', '.join(QUANTITIES[:-1])} or {QUANTITIES[-1]} with a number,"
                ' such as "losses>=3" or "left<=2 and enemies>3"',
                option,
            )
        number = int(match[3])
        least, most = {
            ">=": (number, MOST_FIGURES),
            ">": (number + 1, MOST_FIGURES),
            "<=": (0, number),
            "<": (0, number - 1),
        }.get(match[2], (number, number))
        conditions.append(Condition(match[1], least, most))
    return Retreat(" and ".join("".join(part.split()) for part in text.split(" and ")), tuple(conditions))

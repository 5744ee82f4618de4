"""What questions about Raverun share: how many play, and how long to learn."""

from __future__ import annotations

from typing import Annotated

from analysis.front.parameters import Bundle, param

__all__ = ["DEALS", "Deals", "Seats", "TimeLimit"]


DEALS = 2000
"""Of each match behind an answer, where nothing else is said."""


class Seats(Bundle, frozen=True, kw_only=True):
    """How many play."""

    players: Annotated[int, param("How many play.", ge=2, le=3, unit="players")] = 2


TimeLimit = Annotated[
    float,
    param(
        "Time for learning and measuring together: 300 (seconds), 10m, 1h.",
        ge=0.001,
        le=1e9,
        unit="s",
        metavar="TIME",
        more=True,
    ),
]
Deals = Annotated[
    int,
    param(
        "Deals to play. Each is played once from every seat, with the same luck.",
        ge=2,
        le=100_000_000,
        unit="deals",
    ),
]

"""What players of Ragers can settle: a match or a single day, who plays, and how a person is helped."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from analysis.front.kinds import Pick
from analysis.front.parameters import Bundle, param
from analysis.front.players import Player

__all__ = [
    "PLAYERS",
    "Advice",
    "Equilibrium",
    "ForTheMatch",
    "Greedy",
    "Guided",
    "Random",
    "Rollouts",
    "Setup",
    "Stored",
    "Values",
    "has_kernel",
]

_MOST = 10_000_000
_MOST_S = 86_400

_Playouts = Annotated[int, param("Playouts for each card.", ge=1, le=_MOST, unit="playouts")]
_Seconds = Annotated[float, param("Time for each decision.", ge=0.001, le=_MOST_S, unit="s")]


class Setup(Bundle, frozen=True, kw_only=True):
    """A match, or with a patron or a cheers card a single day."""

    patron: (
        Annotated[
            str,
            param(
                "Patron of the day; where several can be named, none means all. Without a patron and a cheers"
                " card a match of several days is played.",
                kind=Pick("patrons"),
                metavar="NAME",
            ),
        ]
        | None
    ) = None
    cheers: (
        Annotated[
            str,
            param(
                "Cheers card on the table. Without a patron and a cheers card a match is played.",
                kind=Pick("cheers cards"),
                metavar="NAME",
            ),
        ]
        | None
    ) = None
    no_discard: Annotated[bool, param("A single day without the discard before it.")] = False


class Advice(Bundle, frozen=True, kw_only=True):
    """How a person is helped."""

    playouts: Annotated[
        int,
        param(
            "Playouts for each card of a hint, where nothing is stored or solved.",
            ge=1,
            le=_MOST,
            unit="playouts",
            more=True,
        ),
    ] = 100
    think: (
        Annotated[
            float,
            param(
                "Time for each decision of the first day. It is then solved on the spot, for hints and for"
                " what decisions cost.  [default: that of an opponent who solves]",
                ge=0.001,
                le=_MOST_S,
                unit="s",
                more=True,
            ),
        ]
        | None
    ) = None


class _Learned(Player, frozen=True, kw_only=True):
    """Plays by learned values of positions."""

    file: (
        Annotated[
            Path,
            param(
                "File of values that ragers train wrote."
                "  [default: those of the package; for other rules values are learned now]"
            ),
        ]
        | None
    ) = None
    plays: (
        Annotated[
            int, param("Learn the values now, by this many matches.", ge=1, le=1_000_000_000, unit="matches")
        ]
        | None
    ) = None


class Values(_Learned, frozen=True, kw_only=True, tag="values"):
    """Looks one move ahead by values learned by self-play."""


class Guided(_Learned, frozen=True, kw_only=True, tag="guided"):
    """Searches, guided by values learned by self-play: strong, and slow."""

    iterations: Annotated[int, param("Iterations of each search.", ge=1, le=_MOST, unit="iterations")] = 1000
    seconds: (
        Annotated[
            float, param("Time for each decision, instead of iterations.", ge=0.001, le=_MOST_S, unit="s")
        ]
        | None
    ) = None


class Rollouts(Player, frozen=True, kw_only=True, tag="rollouts"):
    """Takes the card that does best in playouts of the day: about a best reply to any cards."""

    playouts: (
        Annotated[
            int,
            param(
                "Playouts for each card.  [default: 30 where players meet, 100 against a person]",
                ge=1,
                le=_MOST,
                unit="playouts",
            ),
        ]
        | None
    ) = None


class Greedy(Player, frozen=True, tag="greedy"):
    """Places the attack it holds most of, discards nothing, hides its cheapest card."""


class Random(Player, frozen=True, tag="random"):
    """Plays any legal card, each as likely."""


class Stored(Player, frozen=True, kw_only=True, tag="stored"):
    """Opens the first day by the stored solution, and then plays rollouts."""

    playouts: _Playouts = 100


class Equilibrium(Player, frozen=True, kw_only=True, tag="equilibrium"):
    """Goes on by solving the rest of the first day on the spot; elsewhere it plays rollouts."""

    seconds: _Seconds = 10.0
    playouts: _Playouts = 100


class ForTheMatch(Player, frozen=True, kw_only=True, tag="match"):
    """Plays to win the match, by a search of a second at most, and solves the last day where that fits."""

    seconds: _Seconds = 10.0


PLAYERS = Values | Guided | Rollouts | Greedy | Random | Stored | Equilibrium | ForTheMatch


def has_kernel(setup: Setup, player: Player) -> bool:
    """Return whether a player plays what is settled in kernels: whole matches, by itself."""
    if setup.patron is not None or setup.cheers is not None:
        return False
    if isinstance(player, Rollouts):
        return player.playouts is None
    return isinstance(player, Values | Guided | Greedy | Random)

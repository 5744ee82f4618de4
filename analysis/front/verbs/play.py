"""``play``: a person against players of the game."""

from __future__ import annotations

import random
from typing import Annotated, Any, Generic, TypeVar

import msgspec

from analysis.errors import RequestError
from analysis.front.bundles import LARGEST_SEED, RulesFiles
from analysis.front.parameters import param
from analysis.front.question import Declared, imported
from analysis.front.recording import NoRecording, Recording, resumed
from analysis.front.session import Session

__all__ = ["Play", "play_of", "session_of"]

S = TypeVar("S")
P = TypeVar("P")
A = TypeVar("A")
R = TypeVar("R")


class Play(msgspec.Struct, Generic[S, P, A, R], frozen=True, kw_only=True):
    """Where a person sits, and against whom."""

    setup: S
    opponent: Annotated[
        tuple[P, ...],
        param(
            "Who plays the other seats, in their order; repeatable. One alone plays all of them."
            "  [default: the usual one]",
            metavar="NAME[:key=value,...]",
        ),
    ] = ()
    seat: Annotated[int, param("Your seat, counted from 1.", ge=1, le=6)] = 1
    hints: Annotated[bool, param("Show a hint before every decision.")] = False
    seed: (
        Annotated[
            int, param("Random seed of the game.  [default: another one each time]", ge=0, le=LARGEST_SEED)
        ]
        | None
    ) = None
    advice: A
    recording: R
    rules: RulesFiles = RulesFiles()


_ABOUT = "Play against the machine. Moves are numbered from 1; ? shows what else can be typed."


def play_of(game: Any) -> Declared[Any]:
    """Return how a person plays a game."""
    recording: Any = NoRecording if game.resume is None else Recording
    return Declared(
        name="play",
        about=" ".join([_ABOUT, game.play_note]).strip(),
        asked=Play[game.setup, game.player, game.advice, recording],
        examples=("play --seed 7",),
    )


def session_of(game: Any, asked: Play[Any, Any, Any, Any]) -> tuple[Session, int]:
    """Begin a game; return it, and its seed."""
    seed = random.randrange(2**31) if asked.seed is None else asked.seed
    if game.resume is not None and asked.recording.resume is not None:
        return resumed(game, asked, seed), seed
    rules = game.rules_of(asked.rules)
    if asked.seat > max(game.seats):
        raise RequestError(f"there is no seat {asked.seat}; {max(game.seats)} can play", "--seat")
    opponents = asked.opponent or (game.opponent or game.usual[0],)
    begin, two = imported(game.session), max(game.seats) == 2
    if two and len(opponents) > 1:
        raise RequestError(f"two play: name one opponent, not {len(opponents)}", "--opponent")
    session: Session = begin(
        rules, asked.setup, asked.seat - 1, opponents[0] if two else opponents, seed, asked.advice
    )
    return session, seed

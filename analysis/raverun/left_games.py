"""Games of Raverun that were left before their end, kept to go on with."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from analysis.errors import RequestError
from analysis.files import write_atomically
from arena_solver.folders import cache_root
from engine.raverun.rules import Rules


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The options of ``raverun play`` that a game was begun with; files by their whole paths."""

    opponent: str | None
    policy: str | None
    values: str | None
    players: int
    seat: int
    search_time_s: float
    search_iterations: int | None
    rules_files: tuple[str, ...]
    overrides: tuple[str, ...]
    seed: int | None
    transcript: str | None = None


class LeftGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game as far as it was played: `rules` is the hash of its rules, `ways` as in `PlayedGame`."""

    schema: Literal[1] = 1
    game: Literal["raverun"] = "raverun"
    rules: str
    options: Options
    ways: list[int]


def left_path() -> Path:
    """Return where the game left last is kept."""
    return cache_root() / "left-game-raverun.json"


def keep(options: Options, rules: Rules, ways: list[int]) -> None:
    """Keep a game; OSError if that fails."""
    left_path().parent.mkdir(parents=True, exist_ok=True)
    write_atomically(
        left_path(), msgspec.json.encode(LeftGame(rules=rules.sha256, options=options, ways=ways))
    )


def kept() -> LeftGame:
    """Return the game left last.

    Raises
    ------
    RequestError
        If there is none, or what lies there is none.
    """
    try:
        return msgspec.json.decode(left_path().read_bytes(), type=LeftGame)
    except FileNotFoundError:
        raise RequestError("no game was left", "--resume") from None
    except OSError as error:
        raise RequestError(f"cannot read {str(left_path())!r}: {error.strerror}", "--resume") from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise RequestError(
            f"what lies at {str(left_path())!r} is no game that was left", "--resume"
        ) from None


def forget() -> None:
    """The game left last has ended."""
    left_path().unlink(missing_ok=True)

"""``train``: learn by self-play what positions of a match are worth, and keep that in a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import msgspec

from analysis.front.bundles import RulesFiles, Seeded
from analysis.front.page import Fact, Facts, Page
from analysis.front.parameters import param
from analysis.front.question import Answer, Running

__all__ = ["Train", "TrainAnswer", "learned_in", "train_page"]


class Train(msgspec.Struct, frozen=True, kw_only=True):
    """Where values are written, and how long they are learned."""

    file: (
        Annotated[Path, param("File for the values.  [default: values.npz]", argument=True, metavar="FILE")]
        | None
    ) = None
    plays: Annotated[int, param("Whole matches to learn by.", ge=1, le=10_000_000, unit="matches")] = 200_000
    force: Annotated[bool, param("Write over whatever is in the file.", more=True)] = False
    seeded: Seeded = Seeded()
    rules: RulesFiles = RulesFiles()


class TrainAnswer(Answer, frozen=True, kw_only=True):
    """What was learned, in words, and the positions that values were learned from."""

    file: str
    learned: str
    plays: int
    positions: int


def learned_in(
    asked: Train, running: Running, learn: Callable[..., Any], read: Callable[[Path], Any]
) -> tuple[Any, dict[str, Any]]:
    """Learn, and write the file; values that are there by the same rules, plays and seed are kept.

    Parameters
    ----------
    learn
        Takes plays, seed, and what is told how many are done and says whether to stop.
    read
        Reads such a file.

    Returns
    -------
    tuple
        What is in the file, None if the training was stopped; and what `TrainAnswer` says of it.
    """
    from analysis.learned_values import in_file

    file, seed = asked.file or Path("values.npz"), asked.seeded.seed

    def told(done: int, seconds: float) -> bool:
        running.note("matches", done, asked.plays)
        return running.interrupt()

    found = in_file(
        file, (asked.plays, seed), lambda: learn(asked.plays, seed, told), read, force=asked.force
    )
    if found is None:
        return None, {"file": str(file), "learned": "nothing", "plays": 0, "positions": 0, "complete": False}
    positions = found.provenance.positions
    return found, {"file": str(file), "learned": found.words, "plays": asked.plays, "positions": positions}


def train_page(found: TrainAnswer, *more: Fact) -> Page:
    """Return what is in the file."""
    if not found.complete:
        return Page(headline="Stopped: nothing is kept of a training that is not finished.")
    facts = [
        Fact("plays", "matches", found.plays, "count"),
        Fact("positions", "positions", found.positions, "count"),
        *more,
    ]
    return Page(headline=f"{found.file}: learned by {found.learned}.", sections=[Facts(facts)])

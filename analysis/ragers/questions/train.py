"""``train``: learn by self-play what positions of a match are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from analysis.front.bundles import RulesFiles, Seeded
from analysis.front.page import Fact, Facts, Page
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, Running

__all__ = ["QUESTION"]


class Train(msgspec.Struct, frozen=True, kw_only=True):
    """Where values are written, and how long they are learned."""

    file: (
        Annotated[Path, param("File for the values.  [default: values.npz]", argument=True, metavar="FILE")]
        | None
    ) = None
    plays: Annotated[int, param("Whole matches to learn by.", ge=1, le=10_000_000, unit="matches")] = 200_000
    force: Annotated[bool, param("Write over whatever is in the file.", more=True)] = False
    chance: Seeded = Seeded()
    rules: RulesFiles = RulesFiles()


class TrainAnswer(Answer, frozen=True, kw_only=True):
    """What was learned, in words, and the positions that values were learned from."""

    file: str
    learned: str
    plays: int
    positions: int


def answer(asked: Train, running: Running) -> TrainAnswer:
    """Learn, and write the file; values that are there by the same rules, plays and seed are kept."""
    from analysis.ragers.game import GAME

    rules = GAME.rules_of(asked.rules)
    from analysis.learned_values import in_file
    from analysis.ragers.match import networks

    file, seed = asked.file or Path("values.npz"), asked.chance.seed

    def told(done: int, seconds: float) -> bool:
        running.note("matches", done, asked.plays)
        return running.interrupt()

    found = in_file(
        file,
        (asked.plays, seed),
        lambda: networks.train(rules, asked.plays, seed, told),
        lambda path: networks.from_file(path, rules),
        force=asked.force,
    )
    return TrainAnswer(
        file=str(file),
        learned="nothing" if found is None else found.words,
        plays=0 if found is None else asked.plays,
        positions=0 if found is None else found.provenance.positions,
        complete=found is not None,
    )


def page(found: TrainAnswer) -> Page:
    """Return what is in the file."""
    if not found.complete:
        return Page(headline="Stopped: nothing is kept of a training that is not finished.")
    facts = [
        Fact("plays", "matches", found.plays, "count"),
        Fact("positions", "positions", found.positions, "count"),
    ]
    return Page(headline=f"{found.file}: learned by {found.learned}.", sections=[Facts(facts)])


QUESTION = Question(
    name="train",
    about="Learn by self-play what positions of a match are worth, for the players `values` and `guided`."
    " No equilibrium is claimed. One thread; the same plays and seed give the same values on one kind of"
    " machine, and a file that holds them already is not learned again.",
    asked=Train,
    answers=TrainAnswer,
    function=answer,
    page=page,
    exactness="measured",
    examples=("train values.npz --plays 100",),
)

"""``train``: learn by self-play what positions of a match are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from analysis.front.bundles import RulesFiles, Seeded
from analysis.front.page import Fact, Facts, Page
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, Running

__all__ = ["QUESTION", "Train", "TrainAnswer"]


class Train(msgspec.Struct, frozen=True, kw_only=True):
    """Where values are written, and how long they are learned."""

    file: (
        Annotated[
            Path,
            param("File for the values.  [default: values.npz]", argument=True, metavar="FILE"),
        ]
        | None
    ) = None
    plays: Annotated[int, param("Whole games to learn by.", ge=1, le=10_000_000, unit="games")] = 12_000
    force: Annotated[bool, param("Write over whatever is in the file.", more=True)] = False
    seeded: Seeded = Seeded()
    rules: RulesFiles = RulesFiles()


class TrainAnswer(Answer, frozen=True, kw_only=True):
    """What was learned.

    Attributes
    ----------
    learned : from what, in words.
    positions : that values were learned from.
    wave_ends : ends of waves, left out, by which errors were measured.
    error, without : mean squared errors of results from -1 to 1, of the fitted value of a wave's end and of
        none; None if nothing was written.
    """

    file: str
    learned: str
    plays: int
    positions: int
    wave_ends: int
    error: float | None
    without: float | None


def answer(asked: Train, running: Running) -> TrainAnswer:
    """Learn, and write the file; values that are there by the same rules, plays and seed are kept."""
    from analysis.ophidian.game import GAME

    rules = GAME.rules_of(asked.rules)
    from analysis.learned_values import in_file
    from analysis.ophidian.learned import errors_of, from_file, train

    file, seed = asked.file or Path("values.npz"), asked.seeded.seed

    def told(done: int, seconds: float) -> bool:
        running.note("games", done, asked.plays)
        return running.interrupt()

    found = in_file(
        file,
        (asked.plays, seed),
        lambda: train(rules, asked.plays, seed, told),
        lambda path: from_file(path, rules),
        force=asked.force,
    )
    if found is None:
        return TrainAnswer(
            file=str(file),
            learned="nothing",
            plays=0,
            positions=0,
            wave_ends=0,
            error=None,
            without=None,
            complete=False,
        )
    errors = errors_of(found)
    return TrainAnswer(
        file=str(file),
        learned=found.words,
        plays=asked.plays,
        positions=found.provenance.positions,
        wave_ends=errors.wave_ends,
        error=errors.fitted,
        without=errors.nothing,
    )


def page(found: TrainAnswer) -> Page:
    """Return what is in the file."""
    if not found.complete:
        return Page(headline="Stopped: nothing is kept of a training that is not finished.")
    facts = [
        Fact("plays", "games", found.plays, "count"),
        Fact("positions", "positions", found.positions, "count"),
        Fact("wave_ends", "ends of waves left out", found.wave_ends, "count"),
        Fact("error", "mean squared error there", found.error, "number", 3),
        Fact("without", "the same without values", found.without, "number", 3),
    ]
    return Page(headline=f"{found.file}: learned by {found.learned}.", sections=[Facts(facts)])


QUESTION = Question(
    name="train",
    about="Learn by self-play what positions of a match are worth, for the player `values` and for solve"
    " --objective match. It learns from matches of all decks of the rules against all. The file also holds"
    " what the end of a wave is worth, fitted to how further matches ended, and how far off that is on"
    " matches left out. No equilibrium is claimed. The same plays and seed give the same values on one kind"
    " of machine; a file that holds them already is not learned again.",
    asked=Train,
    answers=TrainAnswer,
    function=answer,
    page=page,
    exactness="measured",
    examples=("train values.npz --plays 100",),
)

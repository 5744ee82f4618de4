"""``train``: learn by self-play what positions of a match are worth."""

from __future__ import annotations

from typing import Annotated

from analysis.front.page import Fact, Page
from analysis.front.parameters import param
from analysis.front.question import Question, Running
from analysis.front.verbs import train as shared

__all__ = ["QUESTION"]


class Train(shared.Train, frozen=True, kw_only=True):
    """Where values are written, and how long they are learned."""

    plays: Annotated[int, param("Whole matches to learn by.", ge=1, le=10_000_000, unit="matches")] = 12_000


class TrainAnswer(shared.TrainAnswer, frozen=True, kw_only=True):
    """What was learned.

    Attributes
    ----------
    wave_ends : ends of waves, left out, by which errors were measured.
    error, without : mean squared errors of results from -1 to 1, of the fitted value of a wave's end and of
        none; None if nothing was written.
    """

    wave_ends: int = 0
    error: float | None = None
    without: float | None = None


def answer(asked: Train, running: Running) -> TrainAnswer:
    """Learn, and write the file."""
    from analysis.ophidian.game import GAME
    from analysis.ophidian.learned import errors_of, from_file, train

    rules = GAME.rules_of(asked.rules)
    found, said = shared.learned_in(
        asked, running, lambda *course: train(rules, *course), lambda path: from_file(path, rules)
    )
    if found is None:
        return TrainAnswer(**said)
    errors = errors_of(found)
    return TrainAnswer(**said, wave_ends=errors.wave_ends, error=errors.fitted, without=errors.nothing)


def page(found: TrainAnswer) -> Page:
    """Return what is in the file."""
    return shared.train_page(
        found,
        Fact("wave_ends", "ends of waves left out", found.wave_ends, "count"),
        Fact("error", "mean squared error there", found.error, "number", 3),
        Fact("without", "the same without values", found.without, "number", 3),
    )


QUESTION = Question(
    name="train",
    about="Learn by self-play what positions of a match are worth. The player `values` and solve --objective"
    " match go by it. It learns from matches of all decks of the rules against all. The file also holds"
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

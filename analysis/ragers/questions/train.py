"""``train``: learn by self-play what positions of a match are worth."""

from __future__ import annotations

from analysis.front.question import Question, Running
from analysis.front.verbs.train import Train, TrainAnswer, learned_in, train_page

__all__ = ["QUESTION"]


def answer(asked: Train, running: Running) -> TrainAnswer:
    """Learn, and write the file."""
    from analysis.ragers.game import GAME
    from analysis.ragers.match import networks

    rules = GAME.rules_of(asked.rules)
    _, said = learned_in(
        asked,
        running,
        lambda *course: networks.train(rules, *course),
        lambda path: networks.from_file(path, rules),
    )
    return TrainAnswer(**said)


QUESTION = Question(
    name="train",
    about="Learn by self-play what positions of a match are worth. The players `values` and `guided` go by"
    " it. No equilibrium is claimed. One thread; the same plays and seed give the same values on one kind"
    " of machine, and a file that holds them already is not learned again.",
    asked=Train,
    answers=TrainAnswer,
    function=answer,
    page=train_page,
    exactness="measured",
    examples=("train values.npz --plays 100",),
)

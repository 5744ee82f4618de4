"""Questions asked with live progress at the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.ragers.answers.asking import Answered, Question, answer_all
from analysis.ragers.scenarios import Scenario
from cli.progress import Reporter


def ask(todo: Sequence[Scenario], question: Question, *, quiet: bool) -> tuple[list[Answered], int]:
    """Answer scenario after scenario; see :func:`analysis.ragers.answers.asking.answer_all`."""
    with Reporter(quiet=quiet, total=len(todo)) as reporter:
        return answer_all(todo, question, reporter)

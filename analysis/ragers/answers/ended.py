"""How a question that solves ends: with an answer and an exit code, or with a code alone."""

from __future__ import annotations

from typing import Any

from analysis.errors import WorkError
from analysis.exit_codes import EXIT_INTERRUPTED, EXIT_TARGET_NOT_REACHED
from analysis.front.question import Answer

__all__ = ["SolvedAnswer", "Unanswered", "endings"]


class SolvedAnswer(Answer, frozen=True, kw_only=True):
    """An answer that solves were needed for; `ended` is the exit code that they ended with."""

    ended: int = 0

    @property
    def exit_code(self) -> int:
        """What a command ends with."""
        return self.ended


class Unanswered(WorkError):
    """Nothing could be answered; why has been said."""

    def __init__(self, title: str, code: int) -> None:
        super().__init__(f"{title} has no answer: refused, failed or interrupted")
        self.exit_code = code


def endings(code: int) -> dict[str, Any]:
    """Return the fields of an answer that an exit code stands for."""
    return {"ended": code, "complete": code != EXIT_INTERRUPTED, "reached": code != EXIT_TARGET_NOT_REACHED}

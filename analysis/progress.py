"""Progress of long work, as those who do it tell it to whoever wants to know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from solver.hidden_hands import Progress


class Reporter(Protocol):
    """Takes what long work has to say.

    Attributes
    ----------
    quiet
        Whether only what people need is wanted, and no progress.
    total
        Number of solves of the run.
    """

    quiet: bool
    total: int

    def begin(self, title: str, number: int, time_limit_s: float | None) -> None:
        """Solve `number` (from 1) begins; `time_limit_s` is granted to it."""

    def reading(self, title: str, number: int) -> None:
        """Something short and stored is read: `number` (from 1) of the run."""

    def __call__(self, progress: Progress) -> None:
        """The solve that began last has come this far."""

    def note(self, text: str) -> None:
        """A line for those who want progress."""

    def say(self, text: str) -> None:
        """A line that people need in any case."""


class Silent:
    """Drops what it is told; the default for programs."""

    quiet = True
    total = 1

    def begin(self, title: str, number: int, time_limit_s: float | None) -> None:
        """Drop it."""

    def reading(self, title: str, number: int) -> None:
        """Drop it."""

    def __call__(self, progress: Progress) -> None:
        """Drop it."""

    def note(self, text: str) -> None:
        """Drop it."""

    def say(self, text: str) -> None:
        """Drop it."""

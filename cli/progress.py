"""Live progress on stderr: one changing line on a terminal, plain lines now and then elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from analysis.convergence import nash_conv_now
from analysis.progress import describe
from cli.play import WIDTH

if TYPE_CHECKING:
    from solver.hidden_hands import Progress

#: Seconds between plain lines of one phase.
PLAIN_INTERVAL_S = 10.0


class Reporter:
    """Shows how a run of several solves goes.

    Parameters
    ----------
    quiet : show nothing at all.
    total : number of scenarios of the run.
    """

    def __init__(self, *, quiet: bool, total: int) -> None:
        self.quiet = quiet
        self.total = total
        self._title = ""
        self._time_limit_s: float | None = None
        self._phase = ""
        self._checks: list[tuple[int, float]] = []
        self._next_plain_s = 0.0
        self._live: Any = None
        self._task: Any = None
        if not quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
            from rich.progress import Progress as Bar
            from rich.table import Column

            self._live = Bar(
                TextColumn("{task.description}", table_column=Column(no_wrap=True)),
                BarColumn(bar_width=12),
                TextColumn(
                    "{task.fields[state]}",
                    style="dim",
                    table_column=Column(no_wrap=True, overflow="ellipsis"),
                ),
                # It goes on where nothing else does, so that nobody waits before a screen that stands still.
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
            self._show("at work", 1, "")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def begin(self, title: str, number: int, time_limit_s: float | None) -> None:
        """Announce scenario `number` (from 1), with the limit its time left is counted from."""
        self._time_limit_s = time_limit_s
        self._phase = ""
        self._checks = []
        self._show(title, number, "starting")
        if self._live is None:
            self.note(f"{self._title}: starting")

    def reading(self, title: str, number: int) -> None:
        """Say on a terminal that scenario `number` is read: too quick for a line elsewhere."""
        self._show(title, number, "reading")

    def _show(self, title: str, number: int, state: str) -> None:
        self._title = f"[{number}/{self.total}] {title}" if self.total > 1 else title
        if self._live is not None:
            from rich.markup import escape

            if self._task is not None:
                self._live.remove_task(self._task)
            self._task = self._live.add_task(escape(self._title), total=None, state=state)

    def __call__(self, progress: Progress) -> None:
        """Show `progress` of the scenario announced last."""
        if self.quiet:
            return
        if progress.nash_conv is not None and (not self._checks or self._checks[-1][1] != progress.nash_conv):
            self._checks.append((progress.iteration, progress.nash_conv))
        now_gp = nash_conv_now(self._checks, progress.iteration) if progress.phase == "solve" else None
        state = describe(progress, self._time_limit_s, now_gp)
        if self._live is not None:
            self._live.update(
                self._task,
                total=None if progress.fraction is None else 1.0,
                completed=progress.fraction or 0.0,
                state=state,
            )
            return
        now = time.monotonic()
        if progress.phase != self._phase or now >= self._next_plain_s:
            self._phase = progress.phase
            self._next_plain_s = now + PLAIN_INTERVAL_S
            self.note(fitted(self._title, state))

    def counted(self, what: str, done: int, total: int) -> None:
        """Show how far something has come that no solver tells of; a total of 0 is one that nobody knows."""
        if self.quiet:
            return
        state = f"{done:,} of {total:,}" if total else f"{done:,}"
        if self._live is not None:
            if what != self._phase:
                self._phase = what
                self._show(what, 1, state)
            self._live.update(self._task, total=total or None, completed=done, state=state)
            return
        now = time.monotonic()
        if not self._phase:
            self._phase, self._next_plain_s = what, now + PLAIN_INTERVAL_S
        if now >= self._next_plain_s:
            self._next_plain_s = now + PLAIN_INTERVAL_S
            self.note(f"{what}: {state}")

    def measured(self, width: float) -> None:
        """Drop it: lines of progress say how many deals are done."""

    def foretell(self, text: str, seconds: float) -> None:
        """Print it; who is at a terminal ends it."""
        self.note(text)

    def note(self, text: str) -> None:
        """Print a line for people, unless they want no progress."""
        if not self.quiet:
            self.say(text)

    def say(self, text: str) -> None:
        """Print a line that people need even without progress."""
        if self._live is not None:
            self._live.console.print(text, markup=False, highlight=False)
        else:
            print(text, file=sys.stderr, flush=True)


class Counter(Reporter):
    """A reporter of work that only counts: call it with what is done, how many of it, and of how many."""

    def __init__(self, quiet: bool) -> None:
        super().__init__(quiet=quiet, total=1)

    __call__ = Reporter.counted  # type: ignore[assignment]


def fitted(title: str, state: str) -> str:
    """Return a line of progress that ends within a terminal's columns, if need be at a whole part."""
    line = f"{title}: {state}"
    while len(line) > WIDTH and ", " in line:
        line = line.rpartition(", ")[0]
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"

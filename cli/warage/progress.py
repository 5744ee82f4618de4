"""Progress of long work on stderr: a line now and then; on a terminal one line that changes."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

import click

_PAUSE_S = 5.0
_QUICK_S = 0.2


class Progress:
    """Says how far work is: call it with what is done, how many of it, and of how many."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._on_terminal = sys.stderr.isatty()
        self._pause_s = _QUICK_S if self._on_terminal else _PAUSE_S
        self._next_s = time.monotonic() + self._pause_s
        self._open = False

    def __call__(self, what: str, done: int, total: int) -> None:
        if self._quiet or time.monotonic() < self._next_s:
            return
        self._next_s = time.monotonic() + self._pause_s
        line = f"{what}: {done:,} of {total:,}"
        click.echo(f"\r\x1b[K{line}" if self._on_terminal else line, err=True, nl=not self._on_terminal)
        self._open = self._on_terminal

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._open:
            click.echo("\r\x1b[K", err=True, nl=False)

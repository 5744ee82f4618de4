"""Progress of long work on stderr."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

import click

_PAUSE_S = 5.0
"""Seconds between lines; on a terminal one line changes more often."""


def say_that_games_compile() -> None:
    """Tell who waits what for."""
    click.echo("The first game after an installation compiles kernels for some minutes.", err=True)


class Progress:
    """Lines on stderr now and then; on a terminal one line that changes."""

    def __init__(self, quiet: bool) -> None:
        self._quiet, self._terminal = quiet, sys.stderr.isatty()
        self._next_s = time.monotonic() + (0.2 if self._terminal else _PAUSE_S)
        self._shown = False

    def __call__(self, phase: str, done: int, total: int) -> None:
        now = time.monotonic()
        if self._quiet or now < self._next_s:
            return
        text = f"{phase}: {done:,} of {total:,}"
        if self._terminal:
            click.echo(f"\r\x1b[K{text}", err=True, nl=False)
            self._shown = True
        else:
            click.echo(text, err=True)
        self._next_s = now + (0.2 if self._terminal else _PAUSE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        # The changing line is taken away.
        if self._shown:
            click.echo("\r\x1b[K", err=True, nl=False)

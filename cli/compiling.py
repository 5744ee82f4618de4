"""Who waits for kernels is told so, once they are really compiled; where all are kept, nothing is said."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from arena_solver.compiling import counted

_SAID = "Compiling kernels, once after an installation; that takes some minutes."


@contextmanager
def compiling_said(quiet: bool = False) -> Iterator[None]:
    """Say on stderr that kernels are compiled when the first one is, within the block."""
    said = quiet

    def watch(_name: str) -> None:
        nonlocal said
        if not said:
            said = True
            click.echo(_SAID, err=True)

    with counted(watch):
        yield

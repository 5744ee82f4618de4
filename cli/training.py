"""What commands that learn values by self-play share: their options, progress, and writing the file."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.errors import RequestError, WorkError
from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.files import check_output, write_atomically
from analysis.interrupt import Interrupt
from cli.options import at_least, quiet_option, seed_option

if TYPE_CHECKING:
    from analysis.learned_values import Progress, TrainedNetwork

LARGEST_SEED = 2**62
STOPPING = "Stopping: nothing is kept of a training that is not finished."
_NOTE_S = 10.0
_TERMINAL_NOTE_S = 2.0
"""Seconds between two lines; at a terminal nobody waits longer than three without a word."""


def with_training(plays: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add VALUES, --plays with its default, --seed, --force and --quiet."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in (
            quiet_option,
            click.option("--force", is_flag=True, help="Write over whatever lies at VALUES."),
            seed_option(most=LARGEST_SEED),
            at_least(1, "--plays", "Whole games to learn by.", plays),
            click.argument("values", type=click.Path(path_type=Path, dir_okay=False)),
        ):
            function = decorator(function)
        return function

    return decorate


def check_values(values: Path, *, force: bool) -> None:
    """Raise RequestError unless values can be written there and nothing is lost."""
    check_output(values, "VALUES")
    if not force and values.is_file() and values.stat().st_size:
        raise RequestError(f"{values} is there already; --force writes over it")


def train_to_file(
    values: Path, plays: int, learn: Callable[[Progress], TrainedNetwork | None], *, quiet: bool
) -> None:
    """Learn, telling how far that is, and write the file; an interrupt leaves without one."""
    from analysis.learned_values import encoded

    interrupt = Interrupt(STOPPING)
    last = [time.monotonic()]
    pause_s = _TERMINAL_NOTE_S if sys.stderr.isatty() else _NOTE_S
    if not quiet and sys.stderr.isatty():
        click.echo(f"Learning by {plays:,} plays; kernels that are new are compiled first.", err=True)

    def watch(done: int, seconds: float) -> bool:
        if not quiet and time.monotonic() - last[0] >= pause_s:
            last[0] = time.monotonic()
            click.echo(f"play {done:,} of {plays:,}, {seconds:.0f} s", err=True)
        return interrupt.requested

    with interrupt.installed():
        trained = learn(watch)
    if trained is None:
        raise click.exceptions.Exit(EXIT_INTERRUPTED)
    try:
        write_atomically(values, encoded(trained))
    except OSError as error:
        raise WorkError(f"cannot write {str(values)!r}: {error.strerror}.") from None
    click.echo(f"{values}: learned by {trained.words}, {trained.provenance.positions:,} positions.")

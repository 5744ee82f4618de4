"""``ragers warmup``: compile all kernels once, so that no solve has to wait for it."""

from __future__ import annotations

import time

import click

from analysis.amounts import clock
from cli.entry import command
from cli.progress import Reporter


@command()
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def warmup(quiet: bool) -> None:
    """Compile the kernels of the day solver now (two to five minutes on two cores, once per installation).

    Stopped by Ctrl-C or SIGTERM it keeps what is ready, and goes on from there next time.
    """
    begin = time.monotonic()
    with Reporter(quiet=quiet, total=1) as reporter:
        reporter.begin("kernels", 1, None)
        from solver.hidden_hands import warmup as compile_all

        compile_all(reporter)
    if not quiet:
        click.echo(f"The kernels are ready, after {clock(time.monotonic() - begin)}.")

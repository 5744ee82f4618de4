"""``ragers warmup``: compile all kernels once, so that no solve has to wait for it."""

from __future__ import annotations

import click

from cli.entry import command
from cli.ragers.progress import Reporter


@command()
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def warmup(quiet: bool) -> None:
    """Compile the kernels now (a minute or so, once per installation)."""
    with Reporter(quiet=quiet, total=1) as reporter:
        reporter.begin("compiling the kernels", 1, None)
        from solver.hidden_hands import warmup as compile_all

        compile_all(reporter)
    if not quiet:
        click.echo("The kernels are compiled.")

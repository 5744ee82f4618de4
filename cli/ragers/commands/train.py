"""``ragers train``: learn by self-play what positions of a match are worth."""

from __future__ import annotations

import time
from pathlib import Path

import click

from analysis.files import check_output, write_atomically
from analysis.interrupt import Interrupt
from analysis.ragers.answers.asking import EXIT_FAILURE, read_rules
from cli.entry import command
from cli.ragers.commands.options import SETTINGS, examples, rules_options

STOPPING = "Stopping: nothing is kept of a training that is not finished."
_NOTE_S = 10.0


@command(
    "train",
    context_settings=SETTINGS,
    short_help="Learn the values that ragers match plays by.",
    epilog=examples(
        "ragers train values.npz",
        "ragers train values.npz --rules my.toml --plays 400000",
        "ragers match --rules my.toml --values values.npz",
    ),
)
@click.argument("values", type=click.Path(path_type=Path, dir_okay=False))
@rules_options
@click.option(
    "--plays", type=click.IntRange(min=1), default=200_000, show_default=True, help="Matches to learn by."
)
@click.option("--seed", type=click.IntRange(min=0, max=2**62), default=0, show_default=True)
@click.option("--force", is_flag=True, help="Write over whatever lies at VALUES.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.pass_context
def train(
    ctx: click.Context,
    /,
    values: Path,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    plays: int,
    seed: int,
    force: bool,
    quiet: bool,
) -> None:
    """Learn by self-play what positions of a match are worth, and write it to the file VALUES.

    `ragers match --values VALUES` plays by it. No equilibrium is claimed. One thread; the same plays and seed
    give the same values on one kind of machine. The file says what it was learned by.
    """
    rules = read_rules(rules_files, overrides)
    check_output(values, "VALUES")
    if not force and values.is_file() and values.stat().st_size:
        raise click.UsageError(f"{values} is there already; --force writes over it")

    from analysis.ragers.match import networks

    interrupt = Interrupt(STOPPING)
    last = [time.monotonic()]

    def watch(done: int, seconds: float) -> bool:
        if not quiet and time.monotonic() - last[0] >= _NOTE_S:
            last[0] = time.monotonic()
            click.echo(f"play {done:,} of {plays:,}, {seconds:.0f} s", err=True)
        return interrupt.requested

    with interrupt.installed():
        trained = networks.train(rules, plays, seed, watch)
    if trained is None:
        ctx.exit(130)
    try:
        write_atomically(values, networks.encoded(trained))
    except OSError as error:
        click.echo(f"Error: cannot write {str(values)!r}: {error.strerror}.", err=True)
        ctx.exit(EXIT_FAILURE)
    click.echo(f"{values}: learned by {trained.words}, {trained.provenance.positions:,} positions.")

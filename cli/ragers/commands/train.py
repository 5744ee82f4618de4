"""``ragers train``: learn by self-play what positions of a match are worth."""

from __future__ import annotations

import time
from pathlib import Path

import click

from analysis.errors import RequestError, WorkError
from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.files import check_output, write_atomically
from analysis.interrupt import Interrupt
from cli.entry import command
from cli.options import GivenRules, at_least, examples, quiet_option, seed_option
from cli.ragers.commands.options import with_rules
from engine.ragers.rules import Rules

LARGEST_SEED = 2**62
STOPPING = "Stopping: nothing is kept of a training that is not finished."
_NOTE_S = 10.0


@command(
    "train",
    short_help="Learn the values that ragers match plays by.",
    epilog=examples(
        "ragers train values.npz",
        "ragers train values.npz --rules my.toml --plays 400000",
        "ragers match --rules my.toml --values values.npz",
    ),
)
@click.argument("values", type=click.Path(path_type=Path, dir_okay=False))
@with_rules
@at_least(1, "--plays", "Matches to learn by.", 200_000)
@seed_option(most=LARGEST_SEED)
@click.option("--force", is_flag=True, help="Write over whatever lies at VALUES.")
@quiet_option
def train(values: Path, rules: GivenRules[Rules], plays: int, seed: int, force: bool, quiet: bool) -> None:
    """Learn by self-play what positions of a match are worth, and write it to the file VALUES.

    `ragers match --values VALUES` plays by it. No equilibrium is claimed. One thread; the same plays and seed
    give the same values on one kind of machine. The file says what it was learned by.
    """
    loaded = rules.load()
    check_output(values, "VALUES")
    if not force and values.is_file() and values.stat().st_size:
        raise RequestError(f"{values} is there already; --force writes over it")

    from analysis.ragers.match import networks

    interrupt = Interrupt(STOPPING)
    last = [time.monotonic()]

    def watch(done: int, seconds: float) -> bool:
        if not quiet and time.monotonic() - last[0] >= _NOTE_S:
            last[0] = time.monotonic()
            click.echo(f"play {done:,} of {plays:,}, {seconds:.0f} s", err=True)
        return interrupt.requested

    with interrupt.installed():
        trained = networks.train(loaded, plays, seed, watch)
    if trained is None:
        raise click.exceptions.Exit(EXIT_INTERRUPTED)
    try:
        write_atomically(values, networks.encoded(trained))
    except OSError as error:
        raise WorkError(f"cannot write {str(values)!r}: {error.strerror}.") from None
    click.echo(f"{values}: learned by {trained.words}, {trained.provenance.positions:,} positions.")

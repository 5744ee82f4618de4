"""``ragers library``: list, check and build the solution library."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_FAILURE, EXIT_INTERRUPTED
from analysis.interrupt import STOPPING_ALL, Interrupt
from analysis.ragers.answers import library, listing
from analysis.ragers.answers.listing import Again
from analysis.ragers.answers.recounting import RECOUNTED, SOLVED
from analysis.ragers.answers.solving import Effort
from analysis.ragers.play import kept_positions
from analysis.ragers.workbench.building import Builder, Plan
from analysis.workers import WorkersError
from cli.entry import Group
from cli.options import (
    Output,
    Workers,
    at_least,
    bundle,
    memory_option,
    quiet_option,
    seed_option,
    with_output,
    with_workers,
)
from cli.parameters import duration
from cli.progress import Reporter
from cli.ragers.commands.options import (
    GivenScenarios,
    disk_option,
    effort_bundle,
    method_option,
    with_scenarios,
)
from cli.ragers.commands.prune import prune
from cli.ragers.views import library as view
from engine.ragers.rules import load_rules

_own_option = click.option(
    "--own", is_flag=True, help="Your own library of live solves, not the carried one."
)


@click.group("library", cls=Group)
def library_group() -> None:
    """List, check and build the library of solved days, and make room in your own."""


library_group.add_command(prune)


@library_group.command("list")
@_own_option
@with_output(quiet=False)
def list_entries(own: bool, out: Output) -> None:
    """List what is solved, how exactly, and whether it fits the rules of this version.

    Of your own library also what differs from the box's rules, and when each entry was written (UTC).

    \b
    Examples:
      ragers library list
      ragers library list --own --format csv
    """
    out.show(listing.list_report(own=own), view)


@library_group.command()
@_own_option
@bundle(
    "again",
    Again,
    at_least(0, "--resolve", "Solve so many entries again and compare.", 0),
    at_least(0, "--recertify", "Likewise with as many iterations as they had, and compare NashConv, too.", 0),
    click.option("--time-limit", type=duration, default="300", show_default=True, help="For each of these."),
    memory_option("As for ragers-solve."),
    seed_option("Chooses the sample."),
)
@quiet_option
@click.pass_context
def verify(ctx: click.Context, own: bool, again: Again, quiet: bool) -> None:
    """Check every entry; exit 1 if one is wrong.

    Nothing is solved by default: hashes and sums are checked, and all of the first step is counted again from
    the stored strategy. What openings are worth in the end, and later steps, rest on the solve alone. Of your
    own library every file is opened, those of other rules and of positions in mid-day, too (ragers library
    prune --useless removes what is damaged; so does solving it again).

    With --resolve a sample is solved anew, and the two certificates must leave a common value. With
    --recertify so are as many iterations as the entry had (or the time allows), and NashConv must be the
    same, or as much larger as fewer iterations make it.

    \b
    Examples:
      ragers library verify
      ragers library verify --recertify 2 --time-limit 10m
    """
    checked = listing.check_all(
        own=own, is_sound=lambda file: kept_positions.read(file) is not None, say=click.echo
    )
    sample, interrupt = again.sample(checked), Interrupt()
    with interrupt.installed(), Reporter(quiet=quiet, total=len(sample)) as reporter:
        again.compare(checked, reporter, interrupt, click.echo)
    if interrupt.requested:
        ctx.exit(EXIT_INTERRUPTED)
    solved = f", {len(sample)} of them solved again" if sample else ""
    others = f", {checked.num_other} of other rules and of positions in mid-day are sound" if own else ""
    click.echo(f"{len(checked.good)} entries fit this version{solved}{others}; {checked.num_bad} problems.")
    if checked.good:
        click.echo(f"Counted again from what is stored: {RECOUNTED}.")
        click.echo(f"Resting on the solve alone: {SOLVED}.")
    ctx.exit(EXIT_FAILURE if checked.num_bad else 0)


@library_group.command()
@with_scenarios
@effort_bundle(method_option, disk_option, profile=True)
@click.option("--fresh", is_flag=True, help="Solve finished entries again, too.")
@click.option(
    "--checkpoints",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIRECTORY",
    help="Save each running solve there, and go on with the ones found there.",
)
@with_workers(1, "Scenarios solved side by side, each in a process with its share of threads and memory")
@click.option(
    "--into", type=click.Path(path_type=Path, file_okay=False), help="Folder. Default: the carried library."
)
@quiet_option
@click.pass_context
def build(
    ctx: click.Context,
    asked: GivenScenarios,
    effort: Effort,
    fresh: bool,
    checkpoints: Path | None,
    workers: Workers,
    into: Path | None,
    quiet: bool,
) -> None:
    """Solve what is missing, and write it to the library.

    May be stopped and started at will: an entry is finished once it has reached the target, or has had the
    time or the iterations of this command line; finished ones are left alone (but for --fresh), and a better
    one is never replaced. (Only its sampled days, which ragers balance reports, may come from a shorter
    solve.)

    A saved solve (--checkpoints) goes on where it stopped: the time and the iterations it has had count.

    \b
    Examples:
      ragers library build --target 0.3 --time-limit 1h --memory 16GiB --disk /var/tmp
      ragers library build --patron Solennos --fresh --time-limit 30m --jobs 0
      ragers library build --time-limit 4h --scheduler tcp://10.0.0.5:8786
    """
    if effort.target_gp is effort.time_limit_s is effort.iterations is None:
        raise RequestError("say when an entry is finished: --target, --time-limit or --iterations")
    if checkpoints is not None and workers.scheduler is not None:
        raise RequestError("--checkpoints names a folder of this machine; without --scheduler")
    if checkpoints is not None:
        try:
            checkpoints.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = f"cannot make {checkpoints}: {error.strerror or error}"
            raise RequestError(reason, "--checkpoints") from None
    chosen = library.carried()
    if into is not None:
        chosen = replace(chosen, root=into)
    todo = asked.under(load_rules())
    interrupt = Interrupt(STOPPING_ALL if workers.scheduler is None else "Stopping with what is finished.")
    with Reporter(quiet=quiet, total=len(todo)) as reporter:
        builder = Builder(Plan(chosen, effort, fresh, checkpoints), reporter)
        with interrupt.installed():
            try:
                if workers.jobs == 1 and workers.scheduler is None:
                    builder.in_turn(todo, interrupt)
                else:
                    builder.side_by_side(todo, workers.jobs, workers.scheduler, interrupt)
            except WorkersError as error:
                raise RequestError(str(error)) from None
            except KeyboardInterrupt:
                interrupt.requested = True
        if interrupt.requested:
            reporter.note("Interrupted; finished entries are kept.")
            ctx.exit(EXIT_INTERRUPTED)
    ctx.exit(EXIT_FAILURE if builder.num_failed else 0)

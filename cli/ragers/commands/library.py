"""``ragers library``: list, check and build the solution library."""

from __future__ import annotations

import csv
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import msgspec

from analysis.amounts import bound, signed
from analysis.interrupt import Interrupt
from analysis.ragers.answers import library, verification
from analysis.ragers.answers.library import Entry, Found, Library
from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import PREPARATIONS, scenarios
from analysis.ragers.workbench.building import Builder, Plan
from analysis.ragers.workbench.workers import WorkersError
from analysis.version import __version__
from cli.entry import Group
from cli.grid import aligned, ruled
from cli.output import to_json
from cli.parameters import duration, memory
from cli.ragers.commands.options import disk_option, scheduler_option
from cli.ragers.commands.parameters import glory_points
from cli.ragers.progress import Reporter
from engine.ragers.rules import Rules, load_rules

EXIT_FAILURE = 1
EXIT_INTERRUPTED = 130

_own_option = click.option(
    "--own", is_flag=True, help="Your own library of live solves, not the carried one."
)


class ListedEntry(msgspec.Struct, frozen=True):
    """A stored day; of one that cannot be read only the folder is known, in the place of the patron.

    Attributes
    ----------
    renamed_from
        Cheers card whose solve this is under other names of the attacks, or None.
    rules
        ``current`` if it is for the rules of this version, else ``other``.
    """

    patron: str
    cheers: str | None
    preparation: str | None
    value_gp: float | None
    nash_conv_gp: float | None
    iterations: int | None
    method: str | None
    renamed_from: str | None
    rules: str | None


class ListReport(msgspec.Struct, frozen=True, kw_only=True):
    """What ``list`` says."""

    schema: int = 1
    game: str = "ragers"
    version: str = __version__
    library: str
    entries: list[ListedEntry]


@click.group("library", cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
def library_group() -> None:
    """List, check and build the library of solved days."""


def _chosen(own: bool) -> Library:
    return library.own() if own else library.carried()


@library_group.command("list")
@_own_option
@click.option(
    "--format", "form", type=click.Choice(["table", "json", "csv", "md"]), default="table", show_default=True
)
def list_entries(own: bool, form: str) -> None:
    """List what is solved, how exactly, and whether it fits the rules of this version.

    \b
    Examples:
      ragers library list
      ragers library list --own --format csv
    """
    chosen, rules = _chosen(own), load_rules()
    entries = [_described(folder, entry, rules) for folder, entry in chosen.entries()]
    if form == "json":
        listed = [ListedEntry(**entry) for entry in entries]
        click.echo(to_json(ListReport(library=str(chosen.root), entries=listed)), nl=False)
        return
    head = ("patron", "cheers", "preparation", "value_gp", "nash_conv_gp", "iterations", "method", "rules")
    if form == "csv":
        writer = csv.DictWriter(sys.stdout, head, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(entries)
        return
    titles = ("patron", "cheers card", "prep.", "value", "NashConv", "method", "rules")
    rows = []
    for entry in entries:
        if entry["method"] is None:
            rows.append((entry["patron"], "(unreadable)", "", "", "", "", ""))
            continue
        value, nash_conv = signed(entry["value_gp"]), bound(entry["nash_conv_gp"])
        method = entry["method"] + (" (renamed)" if entry["renamed_from"] else "")
        place = (entry["patron"], entry["cheers"], entry["preparation"])
        rows.append((*place, value, nash_conv, method, entry["rules"]))
    if form == "md":
        click.echo("\n".join(ruled(titles, rows)))
        return
    click.echo("\n".join(aligned([titles, *rows], range(len(titles)))))
    click.echo(f"\n{len(entries)} entries in {chosen.root}")


def _described(folder: Path, entry: Entry | None, rules: Rules) -> dict[str, Any]:
    """What ``list`` tells about an entry; all but its folder is None if it cannot be read."""
    if entry is None:
        keys = ("cheers", "preparation", "value_gp", "nash_conv_gp", "iterations", "method")
        return {"patron": folder.name, **dict.fromkeys(keys), "renamed_from": None, "rules": None}
    scenario = verification.scenario_of(entry, rules)
    current = scenario is not None and scenario.day.sha256 == entry.answer.day_sha256
    return {
        "patron": entry.patron,
        "cheers": entry.cheers,
        "preparation": entry.answer.preparation,
        "value_gp": entry.answer.value_gp,
        "nash_conv_gp": entry.answer.nash_conv_gp,
        "iterations": entry.answer.iterations,
        "method": entry.answer.method,
        "renamed_from": entry.relabelled_from,
        "rules": "current" if current else "other",
    }


@library_group.command()
@_own_option
@click.option(
    "--resolve", type=click.IntRange(min=0), default=0, help="Solve so many entries again and compare."
)
@click.option("--time-limit", type=duration, default="300", show_default=True, help="For each of these.")
@click.option("--memory", type=memory, metavar="SIZE", help="As for ragers-solve.")
@click.option("--seed", type=int, default=0, show_default=True, help="Chooses the sample.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.pass_context
def verify(
    ctx: click.Context, own: bool, resolve: int, time_limit: float, memory: int | None, seed: int, quiet: bool
) -> None:
    """Check every entry; exit 1 if one is wrong.

    Without --resolve nothing is solved: hashes, shapes, deal probabilities and all sums are checked. With it
    a sample is solved anew, and the two certificates must leave a common value.
    """
    chosen, rules = _chosen(own), load_rules()
    good: list[Found] = []
    num_bad = 0
    for folder, entry in chosen.entries():
        problems = ["its report cannot be read"]
        if entry is not None:
            found = Found(entry, folder, chosen.name)
            # The user's own library holds days of all sorts of rules, which only their own hashes can vouch
            # for.
            stale = own and _is_of_other_rules(found, rules)
            problems = entry.answer.problems() if stale else verification.check_entry(found, rules, chosen)
            if not problems and not stale:
                good.append(found)
        num_bad += bool(problems)
        for problem in problems:
            click.echo(f"{folder.relative_to(chosen.root)}: {problem}")
    sample = random.Random(seed).sample(good, min(resolve, len(good)))
    interrupt = Interrupt()
    with interrupt.installed(), Reporter(quiet=quiet, total=len(sample)) as reporter:
        for number, found in enumerate(sample, 1):
            contradiction = _resolved(
                found, rules, Effort(time_limit_s=time_limit, memory_bytes=memory), reporter, number
            )
            if interrupt.requested:
                ctx.exit(EXIT_INTERRUPTED)
            if contradiction is not None:
                num_bad += 1
                click.echo(f"{found.folder.relative_to(chosen.root)}: {contradiction}")
    again = f", {len(sample)} of them solved again" if sample else ""
    click.echo(f"{len(good)} entries fit this version{again}; {num_bad} problems.")
    ctx.exit(EXIT_FAILURE if num_bad else 0)


def _is_of_other_rules(found: Found, rules: Rules) -> bool:
    scenario = verification.scenario_of(found.entry, rules)
    return scenario is None or scenario.day.sha256 != found.entry.answer.day_sha256


def _resolved(found: Found, rules: Rules, effort: Effort, reporter: Reporter, number: int) -> str | None:
    """Return how a fresh solve contradicts `found`, or None."""
    from analysis.ragers.answers import solving

    scenario = verification.scenario_of(found.entry, rules)
    assert scenario is not None
    reporter.begin(scenario.title, number, effort.time_limit_s)
    again, _ = solving.solve(scenario, effort, reporter)
    if not again.certified:
        return "the fresh solve gave no certificate"
    return verification.contradiction(found.entry.answer, again)


@library_group.command()
@click.option("--patron", "patrons", multiple=True, metavar="NAME", help="Repeatable. Default: all.")
@click.option("--cheers", multiple=True, metavar="NAME", help="Repeatable. Default: all.")
@click.option("--preparation", type=click.Choice(PREPARATIONS), default="redraw", show_default=True)
@click.option("--method", type=click.Choice(["auto", "exact", "merged"]), default="auto", show_default=True)
@click.option("--target", type=glory_points, metavar="GP", help="Certified NashConv to reach.")
@click.option("--time-limit", type=duration, metavar="TIME", help="For each scenario.")
@click.option("--iterations", type=click.IntRange(min=1), help="For each scenario.")
@click.option("--threads", type=click.IntRange(min=0), default=0, help="0: all cores.  [default: 0]")
@click.option("--memory", type=memory, metavar="SIZE", help="As for ragers-solve.")
@disk_option
@click.option("--fresh", is_flag=True, help="Solve finished entries again, too.")
@click.option(
    "--checkpoints",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIRECTORY",
    help="Save each running solve there, and go on with the ones found there.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=0),
    default=1,
    show_default=True,
    help="Scenarios solved side by side, each in a process with its share of threads and memory; 0: all that"
    " cores and memory allow.",
)
@scheduler_option
@click.option(
    "--into", type=click.Path(path_type=Path, file_okay=False), help="Folder. Default: the carried library."
)
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.pass_context
def build(
    ctx: click.Context,
    patrons: tuple[str, ...],
    cheers: tuple[str, ...],
    preparation: str,
    method: str,
    target: float | None,
    time_limit: float | None,
    iterations: int | None,
    threads: int,
    memory: int | None,
    disk: Path | None,
    fresh: bool,
    checkpoints: Path | None,
    jobs: int,
    scheduler: str | None,
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
    if target is None and time_limit is None and iterations is None:
        raise click.UsageError("say when an entry is finished: --target, --time-limit or --iterations")
    if checkpoints is not None and scheduler is not None:
        raise click.UsageError("--checkpoints names a folder of this machine; without --scheduler")
    if checkpoints is not None:
        try:
            checkpoints.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = f"cannot make {checkpoints}: {error.strerror or error}"
            raise click.BadParameter(reason, param_hint="'--checkpoints'") from None
    chosen = library.carried()
    if into is not None:
        chosen = replace(chosen, root=into)
    effort = Effort(
        method, target, time_limit, iterations, threads, memory_bytes=memory, disk=disk, profile=True
    )
    todo = scenarios(load_rules(), patrons, cheers, preparation)
    with Reporter(quiet=quiet, total=len(todo)) as reporter:
        builder = Builder(Plan(chosen, effort, fresh, checkpoints), reporter)
        if jobs == 1 and scheduler is None:
            interrupt = Interrupt()
            with interrupt.installed():
                builder.in_turn(todo, interrupt)
            interrupted = interrupt.requested
        else:
            interrupted = False
            try:
                builder.side_by_side(todo, jobs, scheduler)
            except WorkersError as error:
                raise click.UsageError(str(error)) from None
            except KeyboardInterrupt:
                interrupted = True
                reporter.note("Interrupted; finished entries are kept.")
    if interrupted:
        ctx.exit(EXIT_INTERRUPTED)
    ctx.exit(EXIT_FAILURE if builder.num_failed else 0)

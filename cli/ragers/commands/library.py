"""``ragers library``: list, check and build the solution library."""

from __future__ import annotations

import csv
import random
import sys
from dataclasses import replace
from pathlib import Path

import click

from analysis.amounts import bound, signed
from analysis.interrupt import STOPPING_ALL, Interrupt
from analysis.ragers.answers import library, verification
from analysis.ragers.answers.library import Found, Library
from analysis.ragers.answers.listing import ListedEntry, ListReport, described, resolved
from analysis.ragers.answers.own_files import POSITIONS, is_current, items
from analysis.ragers.answers.recounting import RECOUNTED, SOLVED
from analysis.ragers.answers.solving import Effort
from analysis.ragers.play import kept_positions
from analysis.ragers.scenarios import PREPARATIONS, scenarios
from analysis.ragers.workbench.building import Builder, Plan
from analysis.workers import WorkersError
from cli.entry import Group
from cli.grid import aligned, ruled
from cli.output import to_json
from cli.parameters import duration, memory
from cli.ragers.commands.options import disk_option, scheduler_option
from cli.ragers.commands.parameters import glory_points
from cli.ragers.commands.prune import prune
from cli.ragers.progress import Reporter
from engine.ragers.rules import load_rules

EXIT_FAILURE = 1
EXIT_INTERRUPTED = 130

_own_option = click.option(
    "--own", is_flag=True, help="Your own library of live solves, not the carried one."
)


@click.group("library", cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
def library_group() -> None:
    """List, check and build the library of solved days, and make room in your own."""


library_group.add_command(prune)


def _chosen(own: bool) -> Library:
    return library.own() if own else library.carried()


@library_group.command("list")
@_own_option
@click.option(
    "--format", "form", type=click.Choice(["table", "json", "csv", "md"]), default="table", show_default=True
)
def list_entries(own: bool, form: str) -> None:
    """List what is solved, how exactly, and whether it fits the rules of this version.

    Of your own library also what differs from the box's rules, and when each entry was written (UTC).

    \b
    Examples:
      ragers library list
      ragers library list --own --format csv
    """
    chosen, rules = _chosen(own), load_rules()
    entries = [described(folder, entry, rules, own=own) for folder, entry in chosen.entries()]
    if form == "json":
        listed = [ListedEntry(**entry) for entry in entries]
        click.echo(to_json(ListReport(library=str(chosen.root), entries=listed)), nl=False)
        return
    head = ["patron", "cheers", "preparation", "value_gp", "nash_conv_gp", "iterations", "method", "rules"]
    if own:
        head += ["rules_name", "changes", "saved"]
    if form == "csv":
        writer = csv.DictWriter(sys.stdout, head, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(entry | {"changes": " ".join(entry["changes"] or [])} for entry in entries)
        return
    titles = [
        "patron",
        "cheers card",
        "prep.",
        "value",
        "NashConv",
        "method",
        *(["saved"] if own else []),
        "rules",
    ]
    rows = []
    for entry in entries:
        saved = [entry["saved"]] if own else []
        if entry["method"] is None:
            rows.append((entry["patron"], "(unreadable)", "", "", "", "", *saved, ""))
            continue
        value, nash_conv = signed(entry["value_gp"]), bound(entry["nash_conv_gp"])
        method = entry["method"] + (" (renamed)" if entry["renamed_from"] else "")
        place = (entry["patron"], entry["cheers"], entry["preparation"])
        changes = ", ".join(entry["changes"] or []) if entry["rules"] == "other" else ""
        rows.append((*place, value, nash_conv, method, *saved, changes or entry["rules"]))
    if form == "md":
        click.echo("\n".join(ruled(titles, rows)))
        return
    click.echo("\n".join(aligned([titles, *rows], range(len(titles)))))
    positions = len(list(chosen.root.glob(f"*/{POSITIONS}/*.npz"))) if own else 0
    also = f", and {positions} solves of positions in mid-day" if positions else ""
    click.echo(f"\n{len(entries)} entries{also} in {chosen.root}")


@library_group.command()
@_own_option
@click.option(
    "--resolve", type=click.IntRange(min=0), default=0, help="Solve so many entries again and compare."
)
@click.option(
    "--recertify",
    type=click.IntRange(min=0),
    default=0,
    help="Likewise with as many iterations as they had, and compare NashConv, too.",
)
@click.option("--time-limit", type=duration, default="300", show_default=True, help="For each of these.")
@click.option("--memory", type=memory, metavar="SIZE", help="As for ragers-solve.")
@click.option("--seed", type=int, default=0, show_default=True, help="Chooses the sample.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.pass_context
def verify(
    ctx: click.Context,
    own: bool,
    resolve: int,
    recertify: int,
    time_limit: float,
    memory: int | None,
    seed: int,
    quiet: bool,
) -> None:
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
    chosen, rules = _chosen(own), load_rules()
    good: list[Found] = []
    num_bad = num_other = 0
    for item in items(chosen, rules, lambda file: kept_positions.read(file) is not None) if own else ():
        if item.fault and library.REPORT not in [file.name for file in item.files]:
            num_bad += 1
            click.echo(f"{item.title}: {item.fault}")
        num_other += not item.fault and item.files[0].parent.name == POSITIONS
    for folder, entry in chosen.entries():
        problems = ["its report cannot be read"]
        if entry is not None:
            found = Found(entry, folder, chosen.name)
            # The user's own library holds days of all sorts of rules, which only their own hashes can vouch
            # for.
            stale = own and not is_current(entry, rules)
            problems = (
                verification.check_alone(found) if stale else verification.check_entry(found, rules, chosen)
            )
            num_other += stale and not problems
            if not problems and not stale:
                good.append(found)
        num_bad += bool(problems)
        for problem in problems:
            click.echo(f"{folder.relative_to(chosen.root)}: {problem}")
    sample = random.Random(seed).sample(good, min(max(resolve, recertify), len(good)))
    interrupt = Interrupt()
    with interrupt.installed(), Reporter(quiet=quiet, total=len(sample)) as reporter:
        for number, found in enumerate(sample, 1):
            effort = Effort(time_limit_s=time_limit, memory_bytes=memory)
            if number <= recertify:
                answer = found.entry.answer
                effort = replace(effort, method=answer.method, iterations=answer.iterations, seed=answer.seed)
            told, contradiction = resolved(found, rules, effort, reporter, number, interrupt)
            if told is not None:
                click.echo(told)
            if interrupt.requested:
                ctx.exit(EXIT_INTERRUPTED)
            if contradiction is not None:
                num_bad += 1
                click.echo(f"{found.folder.relative_to(chosen.root)}: {contradiction}")
    again = f", {len(sample)} of them solved again" if sample else ""
    others = f", {num_other} of other rules and of positions in mid-day are sound" if own else ""
    click.echo(f"{len(good)} entries fit this version{again}{others}; {num_bad} problems.")
    if good:
        click.echo(f"Counted again from what is stored: {RECOUNTED}.")
        click.echo(f"Resting on the solve alone: {SOLVED}.")
    ctx.exit(EXIT_FAILURE if num_bad else 0)


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
        interrupt = Interrupt(STOPPING_ALL if scheduler is None else "Stopping with what is finished.")
        with interrupt.installed():
            try:
                if jobs == 1 and scheduler is None:
                    builder.in_turn(todo, interrupt)
                else:
                    builder.side_by_side(todo, jobs, scheduler, interrupt)
            except WorkersError as error:
                raise click.UsageError(str(error)) from None
            except KeyboardInterrupt:
                interrupt.requested = True
        if interrupt.requested:
            reporter.note("Interrupted; finished entries are kept.")
    if interrupt.requested:
        ctx.exit(EXIT_INTERRUPTED)
    ctx.exit(EXIT_FAILURE if builder.num_failed else 0)

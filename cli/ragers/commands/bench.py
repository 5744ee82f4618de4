"""``ragers bench``: how fast this installation is, in figures that compare from machine to machine."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from analysis.files import check_output
from cli.entry import command
from cli.output import write_output

EXIT_FAILURE = 1
EXIT_REGRESSION = 3
EXIT_INTERRUPTED = 130

FORMATS = ("table", "json", "csv", "md")

_EPILOG = """\b
Examples:
  ragers bench                                   everything, some minutes
  ragers bench --quick                           a minute
  ragers bench --quick --format json --output now.json
  ragers bench --quick --compare before.json     exit 3 if something got slower

Times are processor time, and figures are ratios to loops timed in the same run (a triad over arrays out of
cache, a chain of integer steps), so that runs on different machines roughly compare; runs on one machine
compare best. Noise is measured by repetition: a change counts only beyond twice the noise of both runs
together, and beyond 5 %.
"""


@command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}, epilog=_EPILOG)
@click.option("--quick", is_flag=True, help="Less of everything; compare quick runs with quick ones.")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="What to print."
)
@click.option(
    "--compare",
    "old_path",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="OLD.json",
    help="Compare with an earlier run's JSON; exit 3 if anything got worse beyond the noise.",
)
@click.option(
    "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write there instead of printing."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of playouts, matrices and solves.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.pass_context
def bench(
    ctx: click.Context,
    quick: bool,
    form: str,
    old_path: Path | None,
    output: Path | None,
    seed: int,
    quiet: bool,
) -> None:
    """Measure kernels, battles, the day solver and its memory, one thread, as ratios to calibration loops."""
    from analysis.ragers.bench import report as bench_report
    from cli.ragers.views import bench as view

    old = None
    try:
        if old_path is not None:
            old = bench_report.read_report(old_path)
            bench_report.check_comparable(old, quick)
    except bench_report.MalformedReportError as error:
        raise click.BadParameter(str(error), param_hint="'--compare'") from None
    if output is not None:
        check_output(output)

    from analysis.clash.speed import battles_a_second
    from analysis.interrupt import Interrupt
    from analysis.ragers.bench.measuring import Rate, measure

    begin = time.monotonic()

    def say(text: str) -> None:
        if not quiet:
            print(f"{time.monotonic() - begin:6.0f} s  {text}", file=sys.stderr, flush=True)

    interrupt = Interrupt()
    with interrupt.installed():
        battles = Rate(
            "battles",
            "battles of 2 to 4 figures a side, with a forward pass",
            "battles/s",
            lambda: battles_a_second(seed),
        )
        report = measure(quick, seed, say, interrupt, [battles])
    if report is None:
        click.echo("Interrupted; half a run measures nothing.", err=True)
        ctx.exit(EXIT_INTERRUPTED)
    changes = bench_report.compare(old, report) if old is not None else []
    write = {
        "table": view.to_table,
        "json": view.json_document,
        "csv": view.to_csv,
        "md": view.to_markdown,
    }[form]
    written = write_output(write(report, changes), output)
    worse = [change.name for change in changes if change.verdict == "worse"]
    if worse:
        click.echo(f"Worse beyond the noise: {', '.join(worse)}.", err=True)
        ctx.exit(EXIT_REGRESSION)
    ctx.exit(0 if written else EXIT_FAILURE)

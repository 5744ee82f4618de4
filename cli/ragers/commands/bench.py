"""``ragers bench``: how fast this installation is, in figures that compare from machine to machine."""

from __future__ import annotations

import time
from pathlib import Path

import click

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_INTERRUPTED
from cli.entry import command
from cli.options import Output, seed_option, with_output

EXIT_REGRESSION = 3

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


@command("bench", epilog=_EPILOG)
@click.option("--quick", is_flag=True, help="Less of everything; compare quick runs with quick ones.")
@click.option(
    "--compare",
    "old_path",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="OLD.json",
    help="Compare with an earlier run's JSON; exit 3 if anything got worse beyond the noise.",
)
@seed_option("Of playouts, matrices and solves.")
@with_output()
def bench(quick: bool, old_path: Path | None, seed: int, out: Output) -> None:
    """Measure kernels, battles, duels, the day solver and its memory, one thread, beside simple loops."""
    from analysis.ragers.bench import report as bench_report
    from cli.ragers.views.bench import rendered

    old = None
    try:
        if old_path is not None:
            old = bench_report.read_report(old_path)
            bench_report.check_comparable(old, quick)
    except bench_report.MalformedReportError as error:
        raise RequestError(str(error), "--compare") from None

    from analysis.clash.speed import battles_a_second
    from analysis.interrupt import Interrupt
    from analysis.ragers.bench.measuring import Rate, measure
    from analysis.warage.speed import duels_a_second

    begin = time.monotonic()
    interrupt = Interrupt()
    with interrupt.installed():
        battles = Rate(
            "battles",
            "battles of 2 to 4 figures a side, with a forward pass",
            "battles/s",
            lambda: battles_a_second(seed),
        )

        duels = Rate("duels", "duels of Warage by rules", "duels/s", lambda: duels_a_second(seed))

        def say(text: str) -> None:
            out.note(f"{time.monotonic() - begin:6.0f} s  {text}")

        report = measure(quick, seed, say, interrupt, [battles, duels])
    if report is None:
        click.echo("Interrupted; half a run measures nothing.", err=True)
        raise click.exceptions.Exit(EXIT_INTERRUPTED)
    changes = bench_report.compare(old, report) if old is not None else []
    worse = [change.name for change in changes if change.verdict == "worse"]
    if worse:
        click.echo(f"Worse beyond the noise: {', '.join(worse)}.", err=True)
    out.finish(rendered(report, changes, out.form), EXIT_REGRESSION if worse else 0)

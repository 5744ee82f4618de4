"""``raverun train``: learn by self-play what positions are worth, for the players guided and values."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.estimates import signed
from analysis.files import check_one_on_stdout, check_output
from analysis.interrupt import Interrupt
from analysis.raverun.kept_files import LEAVING, NETWORK, STOPPING, check_place
from analysis.raverun.training import (
    DEFAULT_TIME_LIMIT_S,
    RESPONSE_DEALS,
    RESPONSE_ITERATIONS,
    Course,
    ValuesReport,
    train_and_measure,
)
from cli.entry import command
from cli.output import to_json, write_output
from cli.parameters import duration
from cli.raverun.commands.options import rules_options
from engine.raverun.rules import RulesError, load_rules


def _to_text(report: ValuesReport) -> str:
    lines = [
        f"{report.plays} plays of {report.players} against themselves, {report.positions} positions,"
        f" {report.seconds:.0f} s" + ("" if report.completed else "; interrupted"),
        f"The player who looks one move ahead, without search (±: {report.confidence:.0%}):",
    ]
    for match in report.matches:
        lines.append(f"against {match.opponent:8} {signed(match.payoff)} a game")
    for bound in report.bounds:
        lines.append(
            f"a search of {bound.iterations} iterations that knows how he plays wins"
            f" {bound.nash_conv:.3f} of 2, so NashConv is at least {bound.lower_bound:.3f}"
            f" ({report.confidence:.0%}, one-sided)"
        )
    return "\n".join(lines) + "\n"


@command("train", context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("values", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--players", type=click.Choice(["2", "3"]), default="2", show_default=True)
@click.option("--force", is_flag=True, help="Write over whatever lies at VALUES.")
@click.option(
    "--time-limit",
    type=duration,
    metavar="TIME",
    help="Of training and measuring together.  [default: 10m, unless --plays]",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Go on with the interrupted training at VALUES. The limit counts from its beginning.",
)
@click.option("--plays", type=click.IntRange(min=1), help="Instead of a time: the same values every run.")
@click.option(
    "--deals", type=click.IntRange(min=2), default=2000, show_default=True, help="Deals a match has."
)
@click.option(
    "--response-iterations",
    type=click.IntRange(min=1),
    multiple=True,
    default=RESPONSE_ITERATIONS,
    show_default=True,
    help="Of searches that respond to what was learned, a measurement for each; 1500 and more tell more.",
)
@click.option(
    "--response-deals",
    type=click.IntRange(min=2),
    default=RESPONSE_DEALS,
    show_default=True,
    help="Of each such measurement, in each seat.",
)
@rules_options
@click.option("--seed", type=click.IntRange(min=0, max=2**62), default=0, show_default=True)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option(
    "--output", "-o", type=click.Path(path_type=Path), help="File for the report instead of stdout."
)
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.pass_context
def train(
    ctx: click.Context,
    values: Path,
    players: str,
    force: bool,
    resume: bool,
    time_limit: float | None,
    plays: int | None,
    deals: int,
    response_iterations: tuple[int, ...],
    response_deals: int,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    seed: int,
    form: str,
    output: Path | None,
    quiet: bool,
) -> None:
    """Learn by self-play what positions are worth, and write it to the file VALUES.

    The strongest player there is, guided, searches by these values; give the file to raverun match or
    raverun play. No equilibrium is claimed. Interrupted, what was learned is kept and measured, and can be
    gone on with (--resume). What lies at VALUES is written over only if it is such a file for the same rules
    and players.

    \b
    Examples:
      raverun train values.npz
      raverun train values.npz --time-limit 1m
      raverun train values.npz --resume
      raverun train three.npz --players 3 --plays 200000 --seed 4 --format json --output three.json
    """
    try:
        rules = load_rules(rules_files, overrides)
        rules.hand_size(int(players))
    except (RulesError, ValueError) as error:
        raise click.UsageError(str(error)) from None
    if plays is not None and time_limit is not None:
        raise click.UsageError("give --time-limit or --plays, not both: steps shrink towards the end")
    if resume and force:
        raise click.UsageError("--resume goes on with what lies at VALUES, --force writes over it")
    check_one_on_stdout(**{"VALUES": values, "the report": output})
    check_place(values, "VALUES", NETWORK, rules, int(players), force=force)
    if output is not None:
        check_output(output)

    def note(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    time_limit = None if plays is not None else time_limit or DEFAULT_TIME_LIMIT_S
    course = Course(time_limit, plays, seed, response_iterations, response_deals)
    interrupt = Interrupt(STOPPING, LEAVING)
    with interrupt.installed():
        report = train_and_measure(
            rules,
            int(players),
            course,
            deals,
            values,
            interrupt,
            note,
            lambda text: click.echo(text, err=True),
            resume=resume,
        )
    code = 130 if interrupt.requested else 0
    text = to_json(report) if form == "json" else _to_text(report)
    if not write_output(text, output):
        code = code or 1
    ctx.exit(code)

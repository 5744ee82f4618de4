"""``raverun train``: learn by self-play what positions are worth, for the players guided and values."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.errors import RequestError
from analysis.estimates import signed
from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.files import check_one_on_stdout
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
from cli.options import MOST_COUNT, Output, at_least, time_limit_option, with_output
from cli.output import to_json
from cli.raverun.commands.options import GivenGame, usual_seed, with_game


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


@command("train")
@click.argument("values", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Write over whatever lies at VALUES.")
@time_limit_option("Of training and measuring together.  [default: 10m, unless --plays]")
@click.option(
    "--resume",
    is_flag=True,
    help="Go on with the interrupted training at VALUES. The limit counts from its beginning.",
)
@at_least(1, "--plays", "Instead of a time: the same values every run.")
@at_least(2, "--deals", "Deals a match has.", 2000)
@click.option(
    "--response-iterations",
    type=click.IntRange(1, MOST_COUNT),
    multiple=True,
    default=RESPONSE_ITERATIONS,
    show_default=True,
    help="Of searches that respond to what was learned, a measurement for each; 1500 and more tell more.",
)
@at_least(2, "--response-deals", "Of each such measurement, in each seat.", RESPONSE_DEALS)
@with_game
@usual_seed
@with_output("table", "json")
def train(
    values: Path,
    force: bool,
    time_limit: float | None,
    resume: bool,
    plays: int | None,
    deals: int,
    response_iterations: tuple[int, ...],
    response_deals: int,
    game: GivenGame,
    seed: int,
    out: Output,
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
    rules = game.load()
    if plays is not None and time_limit is not None:
        raise RequestError("give --time-limit or --plays, not both: steps shrink towards the end")
    if resume and force:
        raise RequestError("--resume goes on with what lies at VALUES, --force writes over it")
    check_one_on_stdout(**{"VALUES": values, "the report": out.path})
    check_place(values, "VALUES", NETWORK, rules, game.players, force=force)
    time_limit = None if plays is not None else time_limit or DEFAULT_TIME_LIMIT_S
    course = Course(time_limit, plays, seed, response_iterations, response_deals)
    interrupt = Interrupt(STOPPING, LEAVING)
    with interrupt.installed():
        report = train_and_measure(
            rules,
            game.players,
            course,
            deals,
            values,
            interrupt,
            out.note,
            lambda text: click.echo(text, err=True),
            resume=resume,
        )
    text = to_json(report) if out.form == "json" else _to_text(report)
    out.finish(text, EXIT_INTERRUPTED if interrupt.requested else 0)

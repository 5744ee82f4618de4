"""``ragers match``: how whole matches go, and what leads and cards are worth in them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.interrupt import Interrupt
from analysis.payoff_matrices import against_each
from analysis.ragers.match.studying import ITERATIONS, PLAYERS, Question, box, study
from cli.entry import command
from cli.grid import Shown
from cli.options import MOST_COUNT, GivenRules, Output, at_least, choice, examples, seed_option, with_output
from cli.payoff_matrices import OPTION, MatrixFile, matrix_option
from cli.ragers.commands.options import with_rules
from cli.ragers.views import match as view
from engine.ragers.rules import Rules

LARGEST_SEED = 2**62
STOPPING = "Stopping: with the matches there are; again to leave at once."


@command(
    "match",
    short_help="How whole matches go: ends, leads, what cards are worth.",
    epilog=examples(
        "ragers match",
        "ragers match --player random --games 300000 --details",
        "ragers match --set cards.basher.gp=4 --compare",
        "ragers match --rules my.toml --train 200000 --format json --output match.json",
        "ragers match --player guided --against rollouts --against greedy",
    ),
)
@with_rules
@choice(
    "--player",
    PLAYERS,
    "Who plays both sides. values: one move ahead by learned values. guided: a search by them, slow."
    " rollouts: the card that does best in playouts of the day. greedy: the attack held most.",
)
@at_least(
    2,
    "--games",
    "Matches.  [default: 100000; 5000 of rollouts, 200 of guided; 200 deals with --against]",
)
@click.option(
    "--against",
    multiple=True,
    type=click.Choice(PLAYERS),
    help="Instead: win rate against this player, each deal from both seats; repeatable.",
)
@click.option("--compare", is_flag=True, help="Also by the rules of the box, and what differs.")
@click.option(
    "--values",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Learned values, a file of ragers train.  [default: carried for the box, else learned now]",
)
@click.option(
    "--train",
    "train_plays",
    type=click.IntRange(1, MOST_COUNT),
    metavar="PLAYS",
    help="Learn the values now, by so many.",
)
@at_least(1, "--iterations", "Of a search of guided.", ITERATIONS)
@click.option("--no-giving", is_flag=True, help="Leave out the matches in which a card is given.")
@seed_option(most=LARGEST_SEED)
@matrix_option
@with_output(details=True)
def match(
    rules: GivenRules[Rules],
    player: str,
    games: int | None,
    against: tuple[str, ...],
    compare: bool,
    values: Path | None,
    train_plays: int | None,
    iterations: int,
    no_giving: bool,
    seed: int,
    matrix: MatrixFile,
    out: Output,
) -> None:
    """Let a player play whole matches with itself, and say how they go.

    How many end early, what decides ties, how often who is behind still wins, the chance of winning by lead,
    and what a card more of each type is worth. All figures are the player's: others play otherwise.
    """
    loaded = rules.load()
    if values is not None and train_plays is not None:
        raise RequestError("give --values or --train, not both")
    if compare and not loaded.changed:
        raise RequestError("--compare needs rules that differ from the box: --rules or --set")
    if matrix and not against:
        raise RequestError("a matrix needs players to play against: --against", OPTION)
    matrix.check_opponents(len(against))
    question = Question(
        rules=(box(), loaded) if compare else (loaded,),
        player=player,
        games=games,
        iterations=iterations,
        values=values,
        train_plays=train_plays,
        seed=seed,
        give=not no_giving,
        against=against,
    )
    interrupt = Interrupt(STOPPING)
    with interrupt.installed():
        report = study(question, out.note, interrupt)
    code = EXIT_INTERRUPTED if interrupt.requested else 0
    if not (report.figures or report.duels):
        raise click.exceptions.Exit(code)
    if matrix and report.duels:
        found = [(each.opponent.name, each.win.mean) for each in report.duels]
        matrix.write(against_each("Share of matches won", report.duels[0].player.name, found))
    details = out.details or out.form == "md"
    notes = partial(view.notes, details=details)
    out.show(report, Shown(view.csv_rows, lambda each: view.sections(each, details=details), notes), code)

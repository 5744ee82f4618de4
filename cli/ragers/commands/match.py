"""``ragers match``: how whole matches go, and what leads and cards are worth in them."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.files import check_output
from analysis.interrupt import Interrupt
from analysis.ragers.answers.asking import EXIT_FAILURE, read_rules
from analysis.ragers.match.report import MatchReport
from analysis.ragers.match.studying import ITERATIONS, PLAYERS, Question, box, study
from cli import grid
from cli.entry import command
from cli.output import write_output
from cli.ragers.commands.options import SETTINGS, examples, output_options, rules_options
from cli.ragers.views import match as view

STOPPING = "Stopping: with the matches there are; again to leave at once."


@command(
    "match",
    context_settings=SETTINGS,
    short_help="How whole matches go: ends, leads, what cards are worth.",
    epilog=examples(
        "ragers match",
        "ragers match --player random --games 300000 --details",
        "ragers match --set cards.basher.gp=4 --compare",
        "ragers match --rules my.toml --train 200000 --format json --output match.json",
        "ragers match --player guided --against rollouts --against greedy",
    ),
)
@rules_options
@click.option(
    "--player",
    type=click.Choice(PLAYERS),
    default=PLAYERS[0],
    show_default=True,
    help="Who plays both sides. values: one move ahead by learned values. guided: a search by them, slow."
    " rollouts: the card that does best in playouts of the day. greedy: the attack held most.",
)
@click.option(
    "--games",
    type=click.IntRange(min=2),
    help="Matches.  [default: 100000; 5000 of rollouts, 200 of guided; 200 deals with --against]",
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
    type=click.IntRange(min=1),
    metavar="PLAYS",
    help="Learn the values now, by so many.",
)
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    default=ITERATIONS,
    show_default=True,
    help="Of a search of guided.",
)
@click.option("--no-giving", is_flag=True, help="Leave out the matches in which a card is given.")
@click.option("--seed", type=click.IntRange(min=0, max=2**62), default=0, show_default=True)
@click.option("--details", is_flag=True, help="Every figure with its interval.")
@output_options()
@click.pass_context
def match(
    ctx: click.Context,
    /,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    player: str,
    games: int | None,
    against: tuple[str, ...],
    compare: bool,
    values: Path | None,
    train_plays: int | None,
    iterations: int,
    no_giving: bool,
    seed: int,
    details: bool,
    form: str,
    output: Path | None,
    quiet: bool,
) -> None:
    """Let a player play whole matches with himself, and say how they go.

    How many end early, what decides ties, how often who is behind still wins, the chance of winning by lead,
    and what a card more of each type is worth. All figures are the player's: others play otherwise.
    """
    rules = read_rules(rules_files, overrides)
    if values is not None and train_plays is not None:
        raise click.UsageError("give --values or --train, not both")
    if compare and not rules.changed:
        raise click.UsageError("--compare needs rules that differ from the box: --rules or --set")
    if output is not None:
        check_output(output)
    question = Question(
        rules=(box(), rules) if compare else (rules,),
        player=player,
        games=games,
        iterations=iterations,
        values=values,
        train_plays=train_plays,
        seed=seed,
        give=not no_giving,
        against=against,
    )

    def note(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    interrupt = Interrupt(STOPPING)
    with interrupt.installed():
        report = study(question, note, interrupt)
    code = 130 if interrupt.requested else 0
    if (report.figures or report.duels) and not write_output(_text(report, form, details), output):
        code = code or EXIT_FAILURE
    ctx.exit(code)


def _text(report: MatchReport, form: str, details: bool) -> str:
    return grid.in_format(
        report,
        form,
        view.csv_rows,
        lambda each: view.sections(each, details=details or form == "md"),
        view.notes,
    )

"""``clash tactic``: which tactic card to play."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.clash.tactics import POLICIES, read_values, tactic_question, values_csv
from analysis.errors import RequestError
from analysis.files import check_output
from cli.clash.commands.options import EXIT_FAILURE, output_options, rules_of, rules_options
from cli.clash.progress import Progress
from cli.entry import command
from cli.output import write_output


@command(
    "tactic",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 answered; 1 failure; 2 wrong usage; 130 interrupted.",
)
@click.option("--clan", required=True, metavar="CLAN", help="Who asks.")
@click.option("--against", required=True, metavar="CLAN", help="The other player's clan.")
@click.option(
    "--values",
    "values_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="CSV file with what pairs of cards are worth: columns card,other,value,error.",
)
@click.option(
    "--playouts",
    type=click.IntRange(min=1),
    help="Or estimate it: so many games for each pair.",
)
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    default=POLICIES[0],
    show_default=True,
    help="Who plays these games on: by rule of thumb, or any move.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the playouts.")
@click.option("--hand", metavar="CARDS", help='Your hand, by the orders on the cards: "11,16,27".')
@click.option("--played", metavar="CARDS", help="Your cards on the open discard pile.")
@click.option("--played-against", metavar="CARDS", help="The other player's.")
@click.option(
    "--save-values", type=click.Path(path_type=Path), help="File to keep the values in, for --values."
)
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
@rules_options
@output_options
@click.pass_context
def tactic(
    ctx: click.Context,
    clan: str,
    against: str,
    values_file: Path | None,
    playouts: int | None,
    policy: str,
    seed: int,
    hand: str | None,
    played: str | None,
    played_against: str | None,
    save_values: Path | None,
    quiet: bool,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    form: str,
    output: Path | None,
) -> None:
    """Say which tactic card to play, for two players: an equilibrium over all hands.

    Both choose at once, and know their own hand and the open discard piles only. For given values of all
    pairs of cards the answer is exact; what their errors do to it is said.

    \b
    Examples:
      clash tactic --clan bohorg --against tomb --playouts 500 --save-values values.csv
      clash tactic --clan bohorg --against tomb --values values.csv --hand 11,16,27
      clash tactic --clan bohorg --against tomb --values values.csv --played 1 --played-against 4,26
    """
    for path in (output, save_values):
        if path is not None:
            check_output(path)
    if (values_file is None) == (playouts is None):
        raise RequestError("say what pairs of cards are worth: either --values FILE or --playouts N")
    question = tactic_question(
        rules_of(rules_files, overrides),
        clan,
        against,
        played=played,
        played_other=played_against,
        hand=hand,
    )
    from analysis.clash.tactics import estimate_values, tactic_report
    from cli.clash.views.tactic import render

    if values_file is not None:
        given = read_values(question, values_file)
    else:
        with Progress(quiet) as progress:
            given = estimate_values(question, playouts or 1, seed, progress, policy=policy)
    report = tactic_report(question, given)
    written = save_values is None or write_output(values_csv(report.values), save_values)
    if not write_output(render(report, form), output) or not written:
        ctx.exit(EXIT_FAILURE)

"""``clash tactic``: which tactic card to play."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.clash.maps import read_tiles
from analysis.clash.tactics import POLICIES, read_values, tactic_question, values_csv
from analysis.errors import RequestError
from analysis.exit_codes import EXIT_FAILURE
from analysis.files import check_output
from cli.clash.commands.options import tiles_option, with_rules
from cli.entry import command
from cli.options import GivenRules, Output, at_least, choice, exit_codes, seed_option, with_output
from cli.output import write_output
from cli.progress import Counter
from engine.clash.rules import Rules


@command("tactic", epilog=exit_codes())
@click.option("--clan", required=True, metavar="CLAN", help="Who asks.")
@click.option("--against", required=True, metavar="CLAN", help="The other player's clan.")
@click.option(
    "--values",
    "values_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="CSV file with what pairs of cards are worth: columns card,other,value,error,round.",
)
@at_least(1, "--playouts", "Or estimate it: so many games for each pair.")
@tiles_option
@choice("--policy", POLICIES, "Who plays these games on: by rule of thumb, or any move.")
@seed_option("Of the playouts.")
@click.option("--hand", metavar="CARDS", help='Your hand, by the orders on the cards: "11,16,27".')
@click.option("--played", metavar="CARDS", help="Your cards on the open discard pile.")
@click.option("--played-against", metavar="CARDS", help="The other player's.")
@click.option(
    "--save-values", type=click.Path(path_type=Path), help="File to keep the values in, for --values."
)
@with_rules
@with_output()
def tactic(
    clan: str,
    against: str,
    values_file: Path | None,
    playouts: int | None,
    tiles: str | None,
    policy: str,
    seed: int,
    hand: str | None,
    played: str | None,
    played_against: str | None,
    save_values: Path | None,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Say which tactic card to play, for two players: an equilibrium over all hands.

    Both choose at once, and know their own hand and the open discard piles only. For given values of all
    pairs of cards the answer is exact; what their errors do to it is said.

    \b
    Examples:
      clash tactic --clan bohorg --against tomb --playouts 500 --save-values values.csv
      clash tactic --clan bohorg --against tomb --values values.csv --hand 11,16,27
      clash tactic --clan bohorg --against tomb --values values.csv --played 1 --played-against 4
    """
    if save_values is not None:
        check_output(save_values, "--save-values")
    if (values_file is None) == (playouts is None):
        raise RequestError("say what pairs of cards are worth: either --values FILE or --playouts N")
    if tiles is not None and values_file is not None:
        raise RequestError("the values of a file are for the maps that they are of", "--tiles")
    loaded = rules.load()
    asked = read_tiles(loaded, tiles)
    question = tactic_question(
        loaded,
        clan,
        against,
        played=played,
        played_other=played_against,
        hand=hand,
    )
    from analysis.clash.tactics import estimate_values, tactic_report
    from cli.clash.views import tactic as view

    if values_file is not None:
        given = read_values(question, values_file)
    else:
        with Counter(out.quiet) as counter:
            given = estimate_values(question, playouts or 1, seed, counter, policy=policy, tiles=asked)
    report = tactic_report(question, given)
    written = save_values is None or write_output(values_csv(report.values, report.values_round), save_values)
    out.show(report, view, 0 if written else EXIT_FAILURE)

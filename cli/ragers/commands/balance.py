"""``ragers balance``: the health report of cards, patrons and cheers cards, from stored answers."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.files import check_output
from analysis.ragers.answers.asking import EXIT_FAILURE, read_rules
from analysis.ragers.scenarios import scenarios
from analysis.ragers.workbench import health
from cli import grid
from cli.entry import command
from cli.options import details_option
from cli.output import write_output
from cli.progress import Reporter
from cli.ragers.commands.options import (
    SETTINGS,
    examples,
    output_options,
    rules_options,
    scenario_options,
    solve_command,
    view_option,
)
from cli.ragers.views import balance as balance_view
from cli.ragers.views import balance_screen
from engine.ragers.rules import PLAYERS


@command(
    "balance",
    context_settings=SETTINGS,
    short_help="Card health from stored answers.",
    epilog=examples(
        "ragers balance",
        "ragers balance --patron Solennos --format md --output health.md",
        "ragers balance --rules my.toml --format csv",
    )
    + "\n\n\b\nExit codes: 0 reported (what is missing is named); 1 nothing is stored; 2 wrong usage.",
)
@rules_options
@scenario_options
@view_option
@details_option
@output_options()
@click.pass_context
def balance(
    ctx: click.Context,
    /,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    patrons: tuple[str, ...],
    cheers: tuple[str, ...],
    preparation: str,
    player: str,
    details: bool,
    form: str,
    output: Path | None,
    quiet: bool,
) -> None:
    """Report which cards are dead or a must, and where, and what patrons and cheers cards change.

    Nothing is solved: the report covers what the library and your own solves answer, and names what is
    missing. Verdicts are told apart by whether they hold in every equilibrium.
    """
    rules = read_rules(rules_files, overrides)
    if output is not None:
        check_output(output)
    todo = scenarios(rules, patrons, cheers, preparation)
    with Reporter(quiet=quiet, total=len(todo)) as reporter:
        report = health.balance(rules, todo, PLAYERS.index(player), reporter)
    if not report.scenarios:
        example = solve_command(rules_files, overrides, patrons or [todo[0].patron.id], cheers, preparation)
        raise click.ClickException(
            f"nothing is stored for these rules ({len(report.missing)} scenarios asked for); solve some of"
            f" them first, for example: {example}"
        )
    names = list(dict.fromkeys(each.patron for each in report.missing))
    advice = solve_command(rules_files, overrides, names, cheers, preparation)
    text = grid.in_format(
        report,
        form,
        health.csv_rows,
        balance_view.sections,
        lambda each: balance_view.notes(each, advice),
        None if details else lambda each: balance_screen.brief(each, advice),
    )
    ctx.exit(0 if write_output(text, output) else EXIT_FAILURE)

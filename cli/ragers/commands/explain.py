"""``ragers explain``: what a patron, a cheers card or a card does to the game, from stored answers."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import click

from analysis.files import check_output
from analysis.ragers.answers.asking import EXIT_FAILURE, read_rules
from analysis.ragers.scenarios import PREPARATIONS
from analysis.ragers.workbench import explaining
from cli import grid
from cli.entry import command
from cli.output import write_output
from cli.ragers.commands.options import FORMATS, SETTINGS, examples, rules_options, view_option
from cli.ragers.views import explain as view
from engine.ragers.rules import PLAYERS


@command(
    "explain",
    context_settings=SETTINGS,
    short_help="What a patron, a cheers card or a card does.",
    epilog=examples(
        "ragers explain patron Solennos",
        "ragers explain card Veteran --patron Arianna",
        "ragers explain cheers two-bashers basher-deadeye",
    )
    + "\n\n\b\nExit codes: 0 explained; 2 wrong usage, or nothing is stored.",
)
@click.argument("kind", type=click.Choice(explaining.KINDS))
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--patron", "patrons", multiple=True, metavar="NAME", help="Under these only; repeatable.")
@rules_options
@click.option(
    "--preparation",
    type=click.Choice(PREPARATIONS),
    default="redraw",
    show_default=True,
    help="Model of the discard before the day.",
)
@view_option
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), help="File to write instead of stdout."
)
@click.pass_context
def explain(
    ctx: click.Context,
    /,
    kind: str,
    names: tuple[str, ...],
    patrons: tuple[str, ...],
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    preparation: str,
    player: str,
    form: str,
    output: Path | None,
) -> None:
    """Say what a patron, a cheers card or a card does to the game, against what it could be instead.

    Nothing is solved: what the library and your own solves answer is put in plain sentences. Days without an
    answer yet do not count.
    """
    if kind == "patron" and patrons:
        raise click.UsageError(
            "--patron is for cheers cards and cards; name several patrons one after another"
        )
    rules = read_rules(rules_files, overrides)
    if output is not None:
        check_output(output)
    report = explaining.explain(
        rules, cast(explaining.Kind, kind), names, patrons, preparation, PLAYERS.index(player)
    )
    text = grid.in_format(
        report, form, explaining.csv_rows, lambda each: view.sections(each, rules), view.notes
    )
    ctx.exit(0 if write_output(text, output) else EXIT_FAILURE)

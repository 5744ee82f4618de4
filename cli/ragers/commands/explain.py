"""``ragers explain``: what a patron, a cheers card or a card does to the game, from stored answers."""

from __future__ import annotations

from typing import cast

import click

from analysis.errors import RequestError
from analysis.ragers.workbench import explaining
from cli.entry import command
from cli.grid import Shown
from cli.options import GivenRules, Output, examples, with_output
from cli.ragers.commands.options import preparation_option, seat_option, with_rules
from cli.ragers.views import explain as view
from engine.ragers.rules import Rules


@command(
    "explain",
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
@with_rules
@preparation_option()
@seat_option
@with_output(quiet=False)
def explain(
    kind: str,
    names: tuple[str, ...],
    patrons: tuple[str, ...],
    rules: GivenRules[Rules],
    preparation: str,
    seat: int,
    out: Output,
) -> None:
    """Say what a patron, a cheers card or a card does to the game, against what it could be instead.

    Nothing is solved: what the library and your own solves answer is put in plain sentences. Days without an
    answer yet do not count.
    """
    if kind == "patron" and patrons:
        raise RequestError("--patron is for cheers cards and cards; name several patrons one after another")
    loaded = rules.load()
    report = explaining.explain(loaded, cast(explaining.Kind, kind), names, patrons, preparation, seat)
    out.show(report, Shown(explaining.csv_rows, lambda each: view.sections(each, loaded), view.notes))

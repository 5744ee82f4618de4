"""``warage balance``: every deck against every other one."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.files import check_output
from analysis.warage.decks import deck_of, parse_style
from cli.entry import command
from cli.output import write_output
from cli.progress import Counter
from cli.warage.commands.options import (
    EXIT_CODES,
    EXIT_FAILURE,
    EXIT_INTERRUPTED,
    SETTINGS,
    duel_options,
    output_options,
    rules_of,
    rules_options,
)


@command("balance", context_settings=SETTINGS, epilog=EXIT_CODES)
@click.option("--decks", metavar="DECKS", help='"orc-warrior,elf-mage".  [default: all]')
@duel_options
@rules_options
@output_options
@click.pass_context
def balance(
    ctx: click.Context,
    decks: str | None,
    style: str,
    duels: int,
    seed: int,
    quiet: bool,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    form: str,
    output: Path | None,
) -> None:
    """Let every deck play every other one, and itself: shares with 95 % intervals.

    For the players named, not an equilibrium. Interrupted, it shows what is finished.

    \b
    Examples:
      warage balance
      warage balance --decks orc-warrior,elf-mage --duels 100000 --format csv
      warage balance --set match.season_unit=point
    """
    if output is not None:
        check_output(output)
    rules = rules_of(rules_files, overrides)
    asked = (
        [part for part in decks.split(",") if part.strip()] if decks else [deck.id for deck in rules.decks]
    )
    names = list(dict.fromkeys(deck_of(rules, part, "--decks") for part in asked))
    read = parse_style(style)
    from analysis.interrupt import Interrupt
    from analysis.warage.matches import balance_report
    from cli.warage.views.match import render_balance

    interrupt = Interrupt("Stopping with what is finished; again to leave without it.")
    with interrupt.installed(), Counter(quiet) as progress:
        report = balance_report(rules, names, read, duels, seed, note=progress, stop=interrupt)
    if not write_output(render_balance(report, form), output):
        ctx.exit(EXIT_FAILURE)
    if not report.complete:
        ctx.exit(EXIT_INTERRUPTED)

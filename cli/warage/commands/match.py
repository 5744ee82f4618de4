"""``warage match``: two decks, and duels of rule-based players."""

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
from engine.warage.rules import Rules


@command("match", context_settings=SETTINGS, epilog=EXIT_CODES)
@click.argument("deck_a", metavar="DECK_A")
@click.argument("deck_b", metavar="DECK_B")
@click.option("--style-b", metavar="STYLE", help="How the second player plays.  [default: like the first]")
@duel_options
@rules_options
@output_options
@click.pass_context
def match(
    ctx: click.Context,
    deck_a: str,
    deck_b: str,
    style_b: str | None,
    style: str,
    duels: int,
    seed: int,
    quiet: bool,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    form: str,
    output: Path | None,
) -> None:
    """Let two decks play duels by the whole rules, half of them with either first.

    A share with its 95 % interval, for the players named: not an equilibrium. Interrupted, it shows what is
    finished.

    \b
    Examples:
      warage match orc-warrior elf-mage
      warage match orc-warrior orc-warrior --style-b greedy --duels 100000
      warage match elf-mage human-paladin --set cards.fireball.cost=6 --style rule-based:life_below=50
    """
    if output is not None:
        check_output(output)
    answer_match(
        ctx,
        rules_of(rules_files, overrides),
        (deck_a, deck_b),
        styles=(style, style_b or style),
        duels=duels,
        seed=seed,
        quiet=quiet,
        form=form,
        output=output,
    )


def answer_match(
    ctx: click.Context,
    rules: Rules,
    decks: tuple[str, str],
    *,
    styles: tuple[str, str],
    duels: int,
    seed: int,
    quiet: bool,
    form: str,
    output: Path | None,
) -> None:
    """Play duels and write the answer."""
    names = deck_of(rules, decks[0], "DECK_A"), deck_of(rules, decks[1], "DECK_B")
    read = parse_style(styles[0]), parse_style(styles[1], "--style-b")
    # numba, and with it all that plays, is imported when nothing is wrong any more.
    from analysis.interrupt import Interrupt
    from analysis.warage.matches import match_report
    from cli.warage.views.match import render

    interrupt = Interrupt("Stopping with what is finished; again to leave without it.")
    with interrupt.installed(), Counter(quiet) as progress:
        report = match_report(rules, names, read, duels, seed, note=progress, stop=interrupt)
    if not write_output(render(report, form), output):
        ctx.exit(EXIT_FAILURE)
    if not report.complete:
        ctx.exit(EXIT_INTERRUPTED)

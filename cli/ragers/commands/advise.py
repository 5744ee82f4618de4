"""``ragers advise``: what to do now with this hand, at any point of a day, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analysis.files import check_output
from analysis.ragers.answers.asking import (
    EXIT_FAILURE,
    read_rules,
)
from analysis.ragers.hands import LETTERS_HELP, HandError, parse_hand
from analysis.ragers.play.asked import BELIEFS, Asked
from analysis.ragers.play.histories import HistoryError, parse_history
from analysis.ragers.scenarios import PREPARATIONS, scenarios
from cli import grid
from cli.entry import command
from cli.options import details_option
from cli.output import write_output
from cli.progress import Reporter
from cli.ragers.commands.options import (
    SETTINGS,
    effort_options,
    examples,
    output_options,
    rules_options,
    take_limits,
)
from cli.ragers.views import advise as view
from engine.ragers.rules import PLAYERS

DEFAULT_TOP = 8


@command(
    "advise",
    context_settings=SETTINGS,
    short_help="What to do now with this hand, and why.",
    epilog=examples(
        'ragers advise --patron Solennos --cheers two-bashers --hand "B B S C T"',
        'ragers advise --patron Solennos --cheers two-bashers --hand "B B S C T" --exchange',
        'ragers advise --patron Solennos --cheers two-bashers --history "B/S; P/D+?" --hand "B S C T H"',
        'ragers advise --patron Arianna --cheers two-bashers --history "V/B" --hand "B S S C T"',
        'ragers advise --patron Gharan-zul --cheers two-bashers --beliefs uniform --history "B/S; P/P; S/B"'
        ' --hand "B S C T H"',
    )
    + "\n\n\b\nHistory: steps separated by semicolons; in each your cards, a slash, the opponent's. V+B: a\n"
    "  Veteran, a Basher on top; D+?S: your Deadeye and what it hides; D+?: the opponent's; -: nothing.\n"
    "  With --preparation seen the first part is what was put away: -B/-S, or - for nothing.\n"
    "  A last part that stops in the middle of its step asks about the placement that is due: V/B."
    "\n\n\b\nExit codes: as for ragers solve.",
)
@click.option("--patron", required=True, metavar="NAME", help="Patron of the day.")
@click.option("--cheers", required=True, metavar="NAME", help="Cheers card on the table.")
@rules_options
@click.option(
    "--preparation",
    type=click.Choice(PREPARATIONS),
    default="redraw",
    show_default=True,
    help="Model of the discard before the day.",
)
@click.option(
    "--player", type=click.Choice(PLAYERS), default=PLAYERS[0], show_default=True, help="Who you are."
)
@click.option(
    "--hand",
    "hand_text",
    required=True,
    metavar="CARDS",
    help=f'Your hand now, after all draws, e.g. "B B S C V". Letters: {LETTERS_HELP}; names will do too.',
)
@click.option(
    "--history", "history_words", default="", metavar="STEPS", help='The day so far, e.g. "B/S; V+C/P".'
)
@click.option("--exchange", is_flag=True, help="Advise on the unseen exchange of the hand as dealt.")
@click.option(
    "--beliefs",
    type=click.Choice(BELIEFS),
    default=BELIEFS[0],
    show_default=True,
    help="What past placements say of hands: by the strategies, or as if any card had been as likely (needs"
    " no solve of earlier decisions).",
)
@click.option(
    "--top", type=click.IntRange(min=0), default=DEFAULT_TOP, show_default=True, help="Hands to list."
)
@effort_options
@details_option
@output_options()
@click.pass_context
def advise(
    ctx: click.Context,
    /,
    patron: str,
    cheers: str,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    preparation: str,
    player: str,
    hand_text: str,
    history_words: str,
    exchange: bool,
    beliefs: str,
    top: int,
    fresh: bool,
    details: bool,
    form: str,
    output: Path | None,
    quiet: bool,
    **limits: Any,
) -> None:
    """Advise on one decision: how often equilibrium takes each action of this hand, what each is worth and
    what the others cost, what the opponent may hold, and how exact all that is.

    The opening is answered from the library, or by solving the day. Later decisions are solved on the spot,
    with what the placements so far say about both hands; what was solved is kept for the steps that follow.
    Without any limit all solves of later decisions take about 12 seconds together.
    """
    rules = read_rules(rules_files, overrides)
    (scenario,) = scenarios(rules, [patron], [cheers], preparation)
    if output is not None:
        check_output(output)
    try:
        steps = parse_history(history_words)
        hand = parse_hand(hand_text)
    except HistoryError as error:
        raise click.BadParameter(str(error), param_hint="'--history'") from None
    except HandError as error:
        raise click.BadParameter(str(error), param_hint="'--hand'") from None
    if exchange and (steps or scenario.preparation != "redraw"):
        raise click.UsageError("--exchange is about the unseen exchange (redraw) before the first step")
    effort = take_limits(limits).effort()
    seat = PLAYERS.index(player)
    with Reporter(quiet=quiet, total=1) as reporter:
        asked = Asked(scenario, seat, hand, steps, exchange, beliefs, top, effort, fresh, reporter)
        report, code = asked.answer()
    if report is not None and not write_output(
        grid.in_format(
            report, form, view.csv_rows, view.sections, view.notes, None if details else view.brief
        ),
        output,
    ):
        code = code or EXIT_FAILURE
    ctx.exit(code)

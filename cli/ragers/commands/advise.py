"""``ragers advise``: what to do now with this hand, at any point of a day, and why."""

from __future__ import annotations

from dataclasses import dataclass

import click

from analysis.errors import RequestError
from analysis.ragers.answers.solving import Effort
from analysis.ragers.hands import LETTERS_HELP, HandError, parse_hand
from analysis.ragers.play.asked import BELIEFS, Asked
from analysis.ragers.play.histories import HistoryError, parse_history
from analysis.ragers.scenarios import Scenario, scenarios
from cli.entry import command
from cli.options import GivenRules, Output, bundle, choice, examples, with_output
from cli.progress import Reporter
from cli.ragers.commands.options import preparation_option, seat_option, with_effort, with_rules
from cli.ragers.views import advise as view
from engine.ragers.rules import Rules

DEFAULT_TOP = 8


@dataclass(frozen=True)
class _Day:
    """The day it is about."""

    patron: str
    cheers: str
    preparation: str

    def under(self, rules: Rules) -> Scenario:
        """Return it under some rules."""
        (scenario,) = scenarios(rules, [self.patron], [self.cheers], self.preparation)
        return scenario


@command(
    "advise",
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
@bundle(
    "day",
    _Day,
    click.option("--patron", required=True, metavar="NAME", help="Patron of the day."),
    click.option("--cheers", required=True, metavar="NAME", help="Cheers card on the table."),
    preparation_option(),
)
@with_rules
@seat_option
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
@choice(
    "--beliefs",
    BELIEFS,
    "What past placements say of hands: by the strategies, or as if any card had been as likely (needs"
    " no solve of earlier decisions).",
)
@click.option(
    "--top", type=click.IntRange(min=0), default=DEFAULT_TOP, show_default=True, help="Hands to list."
)
@with_effort
@with_output(details=True)
def advise(
    day: _Day,
    rules: GivenRules[Rules],
    seat: int,
    hand_text: str,
    history_words: str,
    exchange: bool,
    beliefs: str,
    top: int,
    effort: Effort,
    fresh: bool,
    out: Output,
) -> None:
    """Advise on one decision: how often equilibrium takes each action of this hand, what each is worth and
    what the others cost, what the opponent may hold, and how exact all that is.

    The opening is answered from the library, or by solving the day. Later decisions are solved on the spot,
    with what the placements so far say about both hands; what was solved is kept for the steps that follow.
    Without any limit all solves of later decisions take about 12 seconds together.
    """
    scenario = day.under(rules.load())
    try:
        steps = parse_history(history_words)
        hand = parse_hand(hand_text)
    except HistoryError as error:
        raise RequestError(str(error), "--history") from None
    except HandError as error:
        raise RequestError(str(error), "--hand") from None
    if exchange and (steps or scenario.preparation != "redraw"):
        raise RequestError("--exchange is about the unseen exchange (redraw) before the first step")
    with Reporter(quiet=out.quiet, total=1) as reporter:
        asked = Asked(scenario, seat, hand, steps, exchange, beliefs, top, effort, fresh, reporter)
        report, code = asked.answer()
    if report is None:
        raise click.exceptions.Exit(code)
    out.show(report, view, code)

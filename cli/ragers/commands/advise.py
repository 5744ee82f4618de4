"""``ragers advise``: what to do now with this hand, at any point of a day, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from analysis.errors import RequestError
from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.interrupt import Interrupt
from analysis.ragers.answers.solving import Effort
from analysis.ragers.hands import LETTERS_HELP, HandError, parse_hand
from analysis.ragers.play.asked import BELIEFS, Asked
from analysis.ragers.play.histories import HistoryError, Step, parse_history
from analysis.ragers.scenarios import Scenario, scenarios
from cli.entry import command
from cli.options import GivenRules, Output, bundle, choice, examples, with_output
from cli.progress import Reporter
from cli.ragers.commands.options import preparation_option, seat_option, with_effort, with_rules
from cli.ragers.views import advise as view
from engine.ragers.rules import Rules

if TYPE_CHECKING:
    from analysis.ragers.last_day.advising import MatchAdvice

DEFAULT_TOP = 8


@dataclass(frozen=True)
class _Day:
    """The day it is about."""

    patron: str | None
    cheers: tuple[str, ...]
    preparation: str

    def under(self, rules: Rules) -> Scenario:
        """Return it under some rules."""
        if self.patron is None or len(self.cheers) != 1:
            raise RequestError("the day has a patron (--patron) and a cheers card (--cheers), one of each")
        (scenario,) = scenarios(rules, [self.patron], self.cheers, self.preparation)
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
        "ragers advise --match match.txt",
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
    click.option("--patron", metavar="NAME", help="Patron of the day."),
    click.option(
        "--cheers", multiple=True, metavar="NAME", help="Cheers card on the table; with --match repeatable."
    ),
    preparation_option(),
)
@with_rules
@seat_option
@click.option(
    "--hand",
    "hand_text",
    metavar="CARDS",
    help=f'Your hand now, after all draws, e.g. "B B S C V". Letters: {LETTERS_HELP}; names will do too.',
)
@click.option(
    "--history", "history_words", default="", metavar="STEPS", help='The day so far, e.g. "B/S; V+C/P".'
)
@click.option(
    "--match",
    metavar="STANDING",
    help="Advise for the chance of winning the match: a transcript of ragers play, or where it stands on its"
    ' last day, as for ragers solve, e.g. "day 3, score 4:6, left B2S3P1:B1S2T2".',
)
@click.option("--exchange", is_flag=True, help="Advise on the unseen exchange of the hand as dealt.")
@choice(
    "--beliefs",
    BELIEFS,
    "What past placements say of hands: by the strategies, or as if any card had been as likely (needs"
    " no solve of earlier decisions).",
)
@click.option(
    "--top", type=click.IntRange(0, 10_000), default=DEFAULT_TOP, show_default=True, help="Hands to list."
)
@with_effort
@with_output(details=True)
def advise(
    day: _Day,
    rules: GivenRules[Rules],
    seat: int,
    hand_text: str | None,
    history_words: str,
    match: str | None,
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
    if match is not None and Path(match).is_file():
        if day.patron or day.cheers or hand_text or history_words:
            raise RequestError("a transcript tells patron, cheers cards, hand and history itself", "--match")
        show_advice(partial(_followed, Path(match), effort, beliefs == "uniform"), out)
    if hand_text is None:
        raise RequestError("name the hand to advise on: --hand", "--hand")
    try:
        steps = parse_history(history_words)
        hand = parse_hand(hand_text)
    except HistoryError as error:
        raise RequestError(str(error), "--history") from None
    except HandError as error:
        raise RequestError(str(error), "--hand") from None
    if match is not None:
        asked_of = (match, day, seat, hand, beliefs == "uniform")
        show_advice(partial(_typed, asked_of, steps, rules.load(), effort), out)
    scenario = day.under(rules.load())
    if exchange and (steps or scenario.preparation != "redraw"):
        raise RequestError("--exchange is about the unseen exchange (redraw) before the first step")
    with Reporter(quiet=out.quiet, total=1) as reporter:
        asked = Asked(scenario, seat, hand, steps, exchange, beliefs, top, effort, fresh, reporter)
        report, code = asked.answer()
    if report is None:
        raise click.exceptions.Exit(code)
    out.show(report, view, code)


def show_advice(ask: Callable[[Reporter, Interrupt], MatchAdvice], out: Output) -> NoReturn:
    """Show what `ask` returns."""
    from cli.ragers.views import match_advice

    interrupt = Interrupt("Stopping: proving what there is; again to leave without.")
    with Reporter(quiet=out.quiet, total=1) as reporter, interrupt.installed():
        report = ask(reporter, interrupt)
    out.show(report, match_advice, EXIT_INTERRUPTED if interrupt.requested else 0)


def _followed(path: Path, effort: Effort, uniform: bool, reporter: Reporter, stop: Interrupt) -> MatchAdvice:
    from analysis.ragers.last_day.advising import advise_followed
    from analysis.ragers.last_day.followed import followed

    return advise_followed(followed(path), effort, reporter, stop, uniform=uniform)


def _typed(
    asked_of: tuple[str, _Day, int, tuple[int, ...], bool],
    steps: list[Step],
    rules: Rules,
    effort: Effort,
    reporter: Reporter,
    stop: Interrupt,
) -> MatchAdvice:
    from analysis.ragers.last_day.advising import advise_typed
    from analysis.ragers.last_day.solving import LastDayQuestion
    from analysis.ragers.last_day.standings import parse_standing

    text, day, seat, hand, uniform = asked_of
    standing = parse_standing(text, rules)
    if day.patron is None or not day.cheers:
        raise RequestError("--match needs the patron of the day (--patron) and all cheers cards (--cheers)")
    named = scenarios(rules, [day.patron], day.cheers, "none")
    cheers = tuple(each.cheers.id for each in named)
    seen = day.preparation == "seen"
    question = LastDayQuestion(rules, named[0].patron.id, cheers, standing, seat, hand, effort, seen)
    return advise_typed(question, steps, reporter, stop, uniform=uniform)

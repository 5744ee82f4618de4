"""``clash solo``: chances against the elves alone."""

from __future__ import annotations

from functools import partial

import click

from analysis.clash.matches import clan_ids
from analysis.clash.solo import SoloQuestion, clans_to_play
from cli.clash.commands.options import GAMES_EXIT_CODES, Games, refuse_unused, with_games
from cli.entry import command
from cli.options import Output, at_least, with_output
from engine.clash.rules_schema import DIFFICULTIES


@command("solo", epilog=GAMES_EXIT_CODES)
@click.option(
    "--policy",
    default="search",
    show_default=True,
    metavar="NAME",
    help="Who plays: search (the planner), rule or random.",
)
@click.option("--clans", metavar="CLANS", help='In turn, such as "bohorg,tomb".  [default: all]')
@click.option(
    "--difficulty",
    "difficulties",
    multiple=True,
    metavar="NAME",
    help="easy, medium, difficult or impossible; repeatable.  [default: all]",
)
@at_least(1, "--games", "At each difficulty.", 20)
@click.option("--first/--no-first", default=True, show_default=True, help="Say what to do first.")
@with_games
@with_output()
def solo(
    policy: str,
    clans: str | None,
    difficulties: tuple[str, ...],
    games: int,
    first: bool,
    playing: Games,
    out: Output,
) -> None:
    """Say how often a player wins alone against the elves, at each difficulty, and what he does first.

    The chance is that of a named policy: who plays better wins more often.

    \b
    Examples:
      clash solo --policy rule --games 100
      clash solo --clans tomb --difficulty medium --games 200 --jobs 2
      clash solo --games 2000 --keep solo.jsonl
      clash solo --policy rule --tiles 2a,5b --games 100
    """
    rules = playing.terms.rules
    question = SoloQuestion(
        playing.terms,
        policy,
        clans_to_play(rules, clan_ids(rules, clans)),
        difficulties or DIFFICULTIES,
        games,
        first,
    )
    refuse_unused([policy], judged=first)
    from analysis.clash.solo import solo_report
    from cli.clash.views.games import SOLO

    playing.show(partial(solo_report, question), SOLO, out)

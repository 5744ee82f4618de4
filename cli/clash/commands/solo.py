"""``clash solo``: chances against the elves alone."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.clash.matches import clan_ids, read_habits
from analysis.clash.solo import SoloQuestion, clans_to_play
from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.interrupt import Interrupt
from cli.clash.commands.options import (
    Habits,
    say_that_games_compile,
    with_habits,
    with_kept_games,
    with_rules,
    with_workers,
)
from cli.entry import command
from cli.options import (
    GivenRules,
    Output,
    Workers,
    at_least,
    exit_codes,
    seed_option,
    with_output,
)
from cli.progress import Counter
from engine.clash.rules import Rules
from engine.clash.rules_schema import DIFFICULTIES


@command(
    "solo",
    epilog=exit_codes({EXIT_INTERRUPTED: "interrupted, with what was finished"}),
)
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
@seed_option("Of set-ups and chance.")
@with_habits
@with_workers
@with_kept_games
@with_rules
@with_output()
def solo(
    policy: str,
    clans: str | None,
    difficulties: tuple[str, ...],
    games: int,
    first: bool,
    seed: int,
    playing: Habits,
    workers: Workers,
    keep: Path | None,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Say how often a player wins alone against the elves, at each difficulty, and what he does first.

    The chance is that of a named policy: who plays better wins more often.

    \b
    Examples:
      clash solo --policy rule --games 100
      clash solo --clans tomb --difficulty medium --games 200 --jobs 2
      clash solo --games 2000 --keep solo.jsonl
    """
    chosen = rules.load()
    question = SoloQuestion(
        chosen,
        policy,
        clans_to_play(chosen, clan_ids(chosen, clans)),
        difficulties or DIFFICULTIES,
        games,
        seed,
        playing.budget,
        read_habits(playing.habits),
        first,
    )
    from analysis.clash.solo import solo_report
    from cli.clash.views.games import SOLO

    if not out.quiet:
        say_that_games_compile()
    interrupt = Interrupt("Stopping with what is finished; again to leave without it.")
    with interrupt.installed(), Counter(out.quiet) as counter:
        report = solo_report(
            question,
            jobs=workers.jobs,
            scheduler=workers.scheduler,
            interrupt=interrupt,
            keep=keep,
            note=counter,
        )
    out.show(report, SOLO, 0 if report.complete else EXIT_INTERRUPTED)

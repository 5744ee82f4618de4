"""``clash match``: players of the whole game against each other."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.clash.matches import MatchQuestion, clan_ids, read_habits
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


@command(
    "match",
    epilog=exit_codes({EXIT_INTERRUPTED: "interrupted, with what was finished"}),
)
@click.option(
    "--players",
    default="search,rule",
    show_default=True,
    metavar="NAMES",
    help="Two to four of search, rule and random.",
)
@click.option("--clans", metavar="CLANS", help='In the order of seats: "bohorg,tomb".  [default: by chance]')
@at_least(
    1, "--deals", "Each is played once per seat, so with two players there are twice as many games.", 10
)
@click.option("--long-game", is_flag=True, help="Play for more points (V1).")
@seed_option("Of deals and chance.")
@with_habits
@with_workers
@with_kept_games
@with_rules
@with_output()
def match(
    players: str,
    clans: str | None,
    deals: int,
    long_game: bool,
    seed: int,
    playing: Habits,
    workers: Workers,
    keep: Path | None,
    rules: GivenRules[Rules],
    out: Output,
) -> None:
    """Let players play whole games against each other: every deal once per seat, same clans, same luck.

    Battles are drawn from exact tables of outcomes, whoever plays. random makes any move; rule takes what
    gains most by its habits; search tries choices by playouts.

    \b
    Examples:
      clash match --deals 5
      clash match --players search,rule,random --playouts 300 --jobs 2
      clash match --deals 200 --time 1s --keep games.jsonl
    """
    chosen = rules.load()
    question = MatchQuestion(
        chosen,
        tuple(name.strip() for name in players.split(",")),
        clan_ids(chosen, clans),
        deals,
        seed,
        playing.budget,
        read_habits(playing.habits),
        long_game,
    )
    from analysis.clash.matches import match_report
    from cli.clash.views.games import MATCH

    if not out.quiet:
        say_that_games_compile()
    interrupt = Interrupt("Stopping with what is finished; again to leave without it.")
    with interrupt.installed(), Counter(out.quiet) as counter:
        report = match_report(
            question,
            jobs=workers.jobs,
            scheduler=workers.scheduler,
            interrupt=interrupt,
            keep=keep,
            note=counter,
        )
    out.show(report, MATCH, 0 if report.complete else EXIT_INTERRUPTED)

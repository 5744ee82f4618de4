"""``ophidian match``: players of the whole game against each other."""

from __future__ import annotations

from pathlib import Path

import click

from analysis.exit_codes import EXIT_INTERRUPTED
from analysis.interrupt import Interrupt
from analysis.ophidian.matches import MatchQuestion, decks_of, match_report, players_of
from analysis.payoff_matrices import against_each
from cli.entry import command
from cli.ophidian.commands.options import values_option
from cli.options import (
    GivenRules,
    Output,
    Workers,
    at_least,
    exit_codes,
    keep_option,
    refuse_if_given,
    seed_option,
    with_output,
    with_rules,
    with_workers,
)
from cli.parameters import duration
from cli.payoff_matrices import MatrixFile, matrix_option
from cli.progress import Counter
from engine.ophidian.rules import Rules, load_rules


@command("match", epilog=exit_codes({EXIT_INTERRUPTED: "interrupted, with what was finished"}))
@click.option(
    "--players",
    default="search,greedy",
    show_default=True,
    metavar="NAMES",
    help="Two of search, values, greedy and random.",
)
@click.option(
    "--decks", default="iron,storm", show_default=True, metavar="DECKS", help="Of the first and second seat."
)
@at_least(1, "--deals", "Each is played from both seats, so there are twice as many matches.", 20)
@at_least(1, "--iterations", "That a search may try at each decision.", 1000)
@click.option(
    "--time",
    "seconds",
    type=duration,
    metavar="TIME",
    help="Or so long, such as 1s; what is found then depends on the machine.",
)
@values_option
@seed_option("Of deals and chance.")
@with_workers(1, "Processes", "one for each processor")
@keep_option
@with_rules(load_rules, "cards.hex.cost=3")
@matrix_option
@with_output()
def match(
    players: str,
    decks: str,
    deals: int,
    iterations: int,
    seconds: float | None,
    values: Path | None,
    seed: int,
    workers: Workers,
    keep: Path | None,
    rules: GivenRules[Rules],
    matrix: MatrixFile,
    out: Output,
) -> None:
    """Let two players play whole matches: every deal from both seats, with the same luck.

    random makes any move; greedy takes the move after which it likes the position best, roars included;
    search looks ahead to the end of the wave, and plays the last one exactly where cards no longer matter;
    values looks one move ahead by values learned by self-play (ophidian train). All are heuristics.

    \b
    Examples:
      ophidian match --deals 5
      ophidian match --players greedy,random --decks brood,patron --deals 100
      ophidian match --players values,greedy --decks iron,brood --deals 200
      ophidian match --deals 200 --time 1s --jobs 2 --keep match.jsonl
    """
    named = players_of(players)
    for option in () if "search" in named else ("iterations", "seconds"):
        refuse_if_given(option, "only a search heeds it, and none plays here")
    if "values" not in named:
        refuse_if_given("values", "no player plays by values")
    chosen = rules.load()
    question = MatchQuestion(
        chosen,
        named,
        decks_of(chosen, decks),
        deals,
        seed,
        (iterations, seconds),
        None if values is None else values.read_bytes(),
    )
    from cli.ophidian.views import match as view

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
    title = f"Share of matches won in {report.matches} matches"
    matrix.write(against_each(title, report.players[0], [(report.players[1], report.won)]))
    out.show(report, view, 0 if report.complete else EXIT_INTERRUPTED)

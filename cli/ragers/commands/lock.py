"""``ragers lock``: what a habit does to a day, and what it costs who has it."""

from __future__ import annotations

import click

from analysis.ragers.answers.asking import Question
from analysis.ragers.answers.solving import Effort
from analysis.ragers.workbench import locking
from cli.entry import command
from cli.options import GivenRules, Output, choice, examples, with_output
from cli.progress import Reporter
from cli.ragers.commands.options import GivenScenarios, with_effort, with_rules, with_scenarios
from cli.ragers.views import lock as view
from engine.ragers.rules import PLAYERS, Rules


@command(
    "lock",
    short_help="What a habit costs: a type's frequency fixed, the rest solved.",
    epilog=examples(
        "ragers lock --habit chancer=0 --patron Solennos --cheers two-bashers",
        "ragers lock --habit veteran@1-3=0 --patron Arianna --cheers two-bashers --player both",
        "ragers lock --habit basher=80% --patron Solennos --cheers two-bashers --time-limit 10m",
    )
    + "\n\n\b\nExit codes: as for ragers solve.",
)
@click.option(
    "--habit",
    "texts",
    multiple=True,
    required=True,
    metavar="TYPE[@STEP[-STEP]]=FREQUENCY",
    help="How often the type is placed, in that step or those steps (1, the opening, if none is given), by"
    " hands that hold it and something else. Repeatable.",
)
@choice("--player", (*PLAYERS, "both"), "Who has the habits.")
@with_rules
@with_scenarios
@with_effort
@with_output(details=True)
def lock(
    texts: tuple[str, ...],
    player: str,
    rules: GivenRules[Rules],
    asked: GivenScenarios,
    effort: Effort,
    fresh: bool,
    out: Output,
) -> None:
    """Fix how often a type is placed, solve everything else, and compare with the day without such habits.

    "What if players never open with the Chancer?" "What if I always hold the Veteran back?" A habit of one
    player makes the two sides unequal: the tree is twice as large then, and so is the memory needed.
    """
    loaded = rules.load()
    todo = asked.under(loaded)
    question = Question(PLAYERS.index(player) if player in PLAYERS else 0, None, effort, fresh)
    with Reporter(quiet=out.quiet, total=len(todo)) as reporter:
        report, code = locking.lock(loaded, todo, texts, player, question, reporter)
    if not report.scenarios:
        raise click.exceptions.Exit(code)
    out.show(report, view, code)

"""``ragers lock``: what a habit does to a day, and what it costs who has it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analysis.files import check_output
from analysis.ragers.answers.asking import (
    EXIT_FAILURE,
    Question,
    read_rules,
)
from analysis.ragers.scenarios import scenarios
from analysis.ragers.workbench import locking
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
    scenario_options,
    take_limits,
)
from cli.ragers.views import lock as view
from engine.ragers.rules import PLAYERS


@command(
    "lock",
    context_settings=SETTINGS,
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
@click.option(
    "--player",
    type=click.Choice((*PLAYERS, "both")),
    default=PLAYERS[0],
    show_default=True,
    help="Who has the habits.",
)
@rules_options
@scenario_options
@effort_options
@details_option
@output_options()
@click.pass_context
def lock(
    ctx: click.Context,
    /,
    texts: tuple[str, ...],
    player: str,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    patrons: tuple[str, ...],
    cheers: tuple[str, ...],
    preparation: str,
    fresh: bool,
    details: bool,
    form: str,
    output: Path | None,
    quiet: bool,
    **limits: Any,
) -> None:
    """Fix how often a type is placed, solve everything else, and compare with the day without such habits.

    "What if players never open with the Chancer?" "What if I always hold the Veteran back?" A habit of one
    player makes the two sides unequal: the tree is twice as large then, and so is the memory needed.
    """
    rules = read_rules(rules_files, overrides)
    if output is not None:
        check_output(output)
    todo = scenarios(rules, patrons, cheers, preparation)
    question = Question(
        PLAYERS.index(player) if player in PLAYERS else 0, None, take_limits(limits).effort(), fresh
    )
    with Reporter(quiet=quiet, total=len(todo)) as reporter:
        report, code = locking.lock(rules, todo, texts, player, question, reporter)
    brief = None if details else view.brief
    text = grid.in_format(report, form, view.csv_rows, view.sections, view.notes, brief)
    if report.scenarios and not write_output(text, output):
        code = code or EXIT_FAILURE
    ctx.exit(code)

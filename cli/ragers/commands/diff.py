"""``ragers diff``: what a rule change does to the equilibrium, told apart from the solver's uncertainty."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from analysis.files import check_output
from analysis.ragers.answers.asking import EXIT_FAILURE, Question, read_rules
from analysis.ragers.workbench import comparing
from cli import grid
from cli.entry import command
from cli.output import write_output
from cli.ragers.commands.options import (
    SETTINGS,
    effort_options,
    examples,
    output_options,
    scenario_options,
    take_limits,
    view_option,
)
from cli.ragers.progress import Reporter
from cli.ragers.views import diff as view
from engine.ragers.rules import PLAYERS

_Path = click.Path(path_type=Path, exists=True, dir_okay=False)


@command(
    "diff",
    context_settings=SETTINGS,
    short_help="Two rule variants side by side.",
    epilog=examples(
        "ragers diff strong-bashers.toml --patron Solennos --cheers two-bashers",
        "ragers diff old.toml new.toml --patron Solennos --target 0.02",
        "ragers diff --set cards.basher.gp=4 --patron Solennos --cheers two-bashers --time-limit 5m",
        "ragers diff --set-left cards.basher.gp=2 --set cards.basher.gp=4 --patron Solennos --format json",
    )
    + "\n\n\b\nExit codes: as for ragers solve.",
)
@click.argument("files", nargs=-1, type=_Path)
@click.option(
    "--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Changes the right-hand side; repeatable."
)
@click.option(
    "--set-left", multiple=True, metavar="KEY=VALUE", help="Changes the left-hand side; repeatable."
)
@click.option(
    "--rules", "common", multiple=True, metavar="FILE", type=_Path, help="Rules file under both sides."
)
@scenario_options
@view_option
@effort_options
@output_options()
@click.pass_context
def diff(
    ctx: click.Context,
    /,
    files: tuple[Path, ...],
    overrides: tuple[str, ...],
    set_left: tuple[str, ...],
    common: tuple[Path, ...],
    patrons: tuple[str, ...],
    cheers: tuple[str, ...],
    preparation: str,
    player: str,
    fresh: bool,
    form: str,
    output: Path | None,
    quiet: bool,
    **limits: Any,
) -> None:
    """Compare two rule variants: one of FILES with the box, or two of them with each other.

    Both are answered from the library or solved on the spot. A difference is called an effect only where it
    is larger than what the certificates of both sides leave open.
    """
    if len(files) > 2:
        raise click.UsageError("at most two files can be compared")
    left = read_rules((*common, *files[:-1]), set_left)
    right = read_rules((*common, *files[-1:]), overrides)
    if left.sha256 == right.sha256:
        raise click.UsageError("both sides are the same rules; change one with a file, --set or --set-left")
    if output is not None:
        check_output(output)
    seat = PLAYERS.index(player)
    question = Question(seat, None, take_limits(limits).effort(), fresh, strategy=True)
    with Reporter(quiet=quiet, total=1) as reporter:
        report, code = comparing.diff(left, right, (patrons, cheers), preparation, question, reporter)
    text = grid.in_format(report, form, view.csv_rows, view.sections, view.notes)
    if report.scenarios and not write_output(text, output):
        code = code or EXIT_FAILURE
    ctx.exit(code)

"""``ragers diff``: what a rule change does to the equilibrium, told apart from the solver's uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from analysis.files import check_output
from analysis.ragers.answers.asking import EXIT_FAILURE, Question, read_rules
from analysis.ragers.scenarios import scenarios
from analysis.ragers.workbench import comparing
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
    scenario_options,
    take_limits,
    view_option,
)
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
        "ragers diff --left cards.basher.gp=2 --right cards.basher.gp=4 --patron Solennos --format json",
        "ragers diff --left patron=Arianna --right patron=Solennos",
    )
    + "\n\n\b\nExit codes: as for ragers solve.",
)
@click.argument("files", nargs=-1, type=_Path)
@click.option(
    "--left",
    "left_words",
    multiple=True,
    metavar="KEY=VALUE",
    help="The left-hand side: patron=NAME, cheers=NAME, rules=FILE, or a rule value; repeatable.",
)
@click.option(
    "--right", "right_words", multiple=True, metavar="KEY=VALUE", help="The right-hand side, likewise."
)
@click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="A rule value of the right-hand side; repeatable.",
)
@click.option("--set-left", multiple=True, metavar="KEY=VALUE", help="Likewise of the left-hand side.")
@click.option(
    "--rules", "common", multiple=True, metavar="FILE", type=_Path, help="Rules file under both sides."
)
@scenario_options
@view_option
@effort_options
@details_option
@output_options()
@click.pass_context
def diff(
    ctx: click.Context,
    /,
    files: tuple[Path, ...],
    left_words: tuple[str, ...],
    right_words: tuple[str, ...],
    overrides: tuple[str, ...],
    set_left: tuple[str, ...],
    common: tuple[Path, ...],
    patrons: tuple[str, ...],
    cheers: tuple[str, ...],
    preparation: str,
    player: str,
    fresh: bool,
    details: bool,
    form: str,
    output: Path | None,
    quiet: bool,
    **limits: Any,
) -> None:
    """Compare two rule variants, patrons or cheers cards: one of FILES with the box, or two with each other.

    Both are answered from the library or solved on the spot. A difference is called an effect only where it
    is larger than what the certificates of both sides leave open.
    """
    if len(files) > 2:
        raise click.UsageError("at most two files can be compared")
    left = _half(left_words, (*common, *files[:-1]), set_left, "--left")
    right = _half(right_words, (*common, *files[-1:]), overrides, "--right")
    if left == right:
        raise click.UsageError(
            "both sides are the same: change one with a file, --set or --right (--right patron=NAME)"
        )
    if output is not None:
        check_output(output)
    seat = PLAYERS.index(player)
    question = Question(seat, None, take_limits(limits).effort(), fresh, strategy=True)
    with Reporter(quiet=quiet, total=1) as reporter:
        report, code = comparing.diff(left, right, (patrons, cheers), preparation, question, reporter)
    text = grid.in_format(
        report, form, view.csv_rows, view.sections, view.notes, None if details else view.brief
    )
    if report.scenarios and not write_output(text, output):
        code = code or EXIT_FAILURE
    ctx.exit(code)


def _half(
    words: Sequence[str], files: Sequence[Path], overrides: Sequence[str], option: str
) -> comparing.Half:
    """Return a side from the words that describe it, on top of files and values given elsewhere."""
    names: dict[str, str] = {}
    for word in words:
        key, equals, value = (part.strip() for part in word.partition("="))
        if not equals or not value:
            raise click.BadParameter(f"{word!r} is not KEY=VALUE", param_hint=f"'{option}'")
        if key == "rules":
            files = (*files, Path(value))
        elif key in ("patron", "cheers"):
            names[key] = value
        else:
            overrides = (*overrides, word)
    rules = read_rules(files, overrides)
    if "patron" in names:
        names["patron"] = scenarios(rules, [names["patron"]], [], "none")[0].patron.id
    if "cheers" in names:
        names["cheers"] = scenarios(rules, [], [names["cheers"]], "none")[0].cheers.id
    return comparing.Half(rules, names.get("patron"), names.get("cheers"))

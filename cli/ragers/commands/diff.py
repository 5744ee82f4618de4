"""``ragers diff``: what a rule change does to the equilibrium, told apart from the solver's uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from analysis.errors import RequestError
from analysis.ragers.answers.asking import Question, read_rules
from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import scenarios
from analysis.ragers.workbench import comparing
from cli.entry import command
from cli.options import Decorator, Output, bundle, examples, rules_file_option, with_output
from cli.progress import Reporter
from cli.ragers.commands.options import GivenScenarios, seat_option, with_effort, with_scenarios
from cli.ragers.views import diff as view


def _word_option(name: str, text: str, variable: str = "") -> Decorator:
    names = [name, variable] if variable else [name]
    return click.option(*names, multiple=True, metavar="KEY=VALUE", help=text)


def _halves(
    files: tuple[Path, ...],
    left_words: tuple[str, ...],
    right_words: tuple[str, ...],
    overrides: tuple[str, ...],
    set_left: tuple[str, ...],
    common: tuple[Path, ...],
) -> tuple[comparing.Half, comparing.Half]:
    """Return both sides, which differ."""
    if len(files) > 2:
        raise RequestError("at most two files can be compared")
    left = _half(left_words, (*common, *files[:-1]), set_left, "--left")
    right = _half(right_words, (*common, *files[-1:]), overrides, "--right")
    if left == right:
        raise RequestError(
            "both sides are the same: change one with a file, --set or --right (--right patron=NAME)"
        )
    return left, right


@command(
    "diff",
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
@bundle(
    "halves",
    _halves,
    click.argument("files", nargs=-1, type=click.Path(path_type=Path, exists=True, dir_okay=False)),
    _word_option(
        "--left",
        "The left-hand side: patron=NAME, cheers=NAME, rules=FILE, or a rule value; repeatable.",
        "left_words",
    ),
    _word_option("--right", "The right-hand side, likewise.", "right_words"),
    _word_option("--set", "A rule value of the right-hand side; repeatable.", "overrides"),
    _word_option("--set-left", "Likewise of the left-hand side."),
    rules_file_option("common", "Rules file under both sides."),
)
@with_scenarios
@seat_option
@with_effort
@with_output(details=True)
def diff(
    halves: tuple[comparing.Half, comparing.Half],
    asked: GivenScenarios,
    seat: int,
    effort: Effort,
    fresh: bool,
    out: Output,
) -> None:
    """Compare two rule variants, patrons or cheers cards: one of FILES with the box, or two with each other.

    Both are answered from the library or solved on the spot. A difference is called an effect only where it
    is larger than what the certificates of both sides leave open.
    """
    question = Question(seat, None, effort, fresh, strategy=True)
    names = (asked.patrons, asked.cheers)
    with Reporter(quiet=out.quiet, total=1) as reporter:
        report, code = comparing.diff(*halves, names, asked.preparation, question, reporter)
    if not report.scenarios:
        raise click.exceptions.Exit(code)
    out.show(report, view, code)


def _half(
    words: Sequence[str], files: Sequence[Path], overrides: Sequence[str], option: str
) -> comparing.Half:
    """Return a side from the words that describe it, on top of files and values given elsewhere."""
    names: dict[str, str] = {}
    for word in words:
        key, equals, value = (part.strip() for part in word.partition("="))
        if not equals or not value:
            raise RequestError(f"{word!r} is not KEY=VALUE", option)
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

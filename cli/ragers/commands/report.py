"""``ragers report``: stored answers as a page to show to colleagues."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from analysis.files import STDOUT, check_output
from analysis.ragers.answers.asking import EXIT_FAILURE, EXIT_INTERRUPTED, read_rules, worst
from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import scenarios
from analysis.ragers.workbench.variants import Variant, solved, stored
from cli.entry import command
from cli.output import write_output
from cli.page.command import PAGE_MODULES, check_extra, command_line, output_option, summary
from cli.progress import Reporter
from cli.ragers.commands.options import (
    SETTINGS,
    effort_options,
    examples,
    rules_options,
    rules_words,
    scenario_options,
    take_limits,
    view_option,
)
from engine.ragers.rules import PLAYERS

#: Module -> package of the extra `report`.
_NEEDED = {**PAGE_MODULES, "threadpoolctl": "threadpoolctl"}


@command(
    "report",
    context_settings=SETTINGS,
    short_help="A web page of stored answers.",
    epilog=examples(
        "ragers report -o arena.html",
        "ragers report --patron Solennos -o solennos.html",
        "ragers report --rules my.toml --solve --time-limit 10m -o mine.html",
        "ragers report --compare other.toml -o both.html",
        "ragers report --patron Solennos --compare-set cards.basher.gp=4 --solve -o both.html",
    )
    + "\n\n\b\nExit codes: 0 written (what is missing is named on the page); 1 nothing is answered, or the"
    "\nextra `report` is missing; 2 wrong usage; with --solve also 3, 4 and 130 as for ragers solve.",
)
@output_option
@rules_options
@scenario_options
@view_option
@click.option(
    "--compare",
    "compare_files",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Rules file of a variant to show beside, on top of --rules and --set; repeatable.",
)
@click.option(
    "--compare-set",
    "compare_overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="One value of the variant; repeatable.",
)
@click.option("--solve", "solve_missing", is_flag=True, help="Solve what is missing, and keep the answers.")
@effort_options
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.pass_context
def report(
    ctx: click.Context,
    /,
    output: Path,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    patrons: tuple[str, ...],
    cheers: tuple[str, ...],
    preparation: str,
    player: str,
    compare_files: tuple[Path, ...],
    compare_overrides: tuple[str, ...],
    solve_missing: bool,
    fresh: bool,
    quiet: bool,
    **limits: Any,
) -> None:
    """Write one HTML page that needs no network: a heat-map over all scenarios, and a section for each.

    The page covers what the library and your own solves answer. What is missing is shown as missing, with the
    command that solves it; --solve does so at once, within the limits of ragers solve (five minutes each,
    unless others are given).

    Needs the extra `report` (pip install 'arena-solver[report]').
    """
    effort = take_limits(limits).effort()
    if not solve_missing and (fresh or effort != Effort()):
        raise click.UsageError("limits and --fresh say how to solve: add --solve")
    rules = read_rules(rules_files, overrides)
    every = [("base", rules, rules_words(rules_files, overrides))]
    if compare_files or compare_overrides:
        files, sets = (*rules_files, *compare_files), (*overrides, *compare_overrides)
        variant = read_rules(files, sets)
        if variant.sha256 == rules.sha256:
            raise click.UsageError("the variant to compare with is the same rules; change something in it")
        every.append(("variant", variant, rules_words(files, sets)))
    check_extra(_NEEDED, "ragers balance")
    if output != STDOUT:
        check_output(output)
    seat = PLAYERS.index(player)
    variants, code = [], 0
    for word, each, words in every:
        todo = scenarios(each, patrons, cheers, preparation)
        if solve_missing and code != EXIT_INTERRUPTED:
            with Reporter(quiet=quiet, total=len(todo)) as reporter:
                answered, solve_code = solved(todo, seat, effort, reporter, fresh=fresh)
            code = worst((code, solve_code))
        else:
            answered = stored(todo, seat)
        variants.append(Variant(word, each, words, tuple(todo), answered))
    if not any(variant.answered for variant in variants):
        if code:
            ctx.exit(code)
        _nothing(variants)
    from threadpoolctl import threadpool_limits

    from cli.ragers.page.rendering import page

    total = sum(len(variant.answered) for variant in variants)
    # Many products of small matrices: on a busy machine threads wait for each other three times as long.
    with Reporter(quiet=quiet, total=total) as reporter, threadpool_limits(1):
        text = page(variants, seat, command_line("ragers"), reporter)
    written = write_output(text, None if output == STDOUT else output)
    if written and not quiet:
        click.echo(summary(output, _answered(variants)), err=True)
    ctx.exit(code if written else code or EXIT_FAILURE)


def _nothing(variants: Sequence[Variant]) -> None:
    missing = variants[0].missing
    raise click.ClickException(
        f"nothing is stored for these rules ({len(missing)} scenarios asked for); add --solve, or solve"
        f" some of them first, for example: {missing[0].command}"
    )


def _answered(variants: Sequence[Variant]) -> str:
    parts = [
        f"{each.word if len(variants) > 1 else 'scenarios'}: {len(each.answered)} of {len(each.scenarios)}"
        for each in variants
    ]
    return f"{'; '.join(parts)} answered"

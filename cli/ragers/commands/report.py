"""``ragers report``: stored answers as a page to show to colleagues."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from analysis.errors import RequestError, WorkError
from analysis.ragers.answers.asking import EXIT_INTERRUPTED, worst
from analysis.ragers.answers.solving import Effort
from analysis.ragers.workbench.variants import Variant, solved, stored
from cli.entry import command
from cli.options import GivenRules, examples, rules_file_option
from cli.page.command import PAGE_MODULES, PageOutput, check_extra, command_line, with_page
from cli.progress import Reporter
from cli.ragers.commands.options import (
    GivenScenarios,
    seat_option,
    with_effort,
    with_rules,
    with_scenarios,
)
from engine.ragers.rules import Rules

#: Module -> package of the extra `report`.
_NEEDED = {**PAGE_MODULES, "threadpoolctl": "threadpoolctl"}


@command(
    "report",
    short_help="A web page of stored answers.",
    epilog=examples(
        "ragers report -o arena.html",
        "ragers report --patron Solennos -o solennos.html",
        "ragers report --rules my.toml --solve --time-limit 10m -o mine.html",
        "ragers report --compare other.toml -o both.html",
        "ragers report --match match.json -o arena.html",
        "ragers report --patron Solennos --compare-set cards.basher.gp=4 --solve -o both.html",
    )
    + "\n\n\b\nExit codes: 0 written (what is missing is named on the page); 1 nothing is answered, or the"
    "\nextra `report` is missing; 2 wrong usage; with --solve also 3, 4 and 130 as for ragers solve.",
)
@with_page
@with_rules
@with_scenarios
@seat_option
@rules_file_option(
    "compare_files",
    "Rules file of a variant to show beside, on top of --rules and --set; repeatable.",
    flag="--compare",
)
@click.option(
    "--compare-set",
    "compare_overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="One value of the variant; repeatable.",
)
@click.option(
    "--match",
    "match_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="What ragers study --format json wrote: whole matches, too.",
)
@click.option("--solve", "solve_missing", is_flag=True, help="Solve what is missing, and keep the answers.")
@with_effort
def report(
    out: PageOutput,
    rules: GivenRules[Rules],
    asked: GivenScenarios,
    seat: int,
    compare_files: tuple[Path, ...],
    compare_overrides: tuple[str, ...],
    match_file: Path | None,
    solve_missing: bool,
    effort: Effort,
    fresh: bool,
) -> None:
    """Write one HTML page that needs no network: a heat-map over all scenarios, and a section for each.

    The page covers what the library and your own solves answer. What is missing is shown as missing, with the
    command that solves it; --solve does so at once, within the limits of ragers solve (five minutes each,
    unless others are given).

    Needs the extra `report` (pip install 'arena-solver[report]').
    """
    if not solve_missing and (fresh or effort != Effort()):
        raise RequestError("limits and --fresh say how to solve: add --solve")
    base = rules.load()
    every = [("base", base, rules.words)]
    if compare_files or compare_overrides:
        files, sets = (*rules.files, *compare_files), (*rules.overrides, *compare_overrides)
        other = GivenRules(files, sets, rules.loader)
        variant = other.load()
        if variant.sha256 == base.sha256:
            raise RequestError("the variant to compare with is the same rules; change something in it")
        every.append(("variant", variant, other.words))
    check_extra(_NEEDED, "ragers balance")
    from cli.ragers.page.match_charts import match_section, read_match

    matches = None if match_file is None else read_match(match_file)
    variants, code = [], 0
    for word, each, words in every:
        todo = asked.under(each)
        if solve_missing and code != EXIT_INTERRUPTED:
            with Reporter(quiet=out.quiet, total=len(todo)) as reporter:
                answered, solve_code = solved(todo, seat, effort, reporter, fresh=fresh)
            code = worst((code, solve_code))
        else:
            answered = stored(todo, seat)
        variants.append(Variant(word, each, words, tuple(todo), answered))
    if not any(variant.answered for variant in variants):
        if code:
            raise click.exceptions.Exit(code)
        _nothing(variants)
    from threadpoolctl import threadpool_limits

    from cli.ragers.page.rendering import page

    total = sum(len(variant.answered) for variant in variants)
    # Many products of small matrices: on a busy machine threads wait for each other three times as long.
    with Reporter(quiet=out.quiet, total=total) as reporter, threadpool_limits(1):
        told = None if matches is None else match_section(matches)
        text = page(variants, seat, command_line("ragers"), reporter, told)
    out.finish(text, _answered(variants), code)


def _nothing(variants: Sequence[Variant]) -> None:
    missing = variants[0].missing
    raise WorkError(
        f"nothing is stored for these rules ({len(missing)} scenarios asked for); add --solve, or solve"
        f" some of them first, for example: {missing[0].command}"
    )


def _answered(variants: Sequence[Variant]) -> str:
    parts = [
        f"{each.word if len(variants) > 1 else 'scenarios'}: {len(each.answered)} of {len(each.scenarios)}"
        for each in variants
    ]
    return f"{'; '.join(parts)} answered"

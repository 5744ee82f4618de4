"""``ragers balance``: the health report of cards, patrons and cheers cards, from stored answers."""

from __future__ import annotations

from analysis.errors import WorkError
from analysis.ragers.workbench import health
from cli.entry import command
from cli.grid import Shown
from cli.options import GivenRules, Output, examples, with_output
from cli.progress import Reporter
from cli.ragers.commands.options import (
    GivenScenarios,
    seat_option,
    solve_command,
    with_rules,
    with_scenarios,
)
from cli.ragers.views import balance as balance_view
from cli.ragers.views import balance_screen
from engine.ragers.rules import Rules


@command(
    "balance",
    short_help="Card health from stored answers.",
    epilog=examples(
        "ragers balance",
        "ragers balance --patron Solennos --format md --output health.md",
        "ragers balance --rules my.toml --format csv",
    )
    + "\n\n\b\nExit codes: 0 reported (what is missing is named); 1 nothing is stored; 2 wrong usage.",
)
@with_rules
@with_scenarios
@seat_option
@with_output(details=True)
def balance(rules: GivenRules[Rules], asked: GivenScenarios, seat: int, out: Output) -> None:
    """Report which cards are dead or a must, and where, and what patrons and cheers cards change.

    Nothing is solved: the report covers what the library and your own solves answer, and names what is
    missing. Verdicts are told apart by whether they hold in every equilibrium.
    """
    loaded = rules.load()
    todo = asked.under(loaded)
    with Reporter(quiet=out.quiet, total=len(todo)) as reporter:
        report = health.balance(loaded, todo, seat, reporter)
    if not report.scenarios:
        raise WorkError(
            f"nothing is stored for these rules ({len(report.missing)} scenarios asked for); solve some of"
            f" them first, for example: {solve_command(rules, asked, asked.patrons or [todo[0].patron.id])}"
        )
    advice = solve_command(rules, asked, list(dict.fromkeys(each.patron for each in report.missing)))
    out.show(
        report,
        Shown(
            health.csv_rows,
            balance_view.sections,
            lambda each: balance_view.notes(each, advice),
            lambda each: balance_screen.brief(each, advice),
        ),
    )

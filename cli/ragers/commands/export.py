"""``ragers export``: small games for other people's solvers, and stored strategies as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from analysis.errors import WorkError
from analysis.exit_codes import EXIT_FAILURE
from analysis.files import check_output, write_atomically
from analysis.ragers.answers.solving import Effort
from analysis.ragers.play import exporting
from analysis.ragers.play.exporting import Exported, Row
from analysis.ragers.play.trees import tree
from analysis.ragers.scenarios import Scenario, scenarios
from cli.entry import Group
from cli.exporting import with_file
from cli.options import Decorator, GivenRules, at_least, bundle, examples, together
from cli.output import write_output
from cli.progress import Reporter
from cli.ragers.commands.options import (
    GivenScenarios,
    preparation_option,
    solve_command,
    with_effort,
    with_rules,
    with_scenarios,
)
from engine.ragers.rules import Rules


@click.group("export", cls=Group)
def export_group() -> None:
    """Write small games for other solvers, and stored strategies as tables.

    \b
    Examples:
      ragers export efg --rules tiny.toml --patron the-nameless --cheers two-bashers -o tiny.efg
      ragers export nfg --patron solennos --cheers two-bashers --hands "B S P | S S B" -o stage.nfg
      ragers export strategies --patron Solennos -o openings.csv
      ragers export strategies --patron Solennos -o openings.parquet
      ragers export strategies --patron Solennos --cheers two-bashers --history "B/S" -o second.csv
      ragers export behaviour --rules tiny.toml --patron the-nameless --cheers two-bashers -o tiny.csv
    """


@dataclass(frozen=True)
class _Asked:
    """The day asked for; with `hands`, what is left of it after `history`, all cards known."""

    patron: str
    cheers: str
    preparation: str
    hands: str | None
    history: str | None

    def scenario(self, rules: GivenRules[Rules]) -> Scenario:
        (scenario,) = scenarios(rules.load(), [self.patron], [self.cheers], self.preparation)
        return scenario


_with_game: Decorator = together(
    with_rules,
    bundle(
        "asked",
        _Asked,
        click.option("--patron", required=True, metavar="NAME"),
        click.option("--cheers", required=True, metavar="NAME"),
        preparation_option("none", "; not with --hands"),
        click.option(
            "--hands",
            metavar='"CARDS | CARDS"',
            help="Both hands, known to both players, with nothing left to draw.",
        ),
        click.option(
            "--history",
            metavar='"CARD/CARD; ..."',
            help="With --hands: what both have done so far, - for nothing.",
        ),
    ),
    with_file,
)


@export_group.command(
    "efg",
    short_help="A day as a game tree, for Gambit and OpenSpiel.",
    epilog=examples(
        "ragers export efg --rules tiny.toml --patron the-nameless --cheers two-bashers -o tiny.efg"
        " --profile tiny.csv",
        'ragers export efg --patron arianna --cheers two-bashers --hands "BSPCV | SSBHT" -o open-hands.efg',
    ),
)
@_with_game
@at_least(1, "--max-nodes", "Larger trees are refused.", 1_000_000)
@click.option(
    "--profile",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also solve the tree, and write how both play to this file, as Gambit's tools read it.",
)
def efg(rules: GivenRules[Rules], asked: _Asked, max_nodes: int, profile: Path | None, output: Path) -> None:
    """Write a day as an explicit tree (Gambit's .efg), exactly, as fractions.

    Full decks make trees far beyond any memory: take tiny decks (a rules file), or known --hands. Branches,
    deals and infosets are named by cards.
    """
    if profile is not None:
        check_output(profile)
    game, title = tree(asked.scenario(rules), asked.hands, asked.history, max_nodes)
    _write(exporting.efg(game, title), output)
    if profile is not None:
        _write(exporting.profile(game), profile)


@export_group.command(
    "nfg",
    short_help="A stage of a day as a matrix, for Gambit.",
    epilog=examples(
        'ragers export nfg --patron arianna --cheers two-bashers --hands "BS | SP" -o stage.nfg',
        'ragers export nfg --patron arianna --cheers two-bashers --hands "BSPC | SSBH"'
        ' --history "B/S; S/B" -o last.nfg',
    ),
)
@_with_game
@at_least(1, "--max-plans", "Of a player.", 2000)
@click.option(
    "--numbered", is_flag=True, help="Number the plans instead of naming them: all that OpenSpiel reads."
)
def nfg(rules: GivenRules[Rules], asked: _Asked, max_plans: int, numbered: bool, output: Path) -> None:
    """Write a day, or what is left of one, in reduced normal form (Gambit's .nfg), exactly, as fractions.

    A plan says what its owner does wherever his own choices may lead; with one placement left that is the
    card placed. There are exponentially many, so give --hands, and a --history to begin late.
    """
    game, title = tree(asked.scenario(rules), asked.hands, asked.history, 200_000)
    _write(exporting.nfg(game, title, max_plans=max_plans, numbered=numbered), output)


_format_option = click.option(
    "--format", "form", type=click.Choice(["csv", "parquet"]), help="Default: by the file's name."
)


@export_group.command(
    "behaviour",
    short_help="A small day solved: what to do everywhere, as a table.",
    epilog=examples(
        "ragers export behaviour --rules tiny.toml --patron the-nameless --cheers two-bashers -o tiny.csv",
        'ragers export behaviour --patron arianna --cheers two-bashers --hands "BSP | SSB" -o open.parquet',
    ),
)
@_with_game
@at_least(1, "--max-nodes", "Larger trees are refused.", 200_000)
@_format_option
def behaviour(
    rules: GivenRules[Rules], asked: _Asked, max_nodes: int, output: Path, form: str | None
) -> None:
    """Solve a day that is small enough to be a tree, and write its behaviour strategies.

    A row for each infoset and action: what its owner has seen so far, how likely that is, and how often he
    takes the action. Solved by linear programming; infosets are numbered as in the .efg file. Infosets their
    owner never reaches play uniformly.
    """
    rows, value = exporting.behaviour(asked.scenario(rules), asked.hands, asked.history, max_nodes)
    _write_rows(rows, output, form, f"; {value}")


@export_group.command(
    "strategies",
    short_help="Stored openings hand by hand, or a later decision.",
    epilog=examples(
        "ragers export strategies --patron Solennos -o openings.csv",
        "ragers export strategies --patron Solennos --cheers two-bashers -o openings.parquet",
        'ragers export strategies --patron Solennos --cheers two-bashers --history "B/S; P/D+?" -o third.csv',
    )
    + "\n\n\b\nExit codes: 0 written (what is missing is named); 1 nothing is stored, or pyarrow is missing;"
    " 2 wrong usage; 4 refused for memory.",
)
@with_rules
@with_scenarios
@with_file
@_format_option
@click.option(
    "--history",
    metavar="STEPS",
    help="A later decision instead of the opening: the day so far as for ragers advise, accusers first,"
    ' "?" for hidden cards.',
)
@with_effort
def strategies(
    rules: GivenRules[Rules],
    asked: GivenScenarios,
    output: Path,
    form: str | None,
    history: str | None,
    effort: Effort,
    fresh: bool,
) -> None:
    """Write stored openings: a row for each scenario, player, hand and action, with its share and its worth.

    With --history, write the decision that is due then: a row for each player, hand, hidden cards and action.
    It is solved on the spot, as ragers advise does, from what the stored openings and the steps since say
    about both hands. Parquet needs the extra `parquet` (pip install 'arena-solver[parquet]').
    """
    with Reporter(quiet=False, total=1) as reporter:
        rows, missing = exporting.strategies(
            asked.under(rules.load()), history, effort, reporter, fresh=fresh
        )
    if not rows:
        command = solve_command(rules, asked, asked.patrons)
        raise WorkError(f"nothing is stored for these scenarios; solve them first: {command}")
    if missing:
        click.echo(f"Not stored: {', '.join(missing)}", err=True)
    _write_rows(rows, output, form)


def _write_rows(rows: Sequence[Row], output: Path, form: str | None, said: str = "") -> None:
    about = f"{len(rows)} rows{said}"
    if (form or ("parquet" if output.suffix == ".parquet" else "csv")) == "csv":
        _write(Exported(exporting.csv_text(rows), about), output)
        return
    whole = exporting.parquet_bytes(rows)
    try:
        write_atomically(output, whole)
    except OSError as error:
        raise WorkError(f"cannot write {str(output)!r}: {error.strerror}") from None
    click.echo(f"{output}: {about}", err=True)


def _write(made: Exported, output: Path) -> None:
    if not write_output(made.text, output):
        raise click.exceptions.Exit(EXIT_FAILURE)
    click.echo(f"{output}: {made.said}", err=True)

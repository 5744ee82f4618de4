"""``ragers export``: small games for other people's solvers, and stored strategies as tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from analysis.files import check_output
from analysis.ragers.answers.asking import EXIT_MEMORY, Answered, Question, read_rules, stored_answer
from analysis.ragers.answers.solving import Effort
from analysis.ragers.play.behaviour import strategy_rows
from analysis.ragers.play.histories import HistoryError, Step, parse_history
from analysis.ragers.play.trees import solved, tree
from analysis.ragers.scenarios import PREPARATIONS, scenarios
from cli.entry import Group
from cli.output import write_output
from cli.ragers.commands.options import (
    SETTINGS,
    effort_options,
    examples,
    rules_options,
    scenario_options,
    solve_command,
    take_limits,
)
from cli.ragers.progress import Reporter
from engine.ragers.rules import PLAYERS

if TYPE_CHECKING:
    from solver.extensive import ExtensiveGame

_Command = TypeVar("_Command", bound=Callable[..., Any])
_output_option = click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write; replaced only by a finished one.",
)


@click.group("export", cls=Group, context_settings=SETTINGS)
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


def _game_options(command: _Command) -> _Command:
    decorators = (
        rules_options,
        click.option("--patron", required=True, metavar="NAME"),
        click.option("--cheers", required=True, metavar="NAME"),
        click.option(
            "--preparation",
            type=click.Choice(PREPARATIONS),
            default="none",
            show_default=True,
            help="Model of the discard before the day; not with --hands.",
        ),
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
        _output_option,
    )
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


@export_group.command(
    "efg",
    context_settings=SETTINGS,
    short_help="A day as a game tree, for Gambit and OpenSpiel.",
    epilog=examples(
        "ragers export efg --rules tiny.toml --patron the-nameless --cheers two-bashers -o tiny.efg"
        " --profile tiny.csv",
        'ragers export efg --patron arianna --cheers two-bashers --hands "BSPCV | SSBHT" -o open-hands.efg',
    ),
)
@_game_options
@click.option("--max-nodes", type=click.IntRange(min=1), default=1_000_000, show_default=True)
@click.option(
    "--profile",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also solve the tree, and write how both play to this file, as Gambit's tools read it.",
)
def efg(max_nodes: int, profile: Path | None, output: Path, **options: Any) -> None:
    """Write a day as an explicit tree (Gambit's .efg), exactly, as fractions.

    Full decks make trees far beyond any memory: take tiny decks (a rules file), or known --hands. Branches,
    deals and infosets are named by cards.
    """
    from solver.gambit import efg_lines, profile_text

    if profile is not None:
        check_output(profile)
    game, title = _asked(output, max_nodes, **options)
    _write("\n".join(efg_lines(game, title=title, player_names=(PLAYERS[0], PLAYERS[1]))) + "\n", output)
    click.echo(f"{output}: {len(game.node_player)} nodes, {game.num_infosets} infosets", err=True)
    if profile is not None:
        strategy, value, how = solved(game)
        _write(profile_text(game, strategy), profile)
        click.echo(f"{profile}: value {value + 0.0:.6g} to {PLAYERS[0]}, {how}", err=True)


@export_group.command(
    "nfg",
    context_settings=SETTINGS,
    short_help="A stage of a day as a matrix, for Gambit.",
    epilog=examples(
        'ragers export nfg --patron arianna --cheers two-bashers --hands "BS | SP" -o stage.nfg',
        'ragers export nfg --patron arianna --cheers two-bashers --hands "BSPC | SSBH"'
        ' --history "B/S; S/B" -o last.nfg',
    ),
)
@_game_options
@click.option("--max-plans", type=click.IntRange(min=1), default=2000, show_default=True, help="Of a player.")
@click.option(
    "--numbered", is_flag=True, help="Number the plans instead of naming them: all that OpenSpiel reads."
)
def nfg(max_plans: int, numbered: bool, output: Path, **options: Any) -> None:
    """Write a day, or what is left of one, in reduced normal form (Gambit's .nfg), exactly, as fractions.

    A plan says what its owner does wherever his own choices may lead; with one placement left that is the
    card placed. There are exponentially many, so give --hands, and a --history to begin late.
    """
    from solver.normal_form import TooManyPlansError, nfg_text, reduced_normal_form

    game, title = _asked(output, 200_000, **options)
    try:
        form = reduced_normal_form(game, max_plans=max_plans)
    except TooManyPlansError as error:
        raise click.ClickException(
            f"{error}; begin later (--hands, --history), or raise --max-plans"
        ) from None
    players = (PLAYERS[0], PLAYERS[1])
    _write(nfg_text(form, title=title, player_names=players, numbered=numbered), output)
    click.echo(f"{output}: {len(form.plans[0])} by {len(form.plans[1])} plans", err=True)


_format_option = click.option(
    "--format", "form", type=click.Choice(["csv", "parquet"]), help="Default: by the file's name."
)


@export_group.command(
    "behaviour",
    context_settings=SETTINGS,
    short_help="A small day solved: what to do everywhere, as a table.",
    epilog=examples(
        "ragers export behaviour --rules tiny.toml --patron the-nameless --cheers two-bashers -o tiny.csv",
        'ragers export behaviour --patron arianna --cheers two-bashers --hands "BSP | SSB" -o open.parquet',
    ),
)
@_game_options
@click.option("--max-nodes", type=click.IntRange(min=1), default=200_000, show_default=True)
@_format_option
def behaviour(max_nodes: int, output: Path, form: str | None, **options: Any) -> None:
    """Solve a day that is small enough to be a tree, and write its behaviour strategies.

    A row for each infoset and action: what its owner has seen so far, how likely that is, and how often he
    takes the action. Solved by linear programming; infosets are numbered as in the .efg file. Infosets their
    owner never reaches play uniformly.
    """
    from analysis.ragers.play.behaviour import tree_rows
    from solver.lp import LinearProgramError
    from solver.sequence_form import solve_sequence_form

    (scenario,) = scenarios(
        read_rules(options["rules_files"], options["overrides"]),
        [options["patron"]],
        [options["cheers"]],
        options["preparation"],
    )
    check_output(output)
    game, _ = tree(scenario, options["hands"], options["history"], max_nodes)
    try:
        solution = solve_sequence_form(game)
    except LinearProgramError as error:
        raise click.ClickException(f"{error}; take smaller decks, or known --hands") from None
    rows = list(tree_rows(scenario, game, solution.strategy))
    if not rows:
        raise click.ClickException("nobody has a choice in this game")
    _write_rows(rows, output, form)
    value = (
        f"value {solution.value + 0.0:.6g} GP to the accusers, NashConv {max(solution.nash_conv, 0.0):.2g} GP"
    )
    click.echo(f"{output}: {len(rows)} rows; {value}", err=True)


@export_group.command(
    "strategies",
    context_settings=SETTINGS,
    short_help="Stored openings hand by hand, or a later decision.",
    epilog=examples(
        "ragers export strategies --patron Solennos -o openings.csv",
        "ragers export strategies --patron Solennos --cheers two-bashers -o openings.parquet",
        'ragers export strategies --patron Solennos --cheers two-bashers --history "B/S; P/D+?" -o third.csv',
    )
    + "\n\n\b\nExit codes: 0 written (what is missing is named); 1 nothing is stored, or pyarrow is missing;"
    " 2 wrong usage; 4 refused for memory.",
)
@rules_options
@scenario_options
@_output_option
@_format_option
@click.option(
    "--history",
    metavar="STEPS",
    help="A later decision instead of the opening: the day so far as for ragers advise, accusers first,"
    ' "?" for hidden cards.',
)
@effort_options
def strategies(
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    patrons: tuple[str, ...],
    cheers: tuple[str, ...],
    preparation: str,
    output: Path,
    form: str | None,
    history: str | None,
    fresh: bool,
    **limits: Any,
) -> None:
    """Write stored openings: a row for each scenario, player, hand and action, with its share and its worth.

    With --history, write the decision that is due then: a row for each player, hand, hidden cards and action.
    It is solved on the spot, as ragers advise does, from what the stored openings and the steps since say
    about both hands. Parquet needs the extra `parquet` (pip install 'arena-solver[parquet]').
    """
    rules = read_rules(rules_files, overrides)
    check_output(output)
    effort = take_limits(limits).effort()
    steps = _steps(history, used=fresh or effort != Effort())
    question = Question(0, None, Effort(iterations=1), False, strategy=True)
    rows: list[dict[str, Any]] = []
    missing = []
    with Reporter(quiet=False, total=1) as reporter:
        for scenario in scenarios(rules, patrons, cheers, preparation):
            answered = stored_answer(scenario, question)
            if answered is None or answered.strategy is None:
                missing.append(scenario.title)
            elif steps is None:
                rows += strategy_rows(scenario, answered.strategy)
            else:
                rows += _later_rows(answered, steps, effort, reporter, fresh=fresh)
    if not rows:
        command = solve_command(rules_files, overrides, patrons, cheers, preparation)
        raise click.ClickException(f"nothing is stored for these scenarios; solve them first: {command}")
    if missing:
        click.echo(f"Not stored: {', '.join(missing)}", err=True)
    _write_rows(rows, output, form)
    click.echo(f"{output}: {len(rows)} rows", err=True)


def _steps(history: str | None, *, used: bool) -> list[Step] | None:
    """Return the steps of a history; `used`: whether an option was given that needs one."""
    if history is None:
        if used:
            raise click.UsageError("limits of a solve, and --fresh, mean something only with --history")
        return None
    try:
        steps = parse_history(history)
    except HistoryError as error:
        raise click.BadParameter(str(error), param_hint="'--history'") from None
    if not steps:
        raise click.BadParameter("it is empty; openings are written without it", param_hint="'--history'")
    return steps


def _later_rows(
    answered: Answered, steps: list[Step], effort: Effort, reporter: Reporter, *, fresh: bool
) -> list[dict[str, Any]]:
    """Return the rows of a later decision of a scenario."""
    from analysis.ragers.play.behaviour import decision_rows
    from solver.hidden_hands import MemoryRefused

    assert answered.strategy is not None
    opening = (answered.strategy, f"opening: {answered.source}", answered.answer.nash_conv_gp)
    scenario = answered.scenario
    try:
        return decision_rows(scenario, opening, steps, effort, reporter, fresh=fresh)
    except HistoryError as error:
        raise click.BadParameter(f"{scenario.title}: {error}", param_hint="'--history'") from None
    except MemoryRefused as refused:
        click.echo(f"Refused {scenario.title}: solving on from there {refused} (--memory).", err=True)
        raise click.exceptions.Exit(EXIT_MEMORY) from None


def _write_rows(rows: Sequence[dict[str, Any]], output: Path, form: str | None) -> None:
    if (form or ("parquet" if output.suffix == ".parquet" else "csv")) == "parquet":
        _write_parquet(rows, output)
        return
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    _write(text.getvalue(), output)


def _write_parquet(rows: Sequence[dict[str, Any]], output: Path) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise click.ClickException(
            "Parquet needs pyarrow; install it with: pip install 'arena-solver[parquet]', or write .csv"
        ) from None
    from analysis.files import write_atomically

    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows)), sink)
    try:
        write_atomically(output, sink.getvalue().to_pybytes())
    except OSError as error:
        raise click.ClickException(f"cannot write {str(output)!r}: {error.strerror}") from None


def _write(text: str, output: Path) -> None:
    if not write_output(text, output):
        raise click.exceptions.Exit(1)


def _asked(
    output: Path,
    max_nodes: int,
    *,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    patron: str,
    cheers: str,
    preparation: str,
    hands: str | None,
    history: str | None,
) -> tuple[ExtensiveGame, str]:
    """Return the tree asked for, and what to call it."""
    rules = read_rules(rules_files, overrides)
    check_output(output)
    (scenario,) = scenarios(rules, [patron], [cheers], preparation)
    return tree(scenario, hands, history, max_nodes)

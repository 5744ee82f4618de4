"""``raverun-solve``: reduced games of Raverun, solved exactly."""

from __future__ import annotations

from pathlib import Path

import click

from cli import __version__
from cli.output import check_output, write_output
from cli.raverun import exact_answers
from engine.raverun.rules import RulesError, load_rules

EXIT_FAILURE = 1
EXIT_TARGET_NOT_REACHED = 3
EXIT_MEMORY = 4
EXIT_INTERRUPTED = 130

DEFAULT_ITERATIONS = 20_000
DEFAULT_TARGET = 1e-3
DEFAULT_MAX_NODES = 500_000


@click.command(
    "solve",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 answered; 1 failure; 2 wrong usage; 3 target not reached (best so far printed);"
    " 4 refused for memory; 130 interrupted (what is known printed).",
)
@click.option("--exact", is_flag=True, help="Solve the whole tree: for reduced games of two.")
@click.option(
    "--rules",
    "rules_files",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="TOML file with the values that differ from the box; repeatable.",
)
@click.option(
    "--set", "overrides", multiple=True, metavar="KEY=VALUE", help="E.g. match.characters=2; repeatable."
)
@click.option(
    "--iterations",
    type=click.IntRange(min=0),
    default=DEFAULT_ITERATIONS,
    show_default=True,
    help="Iterations of CFR at most; 0 to leave it out.",
)
@click.option(
    "--target",
    type=click.FloatRange(min=0, min_open=True),
    default=DEFAULT_TARGET,
    show_default=True,
    help="NashConv at which CFR stops.",
)
@click.option(
    "--max-nodes",
    type=click.IntRange(min=1),
    default=DEFAULT_MAX_NODES,
    show_default=True,
    help="Refuse larger trees; a node takes about 2 KiB.",
)
@click.option(
    "--efg",
    type=click.Path(path_type=Path),
    help="Also write the tree to this file, for Gambit and OpenSpiel.",
)
@click.option(
    "--format", "form", type=click.Choice(list(exact_answers.FORMATS)), default="table", show_default=True
)
@click.option("--output", type=click.Path(path_type=Path), help="File to write instead of stdout.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.version_option(__version__, prog_name="raverun-solve")
@click.pass_context
def solve(
    ctx: click.Context,
    exact: bool,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    iterations: int,
    target: float,
    max_nodes: int,
    efg: Path | None,
    form: str,
    output: Path | None,
    quiet: bool,
) -> None:
    """Find how to play a reduced game of Raverun, and what each first card is worth.

    The tree of the whole game is built and solved twice, by linear programming and by CFR.

    \b
    Examples:
      raverun-solve --exact --set match.characters=2 --set match.hand_size=2
      raverun-solve --exact --rules small.toml --format json --output answer.json
      raverun-solve --exact --rules small.toml --efg small.efg
    """
    if not exact:
        raise click.UsageError(
            "so far only reduced games can be solved: say --exact, and make the game small, for example"
            " --set match.characters=2 --set match.hand_size=2"
        )
    try:
        rules = load_rules(rules_files, overrides)
    except RulesError as error:
        raise click.UsageError(str(error)) from None
    targets = [path for path in (output, efg) if path is not None and str(path) != "-"]
    for path in targets:
        check_output(path)

    def note(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    from cli.raverun.exact_game import ExactGame
    from solver.extensive import build_game
    from solver.sequence_form import solve_sequence_form

    note("building the tree")
    try:
        game = build_game(ExactGame(rules, max_deals=max_nodes), max_nodes=max_nodes)
    except MemoryError:
        click.echo(
            f"Refused: the tree has more than {max_nodes} nodes. Make the game smaller"
            " (--set match.characters=2 --set match.hand_size=2), or allow more (--max-nodes).",
            err=True,
        )
        ctx.exit(EXIT_MEMORY)
    if efg is not None:
        from solver.gambit import write_efg

        write_efg(game, efg, title=rules.name)
    note(f"solving {game.num_nodes} nodes by linear programming")
    solution = solve_sequence_form(game)
    code, cfr = 0, None
    if iterations:
        note("solving by CFR")
        try:
            cfr = _cfr(game, iterations, target)
        except KeyboardInterrupt:
            code = EXIT_INTERRUPTED
        if cfr is not None and not cfr.converged:
            code = EXIT_TARGET_NOT_REACHED
    report = exact_answers.ExactReport(
        schema=exact_answers.SCHEMA_NUMBER,
        game="raverun",
        version=__version__,
        rules=exact_answers.rules_report(rules),
        num_nodes=game.num_nodes,
        num_infosets=game.num_infosets,
        value=solution.value + 0.0,
        nash_conv=max(solution.nash_conv, 0.0),
        cfr=cfr,
        cards=exact_answers.first_cards(rules, game, solution.strategy),
    )
    to_file = None if output is None or str(output) == "-" else output
    if not write_output(exact_answers.FORMATS[form](report), to_file):
        code = code or EXIT_FAILURE
    ctx.exit(code)


def _cfr(game: object, iterations: int, target: float) -> exact_answers.CfrReport:
    """What CFR finds."""
    from solver.extensive import ExtensiveGame
    from solver.tree_cfr import TreeCfrSettings, solve_tree_cfr

    assert isinstance(game, ExtensiveGame)
    result = solve_tree_cfr(game, TreeCfrSettings(max_iterations=iterations, target_nash_conv=target))
    return exact_answers.CfrReport(result.value, result.nash_conv, result.iterations, result.converged)

"""``arena solve``: a game of a file, with how sure the answer is."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from analysis.arena.solving import METHODS
from analysis.files import check_output
from cli.arena.views import FORMATS
from cli.output import write_output

EXIT_FAILURE = 1
EXIT_MALFORMED = 2
EXIT_TARGET_NOT_REACHED = 3
EXIT_MEMORY = 4
# As solver.tree_cfr names them; importing it takes a second.
VARIANTS = ("pcfr+", "cfr+", "dcfr", "cfr")


@click.command(
    "solve",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 solved; 1 a game of a kind that is not solved, or the method failed;"
    " 2 wrong usage, or the file is no game (line and column are named);"
    " 3 --target not reached (best so far printed); 4 too large.",
)
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True))
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="auto",
    show_default=True,
    help="auto: fractions where the game is small, else a linear program, else CFR.",
)
@click.option(
    "--variant",
    type=click.Choice(VARIANTS),
    default="pcfr+",
    show_default=True,
    help="Of CFR; pcfr+ predicts.",
)
@click.option(
    "--iterations", type=click.IntRange(min=1), default=10_000, show_default=True, help="Of CFR, at most."
)
@click.option(
    "--target",
    type=click.FloatRange(min=0),
    help="NashConv at which CFR stops, in payoffs of the game; exit code 3 if it is not reached.",
)
@click.option(
    "--max-nodes",
    type=click.IntRange(min=1),
    default=1_000_000,
    show_default=True,
    help="Refuse larger trees, and more combinations of strategies.",
)
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="table", show_default=True)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="File to write instead of stdout.")
@click.pass_context
def solve(
    ctx: click.Context,
    file: Path,
    method: str,
    variant: str,
    iterations: int,
    target: float | None,
    max_nodes: int,
    form: str,
    output: Path | None,
) -> None:
    """Solve a two-player game that another program has written: an .efg or .nfg file of Gambit's formats.

    Trees (.efg) whose payoffs sum to a constant, with perfect recall: the value to the first player, an
    equilibrium, and a certificate of it. Games in strategic form (.nfg): the same, or, where payoffs do not
    sum to a constant, all extreme equilibria of small games and verified ones of larger games. FILE may be -
    for stdin.

    \b
    Examples:
      arena solve poker.efg
      arena solve battle.nfg --format json
      arena solve large.efg --method cfr --target 0.001
    """
    output = None if str(output) == "-" else output
    if output is not None:
        check_output(output)
    from analysis.arena.game_files import decoded, solve_text
    from analysis.arena.solving import Effort
    from solver.exact_sequence_form import TooLargeError
    from solver.extensive import MalformedGameError
    from solver.gambit_tokens import GambitFormatError, UnsupportedGameError
    from solver.lp import LinearProgramError
    from solver.matrix.bimatrix import NoEquilibriumFoundError

    name = str(file)
    effort = Effort(method, variant, iterations, 0.0 if target is None else target, max_nodes)
    try:
        data = sys.stdin.buffer.read() if name == "-" else file.read_bytes()
        report = solve_text(decoded(data), name, effort)
    except GambitFormatError as error:
        click.echo(f"Error: {name}: {error}", err=True)
        ctx.exit(EXIT_MALFORMED)
    except MemoryError as error:
        click.echo(f"Refused: {name}: {error}; allow more with --max-nodes", err=True)
        ctx.exit(EXIT_MEMORY)
    except (UnsupportedGameError, MalformedGameError, TooLargeError) as error:
        click.echo(f"Not solved: {name}: {error}", err=True)
        ctx.exit(EXIT_FAILURE)
    except (LinearProgramError, NoEquilibriumFoundError) as error:
        click.echo(f"Error: {name}: {error}", err=True)
        ctx.exit(EXIT_FAILURE)
    code = 0 if target is None or report.converged else EXIT_TARGET_NOT_REACHED
    if not write_output(FORMATS[form](report), output):
        code = code or EXIT_FAILURE
    ctx.exit(code)

"""``arena solve``: a game of a file, with how sure the answer is."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from analysis.arena.solving import METHODS, VARIANTS, Effort
from analysis.errors import RequestError
from analysis.exit_codes import EXIT_FAILURE, EXIT_MEMORY, EXIT_TARGET_NOT_REACHED, EXIT_USAGE
from analysis.files import STDOUT
from cli.arena.views import solve as view
from cli.entry import command
from cli.options import (
    Output,
    at_least,
    bundle,
    choice,
    exit_codes,
    iterations_option,
    refuse_if_given,
    with_output,
)
from engine.bounded import read_bounded

with_effort = bundle(
    "effort",
    Effort,
    choice("--method", METHODS, "auto: fractions where the game is small, else a linear program, else CFR."),
    choice("--variant", VARIANTS, "Of CFR; pcfr+ predicts."),
    iterations_option("Of CFR, at most.", default=Effort.iterations),
    at_least(
        0.0,
        "--target",
        "NashConv at which CFR stops, in payoffs of the game; exit code 3 if it is not reached.",
    ),
    at_least(1, "--max-nodes", "Refuse larger trees, and more combinations of strategies.", Effort.max_nodes),
)


MOST_BYTES = 1 << 26
"""Of a file with a game."""


@command(
    "solve",
    epilog=exit_codes(
        {
            0: "solved",
            EXIT_FAILURE: "a game of a kind that is not solved, or the method failed",
            EXIT_USAGE: "wrong usage, or the file is no game (line and column are named)",
            EXIT_TARGET_NOT_REACHED: "--target not reached (best so far printed)",
            EXIT_MEMORY: "too large",
        }
    ),
)
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True))
@with_effort
@with_output(quiet=False)
def solve(file: Path, effort: Effort, out: Output) -> None:
    """Solve a two-player game that another program has written: an .efg or .nfg file of Gambit's formats.

    Trees (.efg) whose payoffs sum to a constant, with perfect recall: the value to the first player, an
    equilibrium, and a certificate of it. Games in strategic form (.nfg): the same, or, where payoffs do not
    sum to a constant, all extreme equilibria of small games and verified ones of larger games; so are trees
    in which both can gain, by their plans, up to 4000 pairs. FILE may be - for stdin.

    \b
    Examples:
      arena solve poker.efg
      arena solve battle.nfg --format json
      arena solve large.efg --method cfr --target 0.001
    """
    from analysis.arena.game_files import solve_bytes

    if effort.method in ("exact", "lp"):
        for option in ("variant", "iterations", "target"):
            refuse_if_given(option, f"only CFR heeds it, and the method is {effort.method}")

    try:
        data = sys.stdin.buffer.read(MOST_BYTES) if file == STDOUT else read_bounded(file, MOST_BYTES)
    except OSError as error:
        raise RequestError(f"cannot read {str(file)!r}: {error.strerror or error}") from None
    report = solve_bytes(data, str(file), effort)
    missed = effort.target is not None and not report.converged
    out.show(report, view, EXIT_TARGET_NOT_REACHED if missed else 0)

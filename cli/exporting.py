"""What the commands that write small games for other programs share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from analysis.exit_codes import EXIT_FAILURE
from analysis.files import check_output
from cli.options import at_least, bundle
from cli.output import write_output

if TYPE_CHECKING:
    from solver.extensive import ExtensiveGame


def _checked(output: Path) -> Path:
    check_output(output)
    return output


#: The function gets `output`, a file that can be written.
with_file = bundle(
    "output",
    _checked,
    click.option(
        "--output",
        "-o",
        required=True,
        type=click.Path(path_type=Path, dir_okay=False),
        help="File to write; replaced only by a finished one.",
    ),
)
max_nodes_option = at_least(1, "--max-nodes", "Larger ones are refused.", 200_000)


def write(text: str, output: Path, what: str) -> NoReturn:
    """Write a file, say on stderr what is in it, and leave."""
    if not write_output(text, output):
        raise click.exceptions.Exit(EXIT_FAILURE)
    click.echo(f"{output}: {what}", err=True)
    raise click.exceptions.Exit(0)


def write_tree(tree: ExtensiveGame, title: str, players: tuple[str, str], output: Path) -> NoReturn:
    """Write a tree as Gambit's .efg, and leave."""
    from solver.gambit import ROUNDED, efg_lines, num_rounded

    text = "\n".join(efg_lines(tree, title=title, player_names=players)) + "\n"
    rounded = num_rounded(tree)
    lost = f"; {ROUNDED.format(rounded)}" if rounded else ""
    write(text, output, f"{tree.num_nodes} nodes, {tree.num_infosets} infosets{lost}")

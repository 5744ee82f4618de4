"""Games of other people's files: read, solved, reported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.arena.report import GameReport

__all__ = ["solve"]


def solve(file: str | Path, **effort: Any) -> GameReport:
    """Return the solution of a game in a file of Gambit's formats (.efg, .nfg), and how sure it is.

    Parameters
    ----------
    file
        Where it is.
    effort
        Fields of :class:`analysis.arena.solving.Effort`: ``method``, ``variant``, ``iterations``, ``target``,
        ``max_nodes``.

    Raises
    ------
    MalformedFileError
        If it is no game; with line and column.
    RefusedError
        If it is too large.
    WorkError
        If games of its kind are not solved, or the method failed.
    """
    from analysis.arena.game_files import solve_bytes
    from analysis.arena.solving import Effort
    from analysis.files import read_file

    return solve_bytes(read_file(Path(file)), str(file), Effort(**effort))

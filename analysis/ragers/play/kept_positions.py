"""Solves of positions in mid-day, kept in the user's library: advice on the next step starts from this one's.

One file for each position, named for a hash of all it depends on: the day, where it stands, and both ranges.
The same history with other ranges behind it is another position.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.files import write_atomically
from analysis.ragers.answers import library
from analysis.ragers.answers.own_files import POSITIONS
from analysis.ragers.scenarios import Scenario

if TYPE_CHECKING:
    from solver.hidden_hands import Position, PositionSolution

_NUMBERS = ("best_response_values", "nash_conv", "iterations", "seconds", "peak_memory_bytes", "seed")


def path_of(scenario: Scenario, position: Position) -> Path:
    """Return where the solve of a position lies, or would."""
    start = position.start
    digest = hashlib.sha256(f"{library.FORMAT} {library.MODEL} {scenario.day.sha256}".encode())
    digest.update(repr((start.kind, start.acts, start.rows, start.hidden, start.step)).encode())
    digest.update(start.pools.tobytes())
    for reach in position.ranges:
        digest.update(reach.tobytes())
    folder = library.own().root / scenario.day.sha256[:24] / POSITIONS
    return folder / f"{digest.hexdigest()[:24]}.npz"


def find(scenario: Scenario, position: Position) -> PositionSolution | None:
    """Return the kept solve of a position; None if there is none, or its file is damaged."""
    return read(path_of(scenario, position))


def read(path: Path) -> PositionSolution | None:
    """Return the solve kept in a file; None if there is none, or it is damaged."""
    import numpy as np

    from solver.hidden_hands import PositionSolution

    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as archive:
            first, second = archive["best_response_values"].tolist()
            if not all(np.isfinite(archive[name]).all() for name in _NUMBERS):
                return None
            return PositionSolution(
                mixes=(archive["mix0"], archive["mix1"]),
                values=(archive["value0"], archive["value1"]),
                best_response_values=(first, second),
                nash_conv=float(archive["nash_conv"]),
                iterations=int(archive["iterations"]),
                seconds=float(archive["seconds"]),
                peak_memory_bytes=int(archive["peak_memory_bytes"]),
                seed=int(archive["seed"]),
                converged=True,
            )
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
        return None


def store(scenario: Scenario, position: Position, solution: PositionSolution) -> None:
    """Keep a solve, in the place of an earlier one; OSError if it cannot be written."""
    import numpy as np

    path = path_of(scenario, position)
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Any] = {name: np.array(getattr(solution, name)) for name in _NUMBERS}
    for p in range(2):
        arrays |= {f"mix{p}": solution.mixes[p], f"value{p}": solution.values[p]}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    write_atomically(path, buffer.getvalue())

"""Trained things in files: arrays for certain rules and a number of players, written whole or not at all."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from cli.output import write_atomically
from engine.raverun.rules import Rules


class KeptFileError(ValueError):
    """A file that cannot be used; the message says why and what to do."""


def write_kept(path: Path, kind: str, rules: Rules, num_players: int, arrays: dict[str, Any]) -> None:
    """Write arrays, beside their place and then renamed."""
    file = io.BytesIO()
    np.savez_compressed(
        file,
        kind=np.array(kind),
        rules=np.array(rules.sha256),
        num_players=np.array(num_players),
        **arrays,
    )
    write_atomically(path, file.getvalue())


def read_kept(path: Path, kind: str, what: str, rules: Rules, num_players: int) -> dict[str, np.ndarray]:
    """Return the arrays of a file.

    Raises
    ------
    KeptFileError
        If it is not of this kind (`what`, in words), or not for these rules and this number of players.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            held = {name: file[name] for name in file.files}
        found = str(held["kind"])
    except (OSError, ValueError, KeyError) as error:
        raise KeptFileError(f"{path} is no {what} ({error})") from None
    if found != kind:
        raise KeptFileError(f"{path} is of kind {found!r}, not {kind!r}: train again")
    if str(held["rules"]) != rules.sha256 or int(held["num_players"]) != num_players:
        raise KeptFileError(
            f"{path} was trained for other rules or {int(held['num_players'])} players;"
            " give the same --rules, --set and --players, or train again"
        )
    return held

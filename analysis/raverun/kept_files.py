"""Trained things in files: arrays for certain rules and a number of players, written whole or not at all."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from analysis.errors import NotKeptError, RequestError
from analysis.files import check_output, is_stream, write_atomically
from engine.bounded import read_bounded
from engine.raverun.rules import Rules

if TYPE_CHECKING:
    import numpy as np


MOST_BYTES = 1 << 30
"""Of a file of strategies."""


class Kind(NamedTuple):
    """What a file holds: as it is written there, and in words."""

    tag: str
    words: str


NETWORK = Kind("raverun-values-2", "file of values")
"""The first kind was learned from plays in which who bids last saw the other bids."""


class KeptFileError(ValueError):
    """A file that cannot be used; the message says why (`fault`) and what to do."""

    def __init__(self, fault: str, advice: str = "") -> None:
        super().__init__(fault + advice)
        self.fault = fault


@contextmanager
def loading(option: str | None = None) -> Iterator[None]:
    """Raise what is wrong with a file as a `RequestError`; `option` is where it was named."""
    try:
        yield
    except KeptFileError as error:
        raise RequestError(str(error), option) from None


def check_place(path: Path, option: str, kind: Kind, rules: Rules, num_players: int, *, force: bool) -> None:
    """Raise unless arrays can be written at `path` without losing anything that took time to learn.

    What lies there must be of this kind and for these rules and players, or nothing; with `force` it may be
    anything.

    Raises
    ------
    RequestError
        With the reason; `option` is where the path was named.
    """
    check_output(path, option)
    if force or is_stream(path) or not path.exists() or path.stat().st_size == 0:
        return
    try:
        read_kept(path, kind, rules, num_players)
    except KeptFileError as error:
        reason = f"{error.fault}; it is not written over (--force would, and it would be lost)"
        raise RequestError(reason, option) from None


def write_kept(path: Path, kind: Kind, rules: Rules, num_players: int, arrays: dict[str, Any]) -> str | None:
    """Write arrays, beside their place and then renamed; should that fail, elsewhere.

    Returns
    -------
    str or None
        Where they are instead, and why, in words; None if all went well.

    Raises
    ------
    NotKeptError
        If there is no room anywhere.
    """
    import numpy as np

    file = io.BytesIO()
    np.savez_compressed(
        file,
        kind=np.array(kind.tag),
        rules=np.array(rules.sha256),
        num_players=np.array(num_players),
        **arrays,
    )
    try:
        write_atomically(path, file.getvalue())
    except OSError as error:
        other = Path(tempfile.mkdtemp(prefix="raverun-")) / (path.name if path.suffix else "kept.npz")
        reason = f"cannot write {str(path)!r} ({error.strerror})"
        try:
            write_atomically(other, file.getvalue())
        except OSError:
            raise NotKeptError(f"{reason}, nor {str(other)!r}") from None
        return f"Error: {reason}; what was learned is in {other} instead."
    return None


def read_kept(path: Path, kind: Kind, rules: Rules, num_players: int) -> dict[str, np.ndarray]:
    """Return the arrays of a file.

    Raises
    ------
    KeptFileError
        If it is not of this kind, or not for these rules and this number of players.
    """
    import numpy as np

    try:
        data = read_bounded(path, MOST_BYTES)
    except OSError as error:
        raise KeptFileError(f"cannot read {path}: {error.strerror or 'it is damaged'}") from None
    try:
        # Anything else that numpy reads, such as one array alone, is nothing of ours.
        with zipfile.ZipFile(io.BytesIO(data)):
            pass
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            held = {name: np.ascontiguousarray(file[name]).reshape(file[name].shape) for name in file.files}
        found, sha256, players = (held[name].item() for name in ("kind", "rules", "num_players"))
    # What goes wrong inside a damaged archive is anybody's guess: numpy, zipfile, zlib have a dozen kinds.
    except Exception:
        raise KeptFileError(f"{path} is no {kind.words}, or damaged") from None
    if found != kind.tag:
        raise KeptFileError(f"{path} is of kind {found!r}, not {kind.tag!r}", ": train again")
    if sha256 != rules.sha256 or players != num_players:
        raise KeptFileError(
            f"{path} was trained for other rules or {players} players",
            "; give the same --rules, --set and --players, or train again",
        )
    return held


def kept_array(
    path: Path, held: dict[str, np.ndarray], name: str, dtype: type, shape: tuple[int | None, ...]
) -> np.ndarray:
    """Return an array of a file that was read.

    Parameters
    ----------
    shape : its lengths, None where any will do.

    Raises
    ------
    KeptFileError
        If it is missing, of another type or shape, or has entries that are no numbers.
    """
    import numpy as np

    array = held.get(name)
    if array is None:
        raise KeptFileError(f"{path} is damaged: {name} is missing")
    fits = len(array.shape) == len(shape) and all(
        asked in (None, length) for asked, length in zip(shape, array.shape, strict=True)
    )
    if array.dtype != dtype or not fits:
        asked = " x ".join("any" if length is None else str(length) for length in shape)
        raise KeptFileError(
            f"{path} is damaged: {name} holds {' x '.join(map(str, array.shape)) or 'one'} {array.dtype},"
            f" not {asked} {np.dtype(dtype)}"
        )
    if not bool(np.all(np.isfinite(array))):
        raise KeptFileError(f"{path} is damaged: {name} has entries that are no numbers")
    return array

"""A running solve in a file: saved between iterations, and taken up again to the last bit.

The file is an uncompressed zip of a header and one member in numpy's format for each array, so ``numpy.load``
reads it too. Arrays are streamed from and into the memory they live in; nothing is copied, nothing pickled.
The zip's check sums tell a spoilt file, its directory (written last) a cut-off one. A file is written beside
its place and renamed: at any time the earlier state is there, or the new one, whole. What is none of this
solve's is not written over.
"""

from __future__ import annotations

import json
import math
import time
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from arena_solver.writing import is_stream, try_out, writing

FORMAT = 11
_KIND = "running solve of a hidden-hands game"
_HEADER = "header.json"
_CHUNK = 1 << 24
"""Bytes read or written at once: large enough for the disk, small beside the arrays."""


class CheckpointError(Exception):
    """A file that a solve cannot be resumed from; the message says which and why."""


@dataclass(frozen=True)
class Checkpoint:
    """Where a solve is saved, and from where it is taken up."""

    # What tells this solve from others, by name: two solves with the same one are the same game
    identity: Mapping[str, str]
    title: str = ""  # the solve in words, for messages
    # Files, or None
    save_to: Path | None = None
    resume_from: Path | None = None
    # Time between two saves; it is saved at the end, too, and into devices and pipes only then
    interval_s: float = 600.0
    # Called with what people should know: that saving failed, or what was saved at the end
    note: Callable[[str], None] = field(default=lambda _: None)
    # Whether `save_to` may be anything, and is written over. Else it must not exist, or be empty, or hold
    # this very solve, and is left alone until this one has come further
    overwrite: bool = False


@dataclass(frozen=True)
class WarmStart:
    """Files of tables that a solve may begin from, and the one that its own are kept in."""

    identity: Mapping[str, str]  # what all of them must agree in; never the payoffs
    title: str  # this game in words, for those who begin from its tables later
    values: Mapping[str, Any] = field(default_factory=dict)  # what its payoffs come from, kept in its file
    candidates: tuple[Path, ...] = ()  # the most similar game's first
    keep_in: Path | None = None
    most_bytes: int = 1 << 30  # of a file worth keeping
    least_s: float = 2.0  # of a solve worth keeping: quicker ones may as well begin anew
    # Called with what people should know: what a solve begins from, and what could not be read or written
    note: Callable[[str], None] = field(default=lambda _: None)


@dataclass
class Pace:
    """When checks are due and what iterations take, in seconds."""

    next_check: int = 1  # iteration of the next check
    # Time of a check, of an iteration, and of one that visits everything; 0 where not yet known
    check_s: float = 0.0
    plain_s: float = 0.0
    full_s: float = 0.0

    @property
    def rest_s(self) -> float:
        """What another iteration, one more that visits everything, and a certificate would take."""
        return self.plain_s + self.full_s + self.check_s


class Resumable(Protocol):
    """What iterates and can be saved between two iterations."""

    iterations: int

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all arrays that iterations change, contiguous, to be read from or written into."""

    def numbers(self) -> dict[str, float]:
        """Return everything else that they change."""

    def set_numbers(self, numbers: Mapping[str, float]) -> None:
        """Take over what :meth:`numbers` returned."""


def save(path: Path, solve: Resumable, header: Mapping[str, Any]) -> int:
    """Write a solve to `path`.

    Parameters
    ----------
    header
        Anything JSON can hold, besides what the solve itself says; `load` returns it.

    Returns
    -------
    int
        Size of the file in bytes; 0 of a device or pipe.

    Raises ``OSError`` if that fails. Whatever lay at `path` is still there then, and nothing else.
    """
    arrays = solve.arrays()
    whole = {
        "format": FORMAT,
        "kind": _KIND,
        "iterations": solve.iterations,
        "numbers": solve.numbers(),
        "arrays": _layout(arrays),
        **header,
    }
    with writing(path, same_name=True) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(_HEADER, json.dumps(whole, indent=1))
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                npy.write_array_header_1_0(member, npy.header_data_from_array_1_0(array))
                for part in _parts(array):
                    member.write(part)
    return 0 if is_stream(path) else path.stat().st_size


def check(path: Path, identity: Mapping[str, str] | None) -> dict[str, Any]:
    """Return the header of a file that holds the solve of this identity, or of any if it is None.

    Raises
    ------
    CheckpointError
        If it does not, or if it is cut off or no such file at all. Arrays are not looked at.
    """
    with _opened(path) as archive:
        return _header(archive, path, identity)


def check_place(path: Path, identity: Mapping[str, str]) -> int:
    """Return how many iterations of this solve `path` holds already; 0 if there is nothing to be lost.

    Raises
    ------
    CheckpointError
        If there is something else.
    """
    try:
        if is_stream(path) or not path.is_file() or path.stat().st_size == 0:
            return 0
    except OSError:
        return 0  # Whether it can be written is another question.
    return int(check(path, identity)["iterations"])


def load(path: Path, solve: Resumable, identity: Mapping[str, str]) -> dict[str, Any]:
    """Put a saved solve into one that has been built for the same game; return the header.

    Raises ``CheckpointError`` as for :func:`check`; also if sizes differ, or the file is spoilt: `solve` is
    of no use then.
    """
    with _opened(path) as archive:
        header = _header(archive, path, identity)
        arrays = solve.arrays()
        if header["arrays"] != _layout(arrays):
            raise CheckpointError(f"{path} is a solve of this day with arrays of other sizes")
        try:
            for name, array in arrays.items():
                with archive.open(f"{name}.npy") as member:
                    _read(member, array)
            solve.set_numbers(header["numbers"])
        except _BROKEN as error:
            raise CheckpointError(f"{path} is spoilt: {_reason(error)}") from None
    return header


def stored(path: Path, name: str) -> NDArray[Any]:
    """Return one array of a file that :func:`check` has found good.

    Raises ``CheckpointError`` if there is none of this name, or the file is spoilt.
    """
    try:
        with np.load(path) as archive:
            array: NDArray[Any] = archive[name]
        _check_finite(array)
    except _BROKEN as error:
        raise CheckpointError(f"{path} is of another method, or spoilt: {_reason(error)}") from None
    return array


_BROKEN = (OSError, EOFError, KeyError, ValueError, TypeError, NotImplementedError, zipfile.BadZipFile)
"""What reading a file that someone else wrote, or that was cut off, may raise."""


class _NotFinite(ValueError):
    """A number that is none, or beyond all bounds: nothing that an iteration leaves."""


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _NotFinite("a number is not finite")
    return number


def _check_finite(array: NDArray[Any]) -> None:
    if not np.issubdtype(array.dtype, np.inexact):
        return
    flat, step = array.reshape(-1), _CHUNK // array.dtype.itemsize
    if not all(np.isfinite(flat[at : at + step]).all() for at in range(0, flat.size, step)):
        raise _NotFinite("a number is not finite")


def _reason(error: BaseException) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        if path.exists() and not path.is_file():
            raise CheckpointError(f"{path} is no file")
        return zipfile.ZipFile(path)
    except zipfile.BadZipFile:
        raise CheckpointError(f"{path} is no saved solve, or it is cut off") from None
    except _BROKEN as error:
        raise CheckpointError(f"cannot read {path}: {_reason(error)}") from None


def _header(archive: zipfile.ZipFile, path: Path, identity: Mapping[str, str] | None) -> dict[str, Any]:
    try:
        header: dict[str, Any] = json.loads(
            archive.read(_HEADER), parse_float=_finite, parse_constant=_finite
        )
        known = header["kind"] == _KIND
        written, title, theirs = header["format"], header["title"], dict(header["identity"])
        known = known and isinstance(header["iterations"], int) and isinstance(header["arrays"], dict)
        known = known and all(isinstance(each, (int, float)) for each in header["numbers"].values())
    except _NotFinite as error:
        raise CheckpointError(f"{path} is spoilt: {error}") from None
    except (*_BROKEN, AttributeError):
        known = False
    if not known:
        raise CheckpointError(f"{path} is no saved solve")
    if written != FORMAT:
        raise CheckpointError(f"{path} has format {written}, and this version reads {FORMAT}")
    if identity is None:
        return header
    for name in sorted({*identity, *theirs}):
        mine, other = identity.get(name), theirs.get(name)
        if mine != other:
            raise CheckpointError(
                f"{path} holds another solve ({title}): its {name} is {other}, and {mine} was asked for"
            )
    return header


def _layout(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    return {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()}


def _parts(array: NDArray[Any]) -> list[memoryview]:
    """Views of the bytes of an array, a chunk each."""
    # A copy would be written, or read into, instead of the array.
    assert array.flags.c_contiguous
    octets = array.reshape(-1).view(np.uint8)
    return [octets[at : at + _CHUNK].data for at in range(0, octets.size, _CHUNK)]


def _read(member: IO[bytes], array: NDArray[Any]) -> None:
    """Fill an array from a member in numpy's format. Modified in place: `array`."""
    if npy.read_magic(member) != (1, 0) or npy.read_array_header_1_0(member) != (
        array.shape,
        False,
        array.dtype,
    ):
        raise ValueError("an array is not what the header says")
    for part in _parts(array):
        filled = 0
        while filled < len(part):
            octets = member.read(len(part) - filled)
            if not octets:
                raise EOFError("an array is cut off")
            part[filled : filled + len(octets)] = octets
            filled += len(octets)
    if member.read(1):
        raise ValueError("an array is longer than the header says")
    _check_finite(array)


class Keeper:
    """Saves a solve now and then; a file that cannot be written stops nothing.

    Parameters
    ----------
    checkpoint
        Where and how often.
    solve
        What to save.
    """

    def __init__(self, checkpoint: Checkpoint, solve: Resumable) -> None:
        self._checkpoint = checkpoint
        self._solve = solve
        # Of these iterations; a solve may have done some before it was to be saved.
        self._saved = 0
        self._earlier = 0
        """Those of this solve that the file holds from an earlier time, and that are not to be lost."""
        self._next_s = time.monotonic() + checkpoint.interval_s
        self._probe()

    def _probe(self) -> None:
        """Say at once, not in ten minutes, that a file cannot be written."""
        path = self._checkpoint.save_to
        if path is None:
            return
        try:
            try_out(path)
        except OSError as error:
            self._complain(path, error)
        if not self._checkpoint.overwrite:
            self._earlier = check_place(path, self._checkpoint.identity)

    def _complain(self, path: Path, error: OSError) -> None:
        self._checkpoint.note(f"Cannot save to {path}: {_reason(error)}. The solve goes on.")

    def resume(self) -> tuple[Pace, float, list[tuple[int, float, float]]] | None:
        """Take up the saved solve, if one was asked for.

        Returns
        -------
        tuple or None
            Its pace, the seconds it had taken, and its history.

        Raises ``CheckpointError`` if it cannot be.
        """
        path = self._checkpoint.resume_from
        if path is None:
            return None
        header = load(path, self._solve, self._checkpoint.identity)
        try:
            pace = Pace(**{name: float(each) for name, each in header["pace"].items()})  # type: ignore[arg-type]
            pace.next_check = int(pace.next_check)
            elapsed_s = float(header["elapsed_s"])
            history = [(int(t), float(at_s), float(gap)) for t, at_s, gap in header["history"]]
        except _BROKEN as error:
            raise CheckpointError(f"{path} is spoilt: {_reason(error)}") from None
        to = self._checkpoint.save_to
        if to is not None and to.resolve() == path.resolve():
            self._saved = self._solve.iterations
            self._earlier = 0
        self._next_s = time.monotonic() + self._checkpoint.interval_s
        return pace, elapsed_s, history

    def due(self) -> bool:
        """Return whether the solve should be saved now."""
        path = self._checkpoint.save_to
        if path is None or time.monotonic() < self._next_s or self._solve.iterations <= self._earlier:
            return False
        return not is_stream(path)  # There, the last state is all that anybody can want.

    def save(self, pace: Pace, elapsed_s: float, history: list[tuple[int, float, float]]) -> bool:
        """Save the solve unless this very state has been; return whether its latest state is in the file."""
        path = self._checkpoint.save_to
        if path is None:
            return False
        if self._solve.iterations == self._saved:
            return self._saved > 0
        if self._solve.iterations <= self._earlier:
            return False
        header = {
            "identity": dict(self._checkpoint.identity),
            "title": self._checkpoint.title,
            "pace": asdict(pace),
            "elapsed_s": elapsed_s,
            "history": history,
        }
        try:
            save(path, self._solve, header)
        except OSError as error:
            self._complain(path, error)
            return False
        finally:
            # From the end, so that a slow disk is not written to all the time.
            self._next_s = time.monotonic() + self._checkpoint.interval_s
        self._saved = self._solve.iterations
        return True

    def close(self, pace: Pace, elapsed_s: float, history: list[tuple[int, float, float]]) -> None:
        """Save for the last time, and say how to go on."""
        path = self._checkpoint.save_to
        if path is not None and 0 < self._solve.iterations <= self._earlier:
            self._checkpoint.note(
                f"{path} holds iteration {self._earlier} of this solve from an earlier time, and is left as"
                f" it is: --resume {path} goes on from there."
            )
        elif self.save(pace, elapsed_s, history) and path is not None:
            where = "" if is_stream(path) else f": --resume {path} goes on from there"
            self._checkpoint.note(f"Iteration {self._saved} is saved{where}.")

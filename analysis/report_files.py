"""Files of reports, read again: JSON of a game's commands that a page is made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from analysis.errors import RequestError
from analysis.files import read_file

__all__ = ["Source", "read"]

_Report = TypeVar("_Report")


@dataclass(frozen=True)
class Source(Generic[_Report]):
    """A file: its name, who writes such files, and what it says."""

    name: str
    command: str
    report: _Report


def read(
    path: Path, kinds: Mapping[type[_Report], str], program: str, mark: Mapping[str, object], schema: int
) -> Source[_Report]:
    """Return what a file says, its kind told by its keys.

    Parameters
    ----------
    path : Path
    kinds : mapping
        Report, a struct -> the command that writes it.
    program : str
        Whose reports they are.
    mark : mapping
        Keys that all of them have, with their values; None for any value.
    schema : int
        The number of their layout.

    Raises
    ------
    RequestError
        If no page can be made from it.
    """
    name, known = str(path), ", ".join(kinds.values())
    try:
        data = read_file(path)
        found = msgspec.json.decode(data)
    except OSError as error:
        raise RequestError(f"cannot read {name}: {error.strerror}") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise RequestError(f"{name} is no JSON: {error}") from None
    if not isinstance(found, dict) or not all(
        key in found and value in (None, found[key]) for key, value in mark.items()
    ):
        raise RequestError(f"{name} is no report of {program}; a page is made from those of {known}")
    if found.get("schema") != schema:
        raise RequestError(f"{name} was written by another version; ask again")
    kind = next((kind for kind in kinds if _keys(kind, required=True) <= set(found) <= _keys(kind)), None)
    if kind is None:
        raise RequestError(f"{name} is none of the reports that a page is made from: {known}")
    try:
        return Source(name, kinds[kind], msgspec.json.decode(data, type=kind))
    except msgspec.ValidationError as error:
        raise RequestError(f"{name} was written by another version, or changed: {error}") from None


def _keys(kind: type, *, required: bool = False) -> set[str]:
    """The keys of a report; those that are always written, which only what may be unset is not."""
    fields = msgspec.structs.fields(kind)
    return {each.encode_name for each in fields if not required or each.default is not msgspec.UNSET}

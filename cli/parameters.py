"""Option values of all games: durations, amounts of memory. Each function is a click option's ``type``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from analysis.errors import RequestError
from analysis.front.sizes import read_duration, read_memory

_Amount = TypeVar("_Amount")


def duration(text: str) -> float:
    """Return the seconds in ``300``, ``90s``, ``30m``, ``1h`` or ``1h30m``; click.BadParameter if none."""
    return _read(read_duration, text)


def memory(text: str) -> int:
    """Return the bytes in ``16GiB``, ``500MB``, ``8G`` or a plain number; click.BadParameter if none."""
    return _read(read_memory, text)


def _read(reader: Callable[[str], _Amount], text: str) -> _Amount:
    try:
        return reader(text)
    except RequestError as error:
        raise click.BadParameter(str(error)) from None

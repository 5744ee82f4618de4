"""Option values of all games: durations, amounts of memory. Each function is a click option's ``type``."""

from __future__ import annotations

import click

from analysis.errors import RequestError
from analysis.front.sizes import read_duration, read_memory


def duration(text: str) -> float:
    """Return the seconds in ``300``, ``90s``, ``30m``, ``1h`` or ``1h30m``.

    Raises
    ------
    click.BadParameter
        If it is none of these, or not positive.
    """
    try:
        return read_duration(text)
    except RequestError as error:
        raise click.BadParameter(str(error)) from None


def memory(text: str) -> int:
    """Return the bytes in ``16GiB``, ``500MB``, ``8G`` (letters alone are powers of two) or a plain number.

    Raises
    ------
    click.BadParameter
        If it is none of these, or less than one byte.
    """
    try:
        return read_memory(text)
    except RequestError as error:
        raise click.BadParameter(str(error)) from None

"""Option values of all games: durations, amounts of memory. Each function is a click option's ``type``."""

from __future__ import annotations

import re

import click

from analysis.errors import RequestError
from analysis.front.sizes import read_memory

_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_NUMBER = r"\s*(\d+(?:\.\d*)?|\.\d+)\s*"


def duration(text: str) -> float:
    """Return the seconds in ``300``, ``90s``, ``30m``, ``1h`` or ``1h30m``.

    Raises
    ------
    click.BadParameter
        If it is none of these, or not positive.
    """
    parts = re.findall(_NUMBER + r"([a-z]*)", text.lower())
    whole = re.fullmatch(rf"(?:{_NUMBER}[a-z]*)+\s*", text.lower())
    units = [_SECONDS.get(unit, 0.0) for _, unit in parts]
    # Of several parts each is of a unit of its own, the largest first: 1h30 might be anything.
    named = all(unit for _, unit in parts)
    falling = len(parts) == 1 or (named and units == sorted(set(units), reverse=True))
    seconds = sum(float(number) * unit for (number, _), unit in zip(parts, units, strict=True))
    if whole is None or not all(units) or not falling or seconds <= 0:
        raise click.BadParameter(f"{text!r} is no duration; write 300, 90s, 30m, 1h or 1h30m")
    return seconds


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

"""Option values of all games: durations, amounts of memory. Each function is a click option's ``type``."""

from __future__ import annotations

import re

import click

_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_DECIMAL = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_NUMBER = r"\s*(\d+(?:\.\d*)?|\.\d+)\s*"


def duration(text: str) -> float:
    """Return the seconds in ``300``, ``90s``, ``30m`` or ``1h``.

    Raises
    ------
    click.BadParameter
        If it is none of these, or not positive.
    """
    match = re.fullmatch(_NUMBER + r"([a-z]*)\s*", text.lower())
    if match is None or match[2] not in _SECONDS or float(match[1]) <= 0:
        raise click.BadParameter(f"{text!r} is no duration; write 300, 90s, 30m or 1h")
    return float(match[1]) * _SECONDS[match[2]]


def memory(text: str) -> int:
    """Return the bytes in ``16GiB``, ``500MB``, ``8G`` (letters alone are powers of two) or a plain number.

    Raises
    ------
    click.BadParameter
        If it is none of these, or less than one byte.
    """
    match = re.fullmatch(_NUMBER + r"([kmgt]?)(i?b|)\s*", text.lower())
    amount = 0
    if match is not None:
        unit = (_DECIMAL if match[3] == "b" else _BINARY)[match[2]]
        amount = int(float(match[1]) * unit)
    if amount <= 0:
        raise click.BadParameter(f"{text!r} is no amount of memory; write 16GiB, 500MB or a number of bytes")
    return amount

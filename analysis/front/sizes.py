"""Durations and amounts of memory as people write them."""

from __future__ import annotations

import re

from analysis.errors import RequestError

__all__ = ["read_duration", "read_memory"]

_NUMBER = r"\s*(\d+(?:\.\d*)?|\.\d+)\s*"
_SECONDS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_DECIMAL = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def read_memory(text: str, option: str | None = "--memory") -> int:
    """Return the bytes in ``16GiB``, ``500MB``, ``8G`` (letters alone are powers of two) or a plain number.

    Raises
    ------
    RequestError
        If it is none of these, or less than one byte.
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([kmgt]?)(i?b|)\s*", text.lower())
    amount = 0
    if match is not None:
        amount = int(float(match[1]) * (_DECIMAL if match[3] == "b" else _BINARY)[match[2]])
    if amount <= 0:
        said = f"{text!r} is no amount of memory; write 16GiB, 500MB or a number of bytes"
        raise RequestError(said, option)
    return amount


def read_duration(text: str, option: str | None = "--time-limit") -> float:
    """Return the seconds in ``300``, ``90s``, ``30m``, ``1h`` or ``1h30m``.

    Raises
    ------
    RequestError
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
        raise RequestError(f"{text!r} is no duration; write 300, 90s, 30m, 1h or 1h30m", option)
    return seconds

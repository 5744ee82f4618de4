"""Amounts of memory as people write them."""

from __future__ import annotations

import re

from analysis.errors import RequestError

__all__ = ["read_memory"]

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
    unit = 0 if match is None else (_DECIMAL if match[3] == "b" else _BINARY)[match[2]]
    amount = 0 if match is None else int(float(match[1]) * unit)
    if amount <= 0:
        said = f"{text!r} is no amount of memory; write 16GiB, 500MB or a number of bytes"
        raise RequestError(said, option)
    return amount

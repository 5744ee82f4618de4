"""Amounts in words: one rounding for everything that people read."""

from __future__ import annotations

import math

#: Binary fractions may lie a hair above the decimal they stand for; that is no reason to round up.
_ROUNDING = 1e-9


def signed(amount: float) -> str:
    """Return an amount with two decimals and its sign; a rounded zero has none."""
    text = f"{amount:+.2f}"
    return "0.00" if text[1:] == "0.00" else text


def bound(amount: float) -> str:
    """Return a NashConv, rounded up so that an upper bound stays one."""
    if amount <= 0:
        return "0"
    if amount >= 0.0005:
        return f"{math.ceil(amount * 1000 - _ROUNDING) / 1000:.3f}"
    unit = 10.0 ** (math.floor(math.log10(amount)) - 1)
    return f"{math.ceil(amount / unit - _ROUNDING) * unit:.1e}"


def counted(number: int, what: str) -> str:
    """Return how many there are, in words: ``1 entry``, ``2,000 entries``."""
    if number == 1:
        return f"1 {what}"
    several = {"ry": f"{what[:-1]}ies", "ch": f"{what}es"}.get(what[-2:], f"{what}s")
    return f"{number:,} {several}"


_GIB = 2.0**30
_MIB = 2.0**20


def clock(seconds: float) -> str:
    """Return a duration as ``m:ss`` or ``h:mm:ss``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def size(num_bytes: float) -> str:
    """Return an amount of memory in GiB, or MiB below one."""
    return f"{num_bytes / _GIB:.1f} GiB" if num_bytes >= _GIB else f"{num_bytes / _MIB:.0f} MiB"


_SURE = 1e-13
"""How far rounding puts a probability that is 0 or 1 from it."""


def percent(share: float, digits: int = 0) -> str:
    """Return a share in per cent, without the sign; what is not nothing and not all is not shown as such."""
    if share <= _SURE:
        return "0"
    least, text = 10.0**-digits, f"{100 * share:.{digits}f}"
    if float(text) == 0:
        return f"<{least:g}"
    if float(text) == 100 and share < 1 - _SURE:
        return f">{100 - least:.{digits}f}"
    return text


def chance(value: float | None, digits: int = 2) -> str:
    """Return a share or a probability with its sign; 0 and 100 % stand for what is so, up to rounding.

    None, and what is no number, is a dash.
    """
    if value is None or math.isnan(value):
        return "-"
    text = percent(value, digits)
    if text[0] in "<>":
        return f"{'less' if text[0] == '<' else 'more'} than {text[1:]} %"
    return f"{100 * value:.{digits}f} %"


def span(low: float, high: float) -> str:
    """Return a bracket of shares in whole per cent, rounded outwards."""
    import math

    return f"{math.floor(100 * low + 1e-9)}–{math.ceil(100 * high - 1e-9)}"

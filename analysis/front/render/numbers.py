"""How a number is written: one rule for digits, for intervals, for what is nearly 0 or nearly certain."""

from __future__ import annotations

from analysis.estimates import Estimate
from analysis.front.page import Cell, Format

__all__ = ["cell_text", "number_text"]

_ROUNDING = 1e-13
_DIGITS = {"number": 2, "signed": 3, "share": 1, "gain": 1}


def cell_text(cell: Cell, kind: Format, digits: int | None = None) -> str:
    """Return a cell in words; a share in per cent, an estimate with its interval.

    What was measured without an interval says that it is not known; a figure that needs none is a number.
    """
    if cell is None:
        return "-"
    if isinstance(cell, str):
        return cell
    if not isinstance(cell, Estimate):
        return number_text(cell, kind, digits)
    if cell.mean is None:
        return "-"
    middle = number_text(cell.mean, kind, digits)
    if cell.low is None and cell.observations:
        return f"{middle} (not known)"
    if cell.low is None or cell.high is None or cell.low == cell.high:
        return middle
    return f"{middle} ({number_text(cell.low, kind, digits)} to {number_text(cell.high, kind, digits)})"


def number_text(number: float, kind: Format, digits: int | None = None) -> str:
    """Return a number; what is uncertain never reads as certain."""
    places = _DIGITS.get(kind, 0) if digits is None else digits
    if kind == "share":
        return _share(number, places)
    if kind == "gain":
        return _signed(100.0 * number, places)
    if kind == "signed":
        return _signed(number, places)
    if kind == "number":
        return f"{number:,.{places}f}"
    if kind == "count":
        return f"{number:,.0f}"
    return f"{number:g}"


def _share(share: float, places: int) -> str:
    least = 10.0**-places
    # What differs from 0 or 1 by rounding only is 0 or 1.
    percent = 100.0 * (round(share) if abs(share - round(share)) <= _ROUNDING else share)
    if 0.0 < percent <= least / 2:
        return f"<{least:.{places}f}"
    if 100.0 - least / 2 <= percent < 100.0:
        return f">{100.0 - least:.{places}f}"
    return f"{percent:.{places}f}"


def _signed(number: float, places: int) -> str:
    text = f"{number:+,.{places}f}"
    return text[1:] if not text.strip("+-0.,") else text

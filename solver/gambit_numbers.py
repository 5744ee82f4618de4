"""Numbers as Gambit's text formats bear them, and other readers of the formats too.

Gambit reads fractions of any size; OpenSpiel's reader takes the two parts of a fraction as numbers of 32
bits, and whole numbers and decimals as float64. So a fraction that is larger is written as a decimal.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from math import floor, log10

LARGEST_PART = 2**31 - 1
"""Of a fraction, above and below the line."""
DIGITS = 17
"""Of a decimal: as many as tell all float64 numbers apart."""


def fits(number: Fraction) -> bool:
    """Return whether a number is written exactly."""
    return number.denominator == 1 or max(abs(number.numerator), number.denominator) <= LARGEST_PART


def number_text(number: Fraction) -> str:
    """Return a number as text: exactly, or as a decimal of `DIGITS` digits."""
    if fits(number):
        return str(number)
    rounding = Context(prec=DIGITS, rounding=ROUND_HALF_EVEN)
    return f"{rounding.divide(Decimal(number.numerator), Decimal(number.denominator)):f}"


def probability_texts(shares: Sequence[Fraction]) -> list[str]:
    """Return probabilities that sum to 1 as texts that do so, too, decimals where one of them needs it.

    The largest one takes what rounding leaves; the others have `DIGITS` digits, the smallest among them at
    least.
    """
    if all(map(fits, shares)):
        return [str(share) for share in shares]
    smallest = min(share for share in shares if share)
    places = DIGITS - floor(log10(smallest))
    unit = 10**places
    units = [round(share * unit) for share in shares]
    units[shares.index(max(shares))] += unit - sum(units)
    # Digits by hand: the decimal module rounds to its context.
    return [f"{number // unit}.{number % unit:0{places}d}" for number in units]

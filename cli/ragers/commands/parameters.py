"""Option values that only these commands take: glory points. Each function is a click option's ``type``."""

from __future__ import annotations

import math

import click


def glory_points(text: str) -> float:
    """Return a positive finite number of glory points.

    Raises
    ------
    click.BadParameter
        If it is none.
    """
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number > 0):
        raise click.BadParameter(f"{text!r} is no positive number of glory points")
    return number

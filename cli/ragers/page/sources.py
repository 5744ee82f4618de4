"""What the numbers of the page rest on: assumed and changed values of the rules, and what is certified."""

from __future__ import annotations

from typing import Any

from engine.ragers.rules import Rules, as_tables
from engine.ragers.rules_schema import SCHEMA
from engine.rulelayers import values_of


def values(rules: Rules, provenance: str) -> list[tuple[str, str]]:
    """Return keys and values of one provenance (``assumed`` or ``changed``)."""
    every = values_of(SCHEMA, as_tables(rules))
    keys = sorted(key for key, source in rules.provenance.items() if source == provenance)
    return [(key, value_text(every.get(key))) for key in keys]


def value_text(value: Any) -> str:
    """Return a value of the rules in words."""
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key} {value_text(each)}" for key, each in value.items())
    return "none" if value is None else str(value)


#: Kind of number, where it comes from, and how sure it is.
NUMBERS = (
    (
        "NashConv",
        "Best responses of both players to the plans found, computed on the whole game, apart from the"
        " solver.",
        "Certified: an upper bound, rounding included.",
    ),
    (
        "Value of the game",
        "The two best responses bound it; where both decks are alike it is zero by symmetry.",
        "Certified: an interval.",
    ),
    (
        "Opening shares, with “every equilibrium”",
        "Shares of the plans found. The interval follows from the value's lower bound and the worth of each"
        " opening.",
        "The interval is certified; the share itself is that of one equilibrium approached.",
    ),
    (
        "Worth of an opening, of a hand",
        "Best play from then on against the plan found for the other player.",
        "Exact against that plan; within NashConv of an equilibrium's on average.",
    ),
    (
        "Worth of a card, with it, luck",
        "Least squares, means and deviation of the worth of hands as dealt, weighted by how likely they are.",
        "As sure as the worth of hands.",
    ),
    (
        "Cards placed, days won, drawn and lost, mean GP",
        "Expectations over the plans found.",
        "Of one equilibrium approached: others may differ, and no interval is known.",
    ),
    (
        "Must, never opens, late card, dead",
        "An opening share over 60 %, or under 1 %; of the latter, a late card comes in at least 10 of 100"
        " days in one of the later steps, and of a dead one under 5 are placed in 100 days.",
        "“In every equilibrium” where the interval says so too.",
    ),
    (
        "GP a day by card, steps, who meets the cheers card, what simple players lose, share of the deals",
        "Days sampled from the plans found when the day was solved (or from a shorter solve: its NashConv"
        " is shown), scored by the reference rules.",
        "Sampled: losses with their standard errors; a dash where no days were sampled.",
    ),
)

"""The explicit tree of a single day with tiny decks, as the oracle of every other way of solving a day.

It is the tree that `ragers export` writes; it knows the reference rules alone, nothing of row automata or
public states.
"""

from __future__ import annotations

from analysis.ragers.day_tree import PREPARATIONS
from analysis.ragers.day_tree import DayTree as TinyDay

__all__ = ["PREPARATIONS", "TinyDay"]

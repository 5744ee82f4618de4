"""The name of changed rules at the head of an answer."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.ragers.wording.names import BOX
from cli import grid
from cli.grid import Section


def under_rules(name: str, parts: Sequence[Section]) -> list[Section]:
    """Return the tables of an answer, the first one headed by the name of its rules if those are no box's."""
    return [*grid.under_rules(None if name == BOX else name, parts)]

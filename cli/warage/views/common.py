"""What all answers say alike: percentages, the card set, tables at 80 columns."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Protocol, TypeVar

from analysis.warage.reports import CardSetReport
from cli.grid import WIDTH, Section

_ID = re.compile(r"(?<![\w-])[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?![\w-])")


class _Answer(Protocol):
    """An answer that says which cards it is for."""

    @property
    def card_set(self) -> CardSetReport:
        """The card set."""
        ...


_Report = TypeVar("_Report", bound=_Answer)
_Part = TypeVar("_Part", Section, str)


def named(view: Callable[[_Report], list[_Part]]) -> Callable[[_Report], list[_Part]]:
    """Return a view that shows names in place of ids, where the rules file of an answer gives its own."""

    @wraps(view)
    def shown(report: _Report) -> list[_Part]:
        names = report.card_set.names
        return [_with_names(part, names) for part in view(report)] if names else view(report)

    return shown


def _with_names(part: _Part, names: Mapping[str, str]) -> _Part:
    def text(words: str) -> str:
        return _ID.sub(lambda found: names.get(found[0], found[0]), words)

    if isinstance(part, str):
        return text(part)
    return replace(
        part,
        title=text(part.title),
        head=[text(cell) for cell in part.head],
        rows=[[text(cell) for cell in row] for row in part.rows],
        lines=[text(line) for line in part.lines],
        facts=[(text(name), text(said)) for name, said in part.facts],
    )


def card_set_note(cards: CardSetReport) -> str:
    """Say which cards an answer is for."""
    text = f"Cards: {cards.name}, {cards.sha256[:12]}; {100 * cards.assumed:.0f} % of its values are assumed"
    if cards.changed:
        text += f", {len(cards.changed)} changed"
    if cards.rulings:
        text += f"; {', '.join(cards.rulings)}"
    if cards.set_aside:
        text += f". Set aside, since they no longer fit: {', '.join(cards.set_aside)}"
    return f"{text}."


def wrapped(text: str, indent: str = "  ") -> list[str]:
    """Return a text in lines of at most 80 columns."""
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent)

"""What all answers say alike: percentages, the card set, tables at 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from analysis.warage.reports import CardSetReport
from cli.grid import WIDTH, Section, aligned, to_csv, to_markdown
from cli.output import to_json

_Report = TypeVar("_Report")


def chance(value: float) -> str:
    """Return a probability in percent."""
    return f"{100 * value:.2f} %"


def card_set_note(cards: CardSetReport) -> str:
    """Say which cards an answer is for."""
    text = f"Cards: {cards.name}, {cards.sha256[:12]}; {100 * cards.assumed:.0f} % of its values are assumed"
    if cards.changed:
        text += f", {len(cards.changed)} changed"
    if cards.rulings:
        text += f"; {', '.join(cards.rulings)}"
    return f"{text}."


def rendered(
    report: _Report,
    form: str,
    rows: Callable[[_Report], Sequence[Mapping[str, object]]],
    sections: Callable[[_Report], Sequence[Section]],
    notes: Callable[[_Report], Sequence[str]],
) -> str:
    """Return a report as ``json``, ``csv``, ``md``, or text no wider than 80 columns."""
    if form == "json":
        return to_json(report)
    if form == "csv":
        return to_csv(rows(report))
    if form == "md":
        return to_markdown(sections(report), notes(report))
    blocks = []
    for section in sections(report):
        lines = [section.title] if section.title else []
        if section.rows:
            head = [section.head] if any(section.head) else []
            lines += aligned([*head, *section.rows], range(section.left))
        blocks.append("\n".join([*lines, *section.lines]))
    wrapped = [textwrap.fill(line, WIDTH, subsequent_indent="  ") for line in notes(report)]
    return "\n\n".join([*blocks, "\n".join(wrapped)]) + "\n"


def wrapped(text: str, indent: str = "  ") -> list[str]:
    """Return a text in lines of at most 80 columns."""
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent)

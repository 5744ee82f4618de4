"""What all answers say alike: percentages, the card set, tables at 80 columns."""

from __future__ import annotations

import textwrap

from analysis.warage.reports import CardSetReport
from cli.grid import WIDTH


def card_set_note(cards: CardSetReport) -> str:
    """Say which cards an answer is for."""
    text = f"Cards: {cards.name}, {cards.sha256[:12]}; {100 * cards.assumed:.0f} % of its values are assumed"
    if cards.changed:
        text += f", {len(cards.changed)} changed"
    if cards.rulings:
        text += f"; {', '.join(cards.rulings)}"
    return f"{text}."


def wrapped(text: str, indent: str = "  ") -> list[str]:
    """Return a text in lines of at most 80 columns."""
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent)

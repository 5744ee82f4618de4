"""The day so far as a user types it: ``B/S; V+C/P; D+?S/D+?``, a part for each step, own cards first."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.ragers.hands import HandError, card_type
from engine.ragers.rules import TYPES


class HistoryError(ValueError):
    """A history that cannot be read, or that no day can take; the message says where and why."""


@dataclass(frozen=True)
class Word:
    """What one player did at one decision.

    Attributes
    ----------
    text : as typed.
    card : type placed, hidden or put away; None for nothing, and for a hidden card of the other player.
    hidden : whether it was placed face-down (K6).
    away : whether it was put away before the day (M2).
    """

    text: str
    card: int | None = None
    hidden: bool = False
    away: bool = False

    def __str__(self) -> str:
        """Return it in full words, as `analysis.ragers.notation` writes cards."""
        name = "" if self.card is None else TYPES[self.card]
        if self.hidden:
            return f"?{name}"
        return f"-{name}" if self.away else name or "-"


Step = tuple[tuple[Word, ...], tuple[Word, ...]]
"""What a player and its opponent did in one step, in order."""


def parse_history(text: str) -> list[Step]:
    """Return the steps that `text` describes.

    Parameters
    ----------
    text : steps separated by semicolons; in each, own cards, a slash, the opponent's; cards of one player
        joined by plus signs, in the order they were placed. ``?S`` is an own hidden card, ``?`` one of the
        opponent, ``-`` nothing, ``-S`` a card put away before the day. Letters and names as in hands.

    Raises
    ------
    HistoryError
        If a part cannot be read.
    """
    steps = []
    parts = text.split(";")
    if not parts[-1].strip():
        parts.pop()
    for number, part in enumerate(parts, 1):
        sides = part.split("/")
        if len(sides) != 2:
            raise HistoryError(
                f"part {number}, {part.strip()!r}: write your cards, a slash, and the opponent's, e.g. B/S"
            )
        try:
            steps.append((_words(sides[0]), _words(sides[1])))
        except HandError as error:
            raise HistoryError(f"part {number}, {part.strip()!r}: {error}") from None
    return steps


def history_text(steps: list[Step]) -> list[str]:
    """Return each step in full words."""
    return ["/".join("+".join(map(str, side)) or "-" for side in step) for step in steps]


def own_cards(steps: list[Step]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the player's cards of each type that were placed (hidden ones, too), and that were put away."""
    words = [word for own, _ in steps for word in own if word.card is not None]
    placed, away = ([word.card for word in words if word.away == each] for each in (False, True))
    return tuple(map(placed.count, range(len(TYPES)))), tuple(map(away.count, range(len(TYPES))))


def _words(text: str) -> tuple[Word, ...]:
    return tuple(_word(word.strip()) for word in text.split("+") if word.strip())


def _word(text: str) -> Word:
    if text in ("-", "?"):
        return Word(text, hidden=text == "?")
    if text[0] in "-?":
        return Word(text, card_type(text[1:].strip()), text[0] == "?", text[0] == "-")
    return Word(text, card_type(text))

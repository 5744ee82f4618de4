"""Players and hands that questions are about."""

from __future__ import annotations

from collections.abc import Iterable

from analysis.errors import RequestError
from engine.raverun.rules import Rules


def check_players(rules: Rules, num_players: int) -> None:
    """Raise RequestError for rules that are not for so many."""
    try:
        rules.hand_size(num_players)
    except ValueError as error:
        raise RequestError(str(error), "--players") from None


def hand_of(rules: Rules, num_players: int, names: Iterable[str]) -> tuple[int, ...]:
    """Return the cards of a hand by their names.

    Raises
    ------
    RequestError
        If there are not as many as are dealt.
    """
    cards = tuple(sorted(rules.card(name.upper()) for name in names))
    size = rules.hand_size(num_players)
    if len(cards) != size:
        raise RequestError(
            f"a hand has {size} different cards with {num_players} players, not {len(cards)}", "--hand"
        )
    return cards

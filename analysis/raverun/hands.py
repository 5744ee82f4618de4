"""Hands as they are typed."""

from __future__ import annotations

from analysis.errors import RequestError
from engine.raverun.rules import Rules, UnknownNameError


def parse_hand(rules: Rules, num_players: int, text: str) -> tuple[int, ...]:
    """Return the cards of a typed hand, such as "1A 3C 4B".

    Raises
    ------
    RequestError
        If a card does not exist or comes twice, or there are not as many as are dealt.
    """
    try:
        cards = tuple(rules.card(name) for name in text.replace(",", " ").split())
    except UnknownNameError as error:
        raise RequestError(str(error), "--hand") from None
    size = rules.hand_size(num_players)
    if len(set(cards)) != len(cards) or len(cards) != size:
        raise RequestError(
            f"a hand has {size} different cards with {num_players} players, not {text!r}",
            "--hand",
        )
    return tuple(sorted(cards))

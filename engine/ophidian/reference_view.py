"""What a player sees of a state of the reference."""

from __future__ import annotations

from engine.ophidian.reference_state import State
from engine.records import replace

UNSEEN = -1
"""Stands for a card that is there and not seen."""


def view(state: State, player: int) -> State:
    """The state as `player` sees it, whoever decides: equal for states that it cannot tell apart.

    Deck lists are open. So of the other's cards it knows which are not on the table or discarded; which of
    them are in hand, in the deck, or under it, stays hidden. The order of decks is in no state.
    """
    holdings = []
    for seat, holding in enumerate(state.holdings):
        if seat != player:
            unseen = list(holding.deck)
            for card in (*holding.hand, *holding.bottom):
                unseen[card] += 1
            hidden = (UNSEEN,) * len(holding.hand), (UNSEEN,) * len(holding.bottom)
            holding = holding._replace(hand=hidden[0], deck=tuple(unseen), bottom=hidden[1])
        holdings.append(holding)
    return replace(state, holdings=tuple(holdings))

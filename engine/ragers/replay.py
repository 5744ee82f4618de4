"""The rows of a day from what both players showed, decision by decision: hands do not matter for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.ragers.reference_row import Slot, hidden_slot, reveal, top_icon
from engine.ragers.rules import DEADEYE, NUM_TYPES, STOPPER, VETERAN

__all__ = ["HIDDEN", "NOBODY", "replay"]

HIDDEN = NUM_TYPES
"""What a player shows who places a card face-down."""
NOBODY = -1
"""What a player shows who does nothing."""


def replay(
    shown: Iterable[Sequence[int]], row_limit: int, *, at_once: bool = False
) -> tuple[tuple[Slot, ...], tuple[Slot, ...]]:
    """Rebuild both rows of a finished day.

    Parameters
    ----------
    shown : pairs of int
        What each player showed at each decision after the exchange: a type, `HIDDEN` or `NOBODY`. A card
        placed face-down as combat ends is no decision; here a Basher stands for it.
    row_limit : int
        Slots that end combat (K2).
    at_once : bool
        Whether a Deadeye's further card comes before those on Veterans (K9).
    """
    rows: list[tuple[Slot, ...]] = [(), ()]
    marks = [False, False]
    left = iter(shown)
    for pair in left:
        slots: tuple[Slot, Slot] = ((), ())
        served = [False, False]
        while True:
            cards = [None if card == NOBODY else card for card in pair]
            slots = reveal((cards[0], cards[1]), slots, (marks[0], marks[1]))
            marks = [False, False]
            # Whoever holds nothing to go on with shows nothing, and that is that (K8).
            if not any(
                top_icon(slot) == VETERAN and card is not None
                for slot, card in zip(slots, cards, strict=True)
            ):
                break
            pair = next(left)
            asks = [
                top_icon(slot) == DEADEYE and not done and len(row) + 1 < row_limit
                for slot, done, row in zip(slots, served, rows, strict=True)
            ]
            # No decision either where the step ends combat anyhow, as the other row is full.
            if at_once and any(asks) and (HIDDEN in pair or tuple(pair) == (NOBODY, NOBODY)):
                for player in (0, 1):
                    served[player] = served[player] or asks[player]
                    if pair[player] == HIDDEN:
                        rows[player] = (*rows[player], hidden_slot(0))
                pair = next(left)
        owes = [False, False]
        for player, slot in enumerate(slots):
            if slot:
                rows[player] = (*rows[player], slot)
                marks[player] = top_icon(slot) == STOPPER
                owes[player] = (
                    top_icon(slot) == DEADEYE and not served[player] and len(rows[player]) < row_limit
                )
        if any(owes):
            hidden = next(left, [HIDDEN if each else NOBODY for each in owes])
            for player, card in enumerate(hidden):
                if card == HIDDEN:
                    rows[player] = (*rows[player], hidden_slot(0))
    return rows[0], rows[1]

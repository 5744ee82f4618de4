"""Bit layout of what a sampled match keeps beyond the words of `layout`.

| word | holds |
|---|---|
| `HIDDEN`, `HIDDEN + 1` | cards player 0 (1) has laid down hidden on all days (K6), packed like hands |
| `BURIED`, `BURIED + 1` | under which patron each of them was laid down, in order |
| `CHOICE` | choices made and not carried out yet, who chooses first, what hands are known to be made of |
"""

from __future__ import annotations

from engine.bits import Bits, check_words
from engine.ragers import layout
from engine.ragers.resolve import NOTHING

HIDDEN, BURIED, CHOICE = layout.NUM_WORDS, layout.NUM_WORDS + 2, layout.NUM_WORDS + 4
NUM_WORDS = CHOICE + 1

PATRONS = Bits(0, 4, "patron of the day on which a hidden card was laid down", 15, 4)

CHOSEN = Bits(0, 4, "action of player 0, player 1, NOT_CHOSEN before it has chosen", 2, 4)
FIRST = Bits(8, 1, "who chooses first where both do")
PAUSED = Bits(9, 1, "a choice was made that nothing has followed yet")
MADE_OF = Bits(10, layout.MAX_TYPES, "types that the cards of a hand are known to be of", 2, layout.MAX_TYPES)

NOT_CHOSEN = 15
ALL_TYPES = MADE_OF.mask

#: A Deadeye takes a slot as well.
_MOST_HIDDEN = layout.MAX_DAYS * (layout.MAX_ROW // 2)

WORDS: dict[str, tuple[Bits, ...]] = {
    "HIDDEN": (layout.CARDS,),
    "BURIED": (PATRONS,),
    "CHOICE": (CHOSEN, FIRST, PAUSED, MADE_OF),
}
check_words(
    WORDS,
    [
        (_MOST_HIDDEN, PATRONS.repeats, "BURIED"),
        (layout.MAX_PATRONS - 1, PATRONS.mask, "PATRONS"),
        (NOTHING, NOT_CHOSEN - 1, "CHOSEN"),
    ],
)

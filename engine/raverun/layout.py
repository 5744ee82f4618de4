"""Bit layout of a state of Raverun: ten int64 words, at most 63 bits used of each.

| word | holds |
|---|---|
| `PLAYER` + p | player p's hand and battlefield, the top of its stack, the card it has chosen |
| `STACK` + p | the cards of its stack, and those it knows face-down elsewhere |
| `POSITION`, `POSITION + 1` | where each card lies in its stack or in the deck |
| `DECK` | the cards of the deck, and those on their way under it |
| `FLOW` | phase, who decides, what is offered, drawn, or shuffled |

A set of cards is a bit each. A card's position is counted from the bottom of its stack, 0 the lowest; in the
deck it is the number of its batch: cards of one batch lie in random order, batch 0 is drawn first. Cards
that lie elsewhere have position 0.
"""

from __future__ import annotations

from engine.bits import Bits, check_words
from engine.raverun import rules_schema
from engine.raverun.rules_schema import ACTIONS, MAX_CARDS

__all__ = ["MAX_CARDS"]

MAX_PLAYERS = max(rules_schema.PLAYER_COUNTS)
NUM_WORDS = 10
PLAYER, STACK, POSITION, DECK, FLOW = 0, 3, 6, 8, 9

NO_CARD = 31
NO_PLAYER = 3
CHANCE_ACTS = 3
"""`ACTING` at chance nodes."""
UNPLACED = 31
"""Position of a card of a stack that is being shuffled, until chance gives it one (8)."""
CARDS_A_WORD = 12
"""Positions in each of the two words."""

HAND = Bits(0, 24, "cards held")
BATTLEFIELD = Bits(24, 24, "cards on the battlefield (P1)")
TOP = Bits(48, 5, "top card of the stack, NO_CARD if it is empty or nothing is laid out yet")
CHOSEN = Bits(53, 5, "card chosen (V3) or played this round (P1), NO_CARD before")

STACKED = Bits(0, 24, "cards of the stack")
KNOWN = Bits(24, 24, "cards face-down in the deck or in other hands whose place this player knows (V4)")

POSITIONS = Bits(0, 5, "position of a card", CARDS_A_WORD, 5)

DECKED = Bits(0, 24, "cards of the deck")
GOING = Bits(24, 24, "cards on their way under the deck (2)")

PHASE = Bits(0, 3, "where in the game")
ACTING = Bits(3, 2, "the player who decides, CHANCE_ACTS at chance nodes")
ORDER = Bits(5, 3, "order of play of this round, an index of RULE_ORDERS (P1)")
ACTED = Bits(8, 2, "players who have chosen or played (V3, P1)")
LEADER = Bits(10, 2, "who decided the order last")
THRESHOLD = Bits(12, 5, "lowest card that may still act in this phase (P3, P5)")
OFFERED = Bits(17, 5, "card that may be used now, NO_CARD if none")
DRAWER = Bits(22, 2, "who draws, NO_PLAYER if nobody")
DRAWS = Bits(24, 5, "cards it still draws (V2, 2, 3)")
SHUFFLER = Bits(29, 2, "whose stack is laid out anew, NO_PLAYER if nobody's (8)")
HIDDEN_ORDER = Bits(31, 24, "cards of stacks whose position only the stack's owner knows (V4, 8)")

DEAL, BID, ORDERING, PLAY, ROUND, LAST, OVER = range(7)
"""Values of PHASE."""

WORDS: dict[str, tuple[Bits, ...]] = {
    "PLAYER": (HAND, BATTLEFIELD, TOP, CHOSEN),
    "STACK": (STACKED, KNOWN),
    "POSITION": (POSITIONS,),
    "DECK": (DECKED, GOING),
    "FLOW": (
        PHASE,
        ACTING,
        ORDER,
        ACTED,
        LEADER,
        THRESHOLD,
        OFFERED,
        DRAWER,
        DRAWS,
        SHUFFLER,
        HIDDEN_ORDER,
    ),
}

# The rules for kernels are one int64 array, see `kernel_rules`. Sets of cards are a bit each.
RULE_NUM_PLAYERS, RULE_NUM_CARDS, RULE_HAND_SIZE, RULE_NUM_ORDERS = range(4)
RULE_ROUND_CARDS = 4  # cards that act on stacks (P3)
RULE_LAST_CARDS = 5  # cards that act on battlefields (P5)
RULE_ROUND_BURIES = 6  # of those, the ones that bury (6)
RULE_LAST_BURIES = 7
RULE_ACTIONS = 8  # [MAX_CARDS], indices of ACTIONS
RULE_SAME_LETTER = RULE_ACTIONS + MAX_CARDS  # [MAX_CARDS], the cards of its letter (7)
RULE_ORDERS = RULE_SAME_LETTER + MAX_CARDS  # [6][MAX_PLAYERS], players in order of play (P1)
RULE_SPREAD = RULE_ORDERS + 6 * MAX_PLAYERS  # [64], six bits to six whole position fields
NUM_RULES = RULE_SPREAD + 64

check_words(
    WORDS,
    [
        (MAX_CARDS, min(field.width for field in (HAND, BATTLEFIELD, STACKED, KNOWN)), "cards in a set"),
        (MAX_CARDS, min(field.width for field in (DECKED, GOING, HIDDEN_ORDER)), "cards in a set"),
        (MAX_CARDS, 2 * CARDS_A_WORD, "cards with a position"),
        (MAX_CARDS - 1, UNPLACED - 1, "positions besides UNPLACED"),
        (UNPLACED, POSITIONS.mask, "POSITIONS"),
        (MAX_CARDS, min(NO_CARD, THRESHOLD.mask), "cards and thresholds"),
        (NO_CARD, min(field.mask for field in (TOP, CHOSEN, OFFERED)), "NO_CARD"),
        (MAX_PLAYERS, min(NO_PLAYER, CHANCE_ACTS, STACK - PLAYER, POSITION - STACK), "players"),
        (NO_PLAYER, min(field.mask for field in (ACTING, LEADER, DRAWER, SHUFFLER)), "NO_PLAYER"),
        (MAX_PLAYERS, ACTED.mask, "ACTED"),
        (5, ORDER.mask, "ORDER"),
        (MAX_CARDS // 2, DRAWS.mask, "DRAWS: a hand, or the cards exchanged"),
        (MAX_CARDS, DRAWS.mask, "DRAWS"),
        (OVER, PHASE.mask, "PHASE"),
        (len(ACTIONS), 8, "actions"),
    ],
)

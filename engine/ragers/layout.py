"""Bit layout of a match state: eight int64 words, at most 63 bits used of each.

| word | holds |
|---|---|
| `DECK`, `DECK + 1` | cards player 0 (1) has still to draw; cheers cards it has taken |
| `HAND`, `HAND + 1` | cards player 0 (1) holds |
| `ROW`, `ROW + 1` | what counts in its row: icons, GP of the attacks, GP of the specials |
| `TABLE` | patrons and cheers cards in their piles and on the table, days finished |
| `FLOW` | phase, who decides, scores, and the step being resolved |

Rows keep what can still matter and nothing else: an icon count stops at `MAX_ICONS`, beyond which no cheers
card can ask (S3). Cards that are face-down count as length only (K4, K6).
"""

from __future__ import annotations

from engine.bits import Bits, check_words

NUM_WORDS = 8
DECK, HAND, ROW, TABLE, FLOW = 0, 2, 4, 6, 7

# Limits of what the words can hold; `kernel_rules` refuses rules beyond them.
MAX_TYPES = 8
MAX_DECK = 60
MAX_COPIES = 9
MAX_HAND = 7
MAX_ROW = 7
MAX_GP = 20
MAX_PATRONS = 16
MAX_CHEERS = 16
MAX_DAYS = 5
MAX_ICONS = 3


# A multiset takes 7 bits a type, so that the sum of any deck fits below a guard bit in every field: running
# totals of all types are then one multiplication, and comparing them all with a number one subtraction.
COUNT_STRIDE = 7

CARDS = Bits(0, 6, "cards of a type", MAX_TYPES, COUNT_STRIDE)
TAKEN = Bits(56, 5, "cheers cards taken (M3)")

# Two bits an icon and a guard bit, so that "at least" is one subtraction for all icons (S3).
ICON_STRIDE = 3
ICONS = Bits(0, 2, "icons of a type, at most MAX_ICONS", MAX_TYPES, ICON_STRIDE)
ATTACK_GP = Bits(24, 9, "GP of the attack cards of an icon (S2)", 3, 9)
SPECIAL_GP = Bits(51, 11, "GP of the un-negated specials (S2)")

PATRON_PILE = Bits(0, 16, "patrons not revealed yet, a bit each (M1)")
CHEERS_PILE = Bits(16, 16, "cheers cards not revealed yet, a bit each (M1)")
CHEERS_TABLE = Bits(32, 16, "cheers cards on the table, a bit each (M2)")
PATRON = Bits(48, 5, "this day's patron, NO_PATRON before it is revealed (M2)")
DAY = Bits(53, 3, "days finished")

PHASE = Bits(0, 3, "what comes next once every hand is refilled")
ACTING = Bits(3, 2, "who decides now, a bit each; 0 at chance nodes and when over")
DRAWING = Bits(5, 2, "whose hand is to be refilled, a bit each (K1)")
SIDE = Bits(7, 12, "the step of player 0, player 1", 2, 12)
SCORE = Bits(31, 12, "GP of player 0, player 1", 2, 12)
OWES = Bits(55, 2, "whose Deadeye is to be served before anything else, a bit each (K9, where at once)")

# Within SIDE.
LENGTH = Bits(0, 3, "slots used (K2)")
LAST_ATTACK = Bits(3, 2, "last un-negated attack icon, NO_ATTACK without any (S1)")
TOP = Bits(5, 4, "icon of the uppermost card of this step's slot, BLANK, or NO_TOP")
TOP_IS_CHANCER = Bits(9, 1, "that card is a Chancer (K5)")
TOP_IS_MARKED = Bits(10, 1, "that card stands under a Stopper's mark (K7)")
MARK = Bits(11, 1, "the next card in the row will stand under a mark (K7)")

NO_PATRON = 31
NO_ATTACK = 3
BLANK = 8
NO_TOP = 9

# In PHASE_DEADEYE, TOP is the Deadeye's id where one is still to be served, and NO_TOP elsewhere (K6); where
# Deadeyes are served at once (K9), OWES says so instead, and TOP what lies there.
PHASE_PATRON, PHASE_CHEERS, PHASE_PREPARE, PHASE_PLACE, PHASE_VETERAN, PHASE_DEADEYE, PHASE_OVER = range(7)

WORDS: dict[str, tuple[Bits, ...]] = {
    "DECK": (CARDS, TAKEN),
    "HAND": (CARDS,),
    "ROW": (ICONS, ATTACK_GP, SPECIAL_GP),
    "TABLE": (PATRON_PILE, CHEERS_PILE, CHEERS_TABLE, PATRON, DAY),
    "FLOW": (PHASE, ACTING, DRAWING, SIDE, SCORE, OWES),
    "SIDE": (LENGTH, LAST_ATTACK, TOP, TOP_IS_CHANCER, TOP_IS_MARKED, MARK),
}

# The rules for kernels are one int64 array, see `kernel_rules`: an array of arrays is dear to hand around.
TOP_CODES = 1 << TOP_IS_MARKED.end - TOP.offset
RULE_HAND_SIZE, RULE_DAYS, RULE_WINNING_LEAD, RULE_DISCARDS, RULE_NUM_PATRONS, RULE_NUM_CHEERS = range(6)
RULE_DECKS = 6  # [2], packed like CARDS
RULE_OUTCOMES = RULE_DECKS + 2  # [NO_ATTACK + 1][NO_ATTACK + 1], how a day ends by the last attack icons (S1)
RULE_SLOT_GP = RULE_OUTCOMES + (NO_ATTACK + 1) ** 2  # [TOP_CODES], what a top adds to a row's GP fields (S2)
RULE_ROW_LENGTHS = RULE_SLOT_GP + TOP_CODES  # [MAX_PATRONS] (K2, C4)
RULE_PLACEABLE = RULE_ROW_LENGTHS + MAX_PATRONS  # [MAX_PATRONS], 1 in the count field of allowed types (K3)
RULE_REQUIRED = RULE_PLACEABLE + MAX_PATRONS  # [MAX_CHEERS], packed like ICONS (S3)
RULE_FORBIDDEN = RULE_REQUIRED + MAX_CHEERS  # [MAX_CHEERS], all bits of a forbidden icon (S3)
RULE_CHEERS_GP = RULE_FORBIDDEN + MAX_CHEERS  # [MAX_CHEERS]
RULE_HIDES_AT_ONCE = RULE_CHEERS_GP + MAX_CHEERS  # 1 or 0 (K9)
NUM_RULES = RULE_HIDES_AT_ONCE + 1


_LIMITS = [
    (MAX_TYPES, min(field.repeats for field in (CARDS, ICONS)), "types"),
    (MAX_DECK, (1 << COUNT_STRIDE - 1) - 1, "running totals below the guard bit of a multiset"),
    (max(MAX_HAND, MAX_COPIES), CARDS.mask, "CARDS"),
    (MAX_CHEERS, TAKEN.mask, "TAKEN"),
    (MAX_ICONS, ICONS.mask, "ICONS"),
    (ICONS.width, ICON_STRIDE - 1, "the guard bit of an icon"),
    (MAX_ROW * 2 * MAX_GP, ATTACK_GP.mask, "ATTACK_GP: one attack a slot, doubled"),
    (MAX_DECK * MAX_GP + MAX_ROW * MAX_GP, SPECIAL_GP.mask, "SPECIAL_GP: one marked card a slot"),
    (MAX_PATRONS, min(PATRON_PILE.width, NO_PATRON), "patrons"),
    (NO_PATRON, PATRON.mask, "PATRON"),
    (MAX_CHEERS, min(CHEERS_PILE.width, CHEERS_TABLE.width), "cheers cards"),
    (MAX_DAYS, DAY.mask, "DAY"),
    (PHASE_OVER, PHASE.mask, "PHASE"),
    ((2 * MAX_DECK + MAX_CHEERS) * MAX_GP, SCORE.mask, "SCORE: all cards doubled, all cheers cards"),
    (MAX_ROW, LENGTH.mask, "LENGTH"),
    (NO_ATTACK, LAST_ATTACK.mask, "LAST_ATTACK"),
    (NO_TOP, TOP.mask, "TOP"),
    (max(field.end for field in WORDS["SIDE"]), SIDE.width, "SIDE"),
]
check_words(WORDS, _LIMITS)

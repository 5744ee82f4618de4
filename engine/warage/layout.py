"""Layout of a state of Warage: int64 words, most of which hold one number each.

| word | holds |
|---|---|
| `HERO_WORDS` * p + `HP`, ... | hero p: HP, hand, life pile, cards in play, deck, modifiers that last; sums |
| `TURN`, ... | where in the match; a season card, 0 for none |
| `SEASON_DECK`, `BOTTOM` | copies by season card in the deck; cards below it, the next one first |
| `FACES` | dice of attack and defence by the face they show |
| `AGENDA` | tasks, the next one last; six numbers each |
| `QUEUE` | items, the top last; `ITEM_WORDS` numbers each |

Numbers that may be negative are kept with an offset, so that no word is: HP `HP_OFFSET`, modifiers
`MODS_OFFSET`, dice `DICE_OFFSET`, sums `ADDS_OFFSET`; cards, heroes, pieces that may be none with
`NONE_OFFSET` or `GONE_OFFSET`.
A piece is its card, and a bit each for ready, awake and moved.
"""

from __future__ import annotations

from engine.bits import WORD_BITS, Bits, check_words
from engine.warage import rules_schema
from engine.warage.rules_schema import (
    MAX_BOTTOM,
    MAX_CARDS,
    MAX_COPIES,
    MAX_DECK,
    MAX_EFFECTS,
    MAX_PLAYERS,
    MAX_QUEUE,
    MAX_SEASONS,
)

NUM_STATS = len(rules_schema.STATS)
MAX_LIFE = 7
MAX_AGENDA = 24
TASK_WORDS = 6
HP_OFFSET, MODS_OFFSET, DICE_OFFSET = 1000, 512, 128
NONE_OFFSET, GONE_OFFSET = 1, 2
ADDS_OFFSET = 1 << 20
COUNT_BITS = 12
PART_BITS = 12
# How a hero stands to what is on the queue: nothing is; something is, but no attack by or on this hero; the
# hero attacks, by weapon or by magic; or is attacked. Counts by situation share a word: their offsets.
SITUATIONS = AT_REST, LOOKING_ON, IN_MELEE, IN_MAGIC, UNDER_ATTACK = range(0, 5 * COUNT_BITS, COUNT_BITS)

HP = 0
BEATEN = 1
HAND_SIZE = 2
LIFE_SIZE = 3
PLAY_SIZE = 4
DECK_SIZE = 5
ROUND_MODS = 6
OPENING_MODS = ROUND_MODS + NUM_STATS
LIFE = OPENING_MODS + NUM_STATS
HAND = LIFE + MAX_LIFE
PLAY = HAND + MAX_DECK
DECK = PLAY + MAX_DECK
# What follows from the hand and from play, and is asked at every priority: by situation, flashes in hand and
# pieces that may do something in it; cards in hand to be bought that take no slots; slots taken; room taken
# by ready pieces, by part of the body; ready pieces that do not always add the same; and what all others that
# are ready add to each value.
FLASHES = DECK + MAX_CARDS
SLOTLESS = FLASHES + 1
USES = SLOTLESS + 1
RED_TAKEN = USES + 1
BLUE_TAKEN = RED_TAKEN + 1
PARTS = BLUE_TAKEN + 1
VARYING = PARTS + 1
ADDS = VARYING + 1
HERO_WORDS = ADDS + NUM_STATS

(
    TURN,
    ACTIVE,
    PHASE,
    SEASON,
    SPECIAL,
    PRIORITY,
    PASSES,
    SIX,
    ATTACKED,
    AMULETS,
    ABILITY,
    WINNERS,
    BOTTOM_SIZE,
    QUEUE_SIZE,
    AGENDA_SIZE,
) = range(MAX_PLAYERS * HERO_WORDS, MAX_PLAYERS * HERO_WORDS + 15)
SEASON_DECK = AGENDA_SIZE + 1
BOTTOM = SEASON_DECK + MAX_SEASONS
FACES = BOTTOM + MAX_BOTTOM
AGENDA = FACES + 12
QUEUE = AGENDA + MAX_AGENDA * TASK_WORDS

(
    ITEM_KIND,
    ITEM_OWNER,
    ITEM_CARD,
    ITEM_HERO,
    ITEM_PIECE,
    ITEM_ITEM,
    ITEM_SOURCES,
) = range(7)
ITEM_SOURCE = 7
ITEM_PLUS = ITEM_SOURCE + MAX_COPIES
ITEM_DICE = ITEM_PLUS + 2
ITEM_REROLL = ITEM_DICE + 2
ITEM_PREVENT = ITEM_REROLL + 2
ITEM_NEGATED = ITEM_PREVENT + 1
ITEM_WORDS = ITEM_NEGATED + 1
NUM_WORDS = QUEUE + MAX_QUEUE * ITEM_WORDS

# A piece in play.
MOVED_BIT, AWAKE_BIT, READY_BIT = 1, 2, 4
CARD_SHIFT = 3

WORDS = {
    "HP": (Bits(0, 12, "HP and HP_OFFSET"),),
    "PIECE": (
        Bits(0, 1, "moved in this phase (E3)"),
        Bits(1, 1, "awake (E4)"),
        Bits(2, 1, "ready (E2)"),
        Bits(CARD_SHIFT, 7, "card"),
    ),
    "MODS": (Bits(0, 11, "what is added, and MODS_OFFSET (K6)"),),
    "WINNERS": (Bits(0, MAX_PLAYERS, "a bit for each hero that has won"),),
}

# ---- Rules for kernels ------------------------------------------------------------------------------------

(
    EFFECT_TRIGGER,
    EFFECT_ACTION,
    EFFECT_STAT,
    EFFECT_AMOUNT,
    EFFECT_TARGET,
    EFFECT_KINDS,
    EFFECT_SEASON,
    EFFECT_DURATION,
    EFFECT_IF_SEASON,
    EFFECT_IF_RACE,
    EFFECT_IF_CLASS,
    EFFECT_IF_HP,
    EFFECT_COST,
    EFFECT_LIMIT,
    EFFECT_BEARS,
) = range(15)
EFFECT_WORDS = 15
NEXT_SEASON = -1

# Effects of a card, a race or a season card: how many, their triggers (a bit each), what using them costs,
# then themselves.
EFFECTS_COUNT = 0
EFFECTS_TRIGGERS = 1
EFFECTS_USE_COST = 2
EFFECTS_FIRST = 3
EFFECTS_WORDS = EFFECTS_FIRST + MAX_EFFECTS * EFFECT_WORDS

(
    CARD_KIND,
    CARD_COST,
    CARD_SELL,
    CARD_RED,
    CARD_BLUE,
    CARD_PART,
    CARD_NEED,
    CARD_DEFENCE,
    CARD_ATTACK_SPELL,
    CARD_MAGIC,
) = range(10)
# What the card adds to its owner's values whenever it is ready; or, in the next word, that this varies.
CARD_ADDS = 10
CARD_VARIES = CARD_ADDS + NUM_STATS
CARD_EFFECTS = CARD_VARIES + 1
CARD_WORDS = CARD_EFFECTS + EFFECTS_WORDS

SEASON_COPIES, SEASON_BASE, SEASON_LAW = range(3)
SEASON_EFFECTS = 3
SEASON_WORDS = SEASON_EFFECTS + EFFECTS_WORDS

(
    SEAT_GUILD,
    SEAT_HP,
    SEAT_ATTACK,
    SEAT_DEFENCE,
    SEAT_MAGIC,
    SEAT_RED,
    SEAT_BLUE,
    SEAT_PLUS,
    SEAT_MINUS,
    SEAT_RACE,
    SEAT_CLASS,
    SEAT_DECK_SIZE,
    SEAT_USES,
) = range(13)
SEAT_EFFECTS = 13
SEAT_DECK = SEAT_EFFECTS + EFFECTS_WORDS
SEAT_WORDS = SEAT_DECK + MAX_CARDS

(
    RULE_PLAYERS,
    RULE_CARDS,
    RULE_SEASONS,
    RULE_HAND_SIZE,
    RULE_REDRAW,
    RULE_DRAWS,
    RULE_LIFE_PLACES,
    RULE_AMULETS,
    RULE_DICE,
    RULE_POINTS,
    RULE_PAY_TO_DEATH,
    RULE_OPTIONAL_DRAW,
    RULE_CAP,
    RULE_MAX_TURNS,
    RULE_EVENTS,
    RULE_COSTLY_EVENTS,
    RULE_AGAINST,
) = range(17)
RULE_BRIEF = 17
RULE_PLAYS = RULE_BRIEF + MAX_CARDS
RULE_USES = RULE_PLAYS + MAX_CARDS
RULE_SEATS = RULE_USES + MAX_CARDS
RULE_SEASON = RULE_SEATS + MAX_PLAYERS * SEAT_WORDS
RULE_CARD = RULE_SEASON + MAX_SEASONS * SEASON_WORDS
NUM_RULES = RULE_CARD + MAX_CARDS * CARD_WORDS

# What is asked of every card in hand and in play at every priority, in one word each at `RULE_BRIEF`; and the
# situations in which it can do anything as a flash, and when it is used, at `RULE_PLAYS` and `RULE_USES`.
BRIEF = (
    Bits(0, 1, "a flash"),
    Bits(1, 1, "it can be sold (E8)"),
    Bits(2, 4, "red slots"),
    Bits(6, 4, "blue slots"),
)

check_words(
    {**WORDS, "BRIEF": BRIEF},
    [
        (rules_schema.MAX_CAP + HP_OFFSET, WORDS["HP"][0].mask, "HP"),
        (MAX_CARDS - 1, WORDS["PIECE"][3].mask, "cards"),
        (rules_schema.MAX_PLUS + MODS_OFFSET, WORDS["MODS"][0].mask, "modifiers"),
        (rules_schema.MAX_PLUS, MODS_OFFSET, "modifiers below 0"),
        (MAX_DECK, (1 << COUNT_BITS) - 1, "cards that are counted"),
        (len(SITUATIONS) * COUNT_BITS, WORD_BITS, "counts by situation"),
        (2 * MAX_DECK, (1 << PART_BITS) - 1, "room taken"),
        (MAX_DECK * rules_schema.MAX_PLUS, ADDS_OFFSET, "sums"),
        (rules_schema.MAX_MORE_DICE, DICE_OFFSET, "dice taken away"),
        (1 + 2 * MAX_PLAYERS + 8, MAX_AGENDA, "tasks"),
    ],
)

"""Layout of a state of a whole match: int64 words that hold one number each, none below 0.

| word | holds |
|---|---|
| `PLAYER_WORDS` * p + `HAND_SIZE`, ... | player p: hand, deck and under it, reinforcements, resources |
| `PLAYER_WORDS` * p + `TEAM` | its Characters, `FIGHTER_WORDS` each |
| `CHEER`, ... | the rest of the state |
| `ACTION`, `RESPONSE` | what is announced, `ACTION_WORDS` each; all 0 if nothing is |
| `USED`, `PAST` | responses to this action; a hash of each position of the wave (W7) |

Numbers that may be -1 are kept one higher, changes of numbers with `CHANGE_OFFSET`.
"""

from __future__ import annotations

from engine.bits import Bits, check_words
from engine.ophidian import rules_schema
from engine.ophidian.abilities import MAX_ABILITIES, MAX_DOS
from engine.ophidian.reference_state import MAX_CHANGE, NUM_CHANGES, NUM_COLUMNS
from engine.ophidian.rules_schema import (
    LEVELS,
    MAX_CARDS,
    MAX_DECK,
    MAX_GLADIATORS,
    MAX_HISTORY,
    MAX_MINIONS,
    MAX_PUMPS,
    MAX_REQUIREMENTS,
    MAX_RESPONSES,
    MAX_STACK,
    MAX_TEAM,
    NUMBERS,
)

NUM_LEVELS, NUM_NUMBERS = len(LEVELS), len(NUMBERS)
COLUMNS = NUM_COLUMNS
CHANGE_OFFSET = 64
MAX_FIGHTERS = MAX_TEAM + MAX_STACK + MAX_MINIONS
"""Characters of a player at once, the fallen gladiators too."""

# A Character.
GLADIATOR, CARD, LEVEL, WOUNDS, FIELD, SET, PUMPS_SIZE = range(7)
PUMPS = 7
CHANGES = PUMPS + MAX_PUMPS
FIGHTER_WORDS = CHANGES + NUM_CHANGES

# A player.
HAND_SIZE, DECK_SIZE, BOTTOM_SIZE, STACK_SIZE, RESOURCES, TEAM_SIZE = range(6)
HAND = 6
DECK = HAND + MAX_CARDS
BOTTOM = DECK + MAX_CARDS
STACK = BOTTOM + MAX_DECK
TEAM = STACK + MAX_STACK
PLAYER_WORDS = TEAM + MAX_FIGHTERS * FIGHTER_WORDS

# The rest.
CHEER = 2 * PLAYER_WORDS
MOMENTUM, TURN, PASSES, WAVE, PHASE, DECLINED, LEFT, BROKE, USED_SIZE, PAST_SIZE = range(
    CHEER + 2, CHEER + 12
)
(
    KIND,
    ACTOR,
    WHO,
    TARGET,
    ACTION_CARD,
    SIDE,
    POSITIVE,
    VARIABLE,
    ENRAGED,
    ROUSED,
    RESOLVED,
    ROARED,
    HIT,
    BY,
    DONE,
    DIE,
) = range(16)
ACTION_WORDS = 16
ACTION = PAST_SIZE + 1
RESPONSE = ACTION + ACTION_WORDS
USED = RESPONSE + ACTION_WORDS
PAST = USED + MAX_RESPONSES
NUM_WORDS = PAST + MAX_HISTORY

USED_SHIFT = 8
"""A response that was used: its key, and above these bits its player."""

WORDS = {
    "PUMP": (Bits(0, 1, "owner"), Bits(1, 6, "card")),
    "USED": (Bits(0, USED_SHIFT, "card in hand, or ability in play"), Bits(USED_SHIFT, 1, "player")),
    "CHANGE": (Bits(0, 7, "what is added, and CHANGE_OFFSET"),),
}

# ---- Rules for kernels ------------------------------------------------------------------------------------

# A condition, and which Characters are meant; -1 where it does not matter.
IF_RAGING, IF_FAVOURITE, IF_FIELD, IF_LEVEL, IF_WAVE, IF_DIE = range(6)
IF_WORDS = 6
FILTER_SIDE, FILTER_KIND, FILTER_FIELD, FILTER_SET, FILTER_RAGING, FILTER_WOUNDED = range(6)
FILTER_WORDS = 6

DO_ACT, DO_SOURCE, DO_AMOUNT, DO_TYPE, DO_STAT, DO_FIELD, DO_SIGN, DO_ENEMY, DO_ON = range(9)
DO_IF = 9
DO_WORDS = DO_IF + IF_WORDS

(
    WHEN,
    TO,
    SIGN,
    COST_SET,
    COST_RESOURCES,
    COST_CHEER,
    COST_DISCARD,
    COST_WOUND,
    COST_DESTROY,
    LASTS,
    REPEATABLE,
    COUNTS_AS_PASS,
    NEEDS_DIE,
    HAS_TARGET,
    DO_COUNT,
) = range(15)
ABILITY_IF = 15
POSITIVE_IF = ABILITY_IF + IF_WORDS
ABILITY_TARGET = POSITIVE_IF + IF_WORDS
ABILITY_COUNT = ABILITY_TARGET + FILTER_WORDS
DOS = ABILITY_COUNT + FILTER_WORDS
ABILITY_WORDS = DOS + MAX_DOS * DO_WORDS

# What gladiators and cards have in common.
BODY_POINTS, BODY_MAINTAIN, BODY_STANDS_IN, BODY_ABILITIES = range(4)
BODY_NUMBERS = 4
ABILITIES = BODY_NUMBERS + NUM_NUMBERS * NUM_LEVELS
BODY_WORDS = ABILITIES + MAX_ABILITIES * ABILITY_WORDS

GLADIATOR_DISCIPLINES, GLADIATOR_REINFORCEMENT = BODY_WORDS, BODY_WORDS + 1
GLADIATOR_WORDS = BODY_WORDS + 2

CARD_TYPE, CARD_COST, CARD_SIGN, CARD_UNIQUE, CARD_REQUIRES = range(BODY_WORDS, BODY_WORDS + 5)
CARD_REQUIRE = CARD_REQUIRES + 1
CARD_PUT_ON = CARD_REQUIRE + 2 * MAX_REQUIREMENTS
CARD_WORDS = CARD_PUT_ON + FILTER_WORDS

SEAT_TEAM_SIZE, SEAT_DECK_SIZE, SEAT_STACK_SIZE = range(3)
SEAT_TEAM = 3
SEAT_STACK = SEAT_TEAM + MAX_TEAM
SEAT_DECK = SEAT_STACK + MAX_STACK
SEAT_WORDS = SEAT_DECK + MAX_CARDS

(
    RULE_CARDS,
    RULE_TEAM_SIZE,
    RULE_WAVES,
    RULE_EXTRA_WAVES,
    RULE_WINNING_POINTS,
    RULE_RIOT,
    RULE_PROMOTIONS,
    RULE_HEALS,
    RULE_HAND_SIZE,
    RULE_EXTRA_DRAWS,
    RULE_RESOURCES,
    RULE_STAND_IN_DEFENDS,
    RULE_RAGE_DAMAGE,
    RULE_ROAR_WINDOW,
    RULE_ANSWERS_LATE,
) = range(15)
RULE_SEAT = 15
RULE_GLADIATOR = RULE_SEAT + 2 * SEAT_WORDS
RULE_CARD = RULE_GLADIATOR + MAX_GLADIATORS * GLADIATOR_WORDS
NUM_RULES = RULE_CARD + MAX_CARDS * CARD_WORDS

MOVE_KIND, MOVE_WHO, MOVE_TARGET, MOVE_CARD, MOVE_SIDE, MOVE_MANY = range(6)
MOVE_WORDS = 6
"""A move: its numbers as in the reference; those promoted, or placed in the action field, a bit each."""

check_words(
    WORDS,
    [
        (MAX_CARDS - 1, WORDS["PUMP"][1].mask, "cards"),
        (rules_schema.MAX_CARDS + MAX_ABILITIES * MAX_FIGHTERS, WORDS["USED"][0].mask, "abilities in play"),
        (MAX_CHANGE, CHANGE_OFFSET, "changes below 0"),
        (MAX_CHANGE + CHANGE_OFFSET, WORDS["CHANGE"][0].mask, "changes"),
    ],
)

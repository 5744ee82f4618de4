"""A position of a match of one or two gladiators a side as one word, and the match's numbers as an array.

Places are those of a wave (`engine.ophidian.wave_layout`), of which the first two of each side are used.
"""

from __future__ import annotations

from engine.bits import Bits, check_words, put
from engine.ophidian import wave_layout
from engine.ophidian.rules import NUM_LEVELS
from engine.ophidian.rules_schema import MAX_LIFE, MAX_RIOT
from engine.ophidian.wave_layout import PLACES, TABLE_WORDS

MATCH_TEAM = 2
"""Gladiators of a side, at most: more do not fit a word, nor anybody's patience."""
NUM_FIGHTERS = 2 * MATCH_TEAM
LAST_WAVE_NUMBER = 7

ACT, TIE, PROMOTE, PLACE = range(4)
"""Phases: an action, a die after a full tie (B1), promotions (B4), placements (T5, B5)."""

MOVER = Bits(0, 1, "who decides")
PHASE = Bits(1, 2, "what is decided")
STARTER = Bits(3, 1, "who begins the wave, while it is prepared")
PASSES = Bits(4, 1, "whether the last action was a pass")
WAVE = Bits(5, 3, "the wave, from 1")
CHEER = Bits(8, 4, "cheer of each player", repeats=2, stride=4)
WOUNDS = Bits(16, 4, "wounds of each fighter, its life if it is destroyed", repeats=NUM_FIGHTERS, stride=8)
FIELD = Bits(20, 1, "whether it stands in the action field", repeats=NUM_FIGHTERS, stride=8)
SET = Bits(21, 1, "whether it is set", repeats=NUM_FIGHTERS, stride=8)
LEVEL = Bits(22, 2, "its level, from 0", repeats=NUM_FIGHTERS, stride=8)

check_words(
    {"match": (MOVER, PHASE, STARTER, PASSES, WAVE, CHEER, WOUNDS, FIELD, SET, LEVEL)},
    [
        (MAX_LIFE, WOUNDS.mask, "wounds"),
        (MAX_RIOT - 1, CHEER.mask, "cheer"),
        (NUM_LEVELS - 1, LEVEL.mask, "levels"),
        (LAST_WAVE_NUMBER, WAVE.mask, "waves"),
    ],
)

ONE_WAY = put(PHASE, PHASE.mask) | put(WAVE, WAVE.mask)
ONE_WAY |= sum(put(WOUNDS, WOUNDS.mask, fighter) for fighter in range(NUM_FIGHTERS))
"""Waves go on, their phases too, and within an action's phase wounds only go up."""

# The array: that of a wave, whose numbers by fighter are filled in for each position; then, for each of these
# five numbers, each place and each level, what it is; then the rest.
STATS = TABLE_WORDS
NUM_STATS = 5
WAVES = STATS + NUM_STATS * PLACES * NUM_LEVELS
EXTRA_WAVES, PROMOTIONS, HEALS, FAVOURED = range(WAVES + 1, WAVES + 5)
MATCH_WORDS = FAVOURED + 1

TIE_CODE = wave_layout.NUM_CODES
PROMOTE_CODE = TIE_CODE + 2
PLACE_CODE = PROMOTE_CODE + 2**MATCH_TEAM
NUM_CODES = PLACE_CODE + 2**MATCH_TEAM
MAX_ACTIONS = MATCH_TEAM * MATCH_TEAM + MATCH_TEAM + 1
MAX_OUTCOMES = MATCH_TEAM * MATCH_TEAM * 2 * MATCH_TEAM + 2 * MATCH_TEAM + 1
WORK_WORDS = wave_layout.WORK_WORDS + PLACES + TABLE_WORDS + 1
"""The last is not written: what it is worth that a position comes again is not known, but bounded (W7)."""
assert MAX_ACTIONS >= 2**MATCH_TEAM

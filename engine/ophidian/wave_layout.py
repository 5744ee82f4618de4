"""A position within a wave as one word, and the numbers that a wave's kernel needs, as one array.

Fighters are numbered from 0 to 7: four places for each player, those of player 0 first.
"""

from __future__ import annotations

from engine.bits import Bits, check_words, put
from engine.ophidian.rules_schema import MAX_LIFE, MAX_POINTS, MAX_RIOT, MAX_TEAM

PLACES = 2 * MAX_TEAM

MOVER = Bits(0, 1, "who has momentum")
PASSES = Bits(1, 1, "whether the last action was a pass")
CHEER = Bits(2, 4, "cheer of each player", repeats=2, stride=4)
WOUNDS = Bits(10, 4, "wounds of each fighter, its life if it is destroyed", repeats=PLACES, stride=6)
FIELD = Bits(14, 1, "whether it stands in the action field", repeats=PLACES, stride=6)
SET = Bits(15, 1, "whether it is set", repeats=PLACES, stride=6)

check_words(
    {"wave": (MOVER, PASSES, CHEER, WOUNDS, FIELD, SET)},
    [(MAX_LIFE, WOUNDS.mask, "wounds"), (MAX_RIOT - 1, CHEER.mask, "cheer")],
)

ONE_WAY = sum(put(WOUNDS, WOUNDS.mask, place) for place in range(PLACES))
"""Within a wave wounds only go up; what it is worth if all pass is up to them alone, but for fitted ends."""

# The array: by fighter, life 0 where there is none; then the rest.
LIFE, RAGE, ATTACK, DEFENCE, SHIELD, POINTS = range(0, 6 * PLACES, PLACES)
STAND_IN_DEFENDS, RAGE_DAMAGE, RIOT, WINNING_POINTS, LAST_WAVE, LOWEST = range(6 * PLACES, 6 * PLACES + 6)
# What a result, a point and a wound count in the value of an end.
RESULT_WORTH, POINT_WORTH, WOUND_WORTH = range(LOWEST + 1, LOWEST + 4)
# The fitted value of the end of a wave: whether it counts; thousandths by place and wounds, by cheer, and of
# who begins the next wave.
FIT_WOUNDS, FIT_CHEERS = MAX_LIFE + 1, MAX_RIOT + 1
FITTED = WOUND_WORTH + 1
FIT_PLACE = FITTED + 1
FIT_CHEER = FIT_PLACE + PLACES * FIT_WOUNDS
FIT_STARTER = FIT_CHEER + FIT_CHEERS
# Whether a position may come again; then the wave ends as if all had passed (W7).
AGAIN = FIT_STARTER + 1
TABLE_WORDS = AGAIN + 1
GRID = 200
"""A fitted value is a whole number of this part of a win."""

# Codes of actions: attacker and target, who advances, who retreats, a pass.
ATTACK_CODE, ADVANCE_CODE, RETREAT_CODE, PASS_CODE = 0, 16, 20, 24
NUM_CODES = 25
MAX_ACTIONS = MAX_TEAM * MAX_TEAM + MAX_TEAM + 1
# An attack is answered by one of four fighters, with or without a roar.
MAX_OUTCOMES = MAX_TEAM * MAX_TEAM * 2 * MAX_TEAM + 2 * MAX_TEAM + 1
AGAIN_AT = 3 * PLACES
"""The word of the scratch for the end of a wave where the position comes again."""
WORK_WORDS = AGAIN_AT + 1

SPAN = 128
"""Differences of points, and of wounds, are above `-SPAN / 2` and below `SPAN / 2`."""
assert 2 * MAX_TEAM * max(MAX_POINTS, MAX_LIFE) <= SPAN

"""What two placements do to a row of a day: kinds of rows, effects, and which one each pair of actions has.

Letters used for shapes: as in `engine.ragers.day`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from engine.ragers.rules import ATTACKS, CHANCER, CHEATER, NUM_TYPES, VETERAN

Int8Array = npt.NDArray[np.int8]
Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]

NOTHING: Final = NUM_TYPES  # the action of a player who does not act, or holds nothing placeable (K3)
NUM_ACTIONS: Final = NUM_TYPES + 1
IMPOSSIBLE: Final = -1

# What may happen to a row in one act. Effects that keep a card are numbered by its icon.
NUM_ICONS: Final = 7  # every type but the Chancer, which counts as what it copies (K5)
ICONS: Final = tuple(t for t in range(NUM_TYPES) if t != CHANCER)
ICON_INDEX: Final = {icon: index for index, icon in enumerate(ICONS)}
KEEP: Final = 0  # KEEP + i: a card with icon i is placed and stays
COPY: Final = NUM_ICONS  # COPY + i: a Chancer is placed and counts as icon i (K5)
BLANK: Final = 2 * NUM_ICONS  # a Chancer is placed and counts as nothing (K5)
DEAD: Final = BLANK + 1  # a card is placed and negated at once (K4)
STAY: Final = BLANK + 2  # nothing is placed and the row keeps what it has
NEGATE: Final = BLANK + 3  # nothing is placed and the card on top is negated (K8)
DEAD_OF: Final = BLANK + 4  # DEAD_OF + t: `DEAD` of a card of type t, where what is placed has a price
NUM_EFFECTS: Final = DEAD_OF + NUM_TYPES

# Kinds of rows: all that decides which effect a pair of actions has on a row.
START, START_MARKED, PENDING, PENDING_MARKED, SAFE, NEGATABLE, CHEATER_ON_TOP = range(7)
NUM_KINDS: Final = 7

FACE_DOWN: Final = 0  # what a row shows that has no icon on top; FACE_DOWN + 1 + i shows icon i
NO_ATTACK: Final = len(ATTACKS)


def _own_effect(kind: int, facing: int, own: int, opp: int) -> int:
    """Return what a pair of actions does to a row, `IMPOSSIBLE` if it cannot happen (K4, K5, K8, K9).

    `facing` is the icon the opponent's row shows before the act (a type id), `CHANCER` for none.
    """
    if kind in (SAFE, NEGATABLE, CHEATER_ON_TOP):
        # Only a pending opponent acts now; this row can but lose its top.
        if own != NOTHING or facing != VETERAN:
            return IMPOSSIBLE
        negated = (opp == CHEATER and kind != SAFE) or (opp == CHANCER and kind == CHEATER_ON_TOP)
        return NEGATE if negated else STAY
    starting = kind in (START, START_MARKED)
    if starting and (facing != CHANCER or own == opp == NOTHING):
        return IMPOSSIBLE
    if not starting and opp != NOTHING and facing != VETERAN:
        return IMPOSSIBLE
    if own == NOTHING:
        return NEGATE if kind == PENDING and opp == CHEATER else STAY
    # A card on top of a Veteran is never under a mark (K7, K8).
    if kind != START_MARKED and (opp == CHEATER or (opp == CHANCER and own == CHEATER)):
        return DEAD
    if own != CHANCER:
        return KEEP + ICON_INDEX[own]
    if opp == NOTHING:
        opp = facing
    return BLANK if opp == CHANCER else COPY + ICON_INDEX[opp]


def effect_table(in_play: BoolArray, *, tells_dead: bool = False) -> Int8Array:
    """Return [K, F, A, A] int8: the effect of (kind, opponent's face, own action, opponent's action).

    F is 1 where faces cannot matter: only a Chancer on top of a Veteran looks at what lies opposite. With
    `tells_dead` effects tell of which type a card is that is negated at once.
    """
    has_faces = bool(in_play[VETERAN] and in_play[CHANCER])
    num_faces = 1 + NUM_ICONS if has_faces else 1
    actions = [action for action in range(NUM_TYPES) if in_play[action]] + [NOTHING]
    table = np.full((NUM_KINDS, num_faces, NUM_ACTIONS, NUM_ACTIONS), IMPOSSIBLE, dtype=np.int8)
    for kind in range(NUM_KINDS):
        if kind not in (START, START_MARKED) and not in_play[VETERAN]:
            continue
        for face in range(num_faces):
            icon = CHANCER if face == FACE_DOWN else ICONS[face - 1]
            if not has_faces and kind not in (START, START_MARKED):
                icon = VETERAN
            for own in actions:
                for opp in actions:
                    effect = _own_effect(kind, icon, own, opp)
                    table[kind, face, own, opp] = DEAD_OF + own if tells_dead and effect == DEAD else effect
    return table

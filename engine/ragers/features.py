"""What a player sees, as numbers: the observation of learning environments.

Everything stands in one vector of float32 with fixed places (`NAMES` says which), own things first. Of a
row's stacks only the uppermost card is shown card by card, with the icons beneath it in the counts.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.ragers.reference import NOTHING, Phase, Player, State, legal_actions
from engine.ragers.reference_row import Slot, icons, last_attack
from engine.ragers.rules import NUM_TYPES

MAX_SLOTS = 7
MAX_ENTRIES = 16
NUM_ACTIONS = NUM_TYPES + 1
#: Of a slot: its uppermost card's type and icon (one of 8 each), hidden, negated, marked, cards in it.
_SLOT = 2 * NUM_TYPES + 4

_SIDE = (
    ("slots", MAX_SLOTS * _SLOT),
    ("icons", NUM_TYPES),
    ("last_attack", NUM_TYPES),
    ("row_length", 1),
    ("mark", 1),
    ("owes_hidden", 1),
    ("discard", NUM_ACTIONS),
    ("score", 1),
    ("cheers_taken", MAX_ENTRIES),
    ("hand_size", 1),
    ("deck_size", 1),
)
_PARTS = (
    ("phase", len(Phase)),
    ("day", 1),
    ("patron", MAX_ENTRIES),
    ("patrons_left", MAX_ENTRIES),
    ("cheers_table", MAX_ENTRIES),
    ("cheers_left", MAX_ENTRIES),
    ("hand", NUM_TYPES),
    ("deck", NUM_TYPES),
    *((f"own_{name}", size) for name, size in _SIDE),
    *((f"opp_{name}", size) for name, size in _SIDE),
)
_ENDS = list(accumulate(size for _, size in _PARTS))
SIZE = _ENDS[-1]
NAMES: dict[str, slice] = {
    name: slice(end - size, end) for (name, size), end in zip(_PARTS, _ENDS, strict=True)
}
"""Where each part of the vector stands."""


def features(state: State, player: int) -> NDArray[np.float32]:
    """Return what the player sees, `[SIZE] float32`; counts and GP as they are, choices as one-hot"
    " vectors."""
    vector = np.zeros(SIZE, np.float32)

    def put(name: str, values: Any) -> None:
        vector[NAMES[name]] = values

    def mark(name: str, *indices: int) -> None:
        vector[NAMES[name]][list(indices)] = 1.0

    own = state.players[player]
    mark("phase", state.phase)
    put("day", state.day)
    if state.patron is not None:
        mark("patron", state.patron)
    mark("patrons_left", *state.patrons_left)
    mark("cheers_table", *state.cheers_table)
    mark("cheers_left", *state.cheers_left)
    put("hand", own.hand)
    put("deck", own.deck)
    for side, whose in (("own", player), ("opp", 1 - player)):
        each = state.players[whose]
        rows = (*each.row, each.slot) if each.slot else each.row
        counted = icons(rows)
        put(f"{side}_slots", _slots(rows, is_own=side == "own"))
        put(f"{side}_icons", [counted[card] for card in range(NUM_TYPES)])
        attack = last_attack(rows)
        if attack is not None:
            mark(f"{side}_last_attack", attack)
        put(f"{side}_row_length", each.row_length)
        put(f"{side}_mark", each.mark)
        put(f"{side}_owes_hidden", each.owes_hidden)
        mark(f"{side}_discard", *_discarded(state, each))
        put(f"{side}_score", each.score)
        mark(f"{side}_cheers_taken", *each.cheers)
        put(f"{side}_hand_size", sum(each.hand))
        put(f"{side}_deck_size", sum(each.deck))
    return vector


def action_mask(state: State, player: int) -> NDArray[np.int8]:
    """Return which actions are legal, `[NUM_ACTIONS] int8`; only `NOTHING` for a player who does not"
    " decide."""
    mask = np.zeros(NUM_ACTIONS, np.int8)
    mask[list(legal_actions(state, player) or (NOTHING,))] = 1
    return mask


def _discarded(state: State, player: Player) -> tuple[int, ...]:
    if state.phase in (Phase.PATRON, Phase.CHEERS, Phase.PREPARE):
        return ()
    return (NOTHING if player.discard is None else player.discard,)


def _slots(row: tuple[Slot, ...], *, is_own: bool) -> NDArray[np.float32]:
    table = np.zeros((MAX_SLOTS, _SLOT), np.float32)
    for slot, line in zip(row, table, strict=False):
        top = slot[-1]
        if is_own or not top.hidden:
            line[top.printed] = 1.0
        if top.icon is not None:
            line[NUM_TYPES + top.icon] = 1.0
        line[2 * NUM_TYPES :] = (top.hidden, not top.face_up and not top.hidden, top.marked, len(slot))
    flat: NDArray[np.float32] = table.reshape(-1)
    return flat

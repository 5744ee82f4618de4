"""What a player sees, as numbers: the observation of learning environments.

Everything stands in one vector of float32 with fixed places (`NAMES` says which), own things first. Of a
row's stacks only the uppermost card is shown card by card, with the icons beneath it in the counts. The same
numbers are also to be had apart: what everybody sees, by seat, and what one player sees beyond that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.ragers.reference import NOTHING, Phase, Player, State, legal_actions
from engine.ragers.reference_row import Slot, icons, last_attack
from engine.ragers.rules import NUM_TYPES
from engine.vectors import Parts

Vector = NDArray[np.float32]

MAX_SLOTS = 7
MAX_ENTRIES = 16
NUM_ACTIONS = NUM_TYPES + 1
#: Of a slot: its uppermost card's type and icon (one of 8 each), hidden, negated, marked, cards in it.
_SLOT = 2 * NUM_TYPES + 4

_TABLE_PARTS = (
    ("phase", len(Phase)),
    ("day", 1),
    ("patron", MAX_ENTRIES),
    ("patrons_left", MAX_ENTRIES),
    ("cheers_table", MAX_ENTRIES),
    ("cheers_left", MAX_ENTRIES),
)
_SIDE_PARTS = (
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
_HELD_PARTS = (("hand", NUM_TYPES), ("deck", NUM_TYPES))


def _sides(*names: str) -> tuple[tuple[str, int], ...]:
    return tuple((f"{side}_{name}", size) for side in names for name, size in _SIDE_PARTS)


_TABLE = Parts(*_TABLE_PARTS)
_SIDE = Parts(*_SIDE_PARTS)
_ALL = Parts(*_TABLE_PARTS, *_HELD_PARTS, *_sides("own", "opp"))
SIZE = _ALL.size
NAMES = _ALL.names
"""Where each part of the vector stands."""

_PUBLIC = Parts(*_TABLE_PARTS, *_sides("accusers", "defenders"))
PUBLIC_SIZE, PUBLIC_NAMES = _PUBLIC.size, _PUBLIC.names
"""Where each part of what everybody sees stands."""

_PRIVATE = Parts(("seat", 2), *_HELD_PARTS, ("hidden", MAX_SLOTS * NUM_TYPES))
PRIVATE_SIZE, PRIVATE_NAMES = _PRIVATE.size, _PRIVATE.names
"""Where each part of what a player sees beyond that stands; `hidden` are its own hidden cards by slot."""


def features(state: State, player: int) -> Vector:
    """Return what the player sees, `[SIZE] float32`; counts and GP as they are, choices one-hot."""
    own = state.players[player]
    return np.concatenate(
        [
            _table(state),
            np.array((*own.hand, *own.deck), np.float32),
            _side(state, player, is_own=True),
            _side(state, 1 - player, is_own=False),
        ]
    )


def public_features(state: State) -> Vector:
    """Return what everybody sees, `[PUBLIC_SIZE] float32`; as `features`, but by seat."""
    return np.concatenate([_table(state), *(_side(state, seat, is_own=False) for seat in (0, 1))])


def private_features(state: State, player: int) -> Vector:
    """Return what the player sees beyond that, `[PRIVATE_SIZE] float32`."""
    own = state.players[player]
    vector = _PRIVATE.zeros()
    _PRIVATE.mark(vector, "seat", player)
    vector[PRIVATE_NAMES["hand"]] = own.hand
    vector[PRIVATE_NAMES["deck"]] = own.deck
    hidden = [number * NUM_TYPES + slot[-1].printed for number, slot in enumerate(own.row) if slot[-1].hidden]
    _PRIVATE.mark(vector, "hidden", *hidden)
    return vector


def action_mask(state: State, player: int) -> NDArray[np.int8]:
    """Return which actions are legal, `[NUM_ACTIONS] int8`; only `NOTHING` for who does not decide."""
    mask = np.zeros(NUM_ACTIONS, np.int8)
    mask[list(legal_actions(state, player) or (NOTHING,))] = 1
    return mask


def _table(state: State) -> Vector:
    vector = _TABLE.zeros()
    _TABLE.mark(vector, "phase", state.phase)
    vector[_TABLE.names["day"]] = state.day
    if state.patron is not None:
        _TABLE.mark(vector, "patron", state.patron)
    _TABLE.mark(vector, "patrons_left", *state.patrons_left)
    _TABLE.mark(vector, "cheers_table", *state.cheers_table)
    _TABLE.mark(vector, "cheers_left", *state.cheers_left)
    return vector


def _side(state: State, whose: int, *, is_own: bool) -> Vector:
    vector = _SIDE.zeros()
    names = _SIDE.names
    each = state.players[whose]
    rows = (*each.row, each.slot) if each.slot else each.row
    counted = icons(rows)
    vector[names["slots"]] = _slots(rows, is_own=is_own)
    vector[names["icons"]] = [counted[card] for card in range(NUM_TYPES)]
    attack = last_attack(rows)
    if attack is not None:
        _SIDE.mark(vector, "last_attack", attack)
    vector[names["row_length"]] = each.row_length
    vector[names["mark"]] = each.mark
    vector[names["owes_hidden"]] = each.owes_hidden
    _SIDE.mark(vector, "discard", *_discarded(state, each))
    vector[names["score"]] = each.score
    _SIDE.mark(vector, "cheers_taken", *each.cheers)
    vector[names["hand_size"]] = sum(each.hand)
    vector[names["deck_size"]] = sum(each.deck)
    return vector


def _discarded(state: State, player: Player) -> tuple[int, ...]:
    if state.phase in (Phase.PATRON, Phase.CHEERS, Phase.PREPARE):
        return ()
    return (NOTHING if player.discard is None else player.discard,)


def _slots(row: tuple[Slot, ...], *, is_own: bool) -> Vector:
    table = np.zeros((MAX_SLOTS, _SLOT), np.float32)
    for slot, line in zip(row, table, strict=False):
        top = slot[-1]
        if is_own or not top.hidden:
            line[top.printed] = 1.0
        if top.icon is not None:
            line[NUM_TYPES + top.icon] = 1.0
        line[2 * NUM_TYPES :] = (top.hidden, not top.face_up and not top.hidden, top.marked, len(slot))
    flat: Vector = table.reshape(-1)
    return flat

"""Kernels for what lies on the table: one reveal, a finished slot, a finished day. See `layout` for the bits.

A *side* is one player's `SIDE` field, unshifted; a *top* is the part of it from `TOP` to `TOP_IS_MARKED`.
All functions are pure: integers and read-only arrays in, integers out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ragers import layout
from engine.ragers.rules import CHANCER, CHEATER, NUM_TYPES

NOTHING = NUM_TYPES
"""Stands for the card of a player who places none."""

TOP_SHIFT = layout.TOP.offset
TOP_WIDTH = layout.TOP_IS_MARKED.end - TOP_SHIFT
TOP_MASK = (1 << TOP_WIDTH) - 1
TOP_ICON = layout.TOP.mask
CHANCER_BIT = 1 << layout.TOP_IS_CHANCER.offset - TOP_SHIFT
MARKED_BIT = 1 << layout.TOP_IS_MARKED.offset - TOP_SHIFT

_LAST_SHIFT, _LAST_MASK = layout.LAST_ATTACK.offset, layout.LAST_ATTACK.mask
_ICONS_SHIFT, _ICON_MASK = layout.ICONS.offset, layout.ICONS.mask
_GUARDS = sum(1 << i * layout.ICON_STRIDE + layout.ICONS.width for i in range(layout.ICONS.repeats))
_ALL_ICONS = sum(_ICON_MASK << i * layout.ICON_STRIDE for i in range(layout.ICONS.repeats))
_ATTACK_SHIFT, _ATTACK_STRIDE = layout.ATTACK_GP.offset, layout.ATTACK_GP.stride
_ATTACK_MASK = layout.ATTACK_GP.mask
_SPECIAL_SHIFT, _SPECIAL_MASK = layout.SPECIAL_GP.offset, layout.SPECIAL_GP.mask

WIN_0, WIN_1, DRAW, TWO_LOSERS = 0, 1, 2, 3
"""How a day ends (S1)."""


@kernel_njit
def reveal_both(card0: int, card1: int, marked0: int, marked1: int) -> tuple[int, int]:
    """Tops of two cards revealed together (K4, K5): `NO_TOP` for a negated one; marks are 0 or 1."""
    top0, top1 = card0, card1
    if card0 == CHANCER:
        top0 = (layout.BLANK if card1 == CHANCER else card1) | CHANCER_BIT
    if card1 == CHANCER:
        top1 = (layout.BLANK if card0 == CHANCER else card0) | CHANCER_BIT
    top0 |= marked0 * MARKED_BIT
    top1 |= marked1 * MARKED_BIT
    # A Chancer has the effect of the Cheater it faces, so Cheater against Chancer negates both ways.
    cheat0 = card0 == CHEATER or (card0 == CHANCER and card1 == CHEATER)
    cheat1 = card1 == CHEATER or (card1 == CHANCER and card0 == CHEATER)
    if cheat1 and marked0 == 0:
        top0 = layout.NO_TOP
    if cheat0 and marked1 == 0:
        top1 = layout.NO_TOP
    return top0, top1


@kernel_njit
def reveal_one(card: int, marked: int, facing: int) -> tuple[int, int]:
    """The new top, and the top it faces, of a card revealed alone against what already lies there (K8)."""
    icon = card
    top = card
    if card == CHANCER:
        icon = facing & TOP_ICON
        if icon == layout.NO_TOP:
            icon = layout.BLANK
        top = icon | CHANCER_BIT
    if icon == CHEATER and not facing & MARKED_BIT:
        facing = layout.NO_TOP
    return top | marked * MARKED_BIT, facing


@kernel_njit
def bury(row: int, side: int, rules: NDArray[np.int64]) -> tuple[int, int]:
    """Row and side once the top can no longer change: its icon, its GP, the last attack; no top is left.

    `rules` is the array of `kernel_rules`.
    """
    top = side >> TOP_SHIFT & TOP_MASK
    icon = top & TOP_ICON
    row += rules[layout.RULE_SLOT_GP + top]
    if icon < layout.BLANK:
        shift = _ICONS_SHIFT + layout.ICON_STRIDE * icon
        if row >> shift & _ICON_MASK < layout.MAX_ICONS:
            row += 1 << shift
        if icon < layout.NO_ATTACK:
            side = side & ~(_LAST_MASK << _LAST_SHIFT) | icon << _LAST_SHIFT
    return row, side & ~(TOP_MASK << TOP_SHIFT) | layout.NO_TOP << TOP_SHIFT


@kernel_njit
def combat_gp(row: int, icon: int) -> int:
    """GP of a row that scores with the given attack icon (S2)."""
    attacks = row >> _ATTACK_SHIFT + _ATTACK_STRIDE * icon & _ATTACK_MASK
    return attacks + (row >> _SPECIAL_SHIFT & _SPECIAL_MASK)


@kernel_njit
def meets(row: int, required: int, forbidden: int) -> bool:
    """Whether a row's icons meet a cheers card (S3); both cards are given like the icons of a row."""
    icons = row >> _ICONS_SHIFT & _ALL_ICONS
    return (icons | _GUARDS) - required & _GUARDS == _GUARDS and icons & forbidden == 0


@kernel_njit
def last_attack(side: int) -> int:
    """The last un-negated attack icon, `NO_ATTACK` without any (S1)."""
    return side >> _LAST_SHIFT & _LAST_MASK

"""The rules as the integers and arrays that kernels take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from engine.ragers import layout, resolve
from engine.ragers.rules import ATTACKS, CHANCER, NUM_TYPES, TYPES, Rules

KernelRules = NDArray[np.int64]
"""Rules for kernels, `[layout.NUM_RULES] int64`, at the offsets `layout.RULE_...`."""


def kernel_rules(rules: Rules) -> KernelRules:
    """Compile rules for the kernels; patrons and cheers cards keep the order they have in the rules.

    Raises
    ------
    ValueError
        If the rules exceed what the bit layout holds.
    """
    _check_limits(rules)
    match = rules.match
    parts: dict[int, Iterable[int]] = {
        layout.RULE_HAND_SIZE: [match.hand_size],
        layout.RULE_DAYS: [match.days],
        layout.RULE_WINNING_LEAD: [match.winning_lead],
        layout.RULE_DISCARDS: [match.discards],
        layout.RULE_NUM_PATRONS: [len(rules.patrons)],
        layout.RULE_NUM_CHEERS: [len(rules.cheers)],
        layout.RULE_DECKS: [pack_counts(card.copies[side] for card in rules.cards) for side in (0, 1)],
        layout.RULE_OUTCOMES: _outcomes(rules),
        layout.RULE_SLOT_GP: [_slot_gp(rules, top) for top in range(layout.TOP_CODES)],
        layout.RULE_ROW_LENGTHS: map(rules.row_length, rules.patrons),
        layout.RULE_PLACEABLE: [
            pack_counts(name not in patron.forbidden for name in TYPES) for patron in rules.patrons
        ],
        layout.RULE_REQUIRED: [_pack_icons(Counter(card.required)) for card in rules.cheers],
        layout.RULE_FORBIDDEN: [
            _pack_icons(dict.fromkeys(card.forbidden, layout.ICONS.mask)) for card in rules.cheers
        ],
        layout.RULE_CHEERS_GP: [card.gp for card in rules.cheers],
        layout.RULE_HIDES_AT_ONCE: [rules.hides_at_once],
    }
    array = np.zeros(layout.NUM_RULES, np.int64)
    for offset, values in parts.items():
        for index, value in enumerate(values):
            array[offset + index] = value
    return array


def pack_counts(counts: Iterable[int]) -> int:
    """Pack a multiset like `layout.CARDS`."""
    field = layout.CARDS
    return sum(count << field.offset + index * field.stride for index, count in enumerate(counts))


def _pack_icons(counts: dict[str, int]) -> int:
    return sum(counts.get(name, 0) << index * layout.ICON_STRIDE for index, name in enumerate(TYPES))


def _slot_gp(rules: Rules, top: int) -> int:
    icon = top & resolve.TOP_ICON
    if icon > layout.BLANK:
        return 0
    # A Chancer is worth its own GP, whatever it copies (K5); a blank top is a Chancer too.
    printed = CHANCER if icon == layout.BLANK or top & resolve.CHANCER_BIT else icon
    gp = rules.cards[printed].gp * (2 if top & resolve.MARKED_BIT else 1)
    field, index = (layout.ATTACK_GP, icon) if icon in ATTACKS else (layout.SPECIAL_GP, 0)
    return gp << field.offset + index * field.stride


def _outcomes(rules: Rules) -> list[int]:
    none = layout.NO_ATTACK
    table = [[resolve.DRAW] * (none + 1) for _ in range(none + 1)]
    table[none][none] = resolve.TWO_LOSERS
    for own in ATTACKS:
        table[own][none], table[none][own] = resolve.WIN_0, resolve.WIN_1
        for name in rules.cards[own].beats:
            opp = TYPES.index(name)
            table[own][opp], table[opp][own] = resolve.WIN_0, resolve.WIN_1
    return [outcome for row in table for outcome in row]


def _check_limits(rules: Rules) -> None:
    match = rules.match
    copies = [count for card in rules.cards for count in card.copies]
    gps = [card.gp for card in rules.cards] + [card.gp for card in rules.cheers]
    needs = [
        ("card types", NUM_TYPES, layout.MAX_TYPES),
        (
            "cards in a deck",
            max(sum(c.copies[side] for c in rules.cards) for side in (0, 1)),
            layout.MAX_DECK,
        ),
        ("copies of a card", max(copies), layout.MAX_COPIES),
        ("GP of a card", max(gps), layout.MAX_GP),
        ("hand size", match.hand_size, layout.MAX_HAND),
        ("row length", max(map(rules.row_length, rules.patrons)), layout.MAX_ROW),
        ("days", match.days, min(layout.MAX_DAYS, len(rules.patrons))),
        ("patrons", len(rules.patrons), layout.MAX_PATRONS),
        ("cheers cards", len(rules.cheers), layout.MAX_CHEERS),
        (
            "icons on a cheers card",
            max((max(Counter(card.required).values()) for card in rules.cheers if card.required), default=0),
            layout.MAX_ICONS,
        ),
    ]
    for what, need, limit in needs:
        if need > limit:
            raise ValueError(f"{what}: {need} is more than the {limit} that fit")

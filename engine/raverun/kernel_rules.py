"""The rules as the integers that kernels take."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from engine.raverun import layout
from engine.raverun.rules import BURY, Rules

KernelRules = NDArray[np.int64]
"""Rules for kernels, `[layout.NUM_RULES] int64`, at the offsets `layout.RULE_...`."""


def kernel_rules(rules: Rules, num_players: int = 2) -> KernelRules:
    """Compile rules for the kernels.

    Raises
    ------
    ValueError
        If so many cannot play with these rules, or the rules exceed what the bit layout holds.
    """
    if rules.num_cards > layout.MAX_CARDS:
        raise ValueError(f"cards: {rules.num_cards} is more than the {layout.MAX_CARDS} that fit")
    cards = range(rules.num_cards)
    acting = {
        place: sum(1 << card for card in cards if rules.acts_on(card) == place)
        for place in ("stacks", "battlefields")
    }
    buries = sum(1 << card for card in cards if rules.action(card) == BURY)
    orders = list(permutations(range(num_players)))
    parts: dict[int, Iterable[int]] = {
        layout.RULE_HAND_SIZE: [rules.hand_size(num_players)],
        layout.RULE_NUM_PLAYERS: [num_players],
        layout.RULE_NUM_CARDS: [rules.num_cards],
        layout.RULE_NUM_ORDERS: [len(orders)],
        layout.RULE_ROUND_CARDS: [acting["stacks"]],
        layout.RULE_LAST_CARDS: [acting["battlefields"]],
        layout.RULE_ROUND_BURIES: [acting["stacks"] & buries],
        layout.RULE_LAST_BURIES: [acting["battlefields"] & buries],
        layout.RULE_ACTIONS: map(rules.action, cards),
        layout.RULE_SAME_LETTER: [
            sum(1 << other for other in cards if rules.letter(other) == rules.letter(card)) for card in cards
        ],
        layout.RULE_ORDERS: [
            player
            for order in orders
            for player in (*order, *([layout.NO_PLAYER] * (layout.MAX_PLAYERS - num_players)))
        ],
        layout.RULE_SPREAD: [
            sum(
                layout.POSITIONS.mask << index * layout.POSITIONS.stride
                for index in range(6)
                if bits >> index & 1
            )
            for bits in range(64)
        ],
    }
    array = np.zeros(layout.NUM_RULES, np.int64)
    for offset, values in parts.items():
        for index, value in enumerate(values):
            array[offset + index] = value
    return array

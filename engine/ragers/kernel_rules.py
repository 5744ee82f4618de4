"""The rules as the integers and arrays that kernels take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.ragers import layout, resolve
from engine.ragers.rules import ATTACKS, CHANCER, NUM_TYPES, TYPES, Rules


class KernelRules(NamedTuple):
    """Rules for kernels. P patrons, C cheers cards, both in the order of the rules.

    Attributes
    ----------
    hand_size, days, winning_lead, discards : match numbers (M1-M3).
    decks : `[2] int64`, full decks packed like `layout.CARDS` (C1).
    slot_gp : `[2**resolve.TOP_WIDTH] int64`, what a top adds to the GP fields of a row (S2, K5, K7).
    outcomes : `[4, 4] int64`, how a day ends by the two last attack icons, `layout.NO_ATTACK` for none (S1).
    row_lengths : `[P] int64` (K2, C4).
    placeable : `[P] int64`, one bit in each type's count field where the patron allows it (K3).
    required, forbidden : `[C] int64`, packed like `layout.ICONS`; a forbidden type's bits are all set (S3).
    cheers_gp : `[C] int64`.
    """

    hand_size: int
    days: int
    winning_lead: int
    discards: int
    decks: NDArray[np.int64]
    slot_gp: NDArray[np.int64]
    outcomes: NDArray[np.int64]
    row_lengths: NDArray[np.int64]
    placeable: NDArray[np.int64]
    required: NDArray[np.int64]
    forbidden: NDArray[np.int64]
    cheers_gp: NDArray[np.int64]


def kernel_rules(rules: Rules) -> KernelRules:
    """Compile rules for the kernels.

    Raises
    ------
    ValueError
        If the rules exceed what the bit layout holds.
    """
    _check_limits(rules)
    decks = [pack_counts(card.copies[side] for card in rules.cards) for side in (0, 1)]
    match = rules.match
    return KernelRules(
        hand_size=match.hand_size,
        days=match.days,
        winning_lead=match.winning_lead,
        discards=match.discards,
        decks=np.array(decks, np.int64),
        slot_gp=_slot_gp(rules),
        outcomes=_outcomes(rules),
        row_lengths=np.array([rules.row_length(patron) for patron in rules.patrons], np.int64),
        placeable=np.array(
            [pack_counts(int(name not in patron.forbidden) for name in TYPES) for patron in rules.patrons],
            np.int64,
        ),
        required=np.array([_pack_icons(Counter(card.required)) for card in rules.cheers], np.int64),
        forbidden=np.array(
            [_pack_icons(dict.fromkeys(card.forbidden, layout.ICONS.mask)) for card in rules.cheers], np.int64
        ),
        cheers_gp=np.array([card.gp for card in rules.cheers], np.int64),
    )


def pack_counts(counts: Iterable[int]) -> int:
    """Pack a multiset like `layout.CARDS`."""
    field = layout.CARDS
    return sum(count << field.offset + index * field.stride for index, count in enumerate(counts))


def _pack_icons(counts: dict[str, int]) -> int:
    return sum(counts.get(name, 0) << index * layout.ICON_STRIDE for index, name in enumerate(TYPES))


def _slot_gp(rules: Rules) -> NDArray[np.int64]:
    table = np.zeros(1 << resolve.TOP_WIDTH, np.int64)
    for top in range(len(table)):
        icon = top & resolve.TOP_ICON
        if icon > layout.BLANK:
            continue
        # A Chancer is worth its own GP, whatever it copies (K5); a blank top is a Chancer too.
        printed = CHANCER if icon == layout.BLANK or top & resolve.CHANCER_BIT else icon
        gp = rules.cards[printed].gp * (2 if top & resolve.MARKED_BIT else 1)
        field, index = (layout.ATTACK_GP, icon) if icon in ATTACKS else (layout.SPECIAL_GP, 0)
        table[top] = gp << field.offset + index * field.stride
    return table


def _outcomes(rules: Rules) -> NDArray[np.int64]:
    none = layout.NO_ATTACK
    table = np.full((none + 1, none + 1), resolve.DRAW, np.int64)
    table[none, none] = resolve.TWO_LOSERS
    for own in ATTACKS:
        table[own, none], table[none, own] = resolve.WIN_0, resolve.WIN_1
        for name in rules.cards[own].beats:
            opp = TYPES.index(name)
            table[own, opp], table[opp, own] = resolve.WIN_0, resolve.WIN_1
    return table


def _check_limits(rules: Rules) -> None:
    match = rules.match
    copies = [count for card in rules.cards for count in card.copies]
    needs = [
        ("card types", NUM_TYPES, layout.MAX_TYPES),
        (
            "cards in a deck",
            max(sum(c.copies[side] for c in rules.cards) for side in (0, 1)),
            layout.MAX_DECK,
        ),
        ("copies of a card", max(copies), layout.MAX_COPIES),
        ("GP of a card", max(card.gp for card in (*rules.cards, *rules.cheers)), layout.MAX_GP),
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

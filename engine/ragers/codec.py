"""Between states of the reference and the words of the kernels, for tests and for tools that look inside."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.bits import get, put
from engine.ragers import layout
from engine.ragers.kernel_rules import pack_counts
from engine.ragers.reference import CHANCE, Phase, Player, State, deciders
from engine.ragers.reference_row import Slot, icons, last_attack
from engine.ragers.rules import ATTACKS, CHANCER, DEADEYE, NUM_TYPES

assert [phase.value for phase in Phase] == [
    layout.PHASE_PATRON,
    layout.PHASE_CHEERS,
    layout.PHASE_PREPARE,
    layout.PHASE_PLACE,
    layout.PHASE_VETERAN,
    layout.PHASE_DEADEYE,
    layout.PHASE_OVER,
]


def encode(state: State) -> NDArray[np.int64]:
    """Words of a state of the reference, `[NUM_WORDS] int64`."""
    words = [0] * layout.NUM_WORDS
    flow = put(layout.PHASE, state.phase)
    who = deciders(state)
    if who == (CHANCE,):
        for player in (0, 1):
            if sum(state.players[player].hand) < state.rules.match.hand_size and any(
                state.players[player].deck
            ):
                flow |= put(layout.DRAWING, 1 << player)
    else:
        flow |= put(layout.ACTING, sum(1 << player for player in who))
    for player, own in enumerate(state.players):
        words[layout.DECK + player] = pack_counts(own.deck) | put(layout.TAKEN, len(own.cheers))
        words[layout.HAND + player] = pack_counts(own.hand)
        words[layout.ROW + player] = _encode_row(state, own)
        at_once = state.rules.hides_at_once
        flow |= put(layout.OWES, (own.owes_hidden and at_once) << player)
        flow |= put(layout.SIDE, _encode_side(own, at_once=at_once), player)
        flow |= put(layout.SCORE, own.score, player)
    words[layout.FLOW] = flow
    words[layout.TABLE] = (
        put(layout.PATRON_PILE, _bits(state.patrons_left))
        | put(layout.CHEERS_PILE, _bits(state.cheers_left))
        | put(layout.CHEERS_TABLE, _bits(state.cheers_table))
        | put(layout.PATRON, layout.NO_PATRON if state.patron is None else state.patron)
        | put(layout.DAY, state.day)
    )
    return np.array(words, np.int64)


def _bits(indices: tuple[int, ...]) -> int:
    return sum(1 << index for index in indices)


def _counted(own: Player) -> tuple[Slot, ...]:
    """The slots whose cards count already: of the step being resolved only what lies beneath the top."""
    return (*own.row, own.slot[:-1])


def _encode_row(state: State, own: Player) -> int:
    rows = _counted(own)
    word = sum(put(layout.ICONS, min(n, layout.MAX_ICONS), icon) for icon, n in icons(rows).items())
    for slot in rows:
        for card in slot:
            if card.face_up:
                gp = state.rules.cards[card.printed].gp * (2 if card.marked else 1)
                if card.icon in ATTACKS:
                    word += gp << layout.ATTACK_GP.offset + layout.ATTACK_GP.stride * card.icon
                else:
                    word += gp << layout.SPECIAL_GP.offset
    return word


def _encode_side(own: Player, *, at_once: bool) -> int:
    attack = last_attack(_counted(own))
    side = (
        put(layout.LENGTH, own.row_length)
        | put(layout.LAST_ATTACK, layout.NO_ATTACK if attack is None else attack)
        | put(layout.MARK, own.mark)
    )
    if own.owes_hidden and not at_once:
        return side | put(layout.TOP, DEADEYE)
    if not own.slot or not own.slot[-1].face_up:
        return side | put(layout.TOP, layout.NO_TOP)
    top = own.slot[-1]
    return (
        side
        | put(layout.TOP, layout.BLANK if top.icon is None else top.icon)
        | put(layout.TOP_IS_CHANCER, top.printed == CHANCER)
        | put(layout.TOP_IS_MARKED, top.marked)
    )


@dataclass(frozen=True)
class Side:
    """One player's part of a decoded state; the fields are those of `layout`."""

    hand: tuple[int, ...]
    deck: tuple[int, ...]
    icons: tuple[int, ...]
    attack_gp: tuple[int, ...]
    special_gp: int
    length: int
    last_attack: int | None
    top: int | None
    top_is_chancer: bool
    top_is_marked: bool
    mark: bool
    score: int
    cheers_taken: int


@dataclass(frozen=True)
class Decoded:
    """What the words of a state say, field by field."""

    phase: Phase
    acting: tuple[int, ...]
    drawing: tuple[int, ...]
    day: int
    patron: int | None
    patrons_left: tuple[int, ...]
    cheers_left: tuple[int, ...]
    cheers_table: tuple[int, ...]
    sides: tuple[Side, Side]


def decode(words: NDArray[np.int64]) -> Decoded:
    """Read every field of a state's words, `[NUM_WORDS] int64`."""
    flow, table = int(words[layout.FLOW]), int(words[layout.TABLE])
    patron = get(table, layout.PATRON)
    return Decoded(
        phase=Phase(get(flow, layout.PHASE)),
        acting=_indices(get(flow, layout.ACTING)),
        drawing=_indices(get(flow, layout.DRAWING)),
        day=get(table, layout.DAY),
        patron=None if patron == layout.NO_PATRON else patron,
        patrons_left=_indices(get(table, layout.PATRON_PILE)),
        cheers_left=_indices(get(table, layout.CHEERS_PILE)),
        cheers_table=_indices(get(table, layout.CHEERS_TABLE)),
        sides=(_decode_side(words, 0), _decode_side(words, 1)),
    )


def _indices(bits: int) -> tuple[int, ...]:
    return tuple(index for index in range(bits.bit_length()) if bits >> index & 1)


def _decode_side(words: NDArray[np.int64], player: int) -> Side:
    flow = int(words[layout.FLOW])
    deck, hand, row = (int(words[word + player]) for word in (layout.DECK, layout.HAND, layout.ROW))
    side = get(flow, layout.SIDE, player)
    attack, top = get(side, layout.LAST_ATTACK), get(side, layout.TOP)
    types = range(NUM_TYPES)
    return Side(
        hand=tuple(get(hand, layout.CARDS, card) for card in types),
        deck=tuple(get(deck, layout.CARDS, card) for card in types),
        icons=tuple(get(row, layout.ICONS, icon) for icon in types),
        attack_gp=tuple(get(row, layout.ATTACK_GP, icon) for icon in ATTACKS),
        special_gp=get(row, layout.SPECIAL_GP),
        length=get(side, layout.LENGTH),
        last_attack=None if attack == layout.NO_ATTACK else attack,
        top=None if top == layout.NO_TOP else top,
        top_is_chancer=bool(get(side, layout.TOP_IS_CHANCER)),
        top_is_marked=bool(get(side, layout.TOP_IS_MARKED)),
        mark=bool(get(side, layout.MARK)),
        score=get(flow, layout.SCORE, player),
        cheers_taken=get(deck, layout.TAKEN),
    )

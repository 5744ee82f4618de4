"""Between states and moves of the reference and those of the kernels, for tests and for tools."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from engine.bits import get, put
from engine.raverun import kernel, layout
from engine.raverun.kernel_rules import KernelRules
from engine.raverun.reference import CHANCE, OVER, Move, Phase, Player, State, decider
from engine.raverun.rules import Rules

assert [phase.value for phase in Phase] == [
    layout.DEAL,
    layout.BID,
    layout.ORDERING,
    layout.PLAY,
    layout.ROUND,
    layout.LAST,
    layout.OVER,
]


def encode(state: State) -> NDArray[np.int64]:
    """Words of a state of the reference, `[NUM_WORDS] int64`."""
    words = [0] * layout.NUM_WORDS
    positions = [0] * layout.MAX_CARDS
    for index, player in enumerate(state.players):
        stack = player.stack
        where = len(state.unplaced) if index == state.shuffler else 0
        for card in stack:
            positions[card] = where
            where += 1
        if index == state.shuffler:
            stack = (*state.unplaced, *stack)
            for card in state.unplaced:
                positions[card] = layout.UNPLACED
        words[layout.PLAYER + index] = (
            put(layout.HAND, _bits(player.hand))
            | put(layout.BATTLEFIELD, _bits(player.battlefield))
            | put(layout.TOP, player.stack[-1] if player.stack else layout.NO_CARD)
            | put(layout.CHOSEN, _or(player.chosen, layout.NO_CARD))
        )
        words[layout.STACK + index] = put(layout.STACKED, _bits(stack)) | put(
            layout.KNOWN, _bits(player.known)
        )
    for batch, cards in enumerate(state.deck):
        for card in cards:
            positions[card] = batch
    for card, where in enumerate(positions):
        half, index = divmod(card, layout.CARDS_A_WORD)
        words[layout.POSITION + half] |= put(layout.POSITIONS, where, index)
    words[layout.DECK] = put(layout.DECKED, sum(map(_bits, state.deck))) | put(layout.GOING, _bits(state.put))
    acting = {CHANCE: layout.CHANCE_ACTS, OVER: 0}.get(decider(state), decider(state))
    orders = list(permutations(range(len(state.players))))
    words[layout.FLOW] = (
        put(layout.PHASE, state.phase)
        | put(layout.ACTING, acting)
        | put(layout.ORDER, orders.index(state.order) if state.order else 0)
        | put(layout.ACTED, state.acted)
        | put(layout.LEADER, state.leader)
        | put(layout.THRESHOLD, state.threshold)
        | put(layout.OFFERED, _or(state.offered, layout.NO_CARD))
        | put(layout.DRAWER, _or(state.drawer, layout.NO_PLAYER))
        | put(layout.DRAWS, state.draws)
        | put(layout.SHUFFLER, _or(state.shuffler, layout.NO_PLAYER))
        | put(layout.HIDDEN_ORDER, _bits(state.hidden_order))
    )
    return np.array(words, np.int64)


def decode(words: NDArray[np.int64], rules: Rules, num_players: int) -> State:
    """The state of the reference that has these words, `[NUM_WORDS] int64`."""
    flow, deck = int(words[layout.FLOW]), int(words[layout.DECK])
    positions = [
        get(int(words[layout.POSITION + card // layout.CARDS_A_WORD]), layout.POSITIONS, index)
        for card, index in ((card, card % layout.CARDS_A_WORD) for card in range(layout.MAX_CARDS))
    ]
    shuffler = _or_none(get(flow, layout.SHUFFLER), layout.NO_PLAYER)
    unplaced: tuple[int, ...] = ()
    players = []
    for index in range(num_players):
        own, heap = int(words[layout.PLAYER + index]), int(words[layout.STACK + index])
        stack = _cards(get(heap, layout.STACKED))
        if index == shuffler:
            unplaced = tuple(card for card in stack if positions[card] == layout.UNPLACED)
        placed = sorted((card for card in stack if card not in unplaced), key=positions.__getitem__)
        players.append(
            Player(
                hand=_cards(get(own, layout.HAND)),
                stack=tuple(placed),
                battlefield=_cards(get(own, layout.BATTLEFIELD)),
                chosen=_or_none(get(own, layout.CHOSEN), layout.NO_CARD),
                known=frozenset(_cards(get(heap, layout.KNOWN))),
            )
        )
    batches: dict[int, tuple[int, ...]] = {}
    for card in _cards(get(deck, layout.DECKED)):
        batches[positions[card]] = (*batches.get(positions[card], ()), card)
    phase = Phase(get(flow, layout.PHASE))
    order = list(permutations(range(num_players)))[get(flow, layout.ORDER)]
    return State(
        rules=rules,
        players=tuple(players),
        deck=tuple(batches[batch] for batch in sorted(batches)),
        phase=phase,
        order=order if phase == Phase.PLAY else (),
        leader=get(flow, layout.LEADER),
        acted=get(flow, layout.ACTED),
        threshold=get(flow, layout.THRESHOLD),
        offered=_or_none(get(flow, layout.OFFERED), layout.NO_CARD),
        put=_cards(get(deck, layout.GOING)),
        drawer=_or_none(get(flow, layout.DRAWER), layout.NO_PLAYER),
        draws=get(flow, layout.DRAWS),
        shuffler=shuffler,
        unplaced=unplaced,
        hidden_order=frozenset(_cards(get(flow, layout.HIDDEN_ORDER))),
    )


def decode_move(words: NDArray[np.int64], rules: KernelRules, index: int) -> Move | int:
    """The reference's move, or chance outcome, that has this number in a state's words."""
    card, target = kernel.move_parts(words, rules, index)
    if kernel.decider(words) == kernel.CHANCE:
        return int(card)
    if kernel.phase(words) == layout.ORDERING:
        begin = layout.RULE_ORDERS + layout.MAX_PLAYERS * target
        order = rules[begin : begin + int(rules[layout.RULE_NUM_PLAYERS])]
        return Move(order=tuple(map(int, order)))
    return Move(None if card < 0 else int(card), None if target < 0 else int(target))


def _bits(cards: tuple[int, ...] | frozenset[int]) -> int:
    return sum(1 << card for card in cards)


def _cards(bits: int) -> tuple[int, ...]:
    return tuple(card for card in range(bits.bit_length()) if bits >> card & 1)


def _or(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else value


def _or_none(value: int, nothing: int) -> int | None:
    return None if value == nothing else value

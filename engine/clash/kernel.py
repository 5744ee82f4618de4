"""Transition kernel of Clash of Rage on bit-packed states: the fast twin of `reference`.

A state is an array `[NUM_WORDS] int64` laid out as in `layout`. Functions that change it say "Modified in
place"; `rules` is always a `KernelRules`. Moves and chance outcomes are numbered from 0 in the order in which
the reference lists them. Legality is not checked: a number beyond the last gives a meaningless state.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.clash import layout
from engine.clash.kernel_battle import (
    assaulter,
    battle_decider,
    begin_battle,
    dice_fell,
    dice_weights,
    eliminate,
    end_battle,
    keep_blanks,
    nth_elimination,
    num_battle_moves,
    roll,
    roll_blanks,
    stage,
)
from engine.clash.kernel_equip import (
    attach,
    attachable,
    equip,
    equipment_outcomes,
    equipment_weights,
    improve,
    keep,
    look_at,
    market_is_short,
    nth_equip,
    slot,
    take_equipment,
)
from engine.clash.kernel_march import battlefields, march, nobody_moved, nth_march
from engine.clash.kernel_round import (
    arriving,
    choose_tactic,
    draw_tactic,
    drawing,
    elf_arrives,
    elf_outcomes,
    end_round,
    next_arrival,
    next_round,
    place_bastion,
    place_unit,
    places,
    receive_stones,
    reinforce,
    reveal,
    searching,
    spots_left,
    tactic_outcomes,
    unfilled_site,
)
from engine.clash.kernel_rules import KernelRules
from engine.clash.kernel_state import (
    ATTACHED,
    COUNT_BITS,
    COUNT_MASK,
    COUNTERS,
    FLOW,
    PLAYER,
    SHEET,
    Words,
    active,
    add_copies,
    count,
    go_to,
    nth,
    phase,
    points,
    put,
    turn,
)
from engine.jit import kernel_njit

NUM_WORDS = layout.NUM_WORDS
CHANCE, OVER = -1, -2
MAX_MOVES = max(
    layout.NUM_TYPES * layout.MAX_PLACES * layout.MAX_TERRITORIES + 1,
    (layout.COUNT_MASK + 1) ** layout.NUM_TYPES,
)
"""Moves at a decision, and outcomes at a chance node, at most: any type from any place to any other, or any
part of an army eliminated."""

_HAND_MASK, _LEGENDARY_MASK, _DRAWN = layout.HAND.mask, layout.LEGENDARY.mask, layout.DRAWN.offset
_ROUND, _ROUND_MASK = layout.ROUND.offset, layout.ROUND.mask
_TURN, _TURN_MASK = layout.TURN.offset, layout.TURN.mask
_ACTION, _ACTION_MASK = layout.ACTION.offset, layout.ACTION.mask
_FLOOR, _FLOOR_MASK = layout.FLOOR.offset, layout.FLOOR.mask
_FRESH = layout.FRESH.offset
_SLOT, _SLOT_MASK = layout.SLOT.offset, layout.SLOT.mask
_IMPROVING, _IMPROVING_MASK = layout.IMPROVING.offset, layout.IMPROVING.mask
_SITE, _SITE_MASK = layout.SITE.offset, layout.SITE.mask
_WINNER, _WINNER_MASK = layout.WINNER.offset, layout.WINNER.mask

_EMPTY_PLAYER = layout.NO_TACTIC << layout.CHOSEN.offset | layout.NO_SPOT << layout.BASTION.offset
_EMPTY_SHEET = (1 << 6 * layout.NUM_SLOTS) - 1
_NO_FINDS = ((1 << layout.FINDS.stride * layout.NUM_SLOTS) - 1) << layout.FINDS.offset

assert layout.SLOTS.stride == 6
assert layout.NO_CARD == layout.SLOTS.mask
assert layout.NO_FIND == layout.FINDS.mask


# -- who decides, and what is allowed -------------------------------------------------------------------


@kernel_njit
def is_over(words: Words) -> bool:
    """Whether the game has ended."""
    return phase(words) == layout.OVER


@kernel_njit
def decider(words: Words, rules: KernelRules) -> int:
    """Who decides: a player, `CHANCE`, or `OVER`."""
    at = phase(words)
    if at == layout.OVER:
        return OVER
    if at <= layout.HANDS or at == layout.FORGE or at == layout.IMPROVE or at == layout.ARRIVALS:
        return CHANCE
    if at == layout.TACTIC:
        return turn(words)
    if at == layout.FIGHT:
        return battle_decider(words, rules)
    if at == layout.EQUIP and market_is_short(words, rules):
        return CHANCE
    return active(words)


@kernel_njit
def options(words: Words, rules: KernelRules) -> int:
    """What can be chosen, or drawn, where that is a set of numbers, a bit each; 0 in all other phases."""
    at = phase(words)
    if at == layout.SITES or at == layout.ARRIVALS:
        return elf_outcomes(words)
    if at == layout.MARKETING or at == layout.IMPROVE or at == layout.EQUIP:
        return equipment_outcomes(words, rules) if at != layout.EQUIP or market_is_short(words, rules) else 0
    if at == layout.HANDS:
        return tactic_outcomes(words, rules)
    if at == layout.TACTIC:
        return int(words[PLAYER + turn(words)] & _HAND_MASK)
    if at == layout.BASTIONS:
        return spots_left(words, rules)
    if at == layout.REINFORCE or at == layout.STONES:
        return places(words, rules)
    if at == layout.FORGE:
        return int(words[SHEET] & _LEGENDARY_MASK)
    if at == layout.KEEP:
        return int(words[SHEET] >> _DRAWN & _LEGENDARY_MASK)
    if at == layout.ATTACH:
        return attachable(words, rules)
    return battlefields(words, rules) if at == layout.BATTLES else 0


@kernel_njit
def num_outcomes(words: Words, rules: KernelRules) -> int:
    """Number of moves at a decision, of outcomes at a chance node."""
    at = phase(words)
    if at == layout.ACTING:
        return 3
    if at == layout.MARCH:
        return nth_march(words, rules, -1)
    if at == layout.FIGHT:
        return num_battle_moves(words, rules)
    if at == layout.EQUIP and not market_is_short(words, rules):
        return nth_equip(words, rules, -1)
    return count(options(words, rules)) + (1 if at == layout.ATTACH else 0)


@kernel_njit
def chance_weights(words: Words, rules: KernelRules, weights: NDArray[np.int64]) -> int:
    """Write the integer weights of the outcomes of a chance node; returns their sum.

    Parameters
    ----------
    weights : `[MAX_MOVES] int64`, modified in place: as many as there are outcomes.
    """
    at = phase(words)
    if at == layout.FIGHT:
        return dice_weights(words, rules, weights)
    if at == layout.MARKETING or at == layout.IMPROVE or at == layout.EQUIP:
        return equipment_weights(words, rules, weights)
    if at == layout.SITES or at == layout.ARRIVALS:
        number = total = 0
        for kind in range(layout.NUM_TYPES):
            left = words[COUNTERS] >> COUNT_BITS * kind & COUNT_MASK
            if left:
                weights[number] = left
                number += 1
                total += left
        return int(total)
    total = num_outcomes(words, rules)
    for number in range(total):
        weights[number] = 1
    return total


# -- moves ----------------------------------------------------------------------------------------------


@kernel_njit
def start(words: Words, rules: KernelRules) -> None:
    """The state before anything is drawn (U2-U4). Modified in place."""
    for word in range(NUM_WORDS):
        words[word] = 0
    for player in range(rules[layout.RULE_NUM_PLAYERS]):
        words[PLAYER + player] = _EMPTY_PLAYER
        words[ATTACHED + player] = _EMPTY_SHEET
    for word in range(layout.CARD_WORDS):
        words[layout.DECK + word] = rules[layout.RULE_DECK + word]
    words[SHEET] = _NO_FINDS | (1 << rules[layout.RULE_NUM_LEGENDARY]) - 1
    words[COUNTERS] = rules[layout.RULE_BAG]
    words[FLOW] = layout.NO_WINNER << _WINNER
    advance(words, rules)


@kernel_njit
def transition(words: Words, rules: KernelRules, index: int) -> None:
    """Carry out a move or chance outcome by its number, and what happens by itself. Modified in place."""
    at = phase(words)
    if at == layout.FIGHT:
        _fight(words, rules, index)
    elif at == layout.MARCH:
        move = nth_march(words, rules, index)
        if move < 0:
            go_to(words, layout.BATTLES)
        else:
            march(words, rules, move // 1024, move // 32 % 32, move % 32)
    elif at == layout.ACTING:
        _begin_action(words, rules, index)
    elif at == layout.EQUIP and not market_is_short(words, rules):
        equip(words, rules, nth_equip(words, rules, index))
    else:
        chosen = options(words, rules)
        _choose(words, rules, at, nth(chosen, index) if index < count(chosen) else -1)
    advance(words, rules)


@kernel_njit
def _choose(words: Words, rules: KernelRules, at: int, value: int) -> None:
    """One of `options`; -1 for a space that stays empty. Modified in place."""
    if at == layout.SITES:
        elf_arrives(words, unfilled_site(words, rules), value)
    elif at == layout.ARRIVALS:
        site = next_arrival(words, rules)
        elf_arrives(words, site, value)
        put(words, FLOW, _SITE, _SITE_MASK, site + 1)
    elif at == layout.MARKETING or at == layout.EQUIP:
        take_equipment(words, value)
        add_copies(words, layout.MARKET, value, 1)
    elif at == layout.IMPROVE:
        improve(words, rules, value)
    elif at == layout.HANDS:
        draw_tactic(words, rules, value)
    elif at == layout.TACTIC:
        choose_tactic(words, value)
    elif at == layout.BASTIONS:
        place_bastion(words, rules, value)
    elif at == layout.REINFORCE or at == layout.STONES:
        place_unit(words, rules, value)
    elif at == layout.FORGE:
        look_at(words, value)
    elif at == layout.KEEP:
        keep(words, value)
    elif at == layout.ATTACH:
        attach(words, layout.NO_CARD if value < 0 else value)
    else:
        begin_battle(words, rules, value)


@kernel_njit
def _begin_action(words: Words, rules: KernelRules, index: int) -> None:
    """Equip, march, or pass (A1). Modified in place."""
    if index == 0:
        words[FLOW] |= 1 << _FRESH
        go_to(words, layout.EQUIP)
    elif index == 1:
        nobody_moved(words)
        go_to(words, layout.MARCH)
    else:
        _end_action(words, rules)


@kernel_njit
def _fight(words: Words, rules: KernelRules, index: int) -> None:
    """A move or dice in battle. Modified in place."""
    at = stage(words)
    if at == layout.ROLL or at == layout.BLANKS:
        dice_fell(words, index)
    elif at == layout.ASSAULT:
        if index == 0:
            end_battle(words, rules, 1 - assaulter(words), True)
        else:
            roll(words, rules)
    elif at == layout.REROLL:
        if index == 0:
            keep_blanks(words)
        else:
            roll_blanks(words)
    else:
        eliminate(words, rules, nth_elimination(words, rules, index))


# -- what nobody decides --------------------------------------------------------------------------------


@kernel_njit
def advance(words: Words, rules: KernelRules) -> None:
    """Carry out what nobody decides, up to the next decision, draw, or the end. Modified in place."""
    while True:
        at = phase(words)
        if at == layout.SITES:
            if unfilled_site(words, rules) >= 0:
                return
            go_to(words, layout.MARKETING)
        elif at == layout.MARKETING:
            if market_is_short(words, rules):
                return
            go_to(words, layout.HANDS)
        elif at == layout.HANDS:
            if drawing(words, rules) >= 0:
                return
            if rules[layout.RULE_NUM_PLAYERS] == 1 and words[FLOW] >> _ROUND & _ROUND_MASK:
                put(words, FLOW, _SITE, _SITE_MASK, 0)
                go_to(words, layout.ARRIVALS)
            else:
                next_round(words, rules)
        elif at == layout.TACTIC:
            if turn(words) < rules[layout.RULE_NUM_PLAYERS]:
                return
            reveal(words, rules)
        elif at == layout.REINFORCE or at == layout.STONES:
            if arriving(words):
                return
            _next_to_receive(words, rules)
        elif at == layout.ATTACH:
            if slot(words) == layout.NUM_SLOTS:
                put(words, FLOW, _SLOT, _SLOT_MASK, 0)
                _end_action(words, rules)
            elif attachable(words, rules):
                return
            else:
                attach(words, layout.NO_CARD)
        elif at == layout.BATTLES:
            fields = battlefields(words, rules)
            if count(fields) > 1:
                return
            if fields:
                begin_battle(words, rules, nth(fields, 0))
            else:
                _end_action(words, rules)
        elif at == layout.IMPROVE:
            number = searching(words, rules)
            put(words, FLOW, _IMPROVING, _IMPROVING_MASK, number)
            if number:
                return
            go_to(words, layout.HANDS)
        elif at == layout.ARRIVALS:
            if next_arrival(words, rules) >= 0:
                return
            put(words, FLOW, _SITE, _SITE_MASK, 0)
            next_round(words, rules)
        else:
            return


@kernel_njit
def _next_to_receive(words: Words, rules: KernelRules) -> None:
    """The next player's units arrive; after the last one's come actions. Modified in place."""
    reinforcing = phase(words) == layout.REINFORCE
    if turn(words) + 1 < rules[layout.RULE_NUM_PLAYERS]:
        words[FLOW] += 1 << _TURN
        if reinforcing:
            reinforce(words, rules)
        else:
            receive_stones(words, rules)
    else:
        put(words, FLOW, _TURN, _TURN_MASK, 0)
        put(words, FLOW, _FLOOR, _FLOOR_MASK, 0)
        put(words, FLOW, _ACTION, _ACTION_MASK, 1 if reinforcing else 2)
        go_to(words, layout.ACTING)


@kernel_njit
def _end_action(words: Words, rules: KernelRules) -> None:
    """An action is over: has its player won (V1), and who is next? Modified in place."""
    nobody_moved(words)
    words[FLOW] &= ~(1 << _FRESH)
    second = words[FLOW] >> _ACTION & _ACTION_MASK == 2
    if second and points(words, rules, active(words)) >= rules[layout.RULE_GOAL]:
        put(words, FLOW, _WINNER, _WINNER_MASK, active(words))
        go_to(words, layout.OVER)
    elif turn(words) + 1 < rules[layout.RULE_NUM_PLAYERS]:
        words[FLOW] += 1 << _TURN
        go_to(words, layout.ACTING)
    else:
        put(words, FLOW, _TURN, _TURN_MASK, 0)
        if second:
            end_round(words, rules)
        else:
            receive_stones(words, rules)


# -- the end --------------------------------------------------------------------------------------------


@kernel_njit
def winner(words: Words) -> int:
    """Who has won a finished game, -1 if nobody has."""
    best = words[FLOW] >> _WINNER & _WINNER_MASK
    return int(-1 if best == layout.NO_WINNER else best)


@kernel_njit
def payoffs(words: Words, rules: KernelRules, paid: NDArray[np.float64]) -> None:
    """What a finished game pays (V2). Modified in place: `paid`, `[num_players] float64`."""
    num_players, best = rules[layout.RULE_NUM_PLAYERS], winner(words)
    for player in range(num_players):
        paid[player] = 0.0
        if num_players == 2 and best >= 0:
            paid[player] = 1.0 if player == best else -1.0
        elif num_players > 2 and best < 0:
            paid[player] = 1.0 / num_players
        elif player == best:
            paid[player] = 1.0

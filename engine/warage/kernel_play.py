"""Playing on quickly, for whoever plays many matches: moves are listed once, and chance needs no weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import inlined_njit, kernel_njit
from engine.randomness import below, next_random
from engine.warage import layout
from engine.warage.kernel import ALL_MOVES, come_true, is_over
from engine.warage.kernel_effects import deck_of_seasons
from engine.warage.kernel_moves import (
    BUY,
    EVERY,
    EVERY_BUT_SALES,
    MOVE_WORDS,
    NO_REARRANGEMENT,
    UNREADY,
    Move,
    priority_moves,
)
from engine.warage.kernel_round import passed, settle
from engine.warage.kernel_rules import KernelRules
from engine.warage.kernel_state import Words, card_rules, has_room, hp_of, piece_card, set_task, task
from engine.warage.reference_state import Do

_DO_START, _DO_SEASON, _DO_PRIORITY, _DO_DICE, _DO_DISCARD = (
    int(each) for each in (Do.SEASON_AT_START, Do.SEASON, Do.PRIORITY, Do.DICE, Do.DISCARD)
)
_ALL = ALL_MOVES


@inlined_njit
def play_on(words: Words, rules: KernelRules, moves: Move, sales_below: int, sieve: bool) -> int:
    """Do what goes by itself, and pass for whoever can only pass, up to the next decision or chance.

    Where priority is held, `moves` gets all moves, as many as there is room for; but sales only of heroes
    with at most so many HP, and with `sieve` only what is `worth_a_thought`; without it nothing is bought
    without room, and no piece made ready or unready. Who has nothing else is not asked. Quicker than
    `transition`, which lists moves anew for every question. Modified in place; returns how many moves there
    are where priority is held, else 0.
    """
    while True:
        settle(words, rules, moves, True)
        if is_over(words) or task(words, 0) != _DO_PRIORITY:
            return 0
        if not sieve:
            which = NO_REARRANGEMENT
        else:
            which = EVERY if hp_of(words, int(words[layout.PRIORITY])) <= sales_below else EVERY_BUT_SALES
        count = priority_moves(words, rules, moves, which, _ALL)
        if sieve:
            count = _sieved(words, rules, moves, min(count, len(moves) // MOVE_WORDS))
        if count > 1:
            return count
        passed(words, rules)


@kernel_njit
def _sieved(words: Words, rules: KernelRules, moves: Move, count: int) -> int:
    """Keep the listed moves that are worth a thought, in place; returns how many."""
    seat, kept = int(words[layout.PRIORITY]), 0
    for index in range(count):
        move = moves[index * MOVE_WORDS : (index + 1) * MOVE_WORDS]
        if not worth_a_thought(words, rules, seat, move):
            continue
        for place in range(MOVE_WORDS):
            moves[kept * MOVE_WORDS + place] = move[place]
        kept += 1
    return kept


@kernel_njit
def worth_a_thought(words: Words, rules: KernelRules, seat: int, move: Move) -> bool:
    """Whether a move is none of these: to buy what cannot be ready, to unready what nothing can replace."""
    if move[0] == BUY:
        return has_room(words, rules, seat, card_rules(int(move[2])))
    if move[0] != UNREADY:
        return True
    base = seat * layout.HERO_WORDS + layout.PLAY
    part = rules[card_rules(piece_card(words[base + move[2]])) + layout.CARD_PART]
    for index in range(words[seat * layout.HERO_WORDS + layout.PLAY_SIZE]):
        piece = words[base + index]
        if (
            not piece & (layout.READY_BIT | layout.MOVED_BIT)
            and rules[card_rules(piece_card(piece)) + layout.CARD_PART] == part
        ):
            return True
    return False


@kernel_njit
def happen(words: Words, rules: KernelRules, chosen: int) -> None:
    """Carry out an outcome of a chance node, up to what follows by itself. Modified in place.

    `chosen` is a number below `num_ways`: each outcome has as many of them as its weight.
    """
    do, place = task(words, 0), 0
    if do == _DO_DICE:
        place = chosen + 1
    elif do == _DO_DISCARD:
        place = int(words[task(words, 1) * layout.HERO_WORDS + layout.HAND + chosen])
    elif do == _DO_SEASON and deck_of_seasons(words, rules) == 0:
        place = int(words[layout.BOTTOM])
    else:
        base = (
            layout.SEASON_DECK
            if do in (_DO_SEASON, _DO_START)
            else task(words, 1) * layout.HERO_WORDS + layout.DECK
        )
        left = chosen - words[base]
        while left >= 0:
            place += 1
            left -= words[base + place]
    come_true(words, rules, place)


@inlined_njit
def roll(words: Words, rng: NDArray[np.int64]) -> int:
    """Roll all dice of the next task; returns how many, none if it is something else. Modified in place."""
    if task(words, 0) != _DO_DICE:
        return 0
    base, dice = layout.FACES + 6 * task(words, 1), task(words, 2)
    for _ in range(dice):
        words[base + below(next_random(rng), 6)] += 1
    set_task(words, 2, 0)
    return dice


@inlined_njit
def num_ways(words: Words, rules: KernelRules) -> int:
    """Weights of all outcomes of a chance node together."""
    do = task(words, 0)
    if do == _DO_DICE:
        return 6
    if do in (_DO_SEASON, _DO_START):
        return max(deck_of_seasons(words, rules), 1)
    return int(
        words[
            task(words, 1) * layout.HERO_WORDS + (layout.HAND_SIZE if do == _DO_DISCARD else layout.DECK_SIZE)
        ]
    )

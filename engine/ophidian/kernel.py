"""The whole game on words: the transition kernel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ophidian import layout
from engine.ophidian.kernel_actions import act, ask, carry_on, defend, respond, resume, window
from engine.ophidian.kernel_effects import (
    cheer,
)
from engine.ophidian.kernel_moves import maintained, may_reinforce, moves
from engine.ophidian.kernel_plays import ABANDON, PLACE, PROMOTE, REINFORCE, ROAR, STOP, Move
from engine.ophidian.kernel_round import (
    ASK,
    CARRY_ON,
    CUT_DOWN,
    ENTER,
    MAINTAINING,
    NEXT_SHIFT,
    REFILL,
    STEP_DONE,
    UNDECIDED,
    WINDOW,
    abandon,
    acting,
    began,
    cut_down,
    drawing,
    ends,
    enter,
    maintaining,
    more_points,
    refill,
    result,
    step_done,
)
from engine.ophidian.kernel_round import STOP as NOTHING
from engine.ophidian.kernel_rules import KernelRules
from engine.ophidian.kernel_state import (
    Words,
    add_fighter,
    fighter_at,
    is_alive,
    team_size,
)
from engine.ophidian.reference_state import ACTION, SUPPORT, Phase
from engine.ophidian.rules_schema import MAX_CARDS
from engine.protocol import CHANCE, OVER

__all__ = ["CHANCE", "MAX_OUTCOMES", "NUM_WORDS", "OVER"]

NUM_WORDS = layout.NUM_WORDS
MAX_OUTCOMES = max(MAX_CARDS, 6)
"""Outcomes of a chance node at most."""

_ACTION_FIELD = ACTION
_NEXT_MASK = (1 << NEXT_SHIFT) - 1
(
    _P_DIE,
    _P_PROMOTE,
    _P_PLACE,
    _P_ACT,
    _P_STAND_IN,
    _P_ROAR,
    _P_OVER,
    _P_RESPOND,
    _P_ROLL,
    _P_DRAW,
    _P_DISCARD,
    _P_UNDER,
    _P_MAINTAIN,
    _P_REINFORCE,
) = (int(each) for each in Phase)


@kernel_njit
def start(words: Words, rules: KernelRules) -> None:
    """The first state of a match. Modified in place: `words`."""
    for word in range(len(words)):
        words[word] = 0
    for player in range(2):
        base, seat = player * layout.PLAYER_WORDS, layout.RULE_SEAT + player * layout.SEAT_WORDS
        for card in range(rules[layout.RULE_CARDS]):
            words[base + layout.DECK + card] = rules[seat + layout.SEAT_DECK + card]
        words[base + layout.DECK_SIZE] = rules[seat + layout.SEAT_DECK_SIZE]
        words[base + layout.STACK_SIZE] = rules[seat + layout.SEAT_STACK_SIZE]
        for place in range(rules[seat + layout.SEAT_STACK_SIZE]):
            words[base + layout.STACK + place] = rules[seat + layout.SEAT_STACK + place]
        words[base + layout.RESOURCES] = rules[layout.RULE_RESOURCES] + 1
        for place in range(rules[seat + layout.SEAT_TEAM_SIZE]):
            add_fighter(words, player, int(rules[seat + layout.SEAT_TEAM + place]), -1, 0, _ACTION_FIELD)
    refill(words, rules)


@kernel_njit
def is_over(words: Words) -> bool:
    """Whether the match has ended."""
    return bool(words[layout.PHASE] == _P_OVER)


@kernel_njit
def decider(words: Words, rules: KernelRules) -> int:
    """Who decides: a player, `CHANCE` or `OVER`."""
    phase = words[layout.PHASE]
    if phase == _P_OVER:
        return OVER
    return CHANCE if phase in (_P_DIE, _P_ROLL, _P_DRAW) else int(words[layout.TURN])


@kernel_njit
def winner(words: Words, rules: KernelRules) -> int:
    """Who has won a finished match, -1 for a draw (W1-W4)."""
    found = result(words, rules)
    return more_points(words, rules) if found == UNDECIDED else found


@kernel_njit
def payoffs(words: Words, rules: KernelRules, paid: NDArray[np.float64]) -> None:
    """What a finished match pays (W5). Modified in place: `paid`, `[2]`."""
    best = winner(words, rules)
    paid[0] = 0.0 if best < 0 else 1.0 - 2.0 * best
    paid[1] = -paid[0]


@kernel_njit
def chance_weights(words: Words, rules: KernelRules, weights: NDArray[np.int64]) -> int:
    """Weights of the outcomes of a chance node; returns their sum. Modified in place: `weights`."""
    phase = words[layout.PHASE]
    if phase != _P_DRAW:
        faces = 2 if phase == _P_DIE else 6
        for face in range(faces):
            weights[face] = 1
        return faces
    base, count = words[layout.TURN] * layout.PLAYER_WORDS, 0
    if words[base + layout.DECK_SIZE] == 0:
        weights[0] = 1
        return 1
    for card in range(rules[layout.RULE_CARDS]):
        if words[base + layout.DECK + card]:
            weights[count] = words[base + layout.DECK + card]
            count += 1
    return int(words[base + layout.DECK_SIZE])


@kernel_njit
def _drawn_card(words: Words, rules: KernelRules, index: int) -> int:
    """The card of an outcome's number."""
    base = words[layout.TURN] * layout.PLAYER_WORDS
    if words[base + layout.DECK_SIZE] == 0:
        return int(words[base + layout.BOTTOM])
    for card in range(rules[layout.RULE_CARDS]):
        if words[base + layout.DECK + card]:
            if index == 0:
                return int(card)
            index -= 1
    return -1


@kernel_njit
def num_outcomes(words: Words, rules: KernelRules) -> int:
    """How many moves, or outcomes of chance, there are."""
    phase = words[layout.PHASE]
    if phase == _P_DIE:
        return 2
    if phase == _P_ROLL:
        return 6
    if phase != _P_DRAW:
        return moves(words, rules, words, -1)  # no move is wanted: the words stay as they are
    base, count = words[layout.TURN] * layout.PLAYER_WORDS, 0
    if words[base + layout.DECK_SIZE] == 0:
        return 1
    for card in range(rules[layout.RULE_CARDS]):
        count += int(words[base + layout.DECK + card] > 0)
    return count


@kernel_njit
def get_move(words: Words, rules: KernelRules, index: int, move: Move) -> None:
    """Write down the decision of a number. Modified in place: `move`, `[MOVE_WORDS]`."""
    moves(words, rules, move, index)


@kernel_njit
def transition(words: Words, rules: KernelRules, index: int, move: Move, weights: NDArray[np.int64]) -> None:
    """Carry out the move or outcome of a number. Modified in place: `words`, and scratch."""
    if decider(words, rules) == CHANCE:
        following = _chance(words, rules, index)
    else:
        moves(words, rules, move, index)
        following = _decide(words, rules, move)
    _go_on(words, rules, following)


@kernel_njit
def carry_out_move(words: Words, rules: KernelRules, move: Move) -> None:
    """Carry out a move that is written down already. Modified in place: `words`."""
    _go_on(words, rules, _decide(words, rules, move))


@kernel_njit
def _go_on(words: Words, rules: KernelRules, following: int) -> None:
    """Until somebody decides, or chance does. Modified in place: `words`."""
    while following != NOTHING:
        what = following & _NEXT_MASK
        if what == ASK:
            following = ask(words, rules, following >> NEXT_SHIFT)
        elif what == CARRY_ON:
            following = carry_on(words, rules)
        elif what == WINDOW:
            following = window(words, rules)
        elif what == REFILL:
            following = refill(words, rules)
        elif what == CUT_DOWN:
            following = cut_down(words, rules)
        elif what == STEP_DONE:
            following = step_done(words, rules)
        elif what == ENTER:
            following = enter(words, rules)
        else:
            following = maintaining(words, rules)


@kernel_njit
def _chance(words: Words, rules: KernelRules, index: int) -> int:
    phase = words[layout.PHASE]
    if phase == _P_DIE:
        return began(words, rules, index)
    if phase == _P_ROLL:
        action = layout.RESPONSE if words[layout.RESPONSE + layout.KIND] else layout.ACTION
        words[action + layout.DIE] = index + 1
        return resume(words)
    card, base = _drawn_card(words, rules, index), words[layout.TURN] * layout.PLAYER_WORDS
    if words[base + layout.DECK_SIZE]:
        words[base + layout.DECK + card] -= 1
        words[base + layout.DECK_SIZE] -= 1
    else:
        last = int(words[base + layout.BOTTOM_SIZE]) - 1
        for place in range(last):
            words[base + layout.BOTTOM + place] = words[base + layout.BOTTOM + place + 1]
        words[base + layout.BOTTOM + last] = 0
        words[base + layout.BOTTOM_SIZE] = last
    words[base + layout.HAND + card] += 1
    words[base + layout.HAND_SIZE] += 1
    words[layout.LEFT] -= 1
    drawing(words)
    if words[layout.LEFT]:
        return NOTHING
    if words[layout.ACTION + layout.KIND]:
        return resume(words)
    return NOTHING if ends(words, rules) else CUT_DOWN


@kernel_njit
def _decide(words: Words, rules: KernelRules, move: Move) -> int:
    phase, turn, kind = words[layout.PHASE], int(words[layout.TURN]), int(move[0])
    base = turn * layout.PLAYER_WORDS
    if phase == _P_ACT:
        return act(words, rules, turn, move)
    if phase == _P_STAND_IN:
        return defend(words, kind, int(move[1]))
    if phase == _P_ROAR:
        if kind == ROAR:
            cheer(words, turn, -1)
        if words[layout.ACTION + layout.KIND]:
            # It is announced only: now come the responses to it.
            if kind == ROAR:
                words[layout.ACTION + layout.POSITIVE], words[layout.ACTION + layout.ROARED] = 0, 1
            return ASK | turn << NEXT_SHIFT
        return acting(words, rules, turn if kind == ROAR else int(words[layout.MOMENTUM]))
    if phase == _P_RESPOND:
        return respond(words, rules, turn, move)
    if phase == _P_DISCARD:
        return _discard(words, rules, turn, kind, int(move[3]))
    if phase == _P_UNDER:
        words[base + layout.HAND + move[3]] -= 1
        words[base + layout.HAND_SIZE] -= 1
        words[base + layout.BOTTOM + words[base + layout.BOTTOM_SIZE]] = move[3]
        words[base + layout.BOTTOM_SIZE] += 1
        return CUT_DOWN
    if phase == _P_MAINTAIN:
        place = maintained(words, rules, turn, int(words[layout.LEFT]))
        if kind == ABANDON:
            abandon(words, rules, place)
            return NOTHING if ends(words, rules) else MAINTAINING
        words[base + layout.RESOURCES] -= (place >> 9) - 1
        words[layout.LEFT] += 1
        return MAINTAINING
    if phase == _P_REINFORCE:
        return _reinforce(words, rules, turn, kind, int(move[3]))
    for index in range(team_size(words, turn)):
        fighter = fighter_at(turn, index)
        chosen = move[5] >> index & 1
        if kind == PLACE and is_alive(words, rules, fighter):
            words[fighter + layout.FIELD] = chosen
        elif kind == PROMOTE and chosen:
            words[fighter + layout.LEVEL] += 1
            words[fighter + layout.WOUNDS] = max(0, words[fighter + layout.WOUNDS] - rules[layout.RULE_HEALS])
    return STEP_DONE


@kernel_njit
def _discard(words: Words, rules: KernelRules, turn: int, kind: int, card: int) -> int:
    """A card leaves the hand; before drawing, any number of them (B2)."""
    if kind == STOP:
        return REFILL
    base = turn * layout.PLAYER_WORDS
    words[base + layout.HAND + card] -= 1
    words[base + layout.HAND_SIZE] -= 1
    if words[layout.ACTION + layout.KIND]:
        words[layout.LEFT] -= 1
        return NOTHING if words[layout.LEFT] else resume(words)
    words[layout.LEFT] = card
    for other in range(card, rules[layout.RULE_CARDS]):
        if words[base + layout.HAND + other]:
            return NOTHING
    return REFILL


@kernel_njit
def _reinforce(words: Words, rules: KernelRules, turn: int, kind: int, gladiator: int) -> int:
    """A reinforcement enters (B4); or no more of them."""
    if kind == REINFORCE:
        base, kept, later = turn * layout.PLAYER_WORDS, 0, False
        size = int(words[base + layout.STACK_SIZE])
        for place in range(size):
            other = words[base + layout.STACK + place]
            if other != gladiator:
                words[base + layout.STACK + kept] = other
                kept += 1
                later = later or other >= gladiator
        words[base + layout.STACK + size - 1] = 0
        words[base + layout.STACK_SIZE] = kept
        add_fighter(words, turn, gladiator, -1, -1, SUPPORT)
        words[layout.LEFT] = gladiator
        if later and may_reinforce(words, rules, turn):
            return NOTHING
    return STEP_DONE

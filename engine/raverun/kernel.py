"""Transition kernel of Raverun on bit-packed states: the fast twin of `reference`.

A state is an array `[NUM_WORDS] int64` laid out as in `layout`. Functions that change it say "Modified in
place"; `rules` is always a `KernelRules`. Moves and chance outcomes are numbered from 0 in the order in which
the reference lists them. Legality is not checked: a number beyond the last gives a meaningless state.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.raverun import layout
from engine.raverun.card_sets import SET_MASK, count, lowest, nth, smeared
from engine.raverun.kernel_rules import KernelRules
from engine.raverun.places import (
    bury,
    draw,
    first_batch,
    lay_out,
    no_longer_hidden,
    push,
    put_under,
    recall,
    shuffle,
    swap,
    unplaced,
)
from engine.raverun.rules import BURY, CAPTURE, DEPLOY, DRAW, EXCHANGE, RECALL, SWAP

Words = NDArray[np.int64]

NUM_WORDS = layout.NUM_WORDS
PLAYER, STACK, DECK, FLOW = layout.PLAYER, layout.STACK, layout.DECK, layout.FLOW
NO_CARD, NO_PLAYER = layout.NO_CARD, layout.NO_PLAYER
CHANCE, OVER = -1, -2
MAX_MOVES = layout.MAX_PLAYERS * layout.MAX_CARDS + 1
"""Moves at a decision, and outcomes at a chance node, at most."""

_BATTLE = layout.BATTLEFIELD.offset
_TOP, _CARD_MASK = layout.TOP.offset, layout.TOP.mask
_CHOSEN, _GOING = layout.CHOSEN.offset, layout.GOING.offset

_PHASE_MASK = layout.PHASE.mask
_ACTING, _ORDER, _ACTED = layout.ACTING.offset, layout.ORDER.offset, layout.ACTED.offset
_LEADER = layout.LEADER.offset
_THRESHOLD, _OFFERED = layout.THRESHOLD.offset, layout.OFFERED.offset
_DRAWER, _DRAWS, _SHUFFLER = layout.DRAWER.offset, layout.DRAWS.offset, layout.SHUFFLER.offset


# `uses` packs which cards and which players' stacks a card may be used on.
_TARGETS = 24

_EMPTY_PLAYER = NO_CARD << _TOP | NO_CARD << _CHOSEN
_NOBODY = NO_CARD << _OFFERED | NO_PLAYER << _DRAWER | NO_PLAYER << _SHUFFLER

assert layout.PHASE.offset == 0
assert layout.HAND.offset == layout.STACKED.offset == layout.DECKED.offset == 0


# -- who decides, and what is allowed -----------------------------------------------------------------


@kernel_njit
def phase(words: Words) -> int:
    """Where in the game the state stands, one of `layout.DEAL`, ..., `layout.OVER`."""
    return int(words[FLOW] & _PHASE_MASK)


@kernel_njit
def is_over(words: Words) -> bool:
    """Whether the game has ended."""
    return phase(words) == layout.OVER


@kernel_njit
def decider(words: Words) -> int:
    """Who decides: a player, `CHANCE`, or `OVER`."""
    if phase(words) == layout.OVER:
        return OVER
    acting = int(words[FLOW] >> _ACTING & 3)
    return CHANCE if acting == layout.CHANCE_ACTS else acting


@kernel_njit
def filled_stacks(words: Words, rules: KernelRules, at_least: int) -> int:
    """One bit for each player whose stack has so many cards."""
    players = 0
    for player in range(rules[layout.RULE_NUM_PLAYERS]):
        stack = words[STACK + player] & SET_MASK
        if stack & (stack - 1 if at_least > 1 else stack):
            players |= 1 << player
    return players


@kernel_njit
def uses(words: Words, rules: KernelRules, player: int, card: int) -> int:
    """On what a card may be used by its owner: cards, and above them players; 0 if it has no target (A1)."""
    action = rules[layout.RULE_ACTIONS + card]
    own = words[PLAYER + player]
    if action == SWAP:
        held, filled = own & SET_MASK, filled_stacks(words, rules, 1)
        return int(held | filled << _TARGETS) if held and filled else 0
    if action == EXCHANGE:
        if not words[DECK] & SET_MASK:
            return 0
        return int(own & SET_MASK & ~smeared(words[DECK] >> _GOING & SET_MASK))
    if action == DRAW:
        return 1 << _TARGETS + player if words[DECK] & SET_MASK else 0
    if action == DEPLOY or action == CAPTURE:
        lying = 0
        for other in range(rules[layout.RULE_NUM_PLAYERS]):
            if action == DEPLOY or other != player:
                lying |= words[PLAYER + other] >> _BATTLE & SET_MASK
        if action == DEPLOY and lying:
            lying |= (1 << rules[layout.RULE_NUM_PLAYERS]) - 1 << _TARGETS
        return int(lying)
    if action == BURY:
        return filled_stacks(words, rules, 1) << _TARGETS
    if action == RECALL:
        below = words[STACK + player] & SET_MASK & ~(1 << (own >> _TOP & _CARD_MASK))
        return int(below & rules[layout.RULE_SAME_LETTER + card])
    return filled_stacks(words, rules, 2) << _TARGETS


@kernel_njit
def num_uses(packed: int) -> int:
    """Number of ways in which a card may be used, from what `uses` returned (not 0)."""
    cards, targets = packed & SET_MASK, packed >> _TARGETS
    return (count(cards) if cards else 1) * (count(targets) if targets else 1)


@kernel_njit
def num_moves(words: Words, rules: KernelRules) -> int:
    """Number of moves of the player who decides; it must be one."""
    flow = words[FLOW]
    stage, player = flow & _PHASE_MASK, flow >> _ACTING & 3
    if stage == layout.BID or stage == layout.PLAY:
        return count(words[PLAYER + player] & SET_MASK)
    if stage == layout.ORDERING:
        return int(rules[layout.RULE_NUM_ORDERS])
    return num_uses(uses(words, rules, player, flow >> _OFFERED & _CARD_MASK)) + 1


@kernel_njit
def chance_cards(words: Words) -> int:
    """The outcomes of a chance node, all equally likely: cards that may be drawn, or laid out next."""
    shuffler = words[FLOW] >> _SHUFFLER & 3
    if shuffler == NO_PLAYER:
        return first_batch(words)
    return unplaced(words)


@kernel_njit
def num_outcomes(words: Words, rules: KernelRules) -> int:
    """Number of moves at a decision, of outcomes at a chance node."""
    if words[FLOW] >> _ACTING & 3 == layout.CHANCE_ACTS:
        return count(chance_cards(words))
    return num_moves(words, rules)


@kernel_njit
def chance_weights(words: Words, weights: NDArray[np.int64]) -> int:
    """Write the integer weights of the outcomes of a chance node; returns their sum.

    Parameters
    ----------
    weights : `[MAX_MOVES] int64`, modified in place: as many as there are outcomes.
    """
    total = count(chance_cards(words))
    for index in range(total):
        weights[index] = 1
    return total


@kernel_njit
def move_parts(words: Words, rules: KernelRules, index: int) -> tuple[int, int]:
    """A move or outcome by its number: its card and its player, -1 for none; an order is its index."""
    flow = words[FLOW]
    stage, player = flow & _PHASE_MASK, flow >> _ACTING & 3
    if player == layout.CHANCE_ACTS:
        return nth(chance_cards(words), index), -1
    if stage == layout.BID or stage == layout.PLAY:
        return nth(words[PLAYER + player] & SET_MASK, index), -1
    if stage == layout.ORDERING:
        return -1, index
    packed = uses(words, rules, player, flow >> _OFFERED & _CARD_MASK)
    if index == num_uses(packed):
        return -1, -1
    cards, targets = packed & SET_MASK, packed >> _TARGETS
    num_targets = count(targets) if targets else 1
    card = nth(cards, index // num_targets) if cards else -1
    return card, nth(targets, index % num_targets) if targets else -1


# -- moves --------------------------------------------------------------------------------------------


@kernel_njit
def start(words: Words, rules: KernelRules) -> None:
    """The state before the hands are dealt (V2). Modified in place."""
    for word in range(NUM_WORDS):
        words[word] = 0
    for player in range(rules[layout.RULE_NUM_PLAYERS]):
        words[PLAYER + player] = _EMPTY_PLAYER
    words[DECK] = (1 << rules[layout.RULE_NUM_CARDS]) - 1
    words[FLOW] = _NOBODY | layout.DEAL
    advance(words, rules)


@kernel_njit
def transition(words: Words, rules: KernelRules, index: int) -> None:
    """Carry out a move or chance outcome by its number, and what happens by itself. Modified in place."""
    if carry_out(words, rules, index):
        advance(words, rules)


@kernel_njit
def carry_out(words: Words, rules: KernelRules, index: int) -> bool:
    """Carry out a move or chance outcome and nothing that follows. Modified in place.

    Returns whether `advance` is next; otherwise the player has still to choose (2).
    """
    card, target = move_parts(words, rules, index)
    flow = words[FLOW]
    stage, player = flow & _PHASE_MASK, flow >> _ACTING & 3
    if player == layout.CHANCE_ACTS:
        if flow >> _SHUFFLER & 3 == NO_PLAYER:
            draw(words, rules, card)
        else:
            matters = rules[layout.RULE_LAST_BURIES] >> (flow >> _THRESHOLD & _CARD_MASK) != 0
            if stage == layout.ROUND:
                matters = (rules[layout.RULE_LAST_BURIES] | rules[layout.RULE_ROUND_BURIES]) != 0
            lay_out(words, card, matters)
    elif stage == layout.BID or stage == layout.PLAY:
        words[PLAYER + player] ^= 1 << card | (NO_CARD ^ card) << _CHOSEN
        if stage == layout.PLAY:
            words[PLAYER + player] |= 1 << _BATTLE + card
            no_longer_hidden(words, rules, card)
        words[FLOW] += 1 << _ACTED
    elif stage == layout.ORDERING:
        # From ORDERING to PLAY, with the order, and who chose it.
        words[FLOW] = (flow & ~(3 << _LEADER)) + 1 | target << _ORDER | player << _LEADER
    else:
        return _act(words, rules, player, flow >> _OFFERED & _CARD_MASK, card, target)
    return True


@kernel_njit
def _act(words: Words, rules: KernelRules, player: int, offered: int, card: int, target: int) -> bool:
    """Use the offered card, or pass. Modified in place. False if the player has still to choose (2)."""
    action = rules[layout.RULE_ACTIONS + offered]
    if action == EXCHANGE and (card >= 0 or words[DECK] >> _GOING):
        if card >= 0:
            words[PLAYER + player] ^= 1 << card
            words[DECK] |= 1 << _GOING + card
            if words[PLAYER + player] & SET_MASK & ~smeared(1 << card):
                return False
        going = put_under(words, rules, player)
        words[FLOW] = words[FLOW] & ~(3 << _DRAWER) | player << _DRAWER | count(going) << _DRAWS
        _offered_before(words, offered)
        return True
    _offered_before(words, offered)
    if card < 0 and target < 0:
        return True
    if action == DRAW:
        words[FLOW] = words[FLOW] & ~(3 << _DRAWER) | player << _DRAWER | 1 << _DRAWS
    elif action == SWAP:
        swap(words, rules, player, card, target)
    elif action == DEPLOY or action == CAPTURE:
        for other in range(rules[layout.RULE_NUM_PLAYERS]):
            words[PLAYER + other] &= ~(1 << _BATTLE + card)
        if action == DEPLOY:
            push(words, rules, target, card)
        else:
            words[PLAYER + player] |= 1 << _BATTLE + card
    elif action == BURY:
        bury(words, rules, target)
    elif action == RECALL:
        recall(words, player, card)
    else:
        shuffle(words, target)
    return True


@kernel_njit
def _offered_before(words: Words, offered: int) -> None:
    """The offered card has been used or declined: only higher ones may act now. Modified in place."""
    flow = words[FLOW] & ~(_CARD_MASK << _THRESHOLD) | offered + 1 << _THRESHOLD
    words[FLOW] = flow | NO_CARD << _OFFERED


@kernel_njit
def _next_offer(words: Words, rules: KernelRules) -> int:
    """The lowest card that acts now, with its owner: owner << 5 | card; -1 if there is none (P3, P5, A1)."""
    flow = words[FLOW]
    threshold = flow >> _THRESHOLD & _CARD_MASK
    if flow & _PHASE_MASK == layout.ROUND:
        best, owner = NO_CARD, -1
        for player in range(rules[layout.RULE_NUM_PLAYERS]):
            top = words[PLAYER + player] >> _TOP & _CARD_MASK
            acts = rules[layout.RULE_ROUND_CARDS] >> top & 1
            if acts and threshold <= top < best and uses(words, rules, player, top):
                best, owner = top, player
        return int(owner << 5 | best) if owner >= 0 else -1
    lying = 0
    for player in range(rules[layout.RULE_NUM_PLAYERS]):
        lying |= words[PLAYER + player] >> _BATTLE & SET_MASK
    lying &= rules[layout.RULE_LAST_CARDS] & -1 << threshold
    while lying:
        card = lowest(lying)
        owner = 0
        while not words[PLAYER + owner] >> _BATTLE + card & 1:
            owner += 1
        if uses(words, rules, owner, card):
            return int(owner << 5 | card)
        lying &= lying - 1
    return -1


@kernel_njit
def highest_top(words: Words, rules: KernelRules) -> int:
    """Owner of the highest top card of all stacks, -1 if all are empty (P1, P5)."""
    best, owner = -1, -1
    for player in range(rules[layout.RULE_NUM_PLAYERS]):
        top = words[PLAYER + player] >> _TOP & _CARD_MASK
        if top != NO_CARD and top > best:
            best, owner = top, player
    return owner


@kernel_njit
def _round_begins(words: Words, rules: KernelRules) -> int:
    """The phase after a round: another one if everybody holds a card, otherwise the last phase (P4)."""
    for player in range(rules[layout.RULE_NUM_PLAYERS]):
        if not words[PLAYER + player] & SET_MASK:
            return layout.LAST
    return layout.ORDERING


@kernel_njit
def advance(words: Words, rules: KernelRules) -> None:
    """Carry out what nobody decides, up to the next decision, draw, or the end. Modified in place."""
    num_players = rules[layout.RULE_NUM_PLAYERS]
    while True:
        flow = words[FLOW]
        stage = flow & _PHASE_MASK
        acting = -1
        if flow >> _DRAWS & _CARD_MASK or flow >> _SHUFFLER & 3 != NO_PLAYER:
            acting = layout.CHANCE_ACTS
        elif stage == layout.DEAL:
            flow += layout.BID - layout.DEAL
            for player in range(num_players - 1, -1, -1):
                if not words[PLAYER + player] & SET_MASK:
                    flow = (
                        words[FLOW] & ~(3 << _DRAWER)
                        | player << _DRAWER
                        | rules[layout.RULE_HAND_SIZE] << _DRAWS
                    )
        elif stage == layout.BID or stage == layout.PLAY:
            acted = flow >> _ACTED & 3
            if acted < num_players:
                acting = acted
                if stage == layout.PLAY:
                    acting = rules[layout.RULE_ORDERS + layout.MAX_PLAYERS * (flow >> _ORDER & 7) + acted]
            elif stage == layout.BID:
                for player in range(num_players):
                    _settle_chosen(words, rules, player, NO_CARD)
                flow = flow & ~(3 << _ACTED)
                flow += _round_begins(words, rules) - layout.BID
            else:
                best = -1
                for player in range(num_players):
                    best = max(best, words[PLAYER + player] >> _CHOSEN & _CARD_MASK)
                for player in range(num_players):
                    _settle_chosen(words, rules, player, best)
                flow = (flow & ~(3 << _ACTED | 7 << _ORDER)) + layout.ROUND - layout.PLAY
        elif stage == layout.ORDERING:
            acting = highest_top(words, rules)
            if acting < 0:
                acting = flow >> _LEADER & 3
        elif stage == layout.OVER:
            acting = 0
        else:
            offer = _next_offer(words, rules)
            if offer >= 0:
                flow = flow & ~(_CARD_MASK << _OFFERED) | (offer & _CARD_MASK) << _OFFERED
                acting = offer >> 5
            else:
                flow = flow & ~(_CARD_MASK << _THRESHOLD)
                after = layout.OVER if stage == layout.LAST else _round_begins(words, rules)
                flow = flow & ~_PHASE_MASK | after
        if acting >= 0:
            words[FLOW] = flow & ~(3 << _ACTING) | acting << _ACTING
            return
        words[FLOW] = flow


@kernel_njit
def _settle_chosen(words: Words, rules: KernelRules, player: int, best: int) -> None:
    """The player's chosen card goes onto its stack unless it is the best one (V3, P2). Modified in place."""
    card = words[PLAYER + player] >> _CHOSEN & _CARD_MASK
    words[PLAYER + player] |= NO_CARD << _CHOSEN
    if card != best:
        words[PLAYER + player] &= ~(1 << _BATTLE + card)
        push(words, rules, player, card)


# -- the end ------------------------------------------------------------------------------------------


@kernel_njit
def winner(words: Words, rules: KernelRules) -> int:
    """Who has won a finished game, -1 if all stacks are empty (P5)."""
    return highest_top(words, rules)

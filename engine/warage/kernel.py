"""The whole game on words: the transition kernel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import inlined_njit, kernel_njit
from engine.protocol import CHANCE, OVER
from engine.warage import layout
from engine.warage.kernel_effects import check, deck_of_seasons, reveal_season
from engine.warage.kernel_moves import (
    ABILITY,
    ATTACK,
    BUY,
    CAST,
    FLASH,
    MOVE_WORDS,
    PASS,
    READY,
    REDRAW,
    SELL,
    STOP,
    TO_HAND,
    TO_LIFE,
    UNREADY,
    USE,
    Move,
    priority_moves,
)
from engine.warage.kernel_round import passed, settle
from engine.warage.kernel_rules import KernelRules
from engine.warage.kernel_state import (
    Words,
    add_task,
    add_to_hand,
    card_rules,
    change_hp,
    count_piece,
    count_ready,
    drop_task,
    effect_at,
    has_room,
    item_at,
    piece_card,
    set_task,
    take_from_hand,
    task,
    without_piece,
)
from engine.warage.reference_state import Do, Kind, Phase
from engine.warage.rules_schema import KINDS, MAX_CARDS, TRIGGERS

__all__ = ["CHANCE", "MAX_OUTCOMES", "NUM_WORDS", "OVER"]

NUM_WORDS = layout.NUM_WORDS
MAX_OUTCOMES = MAX_CARDS
"""Outcomes of a chance node at most."""
ALL_MOVES = 1 << 30

_HERO, _PLAYERS, _NUM_CARDS = layout.HERO_WORDS, layout.RULE_PLAYERS, layout.RULE_CARDS
_NUM_SEASONS = layout.RULE_SEASONS
_HP, _HP_OFFSET, _MODS, _NUM_STATS = layout.HP, layout.HP_OFFSET, layout.MODS_OFFSET, layout.NUM_STATS
_ROUND, _OPENING, _DICE_OFFSET = layout.ROUND_MODS, layout.OPENING_MODS, layout.DICE_OFFSET
_HAND, _HAND_SIZE, _LIFE, _LIFE_SIZE = layout.HAND, layout.HAND_SIZE, layout.LIFE, layout.LIFE_SIZE
_PLAY, _PLAY_SIZE, _DECK, _DECK_SIZE = layout.PLAY, layout.PLAY_SIZE, layout.DECK, layout.DECK_SIZE
_PHASE, _TURN, _PRIORITY, _PASSES = layout.PHASE, layout.TURN, layout.PRIORITY, layout.PASSES
_WINNERS = layout.WINNERS
_ATTACKED, _AMULETS, _ABILITY_USED = layout.ATTACKED, layout.AMULETS, layout.ABILITY
_SEASON, _SEASON_DECK, _BOTTOM = layout.SEASON, layout.SEASON_DECK, layout.BOTTOM
_BOTTOM_SIZE = layout.BOTTOM_SIZE
_FACES, _QUEUE_SIZE = layout.FACES, layout.QUEUE_SIZE
_SEATS, _SEAT, _SEAT_HP, _SEAT_DECK = layout.RULE_SEATS, layout.SEAT_WORDS, layout.SEAT_HP, layout.SEAT_DECK
_SEAT_DECK_SIZE = layout.SEAT_DECK_SIZE
_SEAT_EFFECTS, _USE_COST = layout.SEAT_EFFECTS, layout.EFFECTS_USE_COST
_SEASONS, _SEASON_WORDS, _COPIES = layout.RULE_SEASON, layout.SEASON_WORDS, layout.SEASON_COPIES
_BASE = layout.SEASON_BASE
_HAND_RULE, _REDRAW_RULE, _LIFE_PLACES = layout.RULE_HAND_SIZE, layout.RULE_REDRAW, layout.RULE_LIFE_PLACES
_CARD_EFFECTS, _COST, _KIND = layout.CARD_EFFECTS, layout.CARD_COST, layout.CARD_KIND
_COUNT, _TRIGGER, _LIMIT = layout.EFFECTS_COUNT, layout.EFFECT_TRIGGER, layout.EFFECT_LIMIT
_READY_BIT, _AWAKE_BIT, _MOVED_BIT = layout.READY_BIT, layout.AWAKE_BIT, layout.MOVED_BIT
_SHIFT = layout.CARD_SHIFT
_ITEM_KIND, _ITEM_OWNER, _ITEM_CARD = layout.ITEM_KIND, layout.ITEM_OWNER, layout.ITEM_CARD
_ITEM_HERO, _ITEM_PIECE, _ITEM_ITEM = layout.ITEM_HERO, layout.ITEM_PIECE, layout.ITEM_ITEM
_ITEM_SOURCES, _ITEM_SOURCE, _ITEM_PLUS = layout.ITEM_SOURCES, layout.ITEM_SOURCE, layout.ITEM_PLUS
_ITEM_DICE = layout.ITEM_DICE
_DO_START, _DO_DEAL, _DO_REDRAW, _DO_ROUND = (
    int(each) for each in (Do.SEASON_AT_START, Do.DEAL, Do.REDRAW, Do.ROUND)
)
_DO_DRAW, _DO_PRIORITY, _DO_DICE, _DO_DISCARD, _DO_SEASON = (
    int(each) for each in (Do.DRAW, Do.PRIORITY, Do.DICE, Do.DISCARD, Do.SEASON)
)
_OVER_PHASE = int(Phase.OVER)
_MELEE_ITEM, _MAGIC_ITEM, _FLASH_ITEM, _USE_ITEM, _ABILITY_ITEM, _SALE_ITEM = (int(each) for each in Kind)
_SPELL, _AMULET = KINDS.index("spell"), KINDS.index("amulet")
_USE_TRIGGER = TRIGGERS.index("use")
_ALL = ALL_MOVES


@kernel_njit
def start(words: Words, rules: KernelRules) -> None:
    """The first state of a match. Modified in place."""
    for word in range(len(words)):
        words[word] = 0
    players = rules[_PLAYERS]
    for seat in range(players):
        base, place = seat * _HERO, _SEATS + seat * _SEAT
        words[base + _HP] = rules[place + _SEAT_HP] + _HP_OFFSET
        words[base + _DECK_SIZE] = rules[place + _SEAT_DECK_SIZE]
        for stat in range(_NUM_STATS):
            words[base + _ROUND + stat] = _MODS
            words[base + _OPENING + stat] = _MODS
            words[base + layout.ADDS + stat] = layout.ADDS_OFFSET
        for card in range(rules[_NUM_CARDS]):
            words[base + _DECK + card] = rules[place + _SEAT_DECK + card]
    for season in range(rules[_NUM_SEASONS]):
        words[_SEASON_DECK + season] = rules[_SEASONS + season * _SEASON_WORDS + _COPIES]
    words[_TURN] = 1
    add_task(words, _DO_ROUND, 0, 0, 0, 0, 0)
    for seat in range(players - 1, -1, -1):
        add_task(words, _DO_REDRAW, seat, 0, 0, 0, 0)
    for seat in range(players - 1, -1, -1):
        add_task(words, _DO_DEAL, seat, int(rules[_HAND_RULE]), 0, 0, 0)
    add_task(words, _DO_START, 0, 0, 0, 0, 0)


@kernel_njit
def is_over(words: Words) -> bool:
    """Whether the match has ended."""
    return bool(words[_PHASE] == _OVER_PHASE)


@kernel_njit
def decider(words: Words, rules: KernelRules) -> int:
    """Who decides: a seat, `CHANCE` or `OVER`."""
    if is_over(words):
        return OVER
    do = task(words, 0)
    if do == _DO_PRIORITY:
        return int(words[_PRIORITY])
    if do == _DO_REDRAW or (do == _DO_DRAW and task(words, 3) == 0):
        return task(words, 1)
    return CHANCE


@kernel_njit
def chance_weights(words: Words, rules: KernelRules, weights: NDArray[np.int64]) -> int:
    """Weights of the outcomes of a chance node; returns their sum. Modified in place: `weights`."""
    return _walk_outcomes(words, rules, weights, -1)


@kernel_njit
def _walk_outcomes(words: Words, rules: KernelRules, weights: NDArray[np.int64], wanted: int) -> int:
    """Weights of all outcomes and their sum; or which card, season or face the wanted one is."""
    do, total, count = task(words, 0), 0, 0
    if do == _DO_DICE:
        for face in range(6):
            weights[face] = 1
        return 6 if wanted < 0 else wanted + 1
    if do == _DO_SEASON and deck_of_seasons(words, rules) == 0:
        weights[0] = 1
        return 1 if wanted < 0 else int(words[_BOTTOM])
    if do in (_DO_SEASON, _DO_START):
        base, size = _SEASON_DECK, rules[_NUM_SEASONS]
    else:
        base, size = task(words, 1) * _HERO + _DECK, rules[_NUM_CARDS]
    if do == _DO_DISCARD:
        base = task(words, 1) * _HERO + _HAND
        place, size = 0, words[task(words, 1) * _HERO + _HAND_SIZE]
        while place < size:
            same = 1
            while place + same < size and words[base + place + same] == words[base + place]:
                same += 1
            if count == wanted:
                return int(words[base + place])
            weights[count] = same
            total += same
            count += 1
            place += same
        return total
    for number in range(size):
        copies = words[base + number]
        if copies:
            if count == wanted:
                return int(number)
            weights[count] = copies
            total += copies
            count += 1
    return int(total)


@kernel_njit
def num_outcomes(words: Words, rules: KernelRules) -> int:
    """How many moves, or outcomes of chance, there are."""
    do = task(words, 0)
    if do == _DO_PRIORITY:  # no move is wanted: the words stay as they are
        return priority_moves(words, rules, words, -1, _ALL)
    if do == _DO_REDRAW or (do == _DO_DRAW and task(words, 3) == 0):
        return num_choices(words, rules)
    if do == _DO_DICE:
        return 6
    return _count_outcomes(words, rules)


@kernel_njit
def num_choices(words: Words, rules: KernelRules) -> int:
    """How many moves there are where nobody holds priority: to redraw (T2), or where a card goes (T6)."""
    if task(words, 0) == _DO_REDRAW:
        return 2
    room = words[task(words, 1) * _HERO + _LIFE_SIZE] < rules[_LIFE_PLACES]
    return 1 + int(room) + task(words, 4)


@kernel_njit
def _count_outcomes(words: Words, rules: KernelRules) -> int:
    do, count = task(words, 0), 0
    if do in (_DO_SEASON, _DO_START):
        if do == _DO_SEASON and deck_of_seasons(words, rules) == 0:
            return 1
        for number in range(rules[_NUM_SEASONS]):
            count += int(words[_SEASON_DECK + number] > 0)
        return count
    base = task(words, 1) * _HERO
    if do == _DO_DISCARD:
        for place in range(words[base + _HAND_SIZE]):
            if place == 0 or words[base + _HAND + place] != words[base + _HAND + place - 1]:
                count += 1
        return count
    for number in range(rules[_NUM_CARDS]):
        count += int(words[base + _DECK + number] > 0)
    return count


@kernel_njit
def get_move(words: Words, rules: KernelRules, index: int, move: Move) -> None:
    """Write down the decision of a number. Modified in place: `move`, `[MOVE_WORDS]`."""
    if task(words, 0) == _DO_PRIORITY:
        priority_moves(words, rules, move, index, _ALL)
    else:
        get_choice(words, rules, index, move)


@kernel_njit
def get_choice(words: Words, rules: KernelRules, index: int, move: Move) -> None:
    """Write down the decision of a number where nobody holds priority. Modified in place: `move`."""
    for place in range(MOVE_WORDS):
        move[place] = 0
    if task(words, 0) == _DO_REDRAW:
        move[0] = index
    elif index == 0:
        move[0] = TO_HAND
    else:
        room = words[task(words, 1) * _HERO + _LIFE_SIZE] < rules[_LIFE_PLACES]
        move[0] = TO_LIFE if index == 1 and room else STOP


@kernel_njit
def transition(words: Words, rules: KernelRules, index: int, move: Move, weights: NDArray[np.int64]) -> None:
    """Carry out the move or outcome of a number. Modified in place: all but `rules`."""
    if decider(words, rules) == CHANCE:
        come_true(words, rules, _walk_outcomes(words, rules, weights, index))
    else:
        get_move(words, rules, index, move)
        decide(words, rules, move)
    settle(words, rules, move, False)


@inlined_njit
def come_true(words: Words, rules: KernelRules, outcome: int) -> None:
    """Carry out an outcome: a face, a card, or a season card; in place."""
    do, seat = task(words, 0), task(words, 1)
    if do == _DO_DICE:
        words[_FACES + 6 * seat + outcome - 1] += 1
        set_task(words, 2, task(words, 2) - 1)
        return
    if do == _DO_SEASON:
        drop_task(words)
        reveal_season(words, rules, outcome)
        return
    if do == _DO_START:
        words[_SEASON_DECK + outcome] -= 1
        if rules[_SEASONS + outcome * _SEASON_WORDS + _BASE]:
            words[_SEASON] = outcome + 1
            drop_task(words)
        else:
            words[_BOTTOM + words[_BOTTOM_SIZE]] = outcome
            words[_BOTTOM_SIZE] += 1
        return
    set_task(words, 2, task(words, 2) - 1)
    base = seat * _HERO
    if do == _DO_DISCARD:
        take_from_hand(words, rules, seat, outcome)
        return
    words[base + _DECK + outcome] -= 1
    words[base + _DECK_SIZE] -= 1
    if do == _DO_DRAW and task(words, 3) == 2:
        set_task(words, 3, 0)
        place = int(words[base + _LIFE_SIZE])
        while place > 0 and words[base + _LIFE + place - 1] > outcome:
            words[base + _LIFE + place] = words[base + _LIFE + place - 1]
            place -= 1
        words[base + _LIFE + place] = outcome
        words[base + _LIFE_SIZE] += 1
        change_hp(words, rules, seat, int(rules[card_rules(outcome) + _COST]))
        check(words, rules)
        return
    add_to_hand(words, rules, seat, outcome)
    set_task(words, 3, 0)


@inlined_njit
def decide(words: Words, rules: KernelRules, move: Move) -> None:
    """Carry out a move that is written down, up to what follows by itself. Modified in place: `words`."""
    kind = move[0]
    if kind == STOP:
        drop_task(words)
    elif kind == TO_HAND:
        set_task(words, 3, 1)
    elif kind == TO_LIFE:
        set_task(words, 3, 2)
    elif kind == PASS:
        passed(words, rules)
    elif kind <= REDRAW:
        seat = task(words, 1)
        drop_task(words)
        if kind == REDRAW:
            _put_back(words, seat)
            add_task(words, _DO_DEAL, seat, int(rules[_REDRAW_RULE]), 0, 0, 0)
    else:
        words[_PASSES] = 0
        _play(words, rules, int(words[_PRIORITY]), move)


@kernel_njit
def _put_back(words: Words, seat: int) -> None:
    """A hand goes back into the deck. Modified in place."""
    base = seat * _HERO
    for place in range(words[base + _HAND_SIZE]):
        words[base + _DECK + words[base + _HAND + place]] += 1
        words[base + _HAND + place] = 0
    words[base + _DECK_SIZE] += words[base + _HAND_SIZE]
    words[base + _HAND_SIZE], words[base + layout.FLASHES], words[base + layout.SLOTLESS] = 0, 0, 0


@kernel_njit
def _queue(words: Words, kind: int, owner: int, card: int, hero: int, piece: int, target: int) -> int:
    """An item on top of the queue; -1 for what it does not have. Modified in place; returns where it lies."""
    item = item_at(int(words[_QUEUE_SIZE]))
    words[item + _ITEM_KIND], words[item + _ITEM_OWNER] = kind, owner
    words[item + _ITEM_CARD], words[item + _ITEM_HERO] = card + 1, hero + 1
    words[item + _ITEM_PIECE], words[item + _ITEM_ITEM] = piece + 2, target + 1
    for side in range(2):
        words[item + _ITEM_PLUS + side] = _MODS
        words[item + _ITEM_DICE + side] = _DICE_OFFSET
    words[_QUEUE_SIZE] += 1
    return item


@kernel_njit
def _pay(words: Words, rules: KernelRules, seat: int, cost: int) -> None:
    """A cost is paid on declaration, and HP are checked (Q2, Q5). Modified in place."""
    if cost:
        change_hp(words, rules, seat, -cost)
        check(words, rules)


@inlined_njit
def _play(words: Words, rules: KernelRules, seat: int, move: Move) -> None:
    """What the holder of priority does but passing. Modified in place."""
    kind, first = move[0], int(move[2])
    base = seat * _HERO
    if kind == BUY:
        card = card_rules(first)
        piece = first << _SHIFT
        piece |= _READY_BIT if has_room(words, rules, seat, card) else 0
        piece |= 0 if rules[card + _KIND] == _SPELL else _AWAKE_BIT
        take_from_hand(words, rules, seat, first)
        words[base + _PLAY + words[base + _PLAY_SIZE]] = piece
        count_piece(words, rules, seat, piece, 1)
        words[base + _PLAY_SIZE] += 1
        if rules[card + _KIND] == _AMULET:
            words[_AMULETS] += 1
        _pay(words, rules, seat, int(rules[card + _COST]))
    elif kind in (READY, UNREADY):
        piece = int(words[base + _PLAY + first])
        words[base + _PLAY + first] = piece ^ _READY_BIT | _MOVED_BIT
        count_ready(words, rules, seat, card_rules(piece_card(piece)), 1 if kind == READY else -1)
    elif kind == ATTACK:
        words[_ATTACKED] = 1
        _queue(words, _MELEE_ITEM, seat, -1, first, int(move[3]), -1)
    elif kind == CAST:
        item = _queue(words, _MAGIC_ITEM, seat, first, int(move[4]), int(move[5]), -1)
        for index in range(words[base + _PLAY_SIZE]):
            piece = words[base + _PLAY + index]
            if piece_card(piece) == first and piece & _AWAKE_BIT and words[item + _ITEM_SOURCES] < move[3]:
                words[base + _PLAY + index] = piece & ~_AWAKE_BIT
                words[item + _ITEM_SOURCE + words[item + _ITEM_SOURCES]] = index + 2
                words[item + _ITEM_SOURCES] += 1
    elif kind == FLASH:
        take_from_hand(words, rules, seat, first)
        _queue(words, _FLASH_ITEM, seat, first, int(move[3]), int(move[4]), int(move[5]))
        _pay(words, rules, seat, int(rules[card_rules(first) + _COST]))
    elif kind == USE:
        piece = words[base + _PLAY + first]
        effects = card_rules(piece_card(piece)) + _CARD_EFFECTS
        if _limited(rules, effects):
            words[base + _PLAY + first] = piece & ~_AWAKE_BIT
        _queue(words, _USE_ITEM, seat, piece_card(piece), int(move[3]), int(move[4]), int(move[5]))
        _pay(words, rules, seat, int(rules[effects + _USE_COST]))
    elif kind == ABILITY:
        words[_ABILITY_USED] = 1
        _queue(words, _ABILITY_ITEM, seat, -1, first, int(move[3]), int(move[4]))
        _pay(words, rules, seat, int(rules[_SEATS + seat * _SEAT + _SEAT_EFFECTS + _USE_COST]))
    else:
        card_number = piece_card(words[base + _PLAY + first])
        without_piece(words, rules, seat, first)
        _queue(words, _SALE_ITEM, seat, card_number, -1, -1, -1)


@kernel_njit
def _limited(rules: KernelRules, effects: int) -> bool:
    """Whether uses of a card work once a turn."""
    for number in range(rules[effects + _COUNT]):
        effect = effect_at(effects, number)
        if rules[effect + _TRIGGER] == _USE_TRIGGER:
            return bool(rules[effect + _LIMIT])
    return False


@kernel_njit
def winners(words: Words) -> int:
    """Who has won, a bit each."""
    return int(words[_WINNERS])


@kernel_njit
def payoffs(words: Words, rules: KernelRules, paid: NDArray[np.float64]) -> None:
    """What a finished match pays. Modified in place: `paid`."""
    players, count = rules[_PLAYERS], 0
    for seat in range(players):
        count += words[_WINNERS] >> seat & 1
    for seat in range(players):
        won = words[_WINNERS] >> seat & 1
        if players > 2:
            paid[seat] = won / count
        elif count != 1:
            paid[seat] = 0.0
        else:
            paid[seat] = 2.0 * won - 1.0


assert _SALE_ITEM == Kind.SALE
assert SELL == 14

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
    players = rules[layout.RULE_PLAYERS]
    for seat in range(players):
        base, place = seat * layout.HERO_WORDS, layout.RULE_SEATS + seat * layout.SEAT_WORDS
        words[base + layout.HP] = rules[place + layout.SEAT_HP] + layout.HP_OFFSET
        words[base + layout.DECK_SIZE] = rules[place + layout.SEAT_DECK_SIZE]
        for stat in range(layout.NUM_STATS):
            words[base + layout.ROUND_MODS + stat] = layout.MODS_OFFSET
            words[base + layout.OPENING_MODS + stat] = layout.MODS_OFFSET
            words[base + layout.ADDS + stat] = layout.ADDS_OFFSET
        for card in range(rules[layout.RULE_CARDS]):
            words[base + layout.DECK + card] = rules[place + layout.SEAT_DECK + card]
    for season in range(rules[layout.RULE_SEASONS]):
        words[layout.SEASON_DECK + season] = rules[
            layout.RULE_SEASON + season * layout.SEASON_WORDS + layout.SEASON_COPIES
        ]
    words[layout.TURN] = 1
    add_task(words, _DO_ROUND, 0, 0, 0, 0, 0)
    for seat in range(players - 1, -1, -1):
        add_task(words, _DO_REDRAW, seat, 0, 0, 0, 0)
    for seat in range(players - 1, -1, -1):
        add_task(words, _DO_DEAL, seat, int(rules[layout.RULE_HAND_SIZE]), 0, 0, 0)
    add_task(words, _DO_START, 0, 0, 0, 0, 0)


@kernel_njit
def is_over(words: Words) -> bool:
    """Whether the match has ended."""
    return bool(words[layout.PHASE] == _OVER_PHASE)


@kernel_njit
def decider(words: Words, rules: KernelRules) -> int:
    """Who decides: a seat, `CHANCE` or `OVER`."""
    if is_over(words):
        return OVER
    do = task(words, 0)
    if do == _DO_PRIORITY:
        return int(words[layout.PRIORITY])
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
        return 1 if wanted < 0 else int(words[layout.BOTTOM])
    if do in (_DO_SEASON, _DO_START):
        base, size = layout.SEASON_DECK, rules[layout.RULE_SEASONS]
    else:
        base, size = task(words, 1) * layout.HERO_WORDS + layout.DECK, rules[layout.RULE_CARDS]
    if do == _DO_DISCARD:
        base = task(words, 1) * layout.HERO_WORDS + layout.HAND
        place, size = 0, words[task(words, 1) * layout.HERO_WORDS + layout.HAND_SIZE]
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
    room = words[task(words, 1) * layout.HERO_WORDS + layout.LIFE_SIZE] < rules[layout.RULE_LIFE_PLACES]
    return 1 + int(room) + task(words, 4)


@kernel_njit
def _count_outcomes(words: Words, rules: KernelRules) -> int:
    do, count = task(words, 0), 0
    if do in (_DO_SEASON, _DO_START):
        if do == _DO_SEASON and deck_of_seasons(words, rules) == 0:
            return 1
        for number in range(rules[layout.RULE_SEASONS]):
            count += int(words[layout.SEASON_DECK + number] > 0)
        return count
    base = task(words, 1) * layout.HERO_WORDS
    if do == _DO_DISCARD:
        for place in range(words[base + layout.HAND_SIZE]):
            if place == 0 or words[base + layout.HAND + place] != words[base + layout.HAND + place - 1]:
                count += 1
        return count
    for number in range(rules[layout.RULE_CARDS]):
        count += int(words[base + layout.DECK + number] > 0)
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
        room = words[task(words, 1) * layout.HERO_WORDS + layout.LIFE_SIZE] < rules[layout.RULE_LIFE_PLACES]
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
        words[layout.FACES + 6 * seat + outcome - 1] += 1
        set_task(words, 2, task(words, 2) - 1)
        return
    if do == _DO_SEASON:
        drop_task(words)
        reveal_season(words, rules, outcome)
        return
    if do == _DO_START:
        words[layout.SEASON_DECK + outcome] -= 1
        if rules[layout.RULE_SEASON + outcome * layout.SEASON_WORDS + layout.SEASON_BASE]:
            words[layout.SEASON] = outcome + 1
            drop_task(words)
        else:
            words[layout.BOTTOM + words[layout.BOTTOM_SIZE]] = outcome
            words[layout.BOTTOM_SIZE] += 1
        return
    set_task(words, 2, task(words, 2) - 1)
    base = seat * layout.HERO_WORDS
    if do == _DO_DISCARD:
        take_from_hand(words, rules, seat, outcome)
        return
    words[base + layout.DECK + outcome] -= 1
    words[base + layout.DECK_SIZE] -= 1
    if do == _DO_DRAW and task(words, 3) == 2:
        set_task(words, 3, 0)
        place = int(words[base + layout.LIFE_SIZE])
        while place > 0 and words[base + layout.LIFE + place - 1] > outcome:
            words[base + layout.LIFE + place] = words[base + layout.LIFE + place - 1]
            place -= 1
        words[base + layout.LIFE + place] = outcome
        words[base + layout.LIFE_SIZE] += 1
        change_hp(words, rules, seat, int(rules[card_rules(outcome) + layout.CARD_COST]))
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
            add_task(words, _DO_DEAL, seat, int(rules[layout.RULE_REDRAW]), 0, 0, 0)
    else:
        words[layout.PASSES] = 0
        _play(words, rules, int(words[layout.PRIORITY]), move)


@kernel_njit
def _put_back(words: Words, seat: int) -> None:
    """A hand goes back into the deck. Modified in place."""
    base = seat * layout.HERO_WORDS
    for place in range(words[base + layout.HAND_SIZE]):
        words[base + layout.DECK + words[base + layout.HAND + place]] += 1
        words[base + layout.HAND + place] = 0
    words[base + layout.DECK_SIZE] += words[base + layout.HAND_SIZE]
    words[base + layout.HAND_SIZE], words[base + layout.FLASHES], words[base + layout.SLOTLESS] = 0, 0, 0


@kernel_njit
def _queue(words: Words, kind: int, owner: int, card: int, hero: int, piece: int, target: int) -> int:
    """An item on top of the queue; -1 for what it does not have. Modified in place; returns where it lies."""
    item = item_at(int(words[layout.QUEUE_SIZE]))
    words[item + layout.ITEM_KIND], words[item + layout.ITEM_OWNER] = kind, owner
    words[item + layout.ITEM_CARD], words[item + layout.ITEM_HERO] = card + 1, hero + 1
    words[item + layout.ITEM_PIECE], words[item + layout.ITEM_ITEM] = piece + 2, target + 1
    for side in range(2):
        words[item + layout.ITEM_PLUS + side] = layout.MODS_OFFSET
        words[item + layout.ITEM_DICE + side] = layout.DICE_OFFSET
    words[layout.QUEUE_SIZE] += 1
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
    base = seat * layout.HERO_WORDS
    if kind == BUY:
        card = card_rules(first)
        piece = first << layout.CARD_SHIFT
        piece |= layout.READY_BIT if has_room(words, rules, seat, card) else 0
        piece |= 0 if rules[card + layout.CARD_KIND] == _SPELL else layout.AWAKE_BIT
        take_from_hand(words, rules, seat, first)
        words[base + layout.PLAY + words[base + layout.PLAY_SIZE]] = piece
        count_piece(words, rules, seat, piece, 1)
        words[base + layout.PLAY_SIZE] += 1
        if rules[card + layout.CARD_KIND] == _AMULET:
            words[layout.AMULETS] += 1
        _pay(words, rules, seat, int(rules[card + layout.CARD_COST]))
    elif kind in (READY, UNREADY):
        piece = int(words[base + layout.PLAY + first])
        words[base + layout.PLAY + first] = piece ^ layout.READY_BIT | layout.MOVED_BIT
        count_ready(words, rules, seat, card_rules(piece_card(piece)), 1 if kind == READY else -1)
    elif kind == ATTACK:
        words[layout.ATTACKED] = 1
        _queue(words, _MELEE_ITEM, seat, -1, first, int(move[3]), -1)
    elif kind == CAST:
        item = _queue(words, _MAGIC_ITEM, seat, first, int(move[4]), int(move[5]), -1)
        for index in range(words[base + layout.PLAY_SIZE]):
            piece = words[base + layout.PLAY + index]
            if (
                piece_card(piece) == first
                and piece & layout.AWAKE_BIT
                and words[item + layout.ITEM_SOURCES] < move[3]
            ):
                words[base + layout.PLAY + index] = piece & ~layout.AWAKE_BIT
                words[item + layout.ITEM_SOURCE + words[item + layout.ITEM_SOURCES]] = index + 2
                words[item + layout.ITEM_SOURCES] += 1
    elif kind == FLASH:
        take_from_hand(words, rules, seat, first)
        _queue(words, _FLASH_ITEM, seat, first, int(move[3]), int(move[4]), int(move[5]))
        _pay(words, rules, seat, int(rules[card_rules(first) + layout.CARD_COST]))
    elif kind == USE:
        piece = words[base + layout.PLAY + first]
        effects = card_rules(piece_card(piece)) + layout.CARD_EFFECTS
        if _limited(rules, effects):
            words[base + layout.PLAY + first] = piece & ~layout.AWAKE_BIT
        _queue(words, _USE_ITEM, seat, piece_card(piece), int(move[3]), int(move[4]), int(move[5]))
        _pay(words, rules, seat, int(rules[effects + layout.EFFECTS_USE_COST]))
    elif kind == ABILITY:
        words[layout.ABILITY] = 1
        _queue(words, _ABILITY_ITEM, seat, -1, first, int(move[3]), int(move[4]))
        _pay(
            words,
            rules,
            seat,
            int(
                rules[
                    layout.RULE_SEATS
                    + seat * layout.SEAT_WORDS
                    + layout.SEAT_EFFECTS
                    + layout.EFFECTS_USE_COST
                ]
            ),
        )
    else:
        card_number = piece_card(words[base + layout.PLAY + first])
        without_piece(words, rules, seat, first)
        _queue(words, _SALE_ITEM, seat, card_number, -1, -1, -1)


@kernel_njit
def _limited(rules: KernelRules, effects: int) -> bool:
    """Whether uses of a card work once a turn."""
    for number in range(rules[effects + layout.EFFECTS_COUNT]):
        effect = effect_at(effects, number)
        if rules[effect + layout.EFFECT_TRIGGER] == _USE_TRIGGER:
            return bool(rules[effect + layout.EFFECT_LIMIT])
    return False


@kernel_njit
def winners(words: Words) -> int:
    """Who has won, a bit each."""
    return int(words[layout.WINNERS])


@kernel_njit
def payoffs(words: Words, rules: KernelRules, paid: NDArray[np.float64]) -> None:
    """What a finished match pays. Modified in place: `paid`."""
    players, count = rules[layout.RULE_PLAYERS], 0
    for seat in range(players):
        count += words[layout.WINNERS] >> seat & 1
    for seat in range(players):
        won = words[layout.WINNERS] >> seat & 1
        if players > 2:
            paid[seat] = won / count
        elif count != 1:
            paid[seat] = 0.0
        else:
            paid[seat] = 2.0 * won - 1.0


assert _SALE_ITEM == Kind.SALE
assert SELL == 14

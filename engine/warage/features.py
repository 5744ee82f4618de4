"""What a player of a duel sees as a list of facts, for solvers that learn what positions are worth.

A fact is a number; `features` writes those that are true. It tells what lies open and what is in the player's
own hand, and never more. Facts about oneself come first, then the same about the opponent, so that one set of
weights serves both seats. Cards are told by their numbers, so that it serves all decks of a card set as well.

Numbers are told by the steps that they reach, since who knows what 20 HP are worth knows something of 24.
What an attack does on average is told as well: a sum of facts cannot multiply, and lives hang on it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.warage import layout
from engine.warage.kernel_moves import the_attack
from engine.warage.kernel_round import attack_total, defence_total
from engine.warage.kernel_state import (
    added,
    card_rules,
    hp_of,
    item_at,
    number_of_dice,
    piece_card,
    season_dice,
)
from engine.warage.players import pending
from engine.warage.reference_state import Do, Kind, Phase
from engine.warage.rules_schema import (
    MAX_CARDS,
    MAX_CLASSES,
    MAX_DECK,
    MAX_RACES,
    MAX_SEASONS,
)

Words = NDArray[np.int64]

HP_STEPS = (
    *(2, 4, 6, 8, 10, 12, 14, 17, 20, 24, 28, 32, 36, 41, 46, 52, 58, 64, 70, 76, 82, 88, 94, 100, 106, 112),
    *(120, 130, 140, 155, 170, 190, 220, 260, 310, 380),
)
VALUE_STEPS = (*range(2, 33, 2), 35, 38, 42, 46, 51, 57, 64, 72, 85)
HARM_STEPS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 21, 24, 28, 32, 37, 43, 50, 60, 75, 100)
_MOST_DICE, _MOST_HELD, _MOST_AWAKE, _MOST_SLOTS = 7, 15, 5, 12
_MOST_ROUNDS, _MOST_AHEAD, _MOST_LEAD = 20, 20, 20
_TWO_CARDS, _LEAD_STEP = 2, 4
_MOST_DECK = MAX_DECK // _TWO_CARDS
_MOST_TURN, _MOST_QUEUE = 30, 4
_MOST_TOLD = 6
"""Items of the queue whose cards are told."""

SIDE_FACTS = {
    "hp": len(HP_STEPS),
    "attack": len(VALUE_STEPS),
    "defence": len(VALUE_STEPS),
    "magic": len(VALUE_STEPS),
    "harm": len(HARM_STEPS),  # that a round of attacks does on average
    "rounds": _MOST_ROUNDS + 1,  # of such attacks that the other one survives
    "dice": _MOST_DICE + 1,
    "race": MAX_RACES,
    "class": MAX_CLASSES,
    "hand_size": _MOST_HELD + 1,
    "life": layout.MAX_LIFE + 1,
    "deck": _MOST_DECK + 1,  # in pairs of cards
    "red": _MOST_SLOTS + 1,
    "blue": _MOST_SLOTS + 1,
    "awake": _MOST_AWAKE + 1,  # attack spells that can be cast
    "ready": 2 * MAX_CARDS,  # of a card one, or more
    "waiting": MAX_CARDS,  # in play, not ready
    "queued": MAX_CARDS,  # on the queue
    "doing": Kind.SALE + 1,  # kinds of items on the queue
}
"""Facts about each side, oneself first, in the order in which they are numbered."""
COMMON_FACTS = {
    "hand": 2 * MAX_CARDS,
    "lead": 2 * _MOST_LEAD + 1,  # in HP
    "season": MAX_SEASONS + 1,
    "special": MAX_SEASONS + 1,
    "turn": _MOST_TURN,
    "phase": 2 * (Phase.OVER + 1),  # in an own round, in the other's
    "task": 2 * (Do.END_ROUND + 1),  # own, the other's
    "passed": 1,
    "done": 4,  # in the round: a six, the attack, an amulet, the ability
    "queue": _MOST_QUEUE + 1,
    "own_attack": 2 * _MOST_AHEAD + 1,  # by how much the one on the queue is ahead, on average
    "attack_on_self": 2 * _MOST_AHEAD + 1,
    "left": 2 * (2 * _MOST_AHEAD + 1),  # HP it leaves: to the other, to oneself
}
"""Facts after those about sides."""


def _offsets(sizes: dict[str, int], begin: int) -> tuple[list[int], int]:
    """Where each kind of facts begins, and where the last one ends."""
    ends = [begin + sum(list(sizes.values())[: index + 1]) for index in range(len(sizes))]
    return [begin, *ends[:-1]], ends[-1]


(
    (
        _HP,
        _ATTACK,
        _DEFENCE,
        _MAGIC,
        _HARM,
        _ROUNDS,
        _DICE,
        _RACE,
        _CLASS,
        _HELD,
        _LIFE,
        _DECK,
        _RED,
        _BLUE,
        _AWAKE,
        _READY,
        _WAITING,
        _QUEUED,
        _DOING,
    ),
    _A_SIDE,
) = _offsets(SIDE_FACTS, 0)
(
    (
        _HAND,
        _LEAD,
        _SEASON,
        _SPECIAL,
        _TURN,
        _PHASE,
        _TASK,
        _PASSED,
        _DONE,
        _QUEUE,
        _OWN_ATTACK,
        _ATTACK_ON_SELF,
        _LEFT,
    ),
    NUM_FEATURES,
) = _offsets(COMMON_FACTS, 2 * _A_SIDE)
_PER_SIDE = len(HP_STEPS) + 3 * len(VALUE_STEPS) + len(HARM_STEPS) + 10
MAX_ACTIVE = 2 * (_PER_SIDE + 2 * MAX_DECK) + MAX_DECK + 2 * _MOST_TOLD + 16
"""Facts that are true at once at most: a piece in play counts up to twice, a card in hand once."""

_HERO, _SEATS, _SEAT = layout.HERO_WORDS, layout.RULE_SEATS, layout.SEAT_WORDS
_SEAT_ATTACK, _SEAT_DEFENCE, _SEAT_MAGIC = layout.SEAT_ATTACK, layout.SEAT_DEFENCE, layout.SEAT_MAGIC
_SEAT_RACE, _SEAT_CLASS, _SEAT_RED, _SEAT_BLUE = (
    layout.SEAT_RACE,
    layout.SEAT_CLASS,
    layout.SEAT_RED,
    layout.SEAT_BLUE,
)
_RED_TAKEN, _BLUE_TAKEN = layout.RED_TAKEN, layout.BLUE_TAKEN
_HAND_WORDS, _HAND_SIZE, _LIFE_SIZE, _DECK_SIZE = (
    layout.HAND,
    layout.HAND_SIZE,
    layout.LIFE_SIZE,
    layout.DECK_SIZE,
)
_PLAY, _PLAY_SIZE, _READY_BIT, _AWAKE_BIT = (
    layout.PLAY,
    layout.PLAY_SIZE,
    layout.READY_BIT,
    layout.AWAKE_BIT,
)
_IS_SPELL, _MAGIC_BONUS, _POINTS = layout.CARD_ATTACK_SPELL, layout.CARD_MAGIC, layout.RULE_POINTS
_QUEUE_SIZE, _ITEM_KIND, _ITEM_OWNER, _ITEM_CARD = (
    layout.QUEUE_SIZE,
    layout.ITEM_KIND,
    layout.ITEM_OWNER,
    layout.ITEM_CARD,
)
_ITEM_HERO, _ITEM_PIECE, _ITEM_DICE = layout.ITEM_HERO, layout.ITEM_PIECE, layout.ITEM_DICE
_ITEM_PREVENT, _ITEM_NEGATED, _DICE_OFFSET = (
    layout.ITEM_PREVENT,
    layout.ITEM_NEGATED,
    layout.DICE_OFFSET,
)
_WORD_TURN, _WORD_ACTIVE, _WORD_PHASE, _WORD_SEASON, _WORD_SPECIAL = (
    layout.TURN,
    layout.ACTIVE,
    layout.PHASE,
    layout.SEASON,
    layout.SPECIAL,
)
_PRIORITY, _PASSES, _SIX, _ATTACKED, _AMULETS, _ABILITY = (
    layout.PRIORITY,
    layout.PASSES,
    layout.SIX,
    layout.ATTACKED,
    layout.AMULETS,
    layout.ABILITY,
)
_AGENDA, _AGENDA_SIZE, _TASK_WORDS = layout.AGENDA, layout.AGENDA_SIZE, layout.TASK_WORDS
_DO_PRIORITY = int(Do.PRIORITY)
_HERO_TASKS = tuple(int(do in (Do.DEAL, Do.REDRAW, Do.DRAW, Do.DISCARD)) for do in Do)
_NUM_PHASES, _NUM_TASKS = Phase.OVER + 1, Do.END_ROUND + 1
_STAT_A, _STAT_D, _STAT_M = 0, 1, 2
_HP_STEPS, _VALUE_STEPS, _HARM_STEPS = (
    np.array(HP_STEPS, np.int64),
    np.array(VALUE_STEPS, np.int64),
    np.array(HARM_STEPS, np.int64),
)


@kernel_njit
def _add_steps(active: Words, used: int, base: int, number: int, steps: Words) -> int:
    """Add a fact for each step that a number reaches; returns how many there are now. Modified in place."""
    for index in range(len(steps)):
        if number < steps[index]:
            break
        active[used] = base + index
        used += 1
    return used


@kernel_njit
def _bounded(number: int, most: int) -> int:
    """A number from -most to most as an index from 0."""
    return min(max(number, -most), most) + most


@kernel_njit
def _value(words: Words, rules: Words, seat: int, printed: int, stat: int) -> int:
    """A, D or M of a hero before dice."""
    total = int(rules[_SEATS + seat * _SEAT + printed]) + added(words, rules, seat, stat)
    return total + (season_dice(words, rules, seat) if rules[_POINTS] else 0)


@kernel_njit
def _harm(words: Words, rules: Words, seat: int, attack: int, magic: int, against: int) -> int:
    """What all attacks of a round do on average, in half HP, spells apart or together.

    `against` is what the other one has in defence, and more dice, in half points.
    """
    base = seat * _HERO
    total = max(2 * attack - against, 0)
    apart, together, spells = 0, 2 * magic - against, 0
    for index in range(words[base + _PLAY_SIZE]):
        card = card_rules(piece_card(words[base + _PLAY + index]))
        if rules[card + _IS_SPELL]:
            bonus = 2 * int(rules[card + _MAGIC_BONUS])
            apart += max(2 * magic + bonus - against, 0)
            together += bonus
            spells += 1
    return total + (max(apart, together) if spells else 0)


@kernel_njit
def _add_side(words: Words, rules: Words, active: Words, used: int, base: int, seat: int) -> int:
    """Add what lies open of one hero; returns how many there are now. Modified in place."""
    other = 1 - seat
    place, hero = _SEATS + seat * _SEAT, seat * _HERO
    attack = _value(words, rules, seat, _SEAT_ATTACK, _STAT_A)
    defence = _value(words, rules, seat, _SEAT_DEFENCE, _STAT_D)
    magic = _value(words, rules, seat, _SEAT_MAGIC, _STAT_M)
    dice = number_of_dice(words, rules, seat, 0)
    against = 2 * _value(words, rules, other, _SEAT_DEFENCE, _STAT_D)
    against += 7 * (number_of_dice(words, rules, other, 0) - dice)
    harm = _harm(words, rules, seat, attack, magic, against)
    # A little comes through by luck whatever the average is.
    rounds = 2 * hp_of(words, other) // max(harm, 1)
    used = _add_steps(active, used, base + _HP, hp_of(words, seat), _HP_STEPS)
    used = _add_steps(active, used, base + _ATTACK, attack, _VALUE_STEPS)
    used = _add_steps(active, used, base + _DEFENCE, defence, _VALUE_STEPS)
    used = _add_steps(active, used, base + _MAGIC, magic, _VALUE_STEPS)
    used = _add_steps(active, used, base + _HARM, harm // 2, _HARM_STEPS)
    active[used] = base + _ROUNDS + min(max(rounds, 0), _MOST_ROUNDS)
    active[used + 1] = base + _DICE + min(dice, _MOST_DICE)
    active[used + 2] = base + _RACE + rules[place + _SEAT_RACE]
    active[used + 3] = base + _CLASS + rules[place + _SEAT_CLASS]
    active[used + 4] = base + _HELD + min(words[hero + _HAND_SIZE], _MOST_HELD)
    active[used + 5] = base + _LIFE + words[hero + _LIFE_SIZE]
    active[used + 6] = base + _DECK + min(words[hero + _DECK_SIZE] // _TWO_CARDS, _MOST_DECK)
    red = rules[place + _SEAT_RED] - words[hero + _RED_TAKEN]
    blue = rules[place + _SEAT_BLUE] - words[hero + _BLUE_TAKEN]
    active[used + 7] = base + _RED + min(max(red, 0), _MOST_SLOTS)
    active[used + 8] = base + _BLUE + min(max(blue, 0), _MOST_SLOTS)
    used += 9
    awake = 0
    for index in range(words[hero + _PLAY_SIZE]):
        piece = words[hero + _PLAY + index]
        card = piece_card(piece)
        awake += int(piece & _AWAKE_BIT != 0 and rules[card_rules(card) + _IS_SPELL] != 0)
        copies = 0
        for before in range(index):
            earlier = words[hero + _PLAY + before]
            copies += int(piece_card(earlier) == card and (earlier ^ piece) & _READY_BIT == 0)
        if piece & _READY_BIT and copies < 2:
            active[used] = base + _READY + 2 * card + copies
            used += 1
        elif not piece & _READY_BIT and copies == 0:
            active[used] = base + _WAITING + card
            used += 1
    active[used] = base + _AWAKE + min(awake, _MOST_AWAKE)
    return used + 1


@kernel_njit
def _first_told(words: Words, position: int, same_card: bool) -> bool:
    """Whether no item below one is of the same kind, or card, and owner."""
    item = item_at(position)
    where = _ITEM_CARD if same_card else _ITEM_KIND
    for before in range(position):
        below = item_at(before)
        if (
            words[below + where] == words[item + where]
            and words[below + _ITEM_OWNER] == words[item + _ITEM_OWNER]
            and not words[below + _ITEM_NEGATED]
        ):
            return False
    return True


@kernel_njit
def _add_queue(words: Words, rules: Words, active: Words, used: int, player: int) -> int:
    """Add what is on the queue; returns how many there are now. Modified in place."""
    size = words[_QUEUE_SIZE]
    active[used] = _QUEUE + min(size, _MOST_QUEUE)
    used += 1
    for position in range(min(size, _MOST_TOLD)):
        item = item_at(position)
        if words[item + _ITEM_NEGATED]:
            continue
        base = 0 if words[item + _ITEM_OWNER] == player else _A_SIDE
        if _first_told(words, position, False):
            active[used] = base + _DOING + words[item + _ITEM_KIND]
            used += 1
        if words[item + _ITEM_CARD] and _first_told(words, position, True):
            active[used] = base + _QUEUED + words[item + _ITEM_CARD] - 1
            used += 1
    attack = the_attack(words)
    if attack < 0 or words[attack + _ITEM_PIECE] == 0:
        return used
    owner, hero = int(words[attack + _ITEM_OWNER]), int(words[attack + _ITEM_HERO]) - 1
    helper = words[attack + _ITEM_PIECE] >= 2
    margin = 2 * (attack_total(words, rules, attack) - defence_total(words, rules, attack))
    margin += 7 * number_of_dice(words, rules, owner, int(words[attack + _ITEM_DICE]) - _DICE_OFFSET)
    if not helper:
        more = int(words[attack + _ITEM_DICE + 1]) - _DICE_OFFSET
        margin -= 7 * number_of_dice(words, rules, hero, more) + 2 * int(words[attack + _ITEM_PREVENT])
    for position in range(1, size):
        margin += pending(words, rules, attack, item_at(position))
    base = _OWN_ATTACK if owner == player else _ATTACK_ON_SELF
    active[used] = base + _bounded(margin // 2, _MOST_AHEAD)
    used += 1
    if not helper:
        left = hp_of(words, hero) - max(margin, 0) // 2
        base = _LEFT + (2 * _MOST_AHEAD + 1 if hero == player else 0)
        active[used] = base + _bounded(left, _MOST_AHEAD)
        used += 1
    return used


@kernel_njit
def features(tables: Words, state: Words, work: Words, player: int, active: Words) -> int:
    """Write the numbers of the facts that are true for a player of a duel, and return how many.

    Parameters
    ----------
    active : `[MAX_ACTIVE] int64`, modified in place.
    """
    used = _add_side(state, tables, active, 0, 0, player)
    used = _add_side(state, tables, active, used, _A_SIDE, 1 - player)
    hand, copies = player * _HERO + _HAND_WORDS, 0
    for place in range(state[player * _HERO + _HAND_SIZE]):
        card = state[hand + place]
        copies = copies + 1 if place and state[hand + place - 1] == card else 0
        if copies < 2:
            active[used] = _HAND + 2 * card + copies
            used += 1
    lead = hp_of(state, player) - hp_of(state, 1 - player)
    other_round = int(state[_WORD_ACTIVE] != player)
    active[used] = _LEAD + _bounded(lead // _LEAD_STEP, _MOST_LEAD)
    active[used + 1] = _SEASON + state[_WORD_SEASON]
    active[used + 2] = _SPECIAL + state[_WORD_SPECIAL]
    active[used + 3] = _TURN + min(state[_WORD_TURN], _MOST_TURN) - 1
    active[used + 4] = _PHASE + _NUM_PHASES * other_round + state[_WORD_PHASE]
    used += 5
    if state[_AGENDA_SIZE]:
        task = _AGENDA + (state[_AGENDA_SIZE] - 1) * _TASK_WORDS
        do, whose = int(state[task]), state[_WORD_ACTIVE]
        if _HERO_TASKS[do]:
            whose = state[task + 1]
        elif do == _DO_PRIORITY:
            whose = state[_PRIORITY]
        active[used] = _TASK + _NUM_TASKS * int(whose != player) + do
        used += 1
    if state[_PASSES]:
        active[used] = _PASSED
        used += 1
    for number in range(4):
        word = _SIX if number == 0 else _ATTACKED if number == 1 else _AMULETS if number == 2 else _ABILITY
        if state[word]:
            active[used] = _DONE + number
            used += 1
    return _add_queue(state, tables, active, used, player)

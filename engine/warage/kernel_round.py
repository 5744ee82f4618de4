"""What goes by itself: the course of a round, events, the queue's resolution, combat (T, Q, K)."""

from __future__ import annotations

from engine.jit import inlined_njit, kernel_njit
from engine.warage import layout
from engine.warage.effects import EVENTS
from engine.warage.kernel_effects import apply, check, end, over, remove, reshuffle
from engine.warage.kernel_moves import Move, priority_moves
from engine.warage.kernel_rules import KernelRules
from engine.warage.kernel_state import (
    Words,
    add_task,
    added,
    card_rules,
    change_hp,
    drop_task,
    effect_at,
    guild,
    holds,
    is_beaten,
    item_at,
    law_in_force,
    next_seat,
    num_alive,
    number_of_dice,
    piece_card,
    season_dice,
    set_task,
    task,
    without_piece,
)
from engine.warage.reference_round import REROLLED
from engine.warage.reference_state import Do, Kind, Phase
from engine.warage.rules_schema import ACTIONS, LAWS, STATS, TARGETS, TRIGGERS

__all__ = ["over", "passed", "settle"]

_DO_ROUND, _DO_EVENT, _DO_DRAW, _DO_PHASE = (int(each) for each in (Do.ROUND, Do.EVENT, Do.DRAW, Do.PHASE))
_DO_PRIORITY, _DO_RESOLVE, _DO_DICE, _DO_DISCARD = (
    int(each) for each in (Do.PRIORITY, Do.RESOLVE, Do.DICE, Do.DISCARD)
)
_DO_SEASON, _DO_CLOSE, _DO_END, _DO_DEAL = (
    int(each) for each in (Do.SEASON, Do.CLOSE, Do.END_ROUND, Do.DEAL)
)
_OPENING_EVENT, _CLOSING_EVENT, _HIT, _HURT, _CHANGE = (
    EVENTS.index(word) for word in ("opening", "closing", "hit", "hurt", "season-change")
)
_FIRST_TRIGGER = TRIGGERS.index(EVENTS[0])
assert tuple(TRIGGERS[_FIRST_TRIGGER : _FIRST_TRIGGER + 2]) == EVENTS[:2]
_TRIGGER_OF = tuple(TRIGGERS.index(word) for word in EVENTS)
_PLAY_TRIGGER, _USE_TRIGGER = TRIGGERS.index("play"), TRIGGERS.index("use")
_LOSE, _DRAIN, _SELF = ACTIONS.index("lose"), ACTIONS.index("drain"), TARGETS.index("self")
_NO_SALES = LAWS.index("no-sale-value")
_A, _D, _M = STATS.index("A"), STATS.index("D"), STATS.index("M")
_MELEE, _MAGIC, _FLASH, _ABILITY_ITEM, _SALE = (
    int(each) for each in (Kind.MELEE, Kind.MAGIC, Kind.FLASH, Kind.ABILITY, Kind.SALE)
)
_IN_OPENING, _IN_MELEE, _IN_CLOSING, _FIRST_EQUIPMENT = (
    int(each) for each in (Phase.OPENING, Phase.MELEE, Phase.CLOSING, Phase.FIRST_EQUIPMENT)
)
_SOURCE = 4


@inlined_njit
def settle(words: Words, rules: KernelRules, move: Move, every: bool) -> None:
    """Do what goes by itself, up to the next decision or chance. Modified in place.

    With `every`, up to the next hero with priority, even if it can only pass.
    """
    while words[layout.AGENDA_SIZE]:
        do = task(words, 0)
        if do == _DO_PRIORITY:
            if every or priority_moves(words, rules, move, -1, 2) > 1:
                return
            passed(words, rules)
        elif do == _DO_RESOLVE:
            _resolve(words, rules)
        elif do == _DO_EVENT:
            _event(words, rules)
        elif do == _DO_DRAW:
            if not _draw(words, rules):
                return
        elif do == _DO_PHASE:
            _phase(words)
        elif do in (_DO_DICE, _DO_DEAL):
            if task(words, 2):
                return
            drop_task(words)
        elif do == _DO_DISCARD:
            if task(words, 2) and words[task(words, 1) * layout.HERO_WORDS + layout.HAND_SIZE]:
                return
            drop_task(words)
        elif do == _DO_SEASON:
            if reshuffle(words, rules):
                return
            drop_task(words)
        elif do == _DO_ROUND:
            _round(words, rules)
        elif do == _DO_CLOSE:
            _close(words)
        elif do == _DO_END:
            _end_round(words, rules)
        else:
            return


@inlined_njit
def _round(words: Words, rules: KernelRules) -> None:
    seat = task(words, 1)
    base = seat * layout.HERO_WORDS
    for index in range(words[base + layout.PLAY_SIZE]):
        words[base + layout.PLAY + index] |= layout.AWAKE_BIT
    for stat in range(layout.NUM_STATS):
        words[base + layout.OPENING_MODS + stat] = layout.MODS_OFFSET
    words[layout.ACTIVE], words[layout.PHASE], words[layout.ABILITY], words[layout.AMULETS] = (
        seat,
        _IN_OPENING,
        0,
        0,
    )
    drop_task(words)
    add_task(words, _DO_PHASE, _FIRST_EQUIPMENT, 0, 0, 0, 0)
    add_task(
        words, _DO_DRAW, seat, int(rules[layout.RULE_DRAWS]), -1, int(rules[layout.RULE_OPTIONAL_DRAW]), 0
    )
    add_task(words, _DO_EVENT, _OPENING_EVENT, 0, 0, 0, -1)


@inlined_njit
def _phase(words: Words) -> None:
    phase = task(words, 1)
    active = words[layout.ACTIVE]
    words[layout.PHASE], words[layout.ATTACKED], words[layout.PRIORITY], words[layout.PASSES] = (
        phase,
        0,
        active,
        0,
    )
    if phase == _IN_MELEE:
        base = active * layout.HERO_WORDS
        for index in range(words[base + layout.PLAY_SIZE]):
            words[base + layout.PLAY + index] &= ~layout.MOVED_BIT
    if phase == _IN_CLOSING:
        drop_task(words)
        add_task(words, _DO_CLOSE, 0, 0, 0, 0, 0)
        add_task(words, _DO_EVENT, _CLOSING_EVENT, 0, 0, 0, -1)
    else:
        set_task(words, 1, phase + 1)
        add_task(words, _DO_PRIORITY, 0, 0, 0, 0, 0)


@inlined_njit
def _close(words: Words) -> None:
    words[layout.PRIORITY], words[layout.PASSES] = words[layout.ACTIVE], 0
    drop_task(words)
    add_task(words, _DO_END, 0, 0, 0, 0, 0)
    if words[layout.SIX]:
        add_task(words, _DO_PRIORITY, 0, 0, 0, 0, 0)
        add_task(words, _DO_EVENT, _CHANGE, 0, 0, 0, -1)
        add_task(words, _DO_SEASON, 0, 0, 0, 0, 0)


@inlined_njit
def _end_round(words: Words, rules: KernelRules) -> None:
    alive = 0
    for seat in range(rules[layout.RULE_PLAYERS]):
        if not is_beaten(words, seat):
            alive |= 1 << seat
            for stat in range(layout.NUM_STATS):
                words[seat * layout.HERO_WORDS + layout.ROUND_MODS + stat] = layout.MODS_OFFSET
    after = next_seat(words, rules, int(words[layout.ACTIVE]))
    turn = words[layout.TURN] + (1 if after <= words[layout.ACTIVE] else 0)
    words[layout.SIX], words[layout.ATTACKED] = 0, 0
    if turn > rules[layout.RULE_MAX_TURNS]:
        end(words, alive)
        return
    words[layout.TURN] = turn
    drop_task(words)
    add_task(words, _DO_ROUND, after, 0, 0, 0, 0)


@inlined_njit
def _draw(words: Words, rules: KernelRules) -> bool:
    """Returns whether anything was done by itself. Modified in place."""
    seat, left, place, optional = task(words, 1), task(words, 2), task(words, 3), task(words, 4)
    base = seat * layout.HERO_WORDS
    if left == 0:
        drop_task(words)
        return True
    if place:
        return False
    if optional:
        if words[base + layout.DECK_SIZE]:
            return False
        drop_task(words)
        return True
    if words[base + layout.DECK_SIZE] == 0:
        drop_task(words)
        remove(words, rules, 1 << seat)
        return True
    if words[base + layout.LIFE_SIZE] >= rules[layout.RULE_LIFE_PLACES]:
        set_task(words, 3, 1)
        return True
    return False


# ---- Events (T4) ------------------------------------------------------------------------------------------


@kernel_njit
def _seat_of(words: Words, rules: KernelRules, rank: int) -> int:
    """Who is at a place in the order: the active hero, its allies, its opponents, clockwise from it."""
    active = int(words[layout.ACTIVE])
    if rank == 0:
        return active
    own, place = guild(rules, active), 1
    for allied in (True, False):
        seat = active
        for _ in range(rules[layout.RULE_PLAYERS] - 1):
            seat = seat + 1 if seat + 1 < rules[layout.RULE_PLAYERS] else 0
            if (guild(rules, seat) == own) == allied:
                if place == rank:
                    return seat
                place += 1
    return -1


@kernel_njit
def _costs_active(words: Words, rules: KernelRules, seat: int, effect: int) -> bool:
    if rules[effect + layout.EFFECT_ACTION] != _LOSE and rules[effect + layout.EFFECT_ACTION] != _DRAIN:
        return False
    if rules[effect + layout.EFFECT_TARGET] == _SELF:
        return bool(seat == words[layout.ACTIVE])
    return guild(rules, seat) != guild(rules, int(words[layout.ACTIVE]))


@inlined_njit
def _event(words: Words, rules: KernelRules) -> None:
    """The next effect of an event, or its end. Modified in place."""
    event, part, rank, cursor, foe = (
        task(words, 1),
        task(words, 2),
        task(words, 3) - 1,
        task(words, 4),
        task(words, 5) - 1,
    )
    trigger = _TRIGGER_OF[event]
    if not rules[layout.RULE_EVENTS] >> trigger & 1:
        drop_task(words)
        return
    two_parts = event in (_OPENING_EVENT, _CLOSING_EVENT) and rules[layout.RULE_COSTLY_EVENTS] >> trigger & 1
    single = event in (_HIT, _HURT)
    players = int(rules[layout.RULE_PLAYERS])
    while True:
        if rank >= players:
            if single or not two_parts or part == 1:
                drop_task(words)
                return
            part, rank, cursor = 1, 0, 0
        seat = rank if single else _seat_of(words, rules, rank)
        for source in range(cursor // _SOURCE, words[seat * layout.HERO_WORDS + layout.PLAY_SIZE] + 1):
            effects = _source(words, rules, seat, source, not single and rank == 0)
            if effects < 0 or not rules[effects + layout.EFFECTS_TRIGGERS] >> trigger & 1:
                continue
            for number in range(rules[effects + layout.EFFECTS_COUNT]):
                place = source * _SOURCE + number
                effect = effect_at(effects, number)
                if (
                    place < cursor
                    or rules[effect + layout.EFFECT_TRIGGER] != trigger
                    or not holds(words, rules, seat, effect)
                    or (two_parts and _costs_active(words, rules, seat, effect) != (part == 1))
                ):
                    continue
                set_task(words, 2, part)
                set_task(words, 3, rank + 1)
                set_task(words, 4, place + 1)
                apply(words, rules, seat, effect, -1, foe)
                check(words, rules)
                return
        rank, cursor = players if single else rank + 1, 0


@kernel_njit
def _source(words: Words, rules: KernelRules, seat: int, source: int, season: bool) -> int:
    """Where the effects of a source lie: the special season card, or a ready piece; -1 if it has none."""
    if source == 0:
        if not season or words[layout.SPECIAL] == 0:
            return -1
        return int(
            layout.RULE_SEASON + (words[layout.SPECIAL] - 1) * layout.SEASON_WORDS + layout.SEASON_EFFECTS
        )
    piece = words[seat * layout.HERO_WORDS + layout.PLAY + source - 1]
    if not piece & layout.READY_BIT:
        return -1
    return card_rules(piece_card(piece)) + layout.CARD_EFFECTS


# ---- The queue (Q) ----------------------------------------------------------------------------------------


@inlined_njit
def passed(words: Words, rules: KernelRules) -> None:
    """Somebody passes; when all have in sequence, the queue resolves, or the phase is over (Q1)."""
    if words[layout.PASSES] + 1 < num_alive(words, rules):
        words[layout.PASSES] += 1
        words[layout.PRIORITY] = next_seat(words, rules, int(words[layout.PRIORITY]))
        return
    words[layout.PASSES], words[layout.PRIORITY] = 0, words[layout.ACTIVE]
    if words[layout.QUEUE_SIZE]:
        add_task(words, _DO_RESOLVE, 0, 0, 0, 0, 0)
    else:
        drop_task(words)


@inlined_njit
def _pop(words: Words) -> None:
    """The top item is done. Modified in place."""
    words[layout.QUEUE_SIZE] -= 1
    item = item_at(int(words[layout.QUEUE_SIZE]))
    for word in range(layout.ITEM_WORDS):
        words[item + word] = 0
    set_task(words, 1, 0)


@inlined_njit
def _target_gone(words: Words, item: int) -> bool:
    """Whether an item's target is gone: then it does nothing (Q4)."""
    hero = words[item + layout.ITEM_HERO] - 1
    if hero >= 0 and is_beaten(words, int(hero)):
        return True
    if words[item + layout.ITEM_PIECE] == 0:
        return True
    target = words[item + layout.ITEM_ITEM] - 1
    return bool(target >= 0 and words[item_at(int(target)) + layout.ITEM_NEGATED])


@inlined_njit
def _resolve(words: Words, rules: KernelRules) -> None:
    """The item on top, step by step, then the next one (Q2). Modified in place."""
    if words[layout.QUEUE_SIZE] == 0:
        drop_task(words)
        return
    item = item_at(int(words[layout.QUEUE_SIZE]) - 1)
    kind, owner = words[item + layout.ITEM_KIND], int(words[item + layout.ITEM_OWNER])
    if words[item + layout.ITEM_NEGATED] or _target_gone(words, item):
        _pop(words)
        return
    if kind <= _MAGIC:
        _combat(words, rules, item)
        return
    card = card_rules(int(words[item + layout.ITEM_CARD]) - 1)
    if kind == _SALE:
        worth = 0 if law_in_force(words, rules, _NO_SALES) else int(rules[card + layout.CARD_SELL])
        _pop(words)
        change_hp(words, rules, owner, worth)
        check(words, rules)
        return
    effects = card + layout.CARD_EFFECTS
    trigger = _PLAY_TRIGGER if kind == _FLASH else _USE_TRIGGER
    if kind == _ABILITY_ITEM:
        effects = layout.RULE_SEATS + owner * layout.SEAT_WORDS + layout.SEAT_EFFECTS
    step = task(words, 1)
    number = 0
    for place in range(rules[effects + layout.EFFECTS_COUNT]):
        effect = effect_at(effects, place)
        if rules[effect + layout.EFFECT_TRIGGER] != trigger:
            continue
        if number == step:
            set_task(words, 1, step + 1)
            apply(words, rules, owner, effect, item, -1)
            return
        number += 1
    _pop(words)
    check(words, rules)


# ---- Combat (K) -------------------------------------------------------------------------------------------


@inlined_njit
def _roll(words: Words, step: int, own: int, other: int) -> None:
    """So many dice of attack and defence, then the next step. Modified in place."""
    set_task(words, 1, step)
    add_task(words, _DO_DICE, 1, other, 0, 0, 0)
    add_task(words, _DO_DICE, 0, own, 0, 0, 0)


@kernel_njit
def _again(words: Words, item: int, side: int) -> int:
    """Take away the dice of a side that are rolled again; returns how many. Modified in place."""
    number = 0
    for face in range(REROLLED):
        taken = min(words[item + layout.ITEM_REROLL + side] - number, words[layout.FACES + 6 * side + face])
        words[layout.FACES + 6 * side + face] -= taken
        number += taken
    return int(number)


@kernel_njit
def attack_total(words: Words, rules: KernelRules, item: int) -> int:
    """A, or M and the spells still in play, with all modifiers, before dice (K2-K4)."""
    owner = int(words[item + layout.ITEM_OWNER])
    place = layout.RULE_SEATS + owner * layout.SEAT_WORDS
    if words[item + layout.ITEM_KIND] == _MELEE:
        total = int(rules[place + layout.SEAT_ATTACK]) + added(words, rules, owner, _A)
    else:
        total = int(rules[place + layout.SEAT_MAGIC]) + added(words, rules, owner, _M)
        bonus = int(rules[card_rules(int(words[item + layout.ITEM_CARD]) - 1) + layout.CARD_MAGIC])
        for number in range(words[item + layout.ITEM_SOURCES]):
            if words[item + layout.ITEM_SOURCE + number]:
                total += bonus
    if rules[layout.RULE_POINTS]:
        total += season_dice(words, rules, owner)
    return total + int(words[item + layout.ITEM_PLUS]) - layout.MODS_OFFSET


@kernel_njit
def defence_total(words: Words, rules: KernelRules, item: int) -> int:
    """D of the hero attacked, with all modifiers, before dice (K2); of a helper what is printed (K5)."""
    seat, piece = int(words[item + layout.ITEM_HERO]) - 1, int(words[item + layout.ITEM_PIECE]) - 2
    if piece >= 0:
        return int(
            rules[
                card_rules(piece_card(words[seat * layout.HERO_WORDS + layout.PLAY + piece]))
                + layout.CARD_DEFENCE
            ]
        )
    total = int(rules[layout.RULE_SEATS + seat * layout.SEAT_WORDS + layout.SEAT_DEFENCE]) + added(
        words, rules, seat, _D
    )
    if rules[layout.RULE_POINTS]:
        total += season_dice(words, rules, seat)
    return total + int(words[item + layout.ITEM_PLUS + 1]) - layout.MODS_OFFSET


@inlined_njit
def _combat(words: Words, rules: KernelRules, item: int) -> None:
    """Roll; roll again; compare and deal the damage; then what hits and hurts sets off."""
    step, owner = task(words, 1), int(words[item + layout.ITEM_OWNER])
    seat, helper = int(words[item + layout.ITEM_HERO]) - 1, words[item + layout.ITEM_PIECE] >= 2
    if step == 0:
        for face in range(12):
            words[layout.FACES + face] = 0
        own = number_of_dice(words, rules, owner, int(words[item + layout.ITEM_DICE]) - layout.DICE_OFFSET)
        other = 0
        if not helper:
            other = number_of_dice(
                words, rules, seat, int(words[item + layout.ITEM_DICE + 1]) - layout.DICE_OFFSET
            )
        _roll(words, 1, own, other)
        return
    if step == 1:
        own = _again(words, item, 0)
        _roll(words, 2, own, _again(words, item, 1))
        return
    if step > 2:
        _pop(words)
        return
    margin = attack_total(words, rules, item) - defence_total(words, rules, item)
    for face in range(6):
        margin += (face + 1) * int(words[layout.FACES + face] - words[layout.FACES + 6 + face])
    if words[layout.FACES + 5] or words[layout.FACES + 11]:
        words[layout.SIX] = 1
    for face in range(12):
        words[layout.FACES + face] = 0
    set_task(words, 1, 3)
    if helper:
        if margin > 0:
            without_piece(words, rules, seat, int(words[item + layout.ITEM_PIECE]) - 2)
        return
    damage = margin - int(words[item + layout.ITEM_PREVENT])
    if damage <= 0:
        return
    add_task(words, _DO_EVENT, _HIT, 0, owner, 0, seat)
    add_task(words, _DO_EVENT, _HURT, 0, seat, 0, owner)
    change_hp(words, rules, seat, -damage)
    check(words, rules)

"""What effects do, who is beaten, and season cards."""

from __future__ import annotations

from engine.jit import kernel_njit
from engine.warage import layout
from engine.warage.effects import EVENTS
from engine.warage.kernel_moves import bears_on, side_of, the_attack
from engine.warage.kernel_rules import KernelRules
from engine.warage.kernel_state import (
    Words,
    add_task,
    change_hp,
    drop_task,
    guild,
    hp_of,
    is_beaten,
    item_at,
    next_seat,
    opposes,
    without_piece,
)
from engine.warage.reference_state import Do, Phase
from engine.warage.rules_schema import (
    ACTIONS,
    DURATIONS,
    MAX_MORE_DICE,
    MAX_PLUS,
    MAX_PREVENT,
    MAX_REROLLS,
    STATS,
    TARGETS,
)

_OVER, _CLOSING = int(Phase.OVER), int(Phase.CLOSING)
_END_ROUND, _EVENT, _SEASON_TASK = int(Do.END_ROUND), int(Do.EVENT), int(Do.SEASON)
_DRAW_TASK, _DISCARD_TASK = int(Do.DRAW), int(Do.DISCARD)
_SEASON_CHANGE = EVENTS.index("season-change")
_GAIN, _LOSE, _DRAW, _DISCARD = (ACTIONS.index(word) for word in ("gain", "lose", "draw", "discard"))
_DRAIN = ACTIONS.index("drain")
_DESTROY, _NEGATE, _PREVENT, _SET_SEASON = (
    ACTIONS.index(word) for word in ("destroy", "negate", "prevent", "season")
)
_DEACTIVATE, _REROLL = ACTIONS.index("deactivate"), ACTIONS.index("reroll")
_SELF, _OPPONENT, _CHOSEN_HERO, _THIS_ATTACK = (
    TARGETS.index(word) for word in ("self", "opponent", "chosen-hero", "this-attack")
)
_DICE_STAT, _THIS_ROUND = STATS.index("dice"), DURATIONS.index("this-round")
_MAX_DICE = MAX_MORE_DICE


@kernel_njit
def clear_queue(words: Words) -> None:
    """Nothing is on the queue any more. Modified in place."""
    for word in range(layout.QUEUE, layout.QUEUE + words[layout.QUEUE_SIZE] * layout.ITEM_WORDS):
        words[word] = 0
    words[layout.QUEUE_SIZE] = 0


@kernel_njit
def clear_agenda(words: Words) -> None:
    """Nothing is to be done any more. Modified in place."""
    for word in range(layout.AGENDA, layout.AGENDA + words[layout.AGENDA_SIZE] * layout.TASK_WORDS):
        words[word] = 0
    words[layout.AGENDA_SIZE] = 0


@kernel_njit
def over(words: Words, rules: KernelRules, guilds: int) -> None:
    """The match ends: everybody of these guilds, a bit each, has won. Modified in place."""
    winners = 0
    for seat in range(rules[layout.RULE_PLAYERS]):
        if guilds >> guild(rules, seat) & 1:
            winners |= 1 << seat
    end(words, winners)


@kernel_njit
def end(words: Words, winners: int) -> None:
    """The match ends: who has won, a bit each. Modified in place."""
    words[layout.PHASE], words[layout.WINNERS] = _OVER, winners
    clear_queue(words)
    clear_agenda(words)
    for face in range(12):
        words[layout.FACES + face] = 0


@kernel_njit
def check(words: Words, rules: KernelRules) -> None:
    """See who is beaten and who has infinite HP (Q5, H5, W1, W2). Modified in place."""
    fallen, rich = 0, 0
    for seat in range(rules[layout.RULE_PLAYERS]):
        if not is_beaten(words, seat):
            hp = hp_of(words, seat)
            if hp <= 0:
                fallen |= 1 << seat
            elif hp >= rules[layout.RULE_CAP]:
                rich |= 1 << guild(rules, seat)
    if rich:
        over(words, rules, rich)
    elif fallen:
        remove(words, rules, fallen)


@kernel_njit
def remove(words: Words, rules: KernelRules, fallen: int) -> None:
    """Heroes, a bit each, leave with their cards and items (M2). Modified in place."""
    for seat in range(rules[layout.RULE_PLAYERS]):
        if fallen >> seat & 1:
            base = seat * layout.HERO_WORDS
            words[base + layout.HP], words[base + layout.BEATEN] = layout.HP_OFFSET, 1
            for word in (layout.HAND_SIZE, layout.LIFE_SIZE, layout.PLAY_SIZE, layout.DECK_SIZE):
                words[base + word] = 0
            for word in range(base + layout.LIFE, base + layout.HERO_WORDS):
                words[word] = 0
            for stat in range(layout.NUM_STATS):
                words[base + layout.ADDS + stat] = layout.ADDS_OFFSET
    for position in range(words[layout.QUEUE_SIZE]):
        item = item_at(position)
        if fallen >> words[item + layout.ITEM_OWNER] & 1:
            words[item + layout.ITEM_NEGATED] = 1
            for number in range(words[item + layout.ITEM_SOURCES]):
                words[item + layout.ITEM_SOURCE + number] = 0
        hero = words[item + layout.ITEM_HERO] - 1
        if hero >= 0 and fallen >> hero & 1:
            words[item + layout.ITEM_PIECE] = 0
    alive, gone = 0, 0
    for seat in range(rules[layout.RULE_PLAYERS]):
        if not is_beaten(words, seat):
            alive |= 1 << guild(rules, seat)
        if fallen >> seat & 1:
            gone |= 1 << guild(rules, seat)
    if alive & (alive - 1) == 0:
        over(words, rules, alive if alive else gone)
        return
    if is_beaten(words, int(words[layout.ACTIVE])):
        clear_agenda(words)
        clear_queue(words)
        add_task(words, _END_ROUND, 0, 0, 0, 0, 0)
        if words[layout.SIX]:
            add_task(words, _EVENT, _SEASON_CHANGE, 0, 0, 0, -1)
            add_task(words, _SEASON_TASK, 0, 0, 0, 0, 0)
        words[layout.PHASE] = _CLOSING
        return
    _forget_tasks(words, fallen)
    if is_beaten(words, int(words[layout.PRIORITY])):
        words[layout.PRIORITY] = next_seat(words, rules, int(words[layout.PRIORITY]))
    words[layout.PASSES] = 0


@kernel_njit
def _forget_tasks(words: Words, fallen: int) -> None:
    """Draws and discards of heroes, a bit each, are off. Modified in place."""
    kept = 0
    for number in range(words[layout.AGENDA_SIZE]):
        base = layout.AGENDA + number * layout.TASK_WORDS
        if words[base] in (_DRAW_TASK, _DISCARD_TASK) and fallen >> words[base + 1] & 1:
            continue
        for word in range(layout.TASK_WORDS):
            words[layout.AGENDA + kept * layout.TASK_WORDS + word] = words[base + word]
        kept += 1
    while words[layout.AGENDA_SIZE] > kept:
        drop_task(words)


@kernel_njit
def apply(words: Words, rules: KernelRules, seat: int, effect: int, item: int, foe: int) -> None:
    """Carry out one effect of a hero; `item` is where its targets lie, -1 for none. Modified in place."""
    action, target = rules[effect + layout.EFFECT_ACTION], rules[effect + layout.EFFECT_TARGET]
    if target == _THIS_ATTACK:
        _on_attack(words, rules, seat, effect)
    elif action == _DESTROY:
        if words[item + layout.ITEM_PIECE] >= 2:
            hero = int(words[item + layout.ITEM_HERO]) - 1
            without_piece(words, rules, hero, int(words[item + layout.ITEM_PIECE]) - 2)
    elif action == _DEACTIVATE:
        if words[item + layout.ITEM_PIECE] >= 2:
            base = (words[item + layout.ITEM_HERO] - 1) * layout.HERO_WORDS + layout.PLAY
            words[base + words[item + layout.ITEM_PIECE] - 2] &= ~layout.AWAKE_BIT
    elif action == _NEGATE:
        words[item_at(int(words[item + layout.ITEM_ITEM]) - 1) + layout.ITEM_NEGATED] = 1
    elif action == _SET_SEASON:
        named = rules[effect + layout.EFFECT_SEASON]
        if named >= 0:
            name_season(words, rules, int(named))
        add_task(words, _EVENT, _SEASON_CHANGE, 0, 0, 0, -1)
        if named < 0:
            add_task(words, _SEASON_TASK, 0, 0, 0, 0, 0)
    elif target == _SELF:
        _on_hero(words, rules, seat, seat, effect)
    elif target == _CHOSEN_HERO:
        _on_hero(words, rules, seat, int(words[item + layout.ITEM_HERO]) - 1, effect)
    elif foe >= 0:
        _on_hero(words, rules, seat, foe, effect)
    else:
        for other in range(rules[layout.RULE_PLAYERS] - 1, -1, -1):
            if opposes(words, rules, seat, other):
                _on_hero(words, rules, seat, other, effect)


@kernel_njit
def _on_hero(words: Words, rules: KernelRules, owner: int, seat: int, effect: int) -> None:
    if is_beaten(words, seat):
        return
    action, amount = rules[effect + layout.EFFECT_ACTION], int(rules[effect + layout.EFFECT_AMOUNT])
    if action == _GAIN:
        change_hp(words, rules, seat, amount)
    elif action == _LOSE:
        change_hp(words, rules, seat, -amount)
    elif action == _DRAIN:
        taken = min(amount, max(int(hp_of(words, seat)), 0))
        change_hp(words, rules, seat, -amount)
        change_hp(words, rules, owner, taken)
    elif action == _DRAW:
        add_task(words, _DRAW_TASK, seat, amount, -1, 0, 0)
    elif action == _DISCARD:
        add_task(words, _DISCARD_TASK, seat, amount, 0, 0, 0)
    else:
        mods = (
            layout.ROUND_MODS
            if rules[effect + layout.EFFECT_DURATION] == _THIS_ROUND
            else layout.OPENING_MODS
        )
        word = seat * layout.HERO_WORDS + mods + rules[effect + layout.EFFECT_STAT]
        value = words[word] - layout.MODS_OFFSET + amount
        words[word] = max(-MAX_PLUS, min(value, MAX_PLUS)) + layout.MODS_OFFSET


@kernel_njit
def _on_attack(words: Words, rules: KernelRules, seat: int, effect: int) -> None:
    if not bears_on(words, rules, seat, effect):
        return
    attack, side = the_attack(words), side_of(words, seat)
    action, amount = rules[effect + layout.EFFECT_ACTION], int(rules[effect + layout.EFFECT_AMOUNT])
    if action == _PREVENT:
        words[attack + layout.ITEM_PREVENT] = min(words[attack + layout.ITEM_PREVENT] + amount, MAX_PREVENT)
    elif action == _REROLL:
        word = attack + layout.ITEM_REROLL + side
        words[word] = min(words[word] + amount, MAX_REROLLS)
    elif rules[effect + layout.EFFECT_STAT] == _DICE_STAT:
        word = attack + layout.ITEM_DICE + side
        value = words[word] - layout.DICE_OFFSET + amount
        words[word] = max(-_MAX_DICE, min(value, _MAX_DICE)) + layout.DICE_OFFSET
    else:
        word = attack + layout.ITEM_PLUS + side
        value = words[word] - layout.MODS_OFFSET + amount
        words[word] = max(-MAX_PLUS, min(value, MAX_PLUS)) + layout.MODS_OFFSET


@kernel_njit
def used_copies(words: Words, rules: KernelRules, number: int) -> int:
    """Copies of a season card that are used up: neither in the deck nor in force."""
    copies = int(rules[layout.RULE_SEASON + number * layout.SEASON_WORDS + layout.SEASON_COPIES]) - int(
        words[layout.SEASON_DECK + number]
    )
    for place in range(words[layout.BOTTOM_SIZE]):
        copies -= int(words[layout.BOTTOM + place] == number)
    return copies - int(words[layout.SEASON] == number + 1) - int(words[layout.SPECIAL] == number + 1)


@kernel_njit
def name_season(words: Words, rules: KernelRules, number: int) -> None:
    """Put a named base season in force (S1). Modified in place."""
    if words[layout.SEASON] == number + 1:
        words[layout.SPECIAL] = 0
        return
    if words[layout.SEASON_DECK + number]:
        words[layout.SEASON_DECK + number] -= 1
    elif used_copies(words, rules, number) == 0:
        return
    words[layout.SEASON], words[layout.SPECIAL] = number + 1, 0


@kernel_njit
def deck_of_seasons(words: Words, rules: KernelRules) -> int:
    """Season cards in the random part of the deck."""
    total = 0
    for number in range(rules[layout.RULE_SEASONS]):
        total += words[layout.SEASON_DECK + number]
    return int(total)


@kernel_njit
def reveal_season(words: Words, rules: KernelRules, number: int) -> None:
    """The top season card replaces the one in force (S3, S4). Modified in place."""
    if deck_of_seasons(words, rules):
        words[layout.SEASON_DECK + number] -= 1
    else:
        words[layout.BOTTOM_SIZE] -= 1
        for place in range(words[layout.BOTTOM_SIZE]):
            words[layout.BOTTOM + place] = words[layout.BOTTOM + place + 1]
        words[layout.BOTTOM + words[layout.BOTTOM_SIZE]] = 0
    if rules[layout.RULE_SEASON + number * layout.SEASON_WORDS + layout.SEASON_BASE]:
        words[layout.SEASON], words[layout.SPECIAL] = number + 1, 0
    else:
        words[layout.SPECIAL] = number + 1


@kernel_njit
def reshuffle(words: Words, rules: KernelRules) -> bool:
    """A used-up season deck is shuffled anew (S1); returns whether there is a card. Modified in place."""
    if deck_of_seasons(words, rules) or words[layout.BOTTOM_SIZE]:
        return True
    some = False
    for number in range(rules[layout.RULE_SEASONS]):
        copies = used_copies(words, rules, number)
        words[layout.SEASON_DECK + number] = copies
        some = some or copies > 0
    return some

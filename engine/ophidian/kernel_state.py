"""Reading and changing the words of a state: Characters and their numbers, conditions, points, wounds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit
from engine.ophidian import layout
from engine.ophidian.abilities import ACTS, STATS, WHENS
from engine.ophidian.kernel_rules import KernelRules
from engine.ophidian.reference_state import MAX_CHANGE, TIMES
from engine.ophidian.rules_schema import DISCIPLINES

Words = NDArray[np.int64]

_TIMES = len(TIMES)
_UNIVERSAL = DISCIPLINES.index("universal")
_STATIC, _MODIFY = WHENS.index("static"), ACTS.index("modify")
LIFE, RAGE, ATTACK, DEFENCE, SHIELD, RAGE_DAMAGE = range(len(STATS))
FROM_DIE, FROM_WOUNDS, FROM_LEVEL, FROM_COUNT = 1, 2, 3, 4


@kernel_njit
def fighter_at(player: int, index: int) -> int:
    """Where a Character lies."""
    return player * layout.PLAYER_WORDS + layout.TEAM + index * layout.FIGHTER_WORDS


@kernel_njit
def team_size(words: Words, player: int) -> int:
    """Characters of a player, the fallen gladiators too."""
    return int(words[player * layout.PLAYER_WORDS + layout.TEAM_SIZE])


@kernel_njit
def card_rules(card: int) -> int:
    """Where the rules of a card lie."""
    return layout.RULE_CARD + card * layout.CARD_WORDS


@kernel_njit
def body_of(words: Words, fighter: int) -> int:
    """Where the rules of a Character lie."""
    if words[fighter + layout.CARD] > 0:
        return layout.RULE_CARD + (int(words[fighter + layout.CARD]) - 1) * layout.CARD_WORDS
    return layout.RULE_GLADIATOR + (int(words[fighter + layout.GLADIATOR]) - 1) * layout.GLADIATOR_WORDS


@kernel_njit
def is_gladiator(words: Words, fighter: int) -> bool:
    """Whether a Character is no minion."""
    return bool(words[fighter + layout.CARD] == 0)


@kernel_njit
def ability_at(body: int, place: int) -> int:
    """Where an ability of a gladiator or a card lies."""
    return body + layout.ABILITIES + place * layout.ABILITY_WORDS


@kernel_njit
def do_at(ability: int, place: int) -> int:
    """Where one thing that an ability does lies."""
    return ability + layout.DOS + place * layout.DO_WORDS


@kernel_njit
def pump_card(pump: int) -> int:
    """The card of a pump."""
    return pump >> 1


@kernel_njit
def printed(words: Words, rules: KernelRules, fighter: int, stat: int) -> int:
    """A number as printed."""
    if stat == RAGE_DAMAGE:
        return int(rules[layout.RULE_RAGE_DAMAGE])
    level = max(int(words[fighter + layout.LEVEL]) - 1, 0)
    return int(rules[body_of(words, fighter) + layout.BODY_NUMBERS + stat * layout.NUM_LEVELS + level])


@kernel_njit
def changed(words: Words, fighter: int, column: int) -> int:
    """What is added to a number for a time."""
    total = 0
    for time in range(_TIMES):
        total += int(words[fighter + layout.CHANGES + time * layout.COLUMNS + column]) - layout.CHANGE_OFFSET
    return total


@kernel_njit
def change(words: Words, fighter: int, time: int, column: int, value: int) -> None:
    """Add to a number for a time. Modified in place: `words`."""
    word = fighter + layout.CHANGES + time * layout.COLUMNS + column
    total = int(words[word]) - layout.CHANGE_OFFSET + value
    words[word] = max(-MAX_CHANGE, min(total, MAX_CHANGE)) + layout.CHANGE_OFFSET


@kernel_njit
def vital(words: Words, rules: KernelRules, fighter: int, stat: int) -> int:
    """Life or rage: pumps change them always, by a number."""
    value = printed(words, rules, fighter, stat) + changed(words, fighter, stat)
    for place in range(words[fighter + layout.PUMPS_SIZE]):
        body = card_rules(pump_card(int(words[fighter + layout.PUMPS + place])))
        for number in range(rules[body + layout.BODY_ABILITIES]):
            ability = ability_at(body, number)
            if rules[ability + layout.WHEN] == _STATIC:
                for index in range(rules[ability + layout.DO_COUNT]):
                    do = do_at(ability, index)
                    if rules[do + layout.DO_ACT] == _MODIFY and rules[do + layout.DO_STAT] == stat:
                        value += int(rules[do + layout.DO_AMOUNT])
    return max(0, value)


@kernel_njit
def is_alive(words: Words, rules: KernelRules, fighter: int) -> bool:
    """Whether its wounds are below its life (R3)."""
    return bool(words[fighter + layout.WOUNDS] < vital(words, rules, fighter, LIFE))


@kernel_njit
def is_raging(words: Words, rules: KernelRules, fighter: int) -> bool:
    """Whether its wounds have reached its rage value (R1)."""
    if words[fighter + layout.WOUNDS] < vital(words, rules, fighter, RAGE):
        return False
    return is_alive(words, rules, fighter)


@kernel_njit
def holds(words: Words, rules: KernelRules, owner: int, fighter: int, condition: int, die: int) -> bool:
    """Whether a condition holds for an owner and a Character, -1 for none."""
    if (
        rules[condition + layout.IF_FAVOURITE]
        and words[layout.CHEER + owner] <= words[layout.CHEER + 1 - owner]
    ):
        return False
    if words[layout.WAVE] < rules[condition + layout.IF_WAVE] or die < rules[condition + layout.IF_DIE]:
        return False
    raging, field, level = (
        rules[condition + layout.IF_RAGING],
        rules[condition + layout.IF_FIELD],
        rules[condition + layout.IF_LEVEL],
    )
    if raging < 0 and field < 0 and level == 0:
        return True
    if fighter < 0 or (raging >= 0 and raging != int(is_raging(words, rules, fighter))):
        return False
    return bool(
        (field < 0 or words[fighter + layout.FIELD] == field) and words[fighter + layout.LEVEL] >= level
    )


@kernel_njit
def fits(words: Words, rules: KernelRules, owner: int, side: int, fighter: int, wanted: int) -> bool:
    """Whether a Character of a side is one that is meant, seen by an owner."""
    which, kind = rules[wanted + layout.FILTER_SIDE], rules[wanted + layout.FILTER_KIND]
    if which < 2 and which != (0 if side == owner else 1):
        return False
    if kind < 2 and kind != (0 if is_gladiator(words, fighter) else 1):
        return False
    field, is_set = rules[wanted + layout.FILTER_FIELD], rules[wanted + layout.FILTER_SET]
    if (field >= 0 and field != words[fighter + layout.FIELD]) or (
        is_set >= 0 and is_set != words[fighter + layout.SET]
    ):
        return False
    wounded, raging = rules[wanted + layout.FILTER_WOUNDED], rules[wanted + layout.FILTER_RAGING]
    if wounded >= 0 and wounded != int(words[fighter + layout.WOUNDS] > 0):
        return False
    if raging >= 0 and raging != int(is_raging(words, rules, fighter)):
        return False
    return is_alive(words, rules, fighter)


@kernel_njit
def amount(
    words: Words, rules: KernelRules, owner: int, fighter: int, ability: int, do: int, die: int
) -> int:
    """How much one thing of an ability comes to; `fighter` is whom it falls on, -1 for nobody."""
    source = rules[do + layout.DO_SOURCE]
    if source == 0:
        return int(rules[do + layout.DO_AMOUNT])
    if source == FROM_DIE:
        return die
    if source == FROM_WOUNDS:
        return int(words[fighter + layout.WOUNDS])
    if source == FROM_LEVEL:
        return int(words[fighter + layout.LEVEL])
    total = 0
    for side in range(2):
        for index in range(team_size(words, side)):
            if fits(words, rules, owner, side, fighter_at(side, index), ability + layout.ABILITY_COUNT):
                total += 1
    return total


@kernel_njit
def _added(words: Words, rules: KernelRules, owner: int, fighter: int, body: int, stat: int) -> int:
    """What the static abilities of a gladiator or a card add."""
    total = 0
    for place in range(rules[body + layout.BODY_ABILITIES]):
        ability = ability_at(body, place)
        if rules[ability + layout.WHEN] != _STATIC:
            continue
        if not holds(words, rules, owner, fighter, ability + layout.ABILITY_IF, 0):
            continue
        for index in range(rules[ability + layout.DO_COUNT]):
            do = do_at(ability, index)
            if rules[do + layout.DO_ACT] != _MODIFY or rules[do + layout.DO_STAT] != stat:
                continue
            if holds(words, rules, owner, fighter, do + layout.DO_IF, 0):
                total += amount(words, rules, owner, fighter, ability, do, 0)
    return total


@kernel_njit
def number(words: Words, rules: KernelRules, player: int, fighter: int, stat: int) -> int:
    """One of a Character's numbers, with all that changes it; never below 0 (P4). Not life, nor rage."""
    value = printed(words, rules, fighter, stat) + changed(words, fighter, stat)
    value += _added(words, rules, player, fighter, body_of(words, fighter), stat)
    for place in range(words[fighter + layout.PUMPS_SIZE]):
        pump = int(words[fighter + layout.PUMPS + place])
        value += _added(words, rules, pump & 1, fighter, card_rules(pump_card(pump)), stat)
    return max(0, value)


@kernel_njit
def may_stand_in(words: Words, rules: KernelRules, fighter: int) -> bool:
    """Whether its kind may take attacks for others (A3)."""
    return is_gladiator(words, fighter) or bool(rules[body_of(words, fighter) + layout.BODY_STANDS_IN])


@kernel_njit
def meets(words: Words, rules: KernelRules, player: int, card: int) -> bool:
    """Whether a player's gladiators in play meet all that a card requires (P2)."""
    base = card_rules(card)
    for place in range(rules[base + layout.CARD_REQUIRES]):
        discipline = rules[base + layout.CARD_REQUIRE + 2 * place]
        level = rules[base + layout.CARD_REQUIRE + 2 * place + 1]
        met = False
        for index in range(team_size(words, player)):
            fighter = fighter_at(player, index)
            if not is_gladiator(words, fighter) or words[fighter + layout.LEVEL] < level:
                continue
            known = rules[body_of(words, fighter) + layout.GLADIATOR_DISCIPLINES]
            fitting = discipline == _UNIVERSAL or known >> discipline & 1 or known >> _UNIVERSAL & 1
            if fitting and is_alive(words, rules, fighter):
                met = True
        if not met:
            return False
    return True


@kernel_njit
def points(words: Words, rules: KernelRules, player: int) -> int:
    """Victory points that a player has scored (R3, T2)."""
    total = 0
    for index in range(team_size(words, 1 - player)):
        fighter = fighter_at(1 - player, index)
        if not is_alive(words, rules, fighter):
            total += int(rules[body_of(words, fighter) + layout.BODY_POINTS])
    return total


@kernel_njit
def wounds(words: Words, player: int) -> int:
    """Wounds on a player's gladiators, the destroyed with their life (B1)."""
    total = 0
    for index in range(team_size(words, player)):
        fighter = fighter_at(player, index)
        if is_gladiator(words, fighter):
            total += int(words[fighter + layout.WOUNDS])
    return total


@kernel_njit
def add_fighter(words: Words, player: int, gladiator: int, card: int, level: int, field: int) -> None:
    """A Character enters; gladiator and card are -1 for none. Modified in place: `words`."""
    fighter = fighter_at(player, team_size(words, player))
    words[fighter + layout.GLADIATOR], words[fighter + layout.CARD] = gladiator + 1, card + 1
    words[fighter + layout.LEVEL], words[fighter + layout.FIELD] = level + 1, field
    for place in range(_TIMES * layout.COLUMNS):
        words[fighter + layout.CHANGES + place] = layout.CHANGE_OFFSET
    words[player * layout.PLAYER_WORDS + layout.TEAM_SIZE] += 1

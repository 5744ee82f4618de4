"""Battles on bit-packed states (B2-B13, X4): the fast twin of `reference_battle`.

`side` is 0 for the attacker and 1 for the defender.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.clash import layout
from engine.clash.kernel_rules import KernelRules
from engine.clash.kernel_state import (
    ARMY_BITS,
    ARMY_MASK,
    BATTLE,
    COUNT_BITS,
    COUNTERS,
    ELVES_AT,
    NUM_TYPES,
    PLACE,
    PLAYER,
    Words,
    active,
    add_units,
    elf_bonus,
    elves_at,
    enemy,
    figures,
    go_to,
    of_type,
    put,
    unit_bonus,
    units_at,
)
from engine.jit import kernel_njit

_RAGE, _RAGE_BITS, _RAGE_MASK = layout.RAGE.offset, layout.RAGE.stride, layout.RAGE.mask
_FIELD, _FIELD_MASK = layout.FIELD.offset, layout.FIELD.mask
_STAGE, _STAGE_MASK = layout.STAGE.offset, layout.STAGE.mask
_ASSAULTER, _AGAINST_ELVES = layout.ASSAULTER.offset, layout.AGAINST_ELVES.offset
_FIGHTING = layout.FIGHTING.offset
_DICE, _HITS, _REROLLS = layout.DICE.offset, layout.HITS.offset, layout.REROLLS.offset
_DICE_MASK, _REROLLS_MASK = layout.DICE.mask, layout.REROLLS.mask
_CRYSTALS = layout.CRYSTALS.offset
_WINNER, _WINNER_MASK = layout.WINNER.offset, layout.WINNER.mask

assert _DICE_MASK == layout.HITS.mask
assert layout.FOUGHT.offset == 0


# -- reading a battle -----------------------------------------------------------------------------------


@kernel_njit
def field(words: Words) -> int:
    """The territory of the battle."""
    return int(words[BATTLE] >> _FIELD & _FIELD_MASK)


@kernel_njit
def stage(words: Words) -> int:
    """Where in the battle the state stands, one of `layout.ASSAULT`, ..., `layout.ELIMINATE`."""
    return int(words[BATTLE] >> _STAGE & _STAGE_MASK)


@kernel_njit
def assaulter(words: Words) -> int:
    """The side whose assault it is (B3)."""
    return int(words[BATTLE] >> _ASSAULTER & 1)


@kernel_njit
def elves_assault(words: Words) -> bool:
    """Whether it is the elves' assault."""
    return bool(words[BATTLE] >> _AGAINST_ELVES & words[BATTLE] >> _ASSAULTER & 1)


@kernel_njit
def fighting(words: Words, side: int) -> int:
    """The army that a side has left."""
    return int(words[BATTLE] >> ARMY_BITS * side & ARMY_MASK)


@kernel_njit
def owner_of(words: Words, rules: KernelRules, side: int) -> int:
    """The player whose army a side is, -1 for the elves."""
    return active(words) if side == 0 else enemy(words, rules, active(words), field(words))


@kernel_njit
def number_of(words: Words, rules: KernelRules, owner: int, kind: int, bonus: int) -> int:
    """A number of a type with its equipment, of a player or, with owner -1, of the elves."""
    return elf_bonus(words, rules, kind, bonus) if owner < 0 else unit_bonus(words, rules, owner, kind, bonus)


@kernel_njit
def life_of(rules: KernelRules, owner: int, kind: int) -> int:
    """Life points of a type."""
    first = layout.RULE_ELVES if owner < 0 else layout.RULE_UNITS + NUM_TYPES * owner * layout.TYPE_STRIDE
    return int(rules[first + kind * layout.TYPE_STRIDE + layout.LIFE])


@kernel_njit
def total_of(words: Words, rules: KernelRules, side: int, bonus: int) -> int:
    """The sum of a number over the types that a side has left, each once (B4)."""
    owner, army = owner_of(words, rules, side), fighting(words, side)
    number = 0
    for kind in range(NUM_TYPES):
        if of_type(army, kind):
            number += number_of(words, rules, owner, kind, bonus)
    return number


@kernel_njit
def rage_of(words: Words, side: int) -> int:
    """Rage tokens of a side (B9)."""
    return int(words[BATTLE] >> _RAGE + _RAGE_BITS * side & _RAGE_MASK)


@kernel_njit
def injuries(words: Words, rules: KernelRules) -> int:
    """Injuries that the assaulter distributes (B6)."""
    side = assaulter(words)
    dealt = (words[COUNTERS] >> _HITS & _DICE_MASK) + rage_of(words, side)
    dealt += total_of(words, rules, side, layout.INJURY) - total_of(words, rules, 1 - side, layout.SHIELD)
    return int(max(dealt, 0))


# -- who decides, and what is allowed -------------------------------------------------------------------


@kernel_njit
def battle_decider(words: Words, rules: KernelRules) -> int:
    """Who decides in the battle: a player, or -1 for chance (B1, X4)."""
    at = stage(words)
    if at == layout.ROLL or at == layout.BLANKS:
        return -1
    side = assaulter(words)
    if elves_assault(words) and rules[layout.RULE_ELVES_BY_ATTACKER]:
        side = 0
    owner = owner_of(words, rules, side)
    return owner if owner >= 0 else (active(words) - 1) % rules[layout.RULE_NUM_PLAYERS]


@kernel_njit
def num_battle_moves(words: Words, rules: KernelRules) -> int:
    """Number of moves of whoever decides, or of outcomes of the dice."""
    at = stage(words)
    if at == layout.ROLL or at == layout.BLANKS:
        return rolled(words) + 1
    return nth_elimination(words, rules, -1) if at == layout.ELIMINATE else 2


@kernel_njit
def rolled(words: Words) -> int:
    """Dice that chance rolls now."""
    counters = words[COUNTERS]
    dice = counters >> _DICE & _DICE_MASK
    return int(dice if stage(words) == layout.ROLL else dice - (counters >> _HITS & _DICE_MASK))


@kernel_njit
def dice_weights(words: Words, rules: KernelRules, weights: NDArray[np.int64]) -> int:
    """Write the weights of how many dice injure; returns their sum. Modified in place: `weights`."""
    dice = rolled(words)
    faces, blanks = rules[layout.RULE_HIT_FACES], rules[layout.RULE_HIT_SIDES] - rules[layout.RULE_HIT_FACES]
    total = 1
    for hits in range(dice + 1):
        weight = 1
        for number in range(hits):
            weight = weight * (dice - number) // (number + 1)
        for _ in range(hits):
            weight *= faces
        for _ in range(dice - hits):
            weight *= blanks
        weights[hits] = weight
        if hits:
            total *= rules[layout.RULE_HIT_SIDES]
    return int(total)


@kernel_njit
def nth_elimination(words: Words, rules: KernelRules, index: int) -> int:
    """The army that move `index` eliminates (B7, B8, X4); with index -1, the number of such moves."""
    side = assaulter(words)
    owner, army = owner_of(words, rules, 1 - side), fighting(words, 1 - side)
    first, second, third = life_of(rules, owner, 0), life_of(rules, owner, 1), life_of(rules, owner, 2)
    ones, twos, threes = of_type(army, 0), of_type(army, 1), of_type(army, 2)
    dealt = injuries(words, rules)
    maximal = elves_assault(words) and rules[layout.RULE_ELVES_BY_ATTACKER] != 0
    number = 0
    room = (first - 1) * ones + (second - 1) * twos + (third - 1) * threes
    spared = dealt <= room
    if maximal or not rules[layout.RULE_SPARING]:
        spared = not (
            (ones > 0 and first <= dealt) or (twos > 0 and second <= dealt) or (threes > 0 and third <= dealt)
        )
    if spared:
        if index == 0:
            return 0
        number = 1
    for one in range(ones + 1):
        for two in range(twos + 1):
            for three in range(threes + 1):
                left = dealt - one * first - two * second - three * third
                if left < 0 or not one + two + three:
                    continue
                if maximal and (
                    (one < ones and first <= left)
                    or (two < twos and second <= left)
                    or (three < threes and third <= left)
                ):
                    continue
                if number == index:
                    return one | two << COUNT_BITS | three << 2 * COUNT_BITS
                number += 1
    return number


# -- moves ----------------------------------------------------------------------------------------------


@kernel_njit
def begin_battle(words: Words, rules: KernelRules, place: int) -> None:
    """A battle begins in a territory; the less slow side starts, on a tie the defender (B2). In place."""
    player = active(words)
    owner = enemy(words, rules, player, place)
    other = elves_at(words, place) if owner < 0 else units_at(words, rules, owner, place)
    words[BATTLE] = (
        units_at(words, rules, player, place)
        | other << ARMY_BITS
        | place << _FIELD
        | (1 if owner < 0 else 0) << _AGAINST_ELVES
        | 1 << _FIGHTING
    )
    go_to(words, layout.FIGHT)
    starts = total_of(words, rules, 0, layout.SLOW) < total_of(words, rules, 1, layout.SLOW)
    begin_assault(words, rules, 0 if starts else 1)


@kernel_njit
def begin_assault(words: Words, rules: KernelRules, side: int) -> None:
    """A side's turn to assault (B3); the elves never flee, so they roll. Modified in place."""
    put(words, BATTLE, _ASSAULTER, 1, side)
    put(words, BATTLE, _STAGE, _STAGE_MASK, layout.ASSAULT)
    _clear_dice(words)
    if elves_assault(words):
        roll(words, rules)


@kernel_njit
def _clear_dice(words: Words) -> None:
    """No dice lie there. Modified in place."""
    words[COUNTERS] &= ~(_DICE_MASK << _DICE | _DICE_MASK << _HITS | _REROLLS_MASK << _REROLLS)


@kernel_njit
def roll(words: Words, rules: KernelRules) -> None:
    """Rage of icons (B10), and as many dice as the strongest type has power (B4). Modified in place."""
    side = assaulter(words)
    owner, army = owner_of(words, rules, side), fighting(words, side)
    enrage(words, rules, total_of(words, rules, side, layout.RAGING))
    power = 0
    for kind in range(NUM_TYPES):
        if of_type(army, kind):
            power = max(power, number_of(words, rules, owner, kind, layout.POWER))
    words[COUNTERS] |= power << _DICE | total_of(words, rules, side, layout.REROLLING) << _REROLLS
    put(words, BATTLE, _STAGE, _STAGE_MASK, layout.ROLL)


@kernel_njit
def enrage(words: Words, rules: KernelRules, tokens: int) -> None:
    """Rage tokens for the assaulter, up to the limit if there is one (B9, B12). Modified in place."""
    side = assaulter(words)
    rage = rage_of(words, side) + tokens
    if rules[layout.RULE_RAGE_LIMIT] >= 0:
        rage = min(rage, rules[layout.RULE_RAGE_LIMIT])
    put(words, BATTLE, _RAGE + _RAGE_BITS * side, _RAGE_MASK, rage)


@kernel_njit
def dice_fell(words: Words, hits: int) -> None:
    """So many more dice injure; blanks may be rolled again, elves must (B5). Modified in place."""
    words[COUNTERS] += hits << _HITS
    counters = words[COUNTERS]
    if (
        counters >> _REROLLS & _REROLLS_MASK
        and counters >> _HITS & _DICE_MASK < counters >> _DICE & _DICE_MASK
    ):
        if elves_assault(words):
            roll_blanks(words)
        else:
            put(words, BATTLE, _STAGE, _STAGE_MASK, layout.REROLL)
    else:
        keep_blanks(words)


@kernel_njit
def roll_blanks(words: Words) -> None:
    """Blanks are rolled again (B5). Modified in place."""
    words[COUNTERS] -= 1 << _REROLLS
    put(words, BATTLE, _STAGE, _STAGE_MASK, layout.BLANKS)


@kernel_njit
def keep_blanks(words: Words) -> None:
    """Injuries are distributed now (B6). Modified in place."""
    words[COUNTERS] &= ~(_REROLLS_MASK << _REROLLS)
    put(words, BATTLE, _STAGE, _STAGE_MASK, layout.ELIMINATE)


@kernel_njit
def eliminate(words: Words, rules: KernelRules, army: int) -> None:
    """Units die, or a token is earned (B9); then it is the other's turn, or over (B3). Modified in place."""
    side = assaulter(words)
    if not army:
        enrage(words, rules, 1)
    words[BATTLE] -= army << ARMY_BITS * (1 - side)
    if fighting(words, 1 - side):
        begin_assault(words, rules, 1 - side)
    else:
        end_battle(words, rules, side, False)


@kernel_njit
def end_battle(words: Words, rules: KernelRules, winner: int, fled: bool) -> None:
    """Who is left stands in the territory or in a Bastion (B11, B13). Modified in place."""
    place, player = field(words), active(words)
    owner = owner_of(words, rules, 1)
    own, other = fighting(words, 0), fighting(words, 1)
    if owner < 0:
        lost = figures(elves_at(words, place)) - figures(other)
        words[PLAYER + player] += lost << _CRYSTALS
        put(words, PLACE + place, ELVES_AT, ARMY_MASK, other)
    else:
        _settle(words, rules, owner, place, other, fled and winner == 0)
    _settle(words, rules, player, place, own, fled and winner == 1)
    words[BATTLE] = 0
    _clear_dice(words)
    go_to(words, layout.BATTLES)
    if rules[layout.RULE_NUM_PLAYERS] == 1 and not _any_elf(words, rules):
        go_to(words, layout.OVER)  # X5
        put(words, layout.FLOW, _WINNER, _WINNER_MASK, 0)
        for word in range(layout.MOVED_WORDS):
            words[layout.MOVED + word] = 0


@kernel_njit
def _settle(words: Words, rules: KernelRules, player: int, place: int, army: int, flees: bool) -> None:
    """A player's survivors, where they stand after the battle. Modified in place."""
    put(words, PLACE + place, ARMY_BITS * player, ARMY_MASK, 0 if flees else army)
    if flees:
        add_units(words, rules, player, rules[layout.RULE_NUM_TERRITORIES], army)


@kernel_njit
def _any_elf(words: Words, rules: KernelRules) -> bool:
    for place in range(rules[layout.RULE_NUM_TERRITORIES]):
        if elves_at(words, place):
            return True
    return False

"""Playing by rule of thumb: every decision of the whole game by a player's habits, and playouts by them.

Battles in playouts are rolled at once (`kernel_fighters.roll_battle`), or, where a search begins, drawn from
tables of outcomes that the caller brings.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.clash import layout
from engine.clash.habits import EARLY, GEAR, GOLD, LEGEND, UNIT
from engine.clash.kernel import CHANCE, advance, decider, is_over, options, transition, winner
from engine.clash.kernel_battle import field
from engine.clash.kernel_equip import affordable, forge_cost, nth_equip, slot
from engine.clash.kernel_fighters import NUM_NUMBERS, describe_battle, finish_battle, roll_battle
from engine.clash.kernel_march import nobody_moved
from engine.clash.kernel_rules import KernelRules
from engine.clash.kernel_state import (
    COUNT_BITS,
    FLOW,
    HOME,
    NUM_TYPES,
    OWNED,
    PLACE,
    PLAYER,
    Words,
    active,
    controlled,
    copies,
    count,
    go_to,
    nth,
    of_type,
    phase,
    points,
    turn,
)
from engine.clash.layout import ARMY_BITS
from engine.clash.plans import (
    GREEDY,
    LOG,
    STEPS,
    FloatArray,
    follow_plan,
    measure_steps,
    worth,
)
from engine.clash.playouts import random_outcome
from engine.jit import kernel_njit
from engine.randomness import below, next_random

_HAND_MASK, _DISCARD = layout.HAND.mask, layout.DISCARD.offset
_CHOSEN, _CHOSEN_MASK = layout.CHOSEN.offset, layout.CHOSEN.mask
_CRYSTALS, _CRYSTALS_MASK = layout.CRYSTALS.offset, layout.CRYSTALS.mask
_ROUND, _ROUND_MASK = layout.ROUND.offset, layout.ROUND.mask
_ACTION, _ACTION_MASK = layout.ACTION.offset, layout.ACTION.mask
_LEGENDS, _LEGENDS_MASK = layout.LEGENDS.offset, layout.LEGENDS.mask
_DONE_GAIN = 0.3
"""A card that adds less, in icons, is not bought."""
_WINS = 1000.0

EQUIPS, MARCHES, PASSES = range(3)


# -- cards ----------------------------------------------------------------------------------------------


@kernel_njit
def icons(rules: KernelRules, card: int) -> float:
    """What the icons of a card count for, that of an injury being 1: about what they add to chances."""
    at = layout.RULE_CARDS + card * layout.CARD_STRIDE
    return float(
        0.7 * rules[at + layout.POWER]
        + rules[at + layout.REROLLING]
        + rules[at + layout.INJURY]
        + 1.3 * rules[at + layout.SHIELD]
        + 1.5 * rules[at + layout.RAGING]
        - 0.5 * rules[at + layout.SLOW]
        + 0.3 * rules[at + layout.SPEED]
        + 0.4 * rules[at + layout.FLIGHT]
    )


@kernel_njit
def _third_best(words: Words, rules: KernelRules, player: int, space: int) -> float:
    """Icons of the third best card that a player owns for a space, 0 if it has not so many."""
    first = second = third = 0.0
    legends = words[OWNED + layout.CARD_WORDS * player + layout.CARD_WORDS - 1] >> _LEGENDS & _LEGENDS_MASK
    for card in range(rules[layout.RULE_NUM_EQUIPMENT] + rules[layout.RULE_NUM_LEGENDARY]):
        if rules[layout.RULE_CARDS + card * layout.CARD_STRIDE + layout.SPACE] != space:
            continue
        if card < rules[layout.RULE_NUM_EQUIPMENT]:
            number = copies(words, OWNED + layout.CARD_WORDS * player, card)
        else:
            number = int(legends >> card - rules[layout.RULE_NUM_EQUIPMENT] & 1)
        value = icons(rules, card)
        for _ in range(number):
            if value > first:
                first, second, third = value, first, second
            elif value > second:
                second, third = value, second
            elif value > third:
                third = value
    return third


@kernel_njit
def best_purchase(words: Words, rules: KernelRules, found: FloatArray) -> int:
    """The affordable card that adds most icons, -1 if none adds any; found[0] is how many."""
    player, cards = active(words), affordable(words, rules)
    best, found[0] = -1, _DONE_GAIN
    for space in range(2):
        least = _third_best(words, rules, player, space)
        for card in range(rules[layout.RULE_NUM_EQUIPMENT]):
            if (
                cards >> card & 1
                and rules[layout.RULE_CARDS + card * layout.CARD_STRIDE + layout.SPACE] == space
            ):
                value = icons(rules, card) - max(least, 0.0)
                if value > found[0]:
                    best, found[0] = card, value
    return best


@kernel_njit
def _equip_move(words: Words, rules: KernelRules, habits: FloatArray, found: FloatArray) -> int:
    """Forge if that is possible, else buy what adds most, else be done (E1)."""
    last = nth_equip(words, rules, -1) - 1
    forging = forge_cost(words, rules) >= 0
    if forging and habits[LEGEND] > 0.0:
        return last - 1
    card = best_purchase(words, rules, found)
    if card < 0:
        return last
    cards = affordable(words, rules)
    first = last - count(cards) - (1 if forging else 0)
    return first + count(cards & (1 << card) - 1)


@kernel_njit
def _figures_of(words: Words, rules: KernelRules, player: int, kind: int) -> int:
    """Figures of a type on the board."""
    offset = ARMY_BITS * player + COUNT_BITS * kind
    number = words[HOME] >> offset & layout.COUNT_MASK
    for place in range(rules[layout.RULE_NUM_TERRITORIES]):
        number += words[PLACE + place] >> offset & layout.COUNT_MASK
    return int(number)


@kernel_njit
def _attach_move(words: Words, rules: KernelRules) -> int:
    """The best card that no type on the board that comes later and is of a higher level should have (E4)."""
    player, at = active(words), slot(words)
    kind = at // 2
    cards = options(words, rules)
    number = count(cards)
    reserved = 0
    if at // 2 < NUM_TYPES - 1:
        for later in range(kind + 1, NUM_TYPES):
            if _figures_of(words, rules, player, later):
                reserved += 1
        if not _figures_of(words, rules, player, kind):
            reserved = max(reserved, 1)
    taken = 0
    for _ in range(reserved + 1):
        best = -1
        for index in range(number):
            if taken >> index & 1:
                continue
            if best < 0 or icons(rules, nth(cards, index)) > icons(rules, nth(cards, best)):
                best = index
        if best < 0:
            return number
        taken |= 1 << best
    return best if icons(rules, nth(cards, best)) > 0.0 else number


# -- other decisions ------------------------------------------------------------------------------------


@kernel_njit
def tactic_score(rules: KernelRules, habits: FloatArray, player: int, card: int) -> float:
    """What a tactic card counts for by the habits: gold, units, an early turn (T1-T3)."""
    at = layout.RULE_TACTICS + (player * layout.NUM_TACTICS + card) * layout.TACTIC_STRIDE
    value = habits[GOLD] * rules[at + 1] - habits[EARLY] * rules[at] / 28.0
    for kind in range(NUM_TYPES):
        value += habits[UNIT] * (kind + 1) * of_type(rules[at + 2], kind)
    return float(value)


@kernel_njit
def _tactic_move(words: Words, rules: KernelRules, habits: FloatArray) -> int:
    player = turn(words)
    hand = words[PLAYER + player] & _HAND_MASK
    best = 0
    for index in range(count(hand)):
        if tactic_score(rules, habits, player, nth(hand, index)) > tactic_score(
            rules, habits, player, nth(hand, best)
        ):
            best = index
    return best


@kernel_njit
def _bastion_move(words: Words, rules: KernelRules, habits: FloatArray) -> int:
    """The spot from which most is near."""
    spots, player = options(words, rules), active(words)
    best, most = 0, -1.0
    for index in range(count(spots)):
        edge = reached = rules[layout.RULE_SPOT_NEIGHBOURS + nth(spots, index)]
        value, step = 0.0, 1
        while edge and step < layout.MAX_TERRITORIES:
            beyond = 0
            for place in range(rules[layout.RULE_NUM_TERRITORIES]):
                if edge >> place & 1:
                    value += worth(words, rules, habits, player, place) / (step * step)
                    beyond |= rules[layout.RULE_OPEN + place]
            edge = beyond & ~reached
            reached |= beyond
            step += 1
        if value > most:
            best, most = index, value
    return best


@kernel_njit
def _place_move(words: Words, rules: KernelRules, habits: FloatArray, work: Words) -> int:
    """The place that is nearest to what is worth taking (T3, S1)."""
    places, player = options(words, rules), active(words)
    best, least = 0, layout.MAX_TERRITORIES * 9
    if count(places) == 1:
        return 0
    measure_steps(words, rules, habits, player, work)
    for index in range(count(places)):
        steps = work[STEPS + nth(places, index)]
        if steps < least:
            best, least = index, steps
    return best


@kernel_njit
def equip_gain(words: Words, rules: KernelRules, habits: FloatArray, found: FloatArray) -> float:
    """What an equip action is worth to the active player by its habits."""
    player, value = active(words), 0.0
    if forge_cost(words, rules) >= 0:
        value += habits[LEGEND]
        second = words[FLOW] >> _ACTION & _ACTION_MASK == 2
        if second and points(words, rules, player) + 1 >= rules[layout.RULE_GOAL]:
            value += _WINS
    if best_purchase(words, rules, found) >= 0:
        value += habits[GEAR] * found[0]
    return float(value)


@kernel_njit
def copy(target: Words, source: Words) -> None:
    """Copy a state. Modified in place."""
    for word in range(layout.NUM_WORDS):
        target[word] = source[word]


@kernel_njit
def choose_action(
    words: Words, rules: KernelRules, habits: FloatArray, work: Words, spare: Words, found: FloatArray
) -> int:
    """Equip, march or pass, whichever is worth most by the habits (A1).

    Modified in place: `spare`, the state after the marches if that is chosen.
    """
    equipped = equip_gain(words, rules, habits, found)
    work[LOG] = 0
    if equipped >= _WINS:
        return EQUIPS
    copy(spare, words)
    nobody_moved(spare)
    go_to(spare, layout.MARCH)
    marched = follow_plan(spare, rules, habits, GREEDY, work, found)
    if equipped > marched:
        return EQUIPS
    return MARCHES if work[LOG] else (EQUIPS if equipped > 0.0 else PASSES)


@kernel_njit
def rule_move(
    words: Words, rules: KernelRules, habits: FloatArray, work: Words, spare: Words, found: FloatArray
) -> int:
    """The number of the move that a player by rule of thumb makes; not while it marches or fights."""
    at = phase(words)
    if at == layout.TACTIC:
        return _tactic_move(words, rules, habits)
    if at == layout.BASTIONS:
        return _bastion_move(words, rules, habits)
    if at in (layout.REINFORCE, layout.STONES):
        return _place_move(words, rules, habits, work)
    if at == layout.ACTING:
        return choose_action(words, rules, habits, work, spare, found)
    if at == layout.EQUIP:
        return _equip_move(words, rules, habits, found)
    if at == layout.ATTACH:
        return _attach_move(words, rules)
    if at == layout.KEEP:
        legends = options(words, rules)
        best = 0
        for index in range(count(legends)):
            first = rules[layout.RULE_NUM_EQUIPMENT]
            if icons(rules, first + nth(legends, index)) > icons(rules, first + nth(legends, best)):
                best = index
        return best
    return 0


# -- playouts -------------------------------------------------------------------------------------------


@kernel_njit
def draw(fields: Words, chances: FloatArray, outcomes: Words, place: int, rng: NDArray[np.int64]) -> int:
    """An outcome of the battle in a territory, from its table.

    Parameters
    ----------
    fields : `[territories + 1]`, where each one's outcomes begin; none where it is where the next one's do.
    chances : of each outcome and those before it.
    """
    left = (next_random(rng) & (1 << 52) - 1) / float(1 << 52)
    index = fields[place]
    while index < fields[place + 1] - 1 and chances[index] <= left:
        index += 1
    return int(outcomes[index])


@kernel_njit
def play_on(
    words: Words,
    rules: KernelRules,
    habits: FloatArray,
    last_round: int,
    rng: NDArray[np.int64],
    weights: NDArray[np.int64],
    work: Words,
    spare: Words,
    found: FloatArray,
) -> None:
    """Everybody plays on by rule of thumb until the game is over, or that round is. Modified in place.

    Parameters
    ----------
    habits : `[players, NUM_HABITS]`.
    """
    while not is_over(words) and words[FLOW] >> _ROUND & _ROUND_MASK <= last_round:
        at = phase(words)
        if at == layout.FIGHT:
            numbers = work[:NUM_NUMBERS]
            describe_battle(words, rules, numbers)
            finish_battle(words, rules, roll_battle(rules, numbers, rng))
            continue
        player = decider(words, rules)
        if player == CHANCE:
            transition(words, rules, random_outcome(words, rules, rng, weights))
        elif at == layout.ACTING:
            action = choose_action(words, rules, habits[player], work, spare, found)
            if action == MARCHES:
                copy(words, spare)
                go_to(words, layout.BATTLES)
                advance(words, rules)
            else:
                transition(words, rules, action)
        elif at == layout.MARCH:
            follow_plan(words, rules, habits[player], GREEDY, work, found)
            go_to(words, layout.BATTLES)
            advance(words, rules)
        elif at == layout.BATTLES:
            transition(words, rules, 0)
        else:
            transition(words, rules, rule_move(words, rules, habits[player], work, spare, found))


@kernel_njit
def standing(words: Words, rules: KernelRules, player: int) -> float:
    """A player's chance to win: 1 or 0 at the end, a guess by points, crystals and figures before it."""
    if is_over(words):
        best = winner(words)
        if best < 0:
            return 0.0 if rules[layout.RULE_NUM_PLAYERS] == 1 else 1.0 / rules[layout.RULE_NUM_PLAYERS]
        return 1.0 if best == player else 0.0
    own = total = 0.0
    for other in range(rules[layout.RULE_NUM_PLAYERS]):
        value = 1.0 * points(words, rules, other)
        value += 0.1 * (words[PLAYER + other] >> _CRYSTALS & _CRYSTALS_MASK)
        value += 0.4 * controlled(words, rules, other, rules[layout.RULE_FORGES])
        for kind in range(NUM_TYPES):
            value += 0.04 * (kind + 1) * _figures_of(words, rules, other, kind)
        total += math.exp(value)
        if other == player:
            own = math.exp(value)
    return own / total


@kernel_njit
def resample(words: Words, rules: KernelRules, player: int, rng: NDArray[np.int64]) -> None:
    """Spread the tactic cards that a player does not see anew over the hands of others (N1). In place."""
    choosing = phase(words) == layout.TACTIC
    for other in range(rules[layout.RULE_NUM_PLAYERS]):
        if other == player:
            continue
        own = words[PLAYER + other]
        unseen = _HAND_MASK & ~(own >> _DISCARD)
        size, hand = count(own & _HAND_MASK), 0
        chosen = own >> _CHOSEN & _CHOSEN_MASK
        hidden = choosing and chosen != layout.NO_TACTIC
        if hidden:
            chosen = nth(unseen, below(next_random(rng), count(unseen)))
            unseen &= ~(1 << chosen)
        for _ in range(size):
            card = nth(unseen, below(next_random(rng), count(unseen)))
            unseen &= ~(1 << card)
            hand |= 1 << card
        own = own & ~_HAND_MASK | hand
        if hidden:
            own = own & ~(_CHOSEN_MASK << _CHOSEN) | chosen << _CHOSEN
        words[PLAYER + other] = own


@kernel_njit
def simulate(
    root: Words,
    rules: KernelRules,
    habits: FloatArray,
    player: int,
    move: int,
    last_round: int,
    number: int,
    battles: tuple[Words, FloatArray, Words],
    rng: NDArray[np.int64],
    scratch: tuple[Words, NDArray[np.int64], Words, Words, FloatArray],
) -> float:
    """Sum of what playouts from a state come to for a player, who decides there.

    Parameters
    ----------
    move : made first, by its number; -1 if it has been.
    battles : fields, chances and outcomes of those that are begun before anything else, see `draw`.
    scratch : a state, and what `play_on` takes beside one.
    """
    fields, chances, outcomes = battles
    words, weights, work, spare, found = scratch
    total = 0.0
    for _ in range(number):
        copy(words, root)
        resample(words, rules, player, rng)
        if move >= 0:
            transition(words, rules, move)
        at = phase(words)
        while at in (layout.BATTLES, layout.FIGHT):
            if at == layout.BATTLES:
                transition(words, rules, 0)
            elif fields[field(words)] < fields[field(words) + 1]:
                finish_battle(words, rules, draw(fields, chances, outcomes, field(words), rng))
            else:
                break
            at = phase(words)
        play_on(words, rules, habits, last_round, rng, weights, work, spare, found)
        total += standing(words, rules, player)
    return total

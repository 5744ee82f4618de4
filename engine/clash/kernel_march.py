"""Moving on bit-packed states (M1-M4): the fast twin of `reference_march`. Places are a bit each."""

from __future__ import annotations

from engine.clash import layout
from engine.clash.kernel_rules import KernelRules
from engine.clash.kernel_state import (
    ARMY_BITS,
    COUNT_BITS,
    MOVED,
    NUM_TYPES,
    PLAYER,
    Words,
    active,
    add_units,
    count,
    enemies,
    figures,
    moved_at,
    nth,
    of_type,
    unit_bonus,
    units_at,
)
from engine.jit import kernel_njit

_BASTION, _BASTION_MASK = layout.BASTION.offset, layout.BASTION.mask


@kernel_njit
def passable(words: Words, rules: KernelRules) -> int:
    """Places that units without flight may pass: no enemies, or at least as many own units (M2, M3)."""
    player, num_territories = active(words), rules[layout.RULE_NUM_TERRITORIES]
    places = 1 << num_territories
    for place in range(num_territories):
        others = enemies(words, player, place)
        if not others or figures(units_at(words, rules, player, place)) >= others:
            places |= 1 << place
    return int(places)


@kernel_njit
def reachable(words: Words, rules: KernelRules, kind: int, origin: int, free: int) -> int:
    """Where a figure of the active player can end a move (M1-M4).

    Parameters
    ----------
    free : what `passable` returned.
    """
    player, num_territories = active(words), rules[layout.RULE_NUM_TERRITORIES]
    spot = words[PLAYER + player] >> _BASTION & _BASTION_MASK
    beside = rules[layout.RULE_SPOT_NEIGHBOURS + spot]
    steps = rules[layout.RULE_UNITS + (NUM_TYPES * player + kind) * layout.TYPE_STRIDE + layout.MOVEMENT]
    steps += unit_bonus(words, rules, player, kind, layout.SPEED)
    neighbours = layout.RULE_OPEN
    if unit_bonus(words, rules, player, kind, layout.FLIGHT):
        neighbours = layout.RULE_NEIGHBOURS
        free = (1 << num_territories + 1) - 1
    reached = edge = 1 << origin
    free |= edge
    for _ in range(steps):
        beyond = 0
        for place in range(num_territories):
            if edge & free & 1 << place:
                beyond |= rules[neighbours + place]
                if beside >> place & 1:
                    beyond |= 1 << num_territories
        if edge & free & 1 << num_territories:
            beyond |= beside
        edge = beyond & ~reached
        reached |= beyond
    return int(reached & ~(1 << origin))


@kernel_njit
def nth_march(words: Words, rules: KernelRules, index: int) -> int:
    """Move `index` as (type * 32 + from) * 32 + to, -1 to halt; with index -1, the number of moves."""
    player = active(words)
    free = passable(words, rules)
    number = 0
    for kind in range(NUM_TYPES):
        for place in range(rules[layout.RULE_NUM_TERRITORIES] + 1):
            army = units_at(words, rules, player, place)
            if of_type(army, kind) > of_type(moved_at(words, place), kind):
                targets = reachable(words, rules, kind, place, free)
                own = count(targets)
                if number <= index < number + own:
                    return (kind * 32 + place) * 32 + nth(targets, index - number)
                number += own
    return number + 1 if index < 0 else -1


@kernel_njit
def march(words: Words, rules: KernelRules, kind: int, origin: int, target: int) -> None:
    """A figure moves, and stays where it is for the rest of the action (M3). Modified in place."""
    player, one = active(words), 1 << COUNT_BITS * kind
    add_units(words, rules, player, origin, -one)
    add_units(words, rules, player, target, one)
    words[MOVED + target // layout.ARMIES_A_WORD] += one << ARMY_BITS * (target % layout.ARMIES_A_WORD)


@kernel_njit
def nobody_moved(words: Words) -> None:
    """An action begins or ends. Modified in place."""
    for word in range(layout.MOVED_WORDS):
        words[MOVED + word] = 0


@kernel_njit
def battlefields(words: Words, rules: KernelRules) -> int:
    """Territories that the active player shares with enemies (M5)."""
    player, fields = active(words), 0
    for place in range(rules[layout.RULE_NUM_TERRITORIES]):
        if units_at(words, rules, player, place) and enemies(words, player, place):
            fields |= 1 << place
    return fields

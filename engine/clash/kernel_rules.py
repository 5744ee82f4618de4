"""The rules and the scenario as the integers that kernels take."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from engine.clash import layout
from engine.clash.board import Scenario, board_of
from engine.clash.fighters import Card
from engine.clash.rules import Bonus, ElfRule, Rules, UnitRule
from engine.clash.rules_schema import DIFFICULTIES, SPACES

KernelRules = NDArray[np.int64]
"""Rules and scenario for kernels, `[layout.NUM_RULES] int64`, at the offsets `layout.RULE_...`."""

MAX_WEIGHT = (1 << 63) - 1
"""The weights of dice add up to at most this (faces of a die to the power of dice)."""


def kernel_rules(rules: Rules, scenario: Scenario) -> KernelRules:
    """Compile rules and a scenario for the kernels.

    Raises
    ------
    ValueError
        If the board has more places for Bastions than the bit layout holds, or so many dice can be rolled
        that their weights do not fit into a word.
    """
    board = board_of(rules, scenario)
    clans = [rules.clan(clan) for clan in scenario.clans]
    match, battle, solo = rules.match, rules.battle, rules.solo
    if len(board.spots) > layout.MAX_SPOTS:
        raise ValueError(
            f"spots for Bastions: {len(board.spots)} is more than the {layout.MAX_SPOTS} that fit"
        )
    faces, sides = map(int, battle.hit.split("/"))
    most = most_dice(rules, [unit for clan in clans for unit in clan.units])
    if sides**most > MAX_WEIGHT:
        raise ValueError(f"dice: the weights of {most} dice with {sides} faces do not fit into 63 bits")
    sites = dict.fromkeys(board.cities, match.city_elves) | dict.fromkeys(board.forges, match.forge_elves)
    stones = dict(board.stones)
    places = range(board.num_territories)
    spots = range(len(board.spots))
    numbers = [
        len(clans),
        len(places),
        len(spots),
        len(rules.equipment),
        len(rules.legendary),
        match.long_points if scenario.long_game else match.points,
        match.max_rounds,
        match.hand_size,
        match.market,
        match.city_crystals,
        *match.forge_cost,
        match.stone_placement == "stone",
        0 if scenario.difficulty is None else solo.thresholds[DIFFICULTIES.index(scenario.difficulty)],
        solo.forge_domination,
        solo.city_domination,
        faces,
        sides,
        battle.sparing,
        -1 if battle.rage_limit is None else battle.rage_limit,
        len(clans) == 1 or battle.elves == "attacker",
        bits(board.cities),
        bits(board.forges),
        army([elf.tokens for elf in rules.elves]),
    ]
    deck = [
        sum(
            card.copies << layout.COPIES_BITS * index
            for index, card in enumerate(rules.equipment[word * layout.CARDS_A_WORD :][: layout.CARDS_A_WORD])
        )
        for word in range(layout.CARD_WORDS)
    ]
    parts: dict[int, Iterable[int]] = {
        0: numbers,
        layout.RULE_OPEN: map(bits, board.open),
        layout.RULE_NEIGHBOURS: map(bits, board.neighbours),
        layout.RULE_SITES: [sites.get(place, 0) for place in places],
        layout.RULE_STONES: [stones.get(place, 0) for place in places],
        layout.RULE_SPOT_NEIGHBOURS: map(bits, board.spot_neighbours),
        layout.RULE_SPOTS_NEAR: [
            bits([other for other in spots if _near(board.spots[spot], board.spots[other])]) for spot in spots
        ],
        layout.RULE_UNITS: [number for clan in clans for unit in clan.units for number in _type(unit)],
        layout.RULE_ELVES: [number for elf in rules.elves for number in _type(elf)],
        layout.RULE_CARDS: [
            number
            for card in rules.equipment
            for number in (*_bonuses(card.bonus), SPACES.index(card.space), card.cost)
        ],
        layout.RULE_CARDS + len(rules.equipment) * layout.CARD_STRIDE: [
            number
            for legend in rules.legendary
            for number in (*_bonuses(legend.bonus), SPACES.index(legend.space), 0)
        ],
        layout.RULE_TACTICS: [
            number
            for clan in clans
            for card in clan.tactics
            for number in (card.order, card.gold, army(card.units))
        ],
        layout.RULE_DECK: deck,
    }
    array = np.zeros(layout.NUM_RULES, np.int64)
    for offset, values in parts.items():
        for index, value in enumerate(values):
            array[offset + index] = value
    return array


def most_dice(rules: Rules, units: Iterable[UnitRule]) -> int:
    """Dice that can be rolled at most: the strongest type with the strongest weapon and armor."""
    cards: list[Card] = [*rules.equipment, *rules.legendary]
    types: list[UnitRule | ElfRule] = [*units, *rules.elves]
    strongest = [
        max([card.bonus.power for card in cards if card.space == space], default=0) for space in SPACES
    ]
    return max(kind.power for kind in types) + sum(strongest)


def army(counts: Iterable[int]) -> int:
    """Counts by type as the bits of an army."""
    return sum(count << layout.COUNT_BITS * kind for kind, count in enumerate(counts))


def bits(numbers: Iterable[int]) -> int:
    """A bit for each number."""
    return sum(1 << number for number in numbers)


def _type(kind: UnitRule | ElfRule) -> list[int]:
    bonuses = _bonuses(kind.icons._replace(power=kind.power))
    if isinstance(kind, ElfRule):
        return [*bonuses, kind.life, 0, kind.tokens]
    return [*bonuses, kind.life, kind.move, kind.max]


def _bonuses(bonus: Bonus) -> list[int]:
    return list(bonus)


def _near(one: tuple[int, int], other: tuple[int, int]) -> bool:
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r)) <= 1

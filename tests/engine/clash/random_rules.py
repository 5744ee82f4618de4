"""Random rules files of Clash of Rage, within what the schema allows and without contradictions."""

from __future__ import annotations

import random

from msgspec.structs import replace

from engine.clash.rules import (
    BattleRule,
    Bonus,
    ClanRule,
    ComponentRule,
    ElfRule,
    Rules,
    TacticCard,
    TileRule,
    UnitRule,
    load_rules,
)
from engine.clash.rules_schema import ICONS, TILE_SIZE

BOX = load_rules()


def random_rules(seed: int, rounds: int = 0) -> Rules:
    """Rules that depend on the seed alone: everything may differ from the box but ids, names and layouts.

    With `rounds`, games last at most so many.
    """
    rng = random.Random(seed)
    clans = tuple(_clan(rng, clan, 7 * index) for index, clan in enumerate(BOX.clans))
    equipment = tuple(
        replace(card, copies=rng.randint(0, 4), cost=rng.randint(0, 9), bonus=_bonus(rng, 5))
        for card in BOX.equipment
    )
    legendary = tuple(replace(card, bonus=_bonus(rng, 8)) for card in BOX.legendary)
    figures = [sum(clan.units[level].max for clan in clans) for level in range(3)]
    copies = {
        space: sum(card.copies for card in equipment if card.space == space) for space in ("weapon", "armor")
    }
    points = rng.randint(1, 5)
    limit = rng.choice([None, None, None, rng.randint(3, 12)])
    return Rules(
        name="random",
        match=replace(
            BOX.match,
            points=points,
            long_points=points + rng.randint(0, 1),
            max_rounds=rounds or rng.choice([1, 2, 3, 5, 30]),
            hand_size=rng.randint(1, 6),
            market=rng.randint(1, 8),
            city_elves=rng.randint(0, 5),
            forge_elves=rng.randint(0, 3),
            city_crystals=rng.randint(0, 5),
            forge_cost=(rng.randint(0, 4), rng.randint(0, 4)),
            stone_placement=rng.choice(["anywhere", "stone"]),
        ),
        battle=BattleRule(
            hit=rng.choice(["2/3", "1/2", "5/6", "1/6"]),
            sparing=rng.random() < 0.5,
            rage_limit=limit,
            elves=rng.choice(["adversary", "adversary", "attacker"]),
        ),
        solo=replace(BOX.solo, forge_domination=rng.randint(0, 2), city_domination=rng.randint(0, 3)),
        components=ComponentRule(
            (figures[0], figures[1], figures[2]), copies["weapon"], copies["armor"], 8, 6
        ),
        clans=clans,
        elves=(_elf(rng, 0), _elf(rng, 1), _elf(rng, 2)),
        equipment=equipment,
        legendary=legendary,
        tiles=tuple(_tile(rng, tile) for tile in BOX.tiles),
        layouts=BOX.layouts,
        provenance={},
    )


def _icons(rng: random.Random) -> Bonus:
    return Bonus(0, *(rng.choice([0, 0, 0, 1, 1, 2]) if rng.random() < 0.6 else 0 for _ in ICONS))


def _bonus(rng: random.Random, power: int) -> Bonus:
    return _icons(rng)._replace(power=rng.choice([0, 0, rng.randint(1, power)]))


def _clan(rng: random.Random, clan: ClanRule, order: int) -> ClanRule:
    units = []
    for unit in clan.units:
        units.append(
            UnitRule(
                id=unit.id,
                name=unit.name,
                level=unit.level,
                power=rng.randint(0, 8),
                life=rng.randint(1, 5),
                move=rng.randint(0, 3),
                max=rng.randint(0, 9),
                icons=_icons(rng),
            )
        )
    cards = tuple(
        TacticCard(
            order + number + 1,
            rng.randint(0, 12),
            (rng.randint(0, 4), rng.randint(0, 2), rng.randint(0, 2)),
        )
        for number in range(len(clan.tactics))
    )
    return replace(clan, units=(units[0], units[1], units[2]), tactics=cards)


def _elf(rng: random.Random, index: int) -> ElfRule:
    elf = BOX.elves[index]
    tokens = rng.randint(11, 15)
    return replace(elf, tokens=tokens, power=rng.randint(0, 6), life=rng.randint(1, 4), icons=_icons(rng))


def _tile(rng: random.Random, tile: TileRule) -> TileRule:
    city, forge, stone = rng.sample(range(TILE_SIZE), 3)
    edges = [(0, place) for place in range(1, TILE_SIZE)]
    edges += [(place, place + 1) for place in range(1, TILE_SIZE - 1)] + [(1, TILE_SIZE - 1)]
    mountains = tuple(rng.sample(edges, rng.randint(0, 5)))
    return TileRule(tile.id, city, forge, stone, rng.randint(1, 3), mountains)

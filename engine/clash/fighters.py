"""What a type of units or elves, with equipment, counts for in battle (B2-B10) and on its way (M1, M4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.clash.rules import Bonus, ElfRule, EquipmentRule, LegendaryRule, UnitRule

Card = EquipmentRule | LegendaryRule


class Fighter(NamedTuple):
    """A unit type as battles see it: sums over the type and its equipment (B4); each counts once per type."""

    power: int
    life: int
    reroll: int = 0
    injury: int = 0
    shield: int = 0
    rage: int = 0
    slow: int = 0


def fighter(kind: UnitRule | ElfRule, cards: Iterable[Card] = ()) -> Fighter:
    """A unit type or type of elves with the equipment attached to it (B4)."""
    bonus = total(kind.icons, cards)
    return Fighter(
        power=kind.power + bonus.power,
        life=kind.life,
        reroll=bonus.reroll,
        injury=bonus.injury,
        shield=bonus.shield,
        rage=bonus.rage,
        slow=bonus.slow,
    )


def movement(unit: UnitRule, cards: Iterable[Card] = ()) -> tuple[int, bool]:
    """Movement points of a unit type with its equipment, and whether it flies (M1, M4)."""
    bonus = total(unit.icons, cards)
    return unit.move + bonus.speed, bonus.flight > 0


def total(icons: Bonus, cards: Iterable[Card]) -> Bonus:
    """The icons of a type and the bonuses of its equipment, added up."""
    return Bonus(*map(sum, zip(icons, *(card.bonus for card in cards), strict=True)))

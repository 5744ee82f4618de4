"""Armies, equipment and weights as people write them; what is wrong with them, and what would be right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from analysis.errors import RequestError
from engine.clash.fighters import Card, Fighter, fighter
from engine.clash.rules import ElfRule, EquipmentRule, Rules, UnitRule, UnknownNameError
from engine.rulefiles import close_matches

ELVES = "elves"
SIDES = ("attacker", "defender")
NUMERALS = ("I", "II", "III")
Counts = tuple[int, int, int]


@dataclass(frozen=True)
class Army:
    """One side of a battle.

    Attributes
    ----------
    clan : a clan's id, or `ELVES`.
    types : its three types, level I first.
    counts : figures of each.
    cards : equipment attached to each.
    """

    clan: str
    types: tuple[UnitRule | ElfRule, ...]
    counts: Counts
    cards: tuple[tuple[Card, ...], ...] = field(default=((), (), ()))

    @property
    def elves(self) -> bool:
        """Whether these are the elves."""
        return self.clan == ELVES

    @property
    def fighters(self) -> tuple[Fighter, Fighter, Fighter]:
        """What each type counts for in battle."""
        one, two, three = (fighter(kind, cards) for kind, cards in zip(self.types, self.cards, strict=True))
        return one, two, three

    @property
    def most(self) -> Counts:
        """How many figures of each type there are."""
        one, two, three = (kind.tokens if isinstance(kind, ElfRule) else kind.max for kind in self.types)
        return one, two, three

    @property
    def slowness(self) -> int:
        """Slowness icons of the types present (B2)."""
        both = zip(self.fighters, self.counts, strict=True)
        return sum(each.slow for each, count in both if count)

    def text(self) -> str:
        """Return it as it may be written."""
        both = zip(self.counts, self.types, strict=True)
        return f"{self.clan}: " + ", ".join(f"{count} {kind.name}" for count, kind in both if count)


def _named(army: str, types: Sequence[UnitRule | ElfRule], query: str) -> int | None:
    """Return the number of a type by its id, name, also in the plural, or level; None if there is none."""
    levels = {"i": 0, "ii": 1, "iii": 2, "1": 0, "2": 1, "3": 2}
    word = query.strip().casefold()
    if word in levels and army != ELVES:
        return levels[word]
    for words in (word, word.removesuffix("s")):
        for number, kind in enumerate(types):
            if words in (kind.id, kind.name.casefold()):
                return number
    return None


# -- equipment ------------------------------------------------------------------------------------------


def equipped(
    rules: Rules, armies: tuple[Army, Army], text: str, option: str, *, only: int | None = None
) -> tuple[Army, Army]:
    """Return the armies with equipment attached, ``Executioner: axe; Kragrider: shamans-wand``.

    Parameters
    ----------
    only : the side whose units are meant; None for whichever has such a unit, the attacker first.

    Raises
    ------
    RequestError
        Unless every type is in its army and has room, and there are that many of each card.
    """
    cards: list[list[list[Card]]] = [[list(each) for each in army.cards] for army in armies]
    for part in filter(str.strip, text.split(";")):
        name, colon, names = part.partition(":")
        if not colon or not names.strip():
            raise RequestError(f'{part.strip()!r}: write a unit and its cards, "Executioner: axe"', option)
        side, kind = _bearer(rules, armies, name, option, only)
        for query in filter(str.strip, names.split(",")):
            card = card_of(rules, query, option)
            unit = armies[side].types[kind].name
            there = [each for each in cards[side][kind] if each.space == card.space]
            if there:
                raise RequestError(
                    f"{unit} has one space for {_a(card.space)}: {there[0].id} or {card.id}, not both (E4)",
                    option,
                )
            cards[side][kind].append(card)
    one, two = (
        Army(army.clan, army.types, army.counts, tuple(map(tuple, attached)))
        for army, attached in zip(armies, cards, strict=True)
    )
    check_copies([card for army in (one, two) for each in army.cards for card in each], option)
    return one, two


def _bearer(
    rules: Rules, armies: tuple[Army, Army], name: str, option: str, only: int | None
) -> tuple[int, int]:
    """Return side and type of whoever is to carry something."""
    sides = (0, 1) if only is None else (only,)
    for side in sides:
        army = armies[side]
        kind = _named(army.clan, army.types, name)
        if kind is None:
            continue
        if not army.counts[kind]:
            who = army.types[kind].name
            raise RequestError(f"no {who} is in the {SIDES[side]}'s army ({army.text()})", option)
        return side, kind
    known = [kind.id for side in sides for kind in armies[side].types]
    raise RequestError(str(UnknownNameError("unit in this battle", name.strip(), known)), option)


def bears(army: Army, name: str) -> bool:
    """Whether figures of this type, by id or name, are in an army."""
    kind = _named(army.clan, army.types, name)
    return kind is not None and army.counts[kind] > 0


def card_of(rules: Rules, query: str, option: str) -> Card:
    """Return a card by its id or name, the space before it or not; RequestError otherwise."""
    space, said, name = query.rpartition("=")
    try:
        card = rules.card(name)
    except UnknownNameError as error:
        near = f"did you mean {' or '.join(error.matches)}? " if error.matches else ""
        raise RequestError(
            f"no equipment is called {name.strip()!r}; {near}all of it: clash rules show equipment legendary",
            option,
        ) from None
    if said and space.strip().casefold() != card.space:
        raise RequestError(f"{card.id} is {_a(card.space)}: write {card.space}={card.id}", option)
    return card


def _a(space: str) -> str:
    return f"an {space}" if space[0] in "aeiou" else f"a {space}"


def check_copies(cards: Iterable[Card] | Mapping[Card, int], option: str) -> None:
    """Raise RequestError for more of a card than there are; `cards` are counted already, or one by one."""
    for card, count in Counter(cards).items():
        most = card.copies if isinstance(card, EquipmentRule) else 1
        if count > most:
            few = f"there are only {most}" if most > 1 else "there is only one"
            few += "" if isinstance(card, EquipmentRule) else ", it is legendary"
            raise RequestError(f"{count} {card.id}: {few} (C4)", option)


# -- weights --------------------------------------------------------------------------------------------

_DEFAULTS = {"territory": 3.0, "I": 1.0, "II": 2.0, "III": 3.0}


@dataclass(frozen=True)
class WeightTable:
    """What territory and figures are worth, by name: levels of units, ids of elves."""

    values: dict[str, float]

    def of(self, army: Army) -> tuple[float, float, float]:
        """Return what a figure of each type of an army is worth."""
        names = [kind.id for kind in army.types] if army.elves else list(NUMERALS)
        one, two, three = (self.values[name] for name in names)
        return one, two, three

    @property
    def territory(self) -> float:
        """What holding the territory is worth."""
        return self.values["territory"]


def parse_weights(rules: Rules, text: str | None, option: str) -> WeightTable:
    """Read weights such as ``I=1, II=2, III=3, territory=3, templar=1``; what is left out has its default.

    By default units count their level, an elf 1 (each is one crystal, C3), the territory 3.
    """
    values = _DEFAULTS | {elf.id: 1.0 for elf in rules.elves}
    names = {name.casefold(): name for name in values}
    for part in filter(str.strip, (text or "").split(",")):
        name, equals, number = (word.strip() for word in part.partition("="))
        known = names.get(name.casefold())
        if known is None:
            near = close_matches(name, list(values))
            hint = f"did you mean {' or '.join(near)}? " if near else ""
            raise RequestError(f"no weight is called {name!r}; {hint}there are: {', '.join(values)}", option)
        try:
            value = float(number) if equals else float("nan")
        except ValueError:
            value = float("nan")
        if not 0 <= value <= 1e6:
            raise RequestError(
                f"{part.strip()!r}: a weight is a number from 0 to a million, {known}=2", option
            )
        values[known] = value
    return WeightTable(values)

"""Loadouts: a hero and what it has in play, as `orc/warrior:great-sword,plate-armour`; and their totals."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from analysis.errors import RequestError
from analysis.front.parameters import parameters, read
from analysis.warage import positions
from analysis.warage.cards import card_names
from engine.warage.combat import Attack
from engine.warage.reference_state import (
    NONE,
    ROOM,
    SPACE,
    Hero,
    HeroSetup,
    Item,
    Kind,
    Piece,
    Setup,
    State,
    attack_total,
    defence_total,
    number_of_dice,
)
from engine.warage.rules import CardRule, ClassRule, RaceRule, Rules
from engine.warage.rules_schema import BASE_SEASONS, STATS

_PARTS = ("", "helmets", "armours", "hands")


@dataclass(frozen=True)
class Loadout:
    """A hero and its cards in play, all ready and active.

    Attributes
    ----------
    extra : what is added to A, D, M and the number of dice besides.
    """

    race: RaceRule
    hero_class: ClassRule
    cards: tuple[CardRule, ...]
    extra: tuple[int, int, int, int] = (0, 0, 0, 0)

    @property
    def text(self) -> str:
        """The loadout as it is written."""
        counts = Counter(card.id for card in self.cards)
        cards = ",".join(card if copies == 1 else f"{card} {copies}" for card, copies in counts.items())
        return f"{self.race.id}/{self.hero_class.id}" + (f":{cards}" if cards else "")

    @property
    def spells(self) -> dict[str, int]:
        """Attack spells and their copies."""
        return dict(Counter(card.id for card in self.cards if card.attack_spell))

    def plus(self, stat: str, amount: int) -> Loadout:
        """Return the loadout with a higher value."""
        extra = list(self.extra)
        extra[STATS.index(stat)] += amount
        return replace(self, extra=(extra[0], extra[1], extra[2], extra[3]))

    def without(self, card: str) -> Loadout:
        """Return the loadout with one copy of a card less."""
        cards = list(self.cards)
        cards.remove(next(each for each in cards if each.id == card))
        return replace(self, cards=tuple(cards))


def parse_loadout(rules: Rules, text: str, option: str = "HERO") -> Loadout:
    """Read a loadout; RequestError as `loadout_of`, and if a name is unknown."""
    parameter = next(each for each in parameters(positions.Heroes) if each.name == "hero")
    return loadout_of(rules, read(replace(parameter, name=option.lower()), text, card_names(rules)), option)


def loadout_of(rules: Rules, hero: positions.Hero, option: str) -> Loadout:
    """Return a hero with what it has in play.

    Raises
    ------
    RequestError
        If a card cannot be in play there, or there is no room for it.
    """
    cards = tuple(rules.card(name) for name, copies in hero.cards.items() for _ in range(copies))
    loadout = Loadout(rules.race(hero.race), rules.hero_class(hero.hero_class), cards)
    _check(rules, loadout, option)
    return loadout


def loadouts_of(rules: Rules, heroes: positions.Heroes) -> tuple[Loadout, Loadout]:
    """Return two loadouts; RequestError if one cannot be in play."""
    return loadout_of(rules, heroes.hero, "HERO"), loadout_of(rules, heroes.other, "OTHER")


def hp_of(loadouts: tuple[Loadout, Loadout], totals: positions.Totals) -> tuple[int, int]:
    """Return the HP of both heroes; those of their races where nothing is said."""
    own, other = (loadout.race.hp for loadout in loadouts)
    return totals.hp or own, totals.other_hp or other


def _check(rules: Rules, loadout: Loadout, option: str | None) -> None:
    """What cannot be in play together (H1, H2, E2, E6)."""
    who = f"{loadout.race.id}/{loadout.hero_class.id}"
    for card in loadout.cards:
        if card.kind == "flash":
            raise RequestError(
                f"{card.id} is a flash and never in play; warage attack takes it by --with-cards", option
            )
    for colour, what in (("red", "equipment and amulets"), ("blue", "spells")):
        need = sum(getattr(card, colour) for card in loadout.cards)
        have = getattr(loadout.hero_class, colour)
        if need > have:
            names = ", ".join(card.id for card in loadout.cards if getattr(card, colour))
            none = f"no {colour} slots" if not have else f"{have} {colour} slots"
            raise RequestError(
                f"{who} has {none} for {what}, and {names} need{'s' if ',' not in names else ''} {need} (H1)",
                option,
            )
    for part in range(1, len(SPACE)):
        taken = [
            (card.id, ROOM[card.encumbrance][1])
            for card in loadout.cards
            if ROOM[card.encumbrance][0] == part
        ]
        if sum(need for _, need in taken) > SPACE[part]:
            names = ", ".join(name for name, _ in taken)
            raise RequestError(
                f"{who}: {names} cannot all be ready: {SPACE[part]} {_PARTS[part]} (E2)",
                option,
            )


@dataclass(frozen=True)
class Table:
    """Two loadouts face to face, in a season; `special` lies over it, None for none."""

    rules: Rules
    heroes: tuple[Loadout, Loadout]
    season: str
    special: str | None = None
    hp: tuple[int, int] = (100, 100)

    def state(self) -> State:
        """The same as a state of the reference, which says what counts."""
        rules, numbers = self.rules, self.rules.card_numbers
        seasons = [each.id for each in rules.seasons]
        none = (0,) * len(rules.cards)
        setup = Setup(
            rules,
            tuple(
                HeroSetup(rules.races.index(hero.race), rules.classes.index(hero.hero_class), none)
                for hero in self.heroes
            ),
            (0, 1),
        )
        heroes = tuple(
            Hero(
                hp=hp,
                hand=(),
                deck=none,
                play=tuple(Piece(numbers[card.id]) for card in hero.cards),
                until_opening=hero.extra,
            )
            for hero, hp in zip(self.heroes, self.hp, strict=True)
        )
        return State(
            setup=setup,
            heroes=heroes,
            season_deck=(0,) * len(seasons),
            agenda=(),
            turn=2,
            season=seasons.index(self.season),
            special=NONE if self.special is None else seasons.index(self.special),
        )

    def attack(self, attacker: int, spell: str | None = None, copies: int = 1, **changes: object) -> Attack:
        """Return one attack: by weapon, or with so many copies of a spell.

        Parameters
        ----------
        changes : further attributes of the item on the queue: `plus`, `dice`, `prevent`.
        """
        state = self.state()
        if spell is None:
            item = Item(Kind.MELEE, attacker, hero=1 - attacker)
        else:
            number = self.rules.card_numbers[spell]
            sources = tuple(range(copies))
            item = Item(Kind.MAGIC, attacker, number, 1 - attacker, sources=sources)
        item = replace(item, **changes)  # type: ignore[arg-type]
        return Attack(
            attack_total(state, item),
            number_of_dice(state, attacker, item.dice[0]),
            defence_total(state, item),
            number_of_dice(state, 1 - attacker, item.dice[1]),
            item.prevent,
        )


def base_seasons(rules: Rules) -> list[str]:
    """Base seasons that are in the deck."""
    return [season.id for season in rules.seasons if season.id in BASE_SEASONS and season.copies]

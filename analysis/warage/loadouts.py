"""Loadouts: a hero and what he has in play, as `orc/warrior:great-sword,plate-armour`; and their totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.errors import RequestError
from engine.rulefiles import AmbiguousNameError, UnknownNameError
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
    """A hero and his cards in play, all ready and active.

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


def parse_loadout(rules: Rules, text: str, option: str | None = None) -> Loadout:
    """Read a loadout.

    Raises
    ------
    RequestError
        If a name is unknown, a card cannot be in play there, or there is no room for it.
    """
    head, _, tail = text.partition(":")
    race_text, slash, class_text = head.partition("/")
    if not slash or not race_text.strip() or not class_text.strip():
        said = f"{text!r}: write race/class:cards, such as orc/warrior:great-sword,plate-armour"
        raise RequestError(said, option)
    try:
        race, hero_class = rules.race(race_text), rules.hero_class(class_text)
        cards = [card for word in tail.split(",") if word.strip() for card in _copies(rules, word, option)]
    except (UnknownNameError, AmbiguousNameError) as error:
        raise RequestError(_said(error), option) from None
    loadout = Loadout(race, hero_class, tuple(cards))
    _check(rules, loadout, option)
    return loadout


def _said(error: UnknownNameError) -> str:
    """An error's message, its list of all names cut to what is useful."""
    if isinstance(error, AmbiguousNameError) or len(error.choices) <= 12:
        return str(error)
    hint = f"did you mean {' or '.join(error.matches)}? " if error.matches else ""
    return f"no {error.kind} is called {error.query!r}; {hint}All of them: warage rules show {error.kind}s"


def _copies(rules: Rules, word: str, option: str | None) -> list[CardRule]:
    """Read `fireball 2`, or `fireball`."""
    name, _, number = word.strip().rpartition(" ")
    if name and number.lstrip("x").isdigit():
        copies = int(number.lstrip("x"))
        if copies < 1:
            raise RequestError(f"{word.strip()!r}: at least 1 copy", option)
        return [rules.card(name)] * copies
    return [rules.card(word.strip())]


def _check(rules: Rules, loadout: Loadout, option: str | None) -> None:
    """What cannot be in play together (H1, H2, E2, E6)."""
    who = f"{loadout.race.id}/{loadout.hero_class.id}"
    for card in loadout.cards:
        if card.kind == "flash":
            raise RequestError(
                f"{card.id} is a flash and never in play; warage attack takes it by --with", option
            )
    for name, copies in Counter(card.id for card in loadout.cards).items():
        most = 1 if rules.card(name).kind == "amulet" else rules.match.max_copies
        if copies > most:
            what = " of an amulet" if most == 1 else ""
            raise RequestError(f"{copies} copies of {name}: a deck holds at most {most}{what} (H2)", option)
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


def season_of(rules: Rules, text: str | None, option: str = "--season") -> str | None:
    """Read a base season; None stays None.

    Raises
    ------
    RequestError
        If it is none.
    """
    if text is None:
        return None
    try:
        season = rules.season(text)
    except UnknownNameError as error:
        nearest = " (autumn)" if text.strip().casefold() == "fall" else ""
        raise RequestError(f"{error}{nearest}", option) from None
    if not season.base:
        bases = ", ".join(base_seasons(rules))
        raise RequestError(f"{season.id} lies over a base season; write one of {bases}", option)
    return season.id


def names_of(cards: Sequence[CardRule]) -> list[str]:
    """Ids."""
    return [card.id for card in cards]

"""States of a match of Warage, and what can be read off them: totals, slots, room, who is still in.

Heroes are seats in playing order; the first player is seat 0. Cards, races, classes and season cards are
numbers, their positions in the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from engine.records import replace
from engine.warage.effects import Effect
from engine.warage.rules import CardRule, ClassRule, RaceRule, Rules, SeasonRule
from engine.warage.rules_schema import MAX_HAND, MAX_PLAYERS, STATS

NONE = -1
GONE = -2
"""A target that has left play: what was aimed at it does nothing (Q4)."""
MAX_DICE = 7
"""Dice of one total at most."""
FLOOR_HP = -1000
ROOM = {"none": (0, 0), "helmet": (1, 1), "armour": (2, 1), "hand": (3, 1), "two-hands": (3, 2)}
"""What of a hero's body a ready piece takes: which part, and how much of it (E2)."""
SPACE = (0, 1, 1, 2)
"""How much there is of each part: helmet, armour, hands."""


class Phase(IntEnum):
    """Phases of a round (T1)."""

    SETUP = 0
    OPENING = 1
    FIRST_EQUIPMENT = 2
    MELEE = 3
    MAGIC = 4
    SECOND_EQUIPMENT = 5
    CLOSING = 6
    OVER = 7


class Kind(IntEnum):
    """What an item on the queue is (Q1)."""

    MELEE = 0
    MAGIC = 1
    FLASH = 2
    USE = 3
    ABILITY = 4
    SALE = 5


class Do(IntEnum):
    """What is to be done next: tasks, the next one on top."""

    SEASON_AT_START = 0  # chance (S4)
    DEAL = 1  # chance; hero, cards (T2)
    REDRAW = 2  # decision; hero (T2)
    ROUND = 3  # hero
    EVENT = 4  # trigger, pass, rank of the hero, piece and effect, foe (T4)
    DRAW = 5  # decision or chance; hero, cards, where the next one goes, whether it may be left out (T5, T6)
    PHASE = 6  # phase
    PRIORITY = 7  # decision (Q1)
    RESOLVE = 8  # step (Q2)
    DICE = 9  # chance; side, dice
    DISCARD = 10  # chance; hero, cards
    SEASON = 11  # chance (S3)
    CLOSE = 12  # (S3)
    END_ROUND = 13


class Task(NamedTuple):
    """A task and its numbers."""

    do: Do
    a: int = 0
    b: int = 0
    c: int = 0
    d: int = 0
    e: int = 0


class Move(NamedTuple):
    """A decision: its kind, and its values."""

    kind: str
    values: tuple[int, ...] = ()


@dataclass(frozen=True)
class Piece:
    """A card in play.

    Attributes
    ----------
    ready : it gives what it gives (E2).
    awake : a spell, or another `use`, may be used (E4).
    moved : it was made ready or unready in this phase (E3).
    """

    card: int
    ready: bool = True
    awake: bool = True
    moved: bool = False


@dataclass(frozen=True)
class Hero:
    """A hero.

    Attributes
    ----------
    hand : ascending.
    deck : copies by card; the order is unknown.
    life : the life pile, ascending (T6).
    play : in the order of coming into play (T4).
    this_round, until_opening : what is added to A, D, M and the number of dice for so long (K6).
    """

    hp: int
    hand: tuple[int, ...]
    deck: tuple[int, ...]
    life: tuple[int, ...] = ()
    play: tuple[Piece, ...] = ()
    this_round: tuple[int, ...] = (0,) * len(STATS)
    until_opening: tuple[int, ...] = (0,) * len(STATS)
    beaten: bool = False


@dataclass(frozen=True)
class Item:
    """An item on the queue.

    Attributes
    ----------
    card : of a flash, a use, a sale, or the spell; the race of an ability; `NONE` for a melee attack.
    hero, piece : the target: a hero, or that hero's piece; `NONE` if there is none, `GONE` if it left play.
    item : the target on the queue.
    sources : the pieces that a spell is cast with (K4).
    plus, dice, reroll : of attack and defence: added to the totals, to the dice, and dice to roll again.
    prevent : damage that is not dealt.
    negated : it does nothing any more (Q4).
    """

    kind: Kind
    owner: int
    card: int = NONE
    hero: int = NONE
    piece: int = NONE
    item: int = NONE
    sources: tuple[int, ...] = ()
    plus: tuple[int, int] = (0, 0)
    dice: tuple[int, int] = (0, 0)
    reroll: tuple[int, int] = (0, 0)
    prevent: int = 0
    negated: bool = False

    @property
    def attack(self) -> bool:
        """Whether it is an attack."""
        return self.kind in (Kind.MELEE, Kind.MAGIC)


class HeroSetup(NamedTuple):
    """Who plays: race, class, and copies by card."""

    race: int
    hero_class: int
    deck: tuple[int, ...]


@dataclass(frozen=True)
class Setup:
    """Rules, heroes in playing order, and the guild of each (M1): in a brawl everybody its own."""

    rules: Rules
    heroes: tuple[HeroSetup, ...]
    guilds: tuple[int, ...]

    def __hash__(self) -> int:
        return hash((self.rules.sha256, self.heroes, self.guilds))

    def race(self, seat: int) -> RaceRule:
        """Return a hero's race."""
        return self.rules.races[self.heroes[seat].race]

    def hero_class(self, seat: int) -> ClassRule:
        """Return a hero's class."""
        return self.rules.classes[self.heroes[seat].hero_class]


@dataclass(frozen=True)
class State:
    """A state of a match.

    Attributes
    ----------
    turn, active : the turn from 1, and whose round it is (T1).
    season, special : season cards in force, `NONE` where there is none (S4).
    season_deck : copies by season card that lie in the deck in random order; `bottom` those below, in order.
    queue : the top last.
    priority, passes : who may add to it, and how many have passed in sequence (Q1).
    agenda : what is to be done, the next task last.
    faces : dice of attack and defence that show 1 to 6.
    six : whether a die of this round showed a 6 (S3).
    attacked, amulets, ability : what the active hero has done in this phase and round (K1, E1, E6).
    winners : at the end; several share.
    """

    setup: Setup = field(repr=False)
    heroes: tuple[Hero, ...]
    season_deck: tuple[int, ...]
    agenda: tuple[Task, ...]
    turn: int = 1
    active: int = 0
    phase: Phase = Phase.SETUP
    season: int = NONE
    special: int = NONE
    bottom: tuple[int, ...] = ()
    queue: tuple[Item, ...] = ()
    priority: int = 0
    passes: int = 0
    faces: tuple[tuple[int, ...], tuple[int, ...]] = ((0,) * 6, (0,) * 6)
    six: bool = False
    attacked: bool = False
    amulets: int = 0
    ability: bool = False
    winners: tuple[int, ...] = ()

    @property
    def rules(self) -> Rules:
        """The rules of the match."""
        return self.setup.rules

    @property
    def num_players(self) -> int:
        """Heroes at the table, beaten ones too."""
        return len(self.heroes)

    @property
    def alive(self) -> list[int]:
        """Heroes that are still in."""
        return [seat for seat, hero in enumerate(self.heroes) if not hero.beaten]

    def card(self, number: int) -> CardRule:
        """Return a card."""
        return self.rules.cards[number]

    def opponents(self, seat: int) -> list[int]:
        """Heroes of other guilds that are still in, in the order of seats."""
        guilds = self.setup.guilds
        return [other for other in self.alive if guilds[other] != guilds[seat]]

    def seasons(self) -> Iterator[SeasonRule]:
        """Season cards in force."""
        for number in (self.season, self.special):
            if number != NONE:
                yield self.rules.seasons[number]


def in_force(state: State, law: str) -> bool:
    """Whether a season card with this law is in force."""
    return any(season.law == law for season in state.seasons())


def holds(state: State, seat: int, effect: Effect) -> bool:
    """Whether an effect's condition holds for a hero."""
    if not effect.conditional:
        return True
    race, hero_class = state.setup.race(seat), state.setup.hero_class(seat)
    return (
        effect.if_season in ("", *(season.id for season in state.seasons()))
        and effect.if_race in ("", race.id)
        and effect.if_class in ("", hero_class.id)
        and (not effect.if_hp or state.heroes[seat].hp <= effect.if_hp)
    )


def season_dice(state: State, seat: int) -> int:
    """What the season adds for a hero, or takes away (S2): one, in the unit of the rules."""
    if state.season == NONE or in_force(state, "no-race-modifiers"):
        return 0
    return state.setup.race(seat).dice(state.rules.seasons[state.season].id)


def added(state: State, seat: int, stat: str) -> int:
    """What cards in play, seasons and effects that last add to one of a hero's values."""
    hero, place = state.heroes[seat], STATS.index(stat)
    total = hero.this_round[place] + hero.until_opening[place]
    for season in state.seasons():
        total += _modifiers(state, seat, season.effects, stat, "self")
    for piece in hero.play:
        if piece.ready:
            total += _modifiers(state, seat, state.card(piece.card).effects, stat, "self")
    for other in state.opponents(seat):
        for piece in state.heroes[other].play:
            if piece.ready:
                total += _modifiers(state, other, state.card(piece.card).effects, stat, "opponent")
    return total


def _modifiers(state: State, owner: int, effects: Sequence[Effect], stat: str, target: str) -> int:
    return sum(
        effect.amount
        for effect in effects
        if effect.trigger == "ready"
        and effect.action == "modify"
        and effect.stat == stat
        and effect.target == target
        and holds(state, owner, effect)
    )


def number_of_dice(state: State, seat: int, more: int) -> int:
    """Dice of one of a hero's totals (S2)."""
    season = season_dice(state, seat) if state.rules.match.season_unit == "die" else 0
    dice = state.rules.match.dice + season + added(state, seat, "dice") + more
    return min(max(dice, 0), MAX_DICE)


def attack_total(state: State, item: Item) -> int:
    """A, or M and the spells still in play, with all modifiers, before dice (K2-K4)."""
    stat = "A" if item.kind == Kind.MELEE else "M"
    hero_class = state.setup.hero_class(item.owner)
    total = (hero_class.attack if stat == "A" else hero_class.magic) + added(state, item.owner, stat)
    total += sum(state.card(item.card).spell_magic for source in item.sources if source != GONE)
    if state.rules.match.season_unit == "point":
        total += season_dice(state, item.owner)
    return total + item.plus[0]


def defence_total(state: State, item: Item) -> int:
    """D of the hero attacked, with all modifiers, before dice (K2); of a helper what is printed (K5)."""
    if item.piece != NONE:
        return state.card(state.heroes[item.hero].play[item.piece].card).helper_defence
    total = state.setup.hero_class(item.hero).defence + added(state, item.hero, "D")
    if state.rules.match.season_unit == "point":
        total += season_dice(state, item.hero)
    return total + item.plus[1]


def free_slots(state: State, seat: int) -> tuple[int, int]:
    """Red and blue slots that are free (H1)."""
    hero_class = state.setup.hero_class(seat)
    cards = [state.card(piece.card) for piece in state.heroes[seat].play]
    return hero_class.red - sum(card.red for card in cards), hero_class.blue - sum(
        card.blue for card in cards
    )


def has_room(state: State, seat: int, card: CardRule) -> bool:
    """Whether a piece could be ready beside those that are (E2)."""
    part, need = ROOM[card.encumbrance]
    if not part:
        return True
    taken = 0
    for piece in state.heroes[seat].play:
        other, used = ROOM[state.card(piece.card).encumbrance]
        taken += used if piece.ready and other == part else 0
    return taken + need <= SPACE[part]


def with_hero(state: State, seat: int, **changes: object) -> State:
    """Return the state with one hero changed."""
    heroes = list(state.heroes)
    heroes[seat] = replace(heroes[seat], **changes)  # type: ignore[arg-type]
    return replace(state, heroes=tuple(heroes))


def with_item(state: State, position: int, **changes: object) -> State:
    """Return the state with one item of the queue changed."""
    queue = list(state.queue)
    queue[position] = replace(queue[position], **changes)  # type: ignore[arg-type]
    return replace(state, queue=tuple(queue))


def with_tasks(state: State, *tasks: Task) -> State:
    """Return the state with more to do; the last of them comes first."""
    return replace(state, agenda=(*state.agenda, *tasks))


def then(state: State, *tasks: Task) -> State:
    """Return the state with other tasks in the place of the next one."""
    return replace(state, agenda=(*state.agenda[:-1], *tasks))


def without_piece(state: State, seat: int, index: int) -> State:
    """Take a piece out of play; whatever on the queue pointed at it points nowhere (E7, Q4)."""

    def moved(piece: int) -> int:
        return GONE if piece == index else piece - 1 if piece > index else piece

    play = state.heroes[seat].play
    state = with_hero(state, seat, play=(*play[:index], *play[index + 1 :]))
    queue = []
    for item in state.queue:
        if item.hero == seat and item.piece >= 0:
            item = replace(item, piece=moved(item.piece))
        if item.owner == seat and item.sources:
            item = replace(item, sources=tuple(map(moved, item.sources)))
        queue.append(item)
    return replace(state, queue=tuple(queue))


def the_attack(state: State) -> int:
    """The position on the queue of the attack that is still on; `NONE` if there is none."""
    if state.queue and state.queue[0].attack and not state.queue[0].negated:
        return 0
    return NONE


def next_seat(state: State, seat: int) -> int:
    """The next hero clockwise who is still in."""
    for step in range(1, state.num_players + 1):
        other = (seat + step) % state.num_players
        if not state.heroes[other].beaten:
            return other
    return seat


def check_setup(rules: Rules, heroes: Sequence[HeroSetup], guilds: Sequence[int]) -> None:
    """Raise ValueError unless so many heroes of such guilds can play (M1)."""
    if not 2 <= len(heroes) <= MAX_PLAYERS:
        raise ValueError(f"{len(heroes)} heroes: from 2 to {MAX_PLAYERS} can play")
    sizes = [list(guilds).count(guild) for guild in sorted(set(guilds))]
    if len(sizes) < 2 or len(set(sizes)) > 1:
        raise ValueError(f"guilds of {' and '.join(map(str, sizes))}: at least two, of equal sizes (M1)")
    most = max(rules.match.hand_size, rules.match.redraw_hand_size)
    for seat, hero in enumerate(heroes):
        if sum(hero.deck) < most:
            raise ValueError(f"hero {seat + 1}: a deck of {sum(hero.deck)} cards, and a hand of {most}")


assert all(need <= SPACE[part] for part, need in ROOM.values())
assert MAX_HAND < 1 << 4

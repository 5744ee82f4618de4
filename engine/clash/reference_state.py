"""States of the whole game of Clash of Rage, and what can be read off them: control, reserve, points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

from engine.clash.board import Board, Scenario, board_of
from engine.clash.fighters import Card, Fighter, fighter, movement
from engine.clash.reference_battle import Battle, Counts, Move
from engine.clash.rules import ClanRule, Rules
from engine.clash.rules_schema import DIFFICULTIES, NUM_TYPES, SPACES

__all__ = ["Battle", "Counts", "Move", "Phase", "Player", "State"]

NONE: Counts = (0, 0, 0)
NUM_SLOTS = NUM_TYPES * len(SPACES)
"""Spaces for equipment on a sheet: slot `2 * type + space`."""


class Phase(IntEnum):
    """Where in the game a state stands."""

    SITES = 0  # chance: elves onto cities and forges (U2)
    MARKET = 1  # chance: the black market is laid out (U3)
    HANDS = 2  # chance: tactic cards are drawn (U4, D1)
    TACTIC = 3  # a tactic card is chosen, unseen (T1)
    BASTION = 4  # a Bastion is placed (U5)
    REINFORCE = 5  # a unit from the reserve is placed (T3)
    ACTION = 6  # equip, march, or pass? (A1)
    EQUIP = 7  # buy, forge, discard, or done (E1); chance while the market is refilled (E2)
    FORGE = 8  # chance: legendary cards are drawn (E3)
    KEEP = 9  # one of them is kept
    ATTACH = 10  # a card for a space (E4)
    MARCH = 11  # a unit moves, or all have (M1)
    BATTLES = 12  # which battle comes next? (M5)
    BATTLE = 13  # a battle is fought
    STONES = 14  # a unit of a reinforcement stone is placed (S1)
    IMPROVE = 15  # chance: the elves find equipment (I1)
    ARRIVALS = 16  # chance: elves are added in solo play (X2)
    OVER = 17


@dataclass(frozen=True)
class Player:
    """One player's side of the table.

    Attributes
    ----------
    hand, discard : tactic cards, ascending positions in `ClanRule.tactics`; the others are its deck.
    chosen : the tactic card of this round, also on the discard pile once revealed (T1); None before.
    bastion : where its Bastion stands, an index of `Board.spots` (U5).
    gold, crystals : counters (C5).
    cards : equipment it owns, attached or not, ascending: `State.card` says which.
    attached : the card in each space of its sheet, None if it is empty (E4).
    units : figures by territory, its Bastion last.
    """

    units: tuple[Counts, ...]
    hand: tuple[int, ...] = ()
    discard: tuple[int, ...] = ()
    chosen: int | None = None
    bastion: int | None = None
    gold: int = 0
    crystals: int = 0
    cards: tuple[int, ...] = ()
    attached: tuple[int | None, ...] = (None,) * NUM_SLOTS


@dataclass(frozen=True)
class State:
    """A state of the game. A card is a number: equipment as in `Rules.equipment`, then the legendary ones.

    Attributes
    ----------
    players : in the order of seats, clockwise.
    elves : figures by territory; `bag` those not drawn yet (U2).
    elf_cards : the equipment of each type of elves, by space (I1).
    deck : copies by card that lie in the equipment deck in random order; `under` those below, in order (I1,
        X3).
    market : copies by card on the black market (U3).
    legendary : the legendary deck, ascending; `drawn` those that are looked at (E3).
    round : from 1; 0 during set-up.
    order : players in the order of turns (T1); `turn` the place in it of who acts now.
    action : 1 or 2 (A1).
    arriving : units still to be placed (T3, S1), those of the lowest level next; `floor` the first place that
        may still be chosen for them: units of one type are placed in ascending order.
    fresh : whether the player has done nothing yet in this equip action (X3); `forged` whether it forged
        (E3).
    draws : legendary cards still to be drawn (E3).
    slot : the space that is filled next (E4).
    moved : figures that have moved in this action, by place (M1).
    battle, battlefield : the battle that is fought, and in which territory.
    improving : the type of elves whose turn it is to find equipment (I1), -1 if none.
    site : the first territory that may still get an elf (X2).
    domination : points of the elves in solo play (X1).
    winner : who has won, None for a draw or, in solo play, a loss.
    """

    rules: Rules = field(repr=False, hash=False)
    scenario: Scenario = field(repr=False, hash=False)
    players: tuple[Player, ...]
    elves: tuple[Counts, ...]
    bag: Counts
    deck: tuple[int, ...]
    market: tuple[int, ...]
    legendary: tuple[int, ...]
    elf_cards: tuple[tuple[int | None, int | None], ...] = ((None, None),) * NUM_TYPES
    under: tuple[int, ...] = ()
    phase: Phase = Phase.SITES
    round: int = 0
    order: tuple[int, ...] = ()
    turn: int = 0
    action: int = 0
    arriving: Counts = NONE
    floor: int = 0
    fresh: bool = False
    forged: bool = False
    drawn: tuple[int, ...] = ()
    draws: int = 0
    slot: int = 0
    moved: tuple[Counts, ...] = ()
    battle: Battle | None = None
    battlefield: int | None = None
    improving: int = -1
    site: int = 0
    domination: int = 0
    winner: int | None = None

    @property
    def board(self) -> Board:
        """The map."""
        return board_of(self.rules, self.scenario)

    @property
    def num_players(self) -> int:
        """Players at the table."""
        return len(self.players)

    @property
    def is_solo(self) -> bool:
        """Whether one plays alone against the elves (X1)."""
        return len(self.players) == 1

    @property
    def active(self) -> int:
        """Whose turn it is."""
        return self.order[self.turn]

    @property
    def goal(self) -> int:
        """Victory points that win (V1)."""
        return self.rules.match.long_points if self.scenario.long_game else self.rules.match.points

    def clan(self, player: int) -> ClanRule:
        """The clan of a player."""
        return self.rules.clan(self.scenario.clans[player])

    def card(self, card: int) -> Card:
        """Equipment or legendary equipment by its number."""
        num_equipment = len(self.rules.equipment)
        return (
            self.rules.equipment[card] if card < num_equipment else self.rules.legendary[card - num_equipment]
        )


# -- reading a state ------------------------------------------------------------------------------------


def added(counts: Counts, kind: int, number: int = 1) -> Counts:
    """Counts with so many figures more of one type."""
    changed = list(counts)
    changed[kind] += number
    return (changed[0], changed[1], changed[2])


def plus(one: Counts, other: Counts) -> Counts:
    """Two armies together."""
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2])


def put(places: tuple[Counts, ...], place: int, counts: Counts) -> tuple[Counts, ...]:
    """Figures by place, with others in one place."""
    return (*places[:place], counts, *places[place + 1 :])


def with_player(state: State, index: int, **changes: object) -> State:
    """The state with some attributes of a player changed."""
    player = replace(state.players[index], **changes)  # type: ignore[arg-type]
    return replace(state, players=(*state.players[:index], player, *state.players[index + 1 :]))


def enemy(state: State, player: int, territory: int) -> int | None:
    """Whose units other than the player's stand in a territory: -1 for the elves', None for nobody's."""
    if any(state.elves[territory]):
        return -1
    for index, other in enumerate(state.players):
        if index != player and any(other.units[territory]):
            return index
    return None


def enemies(state: State, player: int, territory: int) -> Counts:
    """The figures of others in a territory."""
    owner = enemy(state, player, territory)
    if owner is None:
        return NONE
    return state.elves[territory] if owner < 0 else state.players[owner].units[territory]


def controls(state: State, player: int, territory: int) -> bool:
    """Whether only the player's units are there (M6)."""
    return any(state.players[player].units[territory]) and enemy(state, player, territory) is None


def controlled(state: State, player: int, territories: Sequence[int]) -> list[int]:
    """Those of the territories that the player controls (M6)."""
    return [territory for territory in territories if controls(state, player, territory)]


def elves_control(state: State, territory: int) -> bool:
    """Whether only elves are there (M6)."""
    return any(state.elves[territory]) and not any(any(player.units[territory]) for player in state.players)


def reserve(state: State, player: int) -> Counts:
    """Figures of the player that are not on the board (C2)."""
    units = state.clan(player).units
    first, second, third = (
        units[kind].max - sum(place[kind] for place in state.players[player].units)
        for kind in range(NUM_TYPES)
    )
    return (first, second, third)


def points(state: State, player: int) -> int:
    """Victory points: controlled cities, and legendary equipment (V1)."""
    legendary = [card for card in state.players[player].cards if card >= len(state.rules.equipment)]
    return len(controlled(state, player, state.board.cities)) + len(legendary)


def threshold(state: State) -> int:
    """Domination points with which the elves win in solo play (X1)."""
    assert state.scenario.difficulty is not None
    return state.rules.solo.thresholds[DIFFICULTIES.index(state.scenario.difficulty)]


def equipped(state: State, player: int, kind: int) -> list[Card]:
    """The cards attached to a unit type (E4)."""
    slots = state.players[player].attached[len(SPACES) * kind : len(SPACES) * (kind + 1)]
    return [state.card(card) for card in slots if card is not None]


def clan_fighters(state: State, player: int) -> tuple[Fighter, Fighter, Fighter]:
    """A clan's unit types with their equipment."""
    units = state.clan(player).units
    first, second, third = (fighter(units[kind], equipped(state, player, kind)) for kind in range(NUM_TYPES))
    return (first, second, third)


def elf_fighters(state: State) -> tuple[Fighter, Fighter, Fighter]:
    """The types of elves with the equipment they have found (I1)."""
    first, second, third = (
        fighter(elf, [state.card(card) for card in cards if card is not None])
        for elf, cards in zip(state.rules.elves, state.elf_cards, strict=True)
    )
    return (first, second, third)


def mobility(state: State, player: int, kind: int) -> tuple[int, bool]:
    """Movement points of a unit type, and whether it flies (M1, M4)."""
    return movement(state.clan(player).units[kind], equipped(state, player, kind))

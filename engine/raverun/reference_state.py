"""States of the plain-Python reference of Raverun, and the small changes that rules make of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import NamedTuple

from engine.raverun.rules import Rules

Cards = tuple[int, ...]
"""Cards in ascending order, or bottom first in a stack."""


class Phase(IntEnum):
    """Where in the game a state stands."""

    DEAL = 0  # hands are dealt (V2)
    BID = 1  # each player chooses a card, unseen (V3)
    ORDER = 2  # a round begins: who plays first? (P1)
    PLAY = 3  # each plays a card (P1)
    ROUND = 4  # cards on stacks act (P3)
    LAST = 5  # cards on battlefields act (P5)
    OVER = 6


class Move(NamedTuple):
    """A move: a card, a player whose stack (or hand) it is about, an order of play, or nothing (`PASS`)."""

    card: int | None = None
    player: int | None = None
    order: tuple[int, ...] = ()


PASS = Move()
"""Not to use the card that is offered (P3, P5), or to put no further card under the deck (2)."""


@dataclass(frozen=True)
class Player:
    """One player's side of the table.

    Attributes
    ----------
    hand, battlefield : cards, ascending.
    stack : bottom first; while it is shuffled, those already laid out anew.
    chosen : the card chosen for the stack (V3, unseen) or played this round (P1), None before.
    known : cards that lie face-down in the deck or in others' hands and whose place this player knows, since
        it saw them go there and they cannot have left unseen (V4).
    """

    hand: Cards = ()
    stack: Cards = ()
    battlefield: Cards = ()
    chosen: int | None = None
    known: frozenset[int] = frozenset()


@dataclass(frozen=True)
class State:
    """A state of the game.

    Attributes
    ----------
    deck : in the order in which they will be drawn, sets of cards in random order each (V2, 2, 6).
    order : players in the order of play of this round, empty before it is decided (P1).
    leader : who decided it last.
    acted : players who have chosen or played already (V3, P1).
    threshold : the lowest card that may still act in this phase (P3, P5).
    offered : the card that its owner may use now.
    put : cards chosen so far to go under the deck (2).
    drawer, draws : who draws how many more cards (V2, 2, 3).
    shuffler : whose stack is laid out anew, from the top, None if nobody's (8).
    unplaced : its cards that chance has not laid out yet.
    hidden_order : cards of stacks whose place only the stack's owner knows, after a shuffle (V4, 8).
    """

    rules: Rules = field(repr=False, hash=False)
    players: tuple[Player, ...]
    deck: tuple[Cards, ...]
    phase: Phase = Phase.DEAL
    order: tuple[int, ...] = ()
    leader: int = 0
    acted: int = 0
    threshold: int = 0
    offered: int | None = None
    put: Cards = ()
    drawer: int | None = None
    draws: int = 0
    shuffler: int | None = None
    unplaced: Cards = ()
    hidden_order: frozenset[int] = frozenset()


def with_card(cards: Cards, card: int) -> Cards:
    """Cards and one more, ascending."""
    return tuple(sorted((*cards, card)))


def without(cards: Cards, card: int) -> Cards:
    """Cards but for one."""
    return tuple(other for other in cards if other != card)


def with_player(state: State, index: int, player: Player) -> State:
    """The state with one player's side replaced."""
    players = (*state.players[:index], player, *state.players[index + 1 :])
    return replace(state, players=players)


def pushed(state: State, index: int, card: int) -> State:
    """A card face-up onto a stack."""
    own = state.players[index]
    return seen(with_player(state, index, replace(own, stack=(*own.stack, card))), card)


def seen(state: State, card: int) -> State:
    """A card lies face-up now: nobody needs to remember its place."""
    players = tuple(replace(player, known=player.known - {card}) for player in state.players)
    return replace(state, players=players)


def hidden_from_nobody(state: State, card: int, holder: int | None = None) -> State:
    """A face-up card went face-down into the deck or `holder`'s hand before all eyes (V4)."""
    players = tuple(
        player if index == holder else replace(player, known=player.known | {card})
        for index, player in enumerate(state.players)
    )
    return replace(state, players=players)


def top_seen(state: State, index: int) -> State:
    """The top of a stack is seen by all (V4)."""
    top = state.players[index].stack[-1:]
    return replace(state, hidden_order=state.hidden_order - set(top))

"""What a player sees of a state of the reference (V4)."""

from __future__ import annotations

from typing import NamedTuple

from engine.raverun.reference import Cards, Phase, State, decider


class View(NamedTuple):
    """All that a player sees and knows of a state at the moment (V4); what it remembers beyond is history.

    Attributes
    ----------
    table : phase, order, leader, players who have acted, threshold, offered card, drawer, draws, shuffler.
    hand, put, chosen : its own.
    hand_sizes, deck_size : how many cards lie face-down where.
    stacks, battlefields : of all players; None in a stack for a card whose place it does not know.
    loose : per stack, the cards of such places.
    known : cards it knows in each other hand, and (place in the deck, card) for those it knows in the deck.
    exposed : cards of its hand that each other player knows there.
    """

    table: tuple[object, ...]
    hand: Cards
    put: Cards
    chosen: int | None
    hand_sizes: tuple[int, ...]
    deck_size: int
    stacks: tuple[tuple[int | None, ...], ...]
    loose: tuple[Cards, ...]
    battlefields: tuple[Cards, ...]
    known: tuple[tuple[int, ...] | tuple[int, int], ...]
    exposed: tuple[Cards, ...]


class PublicView(NamedTuple):
    """What lies open to everybody at the moment (V4), whoever looks.

    Attributes
    ----------
    table, hand_sizes, deck_size, stacks, loose, battlefields : as in `View`.
    played : the card that each player has played in this round so far (P1).
    """

    table: tuple[object, ...]
    hand_sizes: tuple[int, ...]
    deck_size: int
    stacks: tuple[tuple[int | None, ...], ...]
    loose: tuple[Cards, ...]
    battlefields: tuple[Cards, ...]
    played: tuple[int | None, ...]


def public_view(state: State) -> PublicView:
    """What everybody sees of a state."""
    stacks, loose = _stacks(state, None)
    return PublicView(
        table=_table(state),
        hand_sizes=tuple(map(len, _hands(state))),
        deck_size=sum(map(len, state.deck)),
        stacks=stacks,
        loose=loose,
        battlefields=tuple(other.battlefield for other in state.players),
        played=tuple(None if state.phase == Phase.BID else other.chosen for other in state.players),
    )


def view(state: State, player: int) -> View:
    """What `player` sees of a state, whoever decides."""
    own = state.players[player]
    hands = _hands(state)
    stacks, loose = _stacks(state, player)
    return View(
        table=_table(state),
        hand=own.hand,
        put=state.put if state.put and decider(state) == player else (),
        chosen=own.chosen,
        hand_sizes=tuple(map(len, hands)),
        deck_size=sum(map(len, state.deck)),
        stacks=stacks,
        loose=loose,
        battlefields=tuple(other.battlefield for other in state.players),
        known=(
            *(
                tuple(card for card in sorted(hand) if card in own.known)
                for index, hand in enumerate(hands)
                if index != player
            ),
            *((place, card) for place, cards in enumerate(state.deck) for card in cards if card in own.known),
        ),
        exposed=tuple(
            tuple(card for card in sorted(hands[player]) if card in other.known)
            for index, other in enumerate(state.players)
            if index != player
        ),
    )


def _hands(state: State) -> list[Cards]:
    """Cards held by each player; those on their way under the deck still count: others see the end (2)."""
    return [
        (*other.hand, *state.put) if state.put and decider(state) == index else other.hand
        for index, other in enumerate(state.players)
    ]


def _table(state: State) -> tuple[object, ...]:
    return (
        state.phase,
        state.order,
        state.leader,
        state.acted,
        state.threshold,
        state.offered,
        state.drawer,
        state.draws,
        state.shuffler,
    )


def _stacks(state: State, player: int | None) -> tuple[tuple[tuple[int | None, ...], ...], tuple[Cards, ...]]:
    """The stacks as a player, or with None everybody, sees them, and the cards whose place is not seen."""
    stacks = [list(other.stack) for other in state.players]
    if state.shuffler is not None:
        # Only what is laid out has a place; the rest is loose to everybody.
        stacks[state.shuffler][:0] = state.unplaced
    unplaced = set(state.unplaced)

    def placed(index: int, card: int) -> bool:
        return card not in unplaced and (index == player or card not in state.hidden_order)

    return (
        tuple(
            tuple(card if placed(index, card) else None for card in stack)
            for index, stack in enumerate(stacks)
        ),
        tuple(
            tuple(sorted(card for card in stack if not placed(index, card)))
            for index, stack in enumerate(stacks)
        ),
    )

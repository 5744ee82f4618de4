"""What a player sees of a state of the reference (V4)."""

from __future__ import annotations

from typing import NamedTuple

from engine.raverun.reference import Cards, State, decider


class View(NamedTuple):
    """All that a player sees and knows of a state at the moment (V4); what he remembers beyond is history.

    Attributes
    ----------
    table : phase, order, leader, players who have acted, threshold, offered card, drawer, draws, shuffler.
    hand, put, chosen : his own.
    hand_sizes, deck_size : how many cards lie face-down where.
    stacks, battlefields : of all players; None in a stack for a card whose place he does not know.
    loose : per stack, the cards of such places.
    known : cards he knows in each other hand, and (place in the deck, card) for those he knows in the deck.
    exposed : cards of his hand that each other player knows there.
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


def view(state: State, player: int) -> View:
    """What `player` sees of a state, whoever decides."""
    own = state.players[player]
    # Cards on their way under the deck still count as held: the others see the number at the end (2).
    hands = [
        (*other.hand, *state.put) if state.put and decider(state) == index else other.hand
        for index, other in enumerate(state.players)
    ]

    def visible(index: int, card: int) -> bool:
        return index == player or card not in state.hidden_order

    stacks = [list(other.stack) for other in state.players]
    if state.shuffler is not None:
        # Only what is laid out has a place; the rest is loose to everybody.
        stacks[state.shuffler][:0] = state.unplaced
    unplaced = set(state.unplaced)
    return View(
        table=(
            state.phase,
            state.order,
            state.leader,
            state.acted,
            state.threshold,
            state.offered,
            state.drawer,
            state.draws,
            state.shuffler,
        ),
        hand=own.hand,
        put=state.put if state.put and decider(state) == player else (),
        chosen=own.chosen,
        hand_sizes=tuple(map(len, hands)),
        deck_size=sum(map(len, state.deck)),
        stacks=tuple(
            tuple(card if visible(index, card) and card not in unplaced else None for card in stack)
            for index, stack in enumerate(stacks)
        ),
        loose=tuple(
            tuple(sorted(card for card in stack if not visible(index, card) or card in unplaced))
            for index, stack in enumerate(stacks)
        ),
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

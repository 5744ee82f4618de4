"""Moves as numbers, the same in every state: what learning environments call actions."""

from __future__ import annotations

from itertools import permutations

from engine.raverun.reference import Move
from engine.raverun.rules_schema import MAX_CARDS, PLAYER_COUNTS

ORDERS = tuple(order for players in PLAYER_COUNTS for order in permutations(range(players)))
"""Orders of play of two, then of three."""
_PLAYERS = max(PLAYER_COUNTS) + 1
NUM_MOVES = len(ORDERS) + (MAX_CARDS + 1) * _PLAYERS
"""Numbers of moves there are: an order of play, or a card or none with a player or none."""


def move_number(move: Move) -> int:
    """Return the number of a move."""
    if move.order:
        return ORDERS.index(move.order)
    card = 0 if move.card is None else move.card + 1
    return len(ORDERS) + card * _PLAYERS + (0 if move.player is None else move.player + 1)


def numbered_move(number: int) -> Move:
    """Return the move of a number."""
    if number < len(ORDERS):
        return Move(order=ORDERS[number])
    card, player = divmod(number - len(ORDERS), _PLAYERS)
    return Move(None if card == 0 else card - 1, None if player == 0 else player - 1)

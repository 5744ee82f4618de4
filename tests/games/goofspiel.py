"""Goofspiel with imperfect information: bids stay secret, only who won the prize is announced."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from solver.extensive import CHANCE


class State(NamedTuple):
    prizes: tuple[int, ...]
    bids: tuple[tuple[int, ...], tuple[int, ...]]


class Goofspiel:
    """Both bid one card of their hand on each prize, at once; equal bids waste it. Pays the difference in
    prizes.

    Prizes come in random order, or descending if `shuffled` is false. Equal hands give a symmetric game of
    value 0.

    """

    def __init__(
        self, num_cards: int, *, shuffled: bool = True, hands: tuple[tuple[int, ...], ...] | None = None
    ) -> None:
        self.num_cards = num_cards
        self.shuffled = shuffled
        self.deck = tuple(range(num_cards, 0, -1))
        self.hands = hands or (self.deck, self.deck)

    def root(self) -> State:
        return State((), ((), ()))

    def is_terminal(self, state: State) -> bool:
        return len(state.bids[1]) == self.num_cards

    def winners(self, state: State) -> tuple[int, ...]:
        """1 for player 0, -1 for player 1, 0 for nobody, for each prize both have bid on."""
        return tuple((a > b) - (a < b) for a, b in zip(*state.bids, strict=False))

    def payoff(self, state: State) -> int:
        return sum(winner * prize for winner, prize in zip(self.winners(state), state.prizes, strict=True))

    def player(self, state: State) -> int:
        if len(state.prizes) == len(state.bids[1]):
            return CHANCE
        # Player 1 bids second, but his infoset does not tell the bid of player 0.
        return 1 if len(state.bids[0]) > len(state.bids[1]) else 0

    def infoset(self, state: State) -> Hashable:
        return state.prizes, self.winners(state), state.bids[self.player(state)]

    def actions(self, state: State) -> Sequence[Hashable]:
        player = self.player(state)
        return [card for card in self.hands[player] if card not in state.bids[player]]

    def chance_outcomes(self, state: State) -> Sequence[tuple[Hashable, int]]:
        left = [prize for prize in self.deck if prize not in state.prizes]
        return [(prize, 1) for prize in (left if self.shuffled else left[:1])]

    def child(self, state: State, action: Hashable) -> State:
        assert isinstance(action, int)
        player = self.player(state)
        if player == CHANCE:
            return state._replace(prizes=(*state.prizes, action))
        bids = list(state.bids)
        bids[player] = (*bids[player], action)
        return state._replace(bids=(bids[0], bids[1]))

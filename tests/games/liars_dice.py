"""Liar's dice with one die each: bid more, or call the other a liar. The highest face is wild."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from solver.extensive import CHANCE


class State(NamedTuple):
    dice: tuple[int, ...]
    # Bids ascend: q copies of face f are (q - 1) * faces + (f - 1); the number after the last is the call.
    bids: tuple[int, ...]


class LiarsDice:
    """Player 0 bids first; the caller wins if fewer dice show the face than were bid."""

    def __init__(self, num_faces: int = 6) -> None:
        self.num_faces = num_faces
        self.call = 2 * num_faces

    def root(self) -> State:
        return State((), ())

    def is_terminal(self, state: State) -> bool:
        return bool(state.bids) and state.bids[-1] == self.call

    def payoff(self, state: State) -> int:
        quantity, face = divmod(state.bids[-2], self.num_faces)
        count = sum(die in (face, self.num_faces - 1) for die in state.dice)
        bidder = len(state.bids) % 2
        return 1 if (count > quantity) == (bidder == 0) else -1

    def player(self, state: State) -> int:
        return CHANCE if not state.dice else len(state.bids) % 2

    def infoset(self, state: State) -> Hashable:
        return state.dice[len(state.bids) % 2], state.bids

    def actions(self, state: State) -> Sequence[int]:
        if not state.bids:
            return range(self.call)
        return range(state.bids[-1] + 1, self.call + 1)

    def chance_outcomes(self, state: State) -> Sequence[tuple[Hashable, int]]:
        faces = range(self.num_faces)
        return [((a, b), 1) for a in faces for b in faces]

    def child(self, state: State, action: Hashable) -> State:
        if isinstance(action, tuple):
            return State(action, ())
        assert isinstance(action, int)
        return State(state.dice, (*state.bids, action))

"""Leduc poker: three ranks in two suits, two rounds, raises of 2 and 4, at most two raises a round."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from solver.extensive import CHANCE

VALUE = -0.085606424078

RANKS = (0, 1, 2)
COPIES = 2
ANTE = 1
RAISES = (2, 4)
MAX_RAISES = 2


class State(NamedTuple):
    private: tuple[int, ...]
    public: int | None
    # One string of f(old), c(all or check) and r(aise) per round; folding ends the game.
    rounds: tuple[str, ...]


def round_is_over(moves: str) -> bool:
    return moves.endswith("f") or (len(moves) >= 2 and moves.endswith("c"))


def stakes(rounds: tuple[str, ...]) -> list[int]:
    """What each player has put in the pot."""
    paid = [ANTE, ANTE]
    for moves, size in zip(rounds, RAISES, strict=False):
        for turn, move in enumerate(moves):
            player = turn % 2
            if move != "f":
                paid[player] = paid[1 - player] + (size if move == "r" else 0)
    return paid


class Leduc:
    """Suits do not matter, so cards are dealt by rank with weights for the suits."""

    def root(self) -> State:
        return State((), None, ("",))

    def is_terminal(self, state: State) -> bool:
        moves = state.rounds[-1]
        return moves.endswith("f") or (len(state.rounds) == 2 and round_is_over(moves))

    def payoff(self, state: State) -> int:
        moves = state.rounds[-1]
        paid = stakes(state.rounds)
        if moves.endswith("f"):
            return -paid[0] if len(moves) % 2 == 1 else paid[1]
        strengths = [(rank == state.public, rank) for rank in state.private]
        if strengths[0] == strengths[1]:
            return 0
        return paid[1] if strengths[0] > strengths[1] else -paid[0]

    def player(self, state: State) -> int:
        if not state.private or (len(state.rounds) == 1 and round_is_over(state.rounds[0])):
            return CHANCE
        return len(state.rounds[-1]) % 2

    def infoset(self, state: State) -> Hashable:
        return state.private[self.player(state)], state.public, state.rounds

    def actions(self, state: State) -> Sequence[Hashable]:
        moves = state.rounds[-1]
        legal = ["f"] if moves.endswith("r") else []
        legal.append("c")
        if moves.count("r") < MAX_RAISES:
            legal.append("r")
        return legal

    def chance_outcomes(self, state: State) -> Sequence[tuple[Hashable, int]]:
        if not state.private:
            return [((a, b), COPIES * (COPIES - (a == b))) for a in RANKS for b in RANKS]
        left = [(rank, COPIES - state.private.count(rank)) for rank in RANKS]
        return [(rank, count) for rank, count in left if count > 0]

    def child(self, state: State, action: Hashable) -> State:
        if isinstance(action, tuple):
            return state._replace(private=action)
        if isinstance(action, int):
            return State(state.private, action, (*state.rounds, ""))
        return state._replace(rounds=(*state.rounds[:-1], state.rounds[-1] + str(action)))

"""Random two-player games with perfect recall, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from solver.extensive import CHANCE


class State(NamedTuple):
    history: tuple[int, ...]
    # What each player has seen so far, his own moves included.
    seen: tuple[tuple[Hashable, ...], tuple[Hashable, ...]]


class RandomGame:
    """Who moves depends on the depth; the other player sees a move in full, its parity, or not at all."""

    def __init__(
        self, seed: int, *, depth: int = 4, max_actions: int = 3, real_payoffs: bool = False
    ) -> None:
        self.seed = seed
        self.depth = depth
        self.max_actions = max_actions
        self.real_payoffs = real_payoffs
        self.movers = [self._random("mover", level).choice((CHANCE, 0, 0, 1, 1)) for level in range(depth)]

    def _random(self, *what: object) -> random.Random:
        return random.Random(repr((self.seed, *what)))

    def root(self) -> State:
        return State((), ((), ()))

    def is_terminal(self, state: State) -> bool:
        if len(state.history) == self.depth:
            return True
        return len(state.history) > 1 and self._random("end", state.history).random() < 0.15

    def payoff(self, state: State) -> float:
        generator = self._random("payoff", state.history)
        return generator.uniform(-4.0, 4.0) if self.real_payoffs else generator.randint(-4, 4)

    def player(self, state: State) -> int:
        return self.movers[len(state.history)]

    def infoset(self, state: State) -> Hashable:
        return len(state.history), state.seen[self.player(state)]

    def actions(self, state: State) -> Sequence[Hashable]:
        key = self.infoset(state)
        return range(self._random("actions", self.player(state), key).randint(1, self.max_actions))

    def chance_outcomes(self, state: State) -> Sequence[tuple[Hashable, int]]:
        return [(outcome, 1 + outcome) for outcome in range(2)]

    def child(self, state: State, action: Hashable) -> State:
        assert isinstance(action, int)
        level = len(state.history)
        seen = []
        for player in (0, 1):
            sight = (
                "full" if self.movers[level] == player else self._random("sight", level, player).choice("fpn")
            )
            saw = {"f": action, "p": action % 2, "n": None}[sight[0]]
            seen.append((*state.seen[player], (level, saw)))
        return State((*state.history, action), (seen[0], seen[1]))

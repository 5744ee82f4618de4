"""A tiny match put together from its days, each solved for what its end is worth, with fresh hands.

That is how longer matches are played where no tree of the whole fits. Here one does, so that what the plan
can lose is known.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from engine.ragers.reference import CHANCE, State, deciders, is_over, observe, start_match
from engine.ragers.rules import Rules
from solver.extensive import ExtensiveGame, build_game
from solver.sequence_form import solve_sequence_form
from solver.tree_best_response import Exploitability, exploitability
from tests.oracles.tiny_match import Node, TinyMatch

Table = dict[tuple[int, Hashable], dict[Hashable, float]]
"""By player and infoset: how often each action is taken."""


@dataclass(frozen=True)
class DayNode(Node):
    """A node with a number for what each player has seen since the second day began, 0 before; `dealt`:
    whether hands are."""

    since: tuple[int, int] = (0, 0)
    dealt: bool = True


def _pool(state: State, player: int) -> tuple[int, ...]:
    own = state.players[player]
    return tuple(a + b for a, b in zip(own.hand, own.deck, strict=True))


def public(state: State) -> Hashable:
    """What all know when the second day begins, and what it depends on."""
    sides = tuple((own.score, len(own.cheers), sum(own.deck)) for own in state.players)
    return (sides, state.cheers_table, state.cheers_left, _pool(state, 0), _pool(state, 1))


class ByDay(TinyMatch):
    """The whole match; `since` says what each infoset of the second day is in the game of that day alone."""

    def __init__(self, rules: Rules, numbers: dict[tuple[int, object], int]) -> None:
        super().__init__(rules)
        self._numbers = numbers
        self.since: dict[tuple[int, Hashable], int] = {}

    def root(self) -> Node:
        return self._settled(DayNode(start_match(self.rules)))

    def _settled(self, node: Node) -> Node:
        after = super()._settled(node)
        state = after.state
        assert isinstance(after, DayNode)
        if CHANCE in deciders(state) or is_over(state) or state.day == 0:
            return after
        since = [
            self._and(after.since[player] or self._and(0, public(state)), observe(state, player))
            for player in (0, 1)
        ]
        return replace(after, since=(since[0], since[1]))

    def infoset(self, node: Node) -> Hashable:
        assert isinstance(node, DayNode)
        player, key = self.player(node), super().infoset(node)
        if node.state.day:
            self.since[player, key] = node.since[player]
        return key

    def child(self, node: Node, action: Hashable) -> Node:
        assert isinstance(node, DayNode)
        if CHANCE not in deciders(node.state) and node.state.day:
            since, player = list(node.since), self.player(node)
            since[player] = self._and(since[player], ("did", action))
            node = replace(node, since=(since[0], since[1]))
        return super().child(node, action)


class SecondDay(ByDay):
    """The second day from a public state, hands dealt anew from what is left."""

    def __init__(self, rules: Rules, numbers: dict[tuple[int, object], int], begin: State) -> None:
        super().__init__(rules, numbers)
        self._begin = begin

    def root(self) -> Node:
        return DayNode(self._begin, dealt=False)

    def player(self, node: Node) -> int:
        assert isinstance(node, DayNode)
        return super().player(node) if node.dealt else CHANCE

    def infoset(self, node: Node) -> Hashable:
        assert isinstance(node, DayNode)
        return node.since[self.player(node)]

    def chance_outcomes(self, node: Node) -> Sequence[tuple[Hashable, int]]:
        assert isinstance(node, DayNode)
        if node.dealt:
            return super().chance_outcomes(node)
        hands = [self._hands(player) for player in (0, 1)]
        return [((one, other), a * b) for (one, a), (other, b) in product(*hands)]

    def child(self, node: Node, action: Hashable) -> Node:
        assert isinstance(node, DayNode)
        if node.dealt:
            return super().child(node, action)
        assert isinstance(action, tuple)
        players = []
        for player, hand in enumerate(action):
            pool = _pool(self._begin, player)
            deck = tuple(n - held for n, held in zip(pool, hand, strict=True))
            players.append(replace(self._begin.players[player], hand=hand, deck=deck))
        return self._settled(DayNode(replace(self._begin, players=(players[0], players[1]))))

    def _hands(self, player: int) -> list[tuple[tuple[int, ...], int]]:
        pool, size = _pool(self._begin, player), sum(self._begin.players[player].hand)
        return [
            (hand, prod(comb(n, held) for n, held in zip(pool, hand, strict=True)))
            for hand in product(*(range(n + 1) for n in pool))
            if sum(hand) == size
        ]


class FirstDay(ByDay):
    """The first day; after it the match pays what the second one is worth with fresh hands."""

    def __init__(self, rules: Rules, numbers: dict[tuple[int, object], int]) -> None:
        super().__init__(rules, numbers)
        self.values: dict[Hashable, float] = {}
        self.plans: Table = {}

    def is_terminal(self, node: Node) -> bool:
        return is_over(node.state) or node.state.day > 0

    def payoff(self, node: Node) -> int:
        if is_over(node.state):
            return super().payoff(node)
        where = public(node.state)
        if where not in self.values:
            tree = build_game(SecondDay(self.rules, self._numbers, node.state))
            solution = solve_sequence_form(tree)
            self.values[where] = solution.value
            self.plans |= table_of(tree, solution.strategy)
        return self.values[where]  # type: ignore[return-value]  # a float is a number, too


def table_of(tree: ExtensiveGame, strategy: NDArray[np.float64]) -> Table:
    """A strategy by infoset and action."""
    table: Table = {}
    for infoset, key in enumerate(tree.infoset_keys):
        slots = range(tree.first_slot[infoset], tree.first_slot[infoset + 1])
        taken = {tree.slot_labels[q]: float(strategy[q]) for q in slots}
        table[int(tree.infoset_player[infoset]), key] = taken
    return table


def composed(rules: Rules) -> tuple[float, Exploitability, int]:
    """The value that the days put together find, what their plans lose in the match, and public states."""
    numbers: dict[tuple[int, object], int] = {}
    first = FirstDay(rules, numbers)
    day = build_game(first)
    solution = solve_sequence_form(day)
    plans = table_of(day, solution.strategy) | first.plans
    whole = ByDay(rules, numbers)
    tree = build_game(whole)
    strategy = np.zeros(len(tree.slot_labels))
    for infoset, key in enumerate(tree.infoset_keys):
        player = int(tree.infoset_player[infoset])
        plan = plans[player, whole.since.get((player, key), key)]
        for q in range(tree.first_slot[infoset], tree.first_slot[infoset + 1]):
            strategy[q] = plan[tree.slot_labels[q]]
    return solution.value, exploitability(tree, strategy), len(first.values)

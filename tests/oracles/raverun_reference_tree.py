"""Reduced games of Raverun as trees from the reference: the slow twin of `analysis.raverun.exact_game`.

Each player's infosets are all it ever saw, in order, so recall is perfect. Hands
are dealt at once, and moves without an alternative are carried out at once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import NamedTuple

from engine.raverun import reference
from engine.raverun.reference import CHANCE, Cards, Move, State
from engine.raverun.reference_view import View, view
from engine.raverun.rules import Rules

NUM_PLAYERS = 2


class Node(NamedTuple):
    """A node of the tree.

    Attributes
    ----------
    state : of the reference, None before the hands are dealt.
    memory : for each player, the number of all it has seen so far.
    seen : for each player, what it saw last.
    """

    state: State | None
    memory: tuple[int, ...] = (0, 0)
    seen: tuple[View | None, ...] = (None, None)


class Label(NamedTuple):
    """A move or chance outcome, named as in the rulebook: cards as printed."""

    move: Hashable
    text: str

    def __str__(self) -> str:
        return self.text


class Sight(int):
    """The number of all a player has seen, which reads as what it sees now."""

    view: View
    rules: Rules

    def __new__(cls, number: int, view: View, rules: Rules) -> Sight:
        sight = super().__new__(cls, number)
        sight.view, sight.rules = view, rules
        return sight

    def __str__(self) -> str:
        def names(cards: Sequence[int | None]) -> str:
            return " ".join("?" if card is None else self.rules.card_name(card) for card in cards) or "-"

        view = self.view
        parts = [str(getattr(view.table[0], "name", view.table[0])).lower(), f"hand {names(view.hand)}"]
        if view.chosen is not None:
            parts.append(f"chosen {names([view.chosen])}")
        for what, places in (("stacks", view.stacks), ("battlefields", view.battlefields)):
            if any(places):
                parts.append(f"{what} {', '.join(map(names, places))}")
        return "; ".join(parts)


class ExactGame:
    """A game for two under some rules, as a `GameSource` of `solver.extensive`. Labels are `Label`s.

    Parameters
    ----------
    deals : pairs of hands, all equally likely; all that the rules allow if none are given.
    whole : keep nodes at which there is no choice.
    max_deals : refuse to list more of them.

    Raises
    ------
    ValueError
        If two cannot play with these rules.
    MemoryError
        If there are more than `max_deals` deals.
    """

    def __init__(
        self,
        rules: Rules,
        deals: Sequence[tuple[Cards, Cards]] | None = None,
        *,
        whole: bool = False,
        max_deals: int | None = None,
    ) -> None:
        self.rules = rules
        hand_size = rules.hand_size(NUM_PLAYERS)
        num_deals = comb(rules.num_cards, hand_size) * comb(rules.num_cards - hand_size, hand_size)
        if not deals and max_deals is not None and num_deals > max_deals:
            raise MemoryError(f"{num_deals} deals, and at most {max_deals} are allowed")
        self.deals = tuple(deals) if deals else tuple(all_deals(range(rules.num_cards), hand_size))
        self.whole = whole
        # What a player has seen is a number: of what it had seen before, and what it sees now.
        self._numbers: dict[tuple[int, Hashable], int] = {}

    def root(self) -> Node:
        """The node before the hands are dealt."""
        return Node(None)

    def is_terminal(self, node: Node) -> bool:
        """Whether the game is over."""
        return node.state is not None and reference.is_over(node.state)

    def payoff(self, node: Node) -> Fraction:
        """What player 0 gets (A2)."""
        assert node.state is not None
        return Fraction(reference.payoffs(node.state)[0])

    def player(self, node: Node) -> int:
        """Who decides, or chance."""
        return CHANCE if node.state is None else reference.decider(node.state)

    def infoset(self, node: Node) -> Hashable:
        """The number of all the decider has seen."""
        player = self.player(node)
        seen = node.seen[player]
        assert seen is not None
        return Sight(node.memory[player], seen, self.rules)

    def actions(self, node: Node) -> Sequence[Label]:
        """The decider's moves."""
        assert node.state is not None
        return [Label(move, self._text(move)) for move in reference.legal_moves(node.state)]

    def chance_outcomes(self, node: Node) -> Sequence[tuple[Label, int]]:
        """Deals of both hands, all equally likely, or single cards."""
        if node.state is not None:
            outcomes = reference.chance_outcomes(node.state)
            return [(Label(card, self.rules.card_name(card)), weight) for card, weight in outcomes]
        return [(Label(hands, " against ".join(map(self._names, hands))), 1) for hands in self.deals]

    def child(self, node: Node, action: Hashable) -> Node:
        """The node after a move or outcome, and after all that leaves no choice."""
        assert isinstance(action, Label)
        if node.state is None:
            assert isinstance(action.move, tuple)
            node = self._after(node, reference.start_dealt(self.rules, action.move))
        else:
            assert isinstance(action.move, (Move, int))
            node = self._after(node, reference.step(node.state, action.move))
        while not self.whole and not self.is_terminal(node):
            assert node.state is not None
            ways = self.chance_outcomes(node) if self.player(node) == CHANCE else self.actions(node)
            if len(ways) > 1:
                break
            moves: list[Move | int] = [outcome for outcome, _ in reference.chance_outcomes(node.state)]
            [move] = moves or list(reference.legal_moves(node.state))
            node = self._after(node, reference.step(node.state, move))
        return node

    def _after(self, node: Node, state: State) -> Node:
        """The node of a new state: who sees nothing new remembers nothing new."""
        seen = tuple(view(state, player) for player in range(NUM_PLAYERS))
        memory = tuple(
            known if now == before else self._numbers.setdefault((known, now), len(self._numbers) + 1)
            for known, before, now in zip(node.memory, node.seen, seen, strict=True)
        )
        return Node(state, memory, seen)

    def _names(self, cards: Cards) -> str:
        return " ".join(map(self.rules.card_name, cards))

    def _text(self, move: Move) -> str:
        if move.order:
            return f"order {' '.join(map(str, move.order))}"
        card = "" if move.card is None else self.rules.card_name(move.card)
        target = "" if move.player is None else f">{move.player}"
        return card + target or "pass"


def all_deals(cards: Sequence[int], hand_size: int) -> Iterator[tuple[Cards, Cards]]:
    """All ways to deal two hands, the first one's in lexicographic order."""
    for first in combinations(cards, hand_size):
        rest = [card for card in cards if card not in first]
        for second in combinations(rest, hand_size):
            yield first, second

"""Reduced games of Raverun as explicit trees, for the exact solvers, built by compiled code.

Infosets are all that their player ever saw, in order, so recall is perfect. Hands are dealt at once, and
moves without an alternative are carried out at once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.errors import RequestError
from analysis.raverun.bundles import Seats
from engine.raverun import expansion, kernel, layout
from engine.raverun.codec import decode, encode
from engine.raverun.reference import CHANCE, Cards, start_dealt
from engine.raverun.reference_view import view
from engine.raverun.rules import Rules
from engine.raverun.sampling import sampling_tables

NUM_PLAYERS = 2
_MOST_DEALS = 5_000_000
"""More are not even listed."""
_Words = NDArray[np.int64]


class Label(NamedTuple):
    """A move or chance outcome, named as in the rulebook: cards as printed.

    Attributes
    ----------
    number : of the move or outcome, in the kernel's order.
    card : -1 if it is about none.
    """

    number: int
    card: int
    text: str

    def __str__(self) -> str:
        return self.text


class Sight(int):
    """All a player has seen, as a number, which reads as what is seen now."""

    words: _Words
    player: int
    rules: Rules

    def __new__(cls, number: int, words: _Words, player: int, rules: Rules) -> Sight:
        sight = super().__new__(cls, number)
        sight.words, sight.player, sight.rules = words, player, rules
        return sight

    @property
    def phase(self) -> int:
        """Which decision it is, as in `layout`."""
        return int(self.words[layout.FLOW]) >> layout.PHASE.offset & layout.PHASE.mask

    @property
    def offered(self) -> int:
        """The card that may be used; -1 if there is none, or for a second card under the deck (2)."""
        card = int(self.words[layout.FLOW]) >> layout.OFFERED.offset & layout.OFFERED.mask
        return -1 if card == layout.NO_CARD or int(self.words[layout.DECK]) >> layout.GOING.offset else card

    def __str__(self) -> str:
        def names(cards: Sequence[int | None]) -> str:
            return " ".join("?" if card is None else self.rules.card_name(card) for card in cards) or "-"

        seen = view(decode(self.words[: layout.NUM_WORDS], self.rules, NUM_PLAYERS), self.player)
        parts = [str(getattr(seen.table[0], "name", seen.table[0])).lower(), f"hand {names(seen.hand)}"]
        if seen.chosen is not None:
            parts.append(f"chosen {names([seen.chosen])}")
        for what, places in (("stacks", seen.stacks), ("battlefields", seen.battlefields)):
            if any(places):
                parts.append(f"{what} {', '.join(map(names, places))}")
        return "; ".join(parts)


class Node:
    """A node of the tree; its children are known once somebody asked.

    Attributes
    ----------
    words : of the state, None before the hands are dealt.
    decider, count, key, payoff : see `expansion`.
    labels, children : of its ways.
    """

    __slots__ = ("children", "count", "decider", "key", "labels", "payoff", "words")

    def __init__(self, words: _Words | None, facts: Sequence[int]) -> None:
        self.words = words
        self.decider, self.count, self.key, self.payoff = facts
        self.labels: list[Label] | None = None
        self.children: list[Node] = []


def source(rules: Rules, setup: Seats) -> ExactGame:
    """Return the tree of a game for two; RequestError for more."""
    if setup.players != NUM_PLAYERS:
        raise RequestError("a tree is of two players", "--players")
    return ExactGame(rules, max_deals=_MOST_DEALS)


class ExactGame:
    """A game for two under some rules, as a `GameSource` of `solver.extensive`. Labels are `Label`s.

    Parameters
    ----------
    deals : pairs of hands, all equally likely; all that the rules allow if none are given.
    whole : keep decisions at which there is no choice.
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
        self._whole = int(whole)
        game = sampling_tables(rules, NUM_PLAYERS, "perfect")
        self._tables, self._state_words = game.tables, game.state_words
        self._work = np.zeros(game.work_words, np.int64)
        self._children = np.zeros((game.max_moves, game.state_words), np.int64)
        self._facts = np.zeros((game.max_moves, expansion.NUM_FACTS), np.int64)
        self._ways = np.zeros((game.max_moves, 2), np.int64)
        self._labels: dict[tuple[bool, int, int, int], Label] = {}

    def root(self) -> Node:
        """The node before the hands are dealt."""
        root = Node(None, (CHANCE, len(self.deals), 0, 0))
        root.labels = [
            Label(number, -1, " against ".join(" ".join(map(self.rules.card_name, hand)) for hand in hands))
            for number, hands in enumerate(self.deals)
        ]
        return root

    def is_terminal(self, node: Node) -> bool:
        """Whether the game is over."""
        return node.decider == kernel.OVER

    def payoff(self, node: Node) -> Fraction:
        """What player 0 gets (A2)."""
        return Fraction(node.payoff)

    def player(self, node: Node) -> int:
        """Who decides, or chance."""
        return CHANCE if node.decider == kernel.CHANCE else node.decider

    def infoset(self, node: Node) -> Hashable:
        """The number of all the decider has seen."""
        assert node.words is not None
        return Sight(node.key, node.words, node.decider, self.rules)

    def actions(self, node: Node) -> Sequence[Label]:
        """The decider's moves."""
        return self._expanded(node)

    def chance_outcomes(self, node: Node) -> Sequence[tuple[Label, int]]:
        """Deals of both hands, or single cards, all equally likely."""
        return [(label, 1) for label in self._expanded(node)]

    def child(self, node: Node, action: Hashable) -> Node:
        """The node after a move or outcome, and after all that leaves no choice."""
        assert isinstance(action, Label)
        if node.words is None:
            return self._dealt(self.deals[action.number])
        self._expanded(node)
        return node.children[action.number]

    def _dealt(self, hands: tuple[Cards, Cards]) -> Node:
        words = np.zeros(self._state_words, np.int64)
        words[: layout.NUM_WORDS] = encode(start_dealt(self.rules, hands))
        expansion.begin(self._tables, words, self._work, self._whole, self._facts[0])
        return Node(words, self._facts[0].tolist())

    def _expanded(self, node: Node) -> list[Label]:
        if node.labels is None:
            assert node.words is not None
            count = expansion.expand(
                *(self._tables, node.words, self._work, self._whole, self._children, self._facts, self._ways)
            )
            by_order = int(node.words[layout.FLOW]) >> layout.PHASE.offset & layout.PHASE.mask
            ordering = by_order == layout.ORDERING and node.decider >= 0
            kept = self._children[:count].copy()
            facts, ways = self._facts[:count].tolist(), self._ways[:count].tolist()
            node.children = [Node(kept[index], facts[index]) for index in range(count)]
            node.labels = [self._label(ordering, number, *way) for number, way in enumerate(ways)]
        return node.labels

    def _label(self, ordering: bool, number: int, card: int, target: int) -> Label:
        """Return the label of a way; equal ones are one object."""
        key = (ordering, number, card, target)
        label = self._labels.get(key)
        if label is None:
            if ordering:
                begin = layout.RULE_ORDERS + layout.MAX_PLAYERS * target
                text = "order " + " ".join(map(str, self._tables[begin : begin + NUM_PLAYERS].tolist()))
            else:
                text = "" if card < 0 else self.rules.card_name(card)
                text += "" if target < 0 else f">{target}"
            label = self._labels[key] = Label(number, card, text or "pass")
        return label


def all_deals(cards: Sequence[int], hand_size: int) -> Iterator[tuple[Cards, Cards]]:
    """All ways to deal two hands, the first one's in lexicographic order."""
    for first in combinations(cards, hand_size):
        rest = [card for card in cards if card not in first]
        for second in combinations(rest, hand_size):
            yield first, second

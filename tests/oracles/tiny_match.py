"""The explicit tree of a whole match with tiny decks: the oracle of everything that plays matches.

It knows the reference rules alone. Both players of one node choose in turn, the second without seeing.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import msgspec

from engine.ragers.reference import (
    CHANCE,
    NOTHING,
    State,
    chance_outcomes,
    deciders,
    drawing,
    is_over,
    legal_actions,
    observe,
    payoffs,
    start_match,
    step,
)
from engine.ragers.rules import TYPES, Rules, load_rules

#: What the players of a tiny match know in common besides the deck: two alike days.
COMMON = (
    "match.days=2",
    "match.hand_size=2",
    "match.row_length=2",
    "match.discards=0",
    "match.winning_lead=7",
)


def tiny_rules(deck: str, cheers: tuple[str, ...] = ()) -> Rules:
    """Rules of a match of two days under patrons that forbid nothing.

    Parameters
    ----------
    deck
        Names of the cards of each deck.
    cheers
        Ids of the cheers cards, in the order in which they are revealed.
    """
    cards = deck.split()
    copies = [f"cards.{name}.copies={cards.count(name)}" for name in TYPES]
    rules = load_rules(overrides=[*COMMON, *copies, "patrons.arianna.row_length=match"])
    free = next(patron for patron in rules.patrons if patron.id == "the-nameless")
    patrons = tuple(msgspec.structs.replace(free, id=f"p{n}", name=f"P{n}") for n in (0, 1))
    cards_to_meet = tuple(rules.cheers_card(name) for name in cheers)
    return msgspec.structs.replace(rules, cheers=cards_to_meet, patrons=patrons)


@dataclass(frozen=True)
class Node:
    """A state, what the first of two has chosen there, and a number for what each has seen on the way."""

    state: State
    pending: int | None = None
    seen: tuple[int, int] = (0, 0)


class TinyMatch:
    """A match as `solver.extensive.build_game` takes it."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._numbers: dict[tuple[int, object], int] = {}

    def _and(self, seen: int, what: object) -> int:
        """The number of what was seen and one thing more."""
        return self._numbers.setdefault((seen, what), len(self._numbers) + 1)

    def root(self) -> Node:
        """The match before the first draw, patrons in a fixed order."""
        return self._settled(Node(start_match(self.rules)))

    def _settled(self, node: Node) -> Node:
        """Go on while there is one outcome, or patrons that are all alike; note what is seen at decisions."""
        state = node.state
        while (outcomes := chance_outcomes(state)) and (len(outcomes) == 1 or drawing(state) is None):
            state = step(state, outcomes[0][0])
        if CHANCE in deciders(state) or is_over(state):
            return replace(node, state=state)
        seen = [self._and(node.seen[player], observe(state, player)) for player in (0, 1)]
        return replace(node, state=state, seen=(seen[0], seen[1]))

    def is_terminal(self, node: Node) -> bool:
        """Whether the match is over."""
        return is_over(node.state)

    def payoff(self, node: Node) -> int:
        """1 or -1 (M3)."""
        return int(payoffs(node.state)[0])

    def player(self, node: Node) -> int:
        """Who decides; the second of two once the first has chosen."""
        who = deciders(node.state)
        return who[1] if node.pending is not None else who[0]

    def infoset(self, node: Node) -> Hashable:
        """All that the decider has seen, and what it did itself."""
        return node.seen[self.player(node)]

    def actions(self, node: Node) -> Sequence[Hashable]:
        """Types."""
        return legal_actions(node.state, self.player(node))

    def chance_outcomes(self, node: Node) -> Sequence[tuple[Hashable, int]]:
        """Hands that a player may hold once it has drawn; in which order makes no difference."""
        return [(hand, weight) for hand, (_, weight) in _drawn(node.state).items()]

    def child(self, node: Node, action: Hashable) -> Node:
        """The node after an action or a drawn card."""
        who = deciders(node.state)
        if CHANCE in who:
            return self._settled(replace(node, state=_drawn(node.state)[action][0]))
        assert isinstance(action, int)
        player = self.player(node)
        seen = list(node.seen)
        seen[player] = self._and(seen[player], action)
        after = replace(node, seen=(seen[0], seen[1]))
        if len(who) == 2 and node.pending is None:
            return replace(after, pending=action)
        move = [NOTHING, NOTHING]
        move[player] = action
        if node.pending is not None:
            move[who[0]] = node.pending
        return self._settled(replace(after, state=step(node.state, (move[0], move[1])), pending=None))


def _drawn(state: State) -> dict[Hashable, tuple[State, int]]:
    """States in which a player has drawn all it is to draw, with weights, by the hand it holds then."""
    player = drawing(state)
    assert player is not None
    found: dict[Hashable, tuple[State, int]] = {}
    todo = [(state, 1)]
    while todo:
        before, weight = todo.pop()
        for card, copies in chance_outcomes(before):
            after = step(before, card)
            if drawing(after) == player and after.day == state.day and after.phase == state.phase:
                todo.append((after, weight * copies))
                continue
            hand = list(before.players[player].hand)
            hand[card] += 1
            known = found.get(tuple(hand))
            found[tuple(hand)] = (after, weight * copies + (0 if known is None else known[1]))
    return found

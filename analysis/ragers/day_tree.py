"""A single day as an explicit game tree, built from the reference rules alone; for tiny decks or known hands.

Nothing here knows of row automata or public states: hands are dealt, drawn and remembered card by card, and
each player's infosets hold everything it has ever seen (perfect recall). What the tree pays is the day's GP
difference. Solved by linear programming it is the oracle of every other way of solving a day, and what
`ragers export` writes for other people's solvers.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import product
from math import comb, prod
from typing import NamedTuple

from engine.ragers import reference
from engine.ragers.reference import NOTHING, Counts, Phase, State
from engine.ragers.reference_row import top_icon
from engine.ragers.rules import PLAYERS, TYPES, VETERAN, Rules
from solver.extensive import CHANCE

PREPARATIONS = ("none", "redraw", "seen")

Memory = tuple[Hashable, ...]


class Choice(int):
    """A card, or nothing: a number to programs, and to people what happens."""

    text: str

    def __new__(cls, action: int, text: str) -> Choice:
        choice = super().__new__(cls, action)
        choice.text = text
        return choice

    def __str__(self) -> str:
        return self.text


class Deal(tuple[int, ...]):
    """A hand dealt, by type, which reads as whose it is and what it holds."""

    player: int

    def __new__(cls, hand: Counts, player: int) -> Deal:
        deal = super().__new__(cls, hand)
        deal.player = player
        return deal

    def __str__(self) -> str:
        return f"{PLAYERS[self.player]} dealt {_cards(self)}"


class Recollection(tuple[Hashable, ...]):
    """All a player has seen, which reads as a story."""

    def __str__(self) -> str:
        return "; ".join(map(_event_text, self)) or "start"


class Node(NamedTuple):
    """A node of the tree. Hands are dealt first, then come the private exchanges, then the day itself.

    Attributes
    ----------
    memory : what each player has seen so far, in order.
    hands, decks : of the players dealt to so far, as long as the day has not begun.
    exchanged : players who are through with the exchange of the model `redraw`.
    returning : the card the next one of them will shuffle back after its draw.
    state : the day in the reference, None before it begins.
    chosen : what player 0 has just done where both act at once.
    """

    memory: tuple[Memory, Memory] = ((), ())
    hands: tuple[Counts, ...] = ()
    decks: tuple[Counts, ...] = ()
    exchanged: int = 0
    returning: int | None = None
    state: State | None = None
    chosen: int | None = None


class DayTree:
    """A day under one patron with the given cheers cards, as a `GameSource` of `solver.extensive`.

    Moves without an alternative are carried out at once. So is, unless `whole`, the first way of many where
    the day's GP depend on none of them any more: draws and a Deadeye's further card once a row is full (I2).

    Parameters
    ----------
    preparation : which model of M2.
        ``"none"``: there is none. ``"redraw"``: each player may put one card aside, draws, and shuffles
        the card back, all unseen; without a card to draw there is no exchange. ``"seen"``: the rulebook's.
    start : a state of a day in the reference to begin in, instead of the deal; both players know all of it.
    """

    def __init__(
        self,
        rules: Rules,
        patron: str,
        cheers: Sequence[str],
        preparation: str = "none",
        *,
        whole: bool = False,
        start: State | None = None,
    ) -> None:
        if preparation not in PREPARATIONS:
            raise ValueError(f"preparation must be one of {PREPARATIONS}, got {preparation!r}")
        self.rules = rules
        self.patron = patron
        self.cheers = tuple(cheers)
        self.seen = preparation == "seen"
        self.exchange = preparation == "redraw" and rules.match.discards > 0
        self.whole = whole
        self.start = start

    def least_nodes(self) -> int:
        """Return a number of nodes that the tree surely has: quickly, and for whole decks far too few.

        Counted are the ways of the deal, of the first placements and of the draws after these.
        """
        if self.start is not None:
            return 1
        banned = self.rules.patron(self.patron).forbidden
        ways = []
        for side in range(2):
            copies = [card.copies[side] for card in self.rules.cards]
            count = 0
            for hand in _hands(copies, self.rules.match.hand_size):
                placed = sum(1 for card, n in enumerate(hand) if n and TYPES[card] not in banned)
                drawn = sum(1 for n, most in zip(hand, copies, strict=True) if n < most)
                count += max(placed, 1) * (max(drawn, 1) if placed else 1)
            ways.append(count)
        return ways[0] * ways[1]

    def root(self) -> Node:
        return self._settle(Node(state=self.start))

    def is_terminal(self, node: Node) -> bool:
        return node.state is not None and reference.is_over(node.state)

    def payoff(self, node: Node) -> int:
        assert node.state is not None
        first, second = reference.scores(node.state)
        return first - second

    def player(self, node: Node) -> int:
        if node.state is not None:
            deciders = reference.deciders(node.state)
            return deciders[-1] if node.chosen is not None else deciders[0]
        if len(node.hands) < 2 or node.returning is not None:
            return CHANCE
        return node.exchanged

    def infoset(self, node: Node) -> Hashable:
        return Recollection(node.memory[self.player(node)])

    def actions(self, node: Node) -> Sequence[int]:
        if node.state is not None:
            phase = node.state.phase
            legal = reference.legal_actions(node.state, self.player(node))
            return [Choice(action, _action_text(phase, action)) for action in legal]
        ways = (*_types(node.hands[node.exchanged]), NOTHING)
        return [Choice(card, _aside_text(card)) for card in ways]

    def chance_outcomes(self, node: Node) -> Sequence[tuple[Hashable, int]]:
        if node.state is not None:
            player = reference.drawing(node.state)
            assert player is not None
            return [(_draw(player, card), ways) for card, ways in reference.chance_outcomes(node.state)]
        if node.returning is not None:
            deck = node.decks[node.exchanged]
            return [(_draw(node.exchanged, card), deck[card]) for card in _types(deck)]
        copies = [card.copies[len(node.hands)] for card in self.rules.cards]
        hands = _hands(copies, self.rules.match.hand_size)
        return [(Deal(hand, len(node.hands)), prod(map(comb, copies, hand))) for hand in hands]

    def child(self, node: Node, action: Hashable) -> Node:
        return self._settle(self._step(node, action))

    def _step(self, node: Node, action: Hashable) -> Node:
        """The node after one action or outcome, whatever may then be forced."""
        if node.state is None:
            return self._prepare(node, action)
        assert isinstance(action, int)
        deciders = reference.deciders(node.state)
        if deciders == (CHANCE,):
            drawing = reference.drawing(node.state)
            assert drawing is not None
            state = reference.step(node.state, action)
            return node._replace(state=state, memory=_remember(node.memory, drawing, ("draws", action)))
        if deciders == (0, 1) and node.chosen is None:
            return node._replace(chosen=action)
        if deciders == (0, 1):
            assert node.chosen is not None
            move = (node.chosen, action)
        else:
            move = (action, NOTHING) if deciders == (0,) else (NOTHING, action)
        memory = node.memory
        for player in (0, 1):
            # A Deadeye's further card is seen by its owner only (I1); everything else is revealed.
            hidden = node.state.phase == Phase.DEADEYE
            opp = move[1 - player]
            seen = (opp == NOTHING) if hidden else opp
            memory = _remember(memory, player, (node.state.phase.name, move[player], seen))
        return node._replace(state=reference.step(node.state, move), chosen=None, memory=memory)

    def _prepare(self, node: Node, action: Hashable) -> Node:
        """Deals, and the exchanges of the model `redraw`."""
        player = len(node.hands)
        if player < 2:
            assert isinstance(action, tuple)
            deck = tuple(card.copies[player] - n for card, n in zip(self.rules.cards, action, strict=True))
            return node._replace(
                hands=(*node.hands, action),
                decks=(*node.decks, deck),
                memory=_remember(node.memory, player, ("dealt", action)),
            )
        assert isinstance(action, int)
        player = node.exchanged
        if node.returning is None:
            memory = _remember(node.memory, player, ("puts aside", action))
            if action == NOTHING:
                return node._replace(memory=memory, exchanged=player + 1)
            return node._replace(memory=memory, returning=action)
        hands, decks = list(node.hands), list(node.decks)
        for card, change in ((action, 1), (node.returning, -1)):
            hands[player] = _changed(hands[player], card, change)
            decks[player] = _changed(decks[player], card, -change)
        return node._replace(
            hands=tuple(hands),
            decks=tuple(decks),
            exchanged=player + 1,
            returning=None,
            memory=_remember(node.memory, player, ("draws", action)),
        )

    def _settle(self, node: Node) -> Node:
        """Carry out what leaves no choice, up to a node with two ways at least or the end of the day."""
        while not self.is_terminal(node):
            if node.state is None and len(node.hands) == 2 and node.returning is None:
                if self.exchange and node.exchanged < 2:
                    if sum(node.decks[node.exchanged]):
                        break
                    node = node._replace(exchanged=node.exchanged + 1)
                    continue
                state = reference.start_day(
                    self.rules,
                    self.patron,
                    self.cheers,
                    preparation=self.seen,
                    decks=(node.decks[0], node.decks[1]),
                    hands=(node.hands[0], node.hands[1]),
                )
                node = node._replace(state=state, hands=(), decks=())
                continue
            if self.player(node) == CHANCE:
                ways: list[Hashable] = [outcome for outcome, _ in self.chance_outcomes(node)]
            else:
                ways = list(self.actions(node))
            decided = not self.whole and node.state is not None and _decided(node.state)
            if len(ways) > 1 and not decided:
                break
            node = self._step(node, ways[0])
        return node


def _hands(copies: Sequence[int], hand_size: int) -> list[Counts]:
    """Every hand that can be dealt from a deck; one smaller than a hand is dealt whole."""
    size = min(hand_size, sum(copies))
    return [hand for hand in product(*(range(n + 1) for n in copies)) if sum(hand) == size]


def _decided(state: State) -> bool:
    """Whether a row is full and no card can be added to those that count (K2, K8)."""
    limit = reference.row_limit(state)
    if all(player.row_length < limit for player in state.players):
        return False
    return all(top_icon(player.slot) != VETERAN for player in state.players)


def _remember(memory: tuple[Memory, Memory], player: int, event: Hashable) -> tuple[Memory, Memory]:
    first, second = memory
    return ((*first, event), second) if player == 0 else (first, (*second, event))


def _types(cards: Counts) -> list[int]:
    return [card for card, number in enumerate(cards) if number]


def _changed(cards: Counts, card: int, change: int) -> Counts:
    return (*cards[:card], cards[card] + change, *cards[card + 1 :])


def _draw(player: int, card: int) -> Choice:
    return Choice(card, f"{PLAYERS[player]} draw {TYPES[card]}")


def _name(action: Hashable) -> str:
    assert isinstance(action, int)
    return "nothing" if action == NOTHING else TYPES[action]


def _cards(hand: Sequence[int]) -> str:
    """The cards of a hand, by type, in words."""
    held = [(TYPES[card], count) for card, count in enumerate(hand) if count]
    names = [name if count == 1 else f"{name} x {count}" for name, count in held]
    return ", ".join(names) or "nothing"


def _aside_text(card: Hashable) -> str:
    return "keeps all" if card == NOTHING else f"puts {_name(card)} aside"


def _action_text(phase: Phase, action: int) -> str:
    if phase == Phase.PREPARE:
        return "keeps all" if action == NOTHING else f"discards {_name(action)}"
    return _name(action)


def _event_text(event: Hashable) -> str:
    """What a player remembers, in words."""
    assert isinstance(event, tuple)
    kind, own = event[0], event[1]
    if kind == "dealt":
        return f"dealt {_cards(own)}"
    if kind == "draws":
        return f"draws {_name(own)}"
    if kind == "puts aside":
        return _aside_text(own)
    if kind == Phase.DEADEYE.name:
        # Of the other player's card only whether there is one.
        return f"hidden {_name(own)} against {'nothing' if event[2] else 'a card'}"
    against = f"{_name(own)} against {_name(event[2])}"
    return {Phase.PREPARE.name: "discards ", Phase.VETERAN.name: "on top "}.get(kind, "") + against

"""Gambit's `.efg` files: read into a tree of any number of players, and solved as far as this package goes.

The format is described in Gambit's documentation, "The extensive game (.efg) file format".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from solver.constant_sum import ConstantSum, constant_sum
from solver.extensive import CHANCE, TERMINAL, ExtensiveGame, build_game
from solver.gambit_tokens import (
    CLOSE,
    END,
    OPEN,
    STRING,
    WORD,
    GeneralSumError,
    Token,
    Tokens,
    UnsupportedGameError,
    described,
    header,
    numbered_if_equal,
)

# Some programs write 1/3 as a decimal; what is off by less counts as rounded, and is taken in proportion.
PROBABILITY_ROUNDING = Fraction(1, 10**9)


@dataclass
class TreeNode:
    """A node as the file has it.

    Attributes
    ----------
    player : from 0, `CHANCE` or `TERMINAL`.
    infoset : its number in the file, of its player or of chance; 0 at the end of a play.
    labels : of the branches, made different where the file has equal ones.
    weights : of the branches of a chance node.
    payoffs : of each player, summed on the way here.
    children : numbers of nodes.
    """

    player: int
    infoset: int
    payoffs: tuple[Fraction, ...]
    labels: tuple[str, ...] = ()
    weights: tuple[Fraction, ...] = ()
    children: list[int] = field(default_factory=list)


@dataclass
class GameTree:
    """A game of an `.efg` file.

    Attributes
    ----------
    title, players : as the file names them.
    nodes : from the root on, in the order of the file.
    infoset_names : by player and number, all different for a player; not those of chance.
    """

    title: str
    players: list[str]
    nodes: list[TreeNode]
    infoset_names: dict[tuple[int, int], str]


def parse_efg(text: str, *, max_nodes: int = 5_000_000) -> GameTree:
    """Read a game.

    Raises
    ------
    GambitFormatError
        If the text is no `.efg` file; says where.
    MemoryError
        If it has more than `max_nodes` nodes.
    """
    return _Parser(text, max_nodes).game


class _Parser:
    def __init__(self, text: str, max_nodes: int) -> None:
        self._tokens = Tokens(text)
        title, players = header(self._tokens, "EFG", 2)
        # What is far too large is known before a node is read: hardly a label ends like the beginning of one.
        if sum(text.count(f'{blank}{kind} "') for blank in " \n\t" for kind in "cpt") > max_nodes:
            raise MemoryError(f"the game tree has more than {max_nodes} nodes")
        if self._tokens.next.kind == STRING:
            self._tokens.take()
        self._num_players = len(players)
        self._labels: dict[tuple[int, int], tuple[str, ...]] = {}
        self._weights: dict[int, tuple[Fraction, ...]] = {}
        self._names: dict[tuple[int, int], str] = {}
        self._outcomes: dict[int, tuple[Fraction, ...]] = {0: (Fraction(0),) * len(players)}
        nodes: list[TreeNode] = []
        # Nodes whose branches are still to be read, with how many.
        waiting: list[tuple[int, int]] = []
        while True:
            if len(nodes) >= max_nodes:
                raise MemoryError(f"the game tree has more than {max_nodes} nodes")
            parent = waiting[-1][0] if waiting else None
            if self._tokens.next.kind == END:
                missing = sum(count for _, count in waiting)
                rest = f": {missing} branches lead nowhere" if waiting else ""
                self._tokens.fail(f"the file ends before the tree does{rest}")
            node = self._node(self._outcomes[0] if parent is None else nodes[parent].payoffs)
            if parent is not None:
                nodes[parent].children.append(len(nodes))
                waiting[-1] = (parent, waiting[-1][1] - 1)
                if waiting[-1][1] == 0:
                    waiting.pop()
            if node.labels:
                waiting.append((len(nodes), len(node.labels)))
            nodes.append(node)
            if not waiting:
                break
        if self._tokens.next.kind != END:
            self._tokens.fail(f"the tree is finished, but {described(self._tokens.next)} follows")
        self.game = GameTree(title, players, nodes, _distinct_names(self._labels, self._names))

    def _node(self, before: tuple[Fraction, ...]) -> TreeNode:
        tokens = self._tokens
        first = tokens.take()
        if first.kind != WORD or first.text not in ("c", "p", "t"):
            tokens.fail(f"expected a node ('c', 'p' or 't'), found {described(first)}", first)
        tokens.string("the label of the node")
        if first.text == "t":
            return TreeNode(TERMINAL, 0, self._outcome(before))
        player = CHANCE
        if first.text == "p":
            number = tokens.next
            player = tokens.whole("the number of a player, from 1", 1) - 1
            if player >= self._num_players:
                tokens.fail(
                    f"there are {self._num_players} players, and this is player {number.text}", number
                )
        number = tokens.next
        infoset = tokens.whole("the number of an infoset, from 1", 1)
        self._infoset(player, infoset, number)
        weights = self._weights[infoset] if player == CHANCE else ()
        return TreeNode(player, infoset, self._outcome(before), self._labels[player, infoset], weights)

    def _infoset(self, player: int, infoset: int, number: Token) -> None:
        """Read what a node says of its infoset: all of it, or, if it is known, its name alone or nothing."""
        tokens = self._tokens
        known = self._labels.get((player, infoset))
        named = tokens.next
        if named.kind == STRING:
            tokens.take()
            self._names.setdefault((player, infoset), named.text)
        if tokens.next.kind != OPEN:
            if known is None:
                tokens.fail(f"infoset {number.text} is mentioned before it is described", number)
            return
        opening = tokens.take()
        labels, weights = [], []
        while tokens.next.kind != CLOSE:
            labels.append(tokens.string("the name of a branch, or '}'"))
            if player == CHANCE:
                place = tokens.next
                weights.append(tokens.number("a probability"))
                if weights[-1] < 0:
                    tokens.fail("a probability below 0", place)
        tokens.take()
        if not labels:
            tokens.fail("an infoset without branches", opening)
        if player == CHANCE:
            total = sum(weights, Fraction(0))
            if abs(total - 1) > PROBABILITY_ROUNDING:
                shown = total if total.denominator < 10**6 else float(total)
                tokens.fail(f"the probabilities sum to {shown} instead of 1", opening)
            self._weights[infoset] = tuple(weights)
        elif known is not None and known != tuple(numbered_if_equal(labels)):
            tokens.fail(f"infoset {number.text} has other branches here than before", opening)
        self._labels[player, infoset] = tuple(numbered_if_equal(labels))

    def _outcome(self, before: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """Read an outcome, and return what all players have by then."""
        tokens = self._tokens
        number = tokens.next
        outcome = tokens.whole("the number of an outcome")
        if tokens.next.kind == STRING:
            tokens.take()
            if tokens.next.kind != OPEN:
                tokens.fail(f"expected '{{' before the payoffs, found {described(tokens.next)}")
        if tokens.next.kind == OPEN:
            opening = tokens.take()
            payoffs = []
            while tokens.next.kind != CLOSE:
                payoffs.append(tokens.number("a payoff, or '}'"))
            tokens.take()
            if len(payoffs) != self._num_players:
                tokens.fail(f"{len(payoffs)} payoffs for {self._num_players} players", opening)
            if outcome == 0:
                tokens.fail("outcome 0 pays nothing, and payoffs follow", number)
            if self._outcomes.setdefault(outcome, tuple(payoffs)) != tuple(payoffs):
                tokens.fail(f"outcome {outcome} pays something else here than before", opening)
        elif outcome not in self._outcomes:
            tokens.fail(f"outcome {outcome} is mentioned before its payoffs are given", number)
        pays = self._outcomes[outcome]
        return tuple(a + b for a, b in zip(before, pays, strict=True)) if outcome else before


def _distinct_names(
    labels: dict[tuple[int, int], tuple[str, ...]], names: dict[tuple[int, int], str]
) -> dict[tuple[int, int], str]:
    """Name the infosets of players as the file does; by number where that is empty or not unique."""
    result: dict[tuple[int, int], str] = {}
    for player in sorted({player for player, _ in labels if player != CHANCE}):
        infosets = [infoset for owner, infoset in labels if owner == player]
        given = {infoset: names.get((player, infoset), "") for infoset in infosets}
        counts = Counter(given.values())
        own = {
            infoset: f"infoset {infoset}" if not name else f"{infoset}: {name}" if counts[name] > 1 else name
            for infoset, name in given.items()
        }
        if len(set(own.values())) < len(own):  # a name that looks like another one's number
            own = {infoset: f"{infoset}: {name}" for infoset, name in given.items()}
        result |= {(player, infoset): name for infoset, name in own.items()}
    return result


class _TreeSource:
    """A two-player tree with one player's payoffs as a `GameSource`: states are numbers of nodes."""

    def __init__(self, tree: GameTree, payee: int) -> None:
        self._tree = tree
        self._nodes = tree.nodes
        self._payee = payee

    def root(self) -> int:
        return 0

    def is_terminal(self, state: int) -> bool:
        return self._nodes[state].player == TERMINAL

    def payoff(self, state: int) -> Fraction:
        return self._nodes[state].payoffs[self._payee]

    def player(self, state: int) -> int:
        return self._nodes[state].player

    def infoset(self, state: int) -> Hashable:
        node = self._nodes[state]
        return self._tree.infoset_names[node.player, node.infoset]

    def actions(self, state: int) -> Sequence[Hashable]:
        return self._nodes[state].labels

    def chance_outcomes(self, state: int) -> Sequence[tuple[Hashable, Fraction]]:
        """What cannot happen is left out, with all that lies behind it."""
        node = self._nodes[state]
        return [(label, weight) for label, weight in zip(node.labels, node.weights, strict=True) if weight]

    def child(self, state: int, action: Hashable) -> int:
        node = self._nodes[state]
        return node.children[node.labels.index(str(action))]


def constant_sum_game(tree: GameTree, *, max_nodes: int = 5_000_000) -> tuple[ExtensiveGame, ConstantSum]:
    """Return a tree as a game of player 0's payoffs, and what both players' payoffs sum to.

    Raises
    ------
    GeneralSumError
        If their payoffs do not sum to a constant.
    UnsupportedGameError
        If there are not two players.
    MalformedGameError
        If players forget what they knew or did; names the infoset.
    """
    _check_two(tree)
    found = constant_sum(node.payoffs for node in tree.nodes if node.player == TERMINAL)
    if found is None:
        sums = {sum(node.payoffs, Fraction(0)) for node in tree.nodes if node.player == TERMINAL}
        raise GeneralSumError(
            f"the payoffs of the two players sum to {min(sums)} at one end and to {max(sums)} at another"
        )
    return build_game(_TreeSource(tree, 0), max_nodes=max_nodes), found


def general_sum_games(tree: GameTree, *, max_nodes: int = 5_000_000) -> tuple[ExtensiveGame, ExtensiveGame]:
    """Return a tree as two games of the same shape: what player 0 gets, and what player 1 gets.

    Raises
    ------
    UnsupportedGameError, MalformedGameError
        As for :func:`constant_sum_game`.
    """
    _check_two(tree)
    first, second = (build_game(_TreeSource(tree, payee), max_nodes=max_nodes) for payee in (0, 1))
    return first, second


def _check_two(tree: GameTree) -> None:
    if len(tree.players) != 2:
        raise UnsupportedGameError(f"this game has {len(tree.players)} players; only games of two are solved")

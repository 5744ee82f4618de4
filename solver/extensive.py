"""Explicit two-player zero-sum games with perfect recall, as flat arrays.

A game is described by a small recursive source (`GameSource`) and unfolded once by `build_game` into an
`ExtensiveGame`: every node, infoset and action gets a number, and all solvers of this package
(`sequence_form`, `tree_cfr`, `tree_best_response`) and the Gambit export (`gambit`) work on those numbers
alone.

Simultaneous moves become two nodes: the first player's, then the second player's, whose infoset key does not
tell what the first one just did.

Letters used for shapes: N nodes, I infosets, Q slots (a slot is one action of one infoset), D levels of the
tree.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

CHANCE = -1
TERMINAL = -2
NONE = -1

Number = int | float | Fraction
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]

State = TypeVar("State")

# Probabilities handed in by a caller may carry rounding of this size per infoset, not more.
PROBABILITY_TOLERANCE = 1e-9


class MalformedGameError(ValueError):
    """The source describes no two-player game with perfect recall; the message names the offending
    infoset."""


class GameSource(Protocol[State]):
    """What a game must tell about its states; states may be any objects and are never compared.

    `infoset` need only be unique per player. Two states with the same player and key must offer the same
    actions in the same order. Chance outcomes carry weights (integers, fractions or floats above 0);
    probabilities are the weights divided by their sum, exactly.
    """

    def root(self) -> State:
        """Return the state in which the game begins."""

    def is_terminal(self, state: State) -> bool:
        """Tell whether the game is over."""

    def payoff(self, state: State) -> Number:
        """Return the payoff of player 0 in a terminal state; player 1 gets its negative."""

    def player(self, state: State) -> int:
        """Return who decides: 0, 1 or `CHANCE`."""

    def infoset(self, state: State) -> Hashable:
        """Return all the deciding player knows and remembers."""

    def actions(self, state: State) -> Sequence[Hashable]:
        """Return the labels of the deciding player's actions, at least one, all different."""

    def chance_outcomes(self, state: State) -> Sequence[tuple[Hashable, Number]]:
        """Return the labels and weights of the outcomes of a chance node, all labels different."""

    def child(self, state: State, action: Hashable) -> State:
        """Return the state after an action or a chance outcome."""


@dataclass(frozen=True, eq=False)
class ExtensiveGame:
    """A two-player zero-sum game tree with perfect recall. Treat the arrays as read-only.

    Nodes are numbered level by level from the root (node 0), siblings side by side, so a parent always comes
    before its children. Infosets of player 0 come first, then those of player 1; within a player an infoset
    comes after every infoset its owner must have passed to get there. The slots of an infoset are side by
    side.

    Attributes
    ----------
    node_player : [N] int8
        0, 1, `CHANCE` or `TERMINAL`.
    parent, first_child, num_children : [N] int32
        The tree; the root's parent is `NONE`. The children of n begin at first_child[n].
    node_infoset : [N] int32
        Infoset of a decision node, `NONE` elsewhere.
    incoming_slot : [N] int32
        The slot played to get here from the parent, `NONE` at the root and below chance nodes.
    last_slot : [2, N] int32
        The last slot each player has played on the way here, this node's incoming one included; `NONE` if
        none.
    chance_probability : [N] float64
        Probability of the outcome leading here if the parent is a chance node, else 1.
    chance_reach : [N] float64
        Product of `chance_probability` from the root to here.
    payoff : [N] float64
        Payoff of player 0 at terminal nodes, 0 elsewhere.
    level_start : [D + 1] int64
        Nodes of level d are level_start[d] .. level_start[d + 1] - 1.
    infoset_player : [I] int8
    parent_slot : [I] int32
        The owner's last slot before the infoset, `NONE` if it is its first decision.
    first_slot : [I + 1] int32
        Slots of infoset i are first_slot[i] .. first_slot[i + 1] - 1.
    slot_infoset : [Q] int32
    first_infoset_of : tuple of 3 ints
        Player p owns the infosets first_infoset_of[p] .. first_infoset_of[p + 1] - 1.
    first_slot_of : tuple of 3 ints
        Player p owns the slots first_slot_of[p] .. first_slot_of[p + 1] - 1.
    infoset_keys, slot_labels, node_labels : tuples of length I, Q, N
        The source's keys and labels; node_labels[n] is the action or outcome that led to n (`None` at the
        root).
    exact_chance, exact_payoff : tuples of Fraction of length N
        The same as `chance_probability` and `payoff`, without rounding.
    """

    node_player: npt.NDArray[np.int8]
    parent: IntArray
    first_child: IntArray
    num_children: IntArray
    node_infoset: IntArray
    incoming_slot: IntArray
    last_slot: IntArray
    chance_probability: FloatArray
    chance_reach: FloatArray
    payoff: FloatArray
    level_start: npt.NDArray[np.int64]
    infoset_player: npt.NDArray[np.int8]
    parent_slot: IntArray
    first_slot: IntArray
    slot_infoset: IntArray
    first_infoset_of: tuple[int, int, int]
    first_slot_of: tuple[int, int, int]
    infoset_keys: tuple[Hashable, ...]
    slot_labels: tuple[Hashable, ...]
    node_labels: tuple[Hashable, ...]
    exact_chance: tuple[Fraction, ...]
    exact_payoff: tuple[Fraction, ...]

    @property
    def num_nodes(self) -> int:
        """Number of nodes, N."""
        return len(self.node_player)

    @property
    def num_infosets(self) -> int:
        """Number of infosets of both players, I."""
        return len(self.infoset_player)

    @property
    def num_slots(self) -> int:
        """Number of (infoset, action) pairs of both players, Q."""
        return len(self.slot_infoset)

    @cached_property
    def terminals(self) -> npt.NDArray[np.int64]:
        """Numbers of the terminal nodes, ascending, [L]."""
        return np.flatnonzero(self.node_player == TERMINAL)

    @cached_property
    def terminal_weight(self) -> FloatArray:
        """Payoff of player 0 times `chance_reach` at the terminal nodes, [L]."""
        return self.payoff[self.terminals] * self.chance_reach[self.terminals]

    @cached_property
    def terminal_slots(self) -> IntArray:
        """`last_slot` of both players at the terminal nodes, [2, L]."""
        return np.ascontiguousarray(self.last_slot[:, self.terminals])

    def infoset(self, player: int, key: Hashable) -> int:
        """Return the number of an infoset. O(I). Raises KeyError if the player has no such infoset."""
        begin, end = self.first_infoset_of[player], self.first_infoset_of[player + 1]
        for index in range(begin, end):
            if self.infoset_keys[index] == key:
                return index
        raise KeyError(f"player {player} has no infoset {key!r}")


_FRACTION_ZERO = Fraction(0)
_FRACTION_ONE = Fraction(1)


def build_game(source: GameSource[State], *, max_nodes: int = 5_000_000) -> ExtensiveGame:
    """Unfold a source into flat arrays and check it.

    Checked: players, at least one action per decision, the same distinct actions in all states of an infoset,
    weights above 0, perfect recall. Takes a few microseconds per node beyond what the source itself takes.

    Parameters
    ----------
    source : GameSource
        Asked once per state and per action.
    max_nodes : int
        Limit on the size of the tree.

    Raises
    ------
    MalformedGameError
        If a check fails.
    MemoryError
        If the tree has more than `max_nodes` nodes.
    """
    node_player: list[int] = []
    parent: list[int] = [NONE]
    first_child: list[int] = []
    num_children: list[int] = []
    node_infoset: list[int] = []
    incoming_slot: list[int] = [NONE]
    last_slot: tuple[list[int], list[int]] = ([NONE], [NONE])
    node_labels: list[Hashable] = [None]
    exact_chance: list[Fraction] = [_FRACTION_ONE]
    exact_payoff: list[Fraction] = []
    level_start: list[int] = [0]

    infoset_of: dict[tuple[int, Hashable], int] = {}
    infoset_actions: list[tuple[Hashable, ...]] = []
    parent_slot: list[int] = []
    first_slot: list[int] = [0]
    slot_labels: list[Hashable] = []
    exact_of_weights: dict[tuple[Number, ...], tuple[Fraction, ...]] = {}

    def visit_infoset(state: State, player: int, node: int) -> tuple[int, tuple[Hashable, ...]]:
        key = source.infoset(state)
        actions = tuple(source.actions(state))
        own_last = last_slot[player][node]
        known = infoset_of.get((player, key))
        if known is None:
            if not actions or len(set(actions)) != len(actions):
                raise MalformedGameError(
                    f"player {player} infoset {key!r}: actions must be at least one and all different, "
                    f"got {actions!r}"
                )
            known = len(infoset_actions)
            infoset_of[(player, key)] = known
            infoset_actions.append(actions)
            parent_slot.append(own_last)
            slot_labels.extend(actions)
            first_slot.append(len(slot_labels))
            return known, actions
        if infoset_actions[known] != actions:
            raise MalformedGameError(
                f"player {player} infoset {key!r}: offers {infoset_actions[known]!r} in one state "
                f"and {actions!r} in another"
            )
        # Equal last own slots everywhere are all there is to perfect recall: by induction along the path the
        # owner's whole sequences of infosets and actions are then equal too.
        if parent_slot[known] != own_last:
            raise MalformedGameError(
                f"player {player} infoset {key!r}: joins states with different pasts of its owner "
                "(imperfect recall)"
            )
        return known, actions

    level: list[State] = [source.root()]
    while level:
        begin = level_start[-1]
        level_start.append(begin + len(level))
        next_level: list[State] = []
        for offset, state in enumerate(level):
            node = begin + offset
            child_number = level_start[-1] + len(next_level)
            if source.is_terminal(state):
                node_player.append(TERMINAL)
                node_infoset.append(NONE)
                first_child.append(child_number)
                num_children.append(0)
                exact_payoff.append(Fraction(source.payoff(state)))
                continue
            exact_payoff.append(_FRACTION_ZERO)
            player = source.player(state)
            node_player.append(player)
            first_child.append(child_number)
            if player == CHANCE:
                node_infoset.append(NONE)
                outcomes = source.chance_outcomes(state)
                labels = tuple(label for label, _ in outcomes)
                probabilities = _normalise(tuple(weight for _, weight in outcomes), exact_of_weights)
                slot = NONE
                step = 0
            elif player in (0, 1):
                infoset, labels = visit_infoset(state, player, node)
                node_infoset.append(infoset)
                probabilities = (_FRACTION_ONE,) * len(labels)
                slot = first_slot[infoset]
                step = 1
            else:
                raise MalformedGameError(f"player must be 0, 1 or CHANCE, got {player!r}")
            num_children.append(len(labels))
            for label, probability in zip(labels, probabilities, strict=True):
                next_level.append(source.child(state, label))
                parent.append(node)
                incoming_slot.append(slot)
                last_slot[0].append(slot if player == 0 else last_slot[0][node])
                last_slot[1].append(slot if player == 1 else last_slot[1][node])
                node_labels.append(label)
                exact_chance.append(probability)
                slot += step
            if len(parent) > max_nodes:
                raise MemoryError(
                    f"the game tree has more than {max_nodes} nodes; raise max_nodes or shrink the game"
                )
        level = next_level

    infoset_player = np.array([player for player, _ in infoset_of], dtype=np.int8)
    chance_probability = np.array([float(p) for p in exact_chance], dtype=np.float64)
    parents = np.array(parent, dtype=np.int32)
    levels = np.array(level_start, dtype=np.int64)
    infoset_order, slot_order = _players_apart(infoset_player, np.array(first_slot, dtype=np.int64))
    # A last entry that maps NONE to NONE: index -1 picks it.
    new_infoset = np.full(len(infoset_order) + 1, NONE, dtype=np.int32)
    new_infoset[infoset_order] = np.arange(len(infoset_order), dtype=np.int32)
    new_slot = np.full(len(slot_order) + 1, NONE, dtype=np.int32)
    new_slot[slot_order] = np.arange(len(slot_order), dtype=np.int32)
    slot_starts = np.array(first_slot, dtype=np.int64)
    slot_counts = (slot_starts[1:] - slot_starts[:-1])[infoset_order]
    first_slots = np.concatenate(([0], np.cumsum(slot_counts))).astype(np.int32)
    num_own = int(np.count_nonzero(infoset_player == 0))
    keys = tuple(key for _, key in infoset_of)
    return ExtensiveGame(
        node_player=np.array(node_player, dtype=np.int8),
        parent=parents,
        first_child=np.array(first_child, dtype=np.int32),
        num_children=np.array(num_children, dtype=np.int32),
        node_infoset=new_infoset[np.array(node_infoset, dtype=np.int64)],
        incoming_slot=new_slot[np.array(incoming_slot, dtype=np.int64)],
        last_slot=new_slot[np.array(last_slot, dtype=np.int64)],
        chance_probability=chance_probability,
        chance_reach=_products_down(parents, levels, chance_probability),
        payoff=_rounded(exact_payoff),
        level_start=levels,
        infoset_player=infoset_player[infoset_order],
        parent_slot=new_slot[np.array(parent_slot, dtype=np.int64)[infoset_order]],
        first_slot=first_slots,
        slot_infoset=np.repeat(np.arange(len(slot_counts), dtype=np.int32), slot_counts),
        first_infoset_of=(0, num_own, len(infoset_order)),
        first_slot_of=(0, int(first_slots[num_own]), len(slot_order)),
        infoset_keys=tuple(keys[i] for i in infoset_order),
        slot_labels=tuple(slot_labels[s] for s in slot_order),
        node_labels=tuple(node_labels),
        exact_chance=tuple(exact_chance),
        exact_payoff=tuple(exact_payoff),
    )


def uniform_strategy(game: ExtensiveGame) -> FloatArray:
    """Return the [Q] float64 behaviour strategy of both players that plays all actions equally often."""
    num_actions = np.bincount(game.slot_infoset, minlength=1)
    return 1.0 / num_actions[game.slot_infoset]


def average_strategy(game: ExtensiveGame, sums: FloatArray) -> FloatArray:
    """Return the behaviour strategy [Q] in proportion to sums [Q] of at least 0; uniform where all are 0."""
    strategy = uniform_strategy(game)
    total = np.bincount(game.slot_infoset, sums, game.num_infosets)[game.slot_infoset]
    reached = total > 0.0
    strategy[reached] = sums[reached] / total[reached]
    return strategy


def check_strategy(game: ExtensiveGame, strategy: npt.ArrayLike) -> FloatArray:
    """Return a behaviour strategy of both players as [Q] float64. Raises ValueError if it is none."""
    probabilities = np.asarray(strategy, dtype=np.float64)
    if probabilities.shape != (game.num_slots,):
        raise ValueError(f"a strategy of this game has shape ({game.num_slots},), got {probabilities.shape}")
    if game.num_slots == 0:
        return probabilities
    # Written so that nan fails as well.
    if not bool(np.all(probabilities >= 0.0)):
        raise ValueError("a strategy must hold probabilities of at least 0")
    totals = np.add.reduceat(probabilities, game.first_slot[:-1])
    worst = int(np.argmax(np.abs(totals - 1.0)))
    if not abs(float(totals[worst]) - 1.0) <= PROBABILITY_TOLERANCE:
        raise ValueError(
            f"the probabilities at infoset {game.infoset_keys[worst]!r} of player "
            f"{game.infoset_player[worst]} sum to {totals[worst]!r} instead of 1"
        )
    return probabilities


def expected_payoff(game: ExtensiveGame, strategy: npt.ArrayLike) -> float:
    """Return player 0's expected payoff when both follow a [Q] float64 behaviour strategy. O(N)."""
    return float(_reach(game, check_strategy(game, strategy)) @ game.payoff)


def infoset_reach(game: ExtensiveGame, strategy: npt.ArrayLike) -> FloatArray:
    """Return how likely both reach each infoset by a [Q] strategy, chance included, [I] float64. O(N)."""
    reach = _reach(game, check_strategy(game, strategy))
    decisions = game.node_infoset != NONE
    return np.bincount(
        game.node_infoset[decisions], weights=reach[decisions], minlength=game.num_infosets
    ).astype(np.float64)


def _reach(game: ExtensiveGame, probabilities: FloatArray) -> FloatArray:
    """Return how likely each node is reached under a checked strategy, [N]."""
    step = game.chance_probability.copy()
    played = game.incoming_slot != NONE
    step[played] = probabilities[game.incoming_slot[played]]
    return _products_down(game.parent, game.level_start, step)


def _rounded(exact_payoff: list[Fraction]) -> FloatArray:
    try:
        return np.array([float(payoff) for payoff in exact_payoff], dtype=np.float64)
    except OverflowError:
        raise MalformedGameError("a payoff is beyond what float64 can hold (some 1.8e308)") from None


def _normalise(
    weights: tuple[Number, ...], seen: dict[tuple[Number, ...], tuple[Fraction, ...]]
) -> tuple[Fraction, ...]:
    """Return weights divided by their sum, exactly; `seen` is a memo and modified in place."""
    known = seen.get(weights)
    if known is None:
        exact = [Fraction(weight) for weight in weights]
        if not exact or min(exact) <= 0:
            raise MalformedGameError(f"chance weights must be at least one and all above 0, got {weights!r}")
        total = sum(exact, start=_FRACTION_ZERO)
        known = tuple(weight / total for weight in exact)
        seen[weights] = known
    return known


def _players_apart(
    infoset_player: npt.NDArray[np.int8], first_slot: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the old numbers of infosets and slots in their new order: player 0's before player 1's."""
    infosets = np.argsort(infoset_player, kind="stable")
    slots = [np.arange(first_slot[i], first_slot[i + 1]) for i in infosets]
    return infosets, np.concatenate(slots) if slots else np.zeros(0, dtype=np.int64)


def _products_down(parent: IntArray, level_start: npt.NDArray[np.int64], factor: FloatArray) -> FloatArray:
    """Return for each node the product of `factor` ([N] float64) from the root to it."""
    product = factor.copy()
    for begin, end in pairwise(level_start[1:]):
        product[begin:end] *= product[parent[begin:end]]
    return product

"""Explicit trees (`solver.extensive`) in the form that sampling solvers walk.

A state is one word, the number of its node; an infoset's key is its number plus 1. What is sampled can so be
compared with what is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solver.extensive import CHANCE, NONE, TERMINAL, ExtensiveGame
from solver.sampling.game import INFOSET_KEY, NUM_MOVES, FloatArray, IntArray
from solver.sampling.randomness import TO_53_BITS, UNIT, stream_word
from solver.sampling.specialisation import sampling_kernel

# A node takes two words, so that few cache lines are touched. The first one packs who decides (from
# `TERMINAL` up), the number of children and the first child; the second one is the infoset, the payoff of
# player 0 as a bit pattern, or whether the outcomes of a chance node differ in probability.
_NODE_WORDS = 2
# Fields of the first word.
KIND_MASK = 0xFF
COUNT_SHIFT, COUNT_MASK = 8, 0xFFFFFF
CHILD_SHIFT = 32
# Words before the nodes: where the probabilities of nodes begin, and where the nodes of infosets do.
_HEAD_WORDS = 2


@sampling_kernel
def _observe(tables: IntArray, state: IntArray, work: IntArray) -> int:
    node = _HEAD_WORDS + state[0] * _NODE_WORDS
    word = tables[node]
    work[NUM_MOVES] = (word >> COUNT_SHIFT) & COUNT_MASK
    work[INFOSET_KEY] = tables[node + 1] + 1
    return int(word & KIND_MASK) + TERMINAL


@sampling_kernel
def _apply(tables: IntArray, state: IntArray, work: IntArray, move: int) -> None:
    state[0] = (tables[_HEAD_WORDS + state[0] * _NODE_WORDS] >> CHILD_SHIFT) + move


@sampling_kernel
def _chance_weights(tables: IntArray, state: IntArray, work: IntArray, weights: FloatArray) -> float:
    node = _HEAD_WORDS + state[0] * _NODE_WORDS
    if tables[node + 1] == 0:
        return 0.0
    word = tables[node]
    first = tables[0] + (word >> CHILD_SHIFT)
    total = 0.0
    for outcome in range((word >> COUNT_SHIFT) & COUNT_MASK):
        weight = np.int64(tables[first + outcome]).view(np.float64)
        weights[outcome] = weight
        total += weight
    return total


@sampling_kernel
def _payoffs(tables: IntArray, state: IntArray, work: IntArray, payoffs: FloatArray) -> None:
    payoff = np.int64(tables[_HEAD_WORDS + state[0] * _NODE_WORDS + 1]).view(np.float64)
    payoffs[0] = payoff
    payoffs[1] = -payoff


@sampling_kernel
def _determinise(
    tables: IntArray, state: IntArray, work: IntArray, player: int, seed: int, sampled: IntArray
) -> None:
    infoset = tables[_HEAD_WORDS + state[0] * _NODE_WORDS + 1]
    first, last = tables[tables[1] + infoset], tables[tables[1] + infoset + 1] - 2
    part = np.float64(stream_word(seed, 0) >> TO_53_BITS) * UNIT
    goal = part * np.int64(tables[last + 1]).view(np.float64)
    while first < last and np.int64(tables[first + 1]).view(np.float64) <= goal:
        first += 2
    sampled[0] = tables[first]


@dataclass(frozen=True, eq=False)
class TreeSamplingGame:
    """A `SamplingGame` made of an explicit two-player tree; see there for the attributes.

    `determinise` draws a node of the infoset by chance alone, as if the other player moved uniformly.
    """

    tree: ExtensiveGame
    tables: IntArray
    root: IntArray
    max_moves: int
    max_own_decisions: int
    max_length: int
    num_players: int = 2
    state_words: int = 1
    work_words: int = 2
    observe: Callable[..., int] = _observe
    apply: Callable[..., None] = _apply
    chance_weights: Callable[..., float] = _chance_weights
    payoffs: Callable[..., None] = _payoffs
    determinise: Callable[..., None] = _determinise


def tree_sampling_game(tree: ExtensiveGame) -> TreeSamplingGame:
    """Return the tree as a game to sample. O(N log N)."""
    num_nodes = tree.num_nodes
    children = tree.num_children.astype(np.int64)
    nodes = np.zeros((num_nodes, _NODE_WORDS), dtype=np.int64)
    nodes[:, 0] = tree.node_player.astype(np.int64) - TERMINAL
    nodes[:, 0] |= children << COUNT_SHIFT
    nodes[:, 0] |= tree.first_child.astype(np.int64) << CHILD_SHIFT
    nodes[:, 1] = np.where(tree.node_player == TERMINAL, tree.payoff.view(np.int64), tree.node_infoset)
    for node in np.flatnonzero(tree.node_player == CHANCE):
        outcomes = slice(tree.first_child[node], tree.first_child[node] + tree.num_children[node])
        nodes[node, 1] = len(set(tree.exact_chance[outcomes])) > 1

    # Nodes by infoset with what chance and the others, were they to move uniformly, make of each: [I + 1]
    # starts, then pairs (node, running total).
    members = np.flatnonzero(tree.node_infoset != NONE)
    members = members[np.argsort(tree.node_infoset[members], kind="stable")]
    starts = np.searchsorted(tree.node_infoset[members], np.arange(tree.num_infosets + 1))
    weights = _others_reach(tree)[members]
    totals = np.zeros(len(members))
    for infoset in range(tree.num_infosets):
        begin, end = starts[infoset], starts[infoset + 1]
        totals[begin:end] = np.cumsum(weights[begin:end])
    pairs = np.stack([members.astype(np.int64), totals.view(np.int64)], axis=1)
    # Probabilities of siblings lie side by side.
    chance = tree.chance_probability.view(np.int64)
    first_chance = _HEAD_WORDS + nodes.size
    first_start = first_chance + num_nodes
    tables = np.concatenate(
        (
            np.array([first_chance, first_start], dtype=np.int64),
            nodes.ravel(),
            chance,
            first_start + len(starts) + 2 * starts.astype(np.int64),
            pairs.ravel(),
        )
    )
    return TreeSamplingGame(
        tree=tree,
        tables=tables,
        root=np.zeros(1, dtype=np.int64),
        max_moves=max(1, int(tree.num_children.max())),
        max_own_decisions=max(1, len(tree.level_start) - 2),
        max_length=len(tree.level_start) - 1,
    )


def _others_reach(tree: ExtensiveGame) -> FloatArray:
    """Return how likely each node is by chance and the uniform play of the one who does not decide there."""
    step = np.where(tree.incoming_slot != NONE, 1.0 / np.maximum(1, tree.num_children[tree.parent]), 1.0)
    reach = np.ones((2, tree.num_nodes))
    for begin, end in zip(tree.level_start[1:-1], tree.level_start[2:], strict=True):
        above = tree.parent[begin:end]
        for player in (0, 1):
            other_moved = tree.node_player[above] == 1 - player
            reach[player, begin:end] = reach[player, above] * np.where(other_moved, step[begin:end], 1.0)
    own = np.maximum(tree.node_player, 0).astype(np.int64)
    mixed: FloatArray = tree.chance_reach * reach[own, np.arange(tree.num_nodes)]
    return mixed

"""External-sampling MCCFR on explicit game trees, in a loop of its own.

The walk is that of `solver.sampling.external_sampling`: all moves of the traverser, one drawn move of the
other player and of chance; averages are summed where the other player moves. What that solver has to find
out, a tree knows: states are nodes, and infosets have places. Nodes of a single move are passed over, and
chance that follows chance is drawn at once.

Sources: Lanctot et al. 2009, *Monte Carlo sampling for regret minimization in extensive games*; Brown and
Sandholm 2019, *Solving imperfect-information games via discounted regret minimization* (linear weights).

Letters used for shapes: see `solver.extensive`; moreover M nodes of the walk, E own decisions in a play, A
most actions.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from solver.extensive import CHANCE, TERMINAL, ExtensiveGame, FloatArray, average_strategy, expected_payoff
from solver.sampling.explicit_trees import CHILD_SHIFT, COUNT_MASK, COUNT_SHIFT, KIND_MASK
from solver.sampling.external_sampling import CALL_S, LINEAR, UNIFORM
from solver.sampling.randomness import GOLDEN, HALF, TO_53_BITS, UNIT, mixed_bits, new_stream
from solver.sampling.specialisation import sampling_kernel
from solver.tree_best_response import exploitability

WEIGHTINGS = (UNIFORM, LINEAR)

# Kinds of nodes: decisions of player 0 and 1, chance of even and uneven outcomes, ends of play.
_EVEN, _UNEVEN, _END = 2, 3, 4
_MOST_DRAWN_AT_ONCE = 4096
"""Outcomes of chance after chance beyond which each is drawn by itself."""


@dataclass(frozen=True, eq=False)
class TreeSamplingResult:
    """The average strategies so far, measured.

    Attributes
    ----------
    value : float
        Payoff of player 0 when both play `strategy`. The game's value is at most `best_response_values[0]`
        and at least -`best_response_values[1]`.
    strategy : [Q] float64
        Behaviour strategies of both players; uniform at infosets that no walk has come to.
    nash_conv, best_response_values
        Measured exactly, by `tree_best_response` on `strategy`.
    iterations : int
        Each walks once per player.
    updates : int
        Times an infoset's regrets were updated.
    weighting : str
    seed : int
    """

    value: float
    strategy: FloatArray = field(repr=False)
    nash_conv: float
    best_response_values: tuple[float, float]
    iterations: int
    updates: int
    weighting: str
    seed: int


class TreeSampler:
    """A training that can be stopped, looked at and gone on with.

    Parameters
    ----------
    game : ExtensiveGame
    weighting : {"linear", "uniform"}
        Whether the k-th iteration counts k, or all count the same.
    seed : int
        The same seed gives the same strategy for the same number of iterations, however they are divided
        into calls.

    Raises
    ------
    ValueError
        For another weighting.
    """

    def __init__(self, game: ExtensiveGame, weighting: str = LINEAR, seed: int = 0) -> None:
        if weighting not in WEIGHTINGS:
            raise ValueError(f"weighting must be one of {', '.join(WEIGHTINGS)}, got {weighting!r}")
        self.game = game
        self.weighting = weighting
        self.seed = seed
        self.iterations = 0
        self.updates = 0
        self._walk = _walk_of(game)
        self._reals = np.zeros(2 * game.num_slots)
        self._stream = new_stream(seed)
        # Nobody decides more often than there are levels.
        depth = len(game.level_start)
        self._frames = np.zeros((depth, 4), np.int64)
        self._values = np.zeros((depth, max(1, int(game.num_children.max()))))

    def run(self, iterations: int) -> None:
        """Run so many iterations. Ctrl-C is heard between calls of the kernel, and loses nothing."""
        goal, count = self.iterations + iterations, 64
        while self.iterations < goal:
            last = min(goal, self.iterations + count)
            begin = time.perf_counter()
            self.updates += _iterate_kernel(
                self._walk.nodes,
                self._walk.below,
                self.iterations,
                last,
                self.weighting == LINEAR,
                self._reals,
                self._stream,
                self._frames,
                self._values,
            )
            self.iterations = last
            if time.perf_counter() - begin < CALL_S / 2.0:
                count *= 2

    def result(self) -> TreeSamplingResult:
        """Measure the average strategies. O(N + Q)."""
        game = self.game
        # An infoset's sums lie behind its regrets.
        owner = game.slot_infoset
        sums = self._reals[np.arange(game.num_slots) + game.first_slot[owner + 1]]
        strategy = average_strategy(game, sums)
        measured = exploitability(game, strategy)
        return TreeSamplingResult(
            value=expected_payoff(game, strategy),
            strategy=strategy,
            nash_conv=measured.nash_conv,
            best_response_values=measured.best_response_values,
            iterations=self.iterations,
            updates=self.updates,
            weighting=self.weighting,
            seed=self.seed,
        )


@dataclass(frozen=True, eq=False)
class _Walk:
    """The nodes of a walk, root first.

    Attributes
    ----------
    nodes : [M, 2] int64
        Kind, number of children and first child, packed as in `solver.sampling.explicit_trees`; then where
        the infoset's numbers begin, or the payoff of player 0 as a bit pattern.
    below : [M] float64
        Probability that a chance node's outcome is this one or one before it; 0 below decisions.
    """

    nodes: npt.NDArray[np.int64]
    below: FloatArray


def _walk_of(game: ExtensiveGame) -> _Walk:
    """Prepare the walk. O(N + Q), and what chance after chance multiplies out to."""
    children = game.num_children.astype(np.int64)
    kinds = game.node_player.astype(np.int64)
    kinds[game.node_player == TERMINAL] = _END
    kinds[game.node_player == CHANCE] = _EVEN
    nodes = np.zeros((game.num_nodes, 2), np.int64)
    nodes[:, 0] = kinds | children << COUNT_SHIFT | game.first_child.astype(np.int64) << CHILD_SHIFT
    decides = game.node_infoset >= 0
    nodes[decides, 1] = 2 * game.first_slot[game.node_infoset[decides]].astype(np.int64)
    ends = game.node_player == TERMINAL
    nodes[ends, 1] = game.payoff[ends].view(np.int64)
    below = np.zeros(game.num_nodes)
    more_nodes, more_below, size = [nodes], [below], game.num_nodes
    outcomes: dict[int, list[tuple[Fraction, int]]] = {}
    # Children come later than their parents, so that they are done before them.
    for node in range(game.num_nodes - 1, -1, -1):
        first, count = int(game.first_child[node]), int(children[node])
        if count == 1:
            nodes[node] = nodes[first]
            if first in outcomes:
                outcomes[node] = outcomes[first]
            continue
        if game.node_player[node] != CHANCE:
            continue
        drawn = [(game.exact_chance[child], child) for child in range(first, first + count)]
        at_once = [
            (chance * further, grandchild)
            for chance, child in drawn
            for further, grandchild in outcomes.get(child, [(Fraction(1), child)])
        ]
        if len(at_once) > count and len(at_once) <= _MOST_DRAWN_AT_ONCE:
            drawn, first = at_once, size
            more_nodes.append(nodes[[child for _, child in drawn]])
            more_below.append(np.zeros(len(drawn)))
            size += len(drawn)
        outcomes[node] = drawn
        totals = np.cumsum([float(chance) for chance, _ in drawn])
        totals[-1] = 1.0
        (more_below[-1] if first >= game.num_nodes else below[first : first + count])[:] = totals
        kind = _EVEN if len({chance for chance, _ in drawn}) == 1 else _UNEVEN
        nodes[node, 0] = kind | len(drawn) << COUNT_SHIFT | first << CHILD_SHIFT
    return _Walk(np.concatenate(more_nodes), np.concatenate(more_below))


@sampling_kernel
def _iterate_kernel(
    nodes: npt.NDArray[np.int64],
    below: FloatArray,
    first_iteration: int,
    last_iteration: int,
    linear: bool,
    reals: FloatArray,
    stream: npt.NDArray[np.uint64],
    frames: npt.NDArray[np.int64],
    values: FloatArray,
) -> int:
    """Run iterations first_iteration + 1 .. last_iteration; return how many infosets were updated.

    Modified in place: `reals` [2 Q] float64, for each infoset the regrets of its actions, then their summed
    strategy; `stream` [1] uint64. Scratch: `frames` [E, 4] and `values` [E, A].
    """
    word = stream[0]
    updates = 0
    for iteration in range(first_iteration, last_iteration):
        weight = iteration + 1.0 if linear else 1.0
        for traverser in range(2):
            sign = 1.0 - 2.0 * traverser
            depth = 0
            node = 0
            while True:
                # Down, to the end of play: own decisions begin with their first move.
                while True:
                    head, body = nodes[node, 0], nodes[node, 1]
                    kind = head & KIND_MASK
                    if kind == _END:
                        break
                    count = (head >> COUNT_SHIFT) & COUNT_MASK
                    child = head >> CHILD_SHIFT
                    if kind == traverser:
                        frames[depth, 0] = child
                        frames[depth, 1] = 0
                        frames[depth, 2] = count
                        frames[depth, 3] = body
                        depth += 1
                        node = child
                        continue
                    word += GOLDEN
                    bits = mixed_bits(word)
                    if kind == _EVEN:
                        node = child + np.int64(((bits >> HALF) * np.uint64(count)) >> HALF)
                        continue
                    drawn = np.float64(bits >> TO_53_BITS) * UNIT
                    if kind == _UNEVEN:
                        node = child
                        while drawn >= below[node]:
                            node += 1
                        continue
                    total = 0.0
                    for move in range(body, body + count):
                        total += max(reals[move], 0.0)
                    if total > 0.0:
                        goal, scale, so_far = drawn * total, weight / total, 0.0
                        node = child
                        for move in range(body, body + count):
                            positive = max(reals[move], 0.0)
                            reals[move + count] += positive * scale
                            so_far += positive
                            node += np.int64(so_far <= goal)
                    else:
                        for move in range(body + count, body + 2 * count):
                            reals[move] += weight / count
                        node = child + np.int64(drawn * count)
                value = float(sign * np.int64(body).view(np.float64))
                # Up, to the first own decision that has a move left.
                while depth > 0:
                    frame = depth - 1
                    move, count = frames[frame, 1], frames[frame, 2]
                    values[frame, move] = value
                    move += 1
                    if move < count:
                        frames[frame, 1] = move
                        node = frames[frame, 0] + move
                        break
                    body = frames[frame, 3]
                    total = 0.0
                    value = 0.0
                    even = 0.0
                    for move in range(count):
                        positive = max(reals[body + move], 0.0)
                        total += positive
                        value += positive * values[frame, move]
                        even += values[frame, move]
                    value = value / total if total > 0.0 else even / count
                    for move in range(count):
                        reals[body + move] += weight * (values[frame, move] - value)
                    updates += 1
                    depth -= 1
                if depth == 0:
                    break
    stream[0] = word
    return updates

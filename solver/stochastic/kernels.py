"""The loops of the solver: mark what can be reached, go through it upwards, follow the policies down.

`rows` [N] int32 is the row in `values` of each position, -1 where it cannot be reached. `ends` [O + 1, K] are
the payoffs, with what lies beyond the cut as the last row.
"""

from __future__ import annotations

from typing import Any

from numba import types

from arena_solver.kernel_cache import cached_njit
from solver.stochastic.game import (
    CHANCE,
    EVALUATION,
    EXPAND,
    GRAPH,
    REALS,
    WORDS,
    Evaluation,
    FloatArray,
    IntArray,
    LocalGraph,
    RowArray,
)

_OPTIONS: dict[str, Any] = {"_nrt": False, "error_model": "numpy", "nogil": True}
_ROWS = types.int32[::1]
_GAME = (EXPAND, WORDS, REALS, GRAPH)
_THREE: Any = types.Tuple([types.int64] * 3)  # type: ignore[no-untyped-call]
_RANGE = (types.int64, types.int64)

SOUND, NOT_LOWER, NO_OPTION, NOT_BEFORE, NO_SUCH_TARGET, NO_ROOM = range(6)


@cached_njit(_THREE(*_GAME, types.int64, _ROWS, *_RANGE), **_OPTIONS)
def mark(
    expand: Any,
    tables: IntArray,
    reals: FloatArray,
    graph: LocalGraph,
    num_ends: int,
    rows: RowArray,
    begin: int,
    end: int,
) -> tuple[int, int, int]:
    """Mark with 0 what can be reached from the positions marked so; -1 is what cannot. Modified in place.

    Goes down from `end - 1` to `begin`. Returns a code (`SOUND`, or what is wrong), the position where it is
    so, and how many edges lead beyond.
    """
    kinds, starts, targets, weights = graph.kinds, graph.starts, graph.targets, graph.weights
    num_positions, num_beyond = len(rows), 0
    for position in range(end - 1, begin - 1, -1):
        if rows[position] < 0:
            continue
        num_nodes = expand(tables, reals, position, graph.work, kinds, starts, targets, weights)
        if num_nodes < 1:
            return NO_OPTION, position, 0
        if num_nodes > len(kinds) or starts[num_nodes] > len(targets):
            return NO_ROOM, position, 0
        for node in range(num_nodes):
            if starts[node] >= starts[node + 1]:
                return NO_OPTION, position, 0
            for edge in range(starts[node], starts[node + 1]):
                target = targets[edge]
                if target < 0:
                    if -1 - target >= node:
                        return NOT_BEFORE, position, 0
                elif target < num_positions:
                    if target >= position:
                        return NOT_LOWER, position, 0
                    rows[target] = 0
                elif target > num_positions + num_ends - 1:
                    return NO_SUCH_TARGET, position, 0
                elif target == num_positions + num_ends - 1:
                    num_beyond += 1
    return SOUND, 0, num_beyond


@cached_njit(types.int64(_ROWS), **_OPTIONS)
def number_rows(rows: RowArray) -> int:
    """Give the marked positions rows, upwards; returns how many there are. Modified in place."""
    count = 0
    for position in range(len(rows)):
        if rows[position] >= 0:
            rows[position] = count
            count += 1
    return count


@cached_njit(types.void(types.int64, GRAPH, EVALUATION), **_OPTIONS)
def evaluate_graph(
    num_nodes: int,
    graph: LocalGraph,
    evaluation: Evaluation,
) -> None:
    """Evaluate a local graph: `local` [node, K] values, `chosen` [node] edges. Modified in place."""
    kinds, starts, targets, weights = graph.kinds, graph.starts, graph.targets, graph.weights
    preference, tie, rows, values, ends, local, chosen = evaluation
    num_positions, num_columns = len(rows), ends.shape[1]
    for node in range(num_nodes):
        kind = kinds[node]
        begin, end = starts[node], starts[node + 1]
        chosen[node] = begin
        if kind == CHANCE:
            for column in range(num_columns):
                local[node, column] = 0.0
        for edge in range(begin, end):
            target = targets[edge]
            if target < 0:
                source, row = local, -1 - target
            elif target < num_positions:
                source, row = values, types.int64(rows[target])
            else:
                source, row = ends, target - num_positions
            if kind == CHANCE:
                weight = weights[edge]
                for column in range(num_columns):
                    local[node, column] += weight * source[row, column]
                continue
            better = edge == begin
            if not better:
                for place in range(preference.shape[1]):
                    ranked = preference[kind, place]
                    column = abs(ranked) - 1
                    gain = source[row, column] - local[node, column]
                    if ranked < 0:
                        gain = -gain
                    if gain > tie:
                        better = True
                        break
                    if gain < -tie:
                        break
            if better:
                chosen[node] = edge
                for column in range(num_columns):
                    local[node, column] = source[row, column]


@cached_njit(types.void(*_GAME, EVALUATION, *_RANGE), **_OPTIONS)
def induce(
    expand: Any,
    tables: IntArray,
    reals: FloatArray,
    graph: LocalGraph,
    evaluation: Evaluation,
    begin: int,
    end: int,
) -> None:
    """Backward induction: `values` [rows, K] of marked positions, `begin` to `end - 1`. Modified in place."""
    kinds, starts, targets, weights = graph.kinds, graph.starts, graph.targets, graph.weights
    rows, values = evaluation.rows, evaluation.values
    for position in range(begin, end):
        row = rows[position]
        if row < 0:
            continue
        num_nodes = expand(tables, reals, position, graph.work, kinds, starts, targets, weights)
        evaluate_graph(num_nodes, graph, evaluation)
        for column in range(evaluation.ends.shape[1]):
            values[row, column] = evaluation.local[num_nodes - 1, column]


@cached_njit(types.void(*_GAME, EVALUATION, *(types.int64,) * 2, *(REALS,) * 4), **_OPTIONS)
def propagate(
    expand: Any,
    tables: IntArray,
    reals: FloatArray,
    graph: LocalGraph,
    evaluation: Evaluation,
    root: int,
    root_node: int,
    reach: FloatArray,
    onward: FloatArray,
    end_reach: FloatArray,
    node_reach: FloatArray,
) -> None:
    """Push the probabilities `reach` [rows] of positions up to a root on, as policies say. Modified in place.

    They are added to `onward` [rows] and `end_reach` [O + 1]: those of the next positions, or, where
    `onward` is `reach` itself, of all that come later. `node_reach` [nodes] is scratch. The root is left from
    its local node `root_node`, or from its beginning where that is -1.
    """
    kinds, starts, targets, weights = graph.kinds, graph.starts, graph.targets, graph.weights
    rows, chosen = evaluation.rows, evaluation.chosen
    num_positions = len(rows)
    for position in range(root, -1, -1):
        row = rows[position]
        if row < 0 or reach[row] <= 0.0:
            continue
        num_nodes = expand(tables, reals, position, graph.work, kinds, starts, targets, weights)
        evaluate_graph(num_nodes, graph, evaluation)
        for node in range(num_nodes):
            node_reach[node] = 0.0
        first = root_node if position == root and root_node >= 0 else num_nodes - 1
        node_reach[first] = reach[row]
        for node in range(first, -1, -1):
            if node_reach[node] <= 0.0:
                continue
            begin, end = starts[node], starts[node + 1]
            if kinds[node] != CHANCE:
                begin = chosen[node]
                end = begin + 1
            for edge in range(begin, end):
                target = targets[edge]
                share = node_reach[node]
                if kinds[node] == CHANCE:
                    share *= weights[edge]
                if target < 0:
                    node_reach[-1 - target] += share
                elif target < num_positions:
                    onward[rows[target]] += share
                else:
                    end_reach[target - num_positions] += share

"""Equilibria of small explicit games in fractions: the sequence form's linear program without rounding.

The program is that of `solver.sequence_form`. It is solved by the simplex method on a table of integers with
one common denominator (Edmonds 1967; Bareiss 1968), whose divisions leave no remainder. A pure strategy of
player 0 and player 1's best answer to it are a vertex to begin at, so there is no first phase. What comes out
is measured by a best response of its own, in fractions too; an equilibrium is returned only if nobody can
gain anything.

Letters used for shapes: see `solver.extensive`.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.extensive import NONE, ExtensiveGame

# Entries of the table. Up to here it takes seconds; each pivot touches all of them, and they grow longer.
MAX_ENTRIES = 20_000
# Bland's rule, which cannot run in circles, takes over after so many pivots in a row that gained nothing.
PATIENCE = 20
# In floating point: what is less counts as 0.
ROUNDING = 1e-9

IntegerTable = npt.NDArray[np.object_]
Weights = dict[tuple[int, int], Fraction]


class TooLargeError(ValueError):
    """The program has more entries than allowed; the message says how many."""


@dataclass(frozen=True, eq=False)
class ExactSolution:
    """An exact equilibrium.

    Attributes
    ----------
    value : what player 0 gets.
    strategy : [Q] behaviour strategies of both players; infosets their owner never reaches play uniformly.
    pivots : of the simplex method.
    """

    value: Fraction
    strategy: tuple[Fraction, ...]
    pivots: int


def table_entries(game: ExtensiveGame) -> int:
    """Return how many entries the simplex table of a game has."""
    infosets = [game.first_infoset_of[p + 1] - game.first_infoset_of[p] for p in (0, 1)]
    slots = [game.first_slot_of[p + 1] - game.first_slot_of[p] for p in (0, 1)]
    return (infosets[0] + slots[1] + 2) * (slots[0] - infosets[0] + infosets[1] + 2)


def solve_exactly(game: ExtensiveGame, *, max_entries: int = MAX_ENTRIES) -> ExactSolution:
    """Solve a small game in rational numbers.

    Raises
    ------
    TooLargeError
        If the table would have more than `max_entries` entries.
    """
    entries = table_entries(game)
    if entries > max_entries:
        raise TooLargeError(f"the exact program has {entries} entries, and at most {max_entries} are allowed")
    weights = exact_weights(game)
    plans, pivots = _Simplex(game, weights).solve()
    strategy = [Fraction(0)] * game.num_slots
    for player in (0, 1):
        _write_behaviour(game, player, plans[player], strategy)
    most, least = exact_best_responses(game, strategy, weights)
    if most != -least:
        raise AssertionError(f"the exact program left a NashConv of {most + least}")
    return ExactSolution(value=most, strategy=tuple(strategy), pivots=pivots)


def exact_weights(game: ExtensiveGame) -> Weights:
    """Return what each pair of last slots pays player 0, chance counted in. O(N)."""
    weights: Weights = {}
    reach = [Fraction(1)] * game.num_nodes
    parents = game.parent.tolist()
    for node in range(1, game.num_nodes):
        reach[node] = reach[parents[node]] * game.exact_chance[node]
    for node in game.terminals.tolist():
        pair = int(game.last_slot[0, node]), int(game.last_slot[1, node])
        weights[pair] = weights.get(pair, Fraction(0)) + reach[node] * game.exact_payoff[node]
    return weights


def exact_best_responses(
    game: ExtensiveGame, strategy: list[Fraction], weights: Weights | None = None
) -> tuple[Fraction, Fraction]:
    """Return what the best answer pays player 0 and player 1 against a [Q] behaviour strategy, exactly."""
    # One place more than slots, for NONE: index -1.
    plan = [Fraction(1)] * (game.num_slots + 1)
    for slot in range(game.num_slots):
        plan[slot] = plan[game.parent_slot[game.slot_infoset[slot]]] * strategy[slot]
    credits = [[Fraction(0)] * (game.num_slots + 1) for _ in (0, 1)]
    for (own, opp), weight in (exact_weights(game) if weights is None else weights).items():
        credits[0][own] += weight * plan[opp]
        credits[1][opp] -= weight * plan[own]
    for infoset in reversed(range(game.num_infosets)):
        credit = credits[game.infoset_player[infoset]]
        slots = range(game.first_slot[infoset], game.first_slot[infoset + 1])
        credit[game.parent_slot[infoset]] += max(credit[slot] for slot in slots)
    return credits[0][NONE], credits[1][NONE]


class _Simplex:
    """The program of a game as a table.

    Each row says: `scale` times its basic variable, plus its entries times the other variables, is its last
    entry. Variables: sequences of player 0, values of player 1's infosets (the first is that of the game),
    slacks of player 1's sequences.
    """

    def __init__(self, game: ExtensiveGame, weights: Weights) -> None:
        self._scale = 1
        self._pivots = 0
        infosets = [range(game.first_infoset_of[p], game.first_infoset_of[p + 1]) for p in (0, 1)]
        slots = [range(game.first_slot_of[p], game.first_slot_of[p + 1]) for p in (0, 1)]
        self._num_plan = len(slots[0]) + 1
        self._num_values = len(infosets[1]) + 1
        self._num_answers = len(slots[1]) + 1
        num_fixed = len(infosets[0]) + 1
        table: IntegerTable = np.zeros(
            (num_fixed + self._num_answers, self._num_plan + self._num_values + 1), dtype=object
        )

        def sequence(player: int, slot: int) -> int:
            return 0 if slot == NONE else slot - slots[player].start + 1

        # The slots of an infoset sum to the one before it; the empty sequence is 1.
        table[0, 0] = table[0, -1] = 1
        begins = [0]
        for row, infoset in enumerate(infosets[0], 1):
            own = [sequence(0, s) for s in range(game.first_slot[infoset], game.first_slot[infoset + 1])]
            table[row, own] = 1
            table[row, sequence(0, int(game.parent_slot[infoset]))] = -1
            begins.append(own[0])
        # An infoset is worth to player 0 at most what each action leads to.
        table[num_fixed, self._num_plan] = 1
        answers = [[num_fixed]]
        for number, infoset in enumerate(infosets[1], 1):
            own = [sequence(1, s) for s in range(game.first_slot[infoset], game.first_slot[infoset + 1])]
            rows = [num_fixed + j for j in own]
            table[rows, self._num_plan + number] += 1
            table[num_fixed + sequence(1, int(game.parent_slot[infoset])), self._num_plan + number] -= 1
            answers.append(rows)
        unit = lcm(*(weight.denominator for weight in weights.values()))
        for (first, second), weight in weights.items():
            table[num_fixed + sequence(1, second), sequence(0, first)] -= int(weight * unit)
        self._table = table
        # By row and by column: -1 for what is fixed and for the last column.
        first_slack = self._num_plan + self._num_values
        self._basic = [-1] * num_fixed + [first_slack + j for j in range(self._num_answers)]
        self._others = [*range(first_slack), -1]
        self._begin(begins, answers)

    def solve(self) -> tuple[tuple[list[Fraction], list[Fraction]], int]:
        """Return the realisation plans of both players, and the number of pivots."""
        # Where payoffs are too uneven for floating point the long way is left.
        with contextlib.suppress(OverflowError), np.errstate(all="ignore"):
            self._go_to(_rounded_optimum(self._table, self._basic, self._others))
        idle = 0
        while (column := self._entering(bland=idle > PATIENCE)) is not None:
            row = self._leaving(column)
            idle = idle + 1 if self._table[row, -1] == 0 else 0
            self._pivot(row, column)
        plan = [Fraction(0)] * self._num_plan
        for row, variable in enumerate(self._basic):
            if 0 <= variable < self._num_plan:
                plan[variable] = Fraction(self._table[row, -1], self._scale)
        answer = [Fraction(0)] * self._num_answers
        first_slack = self._num_plan + self._num_values
        for column, variable in enumerate(self._others):
            if variable >= first_slack:
                answer[variable - first_slack] = Fraction(self._table[0, column], self._scale)
        return (plan, answer), self._pivots

    def _begin(self, begins: list[int], answers: list[list[int]]) -> None:
        """Go to the vertex of a pure strategy and the best answer to it, and leave out what is done with."""
        for row, column in enumerate(begins):
            self._pivot(row, column)
        self._keep_columns(
            [c for c, variable in enumerate(self._others) if c == len(self._others) - 1 or variable >= 0]
        )
        # Backwards, since what an action is worth depends on the infosets behind it: of rows whose values
        # have been put in, the one with the smallest last entry binds.
        chosen = {}
        for number in reversed(range(self._num_values)):
            column = self._others.index(self._num_plan + number)
            row = min(answers[number], key=lambda r: self._table[r, -1])
            self._pivot(row, column)
            chosen[number] = row
        rows = [chosen[0]] + [
            r
            for r, v in enumerate(self._basic)
            if not self._num_plan <= v < self._num_plan + self._num_values
        ]
        self._table = self._table[rows]
        self._basic = [self._basic[row] for row in rows]

    def _go_to(self, basic: set[int]) -> None:
        """Go to the vertex of the given basic variables; stay where that is none."""
        before = self._table, self._scale, self._basic.copy(), self._others.copy()
        for variable in sorted(basic - set(self._basic)):
            column = self._others.index(variable)
            rows = [row for row in range(1, len(self._basic)) if self._basic[row] not in basic]
            row = max(rows, key=lambda r: abs(self._table[r, column]))
            if self._table[row, column] == 0:
                break
            self._pivot(row, column)
        if set(self._basic) != basic or min(self._table[1:, -1], default=0) < 0:
            self._table, self._scale, self._basic, self._others = before

    def _keep_columns(self, columns: list[int]) -> None:
        self._table = self._table[:, columns]
        self._others = [self._others[column] for column in columns]

    def _entering(self, *, bland: bool) -> int | None:
        """Return the steepest column, or by Bland's rule that of the first variable; None at the optimum."""
        costs = self._table[0, :-1]
        better = [column for column, cost in enumerate(costs) if cost < 0]
        if not better:
            return None
        if bland:
            return min(better, key=lambda column: self._others[column])
        return min(better, key=lambda column: costs[column])

    def _leaving(self, column: int) -> int:
        """Return the row that binds first; of several the first variable, as Bland's rule wants it."""
        rows = [row for row in range(1, len(self._basic)) if self._table[row, column] > 0]
        return min(rows, key=lambda r: (Fraction(self._table[r, -1], self._table[r, column]), self._basic[r]))

    def _pivot(self, row: int, column: int) -> None:
        table, before = self._table, self._scale
        pivot: Any = table[row, column]
        line, entering = table[row].copy(), table[:, column].copy()
        table = (table * pivot - np.outer(entering, line)) // before
        table[:, column] = -entering
        table[row] = line
        table[row, column] = before
        self._table, self._scale = (table, pivot) if pivot > 0 else (-table, -pivot)
        self._basic[row], self._others[column] = self._others[column], self._basic[row]
        self._pivots += 1


def _rounded_optimum(table: IntegerTable, basic: list[int], others: list[int]) -> set[int]:
    """Return the basic variables where the simplex method ends in floating point: the optimum, or near it.

    A pivot in whole numbers takes a thousand times as long; from here on few or none are left.
    """
    basic, others = basic.copy(), others.copy()
    # Variables are measured so that entries are of one size, whatever that of payoffs.
    rounded = np.array([_fitted(row) for row in table[1:]]).reshape(len(table) - 1, table.shape[1])
    costs = np.array(_fitted(table[0]))[:-1]
    fit = np.max(np.abs(rounded[:, :-1]), axis=0, initial=0.0)
    fit[fit == 0.0] = 1.0
    rounded[:, :-1] /= fit
    costs /= fit
    for _ in range(10 * sum(table.shape) if rounded.size and costs.size else 0):
        column = int(np.argmin(costs))
        if costs[column] > -ROUNDING:
            break
        entering = rounded[:, column]
        usable = entering > ROUNDING
        if not usable.any():
            break
        ratios = np.where(usable, rounded[:, -1], np.inf) / np.where(usable, entering, 1.0)
        row = int(np.argmin(ratios))
        line = rounded[row] / entering[row]
        inverse = 1.0 / entering[row]
        change, cost = entering.copy(), costs[column]
        rounded -= np.outer(change, line)
        rounded[:, column] = -change * inverse
        rounded[row] = line
        rounded[row, column] = inverse
        costs = costs - cost * line[:-1]
        costs[column] = -cost * inverse
        basic[row + 1], others[column] = others[column], basic[row + 1]
    return set(basic)


def _fitted(row: IntegerTable) -> list[float]:
    """Return a row of whole numbers in proportion, none of them but the last above 1."""
    largest = max((abs(entry) for entry in row[:-1]), default=0) or 1
    return [float(Fraction(entry, largest)) for entry in row]


def _write_behaviour(
    game: ExtensiveGame, player: int, plan: list[Fraction], strategy: list[Fraction]
) -> None:
    """Turn a realisation plan over sequences into behaviour; `strategy` ([Q]) is modified in place."""
    first = game.first_slot_of[player]
    for infoset in range(game.first_infoset_of[player], game.first_infoset_of[player + 1]):
        slots = range(game.first_slot[infoset], game.first_slot[infoset + 1])
        total = sum((plan[slot - first + 1] for slot in slots), Fraction(0))
        for slot in slots:
            strategy[slot] = plan[slot - first + 1] / total if total else Fraction(1, len(slots))

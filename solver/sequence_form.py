"""Exact equilibria of explicit game trees by linear programming on the sequence form.

Koller, Megiddo and von Stengel, "Efficient computation of equilibria for extensive two-person games" (1996).
One linear program gives both strategies: player 0's realisation plan as its variables, player 1's as its
duals. Solved by HiGHS through scipy, to full tolerance; the answer is then measured by the independent best
response.

Letters used for shapes: see `solver.extensive`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from solver.extensive import NONE, ExtensiveGame, FloatArray, IntArray
from solver.lp import FEASIBILITY_TOLERANCE, LinearProgramError
from solver.tree_best_response import exploitability

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Below this a realisation probability is rounding, and the play behind it never happens.
NEGLIGIBLE_REACH = 1e-12


@dataclass(frozen=True, eq=False)
class SequenceFormSolution:
    """An equilibrium of an explicit game.

    Attributes
    ----------
    value : float
        Expected payoff of player 0.
    strategy : [Q] float64
        Behaviour strategies of both players. Infosets their owner never reaches play uniformly.
    nash_conv : float
        Measured by `tree_best_response` on `strategy`.
    num_sequences : tuple of 2 ints
        Sequences (slots and the empty one) of the two players.
    iterations : int
        Of HiGHS.
    """

    value: float
    strategy: FloatArray
    nash_conv: float
    num_sequences: tuple[int, int]
    iterations: int

    @property
    def exploitability(self) -> float:
        """NashConv shared by the two players."""
        return self.nash_conv / 2


def solve_sequence_form(game: ExtensiveGame) -> SequenceFormSolution:
    """Solve an explicit game exactly.

    Practical up to some 25,000 sequences a player. Raises `LinearProgramError` if HiGHS finds no optimum.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, hstack

    constraints = (_constraints(game, 0), _constraints(game, 1))
    num_rows, num_columns = constraints[0].shape[1], constraints[1].shape[1]
    terminals = game.terminals
    payoffs = csr_array(
        (
            game.payoff[terminals] * game.chance_reach[terminals],
            (
                _sequence(game, 0, game.last_slot[0, terminals]),
                _sequence(game, 1, game.last_slot[1, terminals]),
            ),
        ),
        shape=(num_rows, num_columns),
    )
    # Variables: player 0's plan x >= 0 and one free value q per constraint of player 1. Maximise q[0], the
    # value of player 1's root, subject to E x = e and F' q <= A' x.
    num_values = constraints[1].shape[0]
    objective = np.zeros(num_rows + num_values)
    objective[num_rows] = -1.0
    unit = np.zeros(constraints[0].shape[0])
    unit[0] = 1.0
    answer = linprog(
        objective,
        A_ub=hstack([-payoffs.T, constraints[1].T], format="csr"),
        b_ub=np.zeros(num_columns),
        A_eq=hstack([constraints[0], csr_array((constraints[0].shape[0], num_values))], format="csr"),
        b_eq=unit,
        bounds=[(0.0, None)] * num_rows + [(None, None)] * num_values,
        method="highs",
        options={
            "primal_feasibility_tolerance": FEASIBILITY_TOLERANCE,
            "dual_feasibility_tolerance": FEASIBILITY_TOLERANCE,
        },
    )
    if answer.status != 0:
        raise LinearProgramError(f"HiGHS stopped with status {answer.status}: {answer.message}")
    strategy = np.empty(game.num_slots)
    _write_behaviour(game, 0, np.asarray(answer.x[:num_rows]), strategy)
    _write_behaviour(game, 1, -np.asarray(answer.ineqlin.marginals), strategy)
    return SequenceFormSolution(
        value=float(-answer.fun),
        strategy=strategy,
        nash_conv=exploitability(game, strategy).nash_conv,
        num_sequences=(num_rows, num_columns),
        iterations=int(answer.nit),
    )


def _sequence(game: ExtensiveGame, player: int, slots: IntArray) -> npt.NDArray[np.int64]:
    """Number the sequences of a player: 0 is the empty one, 1 + k his k-th slot."""
    return np.where(slots == NONE, 0, slots.astype(np.int64) - game.first_slot_of[player] + 1)


def _constraints(game: ExtensiveGame, player: int) -> csr_array:
    """Return E with E x = (1, 0, 0, ...) for plans x: the slots of an infoset sum to its parent slot."""
    from scipy.sparse import csr_array

    begin, end = game.first_infoset_of[player], game.first_infoset_of[player + 1]
    first, last = game.first_slot_of[player], game.first_slot_of[player + 1]
    rows = np.concatenate(([0], game.slot_infoset[first:last] - begin + 1, np.arange(1, end - begin + 1)))
    columns = np.concatenate(
        ([0], np.arange(1, last - first + 1), _sequence(game, player, game.parent_slot[begin:end]))
    )
    data = np.concatenate((np.ones(last - first + 1), -np.ones(end - begin)))
    return csr_array((data, (rows, columns)), shape=(end - begin + 1, last - first + 1))


def _write_behaviour(game: ExtensiveGame, player: int, plan: FloatArray, strategy: FloatArray) -> None:
    """Turn a realisation plan over sequences into behaviour; `strategy` ([Q]) is modified in place."""
    positive = np.maximum(plan[1:], 0.0)
    first = game.first_slot_of[player]
    for infoset in range(game.first_infoset_of[player], game.first_infoset_of[player + 1]):
        begin, end = game.first_slot[infoset], game.first_slot[infoset + 1]
        mass = positive[begin - first : end - first]
        total = float(mass.sum())
        strategy[begin:end] = mass / total if total > NEGLIGIBLE_REACH else 1.0 / (end - begin)

"""Exact equilibria of explicit game trees by linear programming on the sequence form.

Koller, Megiddo and von Stengel, "Efficient computation of equilibria for extensive two-person games" (1996).
One linear program gives both strategies: player 0's realisation plan as its variables, player 1's as its
duals. Solved by HiGHS through scipy, to full tolerance, on payoffs between 0 and 1; the answer is then
measured by the independent best response, and refused if that could gain.

Letters used for shapes: see `solver.extensive`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from solver.extensive import NONE, ExtensiveGame, FloatArray, IntArray
from solver.lp import FEASIBILITY_TOLERANCE, LinearProgramError
from solver.payoff_scale import standard_payoffs
from solver.tree_best_response import exploitability

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Below this a realisation probability is rounding, and the play behind it never happens.
NEGLIGIBLE_REACH = 1e-12
# NashConv accepted, in units of the payoff range: a hundred times what HiGHS may leave at a single
# constraint.
ACCEPTED_NASH_CONV = 1e-8
# Tried in turn until an answer passes: numerically awkward programs often yield to another way.
ATTEMPTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("highs", {}),
    ("highs-ds", {"presolve": False}),
    ("highs-ipm", {}),
)


@dataclass(frozen=True, eq=False)
class SequenceFormSolution:
    """An equilibrium of an explicit game.

    Attributes
    ----------
    value : float
        Payoff of player 0, midway between what the two strategies guarantee.
    strategy : [Q] float64
        Behaviour strategies of both players. Infosets their owner never reaches play uniformly.
    nash_conv : float
        Measured by `tree_best_response` on `strategy`.
    bounds : tuple of 2 floats
        What player 0's strategy guarantees it, and what player 1's lets it have at most.
    num_sequences : tuple of 2 ints
        Sequences (slots and the empty one) of the two players.
    iterations : int
        Of HiGHS.
    """

    value: float
    strategy: FloatArray
    nash_conv: float
    bounds: tuple[float, float]
    num_sequences: tuple[int, int]
    iterations: int

    @property
    def exploitability(self) -> float:
        """NashConv shared by the two players."""
        return self.nash_conv / 2


def solve_sequence_form(game: ExtensiveGame) -> SequenceFormSolution:
    """Solve an explicit game to full float64 precision, whatever the size and offset of its payoffs.

    Practical up to some 25,000 sequences a player. Raises `LinearProgramError` if HiGHS finds no optimum
    whose NashConv is within `ACCEPTED_NASH_CONV` of the payoff range.
    """
    standard, scale = standard_payoffs(game)
    program = _program(standard)
    failures = []
    for method, options in ATTEMPTS:
        answer = _solve(program, method, options)
        if answer.status != 0:
            failures.append(f"{method}: status {answer.status}, {answer.message}")
            continue
        strategy = np.empty(game.num_slots)
        _write_behaviour(game, 0, np.asarray(answer.x[: program.num_sequences[0]]), strategy)
        _write_behaviour(game, 1, -np.asarray(answer.ineqlin.marginals), strategy)
        measured = exploitability(standard, strategy)
        # Written so that nan fails as well.
        if not measured.nash_conv <= ACCEPTED_NASH_CONV:
            failures.append(f"{method}: NashConv {measured.nash_conv:.1e} of the payoff range")
            continue
        most, least = measured.best_response_values[0], -measured.best_response_values[1]
        return SequenceFormSolution(
            value=scale.payoff(0.5 * (most + least)),
            strategy=strategy,
            nash_conv=scale.difference(measured.nash_conv),
            # Rounding may turn them round.
            bounds=(scale.payoff(min(least, most)), scale.payoff(max(least, most))),
            num_sequences=program.num_sequences,
            iterations=int(answer.nit),
        )
    raise LinearProgramError(f"HiGHS found no equilibrium: {'; '.join(failures)}")


@dataclass(frozen=True, eq=False)
class _Program:
    """The linear program of a game: the objective, its constraints, and sequences of both players."""

    objective: FloatArray
    inequalities: csr_array
    equalities: csr_array
    right: FloatArray
    num_sequences: tuple[int, int]


def _program(game: ExtensiveGame) -> _Program:
    """Return the program of player 0."""
    from scipy.sparse import csr_array, hstack

    constraints = (_constraints(game, 0), _constraints(game, 1))
    num_rows, num_columns = constraints[0].shape[1], constraints[1].shape[1]
    terminals = game.terminals
    payoffs = csr_array(
        (
            game.terminal_weight,
            (
                _sequence(game, 0, game.last_slot[0, terminals]),
                _sequence(game, 1, game.last_slot[1, terminals]),
            ),
        ),
        shape=(num_rows, num_columns),
    )
    # Where chance deals many ways every weight is small, and HiGHS takes the smallest for 0.
    largest = float(np.max(payoffs.data, initial=0.0))
    if largest > 0.0:
        payoffs = payoffs / largest
    # Variables: player 0's plan x >= 0 and one free value q per constraint of player 1. Maximise q[0], the
    # value of player 1's root, subject to E x = e and F' q <= A' x.
    num_values = constraints[1].shape[0]
    objective = np.zeros(num_rows + num_values)
    objective[num_rows] = -1.0
    unit = np.zeros(constraints[0].shape[0])
    unit[0] = 1.0
    return _Program(
        objective=objective,
        inequalities=hstack([-payoffs.T, constraints[1].T], format="csr"),
        equalities=hstack([constraints[0], csr_array((constraints[0].shape[0], num_values))], format="csr"),
        right=unit,
        num_sequences=(num_rows, num_columns),
    )


def _solve(program: _Program, method: str, options: dict[str, Any]) -> Any:
    """Hand a program to HiGHS; what scipy returns."""
    from scipy.optimize import linprog

    num_rows = program.num_sequences[0]
    return linprog(
        program.objective,
        A_ub=program.inequalities,
        b_ub=np.zeros(program.num_sequences[1]),
        A_eq=program.equalities,
        b_eq=program.right,
        bounds=[(0.0, None)] * num_rows + [(None, None)] * (len(program.objective) - num_rows),
        method=method,
        options={
            "primal_feasibility_tolerance": FEASIBILITY_TOLERANCE,
            "dual_feasibility_tolerance": FEASIBILITY_TOLERANCE,
            **options,
        },
    )


def _sequence(game: ExtensiveGame, player: int, slots: IntArray) -> npt.NDArray[np.int64]:
    """Number the sequences of a player: 0 is the empty one, 1 + k its k-th slot."""
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

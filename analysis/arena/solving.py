"""Which solver a game of a file is given to, and what it answers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.extensive import ExtensiveGame

Probability = float | Fraction
Tables = tuple[list[list[Fraction]], list[list[Fraction]]]

METHODS = ("auto", "exact", "lp", "cfr")
# As solver.tree_cfr names them; importing it takes a second.
VARIANTS = ("pcfr+", "cfr+", "dcfr", "cfr")
# Beyond so many sequences of a player a linear program takes too long, and CFR is asked.
MAX_PROGRAM_SEQUENCES = 25_000


@dataclass(frozen=True)
class Effort:
    """How to solve.

    Attributes
    ----------
    method : one of `METHODS`.
    variant, iterations, target : of CFR; the last is the NashConv at which to stop, if any.
    max_nodes : larger trees, or more combinations of strategies, are refused.
    """

    method: str = METHODS[0]
    variant: str = VARIANTS[0]
    iterations: int = 10_000
    target: float | None = None
    max_nodes: int = 1_000_000


@dataclass(frozen=True)
class Solved:
    """An equilibrium of a constant-sum game; amounts are player 0's.

    Attributes
    ----------
    strategy : of both players, by slot, or the mixes of both one after the other; fractions if `exact`.
    lower, upper : what the two strategies guarantee.
    """

    value: Probability
    strategy: Sequence[Probability]
    lower: Probability
    upper: Probability
    nash_conv: float
    method: str
    iterations: int
    exact: bool = False
    converged: bool = True


@dataclass(frozen=True)
class GeneralEquilibrium:
    """An equilibrium of a game whose payoffs do not sum to a constant."""

    strategies: Sequence[Sequence[Probability]]
    payoffs: tuple[Probability, Probability]
    nash_conv: float


def solve_constant_sum(game: ExtensiveGame, effort: Effort) -> Solved:
    """Solve a tree: exactly where it is small, else by linear programming, else by CFR.

    Raises
    ------
    TooLargeError, LinearProgramError
        If the method asked for fails.
    """
    from solver.exact_sequence_form import MAX_ENTRIES, solve_exactly, table_entries
    from solver.lp import LinearProgramError

    if effort.method == "exact" or (effort.method == "auto" and table_entries(game) <= MAX_ENTRIES):
        exact = solve_exactly(game)
        value = exact.value
        return Solved(
            value, exact.strategy, value, value, 0.0, "exact linear program", exact.pivots, exact=True
        )
    sequences = max(game.first_slot_of[1], game.first_slot_of[2] - game.first_slot_of[1])
    if effort.method == "lp" or (effort.method == "auto" and sequences <= MAX_PROGRAM_SEQUENCES):
        from solver.sequence_form import solve_sequence_form

        try:
            solution = solve_sequence_form(game)
        except LinearProgramError:
            if effort.method == "lp":
                raise
        else:
            lower, upper = solution.bounds
            return Solved(
                value=solution.value,
                strategy=solution.strategy.tolist(),
                lower=lower,
                upper=upper,
                nash_conv=max(solution.nash_conv, 0.0),
                method="linear program",
                iterations=solution.iterations,
            )
    from solver.tree_cfr import TreeCfrSettings, solve_tree_cfr

    settings = TreeCfrSettings(effort.variant, effort.iterations, effort.target or 0.0)
    result = solve_tree_cfr(game, settings)
    lower, upper = sorted((-result.best_response_values[1], result.best_response_values[0]))
    return Solved(
        value=min(max(result.value, lower), upper),
        strategy=result.strategy.tolist(),
        lower=lower,
        upper=upper,
        nash_conv=max(result.nash_conv, 0.0),
        method=effort.variant.upper(),
        iterations=result.iterations,
        converged=result.converged,
    )


def solve_matrix_game(payoffs: list[list[Fraction]], effort: Effort) -> Solved:
    """Solve a matrix of player 0's payoffs: as a tree where it is small, else by its own program."""
    from solver.exact_sequence_form import MAX_ENTRIES
    from solver.extensive import build_game

    rows, columns = len(payoffs), len(payoffs[0])
    small = (columns + 3) * (rows + 2) <= MAX_ENTRIES
    if effort.method in ("exact", "cfr") or (small and effort.method == "auto"):
        return solve_constant_sum(build_game(_MatrixSource(payoffs)), effort)
    import numpy as np

    from solver.lp import solve_matrix_program

    smallest = min(map(min, payoffs))
    payoff_range = max(map(max, payoffs)) - smallest
    divisor = payoff_range or Fraction(1)
    standard = np.array([[float((amount - smallest) / divisor) for amount in row] for row in payoffs])
    program = solve_matrix_program(standard)

    def amount(share: float) -> float:
        return float(smallest + Fraction(share) * payoff_range)

    return Solved(
        value=amount(program.value),
        strategy=[*program.row_strategy.tolist(), *program.column_strategy.tolist()],
        lower=amount(program.value - 0.5 * program.gap),
        upper=amount(program.value + 0.5 * program.gap),
        nash_conv=max(float(Fraction(program.gap) * payoff_range), 0.0),
        method="linear program",
        iterations=program.iterations,
    )


class _MatrixSource:
    """A matrix as a `GameSource`: both players choose a number, player 1 without knowing player 0's."""

    def __init__(self, payoffs: list[list[Fraction]]) -> None:
        self._payoffs = payoffs

    def root(self) -> tuple[int, ...]:
        return ()

    def is_terminal(self, state: tuple[int, ...]) -> bool:
        return len(state) == 2

    def payoff(self, state: tuple[int, ...]) -> Fraction:
        return self._payoffs[state[0]][state[1]]

    def player(self, state: tuple[int, ...]) -> int:
        return len(state)

    def infoset(self, state: tuple[int, ...]) -> Hashable:
        return len(state)

    def actions(self, state: tuple[int, ...]) -> Sequence[Hashable]:
        return range(len(self._payoffs) if not state else len(self._payoffs[0]))

    def chance_outcomes(self, state: tuple[int, ...]) -> Sequence[tuple[Hashable, Fraction]]:
        return []

    def child(self, state: tuple[int, ...], action: Hashable) -> tuple[int, ...]:
        assert isinstance(action, int)
        return (*state, action)


def solve_general_sum(tables: Tables, exact: bool) -> tuple[list[GeneralEquilibrium], str, bool]:
    """Return equilibria of a game of two payoff tables, the method, and whether all extreme ones are there.

    Raises
    ------
    TooLargeError
        If `exact` is asked for and the game has too many actions.
    NoEquilibriumFoundError
        If none was found in a large game.
    """
    from solver.exact_sequence_form import TooLargeError
    from solver.extreme_equilibria import MAX_ACTIONS, extreme_equilibria

    num_actions = len(tables[0]) + len(tables[0][0])
    if num_actions <= MAX_ACTIONS:
        found = [GeneralEquilibrium(e.strategies, e.payoffs, 0.0) for e in extreme_equilibria(*tables)]
        return found, "extreme equilibria", True
    if exact:
        raise TooLargeError(
            f"the players have {num_actions} strategies together; all are found up to {MAX_ACTIONS}"
        )
    from solver.bimatrix import solve_bimatrix

    floats = [[[float(amount) for amount in row] for row in table] for table in tables]
    solution = solve_bimatrix(floats[0], floats[1])
    verified = [
        GeneralEquilibrium([mix.tolist() for mix in e.strategies], e.payoffs, _nash_conv(tables, e.gains))
        for e in solution.equilibria
    ]
    return verified, "verified candidates", False


def _nash_conv(tables: Tables, gains: tuple[float, float]) -> float:
    """Return the sum of gains, given in units of each player's payoff range, in payoff units."""
    ranges = [max(map(max, table)) - min(map(min, table)) for table in tables]
    return float(sum(Fraction(gain) * size for gain, size in zip(gains, ranges, strict=True)))

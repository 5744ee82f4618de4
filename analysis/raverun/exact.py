"""Reduced games solved exactly: the tree, its equilibrium by linear programming, and CFR on the same tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.errors import WorkError
from analysis.interrupt import Interrupt
from analysis.raverun import exact_answers

if TYPE_CHECKING:
    from engine.raverun.rules import Rules
    from solver.extensive import ExtensiveGame, FloatArray

DEFAULT_ITERATIONS = 20_000
DEFAULT_TARGET = 1e-3


@dataclass(frozen=True)
class Solved:
    """A solved game.

    Attributes
    ----------
    answer : its public form.
    strategy : `[Q] float64`, how both play, in the order of the tree.
    """

    answer: exact_answers.ExactAnswer
    strategy: FloatArray


def solve_tree(
    rules: Rules,
    game: ExtensiveGame,
    iterations: int,
    target: float,
    interrupt: Interrupt,
    note: Callable[[str], None],
) -> Solved:
    """Solve a tree; after an interrupt, without CFR.

    Parameters
    ----------
    iterations, target : of CFR: so many at most, 0 for none, and the NashConv at which it ends.

    Raises
    ------
    WorkError
        If no linear program could be solved.
    """
    from analysis.raverun.exact_figures import ExactFigures
    from solver.lp import LinearProgramError
    from solver.sequence_form import solve_sequence_form

    note(f"solving {game.num_nodes} nodes by linear programming")
    try:
        solution = solve_sequence_form(game)
    except LinearProgramError as error:
        raise WorkError(str(error)) from None
    cfr = None
    if iterations and not interrupt.requested:
        note("solving by CFR")
        cfr = _cfr(game, iterations, target, interrupt)
    figures = ExactFigures(rules, game, solution.strategy)
    hands = figures.hands()
    answer = exact_answers.ExactAnswer(
        num_nodes=game.num_nodes,
        num_infosets=game.num_infosets,
        value=solution.value + 0.0,
        nash_conv=max(solution.nash_conv, 0.0),
        cfr=cfr,
        cards=figures.first_cards(hands),
        hands=hands,
        order=figures.order(),
        actions=figures.actions(),
        complete=not interrupt.requested and (not iterations or cfr is not None),
        reached=cfr is None or cfr.converged,
    )
    return Solved(answer, solution.strategy)


class _Stopped(Exception):
    """Somebody does not want to wait."""


def _cfr(
    game: ExtensiveGame, iterations: int, target: float, interrupt: Interrupt
) -> exact_answers.CfrReport | None:
    """What CFR finds; None if it is stopped."""
    from solver import tree_cfr

    settings = tree_cfr.TreeCfrSettings(max_iterations=iterations, target_nash_conv=target)

    def watch(_done: int, _nash_conv: float) -> None:
        if interrupt.requested:
            raise _Stopped

    try:
        result = tree_cfr.solve_tree_cfr(game, settings, progress=watch)
    except (_Stopped, KeyboardInterrupt):
        return None
    return exact_answers.CfrReport(result.value, result.nash_conv, result.iterations, result.converged)

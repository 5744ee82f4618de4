"""From the bytes of a game file to a report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from analysis.arena.report import (
    SCHEMA_NUMBER,
    ActionReport,
    EquilibriumReport,
    GameReport,
    InfosetReport,
)
from analysis.arena.solving import (
    Effort,
    Probability,
    Solved,
    solve_constant_sum,
    solve_general_sum,
    solve_matrix_game,
)
from analysis.errors import MalformedFileError, RefusedError, WorkError
from analysis.version import __version__
from solver.gambit_tokens import GambitFormatError, UnsupportedGameError

if TYPE_CHECKING:
    from solver.nfg_reader import StrategicGame

STRATEGY = "strategy"
# float64 ends at 1.8e308.
MAX_PAYOFF = Fraction(10) ** 308


def decoded(data: bytes) -> str:
    """Return the text of a file.

    Raises GambitFormatError where it is not UTF-8.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", errors="replace")) + 1
        raise GambitFormatError(
            line, column, "these bytes are no UTF-8; save the file in that encoding"
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def solve_bytes(data: bytes, file: str, effort: Effort) -> GameReport:
    """Solve the game in the bytes of a file; `file` is what to call it.

    Raises
    ------
    MalformedFileError
        If it is no game; with line and column.
    RefusedError
        If it is too large.
    WorkError
        If games of its kind are not solved, or the method failed.
    """
    from solver.bimatrix import NoEquilibriumFoundError
    from solver.exact_sequence_form import TooLargeError
    from solver.extensive import MalformedGameError
    from solver.lp import LinearProgramError

    try:
        return solve_text(decoded(data), file, effort)
    except GambitFormatError as error:
        raise MalformedFileError(f"{file}: {error}") from None
    except MemoryError as error:
        raise RefusedError(f"{file}: {error}; allow more with --max-nodes") from None
    except (UnsupportedGameError, MalformedGameError, TooLargeError) as error:
        raise _NotSolvedError(f"{file}: {error}") from None
    except (LinearProgramError, NoEquilibriumFoundError) as error:
        raise WorkError(f"{file}: {error}") from None


class _NotSolvedError(WorkError):
    said = "Not solved"


def solve_text(text: str, file: str, effort: Effort) -> GameReport:
    """Solve the game of a file's text.

    Raises
    ------
    GambitFormatError
        If it is no game.
    UnsupportedGameError, MalformedGameError, TooLargeError, LinearProgramError, NoEquilibriumFoundError
        If it is none that can be solved (so).
    MemoryError
        If it has more nodes than allowed.
    """
    word = re.match(r"\s*(\S*)", text)
    assert word is not None
    if word[1] == "EFG":
        return _solve_tree(text, file, effort)
    if word[1] == "NFG":
        return _solve_strategic(text, file, effort)
    line = text.count("\n", 0, word.start(1)) + 1
    column = word.start(1) - text.rfind("\n", 0, word.start(1))
    raise GambitFormatError(line, column, "a game file begins with EFG or NFG")


def _solve_tree(text: str, file: str, effort: Effort) -> GameReport:
    from solver.efg_reader import constant_sum_game, parse_efg
    from solver.extensive import MalformedGameError

    tree = parse_efg(text, max_nodes=effort.max_nodes)
    _check_payoffs(payoff for node in tree.nodes for payoff in node.payoffs)
    try:
        game, total = constant_sum_game(tree, max_nodes=effort.max_nodes)
    except MalformedGameError as error:
        # Players by name, as the file has them.
        message = re.sub(r"^player ([01])", lambda match: tree.players[int(match[1])], str(error))
        raise MalformedGameError(message) from None
    solved = solve_constant_sum(game, effort)

    def infoset_report(infoset: int) -> InfosetReport:
        slots = range(game.first_slot[infoset], game.first_slot[infoset + 1])
        return InfosetReport(
            tree.players[game.infoset_player[infoset]],
            str(game.infoset_keys[infoset]),
            _actions(
                [str(game.slot_labels[slot]) for slot in slots], [solved.strategy[slot] for slot in slots]
            ),
        )

    strategies = [infoset_report(infoset) for infoset in range(game.num_infosets)]
    size = {"nodes": len(tree.nodes), "infosets": game.num_infosets}
    return _constant_sum_report(file, "efg", tree.title, tree.players, size, total, solved, strategies)


def _solve_strategic(text: str, file: str, effort: Effort) -> GameReport:
    from solver.nfg_reader import parse_nfg, two_player_payoffs

    game = parse_nfg(text, max_combinations=effort.max_nodes)
    tables = two_player_payoffs(game)
    _check_payoffs(payoff for payoffs in game.payoffs for payoff in payoffs)
    sums = {first + second for first, second in game.payoffs}
    size = {"rows": len(game.strategies[0]), "columns": len(game.strategies[1])}
    if len(sums) == 1:
        solved = solve_matrix_game(tables[0], effort)
        rows = len(game.strategies[0])
        mixes = [solved.strategy[:rows], solved.strategy[rows:]]
        strategies = _mixed(game, mixes)
        return _constant_sum_report(
            file, "nfg", game.title, game.players, size, sums.pop(), solved, strategies
        )
    if effort.method in ("lp", "cfr"):
        raise UnsupportedGameError(
            f"the payoffs of the two players do not sum to a constant; --method {effort.method} needs that"
        )
    equilibria, method, complete = solve_general_sum(tables, effort.method == "exact")
    return GameReport(
        schema=SCHEMA_NUMBER,
        version=__version__,
        file=file,
        form="nfg",
        title=game.title,
        players=game.players,
        size=size,
        constant_sum=None,
        value=None,
        exact_value=None,
        lower=None,
        upper=None,
        nash_conv=max(equilibrium.nash_conv for equilibrium in equilibria),
        method=method,
        iterations=0,
        converged=True,
        complete=complete,
        equilibria=[
            EquilibriumReport(
                [float(payoff) for payoff in equilibrium.payoffs],
                [str(payoff) for payoff in equilibrium.payoffs] if complete else None,
                equilibrium.nash_conv,
                _mixed(game, equilibrium.strategies),
            )
            for equilibrium in equilibria
        ],
    )


def _check_payoffs(payoffs: Iterable[Fraction]) -> None:
    if any(abs(payoff) > MAX_PAYOFF for payoff in payoffs):
        raise UnsupportedGameError("there are payoffs beyond 1e308")


def _constant_sum_report(
    file: str,
    form: str,
    title: str,
    players: list[str],
    size: dict[str, int],
    total: Fraction,
    solved: Solved,
    strategies: list[InfosetReport],
) -> GameReport:
    value = Fraction(solved.value)
    exact_value = str(value) if solved.exact else None
    exact_payoffs = [str(value), str(total - value)] if solved.exact else None
    equilibrium = EquilibriumReport(
        [float(value), float(total - value)], exact_payoffs, solved.nash_conv, strategies
    )
    return GameReport(
        schema=SCHEMA_NUMBER,
        version=__version__,
        file=file,
        form=form,
        title=title,
        players=players,
        size=size,
        constant_sum=str(total),
        value=float(value),
        exact_value=exact_value,
        lower=float(solved.lower),
        upper=float(solved.upper),
        nash_conv=solved.nash_conv,
        method=solved.method,
        iterations=solved.iterations,
        converged=solved.converged,
        complete=False,
        equilibria=[equilibrium],
    )


def _mixed(game: StrategicGame, mixes: Sequence[Sequence[Probability]]) -> list[InfosetReport]:
    return [
        InfosetReport(player, STRATEGY, _actions(names, mix))
        for player, names, mix in zip(game.players, game.strategies, mixes, strict=True)
    ]


def _actions(names: Sequence[str], mix: Sequence[Probability]) -> list[ActionReport]:
    return [
        ActionReport(name, float(share), str(share) if isinstance(share, Fraction) else None)
        for name, share in zip(names, mix, strict=True)
    ]

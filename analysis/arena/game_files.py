"""From the bytes of a game file to a report."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from analysis.arena.report import (
    ActionReport,
    EquilibriumReport,
    GameReport,
    InfosetReport,
)
from analysis.arena.solving import (
    Effort,
    Probability,
    Solved,
    Tables,
    solve_constant_sum,
    solve_general_sum,
    solve_matrix_game,
)
from analysis.errors import MalformedFileError, RefusedError, WorkError
from solver.constant_sum import ConstantSum, constant_sum
from solver.gambit_tokens import GambitFormatError, GeneralSumError, UnsupportedGameError

if TYPE_CHECKING:
    from solver.extensive import ExtensiveGame
    from solver.nfg_reader import StrategicGame

STRATEGY = "strategy"
# float64 ends at 1.8e308.
MAX_PAYOFF = Fraction(10) ** 308
# Trees in which both can gain are written as tables of all plans, which grow exponentially.
MAX_PLAN_PAIRS = 4000


@dataclass(frozen=True)
class Form:
    """What a file says of its game, and how large it is."""

    file: str
    form: str
    title: str
    players: list[str]
    size: dict[str, int]

    def report(self, **answer: Any) -> GameReport:
        """Return a report of this game, with an answer."""
        return GameReport(
            file=self.file,
            form=self.form,
            title=self.title,
            players=self.players,
            size=self.size,
            **answer,
        )


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
    from solver.efg_reader import constant_sum_game, general_sum_games, parse_efg
    from solver.extensive import MalformedGameError

    tree = parse_efg(text, max_nodes=effort.max_nodes)
    _check_payoffs(payoff for node in tree.nodes for payoff in node.payoffs)
    form = Form(file, "efg", tree.title, tree.players, {"nodes": len(tree.nodes)})
    try:
        try:
            game, total = constant_sum_game(tree, max_nodes=effort.max_nodes)
        except GeneralSumError as error:
            games = general_sum_games(tree, max_nodes=effort.max_nodes)
            form.size["infosets"] = games[0].num_infosets
            return _general_sum_tree(form, games, effort, str(error))
    except MalformedGameError as error:
        # Players by name, as the file has them.
        message = re.sub(r"^player ([01])", lambda match: tree.players[int(match[1])], str(error))
        raise MalformedGameError(message) from None
    form.size["infosets"] = game.num_infosets
    solved = solve_constant_sum(game, effort)
    return _constant_sum_report(form, total, solved, _by_infoset(form, game, solved.strategy))


def _by_infoset(
    form: Form, game: ExtensiveGame, strategy: Sequence[Probability] | Mapping[int, Probability]
) -> list[InfosetReport]:
    """What a behaviour strategy of both players, by slot, does at each infoset."""
    reports = []
    for infoset in range(game.num_infosets):
        slots = range(game.first_slot[infoset], game.first_slot[infoset + 1])
        names = [str(game.slot_labels[slot]) for slot in slots]
        actions = _actions(names, [strategy[slot] for slot in slots])
        player = form.players[game.infoset_player[infoset]]
        reports.append(InfosetReport(player, str(game.infoset_keys[infoset]), actions))
    return reports


def _general_sum_tree(
    form: Form, games: tuple[ExtensiveGame, ExtensiveGame], effort: Effort, why: str
) -> GameReport:
    """Solve a tree in which both can gain, by its reduced normal form."""
    from solver.normal_form import behaviour_of_mix, count_plans, reduced_normal_form

    _check_general_method(effort)
    rows, columns = (count_plans(games[0], player) for player in (0, 1))
    if rows * columns > MAX_PLAN_PAIRS:
        raise UnsupportedGameError(
            f"{why}, so both can gain; such trees are solved up to {MAX_PLAN_PAIRS} pairs of plans, and this"
            f" one has {rows} times {columns}. Gambit's command gambit-lcp finds an equilibrium of it"
        )
    forms = [reduced_normal_form(game, max_plans=MAX_PLAN_PAIRS) for game in games]
    plans = forms[0].plans

    def strategies(mixes: Sequence[Sequence[Probability]]) -> list[InfosetReport]:
        shares: dict[int, Probability] = {}
        for player in (0, 1):
            shares |= behaviour_of_mix(games[0], player, plans[player], mixes[player])
        return _by_infoset(form, games[0], shares)

    form.size.update({"rows": rows, "columns": columns})
    return _general_sum_report(form, (forms[0].payoff, forms[1].payoff), effort, strategies)


def _solve_strategic(text: str, file: str, effort: Effort) -> GameReport:
    from solver.nfg_reader import parse_nfg, two_player_payoffs

    game = parse_nfg(text, max_combinations=effort.max_nodes)
    tables = two_player_payoffs(game)
    _check_payoffs(payoff for payoffs in game.payoffs for payoff in payoffs)
    size = {"rows": len(game.strategies[0]), "columns": len(game.strategies[1])}
    form = Form(file, "nfg", game.title, game.players, size)
    total = constant_sum(game.payoffs)
    if total is not None:
        solved = solve_matrix_game(tables[0], effort)
        rows = len(game.strategies[0])
        return _constant_sum_report(
            form, total, solved, _mixed(game, [solved.strategy[:rows], solved.strategy[rows:]])
        )
    _check_general_method(effort)
    return _general_sum_report(form, tables, effort, lambda mixes: _mixed(game, mixes))


def _check_general_method(effort: Effort) -> None:
    if effort.method in ("lp", "cfr"):
        raise UnsupportedGameError(
            f"the payoffs of the two players do not sum to a constant; --method {effort.method} needs that"
        )


def _general_sum_report(
    form: Form,
    tables: Tables,
    effort: Effort,
    strategies: Callable[[Sequence[Sequence[Probability]]], list[InfosetReport]],
) -> GameReport:
    """Report the equilibria of two payoff tables; `strategies` says what their mixes do in the game."""
    equilibria, method, complete = solve_general_sum(tables, effort.method == "exact")
    return form.report(
        constant_sum=None,
        sum_deviation=None,
        value=None,
        exact_value=None,
        lower=None,
        upper=None,
        nash_conv=max(equilibrium.nash_conv for equilibrium in equilibria),
        method=method,
        iterations=0,
        converged=True,
        all_listed=complete,
        exactness="exact" if complete else "bounded",
        equilibria=[
            EquilibriumReport(
                [float(payoff) for payoff in equilibrium.payoffs],
                [str(payoff) for payoff in equilibrium.payoffs] if complete else None,
                equilibrium.nash_conv,
                strategies(equilibrium.strategies),
            )
            for equilibrium in equilibria
        ],
    )


def _check_payoffs(payoffs: Iterable[Fraction]) -> None:
    if any(abs(payoff) > MAX_PAYOFF for payoff in payoffs):
        raise UnsupportedGameError("there are payoffs beyond 1e308")


def _constant_sum_report(
    form: Form, total: ConstantSum, solved: Solved, strategies: list[InfosetReport]
) -> GameReport:
    value = Fraction(solved.value)
    rest = total.total - value
    equilibrium = EquilibriumReport(
        [float(value), float(rest)],
        [str(value), str(rest)] if solved.exact and not total.deviation else None,
        solved.nash_conv,
        strategies,
    )
    return form.report(
        constant_sum=str(total.total),
        sum_deviation=float(total.deviation),
        value=float(value),
        exact_value=str(value) if solved.exact else None,
        lower=float(solved.lower),
        upper=float(solved.upper),
        nash_conv=solved.nash_conv,
        method=solved.method,
        iterations=solved.iterations,
        converged=solved.converged,
        all_listed=False,
        exactness="exact" if solved.exact else "bounded",
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

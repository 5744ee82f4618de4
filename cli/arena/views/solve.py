"""How the solution of a game file looks."""

from __future__ import annotations

from analysis.arena.report import EquilibriumReport, GameReport
from cli.grid import Section


def exactness(report: GameReport) -> str:
    """Return in one line how sure the answer is."""
    if report.method == "exact linear program":
        return "exact: solved and checked in fractions, nobody can gain anything"
    if report.method == "extreme equilibria":
        return "exact: all extreme equilibria, checked in fractions; any other is a mixture of some of these"
    if report.value is not None:
        return (
            f"certified: the value lies between {number(report.lower)} and {number(report.upper)}"
            f" (NashConv {report.nash_conv:.1e})"
        )
    return f"verified: nobody can gain more than {report.nash_conv:.1e}; there may be other equilibria"


def number(amount: float | None) -> str:
    """Return an amount in up to nine digits."""
    return "-" if amount is None else f"{amount + 0.0:.9g}"


def _with_fraction(amount: float, exact: str | None) -> str:
    rounded = number(amount)
    return rounded if exact is None or exact == rounded or len(exact) > 40 else f"{rounded} ({exact})"


def _facts(report: GameReport) -> list[tuple[str, str]]:
    size = ", ".join(f"{name} {count}" for name, count in report.size.items())
    facts = [("players", ", ".join(report.players)), ("size", size)]
    if report.constant_sum is None:
        facts.append(("payoffs", "general-sum"))
    elif report.sum_deviation:
        rounded = f"sum to {report.constant_sum} but for rounding, at most {report.sum_deviation:.1e} off"
        facts.append(("payoffs", f"{rounded}; those of {report.players[0]} are solved"))
    elif report.constant_sum != "0":
        facts.append(("payoffs", f"sum to {report.constant_sum}"))
    if report.value is not None:
        facts.append(("value", f"{_with_fraction(report.value, report.exact_value)} to {report.players[0]}"))
    steps = f", {report.iterations} iterations" if report.iterations else ""
    facts.append(("method", report.method + steps))
    facts.append(("how sure", exactness(report)))
    return facts


def _rows(equilibrium: EquilibriumReport) -> list[tuple[str, str, str, str]]:
    return [
        (infoset.player, infoset.infoset, action.action, _with_fraction(action.probability, action.exact))
        for infoset in equilibrium.strategies
        for action in infoset.actions
        if action.probability > 0
    ]


def sections(report: GameReport) -> list[Section]:
    """Return facts, and a table for each equilibrium; long ones are cut off, with a word about it."""
    parts = [Section(" ".join((report.title or report.file).split()), facts=_facts(report))]
    for index, equilibrium in enumerate(report.equilibria, 1):
        rows = _rows(equilibrium)
        title = "Strategies"
        if report.value is None:
            exact: list[str] | list[None] = equilibrium.exact_payoffs or [None, None]
            pays = ", ".join(map(_with_fraction, equilibrium.payoffs, exact))
            title = f"Equilibrium {index}, payoffs {pays}"
        if len(rows) > MAX_ROWS:
            title += f" (the first {MAX_ROWS} rows of {len(rows)}; all with --format json or csv)"
        parts.append(Section(title, HEAD, rows[:MAX_ROWS], left=3, level=3))
    return parts


def notes(_report: GameReport) -> list[str]:
    """Return nothing: the facts say all."""
    return []


def csv_rows(report: GameReport) -> list[dict[str, object]]:
    """Return all probabilities, a line each, with the game's value."""
    return [
        {
            "value": report.value,
            "nash_conv": equilibrium.nash_conv,
            "method": report.method,
            "equilibrium": index,
            "player": infoset.player,
            "infoset": infoset.infoset,
            "action": action.action,
            "probability": action.probability,
            "exact": action.exact,
        }
        for index, equilibrium in enumerate(report.equilibria, 1)
        for infoset in equilibrium.strategies
        for action in infoset.actions
    ]


MAX_ROWS = 40
"""Of strategies in tables for people; all are in JSON and CSV."""
HEAD = ("player", "infoset", "action", "plays")

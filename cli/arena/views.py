"""How the solution of a game file looks: text, Markdown, CSV, JSON."""

from __future__ import annotations

import csv
import io
import textwrap

from analysis.arena.report import EquilibriumReport, GameReport
from cli.output import to_json


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


def _sections(report: GameReport) -> list[tuple[str, list[tuple[str, str, str, str]]]]:
    """Return the equilibria with what to call them; long ones are cut off, with a word about it."""
    sections = []
    for index, equilibrium in enumerate(report.equilibria, 1):
        rows = _rows(equilibrium)
        title = "Strategies"
        if report.value is None:
            exact: list[str] | list[None] = equilibrium.exact_payoffs or [None, None]
            pays = ", ".join(map(_with_fraction, equilibrium.payoffs, exact))
            title = f"Equilibrium {index}, payoffs {pays}"
        if len(rows) > MAX_ROWS:
            title += f" (the first {MAX_ROWS} rows of {len(rows)}; all with --format json or csv)"
        sections.append((title, rows[:MAX_ROWS]))
    return sections


def to_text(report: GameReport) -> str:
    """Return the report for a terminal."""
    lines = [*textwrap.wrap(report.title or report.file, 100), ""]
    for name, text in _facts(report):
        lines += textwrap.wrap(text, 100, initial_indent=f"{name:10}", subsequent_indent=" " * 10)
    for title, rows in _sections(report):
        table = [HEAD, *rows]
        widths = [max(len(row[column]) for row in table) for column in range(len(HEAD))]
        lines += ["", title]
        lines += [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in table
        ]
    return "\n".join(lines) + "\n"


def to_markdown(report: GameReport) -> str:
    """Return the report as GitHub-flavoured Markdown."""
    lines = [f"## {_cell(report.title or report.file)}", ""]
    lines += [f"- {name}: {_cell(text)}" for name, text in _facts(report)]
    for title, rows in _sections(report):
        lines += ["", f"### {_cell(title)}", "", f"| {' | '.join(HEAD)} |", "|---|---|---|---:|"]
        lines += [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def to_csv(report: GameReport) -> str:
    """Return all probabilities, a line each, with the game's value."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(
        ["value", "nash_conv", "method", "equilibrium", "player", "infoset", "action", "probability", "exact"]
    )
    value = "" if report.value is None else report.value
    for index, equilibrium in enumerate(report.equilibria, 1):
        head = [value, equilibrium.nash_conv, report.method, index]
        for infoset in equilibrium.strategies:
            for action in infoset.actions:
                exact = action.exact or ""
                writer.writerow(
                    [*head, infoset.player, infoset.infoset, action.action, action.probability, exact]
                )
    return stream.getvalue()


FORMATS = {"table": to_text, "json": to_json, "csv": to_csv, "md": to_markdown}


MAX_ROWS = 40
"""Of strategies in tables for people; all are in JSON and CSV."""
HEAD = ("player", "infoset", "action", "plays")

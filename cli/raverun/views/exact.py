"""How an exact solution looks, in its formats."""

from __future__ import annotations

import csv
import io

from analysis.raverun.exact_answers import ExactReport
from cli.output import to_json


def to_csv(report: ExactReport) -> str:
    """Return the cards, a line each, with the game's value."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["rules_sha256", "value", "nash_conv", "card", "held", "chosen", "worth"])
    for card in report.cards:
        worth = "" if card.worth is None else card.worth
        head = [report.rules.sha256, report.value, report.nash_conv]
        writer.writerow([*head, card.card, card.held, card.chosen, worth])
    return stream.getvalue()


def _facts(report: ExactReport) -> list[tuple[str, str]]:
    facts = [
        ("tree", f"{report.num_nodes} nodes, {report.num_infosets} infosets"),
        (
            "value",
            f"{report.value + 0.0:+.6f} to player 0, by linear program; NashConv {report.nash_conv:.1e}",
        ),
    ]
    if report.cfr is not None:
        cfr = report.cfr
        facts.append(
            ("CFR", f"{cfr.value:+.6f}; NashConv {cfr.nash_conv:.1e} after {cfr.iterations} iterations")
        )
    return facts


HEAD = ("first card", "held %", "chosen %", "then worth")
_NOTE = (
    "Payoffs of player 0: win 1, draw 0, loss -1. Chosen: of the times it is held, in the equilibrium found;"
    " there may be others."
)


def rows(report: ExactReport) -> list[tuple[str, ...]]:
    """Return the first cards under `HEAD`, a line each."""
    return [
        (
            card.card,
            f"{100 * card.held:.1f}",
            f"{100 * card.chosen:.1f}",
            "-" if card.worth is None else f"{card.worth + 0.0:+.3f}",
        )
        for card in report.cards
    ]


def to_markdown(report: ExactReport) -> str:
    """Return the report as GitHub-flavoured Markdown."""
    lines = [f"## {report.rules.name}", "", *(f"- {name}: {text}" for name, text in _facts(report)), ""]
    lines += ["| " + " | ".join(HEAD) + " |", "|---" + "|---:" * (len(HEAD) - 1) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows(report)]
    return "\n".join([*lines, "", _NOTE]) + "\n"


def to_text(report: ExactReport) -> str:
    """Return the report for a terminal of 80 columns."""
    import textwrap

    lines = [*textwrap.wrap(report.rules.name, 80), ""]
    lines += [f"{name:8} {text}" for name, text in _facts(report)]
    lines += ["", "{:10} {:>8} {:>9} {:>11}".format(*HEAD)]
    lines += ["{:10} {:>8} {:>9} {:>11}".format(*row) for row in rows(report)]
    return "\n".join([*lines, "", *textwrap.wrap(_NOTE, 80)]) + "\n"


FORMATS = {"table": to_text, "json": to_json, "csv": to_csv, "md": to_markdown}

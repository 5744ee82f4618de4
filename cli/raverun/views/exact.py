"""How an exact solution looks, in its formats."""

from __future__ import annotations

import csv
import io
import textwrap

import msgspec

from analysis.raverun.exact_answers import ExactReport, HandMixReport
from cli.output import to_json

_MOST_HANDS = 20
"""So many hands are shown without being asked for."""


def shown(report: ExactReport, hand: str | None) -> ExactReport:
    """Return the report with the hand asked about alone."""
    if hand is None:
        return report
    return msgspec.structs.replace(report, hands=[each for each in report.hands if each.hand == hand])


def to_csv(report: ExactReport) -> str:
    """Return the cards, a line each, with the game's value; then those of each hand, order and actions."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = ["what", "of", "card", "held", "chosen", "worth"]
    writer.writerow(["rules_sha256", "value", "nash_conv", *names])
    head = [report.rules.sha256, report.value, report.nash_conv]
    for card in report.cards:
        writer.writerow([*head, "first_card", "", card.card, card.held, card.chosen, _blank(card.worth)])
    for hand in report.hands:
        for card in hand.cards:
            writer.writerow([*head, "hand", hand.hand, card.card, card.held, card.chosen, _blank(card.worth)])
    order = report.order
    rows = [("order", "first", order.decisions, order.plays_first, order.right)]
    rows += [("action", each.character, each.offered, each.used, each.gain) for each in report.actions]
    for what, of, often, chosen, gain in rows:
        writer.writerow([*head, what, of, "", often, _blank(chosen), _blank(gain)])
    return stream.getvalue()


def _blank(value: float | None) -> float | str:
    return "" if value is None else value


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
    order = report.order
    if order.plays_first is not None:
        facts.append(
            (
                "order",
                f"decided {order.decisions:.2f} times a game, {100 * order.plays_first:.1f} % to play first"
                f" oneself; worth {_signed(order.right)} a decision over a lot",
            )
        )
    return facts


HEAD = ("first card", "held %", "chosen %", "then worth")
_NOTE = (
    "Payoffs of player 0: win 1, draw 0, loss -1. Chosen: of the times it is held, in the equilibrium found;"
    " there may be others. Actions: offered a game to either player; gain an offer over passing."
)
Table = tuple[str, tuple[str, ...], list[tuple[str, ...]]]


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value + 0.0:+.3f}"


def rows(report: ExactReport) -> list[tuple[str, ...]]:
    """Return the first cards under `HEAD`, a line each."""
    return [
        (card.card, f"{100 * card.held:.1f}", f"{100 * card.chosen:.1f}", _signed(card.worth))
        for card in report.cards
    ]


def _hand_table(hand: HandMixReport) -> Table:
    ranked = sorted(hand.cards, key=lambda card: -(card.worth or 0.0))
    return (
        f"{hand.hand}: worth {_signed(hand.value)}",
        ("first card", "chosen %", "then worth", "behind the best"),
        [
            (
                card.card,
                f"{100 * card.chosen:.1f}",
                _signed(card.worth),
                _signed((ranked[0].worth or 0.0) - (card.worth or 0.0)),
            )
            for card in ranked
        ],
    )


def _mixes(hands: list[HandMixReport]) -> Table:
    return (
        "first cards by hand",
        ("hand", "value", "chosen %"),
        [
            (
                hand.hand,
                _signed(hand.value),
                ", ".join(f"{each.card} {100 * each.chosen:.0f}" for each in hand.cards if each.chosen > 0.0),
            )
            for hand in hands
        ],
    )


def _tables(report: ExactReport) -> list[Table]:
    """Return title, head and rows of each table."""
    tables: list[Table] = []
    if len(report.hands) == 1:
        tables.append(_hand_table(report.hands[0]))
    elif len(report.hands) <= _MOST_HANDS:
        tables.append(_mixes(report.hands))
    tables.append(("first cards", HEAD, rows(report)))
    actions: list[tuple[str, ...]] = [
        (
            each.character,
            each.action,
            f"{each.offered:.2f}",
            "-" if each.used is None else f"{100 * each.used:.1f}",
            _signed(each.gain),
        )
        for each in report.actions
    ]
    tables.append(("actions", ("", "action", "offered a game", "used %", "gain an offer"), actions))
    return tables


def to_markdown(report: ExactReport) -> str:
    """Return the report as GitHub-flavoured Markdown."""
    lines = [f"## {report.rules.name}", "", *(f"- {name}: {text}" for name, text in _facts(report))]
    for title, head, body in _tables(report):
        lines += [
            "",
            f"### {title}",
            "",
            "| " + " | ".join(head) + " |",
            "|---" + "|---:" * (len(head) - 1) + "|",
        ]
        lines += ["| " + " | ".join(row) + " |" for row in body]
    return "\n".join([*lines, "", _NOTE]) + "\n"


def to_text(report: ExactReport) -> str:
    """Return the report for a terminal of 80 columns."""
    lines = [*textwrap.wrap(report.rules.name, 80), ""]
    for name, text in _facts(report):
        lines += textwrap.wrap(f"{name:8} {text}", 80, subsequent_indent=" " * 9)
    for title, head, body in _tables(report):
        widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
        lines += ["", title]
        lines += [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in (head, *body)
        ]
    return "\n".join([*lines, "", *textwrap.wrap(_NOTE, 80)]) + "\n"


FORMATS = {"table": to_text, "json": to_json, "csv": to_csv, "md": to_markdown}

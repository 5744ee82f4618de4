"""The formats of `approximate_answers.ApproximateReport`: JSON, CSV, Markdown, and text for a terminal."""

from __future__ import annotations

import csv
import io
import textwrap

from analysis.raverun.approximate_answers import ApproximateReport, TrainingReport
from analysis.raverun.estimates import CONFIDENCE, Estimate, number, percent, signed
from cli.output import to_json

_Rows = list[tuple[str, str, Estimate]]


def _numbers(report: ApproximateReport) -> _Rows:
    """All estimates: what, of which, how much."""
    rows: _Rows = [("match", match.opponent, match.payoff) for match in report.matches]
    if report.bound is not None:
        rows += [("response", str(seat), value) for seat, value in enumerate(report.bound.responses)]
    if report.hand is not None:
        rows += [("hand_worth", card.card, card.worth) for card in report.hand.cards]
    for card in report.first_cards:
        rows += [("first_card_chosen", card.card, card.chosen), ("first_card_worth", card.card, card.worth)]
    for a_round in report.rounds:
        for card in a_round.cards:
            rows += [
                (f"round_{a_round.round}_chosen", card.card, card.chosen),
                (f"round_{a_round.round}_worth", card.card, card.worth),
            ]
    for action in report.actions:
        rows += [
            ("action_offered", action.character, action.offered),
            ("action_used", action.character, action.used),
            ("action_gain", action.character, action.gain),
        ]
    for part in report.strengths:
        rows.append(("strength_wins", f"{part.least}-{part.most}", part.wins))
    for section, struct in (
        ("order", report.order),
        ("advantage", report.advantage),
        ("length", report.length),
    ):
        for name in struct.__struct_fields__:
            value = getattr(struct, name)
            if isinstance(value, Estimate):
                rows.append((section, name, value))
    return rows


def to_csv(report: ApproximateReport) -> str:
    """Return all estimates, a line each."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["rules_sha256", "label", "nash_conv_at_least", "what", "of", "mean", "low", "high", "n"])
    least = "" if report.bound is None else report.bound.lower_bound
    for what, which, value in _numbers(report):
        cells = ["" if cell is None else cell for cell in (value.mean, value.low, value.high)]
        head = [report.rules.sha256, report.label, least]
        writer.writerow([*head, what, which, *cells, value.observations])
    return stream.getvalue()


Table = tuple[str, list[str], list[list[str]]]


def training_words(training: TrainingReport) -> str:
    """Return how strategies were found."""
    return (
        f"{training.iterations} iterations in {training.seconds:.0f} s, {training.method}, abstraction"
        f" {training.abstraction!r}, {training.infosets} infosets"
        + (f" (table full: {training.lost} visits found no room)" if training.lost else "")
        + f", seed {training.seed}"
        + (", interrupted" if training.stopped == "interrupted" else "")
    )


def _facts(report: ApproximateReport) -> list[tuple[str, str]]:
    facts = [
        ("answer", report.label),
        (
            "training",
            training_words(report.training),
        ),
    ]
    if report.bound is not None:
        bound = report.bound
        seats = ", ".join(map(signed, bound.responses))
        facts.append(
            (
                "bound",
                f"NashConv at least {bound.lower_bound:.3f} ({report.confidence:.0%} one-sided;"
                f" exploitability at least {bound.lower_bound / report.players:.3f}): responses"
                f" ({', '.join(bound.kinds)}) win {seats} by seat",
            )
        )
    elif report.players == 2:
        facts.append(("bound", "not measured: exploitability is unknown"))
    for match in report.matches:
        facts.append(
            (
                "against",
                f"{match.opponent}: {signed(match.payoff)} a game"
                f" ({match.wins} won, {match.draws} drawn, {match.losses} lost)",
            )
        )
    order, advantage, length = report.order, report.advantage, report.length
    facts += [
        (
            "order",
            f"deciding it brings {signed(order.right)} over a lot,"
            f" {signed(order.right_in_round_1)} in round 1; {percent(order.plays_first)} % then play first;"
            f" first by lot brings {signed(order.first_by_lot)}",
        ),
        (
            "bidding",
            f"the highest first card has {signed(advantage.highest_bid)},"
            f" wins {percent(advantage.highest_bid_wins)} %",
        ),
        (
            "first",
            f"who plays first in round 1 has {signed(advantage.first_mover)},"
            f" wins {percent(advantage.first_mover_wins)} %; {percent(advantage.draws)} % draws",
        ),
        (
            "length",
            f"{number(length.rounds)} rounds (at most {length.most_rounds}),"
            f" {number(length.decisions)} decisions",
        ),
    ]
    return facts


def tables(report: ApproximateReport, num_rounds: int = 4) -> list[Table]:
    """Return title, head and rows of each table; of the rounds, the first `num_rounds`."""
    made: list[Table] = []
    if report.hand is not None:
        made.append(
            (
                f"this hand: {signed(report.hand.payoff)}"
                + ("" if report.hand.trained else " (never trained: even mix)"),
                ["first card", "mix %", "then worth"],
                [[card.card, f"{100 * card.mix:.1f}", signed(card.worth)] for card in report.hand.cards],
            )
        )
    made.append(
        (
            "first cards",
            ["card", "chosen %", "worth"],
            [[card.card, percent(card.chosen), signed(card.worth)] for card in report.first_cards],
        )
    )
    shown = report.rounds[:num_rounds]
    cells = [
        [card.card, *(signed(a_round.cards[index].worth) for a_round in shown)]
        for index, card in enumerate(report.first_cards)
    ]
    made.append(("worth when played in round", ["card", *(str(a.round) for a in shown)], cells))
    made.append(
        (
            "actions",
            ["", "action", "offered a game", "used %", "gain an offer"],
            [
                [
                    action.character,
                    action.action,
                    number(action.offered),
                    percent(action.used),
                    signed(action.gain),
                ]
                for action in report.actions
            ],
        )
    )
    made.append(
        (
            "hands by sum of ranks (1A is 1)",
            ["sum", "wins %", "payoff"],
            [[f"{p.least}-{p.most}", percent(p.wins), signed(p.payoff)] for p in report.strengths],
        )
    )
    return made


NOTE = (
    "Payoffs a game: win 1, draw 0, loss -1 (three players: -1/2 each). ±: 95 % confidence interval. Worth"
    " and gain: the move drawn by lot, the strategies playing on; chosen and used: by the strategies. All of"
    " it holds for these strategies playing each other, and better ones may play otherwise."
)
assert CONFIDENCE == 0.95


def to_text(report: ApproximateReport) -> str:
    """Return the report for a terminal of 80 columns."""
    lines = [*textwrap.wrap(report.rules.name, 80), ""]
    for name, text in _facts(report):
        lines += textwrap.wrap(f"{name:9}{text}", 80, subsequent_indent=" " * 9)
    for title, head, rows in tables(report):
        widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        lines += ["", title]
        lines += [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
            for row in (head, *rows)
        ]
    return "\n".join([*lines, "", *textwrap.wrap(NOTE, 80)]) + "\n"


def to_markdown(report: ApproximateReport) -> str:
    """Return the report as GitHub-flavoured Markdown."""
    lines = [f"## {report.rules.name}", "", *(f"- {name}: {text}" for name, text in _facts(report))]
    for title, head, rows in tables(report):
        lines += [
            "",
            f"### {title}",
            "",
            "| " + " | ".join(head) + " |",
            "|---" + "|---:" * (len(head) - 1) + "|",
        ]
        lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([*lines, "", NOTE]) + "\n"


FORMATS = {"table": to_text, "json": to_json, "csv": to_csv, "md": to_markdown}

"""The formats of `approximate_answers.ApproximateReport`: JSON, CSV, Markdown, and text for a terminal."""

from __future__ import annotations

import csv
import io
import textwrap

from analysis.raverun.approximate_answers import ApproximateReport, Groups, TrainingReport
from analysis.raverun.estimates import CONFIDENCE, Estimate, number, percent, signed
from cli.output import to_json

_Rows = list[tuple[str, str, Estimate]]


def _numbers(report: ApproximateReport) -> _Rows:
    """All estimates: what, of which, how much."""
    rows: _Rows = [("match", match.opponent, match.payoff) for match in report.matches]
    if report.bound is not None:
        rows += [("response", str(seat), value) for seat, value in enumerate(report.bound.responses)]
    if report.hand is not None:
        rows.append(("hand", "payoff", report.hand.payoff))
        for each in report.hand.cards:
            rows += [("hand_worth", each.card, each.worth), ("hand_behind", each.card, each.behind)]
    for prefix, cards in (
        ("first_card", report.first_cards),
        *((f"round_{a_round.round}", a_round.cards) for a_round in report.rounds),
    ):
        for card in cards:
            rows += [
                (f"{prefix}_{name}", card.card, getattr(card, name))
                for name in ("chosen", "worth", "advantage", "holding")
            ]
    for prefix, groups in (("first_card", report.bid_groups), ("played", report.play_groups)):
        for kind, members in (("character", groups.characters), ("letter", groups.letters)):
            for group in members:
                rows += [
                    (f"{prefix}_{kind}_advantage", group.name, group.advantage),
                    (f"{prefix}_{kind}_holding", group.name, group.holding),
                ]
    for action in report.actions:
        rows += [
            (f"action_{name}", action.character, getattr(action, name))
            for name in ("offered", "used", "gain", "worth")
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
    if training.num_hidden is not None:
        where = {"shipped": "come with the package", "trained": "learned for this answer"}
        took = f" in {training.seconds:.0f} s" if training.seconds else ""
        return (
            f"{training.method}; {training.num_hidden} hidden units, {training.iterations} plays{took}, seed"
            f" {training.seed}; {where.get(training.source, training.source)}"
            + ("" if training.stopped == "limit" else ", unfinished")
        )
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
                f"responses ({', '.join(dict.fromkeys(bound.kinds))}, {bound.iterations} iterations) win"
                f" {bound.nash_conv:.3f} of 2 ({seats} by seat): NashConv is at least"
                f" {bound.lower_bound:.3f} ({report.confidence:.0%} one-sided), exploitability at least"
                f" {bound.lower_bound / report.players:.3f}",
            )
        )
        curve = ", ".join(
            f"{each.iterations} iterations {each.nash_conv:.2f} (at least {each.lower_bound:.2f})"
            for each in report.bounds
        )
        if len(report.bounds) > 1:
            facts.append(("", f"with more effort they win more: {curve}"))
    elif report.players == 2:
        facts.append(("bound", "not measured here (raverun train measures it): exploitability is unknown"))
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
            f"deciding it brings {signed(order.right_a_game)} a game over drawing lots,"
            f" {signed(order.right)} a decision, {signed(order.right_in_round_1)} in round 1; who decides"
            f" plays first in {percent(order.plays_first)} %",
        ),
        (
            "",
            f"playing first brings {signed(order.first)}; always first when deciding:"
            f" {signed(order.always_first)} a game, never: {signed(order.never_first)}",
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
                ["first card", "mix %", "then worth", "behind the best"],
                [
                    [
                        card.card,
                        f"{100 * card.mix:.1f}",
                        signed(card.worth),
                        signed(card.behind) if card.behind.high else "-",
                    ]
                    for card in report.hand.cards
                ],
            )
        )
    made.append(
        (
            "first cards",
            ["card", "chosen %", "worth", "over the hand's rest", "holding it"],
            [
                [
                    card.card,
                    percent(card.chosen),
                    signed(card.worth),
                    signed(card.advantage),
                    signed(card.holding),
                ]
                for card in report.first_cards
            ],
        )
    )
    made += [_groups("first cards", report.bid_groups), _groups("cards played", report.play_groups)]
    shown = report.rounds[:num_rounds]
    cells = [
        [card.card, *(signed(a_round.cards[index].advantage) for a_round in shown)]
        for index, card in enumerate(report.first_cards)
    ]
    made.append(("over the hand's rest in round", ["card", *(str(a.round) for a in shown)], cells))
    made.append(
        (
            "actions",
            ["", "action", "offered a game", "used %", "gain an offer", "worth a game"],
            [
                [
                    action.character,
                    action.action,
                    number(action.offered),
                    percent(action.used),
                    signed(action.gain),
                    signed(action.worth),
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


def _groups(title: str, groups: Groups) -> Table:
    rows = [
        [group.name, signed(group.advantage), signed(group.holding)]
        for group in (*groups.characters, *groups.letters)
    ]
    return f"{title} by character and by letter", ["cards", "over the hand's rest", "holding it"], rows


NOTE = (
    "Payoffs a game: win 1, draw 0, loss -1 (three players: -1/2 each). ±: 95 % confidence interval. Worth:"
    " what the game pays after the move, all playing on as they do. Over the hand's rest: how much more than"
    " with another card of the same hand. Holding it: how much more hands with it bring. Gain: over passing,"
    " an offer; worth of an action: what a player loses a game who never uses it. All of it holds for these"
    " players against each other, and better ones may play otherwise."
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

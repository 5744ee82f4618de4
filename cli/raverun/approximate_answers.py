"""What a trained approximation of the full game says: structs as in ``schema/approximate-1.schema.json``."""

from __future__ import annotations

import csv
import io
import textwrap

import msgspec

from cli.raverun.estimates import CONFIDENCE, Estimate, number, percent, signed
from cli.raverun.exact_answers import RulesReport

SCHEMA_NUMBER = 1
TWO = (
    "an approximation by sampling on an abstraction, not an equilibrium; how far from one is known only"
    " from below"
)
THREE = (
    "a heuristic: with three players these strategies are no equilibrium, and no measure of that is claimed"
)


class TrainingReport(msgspec.Struct, frozen=True):
    """How the strategies were found.

    Attributes
    ----------
    abstraction : what infosets keep apart (`summary`, `view` or `perfect`).
    infosets, max_infosets : in the table, and its room.
    lost : visits to infosets for which there was no room; they play evenly.
    stopped : `limit`, or `interrupted`.
    """

    method: str
    abstraction: str
    iterations: int
    seconds: float
    nodes: int
    updates: int
    infosets: int
    max_infosets: int
    lost: int
    seed: int
    stopped: str


class BoundReport(msgspec.Struct, frozen=True):
    """What responses win from the strategies: NashConv from below, never from above.

    In each seat the better one, on other deals, of a response trained against the strategies and the greedy
    player.

    Attributes
    ----------
    lower_bound : NashConv is at least this with the stated confidence (one-sided).
    nash_conv : the estimate.
    responses : what the response in each seat wins.
    kinds : which response that is.
    seconds : of training for each response.
    """

    nash_conv: float
    lower_bound: float
    responses: list[Estimate]
    kinds: list[str]
    seconds: float
    iterations: int


class MatchReport(msgspec.Struct, frozen=True):
    """Strategies against an opponent in all other seats, every deal once per seat.

    Attributes
    ----------
    payoff : per play, over deals.
    wins, draws, losses : plays.
    """

    opponent: str
    payoff: Estimate
    wins: int
    draws: int
    losses: int


class CardWorth(msgspec.Struct, frozen=True):
    """A card as a choice: how often it is chosen when held, and what it brings when chosen by lot."""

    card: str
    chosen: Estimate
    worth: Estimate


class RoundReport(msgspec.Struct, frozen=True):
    """The cards played in one round (P1), and how many games have such a round."""

    round: int
    reached: Estimate
    cards: list[CardWorth]


class OrderReport(msgspec.Struct, frozen=True):
    """The order of play (P1).

    Attributes
    ----------
    right : what deciding it brings over an order by lot, to who decides.
    right_in_round_1 : in the first round.
    plays_first : how often who decides plays first himself.
    first_by_lot : what playing first brings when the order is drawn by lot.
    """

    right: Estimate
    right_in_round_1: Estimate
    plays_first: Estimate
    first_by_lot: Estimate


class ActionReport(msgspec.Struct, frozen=True):
    """The cards of a character, by what they do.

    Attributes
    ----------
    offered : how often a game that one may be used.
    used : of these.
    gain : what having the choice brings over passing, per offer.
    first_choice_only : the action is made of several choices, and the gain is that of the first.
    """

    character: str
    action: str
    offered: Estimate
    used: Estimate
    gain: Estimate
    first_choice_only: bool


class StrengthReport(msgspec.Struct, frozen=True):
    """Hands by the sum of their cards' ranks, 1A being 1: how often they win, and their payoff."""

    least: int
    most: int
    wins: Estimate
    payoff: Estimate


class AdvantageReport(msgspec.Struct, frozen=True):
    """What goes with the highest first card (V3), and with playing first in the first round (P1).

    As they happen, so causes are not told from what goes with them.
    """

    highest_bid: Estimate
    highest_bid_wins: Estimate
    first_mover: Estimate
    first_mover_wins: Estimate
    draws: Estimate


class LengthReport(msgspec.Struct, frozen=True):
    """Rounds (P4) and decisions with a choice in a game."""

    rounds: Estimate
    decisions: Estimate
    most_rounds: int


class HandCard(msgspec.Struct, frozen=True):
    """A card of the hand asked about: how often it is chosen first, and what it brings."""

    card: str
    mix: float
    worth: Estimate


class HandReport(msgspec.Struct, frozen=True):
    """A hand; `trained` says whether training ever came to its infoset (if not, the mix is even)."""

    cards: list[HandCard]
    payoff: Estimate
    trained: bool


class ApproximateReport(msgspec.Struct, frozen=True):
    """Everything measured; payoffs are per game: win 1, draw 0, loss -1 (with three players -1/2) (A2).

    Attributes
    ----------
    label : what kind of answer this is.
    bound : None with three players, and where an interrupt came first.
    """

    schema: int
    game: str
    version: str
    rules: RulesReport
    players: int
    label: str
    confidence: float
    games: int
    training: TrainingReport
    bound: BoundReport | None
    matches: list[MatchReport]
    first_cards: list[CardWorth]
    rounds: list[RoundReport]
    order: OrderReport
    actions: list[ActionReport]
    strengths: list[StrengthReport]
    advantage: AdvantageReport
    length: LengthReport
    hand: HandReport | None


def to_json(report: ApproximateReport) -> str:
    """Return the report as JSON."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"


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


_Table = tuple[str, list[str], list[list[str]]]


def _facts(report: ApproximateReport) -> list[tuple[str, str]]:
    training = report.training
    facts = [
        ("answer", report.label),
        (
            "training",
            f"{training.iterations} iterations in {training.seconds:.0f} s, {training.method}, abstraction"
            f" {training.abstraction!r}, {training.infosets} infosets"
            + (f" (table full: {training.lost} visits found no room)" if training.lost else "")
            + f", seed {training.seed}"
            + (", interrupted" if training.stopped == "interrupted" else ""),
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
                f" ({', '.join(bound.kinds)}; trained for {bound.seconds:.0f} s) win {seats} by seat",
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


def _tables(report: ApproximateReport) -> list[_Table]:
    tables: list[_Table] = []
    if report.hand is not None:
        tables.append(
            (
                f"this hand: {signed(report.hand.payoff)}"
                + ("" if report.hand.trained else " (never trained: even mix)"),
                ["first card", "mix %", "then worth"],
                [[card.card, f"{100 * card.mix:.1f}", signed(card.worth)] for card in report.hand.cards],
            )
        )
    tables.append(
        (
            "first cards",
            ["card", "chosen %", "worth"],
            [[card.card, percent(card.chosen), signed(card.worth)] for card in report.first_cards],
        )
    )
    shown = report.rounds[:4]
    cells = [
        [card.card, *(signed(a_round.cards[index].worth) for a_round in shown)]
        for index, card in enumerate(report.first_cards)
    ]
    tables.append(("worth when played in round", ["card", *(str(a.round) for a in shown)], cells))
    tables.append(
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
    tables.append(
        (
            "hands by sum of ranks (1A is 1)",
            ["sum", "wins %", "payoff"],
            [[f"{p.least}-{p.most}", percent(p.wins), signed(p.payoff)] for p in report.strengths],
        )
    )
    return tables


_NOTE = (
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
    for title, head, rows in _tables(report):
        widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        lines += ["", title]
        lines += [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
            for row in (head, *rows)
        ]
    return "\n".join([*lines, "", *textwrap.wrap(_NOTE, 80)]) + "\n"


def to_markdown(report: ApproximateReport) -> str:
    """Return the report as GitHub-flavoured Markdown."""
    lines = [f"## {report.rules.name}", "", *(f"- {name}: {text}" for name, text in _facts(report))]
    for title, head, rows in _tables(report):
        lines += [
            "",
            f"### {title}",
            "",
            "| " + " | ".join(head) + " |",
            "|---" + "|---:" * (len(head) - 1) + "|",
        ]
        lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([*lines, "", _NOTE]) + "\n"


FORMATS = {"table": to_text, "json": to_json, "csv": to_csv, "md": to_markdown}

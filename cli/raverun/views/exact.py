"""How an exact solution looks."""

from __future__ import annotations

import msgspec

from analysis.raverun.exact_answers import ExactReport, HandMixReport
from cli.grid import Section

_MOST_HANDS = 20
"""So many hands are shown without being asked for."""


def shown(report: ExactReport, hand: str | None) -> ExactReport:
    """Return the report with the hand asked about alone."""
    if hand is None:
        return report
    return msgspec.structs.replace(report, hands=[each for each in report.hands if each.hand == hand])


def csv_rows(report: ExactReport) -> list[dict[str, object]]:
    """Return the cards, a line each, with the game's value; then those of each hand, order and actions."""
    head = {"rules_sha256": report.rules.sha256, "value": report.value, "nash_conv": report.nash_conv}
    order = report.order
    rows: list[tuple[object, ...]] = [
        ("first_card", "", card.card, card.held, card.chosen, card.worth) for card in report.cards
    ]
    rows += [
        ("hand", hand.hand, card.card, card.held, card.chosen, card.worth)
        for hand in report.hands
        for card in hand.cards
    ]
    rows.append(("order", "first", "", order.decisions, order.plays_first, order.right))
    rows += [("action", each.character, "", each.offered, each.used, each.gain) for each in report.actions]
    names = ("what", "of", "card", "held", "chosen", "worth")
    return [head | dict(zip(names, row, strict=True)) for row in rows]


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


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value + 0.0:+.3f}"


def rows(report: ExactReport) -> list[tuple[str, ...]]:
    """Return the first cards under `HEAD`, a line each."""
    return [
        (card.card, f"{100 * card.held:.1f}", f"{100 * card.chosen:.1f}", _signed(card.worth))
        for card in report.cards
    ]


def _hand_table(hand: HandMixReport) -> Section:
    ranked = sorted(hand.cards, key=lambda card: -(card.worth or 0.0))
    best = ranked[0].worth or 0.0
    cells = [
        (card.card, f"{100 * card.chosen:.1f}", _signed(card.worth), _signed(best - (card.worth or 0.0)))
        for card in ranked
    ]
    head = ("first card", "chosen %", "then worth", "behind the best")
    return Section(f"{hand.hand}: worth {_signed(hand.value)}", head, cells, level=3)


def _mixes(hands: list[HandMixReport]) -> Section:
    cells = [
        (
            hand.hand,
            _signed(hand.value),
            ", ".join(f"{each.card} {100 * each.chosen:.0f}" for each in hand.cards if each.chosen > 0.0),
        )
        for hand in hands
    ]
    return Section("first cards by hand", ("hand", "value", "chosen %"), cells, left=(0, 2), level=3)


def sections(report: ExactReport) -> list[Section]:
    """Return facts and tables."""
    parts = [Section(report.rules.name, facts=_facts(report))]
    if len(report.hands) == 1:
        parts.append(_hand_table(report.hands[0]))
    elif len(report.hands) <= _MOST_HANDS:
        parts.append(_mixes(report.hands))
    parts.append(Section("first cards", HEAD, rows(report), level=3))
    actions = [
        (
            each.character,
            each.action,
            f"{each.offered:.2f}",
            "-" if each.used is None else f"{100 * each.used:.1f}",
            _signed(each.gain),
        )
        for each in report.actions
    ]
    head = ("", "action", "offered a game", "used %", "gain an offer")
    return [*parts, Section("actions", head, actions, left=2, level=3)]


def notes(_report: ExactReport) -> list[str]:
    """Return what the numbers mean."""
    return [_NOTE]

"""How an exact solution looks."""

from __future__ import annotations

from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table, data_of
from analysis.raverun.exact_answers import CardReport, ExactAnswer, HandMixReport

_MOST_HANDS = 20
"""So many hands are shown without being asked for."""


def page(found: ExactAnswer) -> Page:
    """Return facts, hands, first cards and actions."""
    sections: list[Section] = [_facts(found)]
    if len(found.hands) == 1:
        sections.append(_hand(found.hands[0]))
    elif len(found.hands) <= _MOST_HANDS:
        sections.append(_mixes(found.hands))
    columns = [Column("card", "first card"), Column("held", "held", "share")]
    columns += [Column("chosen", "chosen", "share"), Column("worth", "then worth", "signed")]
    cards: list[list[Cell]] = [[each.card, each.held, each.chosen, each.worth] for each in found.cards]
    sections.append(Table(columns, cards, "First cards"))
    heads = [Column("character", "character"), Column("action", "action")]
    heads += [Column("offered", "offered a game", "number"), Column("used", "used", "share")]
    heads.append(Column("gain", "gain an offer", "signed"))
    actions: list[list[Cell]] = [
        [each.character, each.action, each.offered, each.used, each.gain] for each in found.actions
    ]
    sections.append(Table(heads, actions, "Actions"))
    return Page(
        headline=_headline(found),
        sections=sections,
        notes=[
            "Payoffs of the first player: win 1, draw 0, loss -1. Chosen: of the times it is held, in the"
            " equilibrium found; there may be others. Actions: offered a game to either player; gain an"
            " offer over passing."
        ],
        method=["A linear program over the sequence form, and CFR on the same tree; both by best response."],
        data=data_of(_rows(found)),
    )


def _headline(found: ExactAnswer) -> str:
    if abs(found.value) <= max(found.nash_conv, 1e-9):
        return "Neither seat is better, if both sides play well."
    side = "first" if found.value > 0 else "second"
    return f"The {side} player gains {abs(found.value):.3g} a game, if both sides play well."


def _facts(found: ExactAnswer) -> Facts:
    order, cfr = found.order, found.cfr
    facts = [
        Fact("value", "value for the first player", found.value, "signed", 6),
        Fact("nash_conv", "NashConv, by best response", found.nash_conv, "number", 9),
        Fact("num_nodes", "nodes of the tree", found.num_nodes, "count"),
        Fact("num_infosets", "infosets", found.num_infosets, "count"),
    ]
    if cfr is not None:
        facts += [
            Fact("cfr_value", "the same by CFR", cfr.value, "signed", 6),
            Fact("cfr_nash_conv", "NashConv of CFR", cfr.nash_conv, "number", 6),
            Fact("cfr_iterations", "iterations of CFR", cfr.iterations, "count"),
        ]
    if order.plays_first is not None:
        facts += [
            Fact("order_decisions", "decisions on the order, a game", order.decisions, "number"),
            Fact("plays_first", "who decides plays first", order.plays_first, "share"),
            Fact("order_right", "worth over a lot, a decision", order.right, "signed"),
        ]
    return Facts(facts)


def _hand(hand: HandMixReport) -> Table:
    columns = [Column("card", "first card"), Column("chosen", "chosen", "share")]
    columns += [Column("worth", "then worth", "signed"), Column("behind", "behind the best", "signed")]
    ranked = sorted(hand.cards, key=lambda card: -(card.worth or 0.0))
    best = ranked[0].worth or 0.0
    rows: list[list[Cell]] = [
        [each.card, each.chosen, each.worth, best - (each.worth or 0.0)] for each in ranked
    ]
    return Table(columns, rows, f"This hand, {hand.hand}: worth {hand.value + 0.0:+.3f}")


def _mixes(hands: list[HandMixReport]) -> Table:
    columns = [Column("hand", "hand"), Column("value", "value", "signed"), Column("chosen", "chosen, in %")]
    rows: list[list[Cell]] = [
        [
            each.hand,
            each.value,
            ", ".join(f"{card.card} {100 * card.chosen:.0f}" for card in each.cards if card.chosen > 0.0),
        ]
        for each in hands
    ]
    return Table(columns, rows, "First cards by hand")


def _rows(found: ExactAnswer) -> list[dict[str, Cell]]:
    """The cards, a row each; then those of each hand, order and actions."""
    assert found.rules is not None
    head: dict[str, Cell] = {
        "rules_sha256": found.rules.sha256,
        "value": found.value,
        "nash_conv": found.nash_conv,
    }

    def of_cards(what: str, of: str, cards: list[CardReport]) -> list[tuple[Cell, ...]]:
        return [(what, of, each.card, each.held, each.chosen, each.worth) for each in cards]

    order = found.order
    rows = of_cards("first_card", "", found.cards)
    for hand in found.hands:
        rows += of_cards("hand", hand.hand, hand.cards)
    rows.append(("order", "first", "", order.decisions, order.plays_first, order.right))
    rows += [("action", each.character, "", each.offered, each.used, each.gain) for each in found.actions]
    names = ("what", "of", "card", "held", "chosen", "worth")
    return [head | dict(zip(names, row, strict=True)) for row in rows]

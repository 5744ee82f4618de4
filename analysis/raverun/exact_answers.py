"""What an exact solution of a reduced game says, as a report and in its formats."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import msgspec

from cli.output import to_json
from engine.raverun.reference import Move
from engine.raverun.rules import Rules

if TYPE_CHECKING:
    from solver.extensive import ExtensiveGame, FloatArray

SCHEMA_NUMBER = 1


class RulesReport(msgspec.Struct, frozen=True):
    """Which rules were solved."""

    name: str
    sha256: str
    changed: list[str]


class CardReport(msgspec.Struct, frozen=True):
    """A card as a first card (V3), in the equilibrium found.

    Attributes
    ----------
    held : probability that player 0 holds it.
    chosen : how often he then chooses it first.
    worth : what he gets on average when he does; None if he never does.
    """

    card: str
    held: float
    chosen: float
    worth: float | None


class CfrReport(msgspec.Struct, frozen=True):
    """What CFR found on the same tree, measured by best response."""

    value: float
    nash_conv: float
    iterations: int
    converged: bool


class ExactReport(msgspec.Struct, frozen=True):
    """An exactly solved game for two; amounts are payoffs of player 0: win 1, draw 0, loss -1 (A2).

    Attributes
    ----------
    value, nash_conv : of the linear program's equilibrium, the latter by best response.
    cfr : None if it was not run.
    """

    schema: int
    game: str
    version: str
    rules: RulesReport
    num_nodes: int
    num_infosets: int
    value: float
    nash_conv: float
    cfr: CfrReport | None
    cards: list[CardReport]


def rules_report(rules: Rules) -> RulesReport:
    """Which rules these are."""
    return RulesReport(rules.name, rules.sha256, rules.changed)


def first_cards(rules: Rules, game: ExtensiveGame, strategy: FloatArray) -> list[CardReport]:
    """How player 0 chooses his first card under `strategy`, and what it brings, by card."""
    import numpy as np

    from solver.extensive import NONE

    step = game.chance_probability.copy()
    played = game.incoming_slot != NONE
    step[played] = strategy[game.incoming_slot[played]]
    worth = game.payoff.copy()
    for begin, end in zip(game.level_start[-2:0:-1], game.level_start[:1:-1], strict=True):
        np.add.at(worth, game.parent[begin:end], step[begin:end] * worth[begin:end])
    held = np.zeros(rules.num_cards)
    chosen = np.zeros(rules.num_cards)
    earned = np.zeros(rules.num_cards)
    for deal in range(game.level_start[1], game.level_start[2]):
        for node in range(game.first_child[deal], game.first_child[deal] + game.num_children[deal]):
            move = getattr(game.node_labels[node], "move", None)
            assert isinstance(move, Move)
            assert move.card is not None
            reach = game.chance_reach[deal] * step[node]
            held[move.card] += game.chance_reach[deal]
            chosen[move.card] += reach
            earned[move.card] += reach * worth[node]
    return [
        CardReport(
            card=rules.card_name(card),
            held=float(held[card]),
            chosen=float(chosen[card] / held[card]),
            worth=float(earned[card] / chosen[card]) if chosen[card] > 0 else None,
        )
        for card in range(rules.num_cards)
    ]


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

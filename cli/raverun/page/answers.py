"""Answers of ``raverun solve`` as the page shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.estimates import Estimate, number, percent, signed
from analysis.raverun.approximate_answers import ApproximateReport
from analysis.raverun.exact_answers import ExactReport
from analysis.raverun.report_files import Source
from analysis.raverun.standings import training_effort
from cli.grid import Section
from cli.page.charts import Chart
from cli.raverun.page.charts import interval_chart
from cli.raverun.views import approximate as approximate_view
from cli.raverun.views import exact

_UNKNOWN = "–"


@dataclass(frozen=True)
class Sheet:
    """An answer.

    Attributes
    ----------
    id, title
        Of its section.
    source, report
        The file and what it says.
    training
        How the strategies were found, in words.
    tables
        All estimates with their intervals.
    charts
        Some of them drawn.
    """

    id: str
    title: str
    source: Source
    report: ApproximateReport
    training: str
    tables: list[Section]
    charts: list[Chart]


def sheet(position: int, source: Source, report: ApproximateReport) -> Sheet:
    """Return the sheet of a trained answer, the one at `position` on the page."""
    every = approximate_view.tables(report, num_rounds=len(report.rounds))
    shown = [_section(each.title, each.head, each.rows) for each in every]
    after_rounds = 1 + next(place for place, table in enumerate(shown) if "in round" in table.title)
    whole = [*shown[:after_rounds], _chosen(report), _reached(report), _order(report), *shown[after_rounds:]]
    return Sheet(
        id=f"answer-{position}",
        title=f"{report.rules.name}, {report.players} players: {training_effort(report.training)}",
        source=source,
        report=report,
        training=approximate_view.training_words(report.training),
        tables=whole,
        charts=_charts(report),
    )


def exact_table(report: ExactReport) -> Section:
    """Return the first cards of an exactly solved game."""
    return _section("first cards", exact.HEAD, exact.rows(report))


def _section(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Section:
    """Return a table of the terminal's: no head is empty, and what is unknown is shown so."""
    left = 2 if not head[0] else 1
    cells = [[_UNKNOWN if cell == "-" else cell for cell in row] for row in rows]
    return Section(title[0].upper() + title[1:], [head[0] or "character", *head[1:]], cells, left)


def _chosen(report: ApproximateReport) -> Section:
    rows = [
        [card.card, *(percent(a_round.cards[at].chosen) for a_round in report.rounds)]
        for at, card in enumerate(report.first_cards)
    ]
    head = ["card", *(str(a_round.round) for a_round in report.rounds)]
    return _section("chosen when held in round, %", head, rows)


def _reached(report: ApproximateReport) -> Section:
    rows = [[str(a_round.round), percent(a_round.reached)] for a_round in report.rounds]
    return _section("rounds", ["round", "games that have it, %"], rows)


def _order(report: ApproximateReport) -> Section:
    """Return what goes with the order of play, the bidding and the first move, and how long games are."""
    order, advantage, length = report.order, report.advantage, report.length
    lines: list[tuple[str, str]] = [
        ("deciding the order, over a lot: payoff", signed(order.right)),
        ("deciding the order in round 1, over a lot: payoff", signed(order.right_in_round_1)),
        ("who decides plays first himself, %", percent(order.plays_first)),
        ("deciding the order, over lots all game: payoff", signed(order.right_a_game)),
        ("playing first rather than later: payoff", signed(order.first)),
        ("always first when deciding: payoff", signed(order.always_first)),
        ("never first when deciding: payoff", signed(order.never_first)),
        ("having the highest first card: payoff", signed(advantage.highest_bid)),
        ("having the highest first card: wins, %", percent(advantage.highest_bid_wins)),
        ("playing first in round 1: payoff", signed(advantage.first_mover)),
        ("playing first in round 1: wins, %", percent(advantage.first_mover_wins)),
        ("draws, %", percent(advantage.draws)),
        ("rounds in a game", number(length.rounds)),
        ("decisions in a game", number(length.decisions)),
    ]
    title = "order, bidding, first move and length"
    return _section(title, ["number", "estimate"], [list(line) for line in lines])


def _charts(report: ApproximateReport) -> list[Chart]:
    first = [(card.card, card.worth) for card in report.first_cards]
    chosen = [(card.card, card.chosen) for card in report.first_cards]
    gains = [(f"{each.character} {each.action}", each.gain) for each in report.actions]
    used = [(f"{each.character} {each.action}", each.used) for each in report.actions]
    hands: list[tuple[str, Estimate]] = [
        (f"{each.least}–{each.most}", each.wins) for each in report.strengths
    ]
    return [
        interval_chart("First cards: worth when chosen", "payoff a game", first),
        interval_chart("First cards: chosen when held", "chosen", chosen, share=True),
        interval_chart("Actions: gain over passing", "payoff an offer", gains),
        interval_chart("Actions: used when offered", "used", used, share=True),
        interval_chart("Hands by sum of ranks: games won", "games won", hands, share=True),
    ]

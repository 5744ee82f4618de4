"""How the game of tactic cards looks."""

from __future__ import annotations

from analysis.amounts import chance
from analysis.clash.maps import map_text
from analysis.clash.study_reports import TacticReport
from cli.clash.views.battle import first_notes
from cli.grid import Section


def _number(value: float) -> str:
    return f"{value:+.4g}" if abs(value) >= 1000 else f"{value:+.4f}"


def sections(report: TacticReport) -> list[Section]:
    """Return the tables."""
    facts = [[f"worth to {report.clans[0]}", _number(report.value)]]
    if report.low < report.high:
        facts += [
            ["standard error", f"{report.error:.4f}"],
            [f"with {report.confidence:.0%} between", f"{_number(report.low)} and {_number(report.high)}"],
        ]
    parts = [Section("", ("", ""), facts, left=2)]
    if report.hand is not None:
        rows = [
            [str(each.card), chance(each.probability), _number(each.value), _cost(each.cost)]
            for each in report.options
        ]
        title = f"{report.clans[0]} has {', '.join(map(str, report.hand))}"
        parts.append(Section(title, ("card", "play", "then worth", "costs"), rows))
    for clan, cards in zip(report.clans, report.cards, strict=True):
        rows = [[str(each.card), chance(each.probability), _number(each.value)] for each in cards]
        head = ("card", "played", f"worth to {report.clans[0]}")
        parts.append(Section(f"{clan}, over all hands", head, rows))
    others = [each.card for each in report.cards[1]]
    values = {(cell.card, cell.other): cell.value for cell in report.values}
    rows = [
        [str(each.card), *(_short(values[each.card, other]) for other in others)] for each in report.cards[0]
    ]
    title = f"Worth to {report.clans[0]} of its card (rows) against {report.clans[1]}'s"
    parts.append(Section(title, ("", *map(str, others)), rows))
    return parts


def _short(value: float) -> str:
    return f"{value:+.3f}" if abs(value) < 10 else f"{value:+.2g}"


def _cost(cost: float) -> str:
    return "-" if cost <= 1e-9 else f"{cost:.4f}"


def notes(report: TacticReport) -> list[str]:
    """Return what has to be said beside the tables."""
    lines = first_notes(report.rules)
    if report.source == "playouts":
        decided = 0.0 if report.decided is None else report.decided
        lines.append(
            f"The values are estimates by {report.playouts:,} games for each pair of cards (seed"
            f" {report.seed}), 1 a game won and -1 a game lost, in which both go on as {report.policy}"
            " players. Somebody won"
            f" {decided:.0%} of them; what they say about better players is a guess."
        )
        if report.map is not None:
            lines.append(map_text(report.map, "part of the games"))
    else:
        lines.append("The values of pairs are those of the file; the answer is as good as they are.")
    if report.values_round is not None and report.values_round != report.round:
        lines.append(
            f"The values are those of round {report.values_round} and used for round {report.round}: what"
            " cards are worth may have changed since."
        )
    elif report.values_round is None and report.round > 1:
        lines.append(f"The file does not say of which round: taken to be of round {report.round}.")
    lines.append("Cards are named by their order. Any hand of cards that do not lie open is as likely.")
    lines.append(
        f"An equilibrium for these values: best replies gain {report.gap:.1e} in all."
        f" Solved in {report.time_s:.3f} s, {report.sha256[:16]}."
    )
    return lines


def csv_rows(report: TacticReport) -> list[dict[str, object]]:
    """A line for every card of every hand."""
    return [
        {
            "clan": clan,
            "hand": " ".join(map(str, hand.cards)),
            "card": card,
            "probability": probability,
        }
        for clan, hands in zip(report.clans, report.hands, strict=True)
        for hand in hands
        for card, probability in zip(hand.cards, hand.probabilities, strict=True)
    ]

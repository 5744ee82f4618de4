"""How teams and decks look."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.ophidian.decks import CardLine, DeckCheckReport, TeamsReport
from cli.grid import Section

_ROWS = 15


@dataclass(frozen=True)
class TeamsView:
    """Teams that may play; with `details`, all of them."""

    details: bool = False

    def csv_rows(self, report: TeamsReport) -> list[dict[str, object]]:
        """Return a row for each team."""
        return [
            {
                "gladiators": ", ".join(each.gladiators),
                "points": each.points,
                "discount": each.discount,
                "disciplines": " ".join(each.disciplines),
            }
            for each in report.teams
        ]

    def sections(self, report: TeamsReport) -> list[Section]:
        """Return the teams, or why there is none."""
        title = f"Teams with {', '.join(report.asked)}" if report.asked else "Teams that may play"
        if not report.teams:
            return [Section(title, lines=[f"none: {report.problem} (T1, T2)"])]
        shown = report.teams if self.details else report.teams[:_ROWS]
        rows = [
            [", ".join(each.gladiators), str(each.points), str(each.discount) if each.discount else "-"]
            for each in shown
        ]
        left = len(report.teams) - len(shown)
        lines = [f"{left} more: --details"] if left else []
        return [Section(title, ["gladiators", "points", "discount"], rows, lines=lines)]

    def notes(self, report: TeamsReport) -> list[str]:
        """Return how many there are."""
        number, without = len(report.teams), report.without_discount
        lines = [f"{number} teams, {without} of them without a discount." if number else "No team."]
        if report.rules.illustrative:
            lines.append(report.rules.illustrative)
        return lines


class DeckView:
    """A deck that was checked."""

    def csv_rows(self, report: DeckCheckReport) -> list[dict[str, object]]:
        """Return a row for each card."""
        return [
            {
                "card": each.card,
                "type": each.type,
                "copies": each.copies,
                "cost": each.cost,
                "sign": each.sign,
                "level": each.level,
                "wave": each.wave,
            }
            for each in report.cards
        ]

    def sections(self, report: DeckCheckReport) -> list[Section]:
        """Return whether it may be played, and its cards."""
        kinds = ", ".join(f"{number} {kind}" for kind, number in report.by_type.items() if number)
        facts = [
            ("may be played", "yes" if report.legal else "no"),
            ("team", ", ".join(report.team)),
            ("cards", f"{report.size}: {kinds}; cost {report.mean_cost:.1f} on average"),
        ]
        found = [Section(f"Deck {report.name}", facts=facts)]
        if report.problems:
            found.append(Section("What is wrong", lines=report.problems))
        if report.warnings:
            found.append(Section("What is odd", lines=report.warnings))
        late = [each for each in report.cards if each.wave is None or each.wave > 1]
        if late:
            rows = [[each.card, str(each.copies), _when(each)] for each in late]
            found.append(Section("Not playable in wave 1", ["card", "copies", "from"], rows, left=[0, 2]))
        return found

    def notes(self, report: DeckCheckReport) -> list[str]:
        """Return what it rests on."""
        return [report.rules.illustrative] if report.rules.illustrative else []


def _when(card: CardLine) -> str:
    return "never" if card.wave is None else f"wave {card.wave}, level {card.level}"


DECK = DeckView()

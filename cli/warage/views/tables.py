"""How brawls and guilds look."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.warage.deck_reports import SeatRow, TableReport
from cli.grid import Section
from cli.warage.views.common import card_set_note, named


def _rows(rows: Sequence[SeatRow]) -> list[list[str]]:
    return [[row.name, f"{100 * row.share:.1f}", f"±{100 * row.width:.1f}"] for row in rows]


@named
def sections(report: TableReport) -> list[Section]:
    """Return the tables."""
    title = f"{report.guilds} guilds" if report.guilds else "Brawl"
    head = ("", "share", "95 %")
    parts = [
        Section(f"{title}: share of the wins by seat, in per cent", head, _rows(report.seats)),
        Section("By deck", head, _rows(report.decks)),
    ]
    kings = report.kings
    if kings is not None:
        facts = f"{kings.lost} of {kings.attacks} choices of a target were made by players without chances"
        if kings.moved is not None:
            width = "" if kings.width is None else f" ±{100 * kings.width:.1f}"
            facts += f"; each moves the share of one of the others by {100 * kings.moved:.1f}{width} points"
        parts.append(Section("Kingmaking", facts=[("", f"{facts}.")]))
    return parts


@named
def notes(report: TableReport) -> list[str]:
    """Return what has to be said beside the tables."""
    stopped = "" if report.complete else "Stopped: this is what was finished. "
    settings = ", ".join(f"{key} {value}" for key, value in report.settings.items())
    return [
        f"{stopped}{report.matches:,} matches, seed {report.seed}, {report.turns:.1f} turns on average;"
        f" {report.time_s:.1f} s.",
        f"Players: {report.player} ({settings}).",
        "Heuristic: these players attack the hero with the fewest HP; whom to attack is convention, and no"
        " equilibrium.",
        card_set_note(report.card_set),
    ]


def csv_rows(report: TableReport) -> list[dict[str, object]]:
    """Return its rows as CSV has them."""
    return [
        {
            "card_set": report.card_set.sha256,
            "of": kind,
            "name": row.name,
            "share": row.share,
            "width": row.width,
        }
        for kind, rows in (("seat", report.seats), ("deck", report.decks))
        for row in rows
    ]

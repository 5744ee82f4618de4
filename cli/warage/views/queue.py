"""How an attack with hidden replies looks."""

from __future__ import annotations

from analysis.warage.reports import QueueReport, ReplyRow
from cli.grid import Section
from cli.warage.views.common import card_set_note, chance, wrapped

_ROWS = 8


def _worth(report: QueueReport, value: float) -> str:
    return f"{value:.3f} HP" if report.value_in == "hp" else chance(value)


def _moves(row: ReplyRow) -> str:
    return ", ".join(
        f"{move} {100 * share:.0f} %" if share < 1 else move for move, share in row.moves.items()
    )


def sections(report: QueueReport) -> list[Section]:
    """Return the tables."""
    lines = [
        *wrapped(f"{report.attacker}, {report.hp[0]} HP: {report.attack}"),
        *wrapped(f"  on {report.defender}, {report.hp[1]} HP, in {report.season}", "    "),
    ]
    gained = report.value - report.open_value
    what = "worth to the attacker" if report.value_in == "hp" else "the attacker wins"
    values = [
        [what, _worth(report, report.value)],
        ["if hands lay open", f"{_worth(report, report.open_value)} (hiding: {gained:+.4f})"],
    ]
    rows = [
        [
            row.player,
            "+".join(row.hand),
            ", ".join(row.queue[1:]) or "-",
            f"{100 * row.reach:.1f} %",
            _moves(row),
        ]
        for row in report.decisions[:_ROWS]
    ]
    more = len(report.decisions) - _ROWS
    return [
        Section("", lines=lines),
        Section("", ("", ""), values, left=2),
        Section(
            "Where play comes to",
            ("who", "hand", "replies", "reached", "does"),
            [[cell[:26] for cell in row] for row in rows],
            left=5,
            lines=[f"{more} more: --format json"] if more > 0 else [],
        ),
    ]


def notes(report: QueueReport) -> list[str]:
    """Return what has to be said beside the tables."""
    unit = "HP" if report.value_in == "hp" else "of the chance"
    return [
        f"{report.mixed} of {report.reached} decisions that are reached are mixed; to make the likelier move"
        f" always may cost the attacker {report.pure_loses[0]:.4f}, the defender {report.pure_loses[1]:.4f}"
        f" {unit}.",
        f"Exact: {report.nodes:,} nodes, {report.infosets:,} infosets, NashConv {report.nash_conv:.1e},"
        f" {report.time_s:.1f} s.",
        card_set_note(report.card_set),
    ]


def csv_rows(report: QueueReport) -> list[dict[str, object]]:
    """Return its rows as CSV has them."""
    return [
        {
            "card_set": report.card_set.sha256,
            "player": row.player,
            "hand": " ".join(row.hand),
            "queue": " ".join(row.queue),
            "reach": row.reach,
            "move": move,
            "chance": share,
        }
        for row in report.decisions
        for move, share in row.moves.items()
    ]

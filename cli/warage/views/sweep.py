"""How a sweep of attacks with hidden replies looks."""

from __future__ import annotations

from analysis.amounts import chance
from analysis.warage.queue_sweep import SweepReport
from cli.grid import Section
from cli.warage.views.common import card_set_note, named
from cli.warage.views.queue import pool_line


@named
def sections(report: SweepReport) -> list[Section]:
    """Return the tables."""
    in_hp = report.value_in == "hp"
    rows = [
        [
            str(row.hp),
            f"{row.taken:.3f}",
            chance(row.kill),
            *([] if in_hp else [chance(row.value)]),
            f"{row.hiding:+.4f}",
            str(row.reached),
            str(row.mixed),
            f"{row.pure_loses[0]:.4f}",
            f"{row.pure_loses[1]:.4f}",
        ]
        for row in report.rows
    ]
    wins = () if in_hp else ("wins",)
    head = ("HP", "takes", "kills", *wins, "hiding", "reached", "mixed", "A may lose", "B may lose")
    title = f"{report.attacker} on {report.defender}, by the defender's HP"
    return [Section(title, head, rows)]


@named
def notes(report: SweepReport) -> list[str]:
    """Return what has to be said beside the tables."""
    stopped = "" if report.complete else "Stopped: this is what was finished. "
    unit = "HP" if report.value_in == "hp" else "of the chance to win"
    return [
        f"{stopped}{report.mixed_positions} of {len(report.rows)} positions have mixed decisions that are"
        f" reached; hiding is worth at most {report.most_hiding:.4f} {unit}, and to make the likelier move"
        f" always may cost at most {report.most_lost:.4f}.",
        *(f"{line[0].upper()}{line[1:]}." for line in (pool_line(report, 0), pool_line(report, 1))),
        f"Exact; {report.time_s:.1f} s.",
        card_set_note(report.card_set),
    ]


def csv_rows(report: SweepReport) -> list[dict[str, object]]:
    """Return its rows as CSV has them."""
    return [
        {
            "card_set": report.card_set.sha256,
            "hp": row.hp,
            "taken": row.taken,
            "kill": row.kill,
            "value": row.value,
            "hiding": row.hiding,
            "reached": row.reached,
            "mixed": row.mixed,
            "attacker_loses": row.pure_loses[0],
            "defender_loses": row.pure_loses[1],
        }
        for row in report.rows
    ]

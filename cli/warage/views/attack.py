"""How attacks look."""

from __future__ import annotations

from analysis.amounts import chance
from analysis.warage.reports import AttackReport
from cli.grid import Section
from cli.warage.views.common import card_set_note, named, wrapped

_ROUNDS = 5


@named
def sections(report: AttackReport) -> list[Section]:
    """Return the tables."""
    heroes = [
        *wrapped(f"{report.attacker}", "  "),
        *wrapped(f"  on {report.defender}, {report.hp} HP, in {report.season}", "    "),
    ]
    rows = [
        [
            row.name,
            f"{row.attack}+{row.attack_dice}d",
            f"{row.defence}+{row.defence_dice}d",
            f"{row.mean:.3f}",
            chance(row.hit),
            chance(row.kill),
            chance(row.six),
        ]
        for row in report.attacks
    ]
    head = ("attack", "total", "against", "damage", "hits", "kills", "a 6")
    parts = [Section("", lines=heroes), Section("", head, rows)]
    if len(report.attacks) > 1:
        whole = [
            [", ".join(row.attacks), f"{row.mean:.3f}", chance(row.kill), chance(row.six)]
            for row in report.rounds[:_ROUNDS]
        ]
        more = len(report.rounds) - _ROUNDS
        lines = [f"{more} more: --format json"] if more > 0 else []
        parts.append(Section("A round of them", ("attacks", "damage", "kills", "a 6"), whole, lines=lines))
    return parts


@named
def notes(report: AttackReport) -> list[str]:
    """Return what has to be said beside the tables."""
    lines = []
    if report.with_cards:
        lines.append(f"With {', '.join(report.with_cards)}; in a round, for the attack where it kills most.")
    if report.against_cards:
        lines.append(f"Against it {', '.join(report.against_cards)}.")
    lines.append("Exact; a 6 on any die changes the season. Fractions: --format json.")
    lines.append(card_set_note(report.card_set))
    return lines


def csv_rows(report: AttackReport) -> list[dict[str, object]]:
    """Return its rows as CSV has them."""
    names = ("mean_fraction", "hit_fraction", "kill_fraction", "six_fraction")
    return [
        {
            "attack": row.name,
            "total": row.attack,
            "dice": row.attack_dice,
            "defence": row.defence,
            "defence_dice": row.defence_dice,
            "mean": row.mean,
            "hit": row.hit,
            "kill": row.kill,
            "six": row.six,
            **dict(zip(names, row.fractions, strict=True)),
        }
        for row in report.attacks
    ]

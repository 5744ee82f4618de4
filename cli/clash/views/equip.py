"""How purchases look."""

from __future__ import annotations

import textwrap

from analysis.clash.study_reports import EquipReport, PurchaseReport
from cli.clash.views.battle import counted, first_notes, worth
from cli.grid import Section

_ROWS = 15
_CARDS = 44
"""How wide cards may be."""


def attached_text(each: PurchaseReport) -> str:
    """Return who carries what."""
    return "; ".join(f"{type_.unit}: {', '.join(type_.cards)}" for type_ in each.attached) or "nothing"


def _gain(report: EquipReport, value: float | None) -> str:
    if value is None:
        return "-"
    return f"{100 * value:+.2f}" if report.objective == "win" else f"{value:+.4f}"


def sections(report: EquipReport) -> list[Section]:
    """Return the tables."""
    other = "defender" if report.buyer == "attacker" else "attacker"
    facts: list[tuple[str, str]] = [(report.buyer, report.army)]
    total = sum(report.shares)
    for battle, share in zip(report.battles, report.shares, strict=True):
        counts = f" (counts {share / total:.0%})" if len(report.battles) > 1 else ""
        facts.append((other, f"{battle}{counts}"))
    facts.append(("now", f"{worth(report.objective, report.now.value)} with {attached_text(report.now)}"))
    points = "points" if report.objective == "win" else "gain"
    shown = report.front[-_ROWS:]
    rows: list[list[str]] = []
    for each in shown:
        words = textwrap.wrap(attached_text(each), _CARDS)
        gain = [
            worth(report.objective, each.value),
            _gain(report, each.gain),
            _gain(report, each.gain_per_gold),
        ]
        rows.append([words[0], str(each.gold), *gain])
        rows += [[f"  {word}", "", "", "", ""] for word in words[1:]]
    head = ("attached then", "gold", "worth", points, "per gold")
    more = len(report.front) - len(shown)
    hidden = [f"{more} cheaper ones: --format csv"] if more else []
    alone = [
        [
            stack.card,
            str(stack.copies),
            str(stack.cost),
            *(
                ("-", "-", "-")
                if stack.alone is None
                else (
                    worth(report.objective, stack.alone.value),
                    _gain(report, stack.alone.gain),
                    _gain(report, stack.alone.gain_per_gold),
                )
            ),
        ]
        for stack in report.market
    ]
    return [
        Section("", facts=facts),
        Section("The best for every amount of gold, the dearest best of all", head, rows, lines=hidden),
        Section("One card alone", ("card", "copies", "gold", "worth", points, "per gold"), alone),
    ]


def notes(report: EquipReport) -> list[str]:
    """Return what has to be said beside the tables."""
    lines = first_notes(report.rules, report.weights)
    lines.append(
        "For sale is what lies on the market now; what is drawn to refill it (E2) is left out, and so are"
        " movement and later battles."
    )
    ways = "the only way" if report.assignments == 1 else f"all {report.assignments:,} ways"
    lines.append(
        f"Proved: {ways} to buy and attach for {report.gold} gold, by"
        f" {counted(report.solves, 'exact battle')} in {report.time_s:.2f} s, {report.sha256[:16]}."
    )
    return lines


def csv_rows(report: EquipReport) -> list[dict[str, object]]:
    """Return a row for every amount of gold."""
    return [
        {
            "gold": each.gold,
            "bought": " ".join(each.bought),
            "attached": attached_text(each),
            "value": each.value,
            "gain": each.gain,
            "gain_per_gold": each.gain_per_gold,
            **{f"value_{number}": value for number, value in enumerate(each.values, 1)},
        }
        for each in report.front
    ]

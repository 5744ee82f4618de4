"""How purchases look."""

from __future__ import annotations

import textwrap

from analysis.clash.study_reports import EquipReport, PurchaseReport
from cli.clash.views.battle import WIDTH, as_text, chance
from cli.grid import Section, to_csv, to_markdown
from cli.output import to_json

_ROWS = 15
_CARDS = 44
"""How wide cards may be."""


def render(report: EquipReport, form: str) -> str:
    """Return a report as ``json``, ``csv``, ``md``, or text for a terminal of 80 columns."""
    if form == "json":
        return to_json(report)
    if form == "csv":
        return to_csv([_row(each) for each in report.front])
    parts, lines = sections(report), notes(report)
    return to_markdown(parts, lines) if form == "md" else as_text(parts, lines)


def attached_text(each: PurchaseReport) -> str:
    """Return who carries what."""
    return "; ".join(f"{type_.unit}: {', '.join(type_.cards)}" for type_ in each.attached) or "nothing"


def _worth(report: EquipReport, value: float) -> str:
    return chance(value) if report.objective == "win" else f"{value:+.4f}"


def _gain(report: EquipReport, value: float | None) -> str:
    if value is None:
        return "-"
    return f"{100 * value:+.2f}" if report.objective == "win" else f"{value:+.4f}"


def sections(report: EquipReport) -> list[Section]:
    """Return the tables."""
    other = "defender" if report.buyer == "attacker" else "attacker"
    lines = textwrap.wrap(f"{report.buyer}  {report.army}", WIDTH, subsequent_indent=" " * 10)
    total = sum(report.shares)
    for battle, share in zip(report.battles, report.shares, strict=True):
        counts = f" (counts {share / total:.0%})" if len(report.battles) > 1 else ""
        lines += textwrap.wrap(f"{other}  {battle}{counts}", WIDTH, subsequent_indent=" " * 10)
    lines.append(f"now       {_worth(report, report.now.value)} with {attached_text(report.now)}")
    lines[-1:] = textwrap.wrap(lines[-1], WIDTH, subsequent_indent=" " * 10)
    points = "points" if report.objective == "win" else "gain"
    shown = report.front[-_ROWS:]
    rows: list[list[str]] = []
    for each in shown:
        words = textwrap.wrap(attached_text(each), _CARDS)
        gain = [_worth(report, each.value), _gain(report, each.gain), _gain(report, each.gain_per_gold)]
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
                    _worth(report, stack.alone.value),
                    _gain(report, stack.alone.gain),
                    _gain(report, stack.alone.gain_per_gold),
                )
            ),
        ]
        for stack in report.market
    ]
    return [
        Section("", lines=lines),
        Section("The best for every amount of gold, the dearest best of all", head, rows, lines=hidden),
        Section("One card alone", ("card", "copies", "gold", "worth", points, "per gold"), alone),
    ]


def notes(report: EquipReport) -> list[str]:
    """Return what has to be said beside the tables."""
    lines = [report.rules.illustrative] if report.rules.illustrative else []
    if report.weights is not None:
        said = ", ".join(f"{name} {value:g}" for name, value in report.weights.items())
        lines.append(f"Weights: {said}.")
    lines.append(
        "For sale is what lies on the market now; what is drawn to refill it (E2) is left out, and so are"
        " movement and later battles."
    )
    lines.append(
        f"Proved: all {report.assignments:,} ways to buy and attach for {report.gold} gold, by"
        f" {report.solves:,} exact battles in {report.time_s:.2f} s, {report.sha256[:16]}."
    )
    return lines


def _row(each: PurchaseReport) -> dict[str, object]:
    return {
        "gold": each.gold,
        "bought": " ".join(each.bought),
        "attached": attached_text(each),
        "value": each.value,
        "gain": each.gain,
        "gain_per_gold": each.gain_per_gold,
        **{f"value_{number}": value for number, value in enumerate(each.values, 1)},
    }

"""How balance looks: clans against clans, a heat-map of all armies, what things are worth."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.amounts import chance
from analysis.clash.balance_reports import BalanceReport, ClanCellReport, WorthReport
from cli.clash.views.battle import counted, first_notes
from cli.grid import WIDTH, Section

_SHADES = " ░▒▓█"
_ARMIES = 8
_PRICES = {"icon": "", "card": "gold", "unit": "points"}
_PLURALS = {"icon": "One icon more", "card": "One card more", "unit": "One figure more"}


def _points(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:+.2f}"


def army_text(report: BalanceReport, number: int) -> str:
    """Return an army in short: its clan, and figures by level."""
    army = report.armies[number]
    return f"{army.clan} {' '.join(map(str, army.counts))}"


def sections(report: BalanceReport) -> list[Section]:
    """Return the tables."""
    parts = [
        _clans("The attacker's chance, over all armies", report, [(c, c.mean) for c in report.cells]),
        _clans("The same if both choose their army well", report, [(c, c.chosen) for c in report.cells]),
        _heat_map(report),
    ]
    means = [
        (number, army.attacks + army.defends, army.attacks, army.defends)
        for number, army in enumerate(report.armies)
        if army.attacks is not None and army.defends is not None
    ]
    means.sort(key=lambda each: -each[1])
    rows = [
        [army_text(report, number), chance(attacks, 1), chance(defends, 1)]
        for number, _, attacks, defends in means[:_ARMIES]
    ]
    parts.append(
        Section("The strongest armies (figures by level I II III)", ("army", "attacks", "defends"), rows)
    )
    for kind, title in _PLURALS.items():
        found = sorted(
            (each for each in report.worth if each.kind == kind),
            key=lambda each: -(each.gain if each.gain_per_price is None else each.gain_per_price),
        )
        if found:
            parts.append(_worth(title, _PRICES[kind], found))
    if report.compared:
        rows = [
            [each.change, _points(each.mean), f"{100 * each.mean_size:.2f}", _points(each.largest)]
            for each in report.compared
        ]
        lines = [
            line
            for each in report.compared
            for line in (f"most: {each.largest_attacker}", f"      against {each.largest_defender}")
        ]
        head = ("by other rules", "mean", "mean size", "most")
        parts.append(Section("Changes of the attacker's chance, in points", head, rows, lines=lines))
    return parts


def _clans(
    title: str, report: BalanceReport, cells: Sequence[tuple[ClanCellReport, float | None]]
) -> Section:
    values = {(cell.attacker, cell.defender): value for cell, value in cells}
    rows = [
        [one, *("" if one == two else chance(values.get((one, two)), 1) for two in report.clans)]
        for one in report.clans
    ]
    return Section(title, ("attacker", *report.clans), rows)


def _shade(value: float | None) -> str:
    if value is None:
        return "."
    return _SHADES[min(len(_SHADES) - 1, int(value * len(_SHADES)))]


def _heat_map(report: BalanceReport) -> Section:
    labels = [army_text(report, number) for number in range(len(report.armies))]
    width = max(map(len, labels)) + 2
    title = "All armies: attackers down, defenders in the same order across"
    if width + len(labels) > WIDTH:
        return Section(title, lines=[f"{len(labels)} armies are too many to show: --format csv"])
    lines = [
        f"{label.ljust(width)}{''.join(map(_shade, row))}".rstrip()
        for label, row in zip(labels, report.wins, strict=True)
    ]
    steps = ", ".join(
        f"{shade if shade.strip() else 'blank'} {100 * number // len(_SHADES)}"
        for number, shade in enumerate(_SHADES)
    )
    return Section(title, lines=[*lines, f"chance from, in %: {steps}; . no battle"])


def _worth(title: str, price: str, found: Sequence[WorthReport]) -> Section:
    head = ["", "points", "deviation", "battles"] + (
        [price, f"per {price.removesuffix('s')}"] if price else []
    )
    rows = [
        [
            each.name,
            _points(each.gain),
            f"{100 * each.deviation:.2f}",
            str(each.battles),
            *([f"{each.price:g}", _points(each.gain_per_price)] if each.price is not None else []),
        ]
        for each in found
    ]
    return Section(f"{title} for the attacker, where it helps most", head, rows)


def notes(report: BalanceReport) -> list[str]:
    """Return what has to be said beside the tables."""
    lines = first_notes(report.rules)
    weights = ", ".join(f"{name} {value:g}" for name, value in report.weights.items())
    lines.append(f"Every army counts {report.points:g} points: {weights}.")
    low, high = report.contested
    if report.worth:
        lines.append(
            f"Worths are means over battles drawn from those that the attacker wins with {low:.0%} to"
            f" {high:.0%}; movement and later battles are left out."
        )
    if not report.complete:
        lines.append("Stopped before the end: what was finished is shown.")
    lines.append(
        f"{report.battles:,} pairs of armies, {counted(report.solves, 'exact battle')} in"
        f" {report.time_s:.2f} s, {report.sha256[:16]}."
    )
    return lines


def csv_rows(report: BalanceReport) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = [
        {
            "list": "battle",
            "attacker": army_text(report, one),
            "defender": army_text(report, two),
            "win": value,
        }
        for one, row in enumerate(report.wins)
        for two, value in enumerate(row)
        if value is not None
    ]
    rows += [
        {
            "list": each.kind,
            "name": each.name,
            "battles": each.battles,
            "gain": each.gain,
            "deviation": each.deviation,
            "price": each.price,
            "gain_per_price": each.gain_per_price,
        }
        for each in report.worth
    ]
    rows += [
        {"list": "compared", "name": each.change, "gain": each.mean, "largest": each.largest}
        for each in report.compared
    ]
    return rows

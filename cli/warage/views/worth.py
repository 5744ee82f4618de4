"""How prices look."""

from __future__ import annotations

from analysis.amounts import chance
from analysis.warage.reports import WorthPoint, WorthReport, WorthRow
from cli.grid import Section
from cli.warage.views.common import card_set_note, named, wrapped

_COLUMNS = 6


def _shown(report: WorthReport) -> list[int]:
    """Places of the rounds left that the table shows: the most, the fewest, and some between."""
    count = len(report.base)
    if count <= _COLUMNS:
        return list(range(count))
    return sorted({round(place * (count - 1) / (_COLUMNS - 1)) for place in range(_COLUMNS)})


def _hp(point: WorthPoint) -> str:
    return "more" if point.hp is None else f"{point.hp:.1f}"


@named
def sections(report: WorthReport) -> list[Section]:
    """Return the tables."""
    heroes = []
    for name, hero, hp in zip("AB", report.heroes, report.hp, strict=True):
        heroes += wrapped(f"{name}  {hero}, {hp} HP", "   ")
    places = _shown(report)
    rounds = [str(report.base[place].rounds_left) for place in places]
    base = [["A wins", *(chance(report.base[place].win, 1) for place in places)]]
    parts = [
        Section("", lines=heroes),
        Section(f"Rounds left, A to move, in {report.season}", ("", *rounds), base),
    ]
    base.append(["1 HP more", *(f"{100 * report.rows[0].points[place].win:+.2f}" for place in places)])
    base += [
        [f"{row.name}, in HP", *(_hp(row.points[place]) for place in places)]
        for row in report.rows[1:]
        if row.cost is None
    ]
    cards = [
        [row.name, str(row.cost), *(_hp(row.points[place]) for place in places), _even(row), row.verdict]
        for row in report.rows
        if row.cost is not None
    ]
    if cards:
        head = ("card", "cost", *rounds, "even", "priced")
        parts.append(Section("A card is worth, in HP", head, cards))
    return parts


def _even(row: WorthRow) -> str:
    return "-" if row.break_even is None else str(row.break_even)


@named
def notes(report: WorthReport) -> list[str]:
    """Return what has to be said beside the tables."""
    lines = [
        'even: rounds left from which on the card is worth its cost; "more": than is measured,'
        " for a card more than the HP that A has."
        " priced: under or over its worth, with all rounds left."
    ]
    if report.left_out:
        lines.append(f"Left out of the season deck: {', '.join(report.left_out)}; --specials takes them in.")
    lines.append(f"Exact but for rounding, in HP between whole ones straight; {report.time_s:.1f} s.")
    lines.append(card_set_note(report.card_set))
    return lines


def csv_rows(report: WorthReport) -> list[dict[str, object]]:
    """Return its rows as CSV has them."""
    return [
        {
            "card_set": report.card_set.sha256,
            "name": row.name,
            "cost": row.cost,
            "break_even": row.break_even,
            "priced": row.verdict,
            "rounds_left": point.rounds_left,
            "win": point.win,
            "hp": point.hp,
        }
        for row in report.rows
        for point in row.points
    ]

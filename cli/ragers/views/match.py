"""How matches of a player with itself look: a first screen, all figures, and CSV."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from analysis.estimates import Estimate
from analysis.ragers.match.report import DayReport, DuelReport, MatchFigures, MatchReport
from analysis.symmetry import BY_DESIGN, WHY
from cli.grid import Section
from engine.ragers.rules import TYPES

_SHORT = [name[:3].capitalize() for name in TYPES]
_LEADS = (0, 1, 2, 3, 4, 6, 8, 9)
_NONE = "-"


def percent(value: Estimate, digits: int = 1, *, sign: bool = False) -> str:
    """Return a share in per cent with half the width of its interval, `12.3 ±0.4`."""
    return _figure(value, 100.0, digits, sign=sign)


def points(value: Estimate) -> str:
    """Return GP with half the width of the interval, `+1.03 ±0.12`."""
    return _figure(value, 1.0, 2, sign=True)


def _figure(value: Estimate, factor: float, digits: int, *, sign: bool) -> str:
    if value.mean is None or value.low is None or value.high is None:
        return _NONE
    # Rounded up, so that no interval looks narrower than it is.
    unit = 10.0**-digits
    width = math.ceil(factor * (value.high - value.low) / 2.0 / unit - 1e-9) * unit
    return f"{_number(factor * value.mean, digits, sign=sign)} ±{width:.{digits}f}"


def _number(number: float, digits: int, *, sign: bool) -> str:
    """Return a number; a rounded zero has no sign."""
    text = f"{number:{'+' if sign else ''}.{digits}f}"
    return text if text.strip("+-0.") else text.lstrip("+-")


def sections(report: MatchReport, *, details: bool) -> list[Section]:
    """Return the tables of a report."""
    parts = []
    for figures in report.figures:
        if details:
            parts += _all(figures)
        else:
            parts += _first_screen(figures)
    if report.duels:
        parts.append(_duels(report))
    if report.differences:
        parts.append(_differences(report, details=details))
    return parts


def _title(figures: MatchFigures) -> str:
    return f"{figures.rules.name}: {figures.matches:,} matches of {figures.player.name} with itself"


def _going(figures: MatchFigures) -> list[DayReport]:
    return figures.days[1:]


def _first_screen(figures: MatchFigures) -> list[Section]:
    """Ends, chances by lead, and what cards are worth, on 24 lines with the notes."""
    return [_ends(figures), _leads(figures, _LEADS), _cards(figures)]


def _ends(figures: MatchFigures) -> Section:
    decided = figures.decided_by
    ended = " / ".join(percent(each) for each in figures.ended_after_day)
    ties = " / ".join(percent(each) for each in (decided.cheers, decided.decks, decided.defenders))
    behind = " / ".join(percent(day.trailing_wins) for day in _going(figures))
    rows = [["Accusers win", percent(figures.accusers_win)]]
    if len(figures.days) > 1:
        days = " / ".join(str(day) for day in range(1, len(figures.days)))
        rows.append(["days of a match, on average", _figure(figures.days_played, 1.0, 2, sign=False)])
        rows.append([f"ends after day {days} / {len(figures.days)}, of all", ended])
        rows.append([f"who is behind then wins, after day {days}", behind])
    rows.append(["GP tied: by cheers / cards left / Defenders", ties])
    return Section(_title(figures), ("", f"% ({figures.player.name}; ±: 95 %)"), rows, left=2)


def _leads(figures: MatchFigures, leads: Sequence[int]) -> Section:
    rows = []
    for day in _going(figures):
        by_lead = {each.lead: each.win for each in day.win_by_lead}
        cells = [percent(by_lead[lead], 0) if lead in by_lead else _NONE for lead in leads]
        rows.append([f"by so many, day {day.day - 1}", *cells])
    head = [f"{figures.player.name}: % won, ahead", *map(str, leads)]
    return Section("", head, rows) if rows else Section("")


def _cards(figures: MatchFigures) -> Section:
    rows = []
    for day in figures.days:
        given = [_short(card.given, 100.0, 1) for card in day.cards]
        rows.append([f"given, day {day.day}: %", *given])
    for day in _going(figures):
        rows.append([f"price, day {day.day}: GP", *(_short(card.gp, 1.0, 1) for card in day.cards)])
    return Section("", [f"{figures.player.name}, 1 more", *_SHORT], rows)


def _short(value: Estimate, factor: float, digits: int) -> str:
    """Return a figure alone, in brackets where its interval holds 0 as well."""
    if value.mean is None or value.low is None or value.high is None:
        return _NONE
    text = _number(factor * value.mean, digits, sign=True)
    return f"({text})" if value.low <= 0.0 <= value.high else text


def _all(figures: MatchFigures) -> list[Section]:
    """Every figure with its interval."""
    name, decided = figures.player.name, figures.decided_by
    rows = [["Accusers win", percent(figures.accusers_win, 2)]]
    rows.append(["days of a match, on average", _figure(figures.days_played, 1.0, 3, sign=False)])
    rows += [
        [f"ends after day {day}", percent(each, 2)]
        for day, each in enumerate(figures.ended_after_day, start=1)
    ]
    rows += [
        [f"decided by {words}", percent(each, 2)]
        for words, each in (
            ("a winning lead before the last day", decided.lead),
            ("GP after the last day", decided.gp),
            ("cheers cards taken", decided.cheers),
            ("cards left to draw", decided.decks),
            ("the Defenders' rule", decided.defenders),
        )
    ]
    rows.append(["both decks empty, of matches to the last day", percent(figures.decks_empty, 2)])
    for day in _going(figures):
        rows.append([f"who is behind after day {day.day - 1} wins", percent(day.trailing_wins, 2)])
        rows.append([f"a GP more after day {day.day - 1}, nobody ahead", percent(day.gp_win, 2, sign=True)])
    parts = [Section(_title(figures), ("", f"% ({name}; ±: 95 %)"), rows)]
    leads = sorted({each.lead for day in _going(figures) for each in day.win_by_lead})
    by_day = [{each.lead: each.win for each in day.win_by_lead} for day in _going(figures)]
    if leads:
        head = [f"GP ahead ({name})", *(f"after day {day.day - 1}: % won" for day in _going(figures))]
        table = [
            [str(lead), *(percent(day[lead]) if lead in day else _NONE for day in by_day)] for lead in leads
        ]
        parts.append(Section("Chance of winning by lead (at 0: the Accusers')", head, table))
    for day in figures.days:
        head = [f"one card more before day {day.day} ({name})", "given: win-%", "price: GP", "price: win-%"]
        table = [
            [
                card.card.capitalize(),
                percent(card.given, sign=True),
                points(card.gp),
                percent(card.win, sign=True),
            ]
            for card in day.cards
        ]
        parts.append(Section("", head, table))
    return parts


def _differences(report: MatchReport, *, details: bool) -> Section:
    name = report.figures[0].player.name
    shown = [each for each in report.differences if details or each.exceeds]
    rows = [
        [
            each.figure.replace("_", " "),
            percent(each.first),
            percent(each.second),
            percent(each.difference, sign=True),
            "yes" if each.exceeds else "no",
        ]
        for each in shown
    ]
    first, second = (figures.rules.name for figures in report.figures)
    title = f"What differs between {first} (first) and {second} (second)"
    head = [f"% ({name})", "first", "second", "difference", "beyond chance"]
    return Section(title if rows else f"{title}: nothing beyond chance", head, rows)


def _duels(report: MatchReport) -> Section:
    rows = [
        [
            f"{each.player.name} against {each.opponent.name}",
            str(each.deals),
            f"50 {BY_DESIGN}" if _is_exact(each) else percent(each.win),
            *map(percent, each.seats),
        ]
        for each in report.duels
    ]
    head = ("% won (±: 95 %)", "deals", "both seats", "as Accusers", "as Defenders")
    name = report.duels[0].rules.name
    return Section(f"{name}: each deal from both seats, with the same chance", head, rows)


def _is_exact(duel: DuelReport) -> bool:
    return duel.win.mean == 0.5 and duel.win.low is None and duel.player == duel.opponent


def notes(report: MatchReport, *, details: bool = False) -> list[str]:
    """Return what a reader has to know; `details` as for `sections`."""
    players = [each.player for each in report.figures]
    players += [player for each in report.duels for player in (each.player, each.opponent)]
    lines = list(dict.fromkeys(f"{each.name}: {each.words}." for each in players))
    if any(card.gp.mean is not None for each in report.figures for day in each.days for card in day.cards):
        text = "Prices are by regression: what goes with a card, not what it does; given cards are the check."
        lines.append(text if details else f"{text} In brackets: the interval holds 0.")
    if any(map(_is_exact, report.duels)):
        lines.append(WHY)
    rules = [each.rules for each in report.figures] + [each.rules for each in report.duels]
    for changes in dict.fromkeys(tuple(each.changes) for each in rules):
        if changes:
            lines.append(f"Changed from the box: {', '.join(changes)}.")
    if len(report.differences) > 20:
        lines.append(f"Of {len(report.differences)} figures one in twenty would stand out by chance alone.")
    if not report.completed:
        lines.append("Stopped early: fewer matches than asked for.")
    return lines


def csv_rows(report: MatchReport) -> list[dict[str, object]]:
    """Return a row per figure, with the rules and the player it belongs to."""
    rows = [_duel_row(each) for each in report.duels]
    for figures in report.figures:
        for name, day, key, value in _figures(figures):
            rows.append(
                {
                    "rules": figures.rules.name,
                    "rules_sha256": figures.rules.sha256,
                    "player": figures.player.name,
                    "figure": name,
                    "day": day,
                    "key": key,
                    "mean": value.mean,
                    "low": value.low,
                    "high": value.high,
                    "observations": value.observations,
                }
            )
    return rows


def _duel_row(duel: DuelReport) -> dict[str, object]:
    return {
        "rules": duel.rules.name,
        "rules_sha256": duel.rules.sha256,
        "player": duel.player.name,
        "figure": "wins_against",
        "key": duel.opponent.name,
        "mean": duel.win.mean,
        "low": duel.win.low,
        "high": duel.win.high,
        "observations": duel.win.observations,
    }


def _figures(figures: MatchFigures) -> Iterator[tuple[str, int | str, int | str, Estimate]]:
    yield "accusers_win", "", "", figures.accusers_win
    yield "days_played", "", "", figures.days_played
    for number, each in enumerate(figures.ended_after_day, start=1):
        yield "ended_after_day", number, "", each
    for name in figures.decided_by.__struct_fields__:
        yield "decided_by", "", name, getattr(figures.decided_by, name)
    yield "decks_empty", "", "", figures.decks_empty
    for day in figures.days:
        if day.day > 1:
            yield "trailing_wins", day.day, "", day.trailing_wins
            yield "gp_win", day.day, "", day.gp_win
        for lead in day.win_by_lead:
            yield "win_by_lead", day.day, lead.lead, lead.win
        for card in day.cards:
            if day.day > 1:
                yield "price_gp", day.day, card.card, card.gp
                yield "price_win", day.day, card.card, card.win
            yield "given_win", day.day, card.card, card.given

"""How matches of one player with itself look: how they end, what a lead is worth, what cards are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from analysis.amounts import percent
from analysis.estimates import Estimate, excludes_zero
from analysis.front.page import Cell, Column, Curve, Fact, Facts, Format, Page, Section, Table, data_of
from analysis.front.question import Amount
from analysis.front.verbs.match_page import match_amounts, match_page
from analysis.ragers.match.report import DayReport, DecidedBy, MatchesAnswer, MatchFigures
from analysis.ragers.wording.names import card

__all__ = ["amounts", "page"]

_LEADS = (0, 1, 2, 3, 4, 6, 8, 9)
_DECIDED = {
    "lead": "a winning lead before the last day",
    "gp": "GP after the last day",
    "cheers": "cheers cards taken",
    "decks": "cards left to draw",
    "defenders": "the Defenders' rule",
}


def page(found: MatchesAnswer) -> Page:
    """Return how a match looks; of one player with itself what leads and cards are worth, too."""
    shown = match_page(found)
    if not found.figures:
        return shown
    [figures] = found.figures
    notes = [f"{figures.player.name}: {figures.player.words}. Other players play otherwise."]
    if any(each.gp.mean is not None for day in figures.days for each in day.cards):
        notes.append(
            "Prices are by regression: what goes with a card, not what it does; cards given are the check."
            " A dash stands where the figure is not told apart from 0; --details shows all with intervals."
        )
    brief = [*shown.sections, _ends(figures), *_leads(figures), _cards(figures)]
    last = figures.days[-1].trailing_wins
    behind = "" if last.mean is None else f" Who is behind before the last day wins {percent(last.mean, 1)} %"
    known = last.low is not None and last.high is not None
    doubt = f" ({percent(last.low or 0.0, 1)} to {percent(last.high or 0.0, 1)} %)" if known else ""
    return msgspec.structs.replace(
        shown,
        headline=f"{shown.headline}{behind}{doubt}{'.' if behind else ''}",
        sections=[*brief, *_all_figures(figures)],
        notes=[*notes, *shown.notes],
        details=len(brief),
        data=_data(figures),
    )


def amounts(found: MatchesAnswer) -> list[Amount]:
    """Return every figure that can be compared, those of a card with its day."""
    return match_amounts(found) + [
        Amount(" ".join(f"{each}" for each in (name, day, key) if each != ""), head, value, kind)
        for figures in found.figures
        for name, day, key, value, kind, head in _all(figures)
    ]


def _ends(figures: MatchFigures) -> Facts:
    facts = [
        Fact(f"ended_after_day_{day}", f"end after day {day}", each, "share")
        for day, each in enumerate(figures.ended_after_day, 1)
    ]
    facts += [
        Fact(
            f"trailing_wins_{day.day}",
            f"who is behind after day {day.day - 1} wins",
            day.trailing_wins,
            "share",
        )
        for day in figures.days[1:]
    ]
    return Facts(facts, f"{figures.matches:,} further matches of {figures.player.name} with itself")


def _leads(figures: MatchFigures) -> Iterator[Table]:
    by_day = [{each.lead: each.win.mean for each in day.win_by_lead} for day in figures.days[1:]]
    columns = [Column("lead", "GP ahead", "count")]
    columns += [Column(f"day_{day.day - 1}", f"after day {day.day - 1}", "share") for day in figures.days[1:]]
    rows: list[list[Cell]] = [[lead, *(day.get(lead) for day in by_day)] for lead in _LEADS]
    if by_day:
        yield Table(columns, rows, "Chance of winning of who is so far ahead; at 0 the Accusers'")


def _told(value: Estimate) -> float | None:
    return value.mean if excludes_zero(value) else None


def _cards(figures: MatchFigures) -> Table:
    columns = [Column("card", "card")]
    columns += [Column(f"given_{day.day}", f"given, day {day.day}", "gain") for day in figures.days]
    columns += [Column(f"price_{day.day}", f"price, day {day.day}", "signed", 1) for day in figures.days[1:]]
    rows: list[list[Cell]] = []
    for place, first in enumerate(figures.days[0].cards):
        given = [_told(day.cards[place].given) for day in figures.days]
        prices = [_told(day.cards[place].gp) for day in figures.days[1:]]
        rows.append([card(first.card), *given, *prices])
    return Table(columns, rows, "One card more: given, in chance of winning; its price, in GP of lead")


def _all_figures(figures: MatchFigures) -> list[Section]:
    """Return every figure with its interval."""
    decided = [
        Fact("accusers_win", "the Accusers win", figures.accusers_win, "share"),
        Fact("days_played", "days of a match, mean", figures.days_played, "number"),
    ]
    decided += [
        Fact(f"decided_by_{name}", f"decided by {words}", getattr(figures.decided_by, name), "share")
        for name, words in _DECIDED.items()
    ]
    empty = "both decks empty, of matches to the last day"
    decided.append(Fact("decks_empty", empty, figures.decks_empty, "share"))
    decided += [
        Fact(f"gp_win_{day.day}", f"a GP more after day {day.day - 1}, nobody ahead", day.gp_win, "gain")
        for day in figures.days[1:]
    ]
    sections: list[Section] = [Facts(decided, "What decides matches")]
    by_day = [{each.lead: each.win for each in day.win_by_lead} for day in figures.days[1:]]
    leads = sorted({lead for each in by_day for lead in each})
    names = [f"after day {day.day - 1}" for day in figures.days[1:]]
    if leads:
        columns = [Column("lead", "GP ahead", "count")]
        columns += [Column(f"day_{place}", name, "share") for place, name in enumerate(names, 1)]
        title = f"Chance of winning by lead, {figures.player.name}; at 0 the Accusers'"
        sections.append(Table(columns, [[lead, *(day.get(lead) for day in by_day)] for lead in leads], title))
        points: list[float | str] = [float(lead) for lead in leads]
        series = {
            name: [day[lead].mean if lead in day else None for lead in leads]
            for name, day in zip(names, by_day, strict=True)
        }
        sections.append(Curve("Chance of winning by lead", "GP ahead", "won", "share", points, series))
    return [*sections, *(_day_cards(day, figures.player.name) for day in figures.days)]


def _day_cards(day: DayReport, player: str) -> Table:
    columns = [
        Column("card", "card"),
        Column("given", "given", "gain"),
        Column("gp", "price, GP", "signed", 2),
    ]
    columns.append(Column("win", "price", "gain"))
    rows: list[list[Cell]] = [[card(each.card), each.given, each.gp, each.win] for each in day.cards]
    return Table(columns, rows, f"One card more before day {day.day}, {player}")


def _all(figures: MatchFigures) -> Iterator[tuple[str, int | str, int | str, Estimate, Format, str]]:
    """Every figure: its name, day and key, what it is, how it is written, and what it is called."""
    yield "accusers_win", "", "", figures.accusers_win, "share", "the Accusers win"
    yield "days_played", "", "", figures.days_played, "number", "days of a match, mean"
    for number, each in enumerate(figures.ended_after_day, start=1):
        yield "ended_after_day", number, "", each, "share", f"end after day {number}"
    for name in DecidedBy.__struct_fields__:
        value = getattr(figures.decided_by, name)
        yield "decided_by", "", name, value, "share", f"decided by {_DECIDED[name]}"
    yield "decks_empty", "", "", figures.decks_empty, "share", "both decks empty at the end"
    for day in figures.days:
        before = f"before day {day.day}"
        if day.day > 1:
            yield "trailing_wins", day.day, "", day.trailing_wins, "share", f"who is behind {before} wins"
            yield "gp_win", day.day, "", day.gp_win, "gain", f"a GP more {before}"
        for lead in day.win_by_lead:
            yield "win_by_lead", day.day, lead.lead, lead.win, "share", f"{lead.lead} GP ahead {before} wins"
        for one in day.cards:
            name = f"{card(one.card)} more {before}"
            if day.day > 1:
                yield "price_gp", day.day, one.card, one.gp, "signed", f"a {name}, price in GP"
                yield "price_win", day.day, one.card, one.win, "gain", f"a {name}, price in wins"
            yield "given_win", day.day, one.card, one.given, "gain", f"a {name}, given"


def _data(figures: MatchFigures) -> Table:
    head: dict[str, Cell] = {"rules": figures.rules.name, "rules_sha256": figures.rules.sha256}
    head["player"] = figures.player.name
    rows: Sequence[dict[str, Cell]] = [
        {
            **head,
            "figure": name,
            "day": day,
            "key": key,
            "mean": value.mean,
            "low": value.low,
            "high": value.high,
            "observations": value.observations,
        }
        for name, day, key, value, _, _ in _all(figures)
    ]
    return data_of(rows)

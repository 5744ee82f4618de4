"""How a race looks."""

from __future__ import annotations

from analysis.amounts import chance
from analysis.warage.reports import ChoiceReport, RaceReport
from cli.grid import Section, Shown
from cli.warage.views.common import card_set_note, named, wrapped


def _cell(value: float | None) -> str:
    return "-" if value is None else chance(value)


@named
def sections(report: RaceReport) -> list[Section]:
    """Return the tables."""
    heroes = []
    for name, hero, hp in zip("AB", report.heroes, report.hp, strict=True):
        heroes += wrapped(f"{name}  {hero}, {hp} HP", "   ")
    parts = [Section("", lines=heroes), Section("", lines=[f"A wins  {chance(report.win)}"])]
    rows = [[row.season, _cell(row.first), _cell(row.second), chance(row.mean)] for row in report.by_season]
    if len(rows) > 1:
        rows.append(["any", *map(_cell, report.by_seat), chance(report.win)])
    parts.append(Section("", ("season", "A first", "B first", "mean"), rows))
    facts = []
    if report.rounds is not None:
        rounds = report.rounds
        facts.append(
            f"rounds: {rounds.mean:.1f} on average; 10, 50, 90 % are over after"
            f" {rounds.tenth}, {rounds.median}, {rounds.ninetieth}"
        )
    if report.deck_out_share is not None:
        facts.append(f"decided by an empty deck: {chance(report.deck_out_share)}")
    for row in report.spells:
        facts += wrapped(f"{'AB'[row.hero]} in {', '.join(row.seasons)}: {', '.join(row.attacks)}")
    parts.append(Section("", lines=facts))
    return parts


@named
def notes(report: RaceReport) -> list[str]:
    """Return what has to be said beside the tables."""
    rounds = " or ".join(map(str, dict.fromkeys(report.rounds_left)))
    truce = ", the first of each without attacks" if report.truce else ""
    lines = [f"No hidden cards, no decisions: both attack with all they have, for {rounds} rounds{truce}."]
    if report.specials:
        lines.append(
            f"With {', '.join(report.specials)}; those passed over at the start count as shuffled in."
        )
    if report.left_out:
        names = ", ".join(report.left_out)
        lines.append(f"Left out of the season deck: {names}; --specials takes them in, and longer.")
    certificate = report.certificate
    if certificate.difference is not None:
        checked = f"a second computation differs by {certificate.difference:.1e}"
    else:
        checked = "no second computation: it would take more than --memory"
    lines.append(f"Exact but for rounding: {report.values:,} values in {report.time_s:.1f} s; {checked}.")
    lines.append(card_set_note(report.card_set))
    return lines


def _rows(report: RaceReport) -> list[dict[str, object]]:
    return [
        {
            "card_set": report.card_set.sha256,
            "assumed": report.card_set.assumed,
            "a": report.heroes[0],
            "b": report.heroes[1],
            "hp_a": report.hp[0],
            "hp_b": report.hp[1],
            "season": row.season,
            "a_first": row.first,
            "b_first": row.second,
            "mean": row.mean,
        }
        for row in report.by_season
    ]


@named
def _choice_sections(report: ChoiceReport) -> list[Section]:
    heroes = []
    for name, hero, hp, sold in zip("AB", report.heroes, report.hp, report.may_sell, strict=True):
        may = f"; may sell {', '.join(sold)}" if sold else ""
        heroes += wrapped(f"{name}  {hero}, {hp} HP{may}", "   ")
    gained = 100 * (report.win - report.without)
    lines = [
        f"A wins  {chance(report.win)}",
        f"without decisions {chance(report.without)}: they bring A {gained:+.2f} points",
    ]
    rows = [[row.season, _cell(row.first), _cell(row.second), chance(row.mean)] for row in report.by_season]
    return [
        Section("", lines=heroes),
        Section("", lines=lines),
        Section("", ("season", "A first", "B first", "mean"), rows),
    ]


@named
def _choice_notes(report: ChoiceReport) -> list[str]:
    rounds = " or ".join(map(str, dict.fromkeys(report.rounds_left)))
    decline = "Attacks may be declined; sales" if report.may_decline else "Sales"
    lines = [f"{decline} come at any time, in reply to attacks too; {rounds} rounds. Both decide optimally."]
    if report.left_out:
        lines.append(f"Left out of the season deck: {', '.join(report.left_out)}.")
    lines.append(
        f"Exact but for rounding: {report.time_s:.1f} s; without decisions a second computation differs by"
        f" {report.certificate_without:.1e}."
    )
    lines.append(card_set_note(report.card_set))
    return lines


def _choice_rows(report: ChoiceReport) -> list[dict[str, object]]:
    return [
        {
            "card_set": report.card_set.sha256,
            "a": report.heroes[0],
            "b": report.heroes[1],
            "season": row.season,
            "a_first": row.first,
            "b_first": row.second,
            "mean": row.mean,
            "without": report.without,
        }
        for row in report.by_season
    ]


RACE = Shown(_rows, sections, notes)
CHOICES = Shown(_choice_rows, _choice_sections, _choice_notes)

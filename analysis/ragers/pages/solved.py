"""How solved days look: a plain answer, what stands out, how far to trust it; then all numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from statistics import fmean

import msgspec

from analysis.amounts import percent
from analysis.front.page import Cell, Column, Follow, Page, Section, Table, data_of, flat
from analysis.ragers.answers.report import ScenarioReport
from analysis.ragers.answers.solved import SolveAnswer
from analysis.ragers.answers.trust import GRADES, NO_ANSWER
from analysis.ragers.hands import LETTER_OF
from analysis.ragers.pages.close import close_sections
from analysis.ragers.pages.hands import choice, hand_board, hand_sections
from analysis.ragers.wording import findings, trust
from analysis.ragers.wording.names import (
    answers,
    card,
    cheers_name,
    day_name,
    hand,
    listed,
    patron_name,
    told_once,
    trusted,
)
from engine.ragers.rules import TYPES

__all__ = ["page"]

_ENOUGH, _MOST, _SHOWN = 0.90, 3, 0.02
"""The cards that a day opens with are named until so much of it is shown, so many of them, no rarer ones."""
_EXCHANGES = {"none": "no exchange", "redraw": "one unseen exchange", "seen": "one exchange in view"}
_LEGEND = (
    "NashConv: what the two players together could gain by playing otherwise, in GP; the grade is its share"
    " of what a day pays, with ? where it is estimated, not proved. GP: the side's own mean."
)


def page(found: SolveAnswer) -> Page:
    """Return a table for each patron, what to do with a hand, what stands out; then cards by step."""
    once, renamed = told_once(found.scenarios)
    shown = [each for each in once if answers(each)]
    hands = [each for each in found.scenarios if each.hand is not msgspec.UNSET]
    sections: list[Section] = [_openings(some) for some in _by_patron(once)]
    sections += [hand_board(each) for each in hands]
    sections += [*_said("What stands out", findings.sentences(found))]
    sections += [*_said("How far to trust it", trust.sentences(found))]
    brief = len(sections)
    sections += [_numbers(some) for some in _by_patron(shown)]
    for each in hands:
        if each.hand is not msgspec.UNSET and answers(each):
            sections += hand_sections(each.hand)
    if found.close is None:
        sections += [_usage(some) for some in _by_patron(shown)]
    else:
        sections += close_sections(found.scenarios[0], found.close)
    return Page(
        headline=_headline(found.scenarios),
        sections=sections,
        notes=renamed,
        method=_method(found, shown),
        details=brief,
        data=data_of([flat(each, "day", "source", "certificate") for each in found.scenarios]),
        follow=_onward(found.scenarios[0]) if len(found.scenarios) == 1 else [],
        sure=_sure(found.scenarios),
    )


def _onward(day: ScenarioReport) -> list[Follow]:
    held = {} if day.hand is msgspec.UNSET else {"hand": "".join(LETTER_OF[name] for name in day.hand.cards)}
    asked = {**_day(day).given, **held}
    found = [Follow("advise", asked, "Step by step")]
    if day.trust is not msgspec.UNSET and day.trust.grade != GRADES[0][0]:
        found.append(Follow("solve", {**asked, "target": f"{day.nash_conv_gp / 2:.2g}"}, "Twice as exact"))
    return found


def _sure(days: Sequence[ScenarioReport]) -> str:
    """How sure the least sure of some days is; nothing of days of versions that did not tell."""
    told = [(each.nash_conv_gp, each.trust) for each in days if each.trust is not msgspec.UNSET]
    return trust.sure(*max(told, key=lambda each: each[1].share or each[0])) if told else ""


def _by_patron(days: Sequence[ScenarioReport]) -> list[list[ScenarioReport]]:
    return [list(some) for _, some in groupby(days, key=lambda each: each.patron)]


def _opened(day: ScenarioReport) -> str:
    """Return how a day, or the hand asked about, is opened and what it pays, in a sentence."""
    if day.hand is not msgspec.UNSET:
        first = day.hand.mix if day.hand.discard is None else day.hand.discard
        does = "open with" if day.hand.discard is None else "put away"
        return f"{day_name(day)}, with {hand(day.hand.cards)}: {does} {choice(first)}."
    likeliest = sorted(day.opening_mix.items(), key=lambda each: -each[1])
    likely = [f"{card(name)} {100 * share:.0f} %" for name, share in likeliest if share >= 0.05]
    return (
        f"{day_name(day)}: the {day.player.capitalize()} open with {listed(likely)}, and score"
        f" {day.mean_gp[0]:.1f} GP."
    )


def _headline(days: Sequence[ScenarioReport]) -> str:
    shown = [each for each in days if answers(each) and not math.isnan(each.mean_gp[0])]
    if not shown:
        return f"No answer yet to {day_name(days[0]) if len(days) == 1 else f'{len(days)} days'}."
    if len(days) == 1:
        return _opened(days[0])
    patrons = list(dict.fromkeys(map(patron_name, days)))
    who = patrons[0] if len(patrons) == 1 else f"{len(patrons)} patrons"
    drawn = percent(fmean(each.outcome.draw for each in shown))
    pays = fmean(each.mean_gp[0] for each in shown)
    sure = ", ".join(f"{count} {grade}" for grade, count in _grades(days).items())
    return (
        f"{who}, {len(days)} days, {days[0].player.capitalize()}: a day pays {pays:.1f} GP; {drawn} % are"
        f" drawn. How sure: {sure}."
    )


def _grades(days: Sequence[ScenarioReport]) -> dict[str, int]:
    """Return how many days are how sure, the surest first."""
    grades = [trusted(each).grade for each in days]
    return {grade: count for grade in [*dict(GRADES), NO_ANSWER] if (count := grades.count(grade))}


def _openings(days: Sequence[ScenarioReport]) -> Table:
    columns = [Column("cheers", "crowd wants"), Column("opens", "open with, % of days")]
    columns += [Column("gp", "GP", "number", 1), Column("draw", "draw", "share", 0)]
    columns.append(Column("exact", "exact to"))
    rows: list[list[Cell]] = []
    for each in days:
        how_far = trusted(each)
        if not how_far.answers:
            off = trust.off_by(each.nash_conv_gp, how_far)
            rows.append([cheers_name(each), f"no answer yet: {off}", None, None, "-"])
            continue
        exact = f"{trust.rounded_up(each.nash_conv_gp)} {trust.graded(how_far, certified=each.certified)}"
        figures = [_known(each.mean_gp[0]), _known(each.outcome.draw)]
        rows.append([cheers_name(each), _likely(each.opening_mix), *figures, exact])
    # One day alone is shown more closely already.
    follow: list[Follow | None] = [_day(each) for each in days] if len(days) > 1 else []
    return Table(columns, rows, _title(days[0]), follow=follow)


def _title(day: ScenarioReport) -> str:
    told = [day.player.capitalize(), _EXCHANGES[day.preparation]]
    if day.day is not msgspec.UNSET:
        forbids = listed([card(each) for each in day.day.forbidden]) or "nothing"
        told.insert(0, f"rows of {day.day.row_length}, {forbids} forbidden")
    return f"{patron_name(day)}: {' · '.join(told)}"


def _day(each: ScenarioReport) -> Follow:
    day = {"patron": each.patron, "cheers": each.cheers, "preparation": each.preparation}
    return Follow("solve", {**day, "side": each.player})


def _likely(mix: Mapping[str, float]) -> str:
    """Return the cards that open most."""
    pieces: list[str] = []
    told = 0.0
    for name, share in sorted(mix.items(), key=lambda each: -each[1])[:_MOST]:
        if told >= _ENOUGH or share < _SHOWN:
            break
        pieces.append(f"{card(name)} {round(100 * share)}")
        told += share
    return ", ".join(pieces)


def _said(title: str, sentences: Sequence[str]) -> list[Table]:
    rows: list[list[Cell]] = [[each] for each in sentences]
    return [Table([Column("told", title)], rows)] if rows else []


# ---- details -----------------------------------------------------------------------------------------------


def _numbers(days: Sequence[ScenarioReport]) -> Table:
    columns = [Column("cheers", "crowd wants"), *(Column(name, card(name)[:3], "share", 0) for name in TYPES)]
    columns += [Column("value", "value", "signed", 2), Column("win", "won", "share", 0)]
    columns += [Column("draw", "drawn", "share", 0), Column("two_losers", "both lose", "share", 0)]
    columns += [Column("nash_conv", "NashConv"), Column("grade", "grade")]
    rows: list[list[Cell]] = []
    for each in days:
        ends = [each.outcome.win, each.outcome.draw, each.outcome.two_losers]
        most = trust.rounded_up(each.nash_conv_gp)
        grade = trust.graded(trusted(each), certified=each.certified)
        mix = [each.opening_mix[name] for name in TYPES]
        rows.append([cheers_name(each), *mix, each.value_gp, *map(_known, ends), most, grade])
    return Table(columns, rows, f"{patron_name(days[0])}: openings")


def _usage(days: Sequence[ScenarioReport]) -> Table:
    columns = [Column("cheers", "crowd wants"), Column("step", "step", "count")]
    columns += [Column(name, card(name)[:3], "share", 0) for name in TYPES]
    rows: list[list[Cell]] = [
        [cheers_name(each), step, *map(_known, usage)]
        for each in days
        for step, usage in enumerate(each.usage, 1)
    ]
    return Table(columns, rows, f"{patron_name(days[0])}: cards placed per 100 days, by step")


def _method(found: SolveAnswer, shown: Sequence[ScenarioReport]) -> list[str]:
    """Return what the numbers are, how they were proved, and where they come from."""
    lines = [_LEGEND] if shown else []
    # Of older answers to days with equal decks: by symmetry, and of no use.
    certificates = _alike(shown, lambda each: each.certificate.replace(" (mean off by 0)", ""))
    lines += [f"NashConv{which and f' of {which}'} by: {text}." for text, which in certificates]
    # Older answers do not say what they refined, which was nothing.
    merged = [each for each in shown if each.method == "merged"]
    for share in dict.fromkeys(each.told_apart or 0.0 for each in merged):
        some = [each for each in merged if (each.told_apart or 0.0) == share]
        lines.append(_merged(share, _days(found.scenarios, some)))
    sources = _alike(found.scenarios, lambda each: _source(found.scenarios, each))
    lines += [f"Source of {which or 'all rows'}: {text}." for text, which in sources]
    return lines


def _alike(days: Sequence[ScenarioReport], of: Callable[[ScenarioReport], str]) -> list[tuple[str, str]]:
    """Return what is said of days, and of which days each is said; nothing where it is said of all."""
    found: dict[str, list[ScenarioReport]] = {}
    for each in days:
        found.setdefault(of(each), []).append(each)
    return [(text, "" if len(found) == 1 else _days(days, some)) for text, some in found.items()]


def _source(days: Sequence[ScenarioReport], each: ScenarioReport) -> str:
    if each.relabelled_from is None:
        return each.source
    named = {day.cheers: cheers_name(day) for day in days}
    other = named.get(each.relabelled_from, each.relabelled_from)
    return f"{each.source}, as {other} with the attacks renamed"


def _days(days: Sequence[ScenarioReport], some: Sequence[ScenarioReport]) -> str:
    """Return some days by name, under several patrons each with its patron."""
    if len({each.patron for each in days}) == 1:
        return ", ".join(dict.fromkeys(map(cheers_name, some)))
    return "; ".join(
        f"{patron}: {', '.join(dict.fromkeys(map(cheers_name, under)))}"
        for patron, under in groupby(some, key=patron_name)
    )


def _merged(share: float, which: str) -> str:
    """Return what the merged strategies of some days do not look at."""
    line = f"Merged ({which}): ways of play that lead to the same rows share one strategy"
    if share:
        line += (
            f"; where {100 * share:.0f} % of play goes, only if the same cards are left, too, or not at all"
        )
    return f"{line}. More memory (--memory) refines more histories."


def _known(figure: float) -> float | None:
    return None if math.isnan(figure) else figure

"""The first screen of `ragers-solve`: a plain answer, what stands out, and how far to trust it.

Lines for people at 80 columns, as pairs of text and style: one description for terminals and files.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from analysis.ragers.answers.report import HandReport, ScenarioReport, SolveReport
from analysis.ragers.wording import findings, trust
from analysis.ragers.wording.names import (
    BOX,
    answers,
    card,
    cheers_name,
    hand,
    listed,
    patron_name,
    same_days,
    trusted,
)
from analysis.ragers.wording.trust import graded, off_by, rounded_up

WIDTH = 80
#: Pieces of a line with their rich styles, empty for plain.
Line = list[tuple[str, str]]

#: What is left of a mix once so much of it is shown, or so many cards, is left out.
_ENOUGH, _MOST = 0.90, 3
_LEAST = 0.02
#: Exchanges made more seldom with a hand are not followed, and openings after it more seldom not named.
_FOLLOWED, _NOTABLE = 0.10, 0.05
_BARS = " ▁▂▃▄▅▆▇█"
_PREPARATIONS = {"none": "no exchange", "redraw": "one unseen exchange", "seen": "one exchange in view"}
_STYLES = {
    "exact": "bold green",
    "good": "green",
    "fair": "yellow",
    "rough": "red",
    "no answer yet": "bold red",
}
_NAME, _MIX = 19, 35


def lines(report: SolveReport, *, details: bool, bars: bool) -> Iterator[Line]:
    """Return the lines of the screen, without the details.

    Parameters
    ----------
    details
        Whether the details follow, so that they need not be pointed to.
    bars
        Whether a bar stands before each card of a mix.
    """
    if report.rules.name != BOX:
        for text in textwrap.wrap(report.rules.name, WIDTH):
            yield [(text, "bold")]
    for _, group in groupby(report.scenarios, key=lambda each: each.patron):
        scenarios = list(group)
        yield _heading(scenarios[0])
        yield from _rows(scenarios, bars=bars)
        for scenario in scenarios:
            if scenario.hand is not msgspec.UNSET:
                yield []
                yield from hand_lines(scenario.hand, scenario)
        yield []
    standing_out = findings.sentences(report)
    if standing_out:
        yield [("What stands out", "bold")]
        for text in standing_out:
            yield from _wrapped(text)
    if report.scenarios:
        yield [("How far to trust it", "bold")]
        for text in trust.sentences(report):
            yield from _wrapped(text)
        if not details:
            yield [("  Cards by step, proofs and sources: --details", "dim")]


def _heading(scenario: ScenarioReport) -> Line:
    parts = [scenario.player.capitalize(), _PREPARATIONS[scenario.preparation]]
    if scenario.day is not msgspec.UNSET:
        day = scenario.day
        forbids = listed([card(each) for each in day.forbidden]) or "nothing"
        parts.insert(0, f"rows of {day.row_length}, {forbids} forbidden")
    return [(patron_name(scenario).upper(), "bold"), (f"  {' · '.join(parts)}", "")]


def _rows(scenarios: Sequence[ScenarioReport], *, bars: bool) -> Iterator[Line]:
    if any(map(answers, scenarios)):
        head = f"{'crowd wants':{_NAME}} {'open with, % of days':{_MIX}} {'GP':>4} {'draw':>5}  exact to"
        yield [(head, "dim")]
    for alike in same_days(scenarios):
        yield from _row(alike[0], bars=bars)
        if len(alike) > 1:
            names = ", ".join(map(cheers_name, alike[1:]))
            yield [(f"{names}: the same day with the attacks renamed", "dim")]


def _row(scenario: ScenarioReport, *, bars: bool) -> Iterator[Line]:
    name = _shortened(cheers_name(scenario), _NAME)
    how_far = trusted(scenario)
    if not how_far.answers:
        yield [
            (f"{name:{_NAME}} ", "cyan"),
            ("no answer yet", _STYLES[how_far.grade]),
            (f": {off_by(scenario.nash_conv_gp, how_far)}", ""),
        ]
        return
    yield [
        (f"{name:{_NAME}} ", "cyan"),
        *_mix(scenario.opening_mix, bars=bars),
        (f" {scenario.mean_gp[0]:4.1f} {whole_percent(scenario.outcome.draw):>3} %  ", ""),
        (f"{rounded_up(scenario.nash_conv_gp)} ", ""),
        (graded(how_far, certified=scenario.certified), _STYLES[how_far.grade]),
    ]


def _mix(mix: dict[str, float], *, bars: bool) -> Line:
    """Return the cards that open most, each with a bar as high as its share."""
    pieces: Line = []
    shown = 0.0
    for name, share in sorted(mix.items(), key=lambda each: -each[1])[:_MOST]:
        if shown >= _ENOUGH or share < _LEAST:
            break
        if pieces:
            pieces.append((" " if bars else "  ", ""))
        if bars:
            pieces.append((_BARS[max(1, round(share * (len(_BARS) - 1)))], "yellow"))
        pieces.append((f"{card(name)} {round(100 * share)}", ""))
        shown += share
    width = sum(len(text) for text, _ in pieces)
    return [*pieces, (" " * max(0, _MIX - width), "")]


def whole_percent(share: float) -> str:
    """Return a share in per cent; what is not known is a dash."""
    if math.isnan(share):
        return "–"
    rounded = round(100 * share)
    return "<1" if rounded == 0 and share > 0.0005 else str(rounded)


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"


def hand_lines(asked: HandReport, scenario: ScenarioReport) -> Iterator[Line]:
    """Return what to do with a hand, in two steps: what to put away, and what to open with then."""
    yield [(f"{hand(asked.cards)} · crowd wants {cheers_name(scenario)}", "bold")]
    if not answers(scenario):
        yield [("  No answer yet.", "")]
        return
    if asked.discard is None:
        yield [(f"  Open with {_choice(asked.mix)}.", "")]
        return
    yield [(f"  1 Put away: {_choice(asked.discard)}.", "")]
    if asked.then:
        yield [("  2 Then open with, holding what you then hold:", "")]
    by_choice: dict[tuple[str | None, str], list[str]] = {}
    for each in asked.then:
        if asked.discard[each.put_away or "keep"] < _FOLLOWED:
            continue
        by_choice.setdefault((each.put_away, _choice(each.mix, _NOTABLE)), []).append(card(each.drawn or ""))
    exchanges = {away for away, _ in by_choice}
    for (away, choice), drawn in by_choice.items():
        others = sum(put_away == away for put_away, _ in by_choice) > 1
        when = "all kept" if away is None else f"drawing {listed(drawn, 'or') if others else 'any card'}"
        if away is not None and len(exchanges) > 1:
            when = f"{card(away)} away, {when}"
        yield from _wrapped(f"  {when}: {choice}")


def _choice(mix: dict[str, float], least: float = 0.005) -> str:
    """Return a mix in words; one action alone needs no percentage."""
    likely = sorted(((name, p) for name, p in mix.items() if p >= least), key=lambda each: -each[1])
    if len(likely) == 1:
        return _action(likely[0][0])
    return ", ".join(f"{_action(name)} {whole_percent(p)} %" for name, p in likely)


def _action(name: str) -> str:
    return {"keep": "nothing, keep all", "nothing": "nothing"}.get(name) or card(name)


def _wrapped(text: str) -> Iterator[Line]:
    for line in textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    "):
        yield [(line, "")]

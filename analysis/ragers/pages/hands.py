"""What to do with a hand, as it is shown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

import msgspec

from analysis.amounts import chance, percent
from analysis.front.page import Board, Cell, Column, Mix, Section, Table
from analysis.front.render.text import WIDTH
from analysis.ragers.answers.report import HandReport, ScenarioReport
from analysis.ragers.wording.names import answers, card, cheers_name, hand, listed
from engine.ragers.rules import TYPES

_LEAST = 0.0005
"""Rarer actions are left out of a mix."""
_FOLLOWED, _NOTABLE = 0.10, 0.05
"""Exchanges made more seldom with a hand are not followed, and openings after it more seldom not named."""
_ACTIONS = {"keep": "keep all", "nothing": "nothing"}


def hand_board(day: ScenarioReport) -> Board:
    assert day.hand is not msgspec.UNSET
    asked = day.hand
    title = f"{hand(asked.cards)} · crowd wants {cheers_name(day)}"
    if not answers(day):
        return Board(["No answer yet."], title)
    if asked.discard is None:
        return Board([f"Open with {choice(asked.mix)}."], title)
    lines = [f"1 Put away: {choice(asked.discard)}."]
    if asked.then:
        lines += ["2 Then open with, holding what you then hold:", *_after_exchange(asked)]
    return Board(lines, title)


def _after_exchange(asked: HandReport) -> Iterator[str]:
    """Return what to open with after the exchanges that are likely, a line for each choice."""
    assert asked.discard is not None
    by_choice: dict[tuple[str | None, str], list[str]] = {}
    for each in asked.then:
        if asked.discard[each.put_away or "keep"] < _FOLLOWED:
            continue
        by_choice.setdefault((each.put_away, choice(each.mix, _NOTABLE)), []).append(card(each.drawn or ""))
    exchanges = {away for away, _ in by_choice}
    for (away, opens), drawn in by_choice.items():
        others = sum(put_away == away for put_away, _ in by_choice) > 1
        when = "all kept" if away is None else f"drawing {listed(drawn, 'or') if others else 'any card'}"
        if away is not None and len(exchanges) > 1:
            when = f"{card(away)} away, {when}"
        yield from textwrap.wrap(f"{when}: {opens}", WIDTH, initial_indent="  ", subsequent_indent="    ")


def choice(mix: Mapping[str, float], least: float = 0.005) -> str:
    """Return a mix in words; one action alone needs no percentage."""
    likely = sorted(
        ((name, share) for name, share in mix.items() if share >= least), key=lambda each: -each[1]
    )
    names = {"keep": "nothing, keep all", "nothing": "nothing"}
    words = [(names.get(name) or card(name), share) for name, share in likely]
    return (
        words[0][0] if len(words) == 1 else ", ".join(f"{name} {percent(share)} %" for name, share in words)
    )


def hand_sections(asked: HandReport) -> list[Section]:
    """Return what to do with a hand: put away, open with, and what each first card is worth."""
    best = max(asked.ev_gp.values(), default=None)
    columns = [Column("action", "open with"), Column("mix", "mix", "share")]
    columns += [Column("ev_gp", "then worth, GP", "signed"), Column("cost_gp", "costs, GP", "number", 3)]
    rows: list[list[Cell]] = []
    for name, share in sorted(asked.mix.items(), key=lambda each: -each[1]):
        worth = asked.ev_gp.get(name)
        rows.append([_action(name), share, worth, None if worth is None or best is None else best - worth])
    sections: list[Section] = [] if asked.discard is None else [Mix("Put away", parts(asked.discard))]
    sections.append(Mix(f"Open with, holding {hand(asked.cards)}", parts(asked.mix)))
    held = f"dealt {chance(asked.dealt)}, held at the first placement {chance(asked.reach)}"
    sections.append(Table(columns, rows, f"First cards of this hand: {held}"))
    if asked.then:
        heads = [Column("away", "put away"), Column("drawn", "drawn"), Column("chance", "chance", "share")]
        heads += [Column(name, card(name), "share", 0) for name in TYPES]
        after: list[list[Cell]] = [
            [
                card(each.put_away or "nothing"),
                card(each.drawn or "nothing"),
                each.probability,
                *(each.mix.get(name, 0.0) for name in TYPES),
            ]
            for each in asked.then
        ]
        sections.append(Table(heads, after, "Open with after the exchange"))
    return sections


def _action(name: str) -> str:
    return _ACTIONS.get(name) or card(name)


def parts(mix: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return the actions of a mix by name, the likeliest first."""
    likely = sorted(mix.items(), key=lambda each: -each[1])
    return [(_action(name), share) for name, share in likely if share >= _LEAST]

"""``explain``: what a patron, a cheers card or a card does, in plain sentences, from stored answers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, zip_longest
from statistics import fmean
from typing import Annotated

import msgspec

from analysis.amounts import percent
from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles
from analysis.front.page import Cell, Column, Page, Section, Table, data_of
from analysis.front.parameters import param
from analysis.front.question import Amount, Question, Running
from analysis.ragers.answers.findings import LATE_PLACED
from analysis.ragers.bundles import Patrons, Preparation, Seat
from analysis.ragers.wording import findings, trust
from analysis.ragers.wording.names import card, day_name, listed
from analysis.ragers.workbench.explaining import (
    TOLD_PLACED,
    TOLD_SHARE,
    ExplainAnswer,
    Explained,
    Kind,
    Means,
    explain,
)
from engine.ragers.rules import PLAYERS

_MOST_TOLD = 4


class Explain(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be explained."""

    kind: Annotated[Kind, param("Kind of what is explained.", argument=True, metavar="KIND")] = "patron"
    name: Annotated[
        tuple[str, ...],
        param("Names of what is explained; none for all of its kind.", argument=True, metavar="NAME"),
    ] = ()
    patron: Patrons = ()
    preparation: Preparation = "redraw"
    side: Seat = "accusers"
    rules: RulesFiles = RulesFiles()


def answer(asked: Explain, running: Running) -> ExplainAnswer:
    """Read what is stored; nothing is solved."""
    from analysis.ragers.game import GAME

    if asked.kind == "patron" and asked.patron:
        raise RequestError(
            "is for cheers cards and cards; name several patrons one after another", "--patron"
        )
    return explain(
        GAME.rules_of(asked.rules),
        asked.kind,
        asked.name,
        asked.patron,
        asked.preparation,
        PLAYERS.index(asked.side),
    )


def page(found: ExplainAnswer) -> Page:
    """Return a table of sentences for each subject."""
    sections: list[Section] = []
    names = {each.cheers: each.day.cheers for each in found.trusts}
    for (name, rule), group in groupby(found.explained, lambda each: (each.name, each.rule)):
        rows: list[list[Cell]] = []
        for each in group:
            texts = [*_sentences(found.kind, each), *_findings(found, each, names)]
            # Of a patron a sentence a row; else all sentences beside the patron that they are about.
            rows += (
                [[text] for text in texts] if found.kind == "patron" else [[each.day.patron, " ".join(texts)]]
            )
        heads = ["what it does"] if found.kind == "patron" else ["patron", "what it does"]
        sections.append(Table([Column(head, head) for head in heads], rows, f"{name}: {rule}"))
    told = list(dict.fromkeys(each.name for each in found.explained))
    days = sum(each.trust.answers for each in found.trusts)
    return Page(
        headline=f"What {listed(told)} {'does' if len(told) == 1 else 'do'}, from {days} stored days.",
        sections=sections,
        notes=_notes(found),
        data=_data(found),
    )


def _notes(found: ExplainAnswer) -> list[str]:
    lines = []
    if found.kind != "card":
        what = "patrons, with the same cheers cards" if found.kind == "patron" else "cheers cards"
        lines.append(f"In brackets: against the mean of the other {what}.")
    told = [each for each in found.trusts if each.trust.answers]
    lines += trust.grades((day_name(each), each.nash_conv_gp, each.trust) for each in told)
    left = [day_name(each) for each in found.trusts if not each.trust.answers]
    if left:
        lines.append(f"Not counted, since there is no answer yet: {listed(left)}.")
    if found.missing:
        more = len(found.missing)
        lines.append(f"Not counted, since they are not stored: {more} more days; ragers balance names them.")
    return [*lines, "Numbers of the plans found. What holds for certain: ragers balance, ragers diff."]


def _data(found: ExplainAnswer) -> Table:
    """A row per subject and patron, for days with it and, where known, without it."""
    rows: list[dict[str, Cell]] = []
    for each in found.explained:
        for which, means in (("here", each.here), ("others", each.others)):
            if means is not None:
                row: dict[str, Cell] = {"subject": each.subject, "patron": each.patron, "which": which}
                row |= {"days": means.days, "mean_gp": means.mean_gp, "draw": means.draw}
                row |= {"steps": means.steps, "met": means.met}
                row |= {f"opening_{name}": share for name, share in means.opening.items()}
                rows.append(row | {f"placed_{name}": number for name, number in means.placed.items()})
    return data_of(rows)


def _sentences(kind: Kind, each: Explained) -> list[str]:
    if kind == "card":
        return [_of_card(each)]
    here, others = each.here, each.others
    pays = f"A day pays {here.mean_gp:.1f} GP"
    drawn = f"{percent(here.draw)} % are drawn"
    if others is not None:
        pays += f" ({here.mean_gp - others.mean_gp:+.1f})"
        drawn += f" ({100 * (here.draw - others.draw):+.0f})"
    lasts = ""
    if here.steps is not None:
        lasts = f" and lasts {here.steps:.1f} steps"
        lasts += "" if others is None or others.steps is None else f" ({here.steps - others.steps:+.1f})"
    met = [f"met in {percent(here.met)} % of days."] if kind == "cheers" and here.met is not None else []
    changes = [] if others is None else _changes(here, others, each.day.forbidden)
    return [*met, f"{pays}{lasts}; {drawn}.", *changes]


def _changes(here: Means, others: Means, forbidden: Sequence[str]) -> list[str]:
    """Return which cards open, and are placed, more often or more seldom."""

    def told(now: dict[str, float], before: dict[str, float], least: float) -> list[tuple[str, float]]:
        shifts = [(name, now[name] - before[name]) for name in now if name not in forbidden]
        large = [each for each in shifts if abs(each[1]) >= least]
        return sorted(large, key=lambda each: -abs(each[1]))[:_MOST_TOLD]

    opens = [
        f"{card(name)} {100 * here.opening[name]:.0f} % ({100 * shift:+.0f})"
        for name, shift in told(here.opening, others.opening, TOLD_SHARE)
    ]
    placed = [f"{card(name)} {shift:+.1f}" for name, shift in told(here.placed, others.placed, TOLD_PLACED)]
    texts = [f"Opens otherwise with {listed(opens)}."] if opens else []
    return texts + ([f"Cards placed in a day: {listed(placed)}."] if placed else [])


def _of_card(each: Explained) -> str:
    name, days, here = each.subject, each.card, each.here
    if all(day.verdict == "forbidden" for day in days):
        return "forbidden by the patron."
    shares = [day.opening for day in days]
    text = f"opens {percent(here.opening[name])} % of days"
    if round(100 * min(shares)) != round(100 * max(shares)):
        text += f" ({percent(min(shares))} to {percent(max(shares))} by cheers card)"
    text += f", {here.placed[name]:.1f} placed in a day"
    steps = [fmean(step) for step in zip_longest(*(day.placed for day in days), fillvalue=0.0)]
    least = max(LATE_PLACED, 0.67 * max(steps))
    later = [str(step) for step, placed in enumerate(steps, 1) if step > 1 and placed >= least]
    if later and steps[0] < max(steps):
        text += f", most in {'step' if len(later) == 1 else 'steps'} {listed(later)}"
    if here.card_gp is not None:
        text += f"; its cards bring {here.card_gp[name]:.1f} of {here.mean_gp:.1f} GP"
    return f"{text}."


def _findings(found: ExplainAnswer, each: Explained, names: dict[str, str]) -> list[str]:
    """Return what stands out about a subject under a patron, but for what its numbers say already."""
    some = [one for one in found.findings if one.patron == each.patron]
    if found.kind == "card":
        some = [one for one in some if one.card == each.subject and one.kind in ("must", "dead")]
    elif found.kind == "cheers":
        some = [one for one in some if each.subject in one.cheers and one.kind == "never met"]
    return [
        findings.in_words(kind, [*alike], each.day.patron, names)
        for kind, alike in groupby(some, key=lambda one: one.kind)
    ]


def amounts(found: ExplainAnswer) -> list[Amount]:
    """Return the figures of the days with each subject."""
    found_amounts: list[Amount] = []
    for each in found.explained:
        key, head = f"{each.subject}/{each.patron}", f"{each.name}, {each.day.patron}"
        found_amounts.append(Amount(f"{key}/mean_gp", f"{head}: GP of a day", each.here.mean_gp))
        found_amounts.append(Amount(f"{key}/draw", f"{head}: drawn", each.here.draw, "share"))
    return found_amounts


QUESTION = Question(
    name="explain",
    about="What a patron, a cheers card or a card does to the game, against what it could be instead."
    " Nothing is solved: stored answers are put in plain sentences, and days without one do not count.",
    asked=Explain,
    answers=ExplainAnswer,
    function=answer,
    page=page,
    exactness="bounded",
    amounts=amounts,
    kept=False,
    examples=(
        "explain patron Solennos",
        "explain card Veteran --patron Arianna",
        "explain cheers two-bashers basher-deadeye",
    ),
)

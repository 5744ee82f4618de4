"""What a patron, a cheers card or a card does, in plain sentences."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import groupby, zip_longest
from statistics import fmean

from analysis.amounts import percent
from analysis.ragers.answers.findings import LATE_PLACED
from analysis.ragers.workbench.explaining import (
    TOLD_PLACED,
    TOLD_SHARE,
    Explained,
    ExplainReport,
    Means,
)
from cli.grid import WIDTH, Section
from cli.ragers.views import findings, trust
from cli.ragers.views.names import card, day_name, hand, listed, under_rules
from engine.ragers.rules import CheersRule, Rules

_MOST_TOLD = 4


def sections(report: ExplainReport, rules: Rules) -> list[Section]:
    """Return a heading for each subject, with sentences under each patron."""
    parts = []
    names = {each.id: each.name for each in rules.cheers}
    for (subject, name), group in groupby(report.explained, lambda each: (each.subject, each.name)):
        lines: list[str] = []
        for each in group:
            texts = [*_sentences(report.kind, each), *_findings(report, each, names)]
            head = "" if report.kind == "patron" else f"{each.day.patron}: "
            if report.kind == "patron":
                lines += [line for text in texts for line in _wrapped(text)]
            else:
                lines += _wrapped(head + " ".join(texts))
        parts.append(Section(f"{name.upper()}  {_rule(report.kind, subject, rules)}", lines=lines))
    return under_rules(report.rules.name, parts)


def notes(report: ExplainReport) -> list[str]:
    """Return how far to trust it, and what is missing."""
    lines = []
    if report.kind != "card":
        what = "patrons, with the same cheers cards" if report.kind == "patron" else "cheers cards"
        lines.append(f"In brackets: against the mean of the other {what}.")
    told = [each for each in report.trusts if each.trust.answers]
    lines += trust.grades((day_name(each), each.nash_conv_gp, each.trust) for each in told)
    left = [day_name(each) for each in report.trusts if not each.trust.answers]
    if left:
        lines.append(f"Not counted, since there is no answer yet: {listed(left)}.")
    if report.missing:
        lines.append(
            f"Not counted, since they are not stored: {len(report.missing)} more days; ragers balance names"
            " them."
        )
    lines.append("Numbers of the plans found. What holds for certain: ragers balance, ragers diff.")
    return lines


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")


def _rule(kind: str, subject: str, rules: Rules) -> str:
    """Return what the rules say of a subject."""
    if kind == "patron":
        patron = rules.patron(subject)
        forbids = listed([card(each) for each in patron.forbidden]) or "nothing"
        return f"rows of {rules.row_length(patron)}, {forbids} forbidden"
    if kind == "cheers":
        return _crowd(rules.cheers_card(subject))
    one = next(each for each in rules.cards if each.id == subject)
    decks = f"{one.copies[0]}" if len(set(one.copies)) == 1 else f"{one.copies[0]} and {one.copies[1]}"
    beats = f", beats {listed([card(each) for each in one.beats])}" if one.beats else ""
    return f"{one.kind}, {one.gp} GP, {decks} in each deck{beats}"


def _crowd(cheers: CheersRule) -> str:
    text = f"{cheers.gp} GP for {hand(cheers.required)}"
    return text + (
        f" without {listed([card(each) for each in cheers.forbidden])}" if cheers.forbidden else ""
    )


def _sentences(kind: str, each: Explained) -> list[str]:
    here, others = each.here, each.others
    if kind == "card":
        return _of_card(each)
    texts = []
    pays = f"A day pays {here.mean_gp:.1f} GP"
    drawn = f"{percent(here.draw)} % are drawn"
    if others is not None:
        pays += f" ({here.mean_gp - others.mean_gp:+.1f})"
        drawn += f" ({100 * (here.draw - others.draw):+.0f})"
    lasts = ""
    if here.steps is not None:
        lasts = f" and lasts {here.steps:.1f} steps"
        lasts += "" if others is None or others.steps is None else f" ({here.steps - others.steps:+.1f})"
    if kind == "cheers" and here.met is not None:
        texts.append(f"met in {percent(here.met)} % of days.")
    texts.append(f"{pays}{lasts}; {drawn}.")
    if others is not None:
        texts += _changes(here, others, each.day.forbidden)
    return texts


def _changes(here: Means, others: Means, forbidden: Sequence[str]) -> list[str]:
    """Return which cards open, and are placed, more often or more seldom."""
    texts = []
    shifts = {
        name: share - others.opening[name] for name, share in here.opening.items() if name not in forbidden
    }
    told = sorted((name for name in shifts if abs(shifts[name]) >= TOLD_SHARE), key=lambda n: -abs(shifts[n]))
    if told:
        parts = [
            f"{card(name)} {100 * here.opening[name]:.0f} % ({100 * shifts[name]:+.0f})" for name in told
        ]
        texts.append(f"Opens otherwise with {listed(parts[:_MOST_TOLD])}.")
    placed = {
        name: number - others.placed[name] for name, number in here.placed.items() if name not in forbidden
    }
    more = sorted(
        (name for name in placed if abs(placed[name]) >= TOLD_PLACED), key=lambda n: -abs(placed[n])
    )
    if more:
        parts = [f"{card(name)} {placed[name]:+.1f}" for name in more]
        texts.append(f"Cards placed in a day: {listed(parts[:_MOST_TOLD])}.")
    return texts


def _of_card(each: Explained) -> list[str]:
    name, days = each.subject, each.card
    if all(day.verdict == "forbidden" for day in days):
        return ["forbidden by the patron."]
    here = each.here
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
    return [f"{text}."]


def _findings(report: ExplainReport, each: Explained, names: dict[str, str]) -> list[str]:
    """Return what stands out about a subject under a patron, but for what its numbers say already."""
    found = [one for one in report.findings if one.patron == each.patron]
    if report.kind == "card":
        found = [one for one in found if one.card == each.subject and one.kind in ("must", "dead")]
    elif report.kind == "cheers":
        found = [one for one in found if each.subject in one.cheers and one.kind == "never met"]
    return [
        findings.in_words(kind, [*some], each.day.patron, names)
        for kind, some in groupby(found, key=lambda one: one.kind)
    ]

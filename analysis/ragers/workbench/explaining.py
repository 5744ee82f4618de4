"""What a patron, a cheers card or a card does to the game, read off stored answers.

Each is set against what it could be instead: a patron against the other patrons with the same cheers cards, a
cheers card against the others under the same patron, a card against nothing. Numbers are means over days, of
the plans found; other equilibria may have others.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Literal

import msgspec

from analysis.errors import RequestError
from analysis.ragers.answers.answer import Answer
from analysis.ragers.answers.asking import Question, stored_answer
from analysis.ragers.answers.findings import Finding, Verdict, card_verdict, findings
from analysis.ragers.answers.report import DayReport, RulesReport, day_report, rules_report
from analysis.ragers.answers.solving import Effort
from analysis.ragers.answers.trust import Trust, trust_in
from analysis.ragers.scenarios import Scenario, scenarios
from analysis.version import __version__
from engine.ragers.rules import PLAYERS, TYPES, Rules
from engine.rulefiles import UnknownNameError, find_name

Kind = Literal["patron", "cheers", "card"]
KINDS: tuple[Kind, ...] = ("patron", "cheers", "card")

#: Changes of an opening share, and of cards placed in a day, that are worth a word.
TOLD_SHARE, TOLD_PLACED = 0.03, 0.10


class Means(msgspec.Struct, frozen=True, kw_only=True):
    """Means over days, as the player sees them.

    Attributes
    ----------
    days
        How many.
    mean_gp, draw
        GP of a day, and share of days drawn.
    steps
        Steps of a day; None where none were sampled.
    met
        Share of days on which a player alone, or both, meet the cheers card; None likewise.
    opening, placed
        By type: share of days opened with it, and cards placed in a day.
    card_gp
        By type: GP that its cards bring in a day; None likewise.
    """

    days: int
    mean_gp: float
    draw: float
    steps: float | None
    met: float | None
    opening: dict[str, float]
    placed: dict[str, float]
    card_gp: dict[str, float] | None


class CardDay(msgspec.Struct, frozen=True, kw_only=True):
    """What a card is on one day: its opening share, cards placed by step, and a word for it."""

    cheers: str
    opening: float
    placed: list[float]
    verdict: Verdict


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """A subject under one patron.

    Attributes
    ----------
    here, others
        With the subject, and without it; `others` is None for a card, and where no other day is stored.
    card
        Of a card: each day.
    """

    subject: str
    name: str
    patron: str
    day: DayReport
    here: Means
    others: Means | None
    card: list[CardDay] = []


class DayTrust(msgspec.Struct, frozen=True, kw_only=True):
    """How far a day that counts may be trusted."""

    patron: str
    cheers: str
    nash_conv_gp: float
    trust: Trust
    day: DayReport


class ExplainReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything `ragers explain` says.

    Attributes
    ----------
    findings
        What stands out about the subjects.
    trusts
        Days that were asked for and are stored; those without an answer yet count nowhere.
    missing
        Days asked for that are not stored: patron and cheers card.
    """

    schema: int = 1
    game: str = "ragers"
    version: str = __version__
    rules: RulesReport
    kind: Kind
    player: str
    explained: list[Explained]
    findings: list[Finding]
    trusts: list[DayTrust]
    missing: list[tuple[str, str]]


_Day = tuple[Scenario, Answer]


def explain(
    rules: Rules, kind: Kind, names: Sequence[str], patrons: Sequence[str], preparation: str, player: int
) -> ExplainReport:
    """Return what subjects do to the game; nothing is solved, and only reports of answers are read.

    Parameters
    ----------
    kind, names
        Of the subjects.
    patrons
        Under which patrons; none for all. Not for subjects that are patrons.

    Raises
    ------
    RequestError
        For an unknown name, or where nothing is stored.
    """
    todo = scenarios(rules, [] if kind == "patron" else patrons, [], preparation)
    subjects = _subjects(rules, kind, names)
    question = Question(player, None, Effort(iterations=1), False)
    found = {each: stored_answer(each, question) for each in todo}
    stored = [(each, answered.answer) for each, answered in found.items() if answered is not None]
    days = [day for day in stored if trust_in(day[1]).answers and day[1].is_whole]
    explained = [
        each
        for subject, name in subjects.items()
        for patron in dict.fromkeys(scenario.patron.id for scenario in todo)
        if (each := _explained(kind, (subject, name), patron, days, player)) is not None
    ]
    asked = [each for each in todo if _is_asked(kind, subjects, each)]
    if not explained:
        raise RequestError(
            f"no answer is stored that tells about {', '.join(subjects.values())} under these rules; solve"
            f" some days first: ragers solve --patron {asked[0].patron.id} (with the same --rules and --set)"
        )
    return ExplainReport(
        rules=rules_report(rules),
        kind=kind,
        player=PLAYERS[player],
        explained=explained,
        findings=[each for each in findings(days, player) if _tells(kind, subjects, each)],
        trusts=[
            DayTrust(
                patron=each.patron.id,
                cheers=each.cheers.id,
                nash_conv_gp=answer.nash_conv_gp,
                trust=trust_in(answer),
                day=day_report(each),
            )
            for each, answer in stored
            if _is_asked(kind, subjects, each)
        ],
        missing=[(each.patron.id, each.cheers.id) for each in asked if found[each] is None],
    )


def _subjects(rules: Rules, kind: Kind, names: Sequence[str]) -> dict[str, str]:
    """Return the names of the subjects by id."""
    try:
        if kind == "patron":
            return {each.id: each.name for each in map(rules.patron, names)}
        if kind == "cheers":
            return {each.id: each.name for each in map(rules.cheers_card, names)}
        types = [find_name("card", name, {each: (each,) for each in TYPES}) for name in names]
    except UnknownNameError as error:
        raise RequestError(str(error)) from None
    return {each: each.capitalize() for each in types}


def _is_asked(kind: Kind, subjects: dict[str, str], scenario: Scenario) -> bool:
    return kind == "card" or {"patron": scenario.patron.id, "cheers": scenario.cheers.id}[kind] in subjects


def _tells(kind: Kind, subjects: dict[str, str], finding: Finding) -> bool:
    """Return whether a finding is about one of the subjects."""
    if kind == "patron":
        return finding.patron in subjects
    if kind == "cheers":
        return finding.kind in ("never met", "hardly met") and bool(subjects.keys() & set(finding.cheers))
    return finding.card in subjects


def _explained(
    kind: Kind, subject: tuple[str, str], patron: str, days: Sequence[_Day], player: int
) -> Explained | None:
    """Return what a subject does under a patron; None where that is not known."""
    under = [day for day in days if day[0].patron.id == patron]
    here, others = under, []
    if kind == "patron":
        if patron != subject[0]:
            return None
        crowds = {scenario.cheers.id for scenario, _ in under}
        others = [day for day in days if day[0].patron.id != patron and day[0].cheers.id in crowds]
    elif kind == "cheers":
        here = [day for day in under if day[0].cheers.id == subject[0]]
        others = [day for day in under if day[0].cheers.id != subject[0]]
    if not here:
        return None
    return Explained(
        subject=subject[0],
        name=subject[1],
        patron=patron,
        day=day_report(here[0][0]),
        here=_means(here, player),
        others=_means(others, player) if others else None,
        card=[_card_day(subject[0], *day, player) for day in here] if kind == "card" else [],
    )


def _means(days: Sequence[_Day], player: int) -> Means:
    answers = [answer for _, answer in days]
    profiles = [answer.profile for answer in answers if answer.profile is not None]
    usage = [answer.usage[player] for answer in answers]
    return Means(
        days=len(answers),
        mean_gp=fmean(answer.mean_gp[player] for answer in answers),
        draw=fmean(answer.outcome[1] for answer in answers),
        steps=fmean(each.steps for each in profiles) if profiles else None,
        met=fmean(1 - each.cheers[3] for each in profiles) if profiles else None,
        opening={name: fmean(a.opening_mix[player][t] for a in answers) for t, name in enumerate(TYPES)},
        placed={
            name: fmean(sum(step[t] for step in steps) for steps in usage) for t, name in enumerate(TYPES)
        },
        card_gp={name: fmean(each.card_gp[player][t] for each in profiles) for t, name in enumerate(TYPES)}
        if profiles
        else None,
    )


def _card_day(name: str, scenario: Scenario, answer: Answer, player: int) -> CardDay:
    t = TYPES.index(name)
    placed = [step[t] for step in answer.usage[player]]
    opening = answer.opening_mix[player][t]
    verdict = card_verdict(opening, placed, forbidden=name in scenario.patron.forbidden)
    return CardDay(cheers=scenario.cheers.id, opening=opening, placed=placed, verdict=verdict)


def csv_rows(report: ExplainReport) -> list[dict[str, object]]:
    """Return a row per subject and patron, for days with it and, where known, without it."""
    rows = []
    for each in report.explained:
        for which, means in (("here", each.here), ("others", each.others)):
            if means is None:
                continue
            row: dict[str, object] = {"subject": each.subject, "patron": each.patron, "which": which}
            row |= {"days": means.days, "mean_gp": means.mean_gp, "draw": means.draw}
            row |= {"steps": means.steps, "met": means.met}
            row |= {f"opening_{name}": share for name, share in means.opening.items()}
            row |= {f"placed_{name}": number for name, number in means.placed.items()}
            rows.append(row)
    return rows

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
from analysis.front.question import Answer
from analysis.ragers.answers.answer import Answer as DayAnswer
from analysis.ragers.answers.asking import Question, stored_answer
from analysis.ragers.answers.findings import Finding, Verdict, card_verdict, findings
from analysis.ragers.answers.report import DayReport, day_report
from analysis.ragers.answers.solving import Effort
from analysis.ragers.answers.trust import Trust, trust_in
from analysis.ragers.scenarios import Scenario, scenarios
from analysis.ragers.wording.names import card, hand, listed
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
    days : how many.
    mean_gp, draw : GP of a day, and share of days drawn.
    steps : steps of a day; None where none were sampled.
    met : share of days on which a player alone, or both, meet the cheers card; None likewise.
    opening, placed : by type: share of days opened with it, and cards placed in a day.
    card_gp : by type: GP that its cards bring in a day; None likewise.
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
    rule : what the rules say of it.
    here, others : with the subject, and without it; `others` is None for a card, and where no other day is
        stored.
    card : of a card: each day.
    """

    subject: str
    name: str
    rule: str
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


class ExplainAnswer(Answer, frozen=True, kw_only=True):
    """What subjects do.

    Attributes
    ----------
    findings : what stands out about the subjects.
    trusts : days that were asked for and are stored; those without an answer yet count nowhere.
    missing : days asked for that are not stored: patron and cheers card.
    """

    kind: Kind
    player: str
    explained: list[Explained]
    findings: list[Finding]
    trusts: list[DayTrust]
    missing: list[tuple[str, str]]


_Day = tuple[Scenario, DayAnswer]


def explain(
    rules: Rules, kind: Kind, names: Sequence[str], patrons: Sequence[str], preparation: str, player: int
) -> ExplainAnswer:
    """Return what subjects do to the game; nothing is solved, and only reports of answers are read.

    Parameters
    ----------
    kind, names : of the subjects; no name means all of a kind.
    patrons : under which patrons; none for all. Not for subjects that are patrons.

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
    return ExplainAnswer(
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
            return {each.id: each.name for each in map(rules.patron, names or [p.id for p in rules.patrons])}
        if kind == "cheers":
            return {
                each.id: each.name for each in map(rules.cheers_card, names or [c.id for c in rules.cheers])
            }
        types = [find_name("card", name, {each: (each,) for each in TYPES}) for name in names or TYPES]
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
        rule=_rule(kind, subject[0], here[0][0].rules),
        patron=patron,
        day=day_report(here[0][0]),
        here=_means(here, player),
        others=_means(others, player) if others else None,
        card=[_card_day(subject[0], *day, player) for day in here] if kind == "card" else [],
    )


def _rule(kind: Kind, subject: str, rules: Rules) -> str:
    if kind == "patron":
        patron = rules.patron(subject)
        forbids = listed([card(each) for each in patron.forbidden]) or "nothing"
        return f"rows of {rules.row_length(patron)}, {forbids} forbidden"
    if kind == "cheers":
        wants = rules.cheers_card(subject)
        without = f" without {listed([card(each) for each in wants.forbidden])}" if wants.forbidden else ""
        return f"{wants.gp} GP for {hand(wants.required)}{without}"
    one = next(each for each in rules.cards if each.id == subject)
    decks = f"{one.copies[0]}" if len(set(one.copies)) == 1 else f"{one.copies[0]} and {one.copies[1]}"
    beats = f", beats {listed([card(each) for each in one.beats])}" if one.beats else ""
    return f"{one.kind}, {one.gp} GP, {decks} in each deck{beats}"


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


def _card_day(name: str, scenario: Scenario, answer: DayAnswer, player: int) -> CardDay:
    t = TYPES.index(name)
    placed = [step[t] for step in answer.usage[player]]
    opening = answer.opening_mix[player][t]
    verdict = card_verdict(opening, placed, forbidden=name in scenario.patron.forbidden)
    return CardDay(cheers=scenario.cheers.id, opening=opening, placed=placed, verdict=verdict)

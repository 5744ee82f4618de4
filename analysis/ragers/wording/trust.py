"""How far to trust answers, in words: one wording for all commands."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec

from analysis.ragers.answers.report import ScenarioReport
from analysis.ragers.answers.solved import SolveAnswer
from analysis.ragers.answers.trust import GRADES, NO_ANSWER, Trust, time_limit
from analysis.ragers.wording.names import answers, cheers_name, listed, patron_name, same_days, trusted


def rounded_up(amount: float) -> str:
    """Return a NashConv to two decimals, rounded up; smaller ones to three."""
    if amount == 0:
        return "0.00"
    if amount < 0.005:
        return f"{math.ceil(1000 * amount - 1e-9) / 1000 or 0.001:.3f}"
    return f"{math.ceil(100 * amount - 1e-9) / 100:.2f}"


def off_by(nash_conv_gp: float, trust: Trust) -> str:
    """Return what an answer that is none yet may be off by."""
    pays = "" if trust.day_pays_gp is None else f" where a day pays {trust.day_pays_gp:.1f}"
    return f"off by up to {rounded_up(nash_conv_gp)} GP{pays}"


def words(trust: Trust | msgspec.UnsetType) -> str:
    """Return the grade; nothing in reports of versions that had none."""
    return "" if trust is msgspec.UNSET else trust.grade


def share_words(trust: Trust) -> str:
    """Return that it is at most such a share of what a day pays, rounded up."""
    share = 100 * (trust.share or 0.0)
    return f"at most {math.ceil(share - 1e-9)} %" if share >= 1 else "under 1 %"


def sure(nash_conv_gp: float, trust: Trust) -> str:
    """Return how sure an answer is, in a few words."""
    if not trust.answers:
        return f"Not known yet: {off_by(nash_conv_gp, trust)}"
    gap = f"{rounded_up(nash_conv_gp)} GP, {share_words(trust)} of what a day pays"
    return f"{trust.grade.capitalize()}: both together could gain at most {gap}"


def grades(
    trusts: Iterable[tuple[str, float, Trust | msgspec.UnsetType]],
    *,
    stored: bool = False,
    how: str = "repeat with",
) -> list[str]:
    """Return what a reader has to know of some answers, in lines: the worst, and those that are none yet.

    Parameters
    ----------
    trusts : title, NashConv and trust of each; those whose reports tell none are left out.
    stored, how : as for `repeat_words`.
    """
    every = [(title, gap, trust) for title, gap, trust in trusts if trust is not msgspec.UNSET]
    shown = [each for each in every if each[2].answers]
    lines = []
    if shown:
        title, gap, trust = max(shown, key=lambda each: each[2].share or 0.0)
        where = "Both" if len(shown) == len(every) else "Where there is an answer, both"
        lines.append(
            f"{where} sides together could gain {share_words(trust)} of what a day pays by playing"
            f" otherwise ({title}: {rounded_up(gap)} GP); {_or_better(trust.grade)}."
        )
    lines += [
        f"No answer yet to {title}: {off_by(gap, trust)}; no percentages are shown."
        f" {repeat_words([trust], stored=stored, how=how)}"
        for title, gap, trust in every
        if not trust.answers
    ]
    return lines


def _or_better(grade: str) -> str:
    return grade if grade == GRADES[0][0] else f"{grade} or better"


def graded(trust: Trust, *, certified: bool) -> str:
    """Return a grade, with a question mark where NashConv is estimated."""
    return trust.grade if certified or not trust.answers else f"{trust.grade}?"


def sentences(report: SolveAnswer) -> list[str]:
    """Return how far to trust the answers of `ragers-solve`, in sentences."""
    several = len({each.patron for each in report.scenarios}) > 1
    texts = []
    shown = [each for each in report.scenarios if answers(each)]
    same = " with the same --rules and --set" if report.rules is not None and report.rules.changed else ""
    if shown:
        worst = max(shown, key=lambda each: trusted(each).share or 0.0)
        gap = f"{rounded_up(worst.nash_conv_gp)} GP a day"
        of_pay = f"{share_words(trusted(worst))} of what a day pays"
        certified = all(each.certified for each in shown)
        name = patron_name(worst)
        which = f' --patron "{name}"' if " " in name else f" --patron {name}"
        day = f'ragers solve{which} --cheers "{cheers_name(worst)}" --details{same}'
        bounds = f"details have bounds ({'--details' if len(report.scenarios) == 1 else day})."
        if len(shown) == 1:
            most = f"at most {gap} by playing otherwise, {of_pay}"
        else:
            most = f"{of_pay} by playing otherwise ({_day(worst, several=several)}: {gap})"
        texts.append(
            f"Against these plans both sides together could gain {most}."
            f" {'Proved.' if certified else 'Proved, but estimated where marked with ?.'}"
            f" Other good plans may open differently: {bounds}"
        )
    for grade in ("rough", NO_ANSWER):
        some = [each for each in report.scenarios if trusted(each).grade == grade]
        if some:
            texts.append(_repeat(some, grade, several=several))
    left = [each for each in report.scenarios if math.isnan(each.outcome.win)]
    if left:
        names = ", ".join(dict.fromkeys(_day(each, several=several) for each in left))
        texts.append(f"Cut short before it was proved: {names}.")
    if report.assumed:
        texts.append(f"{len(report.assumed)} values are assumed: ragers rules show{same}.")
    return texts


def _repeat(some: Sequence[ScenarioReport], grade: str, *, several: bool) -> str:
    """Return which days are no better than `grade`, and how long it takes to make all of them fair."""
    patrons = [(who, [each[0] for each in same_days([*group])]) for who, group in groupby(some, patron_name)]
    days = [each for _, group in patrons for each in group]
    names = [*map(cheers_name, days)]
    if several:
        names = [f"{who} ({listed([*map(cheers_name, group)])})" for who, group in patrons]
    which = listed(names) if len(days) <= 4 else f"{len(days)} different days"
    again = repeat_words([*map(trusted, days)], stored=any(each.from_library for each in days))
    return f"{grade.capitalize()}: {which}. {again}"


def repeat_words(trusts: Sequence[Trust], *, stored: bool, how: str = "repeat with") -> str:
    """Return how long a fair answer should take, in words.

    Parameters
    ----------
    trusts : how far the answers may be trusted so far.
    stored : whether one of them is stored, and would be shown again.
    how : what to do with the options that are named.
    """
    times = [each.fair_after_s for each in trusts if each.fair_after_s is not None]
    fresh = "--fresh " if stored else ""
    if not times:
        return f"More time may help: {how} {fresh}--time-limit 10m."
    seen = all(each.fair_after_by == "history" for each in trusts)
    by = "at this speed" if seen else "as such days usually go"
    limit = time_limit(max(times))
    each_of = " each" if len(trusts) > 1 else ""
    return f"Fair after about {limit}{each_of} {by}: {how} {fresh}--time-limit {limit}."


def _day(scenario: ScenarioReport, *, several: bool) -> str:
    name = cheers_name(scenario)
    return f"{patron_name(scenario)}, {name}" if several else name

"""What solving would take, scenario by scenario: memory, and how exact the answer is after how long."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from analysis.exit_codes import EXIT_MEMORY
from analysis.ragers.answers import library, pace, report, solving
from analysis.ragers.answers.ended import SolvedAnswer
from analysis.ragers.answers.solving import Effort
from analysis.ragers.answers.trust import GRADES, Grade, trust_in
from analysis.ragers.scenarios import Scenario
from engine.ragers.rules import TYPES

if TYPE_CHECKING:
    from solver.hidden_hands import Estimate

MIB = 2.0**20

#: Merged solves use what memory is left to tell more histories apart: up to so many times what they need.
_REFINED = {True: 1.4, False: 1.9}


class EstimateReport(msgspec.Struct, frozen=True, kw_only=True):
    """What solving one scenario would take.

    Attributes
    ----------
    memory_mb : what it is likely to use.
    least_mb : what it cannot do without; merged days use more where they may.
    fair_after_s, good_after_s, exact_after_s : seconds after which the answer should have these grades.
    ends_after_s, ends_at : when the solve ends by its limits, and the grade it should have then; None without
        a time limit.
    in_library, stored_grade : whether an answer is stored, and its grade.
    day : the day as the box names it.
    """

    patron: str
    cheers: str
    preparation: str
    method: str
    memory_mb: float
    least_mb: float
    seconds_per_iteration: float
    num_nodes: int
    disk_mb: float
    fits: bool
    fair_after_s: float
    good_after_s: float
    exact_after_s: float
    ends_after_s: float | None
    ends_at: Grade | None
    in_library: bool
    stored_grade: Grade | None
    day: report.DayReport


class DryRunAnswer(SolvedAnswer, frozen=True, kw_only=True):
    """What a whole run would take.

    Attributes
    ----------
    limit_bytes : memory that may be used.
    fewer_threads : whether a day that does not fit would with one thread.
    """

    schema: int = 2
    estimates: list[EstimateReport]
    limit_bytes: int
    fewer_threads: bool


def dry_run(todo: Sequence[Scenario], effort: Effort, tell: Callable[[str, int], None]) -> DryRunAnswer:
    """Return what solving all of `todo` would take; `tell` as for `estimated`."""
    from solver.hidden_hands import memory_limit

    limit = memory_limit(effort.memory_bytes)
    estimates = estimated(todo, effort, tell)
    refused = [scenario for scenario, each in zip(todo, estimates, strict=True) if not each.fits]
    one = replace(effort, threads=1)
    return DryRunAnswer(
        estimates=estimates,
        limit_bytes=limit,
        fewer_threads=effort.threads > 1
        and any(solving.estimate(each, one).memory_bytes <= limit for each in refused),
        ended=EXIT_MEMORY if refused else 0,
    )


def estimated(
    todo: Sequence[Scenario], effort: Effort, tell: Callable[[str, int], None] | None = None
) -> list[EstimateReport]:
    """Return what solving each of `todo` would take; days with the same moves are reckoned once.

    Parameters
    ----------
    tell : called with the title of each, and its number from 1.
    """
    from solver.hidden_hands import memory_limit

    limit = memory_limit(effort.memory_bytes)
    known: dict[object, Estimate] = {}
    estimates = []
    for number, scenario in enumerate(todo, 1):
        if tell is not None:
            tell(scenario.title, number)
        moves = (scenario.patron.id, scenario.rules.sha256, scenario.preparation)
        if moves not in known:
            known[moves] = solving.estimate(scenario, effort)
        estimates.append(_estimated(scenario, effort, known[moves], limit))
    return estimates


def _estimated(scenario: Scenario, effort: Effort, guess: Estimate, limit: int) -> EstimateReport:
    day, least = scenario.day, guess.memory_bytes
    likely = least
    if guess.method == "merged" and least <= limit:
        likely = min(limit, round(_REFINED[day.row_length >= 5] * least))
    every_type = not day.banned and all(any(deck[t] for deck in day.copies) for t in range(len(TYPES)))
    falls = pace.fall(guess.method, day.row_length, every_type=every_type)
    each_s = pace.seconds_per_iteration(scenario, guess.method, guess.seconds_per_iteration)
    after = {grade: pace.seconds_after(pace.iterations_to(most, falls), each_s) for grade, most in GRADES}
    within = [math.inf if effort.granted_s is None else pace.iterations_within(effort.granted_s, each_s)]
    within.append(math.inf if effort.iterations is None else effort.iterations)
    ends_at = None if math.isinf(min(within)) else pace.grade_at(pace.share_after(min(within), falls))
    found = library.find(scenario)
    return EstimateReport(
        patron=scenario.patron.id,
        cheers=scenario.cheers.id,
        preparation=scenario.preparation,
        method=guess.method,
        memory_mb=likely / MIB,
        least_mb=least / MIB,
        seconds_per_iteration=each_s,
        num_nodes=guess.num_nodes,
        disk_mb=guess.disk_bytes / MIB,
        fits=least <= limit,
        fair_after_s=after["fair"],
        good_after_s=after["good"],
        exact_after_s=after["exact"],
        ends_after_s=None if math.isinf(min(within)) else pace.seconds_after(min(within), each_s),
        ends_at=ends_at,
        in_library=found is not None,
        stored_grade=None if found is None else trust_in(found.entry.answer).grade,
        day=report.day_report(scenario),
    )


def in_words(estimates: Sequence[EstimateReport]) -> str:
    """Return in one sentence what solving some days takes, for those about to wait."""
    from analysis.amounts import size

    many = len(estimates) > 1
    memory = size(max(each.memory_mb for each in estimates) * MIB)
    head = f"{len(estimates)} days to solve, each up to {memory}" if many else f"To solve: about {memory}"
    fair = _about(max(each.fair_after_s for each in estimates))
    exact = _about(max(each.exact_after_s for each in estimates))
    text = f"{head}; fair after about {fair}{' each' if many else ''}, exact after {exact}."
    ends = [each for each in estimates if each.ends_after_s is not None]
    if ends:
        last = max(ends, key=lambda each: each.fair_after_s)
        text += f" Limits end it after {_about(last.ends_after_s or 0.0)}: {last.ends_at}."
    return text


def _about(seconds: float) -> str:
    """Return a duration in round words."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 5400:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.0f} h"

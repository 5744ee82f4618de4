"""``ragers-solve --dry-run``: what solving would take, in the usual formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import msgspec

from analysis.amounts import size
from analysis.ragers.answers import report, solving
from analysis.ragers.answers.estimating import MIB, DryRunReport, EstimateReport, estimated, in_words
from analysis.ragers.answers.solving import Effort
from analysis.ragers.answers.trust import time_limit
from analysis.ragers.scenarios import Scenario
from cli.grid import Section, in_format
from cli.ragers.views.names import cheers_name, patron_name

_HEAD = ["crowd wants", "method", "memory", "fair", "good", "exact", "stored"]


def dry_run_report(todo: Sequence[Scenario], effort: Effort, form: str) -> tuple[str, int]:
    """Return the estimates for `todo` in format `form`, and the exit code: 4 if any would be refused.

    Parameters
    ----------
    todo
        At least one scenario, all under the same rules.
    effort
        How they would be solved.
    form
        ``table``, ``json``, ``csv`` or ``md``.
    """
    from solver.hidden_hands import memory_limit

    limit = memory_limit(effort.memory_bytes)
    estimates = estimated(todo, effort)
    whole = DryRunReport(rules=report.rules_report(todo[0].rules), estimates=estimates)
    notes = [f"May use {size(limit)} (--memory)."]
    if effort.threads > 1 and any(
        not each.fits and solving.estimate(scenario, replace(effort, threads=1)).memory_bytes <= limit
        for scenario, each in zip(todo, estimates, strict=True)
    ):
        notes[0] += " Fewer threads take less (--threads)."
    refused = [each for each in estimates if not each.fits]
    if refused:
        notes.append("NO: it needs more than that, and would be refused.")
    if any(each.fits for each in estimates):
        notes.append(in_words([each for each in estimates if each.fits]))
    notes.append(
        "fair, good, exact: after how long NashConv is at most 10, 5 and 2 % of what a day pays."
        " Estimates for this machine, as busy as it is now."
    )
    return in_format(whole, form, _csv_rows, _sections, lambda _: notes), 4 if refused else 0


def _sections(whole: DryRunReport) -> list[Section]:
    """A table for each patron."""
    disk = any(each.disk_mb for each in whole.estimates)
    head = [*_HEAD[:3], *(["disk"] if disk else []), *_HEAD[3:]]
    return [
        Section(patron, head, [_row(each, disk=disk) for each in days], left=2)
        for patron, days in groupby(whole.estimates, patron_name)
    ]


def _row(each: EstimateReport, *, disk: bool) -> list[str]:
    times = [each.fair_after_s, each.good_after_s, each.exact_after_s]
    return [
        cheers_name(each),
        each.method,
        size(each.memory_mb * MIB) if each.fits else f"NO: {size(each.least_mb * MIB)}",
        *([size(each.disk_mb * MIB) if each.disk_mb else "-"] if disk else []),
        *(time_limit(seconds) if each.fits else "-" for seconds in times),
        each.stored_grade or "-",
    ]


def _csv_rows(whole: DryRunReport) -> list[dict[str, object]]:
    rows = [msgspec.structs.asdict(each) for each in whole.estimates]
    return [{key: value for key, value in row.items() if key != "day"} for row in rows]

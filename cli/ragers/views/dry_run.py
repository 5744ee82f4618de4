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
from analysis.ragers.wording.names import cheers_name, listed, patron_name
from cli.grid import Section, in_format
from cli.progress import Reporter
from cli.ragers.views.heads import under_rules

_HEAD = ["crowd wants", "method", "memory", "fair", "good", "exact", "stored"]


def dry_run_report(
    todo: Sequence[Scenario], effort: Effort, form: str, *, quiet: bool = False
) -> tuple[str, int]:
    """Return the estimates for `todo` in format `form`, and the exit code: 4 if any would be refused.

    Parameters
    ----------
    todo
        At least one scenario, all under the same rules.
    effort
        How they would be solved.
    form
        ``table``, ``json``, ``csv`` or ``md``.
    quiet
        Whether to leave out progress.
    """
    from solver.hidden_hands import memory_limit

    limit = memory_limit(effort.memory_bytes)
    with Reporter(quiet=quiet, total=len(todo)) as reporter:
        estimates = estimated(todo, effort, reporter.reading)
    whole = DryRunReport(rules=report.rules_report(todo[0].rules), estimates=estimates)
    notes = [f"May use {size(limit)} (--memory)."]
    if effort.threads > 1 and any(
        not each.fits and solving.estimate(scenario, replace(effort, threads=1)).memory_bytes <= limit
        for scenario, each in zip(todo, estimates, strict=True)
    ):
        notes[0] += " Fewer threads take less (--threads)."
    refused = [each for each in estimates if not each.fits]
    if refused and len(refused) < len(estimates):
        fits = dict.fromkeys(patron_name(each) for each in estimates if each.fits)
        notes.insert(0, f"Fits: {listed([*fits])}.")
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
    """A table for each patron, those that fit first; days that take the same share a row."""
    disk = any(each.disk_mb for each in whole.estimates)
    head = [*_HEAD[:3], *(["disk"] if disk else []), *_HEAD[3:]]
    patrons = [(name, [*days]) for name, days in groupby(whole.estimates, patron_name)]
    patrons.sort(key=lambda each: not any(day.fits for day in each[1]))
    parts = [Section(name, head, _day_rows(days, disk=disk), left=2) for name, days in patrons]
    return under_rules(whole.rules.name, parts)


def _day_rows(days: Sequence[EstimateReport], *, disk: bool) -> list[list[str]]:
    """Return a row for each day, or for all at once that take the same."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for each in days:
        name, *cells = _row(each, disk=disk)
        alike.setdefault(tuple(cells), []).append(name)
    return [
        [f"all {len(names)}" if len(names) == len(days) > 1 else name, *cells]
        for cells, names in alike.items()
        for name in (names[:1] if len(names) == len(days) else names)
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

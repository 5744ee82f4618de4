"""How estimates of solves look: what each day takes, and how exact the answer is after how long."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from analysis.amounts import size
from analysis.front.page import Cell, Column, Page, Section, Table, data_of, flat
from analysis.ragers.answers.estimating import MIB, DryRunAnswer, EstimateReport, in_words
from analysis.ragers.answers.trust import time_limit
from analysis.ragers.wording.names import cheers_name, listed, patron_name

__all__ = ["page"]


def page(found: DryRunAnswer) -> Page:
    """Return a table for each patron, those that fit first."""
    disk = any(each.disk_mb for each in found.estimates)
    patrons = [(name, [*days]) for name, days in groupby(found.estimates, patron_name)]
    patrons.sort(key=lambda each: not any(day.fits for day in each[1]))
    fit = [each for each in found.estimates if each.fits]
    refused = len(fit) < len(found.estimates)
    may = f"May use {size(found.limit_bytes)} (--memory)."
    notes = [f"Fits: {listed([*dict.fromkeys(map(patron_name, fit))])}."] if fit and refused else []
    notes.append(f"{may} Fewer threads take less (--threads)." if found.fewer_threads else may)
    if refused:
        notes.append("NO: it needs more than that, and would be refused.")
    notes.append(
        "fair, good, exact: after how long NashConv is at most 10, 5 and 2 % of what a day pays. Estimates"
        " for this machine, as busy as it is now."
    )
    sections: list[Section] = [_table(name, days, disk=disk) for name, days in patrons]
    return Page(
        headline=in_words(fit) if fit else "None of these days fits in the memory that may be used.",
        sections=sections,
        notes=notes,
        data=data_of([flat(each, "day") for each in found.estimates]),
    )


def _table(name: str, days: Sequence[EstimateReport], *, disk: bool) -> Table:
    heads = [
        "crowd wants",
        "method",
        "memory",
        *(["disk"] if disk else []),
        "fair",
        "good",
        "exact",
        "stored",
    ]
    alike: dict[tuple[str, ...], list[str]] = {}
    for each in days:
        alike.setdefault(_cells(each, disk=disk), []).append(cheers_name(each))
    rows: list[list[Cell]] = [
        [f"all {len(names)}" if len(names) == len(days) > 1 else cheers, *cells]
        for cells, names in alike.items()
        for cheers in (names[:1] if len(names) == len(days) else names)
    ]
    return Table([Column(head, head) for head in heads], rows, name)


def _cells(each: EstimateReport, *, disk: bool) -> tuple[str, ...]:
    times = [each.fair_after_s, each.good_after_s, each.exact_after_s]
    return (
        each.method,
        size(each.memory_mb * MIB) if each.fits else f"NO: {size(each.least_mb * MIB)}",
        *([size(each.disk_mb * MIB) if each.disk_mb else "-"] if disk else []),
        *(time_limit(seconds) if each.fits else "-" for seconds in times),
        each.stored_grade or "-",
    )

"""A question with and without a change of the rules: which of its figures differ, and which certainly do.

Both sides have the same seed and the same luck, so where a question plays, deals are compared one by one: the
interval of their mean difference is that of paired observations. Elsewhere a difference is certain if the two
intervals, or proved bounds, do not touch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from analysis.errors import RequestError
from analysis.estimates import Estimate, estimate
from analysis.front.grid import middle
from analysis.front.page import Cell, Column, Format, Page, Table
from analysis.front.question import Amount, Answer, Question, RulesNote, Running
from analysis.front.render.numbers import cell_text
from analysis.front.render.tables import unit_of

__all__ = ["Difference", "DifferenceAnswer", "with_and_without"]

ROUNDING = 1e-9
"""Exact figures that differ by less are equal."""


class Difference(msgspec.Struct, frozen=True):
    """A figure on both sides, and what the change makes of it.

    Attributes
    ----------
    change : the figure with the change less the one without, with its interval where one is known.
    certain : whether the two differ beyond what luck, or the bounds, leave open; None if nothing says so.
    """

    key: str
    head: str
    kind: Format
    without: float | Estimate | None
    changed: float | Estimate | None
    change: Estimate
    certain: bool | None


class DifferenceAnswer(Answer, frozen=True, kw_only=True):
    """A question's figures with and without a change of the rules.

    Attributes
    ----------
    box : the rules without the change, those of the box or of another file; `rules` are those with it.
    paired : whether deals are compared one by one.
    """

    box: RulesNote | None
    differences: list[Difference]
    paired: bool

    def page(self) -> Page:
        """Return how they look."""
        return difference_page(self)


def with_and_without(
    question: Question[Any, Any],
    given: Mapping[str, Any],
    running: Running | None = None,
    against: str | Path | None = None,
) -> DifferenceAnswer:
    """Ask a question by the rules of the box, or of a file, and by the rules that are given.

    Parameters
    ----------
    given : values or texts of the question's parameters, by name.
    against : a file of rules to compare with instead of the box.

    Raises
    ------
    RequestError
        If the question has no figures to compare, no change of the rules is given, or that file holds none.
    """
    if question.amounts is None or not question.has_rules:
        raise RequestError(f"{question.name} has no figures that can be compared", "--diff")
    if not (against or given.get("rules") or given.get("set")):
        raise RequestError("name a change of the rules by --set or --rules", "--diff")
    if given.get("keep") is not None:
        raise RequestError("a file keeps the work of one answer; leave it out beside --diff", "--keep")
    running = running or Running()
    box = {key: value for key, value in given.items() if key not in ("rules", "set")}
    if against:
        box["rules"] = (Path(against),)
        try:
            question.needs.read(box["rules"], ())
        except RequestError as error:
            raise RequestError(str(error), "--diff-rules") from None
    left, right = question.build(**box), question.build(**given)
    without, seen_without = question.observe(left, running)
    changed, seen_changed = question.observe(right, running)
    before = {each.key: each for each in question.amounts(without)}
    rows = [
        _difference(before[each.key], each, seen_without.get(each.key), seen_changed.get(each.key), question)
        for each in question.amounts(changed)
        if each.key in before
    ]
    return DifferenceAnswer(
        game=question.needs.name,
        question=question.name,
        version=changed.version,
        rules=changed.rules,
        box=without.rules,
        exactness=question.exactness,
        seed=changed.seed,
        complete=without.complete and changed.complete,
        differences=rows,
        paired=question.observed is not None,
    )


def _difference(
    before: Amount,
    after: Amount,
    seen_before: Sequence[float] | None,
    seen_after: Sequence[float] | None,
    question: Question[Any, Any],
) -> Difference:
    if seen_before and seen_after:
        change = estimate([with_ - without for without, with_ in zip(seen_before, seen_after, strict=False)])
        known = change.low is not None and change.high is not None
        certain = (change.low > 0 or change.high < 0) if known else None  # type: ignore[operator]
    else:
        change, certain = _apart(before.value, after.value, exact=question.exactness == "exact")
    return Difference(before.key, before.head, before.kind, before.value, after.value, change, certain)


def _apart(
    before: float | Estimate | None, after: float | Estimate | None, *, exact: bool
) -> tuple[Estimate, bool | None]:
    """The difference of two figures whose errors may be related, at worst; and whether it is certain."""
    one, other = middle(before), middle(after)
    if one is None or other is None:
        return Estimate(None, None, None, 0), None
    change = other - one
    bounds = [(each.low, each.high) for each in (before, after) if isinstance(each, Estimate)]
    if not bounds and exact:
        return Estimate(change, change, change, 0), abs(change) > ROUNDING
    if len(bounds) < 2 or any(low is None or high is None for low, high in bounds):
        return Estimate(change, None, None, 0), None
    (low_one, high_one), (low_other, high_other) = bounds
    low, high = low_other - high_one, high_other - low_one  # type: ignore[operator]
    return Estimate(change, low, high, 0), low > 0 or high < 0


def difference_page(found: DifferenceAnswer) -> Page:
    """Return the figures of both sides, certain changes first in words."""
    assert found.rules is not None
    assert found.box is not None
    sure = [each for each in found.differences if each.certain]
    one, other = (found.box.name, found.rules.name) if found.box.changed else ("without", "with")
    columns = [Column("figure", "figure"), Column("without", one, "row"), Column("with", other, "row")]
    columns += [Column("change", "change", "row"), Column("certain", "certain")]
    rows: list[list[Cell]] = [
        [f"{each.head}{unit_of(each.kind)}", each.without, each.changed, each.change, _yes(each.certain)]
        for each in found.differences
    ]
    kinds = [each.kind for each in found.differences]
    if sure:
        first = max(sure, key=lambda each: abs(each.change.mean or 0.0) if each.kind == sure[0].kind else 0.0)
        by, unit = "by " if found.box.changed else "", unit_of(first.kind)
        headline = (
            f"{len(sure)} of {len(found.differences)} figures certainly change; {first.head}:"
            f" {cell_text(first.without, first.kind)}{unit} {by}{one},"
            f" {cell_text(first.changed, first.kind)}{unit} {by}{other}."
        )
    else:
        headline = "No figure certainly changes."
    notes = [f"Without: {found.box.name}. With: {found.rules.name}."]
    if found.paired:
        notes.append("Both sides play the same deals with the same luck; deals are compared one by one.")
    elif found.exactness == "measured":
        notes.append("A change is certain if the intervals of both sides do not touch.")
    if not found.complete:
        notes.append("Stopped early: not everything that was asked for is in.")
    return Page(headline=headline, sections=[Table(columns, rows, kinds=kinds)], notes=notes)


def _yes(certain: bool | None) -> str:
    return "-" if certain is None else "yes" if certain else "no"

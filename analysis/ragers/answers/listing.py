"""What libraries hold, and whether it is sound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from analysis.amounts import bound
from analysis.interrupt import Interrupt
from analysis.progress import Reporter
from analysis.ragers.answers import library, verification
from analysis.ragers.answers.library import Entry, Found
from analysis.ragers.answers.own_files import is_current, saved_at
from analysis.ragers.answers.solving import Effort
from analysis.version import __version__
from engine.ragers.rules import Rules


class ListedEntry(msgspec.Struct, frozen=True):
    """A stored day; of one that cannot be read only the folder is known, in the place of the patron.

    Attributes
    ----------
    renamed_from
        Cheers card whose solve this is under other names of the attacks, or None.
    rules
        ``current`` if it is for the rules of this version, else ``other``.
    rules_name, changes
        Of your own entries: the name of their rules, and what in them differs from the box.
    saved
        Of your own entries: when they were written (UTC).
    """

    patron: str
    cheers: str | None
    preparation: str | None
    value_gp: float | None
    nash_conv_gp: float | None
    iterations: int | None
    method: str | None
    renamed_from: str | None
    rules: str | None
    rules_name: str | None = None
    changes: list[str] | None = None
    saved: str | None = None


class ListReport(msgspec.Struct, frozen=True, kw_only=True):
    """What ``list`` says."""

    schema: int = 1
    game: str = "ragers"
    version: str = __version__
    library: str
    entries: list[ListedEntry]


def described(folder: Path, entry: Entry | None, rules: Rules, *, own: bool) -> dict[str, Any]:
    """What ``list`` tells about an entry; all but its folder and time is None if it cannot be read."""
    saved = saved_at((folder / library.REPORT).stat().st_mtime) if own else None
    if entry is None:
        name = str(folder.relative_to(library.own().root)) if own else folder.name
        known: dict[str, Any] = dict.fromkeys(ListedEntry.__struct_fields__)
        return known | {"patron": name, "saved": saved}
    return {
        "patron": entry.patron,
        "cheers": entry.cheers,
        "preparation": entry.answer.preparation,
        "value_gp": entry.answer.value_gp,
        "nash_conv_gp": entry.answer.nash_conv_gp,
        "iterations": entry.answer.iterations,
        "method": entry.answer.method,
        "renamed_from": entry.relabelled_from,
        "rules": "current" if is_current(entry, rules) else "other",
        "rules_name": entry.rules_name,
        "changes": entry.changes,
        "saved": saved,
    }


def resolved(
    found: Found, rules: Rules, effort: Effort, reporter: Reporter, number: int, interrupt: Interrupt
) -> tuple[str | None, str | None]:
    """Return both certificates in words where they compare, and how a fresh solve contradicts `found`."""
    from analysis.ragers.answers import solving

    scenario = verification.scenario_of(found.entry, rules)
    assert scenario is not None
    reporter.begin(scenario.title, number, effort.time_limit_s)
    again, _ = solving.solve(scenario, effort, reporter, interrupt)
    if not again.certified:
        return None, "the fresh solve gave no certificate"
    stored = found.entry.answer
    if effort.iterations is None:
        return None, verification.contradiction(stored, again)
    both = (
        f"{found.entry.patron} / {found.entry.cheers}: NashConv {bound(stored.nash_conv_gp)} GP as stored,"
        f" {bound(again.nash_conv_gp)} GP after {again.iterations} of {stored.iterations} iterations."
    )
    return both, verification.recertified(stored, again)

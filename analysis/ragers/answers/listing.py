"""What libraries hold."""

from __future__ import annotations

from pathlib import Path

import msgspec

from analysis.front.question import Answer
from analysis.ragers.answers import library, starts
from analysis.ragers.answers.library import Entry
from analysis.ragers.answers.own_files import POSITIONS, is_current, saved_at
from engine.ragers.rules import Rules, load_rules


class ListedEntry(msgspec.Struct, frozen=True):
    """A stored day; of one that cannot be read only the folder is known, in the place of the patron.

    Attributes
    ----------
    renamed_from : cheers card whose solve this is under other names of the attacks, or None.
    rules : ``current`` if it is for the rules of this version, else ``other``.
    rules_name, changes : of your own entries: the name of their rules, and what in them differs from the box.
    saved : of your own entries: when they were written (UTC).
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


class ListAnswer(Answer, frozen=True, kw_only=True):
    """What a library holds.

    Attributes
    ----------
    library : the folder.
    own : whether it is the user's own.
    positions, tables, tables_bytes : of your own: solves of positions in mid-day; tables for what-ifs to
        begin from, and their room.
    """

    library: str
    entries: list[ListedEntry]
    own: bool
    positions: int = 0
    tables: int = 0
    tables_bytes: int = 0


def described(folder: Path, entry: Entry | None, rules: Rules, *, own: bool) -> ListedEntry:
    """What ``list`` tells about an entry; all but its folder and time is None if it cannot be read."""
    saved = saved_at((folder / library.REPORT).stat().st_mtime) if own else None
    if entry is None:
        name = str(folder.relative_to(library.own().root)) if own else folder.name
        return ListedEntry(name, None, None, None, None, None, None, None, None, saved=saved)
    answer = entry.answer
    return ListedEntry(
        *(entry.patron, entry.cheers, answer.preparation, answer.value_gp, answer.nash_conv_gp),
        *(answer.iterations, answer.method, entry.relabelled_from),
        "current" if is_current(entry, rules) else "other",
        *(entry.rules_name, entry.changes, saved),
    )


def listed(*, own: bool) -> ListAnswer:
    """Return what a library holds: the user's own, or the carried one."""
    chosen, rules = (library.own() if own else library.carried()), load_rules()
    entries = [described(folder, entry, rules, own=own) for folder, entry in chosen.entries()]
    tables = [file.stat().st_size for file in starts.files()] if own else []
    return ListAnswer(
        library=str(chosen.root),
        entries=entries,
        own=own,
        positions=len(list(chosen.root.glob(f"*/{POSITIONS}/*.npz"))) if own else 0,
        tables=len(tables),
        tables_bytes=sum(tables),
    )

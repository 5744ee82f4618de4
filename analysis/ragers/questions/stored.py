"""``library list`` and ``library prune``: what is stored, whether it is sound, and how to make room."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Annotated

import msgspec

from analysis.amounts import counted, size
from analysis.errors import RequestError
from analysis.front.bundles import Seeded
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table, data_of, flat
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, Running
from analysis.front.sizes import read_memory
from analysis.ragers.answers import listing
from analysis.ragers.answers.checking import Again, VerifyAnswer, verified
from analysis.ragers.answers.listing import ListAnswer, ListedEntry
from analysis.ragers.answers.own_files import PruneAnswer, pruned
from analysis.ragers.answers.recounting import RECOUNTED, SOLVED
from analysis.ragers.bundles import DryRun

__all__ = ["LIST", "PRUNE", "Own"]

Own = Annotated[bool, param("Ask about your own library of live solves, not the carried one.")]
_UNITS = {"h": 3600.0, "d": 24 * 3600.0, "w": 7 * 24 * 3600.0}


class List(msgspec.Struct, frozen=True, kw_only=True):
    """Which library is listed, and whether it is checked, too."""

    own: Own = False
    verify: Annotated[bool, param("Check every entry instead; exit code 1 if one is wrong.")] = False
    resolve: Annotated[
        int,
        param(
            "Check, and solve this many entries again and compare.",
            ge=0,
            le=10_000,
            unit="entries",
            more=True,
        ),
    ] = 0
    recertify: Annotated[
        int,
        param(
            "Check, solve this many again with as many iterations as they had, and compare NashConv, too.",
            ge=0,
            le=10_000,
            unit="entries",
            more=True,
        ),
    ] = 0
    time_limit: Annotated[
        float,
        param(
            "Stop each solve after 300 (seconds), 30m, 1h.",
            ge=0.001,
            le=31_536_000,
            unit="s",
            more=True,
        ),
    ] = 300.0
    memory: (
        Annotated[str, param("Memory that a solve may use, such as 8GiB.", metavar="SIZE", more=True)] | None
    ) = None
    chance: Seeded = Seeded()


def list_entries(asked: List, running: Running) -> Answer:
    """List what is solved, or check it."""
    from analysis.ragers.game import GAME

    note = GAME.rules_note(GAME.read())
    if not (asked.verify or asked.resolve or asked.recertify):
        return msgspec.structs.replace(listing.listed(own=asked.own), rules=note)
    from analysis.ragers.play import kept_positions

    again = Again(
        resolve=asked.resolve,
        recertify=asked.recertify,
        time_limit=asked.time_limit,
        memory=None if asked.memory is None else read_memory(asked.memory),
        seed=asked.chance.seed,
    )
    found = verified(
        again,
        running.reporter,
        running.interrupt,
        own=asked.own,
        is_sound=lambda file: kept_positions.read(file) is not None,
    )
    return msgspec.structs.replace(found, rules=note)


def list_page(found: Answer) -> Page:
    """Return a table of all entries, and what in their rules differs from the box; or what a check found."""
    if isinstance(found, VerifyAnswer):
        return _verified(found)
    assert isinstance(found, ListAnswer)
    also = f", and {found.positions} solves of positions in mid-day" if found.positions else ""
    if found.tables:
        also += (
            f", and tables of {found.tables} solves for what-ifs to begin from ({size(found.tables_bytes)})"
        )
    columns = [Column("patron", "patron"), Column("cheers", "cheers card"), Column("preparation", "prep.")]
    columns += [Column("value_gp", "value", "signed", 2), Column("nash_conv_gp", "NashConv", "number", 3)]
    columns += [Column("method", "method"), *([Column("saved", "saved")] if found.own else [])]
    columns.append(Column("rules", "rules"))
    others = [tuple(each.changes) for each in found.entries if each.rules == "other" and each.changes]
    labels = {changes: number for number, changes in enumerate(dict.fromkeys(others), 1)}
    return Page(
        headline=f"{counted(len(found.entries), 'entry')}{also} in {found.library}.",
        sections=[Table(columns, [_entry(each, labels, own=found.own) for each in found.entries])],
        notes=[f"{number}: {', '.join(changes)}." for changes, number in labels.items()],
        data=data_of([flat(each) for each in found.entries]),
    )


def _entry(entry: ListedEntry, labels: Mapping[tuple[str, ...], int], *, own: bool) -> list[Cell]:
    # The time of day stands in JSON and CSV.
    saved: list[Cell] = [(entry.saved or "").partition(" ")[0]] if own else []
    if entry.method is None or entry.nash_conv_gp is None:
        return [entry.patron, "(unreadable)", "", None, None, "", *saved, ""]
    # An upper bound stays one.
    most = math.ceil(1000 * entry.nash_conv_gp - 1e-9) / 1000
    label = labels.get(tuple(entry.changes or ())) if entry.rules == "other" else None
    return [
        *(entry.patron, entry.cheers, entry.preparation, entry.value_gp, most),
        entry.method + (" (renamed)" if entry.renamed_from else ""),
        *saved,
        entry.rules if label is None else f"see {label}",
    ]


def _verified(found: VerifyAnswer) -> Page:
    """Return how many entries are sound, and what is wrong with the others."""
    solved = f", {found.solved_again} of them solved again" if found.solved_again else ""
    mine = f", {found.others} of other rules and of positions in mid-day are sound" if found.own else ""
    facts = [
        Fact("fit", "fit this version", found.fit, "count"),
        Fact("bad", "with problems", found.bad, "count"),
        Fact("others", "of other rules, and of positions", found.others, "count"),
        Fact("solved_again", "solved again", found.solved_again, "count"),
    ]
    sections: list[Section] = []
    for key, head, lines in (
        ("problem", "What is wrong", found.problems),
        ("compared", "Certificates of what was solved again", found.compared),
    ):
        rows: list[list[Cell]] = [[line] for line in lines]
        sections += [Table([Column(key, head)], rows)] if rows else []
    brief = len(sections)
    data = Table([Column(each.key, each.head, each.kind) for each in facts], [[each.value for each in facts]])
    rests = [f"Counted again from what is stored: {RECOUNTED}.", f"Resting on the solve alone: {SOLVED}."]
    return Page(
        headline=f"{found.fit} entries fit this version{solved}{mine}; {found.bad} problems.",
        sections=[*sections, Facts(facts)],
        notes=rests if found.fit else [],
        details=brief,
        data=data,
    )


LIST = Question(
    name="library list",
    about="List what is solved, how exactly, and by which rules. Of your own"
    " library also what differs from the box's rules, and when each entry was written (UTC). With --verify"
    " every entry is checked: hashes and sums, and all of the first step, counted again from the stored"
    " strategy. What openings are worth in the end, and later steps, rest on the solve alone. Of your own"
    " library every file is opened, those of other rules and of positions in mid-day, too. With --resolve a"
    " sample is solved anew, and the two certificates must leave a common value. With --recertify so are as"
    " many iterations as the entry had (or the time allows), and NashConv must be the same, or as much larger"
    " as fewer iterations make it.",
    asked=List,
    answers=ListAnswer,
    also=(VerifyAnswer,),
    function=list_entries,
    page=list_page,
    exactness="bounded",
    examples=("library list", "library list --own --format csv", "library list --verify"),
)


class Prune(msgspec.Struct, frozen=True, kw_only=True):
    """What goes."""

    older_than: (
        Annotated[str, param("Remove what was written that long ago: 12h, 30d, 8w.", metavar="AGE")] | None
    ) = None
    useless: Annotated[
        bool,
        param(
            "Remove what no longer counts: damaged or half written, of another version's format or model, or"
            " known as well to the library that comes with the program."
        ),
    ] = False
    dry_run: DryRun = False


def prune(asked: Prune, running: Running) -> PruneAnswer:
    """Make room."""
    from analysis.ragers.game import GAME
    from analysis.ragers.play import kept_positions

    if asked.older_than is None and not asked.useless:
        raise RequestError("say what is to go: --older-than AGE, --useless, or both")
    found = pruned(
        is_sound=lambda file: kept_positions.read(file) is not None,
        older_than_s=None if asked.older_than is None else _age(asked.older_than),
        useless=asked.useless,
        dry_run=asked.dry_run,
    )
    return msgspec.structs.replace(found, rules=GAME.rules_note(GAME.read()))


def _age(text: str) -> float:
    """Return the seconds in ``12h``, ``30d`` or ``8w``."""
    match = re.fullmatch(r"\s*(\d+)\s*([hdw])\s*", text.lower())
    if match is None:
        raise RequestError(f"{text!r} is no age; write 12h, 30d or 8w", "--older-than")
    return int(match[1]) * _UNITS[match[2]]


def prune_page(found: PruneAnswer) -> Page:
    """Return how much was removed, and what."""
    what = "would be removed" if found.dry_run else "removed"
    room = size(sum(each.num_bytes for each in found.removed))
    rows: list[list[Cell]] = [[f"{each.title}: {each.reason}", each.num_bytes] for each in found.removed]
    columns = [Column("title", "what goes"), Column("num_bytes", "bytes", "count")]
    data = data_of([{"of": found.num_all, **flat(each)} for each in found.removed] or [{"of": found.num_all}])
    return Page(
        headline=f"{len(found.removed)} of {found.num_all} {what}, {room}, in {found.library}.",
        sections=[Table(columns, rows)] if rows else [],
        notes=[f"Error: {text}." for text in found.left],
        data=data,
    )


PRUNE = Question(
    name="library prune",
    about="Remove what is old or useless of your own library. That may be entries, solves of positions in"
    " mid-day, and tables for what-ifs. What is removed can be solved again. The library that comes with"
    " the program is never touched.",
    asked=Prune,
    answers=PruneAnswer,
    function=prune,
    page=prune_page,
    exactness="exact",
    local=True,
    examples=("library prune --useless --dry-run", "library prune --older-than 8w --useless"),
)

"""What libraries hold, and whether it is sound."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from analysis.amounts import bound
from analysis.errors import RefusedError
from analysis.front.question import Answer
from analysis.interrupt import Interrupt
from analysis.progress import Reporter
from analysis.ragers.answers import library, starts, verification
from analysis.ragers.answers.library import Entry, Found
from analysis.ragers.answers.own_files import POSITIONS, is_current, items, saved_at
from analysis.ragers.answers.solving import Effort
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


@dataclass
class Checked:
    """What a check of a library has found.

    Attributes
    ----------
    root : of the library.
    good : entries that are sound, and for the rules of this version.
    num_bad, num_other : entries with problems; and sound files of the user's that are of other rules, or of
        positions in mid-day.
    problems, compared : what is wrong, a line each; and both certificates of entries that were solved again,
        in words.
    """

    root: Path
    good: list[Found] = field(default_factory=list)
    num_bad: int = 0
    num_other: int = 0
    problems: list[str] = field(default_factory=list)
    compared: list[str] = field(default_factory=list)


def check_all(*, own: bool, is_sound: Callable[[Path], bool]) -> Checked:
    """Check every entry of a library, without solving anything.

    Parameters
    ----------
    is_sound : whether a solve of a position in mid-day can be read.
    """
    chosen, rules = (library.own() if own else library.carried()), load_rules()
    checked = Checked(chosen.root)
    for item in items(chosen, rules, is_sound) if own else ():
        if item.fault and library.REPORT not in [file.name for file in item.files]:
            checked.num_bad += 1
            checked.problems.append(f"{item.title}: {item.fault}")
        checked.num_other += not item.fault and item.files[0].parent.name == POSITIONS
    for folder, entry in chosen.entries():
        problems = ["its report cannot be read"]
        if entry is not None:
            found = Found(entry, folder, chosen.name)
            # The user's own library holds days of all sorts of rules, which only their own hashes can vouch
            # for.
            stale = own and not is_current(entry, rules)
            problems = (
                verification.check_alone(found) if stale else verification.check_entry(found, rules, chosen)
            )
            checked.num_other += stale and not problems
            if not problems and not stale:
                checked.good.append(found)
        checked.num_bad += bool(problems)
        checked.problems += [f"{folder.relative_to(chosen.root)}: {problem}" for problem in problems]
    return checked


@dataclass(frozen=True)
class Again:
    """Which entries are solved again, to compare certificates.

    Attributes
    ----------
    resolve, recertify : how many; the latter with as many iterations as they had.
    time_limit, memory : of each: seconds, bytes.
    seed : chooses the sample.
    """

    resolve: int = 0
    recertify: int = 0
    time_limit: float | None = None
    memory: int | None = None
    seed: int = 0

    def sample(self, checked: Checked) -> list[Found]:
        """Return those that are chosen."""
        count = min(max(self.resolve, self.recertify), len(checked.good))
        return random.Random(self.seed).sample(checked.good, count)

    def compare(self, checked: Checked, reporter: Reporter, interrupt: Interrupt) -> None:
        """Solve the sample again; contradictions are problems."""
        for number, found in enumerate(self.sample(checked), 1):
            effort = Effort(time_limit_s=self.time_limit, memory_bytes=self.memory)
            if number <= self.recertify:
                answer = found.entry.answer
                effort = replace(effort, method=answer.method, iterations=answer.iterations, seed=answer.seed)
            told, contradiction = resolved(found, load_rules(), effort, reporter, number, interrupt)
            if told is not None:
                checked.compared.append(told)
            if interrupt.requested:
                return
            if contradiction is not None:
                checked.num_bad += 1
                checked.problems.append(f"{found.folder.relative_to(checked.root)}: {contradiction}")


def resolved(
    found: Found, rules: Rules, effort: Effort, reporter: Reporter, number: int, interrupt: Interrupt
) -> tuple[str | None, str | None]:
    """Return both certificates in words where they compare, and how a fresh solve contradicts `found`."""
    from analysis.ragers.answers import solving
    from solver.hidden_hands import DiskRefused, MemoryRefused

    scenario = verification.scenario_of(found.entry, rules)
    assert scenario is not None
    reporter.begin(scenario.title, number, effort.time_limit_s)
    try:
        again, _ = solving.solve(scenario, effort, reporter, interrupt)
    except (DiskRefused, MemoryRefused) as refused:
        raise RefusedError(f"{scenario.title}: {refused}") from None
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

"""The files of the user's library: what they are, when they were written, and which no longer count."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from analysis.exit_codes import EXIT_FAILURE
from analysis.front.question import Answer
from analysis.ragers.answers import library, starts, verification
from analysis.ragers.answers.library import REPORT, Entry, Found, Library, read_entry
from analysis.ragers.scenarios import PREPARATIONS
from engine.ragers.rules import Rules, load_rules

#: Folder beside the preparations of a day, for solves of positions in mid-day.
POSITIONS = "positions"
#: And for what `ragers balance` has computed of it.
HEALTH = "health"
#: What a process writes beside a file's place it renames within moments, unless it is killed.
_LEFT_S = 3600.0


@dataclass(frozen=True)
class Item:
    """Something kept: its files, what it is, when it was written, and why it no longer counts (or empty)."""

    files: tuple[Path, ...]
    title: str
    saved_s: float
    fault: str

    @property
    def num_bytes(self) -> int:
        """Room it takes."""
        return sum(file.stat().st_size for file in self.files if file.exists())

    def remove(self) -> None:
        """Delete its files, and the folders that are empty then; OSError if that fails."""
        for file in self.files:
            file.unlink(missing_ok=True)
        with suppress(OSError):
            for folder in self.files[0].parents[:2]:
                folder.rmdir()


def is_current(entry: Entry, rules: Rules) -> bool:
    """Return whether an entry is for the day that `rules` give."""
    scenario = verification.scenario_of(entry, rules)
    return scenario is not None and scenario.day.sha256 == entry.answer.day_sha256


def rules_text(entry: Entry, rules: Rules) -> str:
    """Return the rules of an entry in words: ``current``, what differs from the box, or ``other``."""
    if is_current(entry, rules):
        return "current"
    return ", ".join(entry.changes or []) or "other"


def saved_at(saved_s: float) -> str:
    """Return a time of writing as date and time, in UTC."""
    return datetime.fromtimestamp(saved_s, UTC).strftime("%Y-%m-%d %H:%M")


def items(shelf: Library, rules: Rules, is_sound: Callable[[Path], bool]) -> Iterator[Item]:
    """Yield everything that the user's library holds.

    Parameters
    ----------
    shelf, rules : the library, and the rules in force.
    is_sound : whether the solve of a position in mid-day can be read.
    """
    yield from _tables()
    for folder in sorted(shelf.root.glob("*/*/")):
        files = sorted(file for file in folder.iterdir() if file.is_file())
        kept = [file for file in files if not file.name.startswith(".")]
        for file in files:
            if file not in kept and time.time() - _saved_s(file) > _LEFT_S:
                yield Item((file,), f"{file.name}", _saved_s(file), "was left by a killed process")
        if folder.name == POSITIONS:
            for file in kept:
                fault = "" if is_sound(file) else "is damaged"
                yield Item((file,), f"a position in mid-day, {file.stem}", _saved_s(file), fault)
        elif folder.name == HEALTH:
            for file in kept:
                yield Item((file,), f"what ragers balance computed of a day, {file.stem}", _saved_s(file), "")
        elif folder.name in PREPARATIONS and kept:
            yield from _entry(shelf, folder, kept, rules)


def _tables() -> Iterator[Item]:
    """What solves of similar days may begin from."""
    from solver.hidden_hands import CheckpointError, check_checkpoint

    for file in sorted(starts.files()):
        try:
            title, fault = check_checkpoint(file, None)["title"], ""
        except CheckpointError:
            title, fault = file.name, "is damaged, or of another version's format"
        yield Item((file,), f"tables to begin from: {title}", _saved_s(file), fault)


def _entry(shelf: Library, folder: Path, kept: list[Path], rules: Rules) -> Iterator[Item]:
    report = folder / REPORT
    if report not in kept:
        fault = "has no report: its writer was killed"
        yield Item(tuple(kept), str(folder.relative_to(shelf.root)), _saved_s(kept[0]), fault)
        return
    entry, saved_s = read_entry(folder), _saved_s(report)
    if entry is None:
        yield Item(tuple(kept), str(folder.relative_to(shelf.root)), saved_s, "cannot be read")
        return
    named = {report, folder / entry.strategy, *([folder / entry.second] if entry.second else [])}
    for file in kept:
        if file not in named:
            yield Item((file,), str(file.relative_to(shelf.root)), _saved_s(file), "belongs to no entry")
    title = f"{entry.patron} / {entry.cheers}, {entry.answer.preparation} ({rules_text(entry, rules)})"
    yield Item(
        tuple(file for file in kept if file in named), title, saved_s, _fault(shelf, folder, entry, rules)
    )


def _fault(shelf: Library, folder: Path, entry: Entry, rules: Rules) -> str:
    """Return why an entry is of no use any more, or nothing."""
    problems = verification.check_alone(Found(entry, folder, shelf.name))
    if problems:
        return problems[0]
    scenario = verification.scenario_of(entry, rules)
    if scenario is not None and scenario.day.sha256 == entry.answer.day_sha256:
        known = library.carried().find(scenario)
        if known is not None and known.entry.answer.nash_conv_gp <= entry.answer.nash_conv_gp:
            return "is known as well to the library that comes with the program"
    return ""


def _saved_s(file: Path) -> float:
    return file.stat().st_mtime


class Removed(msgspec.Struct, frozen=True):
    """Something that was removed, or would be: what it is, why, and the room it took."""

    title: str
    reason: str
    num_bytes: int


class PruneAnswer(Answer, frozen=True, kw_only=True):
    """What was removed of the user's library, or would be.

    Attributes
    ----------
    num_all : of how many.
    left : what could not be removed, with the reason.
    """

    library: str
    dry_run: bool
    num_all: int
    removed: list[Removed]
    left: list[str]

    @property
    def exit_code(self) -> int:
        """What a command ends with."""
        return EXIT_FAILURE if self.left else 0


def pruned(
    *, is_sound: Callable[[Path], bool], older_than_s: float | None, useless: bool, dry_run: bool
) -> PruneAnswer:
    """Remove what is old or useless in the user's library; with `dry_run` only say what would go.

    Parameters
    ----------
    is_sound : whether a solve of a position in mid-day can be read.
    older_than_s : age in seconds; None for any.
    useless : whether what no longer counts goes, too.
    """
    shelf = library.own()
    num_all, now = 0, time.time()
    removed: list[Removed] = []
    left: list[str] = []
    for item in items(shelf, load_rules(), is_sound):
        num_all += 1
        old = older_than_s is not None and now - item.saved_s > older_than_s
        if not (old or (useless and item.fault)):
            continue
        reason = item.fault if useless and item.fault else f"is from {saved_at(item.saved_s)}"
        room = item.num_bytes
        try:
            if not dry_run:
                item.remove()
        except OSError as error:
            left.append(f"cannot remove {item.title}: {error.strerror}")
            continue
        removed.append(Removed(item.title, reason, room))
    return PruneAnswer(library=str(shelf.root), dry_run=dry_run, num_all=num_all, removed=removed, left=left)

"""The solution library: certified answers kept as files, found again by what their day depends on.

An entry is a folder with ``report.json`` and one ``strategy-<hash>.npz`` that the report names, and for most
days a ``second-<hash>.xz`` with how hands go on in the second step. Every file is
written beside its place and renamed, the report last, so a reader (or a killed writer) only ever leaves whole
entries.

Two libraries share the format: the carried one, ``results/ragers/<patron>/<cheers>/<preparation>/``, and the
user's own, ``<cache>/ragers/<day>/<preparation>/``, which live solves are added to.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from analysis.files import write_atomically
from analysis.ragers.answers.answer import Answer, HandStrategy, load_strategy
from analysis.ragers.answers.second_step import SecondStep
from analysis.ragers.scenarios import Scenario
from arena_solver.folders import cache_root
from engine.ragers.isomorphism import relabelling
from engine.ragers.rules import Rules, diff_rules, load_rules
from engine.rulefiles import toml_value

#: Format of an entry. Entries of another format are not read.
FORMAT = 1
#: Raised when the rules engine or the meaning of a certificate changes, so that older answers no longer
#: count.
MODEL = 1

REPORT = "report.json"


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What ``report.json`` holds.

    Attributes
    ----------
    format, model : `FORMAT` and `MODEL` of the writer.
    game : always ``ragers``.
    patron, cheers : ids, for people; an entry is found by ``answer.day_sha256``.
    rules_sha256 : hash of the whole rules it was solved under.
    relabelled_from : id of the cheers card whose solve this one is under other names of the attacks, or None.
    strategy, strategy_sha256 : file with the strategy, and its hash.
    answer : the numbers.
    second : file with the second step, named by its hash; None where it is not known.
    rules_name, changes : name of these rules, and what in them differs from the box, as ``KEY=VALUE``; None
        where not known, and in the carried library, which is for the box.
    """

    format: int
    model: int
    game: str
    patron: str
    cheers: str
    rules_sha256: str
    relabelled_from: str | None
    strategy: str
    strategy_sha256: str
    answer: Answer
    second: str | None = None
    rules_name: str | None = None
    changes: list[str] | None = None


@dataclass(frozen=True)
class Found:
    """An entry and where it lies; `library` is the library's name."""

    entry: Entry
    folder: Path
    library: str

    def strategy(self) -> HandStrategy | None:
        """Return the strategy, or None if its file is missing or damaged."""
        return load_strategy(self.folder / self.entry.strategy, self.entry.strategy_sha256)

    def second_step(self) -> SecondStep | None:
        """Return the second step; None if there is none, or its file is missing or damaged."""
        if self.entry.second is None:
            return None
        try:
            data = (self.folder / self.entry.second).read_bytes()
        except OSError:
            return None
        return SecondStep.from_bytes(data) if self.entry.second == _second_name(data) else None


@dataclass(frozen=True)
class Library:
    """A folder of entries.

    Attributes
    ----------
    root : the folder; it need not exist.
    name : what to call it.
    by_names : whether entries lie under patron and cheers card (carried) or under the hash of their day (the
        user's).
    """

    root: Path
    name: str
    by_names: bool

    def folder(self, scenario: Scenario) -> Path:
        """Return where the entry of `scenario` lies."""
        if self.by_names:
            return self.root / scenario.patron.id / scenario.cheers.id / scenario.preparation
        return self.root / scenario.day.sha256[:24] / scenario.preparation

    def find(self, scenario: Scenario) -> Found | None:
        """Return the certified entry for the very day of `scenario`, or None; damaged ones do not count."""
        folder = self.folder(scenario)
        entry = read_entry(folder)
        if entry is None or not entry.answer.certified:
            return None
        if (entry.format, entry.model) != (FORMAT, MODEL):
            return None
        answer = entry.answer
        if answer.day_sha256 != scenario.day.sha256 or answer.preparation != scenario.preparation:
            return None
        if not self.by_names and answer.problems():
            return None  # Damaged: what is solved instead will take its place.
        return Found(entry, folder, self.name)

    def store(
        self, scenario: Scenario, answer: Answer, strategy: HandStrategy, relabelled_from: str | None = None
    ) -> Found:
        """Write the entry of `scenario`, replacing another one.

        Raises
        ------
        ValueError
            If the answer is not certified, or belongs to another day.
        OSError
            If it cannot be written; what was there before is still there.
        """
        if not answer.certified:
            raise ValueError("the library holds certified answers only")
        if answer.day_sha256 != scenario.day.sha256 or answer.preparation != scenario.preparation:
            raise ValueError("the answer belongs to another day")
        data = strategy.to_bytes()
        digest = hashlib.sha256(data).hexdigest()
        # What is another entry under other names has its second step there.
        later = None if strategy.second is None or relabelled_from else strategy.second.to_bytes()
        entry = Entry(
            format=FORMAT,
            model=MODEL,
            game="ragers",
            patron=scenario.patron.id,
            cheers=scenario.cheers.id,
            rules_sha256=scenario.rules.sha256,
            relabelled_from=relabelled_from,
            strategy=f"strategy-{digest[:12]}.npz",
            strategy_sha256=digest,
            answer=answer,
            second=None if later is None else _second_name(later),
            rules_name=None if self.by_names else scenario.rules.name,
            changes=None if self.by_names else _changes(scenario.rules),
        )
        folder = self.folder(scenario)
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / entry.strategy, data)
        if later is not None and entry.second is not None:
            write_atomically(folder / entry.second, later)
        report = msgspec.json.format(msgspec.json.encode(entry), indent=1) + b"\n"
        write_atomically(folder / REPORT, report)
        for old in (*folder.glob("strategy-*.npz"), *folder.glob("second-*.xz")):
            if old.name not in (entry.strategy, entry.second):
                old.unlink(missing_ok=True)
        return Found(entry, folder, self.name)

    def entries(self) -> Iterator[tuple[Path, Entry | None]]:
        """Yield every entry's folder, with None where its report cannot be read."""
        for report in sorted(self.root.rglob(REPORT)):
            yield report.parent, read_entry(report.parent)


def _second_name(data: bytes) -> str:
    return f"second-{hashlib.sha256(data).hexdigest()[:12]}.xz"


def _changes(rules: Rules) -> list[str]:
    """Return what differs from the box."""
    return [
        f"{key}={toml_value(value)}" for key, _, value in diff_rules(load_rules(), rules) if value is not None
    ]


def read_entry(folder: Path) -> Entry | None:
    """Return the entry in `folder`, or None if there is none that this version can read."""
    try:
        return msgspec.json.decode((folder / REPORT).read_bytes(), type=Entry)
    except (OSError, msgspec.DecodeError):
        return None


def carried() -> Library:
    """Return the library that comes with the package."""
    import results

    return Library(Path(results.__file__).parent / "ragers", "library", by_names=True)


def own() -> Library:
    """Return the user's library, in the cache folder."""
    return Library(cache_root() / "ragers", "cache", by_names=False)


def find(scenario: Scenario) -> Found | None:
    """Return the best certified entry of any library for `scenario`, or None."""
    found = [hit for library in (carried(), own()) if (hit := library.find(scenario)) is not None]
    return min(found, key=lambda hit: hit.entry.answer.nash_conv_gp, default=None)


def second_step(scenario: Scenario) -> SecondStep | None:
    """Return the second step of the entry that `find` returns, or None.

    What is another entry under other names of the attacks has it there.
    """
    found = find(scenario)
    if found is None or found.entry.relabelled_from is None:
        return None if found is None else found.second_step()
    source = replace(scenario, cheers=scenario.rules.cheers_card(found.entry.relabelled_from))
    types, original = relabelling(source.day, scenario.day), find(source)
    known = None if original is None else original.second_step()
    return None if types is None or known is None else known.relabelled(types)

"""Tables of earlier solves in the user's cache, for what-ifs of the same day to begin from.

A what-if that changes what something is worth leaves the tree of decisions as it is, so its solve need not
begin anew: see `solver.hidden_hands.warm_start`. Files lie in ``<cache>/ragers/starts/<decisions>/``, one for
each day and preparation; together they take `MOST_BYTES`, and those not used for the longest go first.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from analysis.ragers.answers.library import MODEL
from analysis.ragers.scenarios import Scenario
from analysis.version import __version__
from arena_solver.folders import cache_root
from engine.ragers.rules import diff_rules, load_rules

if TYPE_CHECKING:
    from engine.ragers.day import DayTables
    from solver.hidden_hands import WarmStart

FOLDER = "starts"
ENDING = ".tables"
MOST_BYTES = 4 << 30
"""Of all files together."""
_MOST_OF_ONE = 1 << 30
_LEAST_FREE = 2 << 30
"""Room on the disk that is left to others."""
_UNLIKE = 100.0
"""What another patron or cheers card counts, where one more point for a card counts 1."""
_MOST_KNOWN = 20
_known: dict[tuple[str, str], DayTables] = {}


def root() -> Path:
    """Return the folder of all of them; it need not exist."""
    return cache_root() / "ragers" / FOLDER


def files() -> Iterator[Path]:
    """Yield all files, in no order."""
    yield from root().glob(f"*/*{ENDING}")


def warm_start(scenario: Scenario, note: Callable[[str], None]) -> WarmStart:
    """Return what a solve of `scenario` may begin from, the most similar day first, and where to keep it."""
    from solver.hidden_hands import CheckpointError, WarmStart, check_checkpoint

    decisions, values = _decisions(scenario), _values(scenario)
    folder = root() / decisions[:24]
    mine = folder / f"{scenario.preparation}-{scenario.day.sha256[:24]}{ENDING}"
    identity = {
        "game": "ragers",
        "decisions": decisions,
        "preparation": scenario.preparation,
        "model": str(MODEL),
        "version": __version__,
    }
    found: list[tuple[float, Path]] = []
    for path in folder.glob(f"{scenario.preparation}-*{ENDING}"):
        with suppress(CheckpointError):
            header = check_checkpoint(path, None)
            found.append((_distance(values, header.get("values", {})), path))
    found.sort()
    for _, path in found[:1]:
        with suppress(OSError):
            os.utime(path)
    _make_room(folder)
    changed = [f"{key}={value:g}" for key, (_, value) in values["changes"].items()]
    return WarmStart(
        identity,
        f"{scenario.title}{' with ' * bool(changed)}{', '.join(changed)}",
        values,
        tuple(path for _, path in found),
        mine,
        _MOST_OF_ONE if _free_bytes() > _LEAST_FREE + _MOST_OF_ONE else 0,
        note=note,
    )


def are_missing(scenario: Scenario) -> bool:
    """Whether a what-if has no tables to begin from, so that it takes longer than those after it."""
    changed = any(key != "name" for key, *_ in diff_rules(load_rules(), scenario.rules))
    return changed and not any((root() / _decisions(scenario)[:24]).glob(f"{scenario.preparation}-*{ENDING}"))


def decisions(scenario: Scenario) -> DayTables:
    """Return which decisions a day has, whatever they are worth: the same with all cheers cards."""
    from engine.ragers.day import day_tables

    cards = tuple(msgspec.structs.replace(card, gp=0) for card in scenario.rules.cards)
    rules = msgspec.structs.replace(scenario.rules, cards=cards)
    key = rules.sha256, scenario.patron.id
    if key not in _known:
        if len(_known) == _MOST_KNOWN:
            _known.clear()
        _known[key] = day_tables(rules, scenario.patron.id, [])
    return _known[key]


def _decisions(scenario: Scenario) -> str:
    tables = decisions(scenario)
    digest = hashlib.sha256(f"{tables.type_ids} {tables.hand_size} {tables.row_length}".encode())
    arrays = [tables.copies, tables.placeable, tables.face, tables.next_row, tables.pending]
    arrays += [tables.hides, tables.commit, tables.served, tables.full, tables.length]
    for array in arrays:
        digest.update(array.tobytes())
    return digest.hexdigest()


def _values(scenario: Scenario) -> dict[str, Any]:
    """What tells two days with the same decisions apart: their names, and what differs from the box."""
    changed = {key: value for key, _, value in diff_rules(load_rules(), scenario.rules) if key != "name"}
    numbers = {key: value for key, value in changed.items() if isinstance(value, (int, float))}
    box = {key: value for key, value, _ in diff_rules(load_rules(), scenario.rules) if key in numbers}
    return {
        "patron": scenario.patron.id,
        "cheers": scenario.cheers.id,
        "changes": {key: [box[key], value] for key, value in numbers.items()},
    }


def _distance(one: dict[str, Any], other: dict[str, Any]) -> float:
    """How much two days differ, in points for cards."""
    if not isinstance(other.get("changes"), dict):
        return float("inf")
    total = sum(_UNLIKE for name in ("patron", "cheers") if one[name] != other.get(name))
    for key in {*one["changes"], *other["changes"]}:
        mine, theirs = one["changes"].get(key), other["changes"].get(key)
        box = (mine or theirs)[0]
        total += abs((mine or [box, box])[1] - (theirs or [box, box])[1])
    return total


def _make_room(used: Path) -> None:
    """Remove what has not been used for the longest, until one more file fits; not those of `used` first."""
    known = []
    for path in files():
        with suppress(OSError):
            status = path.stat()
            known.append((path.parent == used, status.st_mtime, status.st_size, path))
    left = sum(size for _, _, size, _ in known)
    for _, _, size, path in sorted(known):
        if left + _MOST_OF_ONE <= MOST_BYTES:
            return
        with suppress(OSError):
            path.unlink()
            left -= size


def _free_bytes() -> int:
    folder = cache_root()
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 0

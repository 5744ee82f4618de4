"""Rules under names: every value with where it comes from, changed in forms, checked as by commands."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from analysis import rules_reports as reports
from analysis.errors import RequestError
from analysis.front.question import imported
from analysis.front.rules_form import EntryForm, RulesView, entry_form_of, view_of
from analysis.front.sheets import sheets_of, workbook_of
from app import texts
from app.folder import BOX, Folder
from app.security import NAME

__all__ = [
    "Wrong",
    "add_copy",
    "change",
    "drafted",
    "entry_form",
    "errors_of",
    "new_rules",
    "waiting",
    "workbook",
]

FILES = (".toml", ".xlsx", ".ods", ".csv")
_NO_NAME = re.compile(r"[^a-z0-9]+")


class Wrong(RequestError):
    """Values that cannot be; `errors` has a text for each key, or for no single one."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(errors.values()))
        self.errors = dict(errors)


def errors_of(error: RequestError) -> dict[str, str]:
    """Return what is wrong, by field; what belongs to none stands above the form."""
    return error.errors if isinstance(error, Wrong) else {"": str(error)}


def _read(game: Any, folder: Folder, name: str) -> Any:
    return game.read(folder.rules_files(game.name, name))


def rules_view(game: Any, folder: Folder, name: str) -> RulesView:
    """Return all values of rules, by sections."""
    return view_of(game, _read(game, folder, name), name, differs=name != BOX)


def entry_form(
    game: Any,
    folder: Folder,
    name: str,
    table: str,
    posted: Mapping[str, list[str]] | None = None,
    errors: Mapping[str, str] | None = None,
) -> EntryForm:
    """Return a table's title, its fields, what the box has where that differs, and errors of no field."""
    rules = _read(game, folder, name)
    if table not in rules.tables():
        raise RequestError(texts.NO_SUCH_TABLE.format(name=table[:80]))
    return entry_form_of(rules, game.read(), table, posted, errors)


def change(game: Any, folder: Folder, name: str, table: str, posted: Mapping[str, list[str]]) -> int:
    """Keep changed values of a table; return how many there were.

    Raises
    ------
    Wrong
        If one of them, or all together, cannot be.
    """
    rules = _read(game, folder, name)
    if table not in rules.tables():
        raise RequestError(texts.NO_SUCH_TABLE.format(name=table[:80]))
    sent = [(leaf, posted.get(leaf.path, [""])[-1].strip()) for leaf in reports.leaves_of(rules, table)]
    overrides = [leaf.override(table, text) for leaf, text in sent if text not in ("", leaf.text)]
    if overrides:
        _keep(game, folder, name, (folder.rules_path(game.name, name),), overrides, table)
    return len(overrides)


def _keep(
    game: Any, folder: Folder, name: str, files: tuple[Path, ...], overrides: list[str], table: str = ""
) -> None:
    """Check rules, and keep them under a name."""
    found = reports.checked(imported(game.load), name, files, overrides)
    if not found["ok"]:
        raise Wrong(_errors(found["problems"], table))
    folder.write_rules(game.name, name, reports.kept_file(game.read(), game.read(files, overrides), name))


def _errors(problems: list[dict[str, Any]], table: str) -> dict[str, str]:
    errors: dict[str, str] = {}
    for number, each in enumerate(problems):
        whole = f"{each['table']}.{each['key']}".strip(".")
        said = each["reason"] + (f"; allowed: {each['allowed']}" if each["allowed"] else "")
        if table and whole.startswith(f"{table}."):
            errors[whole[len(table) + 1 :]] = said
        else:
            errors[f"-{number}"] = f"{whole}: {said}" if whole else said
    return errors


def new_rules(
    game: Any, folder: Folder, name: str, like: str, overrides: Sequence[str] = (), draft: str = ""
) -> None:
    """Keep rules under a new name: as others are but for single values; or a draft."""
    if folder.rules_path(game.name, name).exists():
        raise Wrong({"name": texts.TAKEN_NAME.format(name=name)})
    path = folder.draft_path(game.name, draft) if draft else None
    if path is None:
        _read(game, folder, like or BOX)
        path = None if like in ("", BOX) else folder.rules_path(game.name, like)
    elif not path.is_file():
        raise RequestError(texts.NO_PAGE)
    _keep(game, folder, name, (path,) if path else (), list(overrides))
    if draft and path:
        path.unlink()


@dataclass
class Draft:
    """Somebody's rules that are looked at before they are kept: where they wait, a name, what they change."""

    id: str
    name: str
    changes: list[str]


def drafted(game: Any, folder: Folder, file: str, data: bytes) -> Draft | None:
    """Check somebody's rules file or spreadsheet, and let it wait.

    Raises
    ------
    RequestError
        If it is neither, or its values cannot be.
    """
    path = Path(re.sub(r"[^\w.-]", "-", Path(file.replace("\\", "/")).name)[-80:].lstrip("."))
    if path.suffix.casefold() not in FILES:
        raise Wrong({"file": texts.NO_RULES_FILE.format(name=file[:60], kinds=", ".join(FILES))})
    with _file(folder, path.name, data) as sent:
        found = reports.checked(imported(game.load), path.stem, (sent,), [])
        if not found["ok"]:
            # As at a terminal: the file, the sheet and its cell, and what stands there.
            said = (each["message"].replace(f"{sent.parent}{os.sep}", "") for each in found["problems"])
            raise Wrong({f"-{number}": text for number, text in enumerate(said)})
        rules = game.read((sent,))
    id, name = secrets.token_hex(6), _NO_NAME.sub("-", path.stem.lower()).strip("-")[:40]
    folder.draft_path(game.name, id).write_text(reports.kept_file(game.read(), rules, name), "utf-8")
    return waiting(game, folder, id, name)


def waiting(game: Any, folder: Folder, id: str, name: str) -> Draft | None:
    """Return a draft with what it changes; None if it is not there."""
    path = folder.draft_path(game.name, id)
    return Draft(id, name, reports.changes_from(game.read(), game.read((path,)))) if path.is_file() else None


def workbook(game: Any, folder: Folder, name: str) -> bytes:
    """Return rules as a spreadsheet."""
    return workbook_of(sheets_of(_read(game, folder, name)))


def add_copy(game: Any, folder: Folder, name: str, entry: str, new: str) -> str:
    """Add a copy of an entry under an id of its own; return its table."""
    rules = _read(game, folder, name)
    section = entry.rpartition(".")[0]
    if entry not in rules.tables() or not section:
        raise RequestError(texts.NO_SUCH_TABLE.format(name=entry[:80]))
    if not NAME.fullmatch(new):
        raise Wrong({"copy": texts.BAD_NAME.format(name=new[:60])})
    if f"{section}.{new}" in rules.tables():
        raise Wrong({"copy": texts.TAKEN_ENTRY.format(name=new)})
    text = reports.kept_file(game.read(), rules, name) + reports.copied_entry(rules, entry, new)
    with _file(folder, "draft.toml", text.encode()) as path:
        _keep(game, folder, name, (path,), [], f"{section}.{new}")
    return f"{section}.{new}"


@contextmanager
def _file(folder: Folder, name: str, data: bytes) -> Iterator[Path]:
    """A file that is there while it is checked."""
    with TemporaryDirectory(prefix="draft-", dir=folder.root / "work") as made:
        path = Path(made) / name
        path.write_bytes(data)
        yield path

"""Rules under names: every value with where it comes from, changed in forms, checked as by commands."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from analysis import rules_reports as reports
from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles
from analysis.front.question import imported
from analysis.front.rules_form import CELL, EntryForm, RulesView, entry_form_of, id_of, sent_text, view_of
from analysis.front.sheets import sheets_of, workbook_of
from analysis.front.verbs.new_entry import Written, one_more
from app import texts
from app.folder import BOX, Folder
from app.security import NAME

__all__ = [
    "Wrong",
    "add",
    "change",
    "changed",
    "check",
    "drafted",
    "entry_form",
    "errors_of",
    "named",
    "new_rules",
    "take_out",
    "waiting",
    "workbook",
]

FILES = (".toml", ".xlsx", ".ods", ".csv")
_NOBODY = "Nobody is called so"
_FULL: dict[tuple[str, str, str], str] = {}
_PLACE = re.compile(r"\[[\w.*-]+\](?: [\w.]+)?(?: = [^:]*)?: ")
"""Where in a file something is wrong."""
_NO_NAME = re.compile(r"[^\w .,'’&+()!-]")


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


def _with_table(game: Any, folder: Folder, name: str, table: str) -> Any:
    """Rules that have a table; RequestError if they have not."""
    rules = _read(game, folder, name)
    if table not in rules.tables():
        raise RequestError(texts.NO_SUCH_TABLE.format(name=table[:80]))
    return rules


def named(text: str) -> str:
    """Return the file's name of rules that are called so; a name may have capitals and blanks.

    Raises
    ------
    Wrong
        If nothing can be called so.
    """
    name = id_of(text)
    if len(text) > 40 or _NO_NAME.search(text) or not NAME.fullmatch(name) or name == BOX:
        raise Wrong({"name": texts.BAD_NAME.format(name=text[:60])})
    return name


def rules_view(
    game: Any, folder: Folder, name: str, posted: Mapping[str, list[str]] | None = None
) -> RulesView:
    """Return all values of rules, by sections."""
    view = view_of(game, _read(game, folder, name), name, differs=name != BOX, posted=posted)
    # What a game is made of comes before what is settled once.
    view.sections.sort(key=lambda each: "." not in each[2][0].table)
    for section, _, entries in view.sections:
        if "." in entries[0].table and not _why_no_more(game, folder, name, entries[0].table):
            view.growing.append(section)
    return view


def _why_no_more(game: Any, folder: Folder, name: str, table: str) -> str:
    """What is against one more entry like another; found out once for the same rules."""
    key = (game.name, _read(game, folder, name).sha256, table)
    if key not in _FULL:
        _FULL[key] = _PLACE.sub("", _grown(game, folder, name, table, _NOBODY).why)
    return _FULL[key]


def entry_form(
    game: Any,
    folder: Folder,
    name: str,
    table: str,
    posted: Mapping[str, list[str]] | None = None,
    errors: Mapping[str, str] | None = None,
) -> EntryForm:
    """Return a table's title, its fields, what the box has where that differs, and errors of no field."""
    rules = _with_table(game, folder, name, table)
    form = entry_form_of(game, rules, table, posted, errors)
    if "." in table:
        fixed = game.schema.entry_table(table).names
        form.why_no_more = texts.THESE_ALL if fixed else _why_no_more(game, folder, name, table)
    return form


def changed(
    game: Any, folder: Folder, name: str, posted: Mapping[str, list[str]], table: str = ""
) -> list[str]:
    """Return the values that a form changes, as ``--set`` takes them: of one table, or of all.

    Raises
    ------
    RequestError
        If there is no such table.
    """
    rules = _with_table(game, folder, name, table) if table else _read(game, folder, name)
    tables = rules.tables()
    sent = {field.rpartition(CELL)[0] for field in posted} & tables.keys()
    found = []
    for each in [table] if table else sent:
        for leaf in reports.leaves_of(rules, each, tables[each]):
            text = sent_text(leaf, posted, "" if table else f"{each}{CELL}")
            found += [] if text is None else [leaf.override(each, text)]
    return found


def change(
    game: Any, folder: Folder, name: str, overrides: list[str], title: str = "", table: str = ""
) -> str:
    """Keep changed values: in rules of one's own, or under a name of their own; return the rules' name.

    Raises
    ------
    Wrong
        If one of them, or all together, cannot be.
    """
    if title or name == BOX:
        return new_rules(game, folder, title, name, overrides, table=table)
    if overrides:
        _keep(game, folder, name, folder.rules_files(game.name, name), overrides, table)
    return name


def check(game: Any, folder: Folder, name: str, overrides: list[str], table: str = "") -> None:
    """Raise Wrong if values cannot be."""
    found = reports.checked(imported(game.load), name, folder.rules_files(game.name, name), overrides)
    if not found["ok"]:
        raise Wrong(_errors(found["problems"], table))


def _keep(
    game: Any,
    folder: Folder,
    name: str,
    files: tuple[Path, ...],
    overrides: list[str],
    table: str = "",
    title: str = "",
) -> None:
    """Check rules, and keep them under a name."""
    found = reports.checked(imported(game.load), name, files, overrides)
    if not found["ok"]:
        raise Wrong(_errors(found["problems"], table))
    title = title or folder.rules_title(game.name, name)
    folder.write_rules(game.name, name, reports.kept_file(game.read(), game.read(files, overrides), title))


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
    game: Any,
    folder: Folder,
    title: str,
    like: str,
    overrides: Sequence[str] = (),
    draft: str = "",
    table: str = "",
) -> str:
    """Keep rules under a new name, and return that of their file: as others but for values; or a draft."""
    name = named(title)
    if folder.rules_path(game.name, name).exists():
        raise Wrong({"name": texts.TAKEN_NAME.format(name=title)})
    path = folder.draft_path(game.name, draft) if draft else None
    if path is None:
        _read(game, folder, like or BOX)
        path = None if like in ("", BOX) else folder.rules_path(game.name, like)
    elif not path.is_file():
        raise RequestError(texts.NO_PAGE)
    _keep(game, folder, name, (path,) if path else (), list(overrides), table, title)
    if draft and path:
        path.unlink()
    return name


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
    id, name = secrets.token_hex(6), _NO_NAME.sub(" ", Path(file).stem).strip()[:40]
    folder.draft_path(game.name, id).write_text(reports.kept_file(game.read(), rules, name), "utf-8")
    return waiting(game, folder, id, name)


def waiting(game: Any, folder: Folder, id: str, name: str) -> Draft | None:
    """Return a draft with what it changes; None if it is not there."""
    path = folder.draft_path(game.name, id)
    return Draft(id, name, reports.changes_from(game.read(), game.read((path,)))) if path.is_file() else None


def workbook(game: Any, folder: Folder, name: str) -> bytes:
    """Return rules as a spreadsheet."""
    return workbook_of(sheets_of(_read(game, folder, name)))


def _grown(game: Any, folder: Folder, name: str, entry: str, called: str) -> Written:
    """An entry like another one under a name of its own, not kept yet."""
    _with_table(game, folder, name, entry)
    if "." not in entry:
        raise RequestError(texts.NO_SUCH_TABLE.format(name=entry[:80]))
    return one_more(game, RulesFiles(rules=folder.rules_files(game.name, name)), entry, called)


def add(game: Any, folder: Folder, name: str, entry: str, called: str) -> tuple[str, str]:
    """Add an entry like another one; return the rules that have it, and its table.

    What is added to the box's rules makes rules of that name.

    Raises
    ------
    Wrong
        If nothing can be called so, or these rules have no room for one more.
    """
    if not called or len(called) > 40 or _NO_NAME.search(called):
        raise Wrong({"copy": texts.BAD_NAME.format(name=called[:60])})
    try:
        found = _grown(game, folder, name, entry, called)
    except RequestError as error:
        raise error if error.option is None else Wrong({"copy": str(error)}) from None
    if found.table in _read(game, folder, name).tables():
        raise Wrong({"copy": texts.TAKEN_ENTRY.format(name=called)})
    if found.why:
        raise Wrong({"copy": found.why})
    to = new_rules(game, folder, called, BOX) if name == BOX else name
    with _file(folder, "draft.toml", found.text.encode()) as path:
        _keep(game, folder, to, (*folder.rules_files(game.name, to), path), [], found.table)
    return to, found.table


def take_out(game: Any, folder: Folder, name: str, entry: str) -> None:
    """Take an entry out that the box does not have.

    Raises
    ------
    RequestError
        If the box has it, or others rest on it.
    """
    box, rules = game.read(), _with_table(game, folder, name, entry)
    if entry in box.tables():
        raise RequestError(texts.NO_SUCH_TABLE.format(name=entry[:80]))
    left = partial(reports.kept_file, box, rules, folder.rules_title(game.name, name))
    out = reports.beside(box, rules, entry)
    with _file(folder, "draft.toml", left(out).encode()) as path:
        found = reports.checked(imported(game.load), name, (path,), [])
    # What was counted with it, such as all cards of a deck, is counted anew.
    out += [f"{each['table']}.{each['key']}" for each in found["problems"] if each["key"]]
    with _file(folder, "draft.toml", left(out).encode()) as path:
        _keep(game, folder, name, (path,), [])


@contextmanager
def _file(folder: Folder, name: str, data: bytes) -> Iterator[Path]:
    """A file that is there while it is checked."""
    with TemporaryDirectory(prefix="draft-", dir=folder.root / "work") as made:
        path = Path(made) / name
        path.write_bytes(data)
        yield path

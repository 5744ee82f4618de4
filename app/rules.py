"""Rules under names: every value with where it comes from, changed in forms, checked as by commands."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from analysis import rules_reports as reports
from analysis.errors import RequestError
from analysis.front.forms import Choice, Field, label_of
from analysis.front.question import imported
from analysis.rules_reports import Entry, Leaf
from app import texts
from app.folder import BOX, Folder
from app.security import NAME

__all__ = ["Wrong", "add_copy", "change", "entry_form", "errors_of", "import_file", "new_rules"]


class Wrong(RequestError):
    """Values that cannot be; `errors` has a text for each key, or for no single one."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(errors.values()))
        self.errors = dict(errors)


@dataclass
class RulesView:
    """Rules for a page."""

    name: str
    title: str
    said: str
    changes: list[str]
    sections: list[tuple[str, list[str], list[Entry]]]
    """Of each section its name, the keys of its entries, and these."""


def errors_of(error: RequestError) -> dict[str, str]:
    """Return what is wrong, by field; what belongs to none stands above the form."""
    return error.errors if isinstance(error, Wrong) else {"": str(error)}


def _read(game: Any, folder: Folder, name: str) -> Any:
    files = () if name == BOX else (folder.rules_path(game.name, name),)
    if files and not files[0].is_file():
        raise RequestError(texts.NO_RULES.format(name=name), "--rules")
    return game.read(files)


def rules_view(game: Any, folder: Folder, name: str) -> RulesView:
    """Return all values of rules, by sections."""
    rules = _read(game, folder, name)
    tables = rules.tables()
    sections: list[tuple[str, list[str], list[Entry]]] = []
    for section in rules.schema.sections:
        inside = [table for table in tables if table.split(".")[0] == section]
        entries = [reports.entry_of(rules, table, tables[table]) for table in inside]
        if entries:
            keys = list(dict.fromkeys(key for entry in entries for key, _, _ in entry.values))
            sections.append((section, keys, entries))
    note = game.rules_note(rules)
    changes = [] if name == BOX else reports.changes_from(game.read(), rules)
    return RulesView(name, rules.name, note.said, changes, sections)


def entry_form(
    game: Any,
    folder: Folder,
    name: str,
    table: str,
    posted: Mapping[str, list[str]] | None = None,
    errors: Mapping[str, str] | None = None,
) -> tuple[str, list[Field], dict[str, str], list[str]]:
    """Return a table's title, its fields, what the box has where that differs, and errors of no field."""
    rules, box = _read(game, folder, name), game.read()
    if table not in rules.tables():
        raise RequestError(texts.NO_SUCH_TABLE.format(name=table[:80]))
    left = dict(errors or {})
    before = box.tables().get(table, {})
    fields: list[Field] = []
    differs: dict[str, str] = {}
    for leaf in reports.leaves_of(rules, table):
        made = _field(leaf, rules.provenance.get(f"{table}.{leaf.path}", ""))
        was = before.get(leaf.path.split(".")[0])
        was = was.get(leaf.part) if leaf.part and isinstance(was, Mapping) else was
        if was is not None and was != leaf.value:
            differs[leaf.path] = reports.shown(was)
        if posted is not None and leaf.path in posted:
            made.value = posted[leaf.path][-1]
        made.error = left.pop(leaf.path, "")
        fields.append(made)
    return reports.entry_of(rules, table, rules.tables()[table]).title, fields, differs, list(left.values())


def _field(leaf: Leaf, provenance: str) -> Field:
    """A field for a value: a list of words to choose from, a number within its bounds, or text."""
    made = Field(leaf.path, "text", " ".join(map(label_of, leaf.path.split("."))))
    made.help = (
        leaf.declared.allowed[:1].upper() + leaf.declared.allowed[1:] + "." if leaf.declared.allowed else ""
    )
    made.group, made.value = texts.PROVENANCE.get(provenance, ""), leaf.text
    kind, *_ = get_args(leaf.declared.type) or (leaf.declared.type,)
    if get_origin(leaf.declared.type) is Literal:
        made.widget = "choice"
        made.choices = [Choice(str(word), label_of(str(word))) for word in get_args(leaf.declared.type)]
    elif kind is bool:
        made.widget, made.choices = "choice", [Choice("true", "Yes"), Choice("false", "No")]
    elif kind in (int, float):
        made.widget, made.step = "number", "1" if kind is int else "any"
        for meta in getattr(leaf.declared.type, "__metadata__", ()):
            made.least, made.largest = getattr(meta, "ge", None), getattr(meta, "le", None)
    return made


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


def new_rules(game: Any, folder: Folder, name: str, like: str) -> None:
    """Keep rules under a new name, as others are."""
    _check_new(game, folder, name)
    rules = _read(game, folder, like or BOX)
    folder.write_rules(game.name, name, reports.kept_file(game.read(), rules, name))


def _check_new(game: Any, folder: Folder, name: str) -> None:
    if folder.rules_path(game.name, name).exists():
        raise Wrong({"name": texts.TAKEN_NAME.format(name=name)})


def import_file(game: Any, folder: Folder, name: str, text: str) -> None:
    """Keep somebody's rules file under a name, once it has been checked."""
    _check_new(game, folder, name)
    with _draft(folder, text) as path:
        _keep(game, folder, name, (path,), [])


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
    with _draft(folder, text) as path:
        _keep(game, folder, name, (path,), [], f"{section}.{new}")
    return f"{section}.{new}"


class _draft:
    """A file that is there while it is checked."""

    def __init__(self, folder: Folder, text: str) -> None:
        self.path = folder.root / "work" / f"draft-{secrets.token_hex(4)}.toml"
        self.text = text

    def __enter__(self) -> Path:
        self.path.write_text(self.text, encoding="utf-8")
        return self.path

    def __exit__(self, *_: object) -> None:
        self.path.unlink(missing_ok=True)

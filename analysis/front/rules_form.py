"""Rules as a form: all values by sections, and the fields of one table, each within what it may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args, get_origin

from analysis import rules_reports as reports
from analysis.front.forms import Choice, Field, label_of
from analysis.rules_reports import Entry, Leaf

__all__ = ["EntryForm", "RulesView", "entry_form_of", "view_of"]


@dataclass
class RulesView:
    """Rules for a page."""

    name: str
    title: str
    said: str
    changes: list[str]
    sections: list[tuple[str, list[str], list[Entry]]]
    """Of each section its name, the keys of its entries, and these."""


class EntryForm(NamedTuple):
    """A table in a form; a field's `group` is where its value comes from.

    Attributes
    ----------
    differs : what other rules have, by field, where that differs.
    errors : of no field.
    """

    title: str
    fields: list[Field]
    differs: dict[str, str]
    errors: list[str]


def view_of(game: Any, rules: Any, name: str, *, differs: bool) -> RulesView:
    """Return all values of a game's rules, by sections; and what differs from the box."""
    tables = rules.tables()
    sections: list[tuple[str, list[str], list[Entry]]] = []
    for section in rules.schema.sections:
        inside = [table for table in tables if table.split(".")[0] == section]
        entries = [reports.entry_of(rules, table, tables[table]) for table in inside]
        if entries:
            keys = list(dict.fromkeys(key for entry in entries for key, _, _ in entry.values))
            sections.append((section, keys, entries))
    changes = reports.changes_from(game.read(), rules) if differs else []
    return RulesView(name, rules.name, game.rules_note(rules).said, changes, sections)


def entry_form_of(
    rules: Any,
    box: Any,
    table: str,
    posted: Mapping[str, list[str]] | None = None,
    errors: Mapping[str, str] | None = None,
) -> EntryForm:
    """Return a table of rules in a form, and what `box` has where that differs.

    Parameters
    ----------
    posted, errors : what was sent, and what is wrong with it, by field.
    """
    left = dict(errors or {})
    before = box.tables().get(table, {})
    fields: list[Field] = []
    differs: dict[str, str] = {}
    for leaf in reports.leaves_of(rules, table):
        made = _field(leaf)
        made.group = rules.provenance.get(f"{table}.{leaf.path}", "")
        was = before.get(leaf.path.split(".")[0])
        was = was.get(leaf.part) if leaf.part and isinstance(was, Mapping) else was
        if was is not None and was != leaf.value:
            differs[leaf.path] = reports.shown(was)
        if posted is not None and leaf.path in posted:
            made.value = posted[leaf.path][-1]
        made.error = left.pop(leaf.path, "")
        fields.append(made)
    title = reports.entry_of(rules, table, rules.tables()[table]).title
    return EntryForm(title, fields, differs, list(left.values()))


def _field(leaf: Leaf) -> Field:
    """A field for a value: a list of words to choose from, a number within its bounds, or text."""
    made = Field(leaf.path, "text", " ".join(map(label_of, leaf.path.split("."))), value=leaf.text)
    allowed = leaf.declared.allowed
    made.help = f"{allowed[:1].upper()}{allowed[1:]}." if allowed else ""
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

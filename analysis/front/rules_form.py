"""Rules as a form: all values by sections, and the fields of one table, each within what it may be."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args, get_origin

from analysis import rules_reports as reports
from analysis.front.forms import Choice, Field, label_of
from analysis.front.question import imported
from analysis.rules_reports import Entry, Leaf
from engine.rulefiles import canonical_id

__all__ = [
    "CELL",
    "EntryForm",
    "RulesView",
    "Values",
    "entry_form_of",
    "id_of",
    "sent_text",
    "values_of",
    "view_of",
]

_WORD = re.compile(r"(?<![\w-])[a-z][\w-]*")
_OF = "~"
"""Between a value that is a list of words and one of these in the name of a field."""
CELL = "|"
"""Between a table and a value of it in the name of a field."""


@dataclass
class RulesView:
    """Rules for a page."""

    name: str
    title: str
    said: str
    changes: list[str]
    sections: list[tuple[str, list[str], list[Entry]]]
    """Of each section its name, the keys of its entries, and these."""
    cells: dict[str, dict[str, list[Field]]]
    """Of each table the fields of what is changed where it stands, by key."""
    own: set[str] = field(default_factory=set)
    """Tables that the box does not have."""
    growing: list[str] = field(default_factory=list)
    """Sections that may have one more entry."""


@dataclass
class EntryForm:
    """A table in a form; a field's `group` is where its value comes from.

    Attributes
    ----------
    differs : what the box has, by field, where that differs.
    words : what values that are data say, by field.
    errors : of no field.
    is_own : whether the box has no such entry.
    stands_in : other entries that name it, and what they are called.
    why_no_more : what is against one more like it; empty if there may be one.
    """

    title: str
    fields: list[Field]
    differs: dict[str, str]
    words: dict[str, str]
    errors: list[str]
    is_own: bool
    stands_in: list[tuple[str, str]]
    why_no_more: str = ""


def view_of(
    game: Any, rules: Any, name: str, *, differs: bool, posted: Mapping[str, list[str]] | None = None
) -> RulesView:
    """Return all values of a game's rules, by sections; and what differs from the box."""
    tables, said = rules.tables(), words_of(game, rules)
    sections: list[tuple[str, list[str], list[Entry]]] = []
    for section in rules.schema.sections:
        inside = [table for table in tables if table.split(".")[0] == section]
        entries = [reports.entry_of(rules, table, tables[table]) for table in inside]
        if entries:
            keys = list(dict.fromkeys(key for entry in entries for key, _, _ in entry.values))
            sections.append((section, keys, entries))
    names = {
        each.table.rpartition(".")[2]: each.title
        for _, _, entries in sections
        for each in entries
        if "." in each.table
    }
    for entry in (each for _, _, entries in sections for each in entries):
        entry.values = [
            (key, said.get(f"{entry.table}.{key}") or _named(text, names), word)
            for key, text, word in entry.values
        ]
    cells = {table: _cells(rules, table, values, said, posted or {}) for table, values in tables.items()}
    box = game.read() if differs else rules
    changes, own = reports.changes_from(box, rules), tables.keys() - box.tables().keys()
    return RulesView(name, rules.name, game.rules_note(rules).said, changes, sections, cells, set(own))


def id_of(name: str) -> str:
    """Return the id of what is called so."""
    return canonical_id(name)


def _named(text: str, names: Mapping[str, str]) -> str:
    """What a value says, with names in place of the ids of entries."""
    return _WORD.sub(lambda found: names.get(found[0], found[0]), text)


def words_of(game: Any, rules: Any) -> Mapping[str, str]:
    """Return what values that are data, such as effects, say in words, by their keys."""
    return {} if game.value_words is None else dict(imported(game.value_words)(rules))


def _cells(
    rules: Any,
    table: str,
    values: Mapping[str, Any],
    said: Mapping[str, str],
    posted: Mapping[str, list[str]],
) -> dict[str, list[Field]]:
    """Fields of the values of a table that are numbers or choices."""
    title = reports.entry_of(rules, table, values).title
    found: dict[str, list[Field]] = {}
    for leaf in reports.leaves_of(rules, table, values):
        made = _field(leaf)
        if made.widget in ("number", "choice") and f"{table}.{leaf.path}" not in said:
            made.help, made.label = made.label, f"{title}: {made.label}"
            made.name = f"{table}{CELL}{leaf.path}"
            made.group = leaf.text
            made.value = posted.get(made.name, [made.value])[-1]
            found.setdefault(leaf.path.partition(".")[0], []).append(made)
    return found


def _named_by(rules: Any, table: str) -> list[tuple[str, str]]:
    """Entries whose values name the entry of a table, such as decks that have a card."""

    def has(value: Any, name: str) -> bool:
        if isinstance(value, Mapping):
            return name in value or any(has(each, name) for each in value.values())
        return any(has(each, name) for each in value) if isinstance(value, list | tuple) else value == name

    id_, found = table.rpartition(".")[2], []
    for other, values in rules.tables().items():
        if other != table and "." in other and "." in table and has(values, id_):
            found.append((other, reports.entry_of(rules, other, values).title))
    return found


def entry_form_of(
    game: Any,
    rules: Any,
    table: str,
    posted: Mapping[str, list[str]] | None = None,
    errors: Mapping[str, str] | None = None,
) -> EntryForm:
    """Return a table of rules in a form, and what the box has where that differs.

    Parameters
    ----------
    posted, errors : what was sent, and what is wrong with it, by field.
    """
    left, box, said = dict(errors or {}), game.read(), words_of(game, rules)
    before = box.tables().get(table, {})
    words = {}
    fields: list[Field] = []
    differs: dict[str, str] = {}
    for leaf in reports.leaves_of(rules, table):
        made = _field(leaf)
        made.group = rules.provenance.get(f"{table}.{leaf.path}", "")
        was = before.get(leaf.path.split(".")[0])
        was = was.get(leaf.part) if leaf.part and isinstance(was, Mapping) else was
        if was is not None and was != leaf.value:
            differs[leaf.path] = reports.shown(was)
        for each in (made, *made.fields):
            each.value = (posted or {}).get(each.name, [each.value])[-1]
        made.error = left.pop(leaf.path, "")
        if f"{table}.{leaf.path}" in said:
            words[leaf.path] = said[f"{table}.{leaf.path}"]
        fields.append(made)
    title = reports.entry_of(rules, table, rules.tables()[table]).title
    is_own = "." in table and table not in box.tables()
    return EntryForm(title, fields, differs, words, list(left.values()), is_own, _named_by(rules, table))


def sent_text(leaf: Leaf, posted: Mapping[str, list[str]], under: str = "") -> str | None:
    """Return what a form sends for a value, as a person would type it; None if nothing, or nothing new."""
    name = f"{under}{leaf.path}"
    if leaf.declared.words and f"{name}{_OF}{leaf.declared.words[0]}" in posted:
        numbers = {word: posted.get(f"{name}{_OF}{word}", ["0"])[-1].strip() for word in leaf.declared.words}
        words = [
            word for word, number in numbers.items() if number.isdecimal() for _ in range(min(int(number), 9))
        ]
        return None if sorted(words) == sorted(leaf.value) else ", ".join(words)
    text = posted.get(name, [""])[-1].strip()
    return None if text in ("", leaf.text) else text


def _field(leaf: Leaf) -> Field:
    """A field for a value: a list of words to choose from, a number within its bounds, or text."""
    made = Field(leaf.path, "text", " ".join(map(label_of, leaf.path.split("."))), value=leaf.text)
    allowed = leaf.declared.allowed
    made.help = f"{allowed[:1].upper()}{allowed[1:]}." if allowed else ""
    if leaf.declared.words:
        made.widget, made.help = "counts", ""
        for word in leaf.declared.words:
            number = str(list(leaf.value).count(word))
            made.fields.append(
                Field(f"{leaf.path}{_OF}{word}", "number", label_of(word), value=number, step="1")
            )
            made.fields[-1].least, made.fields[-1].largest = 0, 9
        return made
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


Values = list[tuple[str, list[tuple[str, str, str]]]]
"""What has values, and of each its key, what it is, and what it is now."""


def values_of(rules: Any) -> Values:
    """Return the numbers and choices of rules by what has them."""
    found = []
    for table, values in rules.tables().items():
        fields = [(_field(leaf), leaf) for leaf in reports.leaves_of(rules, table, values)]
        shown = [
            (f"{table}.{leaf.path}", made.label, leaf.text)
            for made, leaf in fields
            if made.widget in ("number", "choice")
        ]
        if shown:
            found.append((reports.entry_of(rules, table, values).title, shown))
    return found

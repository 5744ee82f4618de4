"""Rules of any game: read for a question; and as reports, what they are, what is wrong, how two differ."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from analysis.errors import RequestError
from engine.rulefiles import MISSING, Problem, RulesError, Schema, toml_value

__all__ = [
    "Entry",
    "Leaf",
    "as_json",
    "as_rules_file",
    "beside",
    "changes_from",
    "checked",
    "entry_of",
    "kept_file",
    "leaves_of",
    "read",
    "set_aside",
    "shown",
]

_Rules = TypeVar("_Rules")


def read(
    loader: Callable[[Sequence[Path], Sequence[str]], _Rules], files: Sequence[Path], overrides: Sequence[str]
) -> _Rules:
    """Return the rules that a game's `loader` makes of files and single values.

    Raises
    ------
    RequestError
        If a file or a value is wrong.
    """
    try:
        return loader(files, overrides)
    except RulesError as error:
        raise RequestError(str(error)) from None


def as_json(tables: Mapping[str, Mapping[str, Any]], rules: Any, sections: Sequence[str]) -> dict[str, Any]:
    """Return sections of rules, entries within entries, with where each value comes from.

    Parameters
    ----------
    tables : dotted table -> values, as ``tables`` of the rules gives them.
    """
    values: dict[str, Any] = {section: {} for section in sections}
    for table, keys in tables.items():
        section, *path = table.split(".")
        if section in values:
            place = values[section]
            for name in path:
                place = place.setdefault(name, {})
            place |= keys
    provenance = {key: word for key, word in rules.provenance.items() if key.split(".")[0] in values}
    return {"name": rules.name, "sha256": rules.sha256, **values, "provenance": provenance}


def checked(
    load_rules: Callable[..., Any], label: str, files: Sequence[Path], overrides: Sequence[str]
) -> dict[str, Any]:
    """Return whether files and overrides can be used, what they change, and each problem."""
    try:
        rules = load_rules(files, overrides)
    except RulesError as error:
        return {"rules": label, "ok": False, "changed": [], "problems": list(map(_problem, error.problems))}
    from engine.rulelayers import SHEETS  # these here: help reads this module, and no sheets
    from engine.rulesheets import left_alone

    notes = set_aside(load_rules((), ()), rules)
    notes += [
        line for file in files if file.suffix.casefold() in SHEETS for line in left_alone(file, rules.schema)
    ]
    return {"rules": label, "ok": True, "changed": rules.changed, "problems": []} | (
        {"notes": notes} if notes else {}
    )


def _problem(problem: Problem) -> dict[str, Any]:
    value = None if problem.value is MISSING else toml_value(problem.value)
    return problem._asdict() | {"value": value, "message": str(problem)}


def set_aside(box: Any, rules: Any) -> list[str]:
    """Return a line for each kind of samples of the box that these rules no longer allow.

    Rules that bring a whole set of their own have none of the box's; that is not worth a line.
    """
    lines = []
    for kind in ("teams", "decks"):
        left = {entry.id for entry in getattr(rules, kind, ())}
        gone = [entry for entry in getattr(box, kind, ()) if entry.id not in left]
        if gone and len(gone) < len(getattr(box, kind)):
            names = ", ".join(entry.name for entry in gone)
            lines.append(f"Sample {kind} that these values no longer allow were set aside: {names}.")
    return lines


def changes_from(box: Any, rules: Any) -> list[str]:
    """Return what differs from the rules of the box, with both values: `match.winning_lead 10 → 7`."""
    before, after = box.values(), rules.values()
    return [
        f"{key} {_plain(before.get(key, MISSING))} → {_plain(after.get(key, MISSING))}"
        for key in dict.fromkeys((*after, *before))
        if before.get(key, MISSING) != after.get(key, MISSING)
    ]


def _plain(value: Any) -> str:
    return "none" if value is MISSING or value is None else toml_value(value)


def as_rules_file(schema: Schema, left: Any, right: Any, rows: Sequence[tuple[str, Any, Any]]) -> str:
    """Return differences as a rules file that, laid over the left-hand rules, gives the right-hand ones.

    Parameters
    ----------
    rows : key, value on the left, value on the right; None where there is none.
    """
    lines = [f"name = {toml_value(right.name)}"]
    table = ""
    gone = sorted({schema.table_of(key) for key, _, other in rows if other is None})
    for key, _, other in rows:
        if other is None:
            continue
        if schema.table_of(key) != table:
            table = schema.table_of(key)
            lines += ["", f"[{table}]"]
        lines.append(f"{key.removeprefix(f'{table}.')} = {toml_value(other)}")
    lines += [
        f"# only in {toml_value(left.name)}: [{entry}], which a file cannot take away" for entry in gone
    ]
    return "\n".join(lines) + "\n"


def kept_file(box: Any, rules: Any, name: str, without: Collection[str] = ()) -> str:
    """Return a rules file that, laid over the box, gives `rules` under a name of their own.

    Parameters
    ----------
    without : tables and keys that are left out.
    """
    from engine.rulelayers import diff_rules

    named = msgspec.structs.replace(rules, name=name)
    rows = [
        row
        for row in diff_rules(box, rules)
        if not any(f"{row[0]}.".startswith(f"{out}.") for out in without)
    ]
    return as_rules_file(rules.schema, box, named, rows)


def beside(box: Any, rules: Any, entry: str) -> list[str]:
    """Return the table of an entry that the box does not have, and others that were added under its id."""
    added = rules.tables().keys() - box.tables().keys()
    same = entry[entry.index(".") :] if entry.count(".") == 1 else entry
    return [table for table in added if table == entry or table.endswith(same)]


class Leaf(NamedTuple):
    """A value that can be changed: its path below its table, its part, its declaration, and itself."""

    path: str
    part: str
    declared: Any
    value: Any

    @property
    def text(self) -> str:
        """How a person types it."""
        if isinstance(self.value, list | tuple) and all(isinstance(each, str) for each in self.value):
            return ", ".join(self.value)
        if self.value is None or isinstance(self.value, str):
            return self.value or ""
        return toml_value(self.value)

    def override(self, table: str, text: str) -> str:
        """Return what a person typed as ``--set`` takes it."""
        key = f"{table}.{self.path}"
        if isinstance(self.value, str):
            return f"{key}={toml_value(text)}"
        if isinstance(self.value, list | tuple) and not text.startswith("["):
            words = [word.strip() for word in text.split(",")]
            return f"{key}={toml_value([word for word in words if word])}"
        return f"{key}={text}"


def leaves_of(rules: Any, table: str, values: Mapping[str, Any] | None = None) -> list[Leaf]:
    """Return the values of a table that can be changed; who has them already gives them."""
    kind = rules.schema.entry_table(table) if table not in rules.schema.tables else None
    found = []
    for key, value in (rules.tables()[table] if values is None else values).items():
        if kind is not None and key in kind.fixed:
            continue
        declared = rules.schema.fields(table)[key]
        found += [] if declared.parts else [Leaf(key, "", declared, value)]
        for part in declared.parts:
            one = value[part] if isinstance(value, Mapping) else value
            found.append(Leaf(f"{key}.{part}", part, declared, one))
    return found


@dataclass
class Entry:
    """A table of the rules: its values, and how many of them are not the box's."""

    table: str
    title: str
    values: list[tuple[str, str, str]] = field(default_factory=list)
    """Key, value, where it comes from."""
    changed: bool = False


def entry_of(rules: Any, table: str, keys: Mapping[str, Any]) -> Entry:
    """Return the values of a table of the rules in words."""
    own = str(keys.get("name") or table.rpartition(".")[2].replace("-", " ").capitalize())
    # What is within another entry says in which.
    outer = table.split(".")[1:-1:2]
    entry = Entry(table, f"{own} ({', '.join(outer)})" if len(table.split(".")) > 2 else own)
    for key, value in keys.items():
        if key == "name":
            continue
        words = {rules.provenance.get(leaf, "") for leaf in rules.schema.leaf_keys(table, key)}
        word = next((each for each in ("changed", "assumed", "public") if each in words), "rulebook")
        entry.values.append((key, shown(value), word))
        entry.changed = entry.changed or word == "changed"
    return entry


def shown(value: Any) -> str:
    """Return a value of the rules in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {shown(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(shown, value)) or "–"
    return "–" if value is None else str(value)

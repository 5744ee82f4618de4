"""``rules show``: a game's rules, and where each value comes from; also as a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec

from analysis import rules_reports
from analysis.front.bundles import RulesFiles
from analysis.front.kinds import Pick
from analysis.front.page import Cell, Column, Page, Section, Table
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, Running, imported
from engine.rulefiles import EntryTable, Schema, canonical_id, toml_value

__all__ = ["RulesShown", "show_of"]


class Show(msgspec.Struct, frozen=True, kw_only=True):
    """Which rules are shown."""

    sections: tuple[
        Annotated[str, param("Section; all if none is named.", kind=Pick("sections"), argument=True)], ...
    ] = ()
    rules: RulesFiles = RulesFiles()


class RulesShown(Answer, frozen=True, kw_only=True):
    """Rules, and where each value comes from.

    Attributes
    ----------
    values : section -> key -> value; entries by their ids, and entries within entries.
    provenance : dotted key of a value -> ``rulebook``, ``public``, ``assumed`` or ``changed``.
    words : dotted key of a value that is data, such as effects -> what it says, in words.
    toml : the same as a rules file.
    """

    values: dict[str, Any]
    provenance: dict[str, str]
    words: dict[str, str]
    toml: str


def show_of(game: Any) -> Question[Any, RulesShown]:
    """Return the question that shows a game's rules."""
    return Question(
        name="rules show",
        about="Show the rules, and where each value comes from. A file called"
        " my.xlsx, or cards.csv for one sheet, becomes a spreadsheet: a row for each card or unit. What you"
        " change there is laid over the box wherever a rules file goes: --rules my.xlsx.",
        asked=Show,
        answers=RulesShown,
        function=partial(show, game),
        page=partial(show_page, game),
        examples=(
            "rules show",
            f"rules show --set {game.rules_example}",
            "rules show --format toml -o my.toml",
            "rules show -o my.xlsx",
        ),
        exactness="exact",
        shows_ids=True,
        document=lambda found: found.toml,
        document_format="toml",
        document_first=False,
        written=partial(written, game),
    )


# ---- show --------------------------------------------------------------------------------------------------


def show(game: Any, asked: Show, running: Running) -> RulesShown:
    """Return sections of the rules."""
    from engine.rulelayers import to_toml

    rules = game.rules_of(asked.rules)
    known = rules.schema.sections
    chosen = [section for section in known if section in asked.sections] or list(known)
    report = rules_reports.as_json(rules.tables(), rules, chosen)
    return RulesShown(
        rules=game.rules_note(rules),
        values={section: report[section] for section in chosen},
        provenance=report["provenance"],
        words={} if game.value_words is None else imported(game.value_words)(rules),
        toml=to_toml(rules, chosen),
    )


def written(game: Any, asked: Show, file: Path) -> tuple[bytes, Page] | None:
    """Return the rules as a spreadsheet if a file's name asks for one."""
    from analysis.front import sheets

    return sheets.written(game.rules_of(asked.rules), file)


def show_page(game: Any, found: RulesShown) -> Page:
    """Return the rules as tables: one of single values, or of entries, for each section."""
    assert found.rules is not None
    schema = game.schema
    sections: list[Section] = []
    for name in found.values:
        if name in schema.tables:
            sections.append(_single(name, found))
        else:
            sections += _entries(game.schema, name, found.values[name], found, name)
    notes = [f"Values, sha256 {found.rules.sha256}."]
    if "assumed" in found.provenance.values():
        notes.append("assumed: the rulebook's text does not state this value.")
    if "public" in found.provenance.values():
        notes.append("public: stated by the publisher or by owners, not in the rulebook's text.")
    return Page(headline=f"{found.rules.name}.", sections=sections, notes=notes)


def _single(section: str, found: RulesShown) -> Table:
    rows: list[list[Cell]] = []
    for key, value in found.values[section].items():
        for part, one in value.items() if isinstance(value, dict) else [("", value)]:
            dotted = f"{key}.{part}" if part else key
            words = {
                word for leaf, word in found.provenance.items() if _stands_for(leaf, f"{section}.{dotted}")
            }
            rows.append([dotted, value_text(one), ", ".join(sorted(words))])
    return Table([Column("key", "key"), Column("value", "value"), Column("source", "source")], rows, section)


def _stands_for(leaf: str, key: str) -> bool:
    return f"{leaf}.".startswith(f"{key}.") or f"{key}.".startswith(f"{leaf}.")


def _entries(
    schema: Schema, path: str, entries: Mapping[str, Any], found: RulesShown, title: str
) -> list[Section]:
    """A table of the entries of one kind, and those of what is inside them."""
    kind = schema.entry_table(path)
    assert kind is not None
    usual = kind.optional
    keys = [key for key in kind.fields if any(entry.get(key) != usual.get(key) for entry in entries.values())]
    if "name" in keys and all(canonical_id(entry.get("name", "")) == id for id, entry in entries.items()):
        keys.remove("name")
    sources = {id: _sources(f"{path}.{id}", kind, found.provenance) for id in entries}
    words = [word for by_key in sources.values() for word in by_key.values()]
    common = max(dict.fromkeys(words), key=words.count) if words else ""
    odd = {id: _odd(by_key, common) for id, by_key in sources.items()}
    columns = [Column("id", kind.word), *(_column(key, entries) for key in keys)]
    columns += [Column("source", "source")] if any(odd.values()) else []
    rows = [
        [
            id,
            *(_cell(entry.get(key), found.words.get(f"{path}.{id}.{key}")) for key in keys),
            *([odd[id]] if any(odd.values()) else []),
        ]
        for id, entry in entries.items()
    ]
    # A kind that is nothing but a name, such as a clan, is named by the tables of what is inside.
    sections: list[Section] = (
        [Table(columns, rows, f"{title} ({common})" if common else title)] if keys else []
    )
    for below in kind.below:
        for id, entry in entries.items():
            sections += _entries(schema, f"{path}.{id}.{below}", entry[below], found, f"{title}: {id}")
    return sections


def _column(key: str, entries: Mapping[str, Any]) -> Column:
    plain = all(type(entry[key]) is int for entry in entries.values() if key in entry)
    return Column(key, key, "count" if plain else "word")


def _cell(value: Any, words: str | None) -> Cell:
    if words is not None:
        return words
    return value if type(value) is int or value is None else value_text(value)


def value_text(value: Any) -> str:
    """Return a value of rules in words: parts that are 0 are left out."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        if "one" in value and all(type(one) is int for one in value.values()):
            return "/".join(map(str, value.values()))
        return ", ".join(f"{part} {value_text(one)}" for part, one in value.items() if one != 0)
    if isinstance(value, list | tuple):
        plain = all(isinstance(each, str) for each in value)
        return (", ".join(value) if plain else " ".join(map(toml_value, value))) or "-"
    return str(value)


def _sources(path: str, kind: EntryTable, provenance: Mapping[str, str]) -> dict[str, str]:
    """Where an entry's values come from, by key; what is inside the entry has a table of its own."""
    own = {
        key.removeprefix(f"{path}."): word for key, word in provenance.items() if key.startswith(f"{path}.")
    }
    return {key: word for key, word in own.items() if key.partition(".")[0] not in kind.below}


def _odd(by_key: Mapping[str, str], common: str) -> str:
    """Which values come from elsewhere than most of the table."""
    odd: dict[str, list[str]] = {}
    for key, word in by_key.items():
        if word != common:
            odd.setdefault(word, []).append(key)
    whole = len(odd) == 1 and sum(map(len, odd.values())) == len(by_key)
    return "; ".join(word if whole else f"{word}: {', '.join(keys)}" for word, keys in odd.items())

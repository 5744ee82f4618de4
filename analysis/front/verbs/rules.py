"""``rules``: a game's rules shown, and rules files checked and compared."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec

from analysis import rules_reports
from analysis.errors import RequestError
from analysis.exit_codes import EXIT_USAGE
from analysis.front.bundles import RulesFiles
from analysis.front.kinds import Pick
from analysis.front.page import Cell, Column, Fact, Facts, Page, Section, Table
from analysis.front.parameters import param
from analysis.front.question import Answer, Question, Running, imported
from engine.rulefiles import EntryTable, Schema, canonical_id, toml_value

__all__ = ["RulesChecked", "RulesCompared", "RulesShown", "check_of", "diff_of", "show_of"]


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


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """Which rules files are checked."""

    files: tuple[Annotated[Path, param("Rules file; repeatable.", argument=True)], ...] = ()
    rules: RulesFiles = RulesFiles()


class Wrong(msgspec.Struct, frozen=True):
    """One thing that is wrong with rules: where it stands, what stands there, and what may."""

    file: str
    table: str
    key: str
    value: str | None
    reason: str
    allowed: str
    message: str


class Checked(msgspec.Struct, frozen=True):
    """Whether some rules can be used, which values they change, and what else is worth knowing."""

    rules: str
    ok: bool
    changed: list[str]
    problems: list[Wrong]
    notes: list[str] = []


class RulesChecked(Answer, frozen=True, kw_only=True):
    """What is wrong with rules files, one after another."""

    files: list[Checked]

    @property
    def exit_code(self) -> int:
        """Wrong usage if a file cannot be used."""
        return 0 if all(each.ok for each in self.files) else EXIT_USAGE


class Compare(msgspec.Struct, frozen=True, kw_only=True):
    """Which rules are compared."""

    files: tuple[
        Annotated[Path, param("Rules file; repeatable.", argument=True)],
        ...,
    ] = ()
    rules: RulesFiles = RulesFiles()


class Difference(msgspec.Struct, frozen=True):
    """A value that differs; None where there is none."""

    key: str
    left: Any
    right: Any


class RulesCompared(Answer, frozen=True, kw_only=True):
    """What differs between two sets of rules.

    Attributes
    ----------
    toml : the differences as a rules file.
    """

    left: str
    right: str
    differences: list[Difference]
    toml: str


_COMMON: Any = {"exactness": "exact", "shows_ids": True}
_TOML: Any = {"document": lambda found: found.toml, "document_format": "toml", "document_first": False}


def show_of(game: Any) -> Question[Any, RulesShown]:
    """Return the question that shows a game's rules."""
    return Question(
        name="rules show",
        about="Show the rules, or only some sections of them, and where each value comes from.",
        asked=Show,
        answers=RulesShown,
        function=partial(show, game),
        page=partial(show_page, game),
        examples=(
            "rules show",
            f"rules show --set {game.rules_example}",
            "rules show --format toml -o my.toml",
        ),
        **_TOML,
        **_COMMON,
    )


def check_of(game: Any) -> Question[Any, RulesChecked]:
    """Return the question that checks rules files of a game."""
    return Question(
        name="rules check",
        about="Check rules files, each on its own: every mistake is named with its file, table, key and"
        " value, and with what is allowed there. The exit code is 2 if a file cannot be used.",
        asked=Check,
        answers=RulesChecked,
        function=partial(check, game),
        page=check_page,
        examples=(f"rules check --set {game.rules_example}",),
        **_COMMON,
    )


def diff_of(game: Any) -> Question[Any, RulesCompared]:
    """Return the question that compares a game's rules with others."""
    return Question(
        name="rules diff",
        about="Compare rules: one file with the box, or two files with each other. What --rules and --set"
        " name is laid over the right-hand side. As TOML the differences are a rules file again.",
        asked=Compare,
        answers=RulesCompared,
        function=partial(compare, game),
        page=compare_page,
        examples=(
            f"rules diff --set {game.rules_example}",
            f"rules diff --set {game.rules_example} --format toml -o my.toml",
        ),
        **_TOML,
        **_COMMON,
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


# ---- check -------------------------------------------------------------------------------------------------


def check(game: Any, asked: Check, running: Running) -> RulesChecked:
    """Check files, each with what lies over it."""
    layers, overrides = asked.rules.rules, asked.rules.set
    if not (asked.files or layers or overrides):
        raise RequestError(f"name a file to check, for example: {game.name} rules check my.toml")
    found = []
    for file in asked.files or (None,):
        files = [*layers, *([] if file is None else [file])]
        label = " + ".join([*map(str, files), *(f"--set {override}" for override in overrides)])
        report = rules_reports.checked(imported(game.load), label, files, overrides)
        checked = msgspec.convert(report, Checked)
        if checked.ok and game.remarks is not None:
            remarks = imported(game.remarks)(game.read(files, overrides))
            checked = msgspec.structs.replace(checked, notes=[*checked.notes, *remarks])
        found.append(checked)
    return RulesChecked(rules=game.rules_note(game.read()), files=found)


def check_page(found: RulesChecked) -> Page:
    """Return a verdict on each file."""
    sections: list[Section] = []
    for each in found.files:
        count = f"sound; {len(each.changed) or 'no'} value{'' if len(each.changed) == 1 else 's'} changed"
        facts = [Fact("rules", "rules", each.rules)]
        facts.append(Fact("verdict", "verdict", count if each.ok else "cannot be used"))
        facts += [Fact(f"problem_{n}", "problem", wrong.message) for n, wrong in enumerate(each.problems, 1)]
        facts += [Fact(f"note_{n}", "note", note) for n, note in enumerate(each.notes, 1)]
        sections.append(Facts(facts))
    good = sum(each.ok for each in found.files)
    if len(found.files) == 1:
        headline = "These rules can be used." if good else "These rules cannot be used."
    else:
        headline = f"{good} of {len(found.files)} files can be used."
    return Page(headline=headline, sections=sections)


# ---- diff --------------------------------------------------------------------------------------------------


def compare(game: Any, asked: Compare, running: Running) -> RulesCompared:
    """Compare two sets of rules."""
    from engine.rulelayers import diff_rules

    if len(asked.files) > 2:
        raise RequestError("at most two files can be compared")
    left = game.read(asked.files[:-1])
    right = game.rules_of(RulesFiles(rules=(*asked.files[-1:], *asked.rules.rules), set=asked.rules.set))
    rows = diff_rules(left, right)
    return RulesCompared(
        rules=game.rules_note(right),
        left=left.name,
        right=right.name,
        differences=[Difference(*row) for row in rows],
        toml=rules_reports.as_rules_file(game.schema, left, right, rows),
    )


def compare_page(found: RulesCompared) -> Page:
    """Return the values that differ."""
    if not found.differences:
        return Page(headline=f"{found.left} and {found.right}: no difference.")
    columns = [Column("key", "key"), Column("left", "left"), Column("right", "right")]
    rows: list[list[Cell]] = [
        [each.key, *("-" if value is None else toml_value(value) for value in (each.left, each.right))]
        for each in found.differences
    ]
    number = f"{len(rows)} value{'' if len(rows) == 1 else 's'}"
    return Page(
        headline=f"{found.right}, on the right, differs in {number} from {found.left}, on the left.",
        sections=[Table(columns, rows)],
    )

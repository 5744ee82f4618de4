"""Rules files of any game: keys and what they may hold, and the words for saying what is wrong with one.

A game describes its files by a `Schema`; `engine.rulelayers` reads them. Imports nothing heavy: library
answers and `--help` read rules too.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, get_args

import msgspec
from msgspec import Meta

PROVENANCES = ("rulebook", "public", "assumed", "changed")
"""Where a value comes from: the rulebook, public words of publisher or owners, an assumption of ours; or it
differs from the box."""

_KEBAB = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class Field(NamedTuple):
    """One key of a rules file.

    Attributes
    ----------
    type, allowed : the type its value is converted to, and that type in words.
    words, word : for a list, the words it may hold, in their canonical order, and what one of them is called.
    parts, part : for a value by parts (one number for all of them, or a table), their keys and what one is.
    """

    type: Any
    allowed: str
    words: tuple[str, ...] = ()
    word: str = ""
    parts: tuple[str, ...] = ()
    part: str = ""

    @property
    def is_list(self) -> bool:
        """Whether the value is a list of words."""
        return bool(self.words)

    @property
    def by_parts(self) -> str:
        """What a value by parts may be, in words."""
        return f"{self.allowed}, or {{ {', '.join(f'{part} = ..' for part in self.parts)} }}"


class EntryTable(NamedTuple):
    """Tables whose entries the file names, `[cards.basher]`.

    Attributes
    ----------
    fields : key -> field of every entry.
    word : what an entry is called.
    names : the only entries there can be; none if a file may add others.
    optional : keys that a new entry may leave out, and what they are then.
    below : tables of entries inside each entry, `[clans.bohorg.units.pummeler]`.
    fixed : keys of every entry whose values are part of the program, though a file may repeat them.
    """

    fields: Mapping[str, Field]
    word: str
    names: tuple[str, ...] = ()
    optional: Mapping[str, Any] = {}
    below: Mapping[str, "EntryTable"] = {}
    fixed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Schema:
    """What the rules files of one game may hold.

    Attributes
    ----------
    tables : tables that hold their keys directly, `[match]`.
    entries : tables of named entries.
    example : an override, for messages.
    """

    tables: Mapping[str, Mapping[str, Field]]
    entries: Mapping[str, EntryTable]
    example: str
    top_keys: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "top_keys", ("name", *self.tables, *self.entries))

    @property
    def sections(self) -> tuple[str, ...]:
        """Names of all tables, in the order in which they are shown."""
        return (*self.tables, *self.entries)

    def entry_table(self, path: str) -> EntryTable | None:
        """The table of entries that a path names, or that it names an entry of; none if there is no such."""
        first, *rest = path.split(".")
        kind = self.entries.get(first)
        while kind is not None and len(rest) > 1:
            kind, rest = kind.below.get(rest[1]), rest[2:]
        return kind

    def kinds(self) -> dict[str, EntryTable]:
        """The tables of entries by path; those inside entries have `*` for the entry's id."""
        found: dict[str, EntryTable] = {}

        def walk(path: str, kind: EntryTable) -> None:
            found[path] = kind
            for name, below in kind.below.items():
                walk(f"{path}.*.{name}", below)

        for name, kind in self.entries.items():
            walk(name, kind)
        return found

    @staticmethod
    def is_entry(table: str, path: str) -> bool:
        """Whether a table is an entry of a kind: ``clans.bohorg.units.pummeler`` of ``clans.*.units``."""
        parts, place = table.split("."), path.split(".")
        return len(parts) == len(place) + 1 and all(a in ("*", b) for a, b in zip(place, parts, strict=False))

    def fields(self, path: str) -> Mapping[str, Field]:
        """The keys of a table, of an entry, or of a table's entries; none if there is no such table."""
        if path in self.tables:
            return self.tables[path]
        kind = self.entry_table(path)
        return {} if kind is None else kind.fields

    def table_of(self, key: str) -> str:
        """The table, or the entry, in which a dotted key stands."""
        parts = key.split(".")
        if parts[0] in self.tables:
            return parts[0]
        depth, kind = 2, self.entries[parts[0]]
        while depth < len(parts) and parts[depth] in kind.below:
            depth, kind = depth + 2, kind.below[parts[depth]]
        return ".".join(parts[:depth])

    def leaf_keys(self, path: str, key: str) -> list[str]:
        """The dotted keys of one key's values: one, or one for each part."""
        parts = self.fields(path)[key].parts
        return [f"{path}.{key}.{part}" for part in parts] if parts else [f"{path}.{key}"]


def whole_number(low: int, high: int, *, parts: tuple[str, ...] = (), part: str = "") -> Field:
    """A whole number within bounds, by parts if there are any."""
    return Field(
        Annotated[int, Meta(ge=low, le=high)], f"a whole number from {low} to {high}", parts=parts, part=part
    )


def choice(literal: Any) -> Field:
    """One of the words of a `Literal`."""
    words = [f'"{word}"' for word in get_args(literal)]
    return Field(literal, f"{', '.join(words[:-1])} or {words[-1]}")


_CONTROL = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
_ONE_LINE = rf"^[^\s{_CONTROL}]([^{_CONTROL}]*[^\s{_CONTROL}])?\Z"


def text(length: int) -> Field:
    """A text on one line."""
    return Field(
        Annotated[str, Meta(min_length=1, max_length=length, pattern=_ONE_LINE)],
        f"a text of 1 to {length} characters on one line",
    )


RULES_NAME = text(200)


class Problem(NamedTuple):
    """One thing that is wrong: where it stands, what stands there, and what may stand there."""

    file: str
    table: str
    key: str
    value: Any
    reason: str
    allowed: str

    def __str__(self) -> str:
        where = [f"[{self.table}]"] if self.table else []
        value = "" if self.value is MISSING else f" = {toml_value(self.value)}"
        where += [f"{self.key}{value}"] if self.key else []
        allowed = f"; allowed: {self.allowed}" if self.allowed else ""
        place = f"{' '.join(where)}: " if where else ""
        return f"{self.file}: {place}{self.reason}{allowed}"


MISSING = object()
"""Stands for the value of a key that is not there."""


def file_problem(file: str, reason: str, allowed: str = "") -> Problem:
    """Return what is wrong with a whole file, or with a place in it that is no table."""
    return Problem(file, "", "", MISSING, reason, allowed)


class RulesError(Exception):
    """Rules that cannot be used; a line per problem: file, table, key, value, reason, and what is allowed."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class UnknownNameError(Exception):
    """Nothing of that name; `matches` are the closest ids and `choices` all of them."""

    def __init__(self, kind: str, query: str, choices: Iterable[str]) -> None:
        self.kind, self.query, self.choices = kind, query, tuple(choices)
        self.matches = close_matches(canonical_id(query), self.choices)
        hint = f"did you mean {' or '.join(self.matches)}? " if self.matches else ""
        super().__init__(f"no {kind} is called {query!r}; {hint}there are: {', '.join(self.choices)}")


class AmbiguousNameError(UnknownNameError):
    """The beginning of several names; `matches` are their ids."""

    def __init__(self, kind: str, query: str, matches: Iterable[str]) -> None:
        self.kind, self.query = kind, query
        self.choices = self.matches = tuple(matches)
        Exception.__init__(self, f"{query!r} may be {' or '.join(self.matches)}; write more of it")


def find_name(kind: str, query: str, names: Mapping[str, Iterable[str]]) -> str:
    """Find what is called so, whatever the case: in full, without its article, or by a beginning of its own.

    Parameters
    ----------
    kind : what these are, in words.
    names : id -> the names it goes by.

    Raises
    ------
    UnknownNameError
        If there is none, or more than one (`AmbiguousNameError`).
    """
    wanted = canonical_id(query)
    spelt = {entry: {entry, *map(canonical_id, also)} for entry, also in names.items()}
    for entry, spellings in spelt.items():
        if wanted in spellings:
            return entry
    begun = [
        entry
        for entry, spellings in spelt.items()
        if wanted and any(each.startswith(wanted) for full in spellings for each in (full, _bare(full)))
    ]
    alone = [entry for entry in begun if wanted in map(_bare, spelt[entry])] or begun
    if len(alone) == 1:
        return alone[0]
    if begun:
        raise AmbiguousNameError(kind, query, begun)
    raise UnknownNameError(kind, query, names)


def _bare(name: str) -> str:
    """Return an id without the article that it begins with."""
    return re.sub(r"^(the|a|an)-", "", name)


def canonical_id(query: str) -> str:
    """Spell a name as an id: `The Nameless` -> `the-nameless`."""
    return re.sub(r"[^a-z0-9]+", "-", query.casefold()).strip("-")


def is_kebab(text: str) -> bool:
    """Whether this can be the id of a new entry."""
    return len(text) <= 40 and _KEBAB.fullmatch(text) is not None


def close_matches(word: str, choices: Iterable[str]) -> tuple[str, ...]:
    """Up to three of the choices that are spelt like the word, the closest first."""
    import difflib  # here, since only errors need it

    return tuple(difflib.get_close_matches(word.casefold(), list(choices), n=3, cutoff=0.6))


def unknown(what: str, word: str, choices: Iterable[str]) -> str:
    """Say that there is no such thing, with the nearest that there is."""
    matches = close_matches(word, choices)
    return f"there is no such {what}" + (f"; did you mean {' or '.join(matches)}?" if matches else "")


def toml_key(key: str) -> str:
    """Spell a key as in a TOML file: quoted where it must be."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_value(key)


def toml_value(value: Any) -> str:
    """Spell a value as in a TOML file, on one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        encodable = value.encode("utf-8", "backslashreplace").decode()
        # DEL is the one character that JSON leaves bare and TOML wants escaped.
        return msgspec.json.encode(encodable).decode().replace("\x7f", "\\u007f")
    return str(value)


def one_line(text: str, length: int) -> str:
    """Make any text, a file name for instance, fit to be the name of a set of rules."""
    encodable = text.encode("utf-8", "replace").decode()
    return re.sub(f"[{_CONTROL}]", "?", encodable).strip()[:length].strip() or "rules"


def check_value(field: Field, value: Any, report: Callable[[str, str], None]) -> bool:
    """Whether the value fits the field; otherwise `report(reason, allowed)` is called once."""
    try:
        msgspec.convert(value, field.type)
    except msgspec.ValidationError:
        report(_why_not(field, value), field.by_parts if field.parts else field.allowed)
        return False
    return True


def _why_not(field: Field, value: Any) -> str:
    if field.is_list and isinstance(value, list):
        for item in value:
            if item not in field.words:
                if isinstance(item, str):
                    return f"{toml_value(item)}: " + unknown(field.word, item, field.words)
                return f"{toml_value(item)} is no {field.word}"
        return "not allowed here" if value else "must not be empty"
    if field.is_list:
        return "must be a list"
    if isinstance(value, int) and not isinstance(value, bool) and "whole number" in field.allowed:
        return "out of range"
    return "not allowed here"

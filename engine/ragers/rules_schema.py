"""What a rules file may hold: tables, keys, ranges, and the words for saying what is wrong with one.

Imports nothing heavy: library answers and `--help` read rules too.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec
from msgspec import Meta

Attack = Literal["basher", "slasher", "prodder"]
Icon = Literal["basher", "slasher", "prodder", "chancer", "cheater", "deadeye", "stopper", "veteran"]

TYPES: tuple[str, ...] = get_args(Icon)
"""The eight card types (C1); a type's position here is its id everywhere."""
ATTACK_NAMES: tuple[str, ...] = get_args(Attack)
PLAYERS: tuple[str, ...] = ("accusers", "defenders")
"""The two sides (C1): player 0 and player 1."""

PROVENANCES = ("rulebook", "assumed", "changed")
MAX_COPIES = 9
MAX_DECK = 60
MAX_OF_ONE_ICON = 3
MAX_ENTRIES = 16
"""Patrons at most, and cheers cards at most."""

_KEBAB = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class Field(NamedTuple):
    """One key of a rules file: the type its value is converted to, and that type in words."""

    type: Any
    allowed: str
    is_list: bool = False


def _whole_number(low: int, high: int) -> Field:
    return Field(Annotated[int, Meta(ge=low, le=high)], f"a whole number from {low} to {high}")


def _icons(low: int, high: int, icons: Any = Icon) -> Field:
    names = ", ".join(get_args(icons))
    count = f"{low} to {high} of" if low else "a list of any of"
    return Field(Annotated[list[icons], Meta(min_length=low, max_length=high)], f"{count} [{names}]", True)


_CONTROL = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
_ONE_LINE = rf"^[^\s{_CONTROL}]([^{_CONTROL}]*[^\s{_CONTROL}])?\Z"


def _text(length: int) -> Field:
    return Field(
        Annotated[str, Meta(min_length=1, max_length=length, pattern=_ONE_LINE)],
        f"a text of 1 to {length} characters on one line",
    )


RULES_NAME = _text(200)
_NAME = _text(40)
_GP = _whole_number(0, 20)
COPIES = _whole_number(0, MAX_COPIES)
FORBIDDEN = _icons(0, len(TYPES))

# Tables whose entries are named by the file ([cards.basher]), and the one that holds its keys directly.
ENTRY_FIELDS: Mapping[str, Mapping[str, Field]] = {
    "cards": {
        "kind": Field(Literal["attack", "special"], '"attack" or "special"'),
        "beats": _icons(0, len(ATTACK_NAMES) - 1, Attack),
        "copies": COPIES,
        "gp": _GP,
    },
    "patrons": {
        "name": _NAME,
        "row_length": Field(
            Annotated[int, Meta(ge=2, le=7)] | Literal["match"], 'a whole number from 2 to 7, or "match"'
        ),
        "forbidden": FORBIDDEN,
    },
    "cheers": {"name": _NAME, "required": _icons(1, 4), "forbidden": FORBIDDEN, "gp": _GP},
}
OPTIONAL_KEYS: Mapping[str, Mapping[str, Any]] = {
    "cards": {},
    "patrons": {"row_length": "match"},
    "cheers": {"forbidden": []},
}
"""Keys that a new entry may leave out, and what they are then."""
MATCH_FIELDS: Mapping[str, Field] = {
    "days": _whole_number(1, 5),
    "hand_size": _whole_number(2, 7),
    "discards": _whole_number(0, 1),
    "row_length": _whole_number(2, 7),
    "winning_lead": _whole_number(1, 999),
}
TOP_KEYS = ("name", "match", *ENTRY_FIELDS)


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


class RulesError(Exception):
    """Rules that cannot be used; a line per problem: file, table, key, value, reason, and what is allowed."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class UnknownNameError(Exception):
    """No patron, or no cheers card, of that name; `matches` are the closest ids and `choices` all of them."""

    def __init__(self, kind: str, query: str, choices: Iterable[str]) -> None:
        self.kind, self.query, self.choices = kind, query, tuple(choices)
        self.matches = close_matches(canonical_id(query), self.choices)
        hint = f"did you mean {' or '.join(self.matches)}? " if self.matches else ""
        super().__init__(f"no {kind} is called {query!r}; {hint}there are: {', '.join(self.choices)}")


def canonical_id(query: str) -> str:
    """Spell a name as an id: `The Nameless` -> `the-nameless`."""
    return re.sub(r"[^a-z0-9]+", "-", query.casefold()).strip("-")


def is_kebab(text: str) -> bool:
    """Whether this can be the id of a patron or a cheers card."""
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
        report(_why_not(field, value), field.allowed)
        return False
    return True


def _why_not(field: Field, value: Any) -> str:
    if field.is_list and isinstance(value, list):
        for item in value:
            if item not in TYPES:
                if isinstance(item, str):
                    return f"{toml_value(item)}: " + unknown("card type", item, TYPES)
                return f"{toml_value(item)} is no card type"
        return "not allowed here" if value else "must not be empty"
    if field.is_list:
        return "must be a list"
    if isinstance(value, int) and not isinstance(value, bool) and "whole number" in field.allowed:
        return "out of range"
    return "not allowed here"

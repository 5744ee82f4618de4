"""Values that come from the rules: one of a list, so many of each of a list, and parts made of these.

A `Parts` struct has one text notation, which `read_parts` and `parts_text` take apart and write: its picks,
with ``/`` between them, then after a colon what is counted, with ``;`` between several groups:
``orc/warrior: great-sword, 2 wolf-fang``. Names come from the rules, so a card of a rules file is among them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from analysis.errors import RequestError
from engine.rulefiles import AmbiguousNameError, UnknownNameError, canonical_id, find_name

__all__ = [
    "Counts",
    "Holding",
    "Kind",
    "Lineup",
    "Mark",
    "Named",
    "Names",
    "Parts",
    "PartsKind",
    "Pick",
    "Steps",
    "counts_text",
    "read_counts",
    "read_parts",
    "read_pick",
    "singular",
]

_NUMBERED = re.compile(r"(\d+)(?:\s*[x×]?\s+|(?=[^\W\d]))(.+)|(.+?)\s+[x×]?\s*(\d+)")


class Named(msgspec.Struct, frozen=True):
    """One entry of a list of the rules.

    Attributes
    ----------
    id, name : as it is typed, and as it is shown.
    about : a sentence on what it does.
    most : how many of it there can be in one `Counts`; None without a limit.
    group : what it belongs to, such as the clan of a unit.
    short : a capital letter that stands for it in counts, ``BBS`` and ``B B S``; empty without one.
    also : other words for it, such as its level.
    """

    id: str
    name: str
    about: str = ""
    most: int | None = None
    group: str = ""
    short: str = ""
    also: tuple[str, ...] = ()


Names = Mapping[str, Sequence[Named]]
"""The lists of a game's rules, by what they are called."""


@dataclass(frozen=True)
class Pick:
    """One entry of a list of the rules: its id, or the beginning of its name.

    Attributes
    ----------
    names : the list.
    of : the field whose value is the group that entries have to belong to.
    """

    names: str
    of: str = ""


@dataclass(frozen=True)
class Counts:
    """How many of each entry of a list: a mapping of ids to whole numbers above 0.

    Attributes
    ----------
    names, of : see `Pick`.
    least, most : how many in all.
    """

    names: str
    of: str = ""
    least: int = 0
    most: int | None = None


@dataclass(frozen=True)
class Mark:
    """What can stand behind the name of an entry of a `Lineup`.

    Attributes
    ----------
    name, about : of what it says.
    text : how it is written; ``{}`` stands for a number.
    least, most : of that number.
    """

    name: str
    about: str
    text: str
    least: int = 0
    most: int | None = None


@dataclass(frozen=True)
class Lineup:
    """Entries of a list with commas between them, each with marks behind its name: ``Bastion@S w5, Thorn``.

    The value is that text: the game reads it, and says what is wrong.

    Attributes
    ----------
    names : the list.
    ready : the list of lineups that have a name of their own, which may stand for them; empty if none has.
    marks : what can stand behind an entry.
    most : how many entries.
    """

    names: str
    ready: str = ""
    marks: tuple[Mark, ...] = ()
    most: int | None = None


@dataclass(frozen=True)
class Holding:
    """An entry of a list with others that it has, after a colon: ``Executioner: axe, buckler``.

    The value is that text: the game reads it, and says what is wrong.

    Attributes
    ----------
    names, held : the lists.
    most : how many it can have.
    """

    names: str
    held: str
    most: int = 3


@dataclass(frozen=True)
class Steps:
    """What two sides did, step by step: ``B/S; P/P``, with ``/`` between both and ``;`` between steps.

    The value is that text: the game reads it, and says what is wrong.

    Attributes
    ----------
    names, other : the lists of what the one and the other can have done.
    most : how many steps.
    """

    names: str
    other: str
    most: int = 6


@dataclass(frozen=True)
class PartsKind:
    """A `Parts` struct."""


Kind = Pick | Counts | Lineup | Holding | Steps | PartsKind


class Parts(msgspec.Struct, frozen=True):
    """A value made of picks and counts, each a field; subclasses declare them with `parameters.param`."""


_Parts = TypeVar("_Parts", bound=Parts)


def read_pick(kind: Pick, text: str, names: Names, option: str, group: str = "") -> str:
    """Return the id of the entry that a text names.

    Raises
    ------
    RequestError
        With the nearest names, if none or several are meant.
    """
    known = _entries(kind, names, group)
    try:
        return find_name(
            singular(kind.names), text.strip(), {each.id: [each.name, *each.also] for each in known}
        )
    except (UnknownNameError, AmbiguousNameError) as error:
        word = canonical_id(text)
        homes = [each for each in names[kind.names] if kind.of and word in (each.id, canonical_id(each.name))]
        if homes and not isinstance(error, AmbiguousNameError):
            own = ", ".join(each.name for each in known)
            said = f"{homes[0].name} belongs to {homes[0].group}, not to {group}, which has {own}"
            raise RequestError(said, option) from None
        if word.isdigit():
            said = f"{text.strip()!r} is a number without a {singular(kind.names)}"
            raise RequestError(f"{said}; there are: {', '.join(each.id for each in known)}", option) from None
        raise RequestError(str(error), option) from None


def read_counts(kind: Counts, text: str, names: Names, option: str, group: str = "") -> dict[str, int]:
    """Return how many of each entry a text names: ``2 Executioner, 1 Kragrider``, ``B B S``, ``BBS``.

    Raises
    ------
    RequestError
        For what is in no list, and for too many or too few.
    """
    found: dict[str, int] = {}
    known = {each.id: each for each in _entries(kind, names, group)}
    letters = {each.short: each.id for each in known.values() if each.short}
    for word in _words(text, known, letters):
        number, name = _numbered(word, known)
        name = letters.get(name.upper(), name)
        entry = known[read_pick(Pick(kind.names, kind.of), name, names, option, group)]
        found[entry.id] = found.get(entry.id, 0) + number
        if entry.most is not None and found[entry.id] > entry.most:
            raise RequestError(f"{found[entry.id]} of {entry.name}: there are at most {entry.most}", option)
    return _checked(kind, {name: number for name, number in found.items() if number}, option)


def _checked(kind: Counts, found: dict[str, int], option: str) -> dict[str, int]:
    total = sum(found.values())
    if kind.most is not None and total > kind.most:
        raise RequestError(f"{total} {kind.names}: there can be at most {kind.most}", option)
    if total < kind.least:
        raise RequestError(f"{total} {kind.names}: there have to be at least {kind.least}", option)
    return found


def counts_text(counts: Mapping[str, int]) -> str:
    """Return counts as `read_counts` reads them."""
    words: list[str] = []
    for name, number in counts.items():
        # A number before a name made of digits would read like two names.
        words += [name] * number if number == 1 or name.isdigit() else [f"{number} {name}"]
    return ", ".join(words)


def read_parts(
    struct: type[_Parts], kinds: Mapping[str, Kind], text: str, names: Names, option: str
) -> _Parts:
    """Return a `Parts` struct from its text.

    Parameters
    ----------
    kinds : of its fields, picks before counts.
    """
    picks = [name for name, kind in kinds.items() if isinstance(kind, Pick)]
    counted = [name for name, kind in kinds.items() if isinstance(kind, Counts)]
    head, colon, tail = text.partition(":")
    if not picks:
        head, tail = "", text
    chosen = [part.strip() for part in head.split("/")] if picks else []
    groups = [part.strip() for part in tail.split(";")] if counted else []
    if len(chosen) != len(picks) or len(groups) > len(counted) or (colon and picks and not counted):
        raise RequestError(f"{text!r}: write {_form(picks, counted)}", option)
    if picks and counted and not colon and len(text.split()) > 1:
        _check_colon(kinds[picks[-1]], chosen[-1], names, f"{text!r}: write {_form(picks, counted)}", option)
    values: dict[str, Any] = {}
    for name, part in zip([*picks, *counted], [*chosen, *groups, *[""] * len(counted)], strict=False):
        kind = kinds[name]
        assert isinstance(kind, Pick | Counts)
        group = values.get(kind.of, "")
        values[name] = (
            read_pick(kind, part, names, option, group)
            if isinstance(kind, Pick)
            else read_counts(kind, part, names, option, group)
        )
    return struct(**values)


def _form(picks: Sequence[str], counted: Sequence[str]) -> str:
    """How a value of such parts is written."""
    form = "/".join(name.upper() for name in picks)
    return form + ": " * bool(picks and counted) + "; ".join(name.upper() for name in counted)


def _check_colon(kind: Kind, text: str, names: Names, said: str, option: str) -> None:
    """Raise RequestError for a pick that others follow without a colon between them."""
    assert isinstance(kind, Pick)
    words = text.split()
    for end in range(len(words), 0, -1):
        try:
            read_pick(kind, " ".join(words[:end]), names, option)
        except RequestError:
            continue
        if end < len(words):
            raise RequestError(f"{said}, with a colon", option)
        return


def _entries(kind: Pick | Counts, names: Names, group: str) -> list[Named]:
    return [each for each in names[kind.names] if not kind.of or each.group == group]


def singular(names: str) -> str:
    """Return the name of one entry of a list."""
    if names.endswith("ies"):
        return f"{names.removesuffix('ies')}y"
    return names.removesuffix("es" if names.endswith("sses") else "s") if not names.endswith("ss") else names


def _words(text: str, known: Mapping[str, Named], letters: Mapping[str, str]) -> list[str]:
    """The entries of a text, with commas between them; names alone may stand apart by blanks only."""
    parts = [part.strip() for part in text.split(",")]
    apart = parts[0].split() if len(parts) == 1 else []
    if len(apart) == 1 and len(apart[0]) > 1 and set(apart[0]) <= set(letters):
        return list(apart[0])
    # Two words that begin with a number are that many of one entry, even where a name is a number.
    counted = len(apart) == 2 and apart[0].isdigit()
    named = all(
        canonical_id(word) in known or (letters and len(word) == 1 and word.isalpha()) for word in apart
    )
    # Where every name is one word, blanks part shortened names, too.
    single = letters and all(word.isalpha() for word in (*apart, *known))
    if len(apart) > 1 and not counted and (named or single):
        parts = apart
    return [part for part in parts if part]


def _numbered(word: str, known: Mapping[str, Named]) -> tuple[int, str]:
    """A number and a name; what is an entry's name as it stands counts once, digits and all."""
    if word in known or any(each.name == word for each in known.values()):
        return 1, word
    found = _NUMBERED.fullmatch(word)
    if found is None:
        return 1, word
    return (int(found[1]), found[2]) if found[1] else (int(found[4]), found[3])

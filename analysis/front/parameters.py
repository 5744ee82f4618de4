"""A question's parameters: the fields of a struct, each declared once with its help, range and default.

A field is declared by ``Annotated[type, param(help, ...)]``; the range stands on the number, not on a union
with None. A field whose type is a `Bundle` holds several parameters, which are parameters of the question
like any other. Whatever asks for values (a command line, a form, a program) works on what `parameters` says.
"""

from __future__ import annotations

import enum
import json
import os
import re
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from analysis.errors import RequestError
from analysis.front.kinds import (
    Counts,
    Holding,
    Kind,
    Lineup,
    Names,
    Parts,
    PartsKind,
    Pick,
    Steps,
    counts_text,
    read_counts,
    read_parts,
    read_pick,
)
from analysis.front.players import Player, players_of, struct_text
from analysis.front.sizes import read_duration
from engine.rulefiles import unknown

__all__ = [
    "EFFORT",
    "Bundle",
    "Parameter",
    "Shape",
    "build",
    "param",
    "parameters",
    "parts_text",
    "read",
    "read_struct",
    "text_of",
    "unheeded",
]

EFFORT = {
    "time_limit": 2,
    "iterations": 4,
    "deals": 4,
    "games": 4,
    "positions": 4,
    "playouts": 4,
    "battles": 4,
}
"""Parameters that allow more work, and how many times as much makes an answer sharper."""
_Asked = TypeVar("_Asked")


class Bundle(msgspec.Struct, frozen=True):
    """Parameters that belong together; inside a question each is an option of its own."""


class Shape(enum.Enum):
    """What values of a parameter look like."""

    WHOLE = "whole number"
    NUMBER = "number"
    TEXT = "text"
    FLAG = "flag"
    CHOICE = "choice"
    FILE = "file"
    PLAYER = "player"
    KIND = "kind"


def param(
    help: str,
    *,
    ge: float | None = None,
    le: float | None = None,
    unit: str = "",
    metavar: str = "",
    kind: Kind | None = None,
    argument: bool = False,
    more: bool = False,
    bare: str = "",
) -> msgspec.Meta:
    """Declare a parameter: the metadata of an `Annotated` type.

    Parameters
    ----------
    help : a whole sentence, shown by ``--help``, in the schema, in the reference and beside a form's field.
    ge, le : the least and the largest value.
    unit : what a number counts; one of seconds, ``s``, may also be written 90s, 30m or 1h30m.
    metavar : what stands for a value in help; made up from the type if empty.
    kind : for values that come from the rules.
    argument : whether a command line takes it by its position, not by an option.
    more : whether a form folds it away at first.
    bare : what the option means if no value follows it.
    """
    extra = {"unit": unit, "metavar": metavar, "kind": kind, "argument": argument, "more": more, "bare": bare}
    shown = {"x-unit": unit} if unit else {}
    if isinstance(kind, Pick | Counts | Lineup | Holding | Steps):
        shown["x-names"] = kind.names
    return msgspec.Meta(
        description=help,
        ge=ge,
        le=le,
        extra={key: value for key, value in extra.items() if value},
        extra_json_schema=shown or None,
    )


@dataclass(frozen=True)
class Parameter:
    """One parameter of a question.

    Attributes
    ----------
    name : of the field; the option is ``--name`` with hyphens.
    path : the fields that lead to it, itself last.
    type : what `msgspec.convert` takes; of one value where it is `repeatable`.
    help, unit, metavar, kind, argument, more, bare : see `param`.
    least, largest : of a number; None without one.
    choices : the words of a choice, or the names of players.
    default : of the field; None also where there is none.
    """

    name: str
    path: tuple[str, ...]
    type: Any
    shape: Shape
    help: str
    default: Any = None
    required: bool = False
    repeatable: bool = False
    optional: bool = False
    unit: str = ""
    metavar: str = ""
    kind: Kind | None = None
    argument: bool = False
    more: bool = False
    bare: str = ""
    least: float | None = None
    largest: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def option(self) -> str:
        """How a command line, and an error, names it."""
        words = self.name.replace("_", "-")
        return words.upper() if self.argument else f"--{words}"

    @property
    def allowed(self) -> str:
        """What may stand there, in words."""
        if self.shape is Shape.CHOICE:
            return f"one of {', '.join(self.choices)}"
        if self.shape not in (Shape.WHOLE, Shape.NUMBER):
            return "yes or no" if self.shape is Shape.FLAG else f"a {self.shape.value}"
        words = f"a {self.shape.value}"
        if self.least is not None and self.largest is not None:
            return f"{words} from {_plain(self.least)} to {_plain(self.largest)}"
        if self.least is not None:
            return f"{words} of at least {_plain(self.least)}"
        return words if self.largest is None else f"{words} of at most {_plain(self.largest)}"


def _plain(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:g}"


def parameters(asked: Any) -> tuple[Parameter, ...]:
    """Return the parameters of a question's struct, those of its bundles included.

    Raises
    ------
    TypeError
        If two have one name, one has no help, or its type is none that a parameter can have.
    """
    return _parameters(asked)


@cache
def _parameters(asked: Any) -> tuple[Parameter, ...]:
    found = tuple(_walk(asked, ()))
    names = [each.name for each in found]
    for name in names:
        if names.count(name) > 1:
            raise TypeError(f"{asked}: there are two parameters called {name!r}")
    return found


def _walk(asked: Any, path: tuple[str, ...]) -> typing.Iterator[Parameter]:
    for each in msgspec.structs.fields(asked):
        if _is_bundle(each.type):
            yield from _walk(each.type, (*path, each.name))
        else:
            yield _parameter(each, (*path, each.name))


def unheeded(asked: msgspec.Struct, why: str, *names: str, declared: Any = None) -> None:
    """Raise RequestError if one of these parameters is not at its default: this answer would not heed it.

    Parameters
    ----------
    declared : the struct, if it is generic; a value does not know of what.
    """
    for each in parameters(declared or type(asked)):
        if each.name in names and reduce(getattr, each.path, asked) != each.default:
            raise RequestError(why, each.option)


def _is_bundle(declared: Any) -> bool:
    plain = get_origin(declared) or declared
    return isinstance(plain, type) and issubclass(plain, Bundle)


def _parameter(each: Any, path: tuple[str, ...]) -> Parameter:
    declared, metas, optional = _stripped(each.type)
    repeatable = get_origin(declared) is tuple
    if repeatable:
        declared, inner, _ = _stripped(get_args(declared)[0])
        metas += inner
    told = {key: value for meta in reversed(metas) for key, value in (meta.extra or {}).items()}
    help = next((meta.description for meta in metas if meta.description), None)
    if help is None:
        raise TypeError(f"{'.'.join(path)}: a parameter needs help; declare it with `param`")
    required = each.default is msgspec.NODEFAULT and each.default_factory is msgspec.NODEFAULT
    default = None if each.default is msgspec.NODEFAULT else each.default
    if each.default_factory is not msgspec.NODEFAULT:
        default = each.default_factory()
    shape, choices = _shape(declared, told.get("kind"), path)
    limits = [meta for meta in metas if meta.ge is not None or meta.le is not None]
    return Parameter(
        name=each.name,
        path=path,
        type=Annotated[(declared, *limits)] if limits else declared,
        shape=shape,
        help=help,
        default=default,
        required=required,
        repeatable=repeatable,
        optional=optional,
        least=next((meta.ge for meta in limits if meta.ge is not None), None),
        largest=next((meta.le for meta in limits if meta.le is not None), None),
        choices=choices,
        **told,
    )


def _stripped(declared: Any) -> tuple[Any, list[msgspec.Meta], bool]:
    """A type without its metadata, the metadata, and whether None may stand for it."""
    metas: list[msgspec.Meta] = []
    optional = False
    while True:
        if get_origin(declared) is Annotated:
            declared, *further = get_args(declared)
            metas += [meta for meta in further if isinstance(meta, msgspec.Meta)]
            continue
        parts = get_args(declared) if get_origin(declared) in (Union, types.UnionType) else ()
        if len(parts) == 2 and types.NoneType in parts:
            optional = True
            declared = next(part for part in parts if part is not types.NoneType)
            continue
        return declared, metas, optional


def _shape(declared: Any, kind: Kind | None, path: tuple[str, ...]) -> tuple[Shape, tuple[str, ...]]:
    if kind is not None:
        return Shape.KIND, ()
    players = players_of(declared)
    if players:
        return Shape.PLAYER, tuple(players)
    if get_origin(declared) is Literal:
        return Shape.CHOICE, get_args(declared)
    simple = {int: Shape.WHOLE, float: Shape.NUMBER, str: Shape.TEXT, bool: Shape.FLAG, Path: Shape.FILE}
    if isinstance(declared, type) and issubclass(declared, Parts):
        return Shape.KIND, ()
    if declared not in simple:
        raise TypeError(f"{'.'.join(path)}: no parameter can be a {declared}")
    return simple[declared], ()


# ---- values ------------------------------------------------------------------------------------------------


def read(parameter: Parameter, value: Any, names: Names) -> Any:
    """Return one value of a parameter from a text, or check one that is a value already.

    Raises
    ------
    RequestError
        Naming the parameter's option.
    """
    if isinstance(value, Player | Parts):
        return value
    kind = parameter.kind or (PartsKind() if parameter.shape is Shape.KIND else None)
    if parameter.shape is Shape.FILE:
        return _path(value, parameter.option)
    if isinstance(value, str) and re.search("[\ud800-\udfff]", value):
        # Half a character, as a terminal may send it: no JSON, and so no answer, can repeat that.
        allowed = "a text" if parameter.shape in (Shape.KIND, Shape.PLAYER) else parameter.allowed
        raise RequestError(f"{value!r} is not {allowed}", parameter.option)
    if isinstance(value, str) and parameter.shape is Shape.PLAYER:
        return read_struct(parameter.type, value, parameter.option)
    if isinstance(value, str) and kind is not None:
        return _read_kind(parameter, kind, value, names)
    if isinstance(kind, Counts):
        # A mapping that a program gave is checked like a text.
        return read_counts(kind, counts_text(dict(value)), names, parameter.option)
    if parameter.shape is Shape.CHOICE and value not in parameter.choices:
        raise RequestError(f"{value!r} is not {parameter.allowed}", parameter.option)
    if parameter.unit == "s" and isinstance(value, str) and re.match(r"\s*[\d.].*[a-z]", value.lower()):
        value = read_duration(value, parameter.option)
    try:
        if parameter.shape is Shape.NUMBER and isinstance(value, str) and value[:1] in (".", "+"):
            # People write numbers so, JSON does not.
            value = f"0{value}" if value[0] == "." else value[1:]
        return msgspec.convert(value, parameter.type, strict=False)
    except msgspec.ValidationError:
        raise RequestError(f"{value!r} is not {parameter.allowed}", parameter.option) from None


def read_struct(declared: Any, text: str, option: str) -> Player:
    """Return the player that a text names.

    Raises
    ------
    RequestError
        If there is no such player or setting, or a value that it cannot have.
    """
    players = players_of(declared)
    name, _, tail = text.partition(":")
    name = name.strip()
    if name not in players:
        reason = unknown("player", name, players)
        raise RequestError(f"{name!r}: {reason}; there are {', '.join(players)}", option)
    known = {each.name: each for each in parameters(players[name])}
    values: dict[str, Any] = {}
    for word in _settings(tail):
        key, equals, value = (part.strip() for part in word.partition("="))
        if key not in known:
            reason = unknown("setting", key, known)
            raise RequestError(f"{key!r}: {reason}; {name} has {', '.join(known) or 'no settings'}", option)
        if not equals:
            raise RequestError(f"{word.strip()!r}: write {key}=VALUE, {known[key].allowed}", option)
        plain = json.loads(value) if value.startswith('"') else value
        try:
            values[key] = read(known[key], plain, {})
        except RequestError as error:
            raise RequestError(f"{key}: {error}", option) from None
    return players[name](**values)


def _settings(tail: str) -> Iterator[str]:
    """The settings, at commas that are in no quotation marks."""
    word, quoted, escaped = "", False, False
    for letter in tail:
        if letter == "," and not quoted:
            if word.strip():
                yield word
            word = ""
            continue
        if letter == '"' and not escaped:
            quoted = not quoted
        escaped = letter == "\\" and not escaped
        word += letter
    if word.strip():
        yield word


def _path(value: Any, option: str) -> Path:
    """A path, if a file can be called so at all."""
    try:
        possible = b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:  # half a character
        possible = False
    if not possible:
        raise RequestError(f"{str(value)!r} is no name that a file can have", option)
    return Path(value)


def _read_kind(parameter: Parameter, kind: Kind, text: str, names: Names) -> Any:
    if isinstance(kind, Pick):
        return read_pick(kind, text, names, parameter.option)
    if isinstance(kind, Counts):
        return read_counts(kind, text, names, parameter.option)
    if isinstance(kind, Lineup | Holding | Steps):
        return text
    return read_parts(parameter.type, _kinds_of(parameter.type), text, names, parameter.option)


def _kinds_of(struct: type[Parts]) -> dict[str, Kind]:
    return {each.name: each.kind for each in parameters(struct) if each.kind is not None}


def parts_text(value: Parts) -> str:
    """Return a `Parts` struct as its notation has it."""
    kinds = _kinds_of(type(value))
    picks = "/".join(getattr(value, name) for name, kind in kinds.items() if isinstance(kind, Pick))
    counted = [counts_text(getattr(value, name)) for name, kind in kinds.items() if isinstance(kind, Counts)]
    tail = "; ".join(counted).rstrip("; ")
    return f"{picks}: {tail}" if picks and tail else picks or tail


def text_of(value: Any) -> str:
    """Return one value of a parameter as `read` reads it from a text."""
    if isinstance(value, Parts):
        return parts_text(value)
    if isinstance(value, Player):
        return struct_text(value)
    if isinstance(value, Mapping):
        return counts_text(value)
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def build(asked: type[_Asked], given: Mapping[str, Any], names: Names, *, settles: bool = True) -> _Asked:
    """Return what is asked, from values or texts by parameter name; what is not given keeps its default.

    Parameters
    ----------
    given : a sequence of values where a parameter is repeatable.
    names : the lists of the rules that are asked about.
    settles : whether what is not given has to be in these lists, too.

    Raises
    ------
    RequestError
        Naming the option, if one is missing, wrong, or unknown.
    """
    known = {each.name: each for each in parameters(asked)}
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise RequestError(f"{unknown[0]!r} is no parameter; there are {', '.join(known)}")
    values: dict[str, Any] = {}
    for each in known.values():
        if each.name not in given:
            if each.required:
                raise RequestError("has to be given", each.option)
            usual = each.kind.names in names if isinstance(each.kind, Pick) else False
            if settles and usual and isinstance(each.default, str):
                # Changed rules may no longer have what is usual.
                read(each, each.default, names)
            continue
        value = given[each.name]
        if value is None and each.optional:
            values[each.name] = None
        elif each.repeatable:
            several = [value] if isinstance(value, str | Player | Parts | Path) else value
            values[each.name] = tuple(read(each, one, names) for one in several)
        else:
            values[each.name] = read(each, value, names)
    made: _Asked = _assemble(asked, values, known, ())
    return made


def _assemble(struct: Any, values: Mapping[str, Any], known: Mapping[str, Parameter], path: Any) -> Any:
    found: dict[str, Any] = {}
    for each in msgspec.structs.fields(struct):
        if _is_bundle(each.type):
            found[each.name] = _assemble(each.type, values, known, (*path, each.name))
        elif each.name in values:
            found[each.name] = values[each.name]
    return (get_origin(struct) or struct)(**found)

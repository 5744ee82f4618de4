"""Forms out of declarations: a question's parameters become fields, what is posted becomes parameters again.

Knows no browser: fields have names, labels, ranges, choices and what is wrong with them. A field is called
like its parameter; what belongs to it stands after a dot: ``player.0`` is the first player,
``player.0.search.iterations`` a setting of it, ``first.cards.three`` how many of a card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_origin

import msgspec

from analysis.errors import RequestError
from analysis.front.fields import MOST_SLOTS, Choice, Field, Form, beside, label_of
from analysis.front.kind_fields import (
    holding_field,
    lineup_field,
    read_holding,
    read_lineup,
    read_steps,
    steps_field,
)
from analysis.front.kinds import (
    Counts,
    Holding,
    Lineup,
    Named,
    Names,
    Parts,
    Pick,
    Steps,
    counts_text,
    read_counts,
    read_pick,
)
from analysis.front.parameters import Parameter, Shape, parameters, read, text_of
from analysis.front.players import Player, players_of
from analysis.front.question import Declared

__all__ = [
    "HIDDEN",
    "Choice",
    "Field",
    "Form",
    "Given",
    "carried",
    "form_of",
    "label_of",
    "needs_file",
    "read_form",
    "shown_parameters",
]

HIDDEN = frozenset({"rules", "set", "keep", "scheduler"})
"""Parameters that a form does not ask for: whoever shows it knows the rules, and where work is kept."""
_MISSING = "has to be given"
Given = dict[str, str | list[str]]


def shown_parameters(declared: Declared[Any]) -> list[Parameter]:
    """Return the parameters that a form asks for; of files on this machine it asks nothing."""
    return [each for each in declared.parameters if each.name not in HIDDEN and each.shape is not Shape.FILE]


def carried(declared: Declared[Any], other: Declared[Any], given: Given) -> Given:
    """Return what is given to a question as another one of the same game takes it, as far as it does."""
    shown = {each.name: each for each in shown_parameters(declared)}
    found: Given = {}
    for each in shown_parameters(other):
        value = given.get(each.name)
        usual = shown[each.name].default if each.name in shown else None
        if value is None and usual is not None and usual != each.default:
            # What goes without saying here has to be said there.
            value = text_of(usual)
        if value is not None and each.name in shown:
            several = [value] if isinstance(value, str) else list(value)
            found[each.name] = several if each.repeatable else several[0]
    return found


def needs_file(declared: Declared[Any]) -> bool:
    """Tell whether a question changes files by itself, or has one by its position, such as learned values."""
    files = [each for each in declared.parameters if each.shape is Shape.FILE]
    return declared.local or any(each.required or (each.argument and not each.repeatable) for each in files)


# ---- parameters -> fields ----------------------------------------------------------------------------------


def form_of(
    declared: Declared[Any],
    names: Names,
    given: Mapping[str, Any],
    errors: Mapping[str, str] | None = None,
    posted: Mapping[str, list[str]] | None = None,
) -> Form:
    """Return the form of a question, filled in with what is given, or else with what is usual.

    Parameters
    ----------
    errors : by field, or by parameter; the empty name is the form's own.
    posted : what stood in the fields; it comes back as it was where there are errors.
    """
    errors = dict(errors or {})
    groups: dict[tuple[str, ...], tuple[str, list[Field]]] = {}
    more: list[Field] = []
    docs = _bundles(declared.asked)
    for each in shown_parameters(declared):
        value = given.get(each.name, _usual(declared, each))
        made = _field(each, each.name, _valued(each, value, names), names, declared)
        if posted is not None:
            _refill(made, posted)
        _blame(made, errors)
        if each.more and not each.required:
            more.append(made)
        else:
            place = each.path[:-1]
            groups.setdefault(place, (docs.get(place, ""), []))[1].append(made)
    return Form(list(groups.values()), more, [text for text in errors.values() if text])


def _usual(declared: Declared[Any], parameter: Parameter) -> Any:
    """What stands in a field at first; who plays if nobody is named is shown by name."""
    if parameter.shape is Shape.PLAYER and not parameter.default:
        usual = declared.needs.usual[: 1 if declared.name == "play" else None]
        return tuple(usual) if parameter.repeatable else usual[0]
    return parameter.default


def _bundles(asked: Any) -> dict[tuple[str, ...], str]:
    """What bundles of a question are, by the path to them."""
    found: dict[tuple[str, ...], str] = {}
    for each in msgspec.structs.fields(asked):
        kind = get_origin(each.type) or each.type
        doc = (getattr(kind, "__doc__", "") or "").strip().split("\n")[0]
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            found[(each.name,)] = doc
    return found


def _valued(parameter: Parameter, value: Any, names: Names) -> Any:
    """A value for a field out of a text; what cannot be read any more is left out."""

    def one(text: Any) -> Any:
        try:
            return read(parameter, text, names)
        except (RequestError, KeyError):
            return None

    if value is None:
        return None
    if parameter.repeatable:
        several = [value] if isinstance(value, str) else value
        return [found for found in map(one, several) if found is not None]
    return one(value)


def _field(parameter: Parameter, name: str, value: Any, names: Names, declared: Declared[Any]) -> Field:
    label, more = label_of(parameter.name), parameter.more
    if parameter.repeatable:
        values = list(value or ())
        number = _slots(parameter, len(values), declared)
        slots = [
            _one(
                parameter,
                f"{name}.{place}",
                values[place] if place < len(values) else None,
                names,
                blank=True,
            )
            for place in range(number)
        ]
        for place, each in enumerate(slots, 1):
            each.label, each.help = f"{label} {place}", ""
        return Field(name, "several", label, _about(parameter), more=more, fields=slots)
    made = _one(parameter, name, value, names, blank=parameter.optional or parameter.default is None)
    made.more = more
    return made


def _about(parameter: Parameter) -> str:
    """What a parameter is; where something is picked nobody needs to know how it is typed."""
    if parameter.kind is None:
        return parameter.help
    return parameter.help.partition(". ")[0].partition(", such as")[0].rstrip(".") + "."


def _slots(parameter: Parameter, given: int, declared: Declared[Any]) -> int:
    if parameter.shape is Shape.PLAYER:
        return int(max(declared.needs.seats)) - (declared.name == "play")
    return min(max(given + 1, 2), MOST_SLOTS)


def _one(parameter: Parameter, name: str, value: Any, names: Names, *, blank: bool) -> Field:
    made = Field(name, "text", label_of(parameter.name), _about(parameter), parameter.unit)
    kind = parameter.kind
    if isinstance(kind, Pick):
        made.widget, made.of = "choice", beside(name, kind.of)
        made.choices = [Choice(each.id, each.name, each.about, each.group) for each in names[kind.names]]
    elif isinstance(kind, Counts):
        return _counts(made, kind, value or {}, names[kind.names])
    elif isinstance(kind, Lineup):
        return lineup_field(made, kind, value or "", names)
    elif isinstance(kind, Holding):
        return holding_field(made, kind, value or "", names)
    elif isinstance(kind, Steps):
        return steps_field(made, kind, value or "", names)
    elif parameter.shape is Shape.KIND:
        return _parts(made, parameter.type, value, names, blank=blank)
    elif parameter.shape is Shape.PLAYER:
        _player(made, parameter.type, value)
    elif parameter.shape is Shape.FLAG:
        made.widget = "flag"
    elif parameter.shape is Shape.CHOICE:
        made.widget = "choice"
        made.choices = [Choice(each, label_of(each)) for each in parameter.choices]
    elif parameter.shape in (Shape.WHOLE, Shape.NUMBER):
        made.widget, made.least, made.largest = "number", parameter.least, parameter.largest
        made.step = "1" if parameter.shape is Shape.WHOLE else "any"
    if not isinstance(value, Player):
        made.value = "" if value is None else text_of(value)
    if blank:
        made.blank = "–"
    return made


def _counts(made: Field, kind: Counts, value: Mapping[str, int], entries: Sequence[Named]) -> Field:
    made.widget, made.of = "counts", beside(made.name, kind.of)
    made.least, made.largest = kind.least or None, kind.most
    for each in entries:
        most = each.most if each.most is not None else kind.most
        number = Field(f"{made.name}.{each.id}", "number", each.name, each.about, group=each.group, step="1")
        number.least, number.largest = 0, most if most is not None else 99
        number.value = str(value.get(each.id, 0))
        made.fields.append(number)
    return made


def _parts(made: Field, struct: Any, value: Any, names: Names, *, blank: bool) -> Field:
    made.widget = "parts"
    for each in parameters(struct):
        inner = getattr(value, each.name, None) if value is not None else (None if blank else each.default)
        made.fields.append(_one(each, f"{made.name}.{each.name}", inner, names, blank=blank or each.optional))
    return made


def _player(made: Field, declared: Any, value: Any) -> None:
    made.widget = "player"
    for tag, struct in players_of(declared).items():
        about = (struct.__doc__ or "").strip().split("\n")[0]
        made.choices.append(Choice(tag, label_of(tag), about))
        for each in parameters(struct):
            if each.shape is Shape.FILE:
                continue
            inner = getattr(value, each.name) if isinstance(value, struct) else each.default
            setting = _one(each, f"{made.name}.{tag}.{each.name}", inner, {}, blank=each.optional)
            setting.group = tag
            made.fields.append(setting)
    if isinstance(value, Player):
        made.value = str(value.__struct_config__.tag)


def _refill(made: Field, posted: Mapping[str, list[str]]) -> None:
    for each in made.fields:
        _refill(each, posted)
    if made.widget == "flag":
        made.value = str(made.name in posted).lower()
    elif made.name in posted:
        made.value = posted[made.name][-1]


def _blame(made: Field, errors: dict[str, str]) -> None:
    """Move what is wrong beside its field."""
    made.error = errors.pop(made.name, "")
    for each in made.fields:
        _blame(each, errors)


# ---- fields -> parameters ----------------------------------------------------------------------------------


def read_form(
    declared: Declared[Any], posted: Mapping[str, list[str]], names: Names
) -> tuple[Given, dict[str, str]]:
    """Return what a posted form gives that is not as usual, in words; and what is wrong, by field."""
    given: Given = {}
    errors: dict[str, str] = {}
    for each in shown_parameters(declared):
        sent = {place for key in posted if (place := _slot(key, each.name)) is not None}
        if not sent and each.shape is not Shape.FLAG:
            if each.required:
                errors[each.name] = _MISSING
            continue
        if each.repeatable:
            places = sorted(int(place) for place in sent if place.isdecimal())[:MOST_SLOTS]
            found = [_read_one(each, f"{each.name}.{place}", posted, names, errors) for place in places]
            values = [value for value in found if value is not None]
            if tuple(values) not in (each.default, _usual(declared, each)):
                given[each.name] = [text_of(value) for value in values]
            continue
        value = _read_one(each, each.name, posted, names, errors)
        if value is None and each.required:
            errors.setdefault(each.name, _MISSING)
        elif value is not None and value not in (each.default, _usual(declared, each)):
            given[each.name] = text_of(value)
    return given, errors


def _slot(key: str, name: str) -> str | None:
    """What stands after a parameter's name in that of a field; None if the field is none of it."""
    head, _, rest = key.partition(".")
    return rest.partition(".")[0] if head == name else None


def _read_one(
    parameter: Parameter, name: str, posted: Mapping[str, list[str]], names: Names, errors: dict[str, str]
) -> Any:
    """One value out of its fields; None if nothing stands there, or it is wrong."""
    text = posted.get(name, [""])[-1].strip()
    kind = parameter.kind
    try:
        if isinstance(kind, Counts):
            return _read_counts(kind, name, posted, names)
        if isinstance(kind, Lineup) and not text:
            return read_lineup(kind, name, posted)
        if isinstance(kind, Holding) and not text:
            return read_holding(kind, name, posted)
        if isinstance(kind, Steps) and not text:
            return read_steps(kind, name, posted)
        if parameter.shape is Shape.PLAYER:
            return _read_player(parameter, name, text, posted, errors)
        if parameter.shape is Shape.KIND and kind is None:
            return _read_parts(parameter, name, posted, names, errors)
        if isinstance(kind, Pick):
            group = posted.get(beside(name, kind.of), [""])[-1] if kind.of else ""
            return read_pick(kind, text, names, "", group) if text else None
        if parameter.shape is Shape.FLAG:
            return text.lower() not in ("", "false", "no", "0")
        return read(parameter, text, names) if text else None
    except RequestError as error:
        errors[name] = str(error)
        return None


def _read_counts(kind: Counts, name: str, posted: Mapping[str, list[str]], names: Names) -> Any:
    group = posted.get(beside(name, kind.of), [""])[-1] if kind.of else ""
    counts: dict[str, int] = {}
    for each in names[kind.names]:
        text = posted.get(f"{name}.{each.id}", ["0"])[-1].strip() or "0"
        if kind.of and each.group != group:
            continue
        if not text.isdecimal() or len(text) > 6:
            raise RequestError(f"{each.name}: {text[:40]!r} is no number of them")
        if int(text):
            counts[each.id] = int(text)
    known = any(key.startswith(f"{name}.") for key in posted)
    return read_counts(kind, counts_text(counts), names, "", group) if known else None


def _read_player(
    parameter: Parameter, name: str, tag: str, posted: Mapping[str, list[str]], errors: dict[str, str]
) -> Any:
    if not tag:
        return None
    players = players_of(parameter.type)
    if tag not in players:
        raise RequestError(f"no player is called {tag[:40]!r}; there are {', '.join(players)}")
    values = {}
    for each in parameters(players[tag]):
        field_name = f"{name}.{tag}.{each.name}"
        if each.shape is Shape.FILE or (field_name not in posted and each.shape is not Shape.FLAG):
            continue
        value = _read_one(each, field_name, posted, {}, errors)
        if value is not None:
            values[each.name] = value
    return players[tag](**values)


def _read_parts(
    parameter: Parameter, name: str, posted: Mapping[str, list[str]], names: Names, errors: dict[str, str]
) -> Parts | None:
    wrong = len(errors)
    declared = parameters(parameter.type)
    values = {each.name: _read_one(each, f"{name}.{each.name}", posted, names, errors) for each in declared}
    if len(errors) > wrong:
        return None
    if all(
        value is None or value == {} or value == each.default
        for each, value in zip(declared, values.values(), strict=True)
    ) and (parameter.optional or parameter.repeatable or parameter.default is None):
        return None
    for each in declared:
        if values[each.name] is None and each.required:
            errors[f"{name}.{each.name}"] = _MISSING
    if len(errors) > wrong:
        return None
    made: Parts = parameter.type(**{key: value for key, value in values.items() if value is not None})
    return made

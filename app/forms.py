"""Questions in addresses: what a query says becomes a question, and a question a query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from analysis.errors import RequestError
from analysis.front.doors import PLAY, door_of
from analysis.front.examples import example_of
from analysis.front.forms import Field, Given, shown_parameters
from analysis.front.parameters import Parameter, Shape
from analysis.front.question import Declared
from app import texts
from app.folder import BOX, PLAYED, Asked, Folder

__all__ = [
    "SET",
    "asked_of",
    "keywords",
    "one_more_value",
    "query_pairs",
    "set_fields",
    "transcript_of",
    "varies",
    "what_changes",
]

SET = "set:"
"""What the fields of single values of the rules begin with."""


def asked_of(declared: Declared[Any], query: Mapping[str, list[str]]) -> Asked:
    """Return the question that an address asks; what it does not know is said.

    Raises
    ------
    RequestError
        If a name in the address is none of a parameter.
    """
    known = {each.name: each for each in shown_parameters(declared)}
    if (file := transcript_of(declared)) and query.get(file.name, [""])[-1].startswith(PLAYED):
        known[file.name] = file
    can_vary = varies(declared)
    given: Given = {}
    for name, values in query.items():
        if (
            name.startswith(SET)
            or name in ("ask", "figure", "form", "high", "key", "low", "rules", "set", "to", "value")
            or (can_vary and name in ("diff", "goal", "vary"))
        ):
            continue
        if name not in known:
            raise RequestError(texts.NO_PARAMETER.format(name=name[:60]))
        given[name] = list(values) if known[name].repeatable else values[-1]
    rules = query.get("rules", [""])[-1]
    return Asked(
        game=declared.needs.name,
        question=declared.name,
        given=given,
        rules="" if rules == BOX or not declared.has_rules else rules,
        set=_sets(query) if declared.has_rules else [],
        vary=[value for value in query.get("vary", []) if value.strip()] if can_vary else [],
        goal=[value for value in query.get("goal", []) if value.strip()] if can_vary else [],
        diff=query.get("diff", [""])[-1] if can_vary else "",
    )


def _sets(query: Mapping[str, list[str]]) -> list[str]:
    """Single values of the rules, as texts or as fields of their own; an empty one is taken away."""
    fields = {
        name.removeprefix(SET): values[-1].strip() for name, values in query.items() if name.startswith(SET)
    }
    texts = [value.strip() for value in query.get("set", [])]
    return [*filter(None, texts), *(f"{key}={value}" for key, value in fields.items() if value)]


def set_fields(asked: Asked, words: Callable[[str], str]) -> list[Field]:
    """Return the fields of single values of the rules, in words, to be changed or taken away."""
    made = []
    for text in asked.set:
        key, _, value = text.partition("=")
        is_number = value.strip().removeprefix("-").isdecimal()
        made.append(
            Field(
                SET + key.strip(),
                "number" if is_number else "text",
                words(key.strip()),
                value=value.strip(),
                step="1",
            )
        )
    return made


def what_changes(declared: Declared[Any], name: str, overrides: list[str]) -> Asked:
    """Return the question what values of the rules do, beside these rules without them.

    Rules of one's own whose values are not changed are compared with the box.
    """
    rules, given = "" if name == BOX else name, example_of(declared)
    diff = name if overrides else BOX
    asked = Asked(game=declared.needs.name, question=declared.name, given=given)
    return msgspec.structs.replace(asked, rules=rules, set=overrides, diff=diff)


def one_more_value(declared: Declared[Any], asked: Asked, query: Mapping[str, list[str]]) -> Asked | None:
    """Return a what-if: one value more, beside the answer without it where there are figures; or a range.

    Over a range a figure may be wanted within bounds: the answer is then the smallest change that does it.
    """
    asks = ("key", "value", "to", "figure", "low", "high")
    key, value, to, figure, low, high = (query.get(name, [""])[-1].strip() for name in asks)
    if not key or not value:
        return None
    goal = [f"{figure}={low}:{high}"] if to and figure and (low or high) else []
    if to and varies(declared):
        return msgspec.structs.replace(asked, vary=[f"{key}={value}:{to}"], goal=goal, diff="")
    return msgspec.structs.replace(
        asked, set=[*asked.set, f"{key}={value}"], diff=BOX if varies(declared) else ""
    )


def transcript_of(declared: Declared[Any]) -> Parameter | None:
    """Return the parameter of a question about a game that was played; None if there is none."""
    files = (each for each in declared.parameters if each.shape is Shape.FILE and each.argument)
    return next((each for each in files if each.required and door_of(declared) == PLAY), None)


def varies(declared: Declared[Any]) -> bool:
    """Whether a question has figures to compare; one without may have a parameter called `vary` itself."""
    return getattr(declared, "amounts", None) is not None


def query_pairs(asked: Asked) -> list[tuple[str, str]]:
    """Return what an address says of a question."""
    pairs = [(name, value) for name, values in asked.given.items() for value in _several(values)]
    if asked.rules:
        pairs.append(("rules", asked.rules))
    pairs += [("set", value) for value in asked.set]
    pairs += [("vary", value) for value in asked.vary] + [("goal", value) for value in asked.goal]
    return [*pairs, ("diff", asked.diff)] if asked.diff else pairs


def _several(values: str | list[str]) -> Iterable[str]:
    return [values] if isinstance(values, str) else values


def keywords(declared: Declared[Any], asked: Asked, folder: Folder) -> dict[str, Any]:
    """Return what a question is built of; RequestError if its rules are not there."""
    given = folder.given(asked.given)
    if declared.has_rules:
        given["rules"] = folder.rules_files(asked.game, asked.rules)
        given["set"] = tuple(asked.set)
    return given

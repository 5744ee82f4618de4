"""What forms open with: the first example of a question, where what is usual cannot be asked."""

from __future__ import annotations

import shlex
from typing import Any

from analysis.front.forms import Given, shown_parameters
from analysis.front.parameters import Shape
from analysis.front.question import Declared

__all__ = ["example_of", "opens_with"]


def opens_with(declared: Declared[Any]) -> tuple[Given, list[str]]:
    """Return what a form gives as it opens, and values of the rules: an example where something has to be."""
    if not (declared.by_example or any(each.required for each in declared.parameters)):
        return {}, []
    given = _first_example(declared)
    sets = given.get("set", [])
    return example_of(declared), [sets] if isinstance(sets, str) else list(sets)


def example_of(declared: Declared[Any]) -> Given:
    """Return what the first example of a question gives, of what a form asks for."""
    shown = {each.name for each in shown_parameters(declared)}
    return {name: value for name, value in _first_example(declared).items() if name in shown}


def _first_example(declared: Declared[Any]) -> Given:
    given: Given = {}
    known = {each.option: each for each in declared.parameters}
    places = [each for each in declared.parameters if each.argument]
    words = shlex.split(declared.examples[0])[len(declared.name.split()) :] if declared.examples else []
    while words:
        word, _, value = words.pop(0).partition("=")
        if word in known and known[word].shape is Shape.FLAG:
            given[known[word].name] = "true"
            continue
        if word in known:
            each, value = known[word], value or (words.pop(0) if words else "")
        elif word.startswith("-") or not places:
            break  # what only a command has
        else:
            each, value = places[0], word
            places = places if each.repeatable else places[1:]
        if each.repeatable:
            before = given.setdefault(each.name, [])
            assert isinstance(before, list)
            before.append(value)
        else:
            given[each.name] = value
    return given

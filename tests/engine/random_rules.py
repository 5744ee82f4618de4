"""Random rules files of a game without words of effects: any value of the box may become another.

What contradicts itself then is drawn anew, and in the end left as it is in the box.
"""

from __future__ import annotations

import random
from collections.abc import Sequence, Set
from copy import copy
from functools import cache
from importlib import import_module
from itertools import count
from typing import Any
from unittest import mock

from msgspec import inspect

from engine.rulefiles import Problem
from engine.rulelayers import Draft, Leaf

_ROUNDS = 5
_SAMPLES = ("decks.", "teams.", "layouts.", "components.")
"""What follows from the rest, and is left as it is."""


@cache
def _box(game: str) -> tuple[Any, Draft]:
    rules = import_module(f"engine.{game}.rules")
    draft = Draft(rules.SCHEMA)
    draft.add_file(rules._BOX_FILE)
    draft.finish(rules.contradictions)
    return rules, draft


def random_rules(game: str, seed: int, **fixed: Any) -> Any:
    """Return rules that depend on the seed alone; `fixed` are values of `match` that hold in any case."""
    rng, (rules, box) = random.Random(seed), _box(game)
    kept = {f"match.{key}": value for key, value in fixed.items()}
    free = [key for key in box.leaves if key not in kept and not key.startswith(_SAMPLES)]
    share = rng.choice((0.1, 0.4, 0.8))
    waiting = [key for key in free if not key.endswith(".name") and rng.random() < share]
    drawn = dict(kept)
    for attempt in count():
        draft = copy(box)
        draft.entries = {table: dict(entries) for table, entries in box.entries.items()}
        for key in waiting:
            field = _field(rules.SCHEMA, key)
            drawn[key] = _value(rng, inspect.type_info(field.type), box.leaves[key].value)
            if field.words:
                drawn[key] = sorted(drawn[key], key=field.words.index)
        draft.leaves = box.leaves | {key: Leaf(value, "random") for key, value in drawn.items()}
        problems = list(rules.contradictions(draft))
        if not problems:
            with mock.patch.object(rules, "load_layers", return_value=(draft, {})):
                return rules.load_rules()
        waiting = _named(drawn.keys() - kept.keys(), problems)
        if attempt >= _ROUNDS or not waiting:
            # It may be the box's value that another one contradicts.
            free = sorted(drawn.keys() - kept.keys())
            for key in waiting or rng.sample(free, (len(free) + 1) // 2):
                del drawn[key]
            waiting = []
    raise AssertionError


def _named(drawn: Set[str], problems: Sequence[Problem]) -> list[str]:
    """What was drawn that problems name, or in the tables that they name."""
    tables = [f"{each.table}." for each in problems]
    for places in ([f"{each.table}.{each.key}." for each in problems], tables):
        found = [key for key in sorted(drawn) if f"{key}.".startswith(tuple(places))]
        if found:
            return found
    return []


def _field(schema: Any, key: str) -> Any:
    table = schema.table_of(key)
    return schema.fields(table)[key[len(table) + 1 :].split(".")[0]]


def _value(rng: random.Random, kind: Any, old: Any) -> Any:
    """Draw a value of a type."""
    if isinstance(kind, inspect.UnionType):
        kind = rng.choice(kind.types)
    if isinstance(kind, inspect.BoolType):
        return rng.random() < 0.5
    if isinstance(kind, inspect.LiteralType):
        return rng.choice(kind.values)
    if isinstance(kind, inspect.IntType):
        low, high = kind.ge or 0, kind.le or 0
        near = old + rng.randint(-2, 2) if isinstance(old, int) else low
        near = min(max(near, low), high)
        return rng.choice((rng.randint(low, high), rng.randint(low, min(high, low + 3)), near))
    if isinstance(kind, inspect.TupleType):
        return [_value(rng, each, part) for each, part in zip(kind.item_types, old, strict=True)]
    if isinstance(kind, inspect.ListType) and isinstance(kind.item_type, inspect.LiteralType):
        words = kind.item_type.values
        most = min(len(words), len(words) if kind.max_length is None else kind.max_length)
        return rng.sample(words, rng.randint(min(kind.min_length or 0, most), min(most, 3)))
    if isinstance(kind, inspect.ListType) and isinstance(kind.item_type, inspect.TupleType):
        return [_value(rng, kind.item_type, part) for part in old]
    assert isinstance(kind, inspect.StrType), kind
    return f"{rng.randint(1, 5)}/6" if "/" in old else old

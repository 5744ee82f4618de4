"""Decks and styles of play, as they are written on the command line."""

from __future__ import annotations

from analysis.errors import RequestError
from engine.rulefiles import AmbiguousNameError, UnknownNameError, unknown
from engine.warage.rules import Rules
from engine.warage.styles import STYLES, Style


def parse_style(text: str, option: str = "--style") -> tuple[str, Style]:
    """Read `greedy`, or `rule-based:life_below=10,reserve=5`.

    Raises
    ------
    RequestError
        If there is no such style, or setting.
    """
    name, _, tail = text.partition(":")
    name = name.strip()
    if name not in STYLES:
        raise RequestError(f"{name!r}: {unknown('style', name, STYLES)}; {', '.join(STYLES)}", option)
    changed = {}
    for word in (word for word in tail.split(",") if word.strip()):
        key, equals, value = (part.strip() for part in word.partition("="))
        if key not in Style._fields:
            reason = unknown("setting", key, Style._fields)
            raise RequestError(f"{key!r}: {reason}; {', '.join(Style._fields)}", option)
        if not equals or not value.isdigit() or int(value) > 10_000:
            raise RequestError(f"{word.strip()!r}: write {key}=NUMBER, 0 to 10000", option)
        changed[key] = int(value)
    return name, STYLES[name]._replace(**changed)


def deck_of(rules: Rules, text: str, option: str) -> str:
    """Find a deck by its name.

    Raises
    ------
    RequestError
        If there is none.
    """
    try:
        return rules.deck(text).id
    except (UnknownNameError, AmbiguousNameError) as error:
        raise RequestError(str(error), option) from None

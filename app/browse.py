"""Where to go from an answer: what its page leads on to, and the points of a grid, as addresses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import msgspec

from analysis.front.grid import read_axis
from analysis.front.page import Follow, Heat, Page, Section, Table
from app.folder import Asked, Result
from app.forms import query_pairs

__all__ = ["address", "followed", "slug", "with_grid_links"]


def slug(question: str) -> str:
    """Return a question's name in an address."""
    return question.replace(" ", "-")


def address(asked: Asked, place: str = "") -> str:
    """Return the address at which a question is asked."""
    pairs = query_pairs(asked) or [("ask", "1")]
    return f"/{asked.game}/{slug(asked.question)}{place}?{urlencode(pairs)}"


def followed(asked: Asked, follow: Follow) -> str:
    """Return the address of what leads on from a question, by the same rules."""
    sets = follow.given.get("set", asked.set)
    given = {name: value for name, value in follow.given.items() if name != "set"}
    other = Asked(
        game=asked.game,
        question=follow.question,
        given=given,
        rules=asked.rules,
        set=[sets] if isinstance(sets, str) else list(sets),
    )
    return address(other)


def with_grid_links(result: Result, parameters: Sequence[Any]) -> Page:
    """Return a page; that of a grid with links from its points to their own answers."""
    if not result.asked.vary:
        return result.page
    axes = [read_axis(text) for text in result.asked.vary]
    known = {each.name: each for each in parameters}

    def at(values: Sequence[str]) -> Follow:
        given, sets = dict(result.asked.given), list(result.asked.set)
        for axis, value in zip(axes, values, strict=True):
            name = axis.key.lstrip("-").replace("-", "_")
            if name not in known:
                sets.append(f"{axis.key}={value}")
            elif known[name].repeatable:
                before = given.get(name, [])
                given[name] = [value, *(before[1:] if isinstance(before, list) else [])]
            else:
                given[name] = value
        return Follow(result.asked.question, {**given, **({"set": sets} if sets else {})})

    sections: list[Section] = []
    for section in result.page.sections:
        if isinstance(section, Heat) and len(axes) == 2:
            across, down = axes[0].values, axes[1].values
            if (len(across), len(down)) == (len(section.columns), len(section.rows)):
                follow: list[list[Follow | None]] = [[at((one, other)) for one in across] for other in down]
                section = msgspec.structs.replace(section, follow=follow)
        elif isinstance(section, Table) and len(axes) == 1 and len(section.rows) == len(axes[0].values):
            section = msgspec.structs.replace(section, follow=[at((value,)) for value in axes[0].values])
        sections.append(section)
    return msgspec.structs.replace(result.page, sections=sections)

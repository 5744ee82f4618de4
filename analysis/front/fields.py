"""Fields of forms, whatever shows them: names, labels, ranges, choices, and what is wrong with them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

__all__ = ["MOST_SLOTS", "Choice", "Field", "Form", "beside", "label_of"]

MOST_SLOTS = 12
"""Values of a parameter that takes several."""


@dataclass(frozen=True)
class Choice:
    """One of several that a field can have."""

    value: str
    name: str
    about: str = ""
    group: str = ""


@dataclass
class Field:
    """A field of a form.

    Attributes
    ----------
    name : as it is posted.
    widget : number, flag, choice, text, counts, player, parts, or several.
    of : the field whose value is the group of what can be chosen.
    fields : the fields that it is made of; of a player those of all players, each with its `group`.
    """

    name: str
    widget: str
    label: str
    help: str = ""
    unit: str = ""
    value: str = ""
    least: float | None = None
    largest: float | None = None
    step: str = "any"
    choices: list[Choice] = field(default_factory=list)
    blank: str | None = None
    of: str = ""
    group: str = ""
    more: bool = False
    error: str = ""
    fields: list[Field] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Of the element."""
        return "f-" + self.name.replace(".", "-")


@dataclass
class Form:
    """Fields in groups: those that are shown first, and those that are folded away."""

    groups: list[tuple[str, list[Field]]]
    more: list[Field]
    errors: list[str]


def beside(name: str, other: str) -> str:
    """Return the name of the field of another part of the same thing; empty for none."""
    return "" if not other else ".".join([*name.split(".")[:-1], other])


_SHORT = re.compile(r"\b[b-df-hj-np-tv-z]{2}\b")
"""Letters that stand for words, such as those of glory points."""


def label_of(name: str) -> str:
    """Return a parameter's name for people."""
    words = _SHORT.sub(lambda found: found[0].upper(), name.replace("_", " ").replace("-", " "))
    return words[:1].upper() + words[1:]

"""Fields of texts of several entries: lineups, holdings, steps; and these texts out of fields again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from analysis.errors import RequestError
from analysis.front.fields import MOST_SLOTS, Choice, Field, label_of
from analysis.front.kinds import Holding, Lineup, Named, Names, Steps, singular
from analysis.front.lineups import (
    Standing,
    holding_parts,
    holding_text,
    lineup_parts,
    lineup_text,
    steps_parts,
)

__all__ = ["holding_field", "lineup_field", "read_holding", "read_lineup", "read_steps", "steps_field"]

_SIDES = {"own": "You", "other": "The other"}
_SPARE = 2
"""Empty places of a lineup, for more of it."""


def _choices(entries: Iterable[Named]) -> list[Choice]:
    return [Choice(each.id, each.name, each.about, each.group) for each in entries]


def _choice(name: str, label: str, value: str, entries: Iterable[Named]) -> Field:
    """A drop-down, which may be left empty."""
    return Field(name, "choice", label, value=value, blank="–", choices=_choices(entries))


def lineup_field(made: Field, kind: Lineup, value: str, names: Names) -> Field:
    """Drop-downs with what can stand behind each; text where a value says more than these can."""
    found = lineup_parts(kind, value, names)
    if found is None:
        offered = [*(names[kind.ready] if kind.ready else ()), *names[kind.names]]
        made.choices = _choices(offered)
        made.value = value
        return made
    made.widget = "parts"
    if kind.ready:
        label = label_of(singular(kind.ready))
        made.fields.append(_choice(f"{made.name}.ready", label, found[0], names[kind.ready]))
    for place in range(min(max(len(found[1]) + _SPARE, kind.most or 4), MOST_SLOTS)):
        standing = found[1][place] if place < len(found[1]) else Standing("", {})
        made.fields.append(_standing(f"{made.name}.{place}", kind, standing, names[kind.names]))
    return made


def holding_field(made: Field, kind: Holding, value: str, names: Names) -> Field:
    """Drop-downs for an entry and for what it has; text where a value says more than these can."""
    found = holding_parts(kind, value, names)
    made.value = value
    if found is None:
        return made
    made.widget = "parts"
    texts = [found[0], *found[1], *[""] * (kind.most - len(found[1]))]
    for place, text in enumerate(texts):
        of = kind.held if place else kind.names
        known = {each.id: each for each in names[of]}
        made.fields.append(_choice(f"{made.name}.{place}", label_of(singular(of)), text, known.values()))
    return made


def _standing(name: str, kind: Lineup, standing: Standing, entries: Sequence[Named]) -> Field:
    """One entry of a lineup with its marks."""
    made = Field(name, "parts", f"{label_of(singular(kind.names))} {int(name.rpartition('.')[2]) + 1}")
    made.fields.append(_choice(f"{name}.name", "Name", standing.id, entries))
    for mark in sorted(kind.marks, key=lambda mark: "{}" not in mark.text):
        number = standing.marks.get(mark.name)
        inner = Field(f"{name}.{mark.name}", "number", label_of(mark.name), step="1")
        inner.least, inner.largest = mark.least, mark.most
        inner.value = "" if number is None else str(number)
        if "{}" not in mark.text:
            inner.widget, inner.value = "flag", str(number is not None).lower()
            inner.label = label_of(mark.about.removeprefix("It ").rstrip("."))
        made.fields.append(inner)
    return made


def steps_field(made: Field, kind: Steps, value: str, names: Names) -> Field:
    """Two drop-downs for each step, and for one more; text where a value says more than these can."""
    found = steps_parts(kind, value, names)
    made.value = value
    if found is None:
        return made
    made.widget = "parts"
    for place, both in enumerate([*found, ("", "")][: kind.most]):
        step = Field(f"{made.name}.{place}", "parts", f"Step {place + 1}")
        for (key, label), of, text in zip(_SIDES.items(), (kind.names, kind.other), both, strict=True):
            step.fields.append(_choice(f"{step.name}.{key}", label, text, names[of]))
        made.fields.append(step)
    return made


def read_steps(kind: Steps, name: str, posted: Mapping[str, list[str]]) -> str | None:
    """Return the text of steps out of their fields; None if there are none."""
    steps = []
    for place in range(kind.most):
        both = [posted.get(f"{name}.{place}.{key}", [""])[-1].strip() for key in _SIDES]
        if any(both) and not all(both):
            raise RequestError(f"step {place + 1} needs what both sides did")
        steps += ["/".join(both)] if all(both) else []
    return "; ".join(steps) or None


def read_lineup(kind: Lineup, name: str, posted: Mapping[str, list[str]]) -> str | None:
    """The text of a lineup; one that has a name of its own goes before single entries."""

    def one(key: str) -> str:
        return posted.get(f"{name}.{key}", [""])[-1].strip()

    if one("ready"):
        return one("ready")
    entries = []
    for place in range(MOST_SLOTS):
        marks = {mark.name: one(f"{place}.{mark.name}") for mark in kind.marks}
        wrong = next(
            (text for text in marks.values() if text not in ("", "true") and not text.isdecimal()), None
        )
        if wrong is not None:
            raise RequestError(f"{wrong[:40]!r} is no number")
        told = {key: 1 if text == "true" else int(text) for key, text in marks.items() if text}
        if one(f"{place}.name"):
            entries.append(Standing(one(f"{place}.name"), told))
    return lineup_text(kind, entries) or None


def read_holding(kind: Holding, name: str, posted: Mapping[str, list[str]]) -> str | None:
    """Return the text of an entry and what it has; None if there is none."""
    words = [posted.get(f"{name}.{place}", [""])[-1].strip() for place in range(kind.most + 1)]
    return holding_text(words[0], [*filter(None, words[1:])]) if words[0] else None

"""What a check-up judges: figures by their questions, bounds, rules, and what differs from the box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from analysis.estimates import Estimate, quantile
from analysis.front.checkup.answer import Finding
from analysis.front.checkup.measuring import Measured, Measures
from analysis.front.entries import EntryWorth, in_sentence
from analysis.front.page import Format
from analysis.front.question import imported
from analysis.front.render.numbers import number_text
from analysis.front.verdicts import doubt_said

__all__ = [
    "LEAST",
    "Bounds",
    "Scene",
    "Suspect",
    "beyond",
    "either_way",
    "other_share",
    "plural",
    "share_said",
    "upper",
]

LEAST = 0.01
"""An entry that is worth a hundredth of a game more than its like is in line."""


@dataclass(frozen=True)
class Bounds:
    """Shares of wins beyond which a seat, or a setup, is to be watched, and to be mended."""

    watch: float = 0.52
    fix: float = 0.55

    def hold(self, value: Estimate) -> bool:
        """Return whether a share is inside for certain."""
        return (value.low or 0.0) >= 1 - self.fix and (value.high or 1.0) <= self.fix


@dataclass(frozen=True)
class Suspect:
    """What may be found.

    Attributes
    ----------
    chance : how likely it is by chance alone; None if nothing tells.
    entry, word : the entry that it is about, and its kind.
    price_key, slope : how its bounds move with its price.
    of_box : whether it is a difference to the box.
    """

    finding: Finding
    chance: float | None
    entry: str = ""
    word: str = ""
    price_key: str = ""
    slope: float = 0.0
    of_box: bool = False


def beyond(value: Estimate, bound: float, *, above: bool) -> float | None:
    """Return how likely a figure is by chance alone if the truth is at a bound; None if nothing tells."""
    if value.mean is None or value.low is None or value.high is None:
        return None
    far = (value.mean - bound) if above else (bound - value.mean)
    # Of intervals that are no wider to one side than possible, the side of the bound is what counts.
    side = (value.mean - value.low) if above else (value.high - value.mean)
    if side <= 0:
        return 0.0 if far > 0 else 1.0
    return 1.0 - NormalDist().cdf(far / (side / quantile()))


def either_way(value: Estimate, middle: float = 0.5) -> float | None:
    """Return how likely a figure that lies so far from the middle is by chance alone."""
    one = beyond(value, middle, above=(value.mean or 0.0) > middle)
    return None if one is None else min(1.0, 2 * one)


def other_share(value: Estimate) -> Estimate:
    """Return what is left of a share."""
    mean, high, low = (None if end is None else 1 - end for end in (value.mean, value.low, value.high))
    return Estimate(mean, low, high, value.observations)


def share_said(value: Estimate) -> str:
    """Return a share with its doubt: ``54 % (51 to 57)``."""
    if value.mean is None:
        return "an unknown share"
    doubt = "" if value.low is None else f" ({doubt_said(value, 'share', 0)})"
    return f"{number_text(value.mean, 'share', 0)} %{doubt}"


def upper(text: str) -> str:
    """Return a text that begins a sentence."""
    return text[:1].upper() + text[1:]


def plural(word: str) -> str:
    """Return what several of a kind are called."""
    return word if word == "equipment" else f"{word}s"


def _changes(game: Any, rules: Any) -> dict[str, list[str]]:
    """The tables whose values differ from the box, and each such value in words."""
    box, now = game.read().values(), rules.values()
    found: dict[str, list[str]] = {}
    for key in rules.changed:
        table = rules.schema.table_of(key)
        if key.endswith(".name") or box.get(key) == now.get(key):
            continue
        old, new = (str(values.get(key, "none")) for values in (box, now))
        words = key.removeprefix(f"{table}.").replace("_", " ").replace(".", " ")
        found.setdefault(table, []).append(
            f"{words} {f'{old} → {new}' if len(old + new) < 40 else 'changed'}"
        )
    return found


class Scene:
    """What is known, and how to name it.

    Attributes
    ----------
    box : the same measured by the rules of the box, where those that are asked about differ from it.
    refined : by kind and entry, what was measured once more with other deals.
    changes : tables that differ from the box, and their values in words.
    span : what can be won. `gain`: how differences of it are written.
    names : of the players. `setups`: of what is set against each other, by id.
    """

    def __init__(self, measures: Measures, bounds: Bounds, known: Measured) -> None:
        self.measures, self.bounds, self.known = measures, bounds, known
        self.box: Measured | None = None
        self.refined: Mapping[tuple[str, str], EntryWorth] = {}
        self.game, self.rules = measures.game, measures.rules
        self.changes = _changes(self.game, self.rules)
        self.span = measures.span
        self.gain: Format = "gain" if self.game.measure == "share" else "signed"
        self.names = [str(rung.player.__struct_config__.tag) for rung in measures.ladder]
        self.setups = {each.id: each.name for each in measures.contestants()[1]}

    def entries(self) -> list[tuple[str, EntryWorth]]:
        """Return all entries that were measured, with their kinds."""
        return [(word, each) for word, (found, _) in self.known.entries.items() for each in found.entries]

    def judged(self, word: str) -> list[EntryWorth]:
        """Return the entries of a kind that can be judged: all that they do is measured."""
        whole = self.measures.kinds[word].whole
        able = None if whole is None else imported(whole)(self.rules)
        found, _ = self.known.entries[word]
        return [each for each in found.entries if able is None or each.entry in able]

    def table_of(self, word: str, entry: str) -> str:
        """Return the table of the rules that an entry is."""
        kind, is_entry = self.measures.kinds[word], self.rules.schema.is_entry
        tables = [each for each in self.rules.tables() if each.rpartition(".")[2] == entry]
        return next((each for each in tables if is_entry(each, kind.table)), "")

    def name_of(self, table: str) -> str:
        """Return what sentences call a table of the rules."""
        for word, each in self.entries():
            if self.table_of(word, each.entry) == table:
                return in_sentence(each.name, word)
        own = self.rules.tables().get(table, {}).get("name")
        return str(own or table.rpartition(".")[2].replace("-", " ").capitalize())

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
from analysis.front.render.numbers import number_text
from analysis.front.verdicts import doubt_said

__all__ = [
    *("LEAST", "Bounds", "Scene", "Suspect", "beyond", "either_way", "gain_of", "other_share", "plural"),
    *("share_said", "upper"),
]

LEAST = 0.01
"""An entry that is worth a hundredth of a game more than its like is in line."""


@dataclass(frozen=True)
class Bounds:
    """Shares of wins beyond which a seat, or a setup, is to be watched, and to be mended."""

    watch: float = 0.52
    fix: float = 0.55


@dataclass(frozen=True)
class Suspect:
    """What may be found: how likely it is by chance alone, and how its bounds move with its price.

    `of_box`: whether it is a difference to the box.
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
    if value.width <= 0:
        return 0.0 if far > 0 else 1.0
    return 1.0 - NormalDist().cdf(far / (value.width / quantile()))


def either_way(value: Estimate, middle: float) -> float | None:
    chances = [beyond(value, middle, above=above) for above in (True, False)]
    known = [each for each in chances if each is not None]
    return min(1.0, 2 * min(known)) if known else None


def other_share(value: Estimate) -> Estimate:
    mean, high, low = (None if end is None else 1 - end for end in (value.mean, value.low, value.high))
    return Estimate(mean, low, high, value.observations)


def share_said(value: Estimate) -> str:
    if value.mean is None:
        return "an unknown share"
    doubt = "" if value.low is None else f" ({doubt_said(value, 'share', 0)})"
    return f"{number_text(value.mean, 'share', 0)} %{doubt}"


def gain_of(kind: Format) -> Format:
    return "gain" if kind in ("share", "gain") else "signed"


def upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def plural(word: str) -> str:
    return word if word in ("equipment", "cheers") else f"{word}s"


def changed_tables(game: Any, rules: Any) -> dict[str, list[str]]:
    """Return the tables whose values differ from the box, and each such value in words."""
    box, now = game.read().values(), rules.values()
    found: dict[str, list[str]] = {}
    for key in rules.changed:
        table = rules.schema.table_of(key)
        if key.endswith(".name") or box.get(key) == now.get(key):
            continue
        old, new = (f"{values[key]}" if key in values else "none" for values in (box, now))
        words = key.removeprefix(f"{table}.").replace("_", " ").replace(".", " ")
        brief = f"{old} → {new}" if len(old) + len(new) < 40 else "changed"
        found.setdefault(table, []).append(f"{words} {brief}")
    return found


class Scene:
    """What is known, and how to name it.

    Attributes
    ----------
    box : the same measured by the rules of the box, where those that are asked about differ from it.
    refined : by kind and entry, what was measured once more with other deals.
    changes : tables that differ from the box, and their values in words.
    span : the least to the largest that can be won.
    names : of the players.
    """

    def __init__(self, measures: Measures, bounds: Bounds, known: Measured) -> None:
        self.measures, self.bounds, self.known = measures, bounds, known
        self.box: Measured | None = None
        self.refined: Mapping[tuple[str, str], EntryWorth] = {}
        self.game = measures.game
        self.rules = self.game.read(measures.given.get("rules", ()), measures.given.get("set", ()))
        self.changes = changed_tables(self.game, self.rules)
        span = 1.0
        if self.game.measure != "share" and self.game.bounds is not None:
            low, high = self.game.bounds(2)
            span = high - low
        self.span: float = span
        self.names = [str(rung.player.__struct_config__.tag) for rung in measures.ladder]

    def table_of(self, word: str, entry: str) -> str:
        """Return the table of the rules that an entry is."""
        kind = self.measures.kinds[word]
        return next(
            (
                table
                for table in self.rules.tables()
                if table.rpartition(".")[2] == entry and self.rules.schema.is_entry(table, kind.table)
            ),
            "",
        )

    def name_of(self, table: str) -> str:
        """Return what sentences call a table of the rules."""
        values = self.rules.tables().get(table, {})
        own = values.get("name")
        if own:
            return str(own)
        for word, (found, _) in self.known.entries.items():
            for each in found.entries:
                if self.table_of(word, each.entry) == table:
                    return in_sentence(each.name, word)
        return table.rpartition(".")[2].replace("-", " ").capitalize()

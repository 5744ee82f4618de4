"""What to try: changes of one value each that bring a finding within its bounds, on the same deals.

Tried are the values of what a finding is about: those that differ from the box first, back to the box and
half of the way; then its price, then its other numbers, and those of what it names, such as a deck's hero.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

import msgspec

from analysis.errors import RequestError, WorkError
from analysis.estimates import Estimate
from analysis.front.checkup.answer import Ask, Finding, Remedy
from analysis.front.checkup.measuring import Measures
from analysis.front.checkup.scene import Suspect, other_share
from analysis.front.difference import beside, difference_page
from analysis.rules_reports import Leaf, leaves_of
from engine.rulefiles import toml_value

__all__ = ["FINDINGS", "candidates", "with_remedies"]

FINDINGS = 3
"""So many are tried to be mended."""
_SHOWN = 3


@dataclass(frozen=True)
class Change:
    """One value instead of another, by its key."""

    key: str
    now: str
    value: str

    @property
    def text(self) -> str:
        """Return it as ``--set`` takes it."""
        return f"{self.key}={self.value}"


def candidates(game: Any, rules: Any, about: str, price: str = "") -> Iterator[Change]:
    """Return changes of what a finding is about, those that are likeliest to be meant first.

    Parameters
    ----------
    about : a table of the rules; empty for the game as a whole.
    price : the key of its price.
    """
    box = game.read()
    before = box.values()
    tables = rules.tables()
    yield from _back(rules, before, [key for key in rules.changed if rules.schema.table_of(key) == about])
    own = [about] if about in tables else [table for table in rules.schema.tables if table in tables]
    named = [
        table
        for value in (tables.get(about, {}).values() if about else ())
        if isinstance(value, str)
        for table in tables
        if table.rpartition(".")[2] == value and table != about
    ]
    leaves = [(table, leaf) for table in (*own, *named) for leaf in leaves_of(rules, table)]
    leaves.sort(key=lambda each: f"{each[0]}.{each[1].path}" != price)
    for table, leaf in leaves:
        yield from _steps(table, leaf)
    if not about:
        yield from _back(rules, before, rules.changed)


def _back(rules: Any, before: dict[str, Any], keys: list[str]) -> Iterator[Change]:
    now = rules.values()
    for key in keys:
        if key not in before or key not in now or key.endswith(".name"):
            continue
        old, new = before[key], now[key]
        yield Change(key, toml_value(new), toml_value(old))
        if isinstance(old, int) and isinstance(new, int) and not isinstance(old, bool) and abs(old - new) > 1:
            yield Change(key, toml_value(new), toml_value((old + new) // 2))


def _steps(table: str, leaf: Leaf) -> Iterator[Change]:
    value, key = leaf.value, f"{table}.{leaf.path}"
    if isinstance(value, bool):
        yield Change(key, toml_value(value), toml_value(not value))
    elif isinstance(value, str):
        for other in get_args(leaf.declared.type):
            if isinstance(other, str) and other != value:
                yield Change(key, toml_value(value), toml_value(other))
    elif isinstance(value, int) and value > 0:
        step = max(1, round(value / 5))
        for sign in (1, -1):
            yield Change(key, str(value), str(value + sign * step))


def with_remedies(measures: Measures, suspect: Suspect) -> Finding:
    """Return a finding with what brings it within its bounds."""
    finding, rules = suspect.finding, measures.rules
    found: list[Remedy] = []
    tried, seen = 0, set[str]()
    changes = candidates(measures.game, rules, finding.about, suspect.price_key)
    for change in changes if finding.asks else ():
        if tried >= measures.game.plan.tried * min(measures.factor, 3) or measures.running.interrupt():
            break
        if change.text in seen:
            continue
        seen.add(change.text)
        after = _after(measures, finding.asks, change)
        if after is None or after.mean is None:
            continue
        tried += 1
        shift = 0.0
        if change.key == suspect.price_key:
            shift = suspect.slope * (float(change.value) - float(change.now))
        low = -float("inf") if finding.low is None else finding.low + shift
        high = float("inf") if finding.high is None else finding.high + shift
        if low - after.width <= after.mean <= high + after.width:
            sure = after.low is not None and after.high is not None and low <= after.low <= after.high <= high
            found.append(Remedy(change.key, change.now, change.value, _said(rules, change), after, sure))
    found = found[:_SHOWN]
    if found:
        found[0] = _with_also(measures, found[0])
    return msgspec.structs.replace(finding, remedies=found, tried=tried)


def _said(rules: Any, change: Change) -> str:
    """A change in words: ``Fireball: cost 8 instead of 4``."""
    table = rules.schema.table_of(change.key)
    about = rules.tables()[table].get("name") or table.rpartition(".")[2].replace("-", " ").capitalize()
    key = change.key.removeprefix(f"{table}.").replace("_", " ").replace(".", " ")
    return f"{about}: {key} {change.value} instead of {change.now}"


def _after(measures: Measures, asks: list[Ask], change: Change) -> Estimate | None:
    """The figure with a change; None if it cannot be asked so."""
    values = []
    try:
        changed = measures.by({"set": (*_others(measures, change.key), change.text)})
        for ask in asks:
            answer, _ = changed.ask(ask)
            figures = changed.question(ask.question).amounts
            assert figures is not None
            amounts = {each.key: each for each in figures(answer)}
            value = amounts[ask.key].value
            if value is None:
                return None
            known = value if isinstance(value, Estimate) else Estimate(value, None, None, 0)
            is_share = ask.question == "match" and ask.key in ("won_1", "won_2", "first_seat")
            known = measures.scaled(known) if is_share else known
            values.append(other_share(known) if ask.others else known)
    except (RequestError, WorkError, KeyError):
        return None
    return _mean_of(values)


def _mean_of(values: list[Estimate]) -> Estimate:
    """The mean of figures that were measured apart."""
    number, observations = len(values), sum(each.observations for each in values)
    mean = sum(each.mean or 0.0 for each in values) / number
    if number == 1 or any(each.low is None for each in values):
        return values[0] if number == 1 else Estimate(mean, None, None, observations)
    width = sum(each.width**2 for each in values) ** 0.5 / number
    return Estimate(mean, mean - width, mean + width, observations)


def _with_also(measures: Measures, remedy: Remedy) -> Remedy:
    """Say what else a change does to a match."""
    game = measures.game
    if game.contest is None or measures.running.interrupt():
        return remedy
    question = game.question("match")
    given = measures.asked(question, measures.alone(measures.usual).given)
    given["set"] = (*_others(measures, remedy.key), f"{remedy.key}={remedy.now}")
    try:
        found = beside(question, given, [f"{remedy.key}={remedy.value}"], measures.running)
    except (RequestError, WorkError):
        return remedy
    found = msgspec.structs.replace(found, before="what it is", after=remedy.said)
    return msgspec.structs.replace(remedy, also=difference_page(found).headline)


def _others(measures: Measures, key: str) -> list[str]:
    """The single values that are given but for the one of a key."""
    return [each for each in measures.given.get("set", ()) if each.partition("=")[0].strip() != key]

"""Names as in the box, for people, where reports carry ids; and which days are shown as one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Protocol, TypeVar

import msgspec

from analysis.ragers.answers.report import DayReport, ScenarioReport
from analysis.ragers.answers.trust import Trust

BOX = "Ragers"
"""What the rules of the box call themselves; others are named in the first line of an answer."""


class Named(Protocol):
    """What is of a day: ids, and with the reports of this version names."""

    @property
    def patron(self) -> str:
        """Id of the patron."""

    @property
    def cheers(self) -> str:
        """Id of the cheers card."""

    @property
    def day(self) -> DayReport | msgspec.UnsetType:
        """The day as the box names it."""


def day_name(scenario: Named) -> str:
    """Return patron and cheers card by name."""
    return f"{patron_name(scenario)} / {cheers_name(scenario)}"


def day_title(names: list[str]) -> str:
    """Return a day of several cheers cards: its patron and its cheers cards."""
    return f"{names[0]} / {', '.join(names[1:])}"


def card(type_id: str) -> str:
    """Return the name of a card type."""
    return type_id.capitalize()


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return names as in a sentence."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def named(type_id: str) -> str:
    """Return a card type with its article."""
    return f"the {card(type_id)}"


def hand(type_ids: Sequence[str]) -> str:
    """Return the cards of a hand, equal ones counted: ``2 Bashers, Slasher``."""
    counted = dict.fromkeys(type_ids, 0)
    for each in type_ids:
        counted[each] += 1
    return ", ".join(
        card(each) if number == 1 else f"{number} {card(each)}s" for each, number in counted.items()
    )


def trusted(scenario: ScenarioReport) -> Trust:
    """Return how far to trust an answer of this version's reports."""
    assert scenario.trust is not msgspec.UNSET
    return scenario.trust


def answers(scenario: ScenarioReport) -> bool:
    """Return whether there is an answer to be shown."""
    return scenario.trust is msgspec.UNSET or scenario.trust.answers


def patron_name(scenario: Named) -> str:
    """Return the patron's name as in the box."""
    return scenario.patron if scenario.day is msgspec.UNSET else scenario.day.patron


def cheers_name(scenario: Named) -> str:
    """Return the cheers card's name as in the box."""
    return scenario.cheers if scenario.day is msgspec.UNSET else scenario.day.cheers


class Relabelled(Named, Protocol):
    """What may be the same day with the attacks renamed."""

    @property
    def relabelled_from(self) -> str | None:
        """Cheers card whose day it is, or None."""


_Day = TypeVar("_Day", bound=Relabelled)


def same_days(scenarios: Sequence[_Day]) -> list[list[_Day]]:
    """Return days under one patron, those together that are one game with the attacks renamed."""
    alike: dict[str, list[_Day]] = {}
    for each in scenarios:
        alike.setdefault(each.relabelled_from or each.cheers, []).append(each)
    return list(alike.values())


def told_once(scenarios: Sequence[_Day]) -> tuple[list[_Day], list[str]]:
    """Return days without those that are others with the attacks renamed, and lines that name these."""
    kept: list[_Day] = []
    renamed: dict[str, list[str]] = {}
    for patron, group in groupby(scenarios, patron_name):
        for alike in same_days([*group]):
            kept.append(alike[0])
            if len(alike) > 1:
                names = ", ".join(map(cheers_name, alike[1:]))
                renamed.setdefault(
                    f"{names}: as {cheers_name(alike[0])}, with the attacks renamed", []
                ).append(patron)
    patrons = {patron_name(each) for each in scenarios}
    return kept, [
        f"{text}." if set(where) == patrons else f"{text} ({listed(where)})."
        for text, where in renamed.items()
    ]

"""Scenarios: which day is to be solved, under which rules and which model of the preparation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from analysis.errors import RequestError
from engine.ragers.isomorphism import DayGame, day_game
from engine.ragers.rules import CheersRule, PatronRule, Rules, UnknownNameError

PREPARATIONS = ("none", "redraw", "seen")


@dataclass(frozen=True)
class Scenario:
    """One day to solve.

    Attributes
    ----------
    rules : the rules it is played by.
    patron, cheers : the patron of the day and the one cheers card on the table (M2).
    preparation : one of `PREPARATIONS`.
    """

    rules: Rules
    patron: PatronRule
    cheers: CheersRule
    preparation: str

    @cached_property
    def day(self) -> DayGame:
        """What its game depends on."""
        return day_game(self.rules, self.patron.id, [self.cheers.id])

    @property
    def title(self) -> str:
        """Name for people."""
        return f"{self.patron.name} / {self.cheers.name}"


def scenarios(
    rules: Rules, patrons: Iterable[str], cheers: Iterable[str], preparation: str
) -> list[Scenario]:
    """Return the scenarios asked for, patron by patron.

    Parameters
    ----------
    patrons, cheers : names or ids as typed; none means all. Repeated ones count once.
    preparation : model of the preparation; where the rules allow no discard there is nothing to prepare, and
        it is ``none``.

    Raises
    ------
    RequestError
        For an unknown name, with close matches.
    """
    try:
        chosen_patrons = list({rules.patron(name).id: rules.patron(name) for name in patrons}.values())
    except UnknownNameError as error:
        raise RequestError(str(error), "--patron") from None
    try:
        chosen_cheers = list(
            {rules.cheers_card(name).id: rules.cheers_card(name) for name in cheers}.values()
        )
    except UnknownNameError as error:
        raise RequestError(str(error), "--cheers") from None
    if rules.match.discards == 0:
        preparation = "none"
    return [
        Scenario(rules, patron, card, preparation)
        for patron in chosen_patrons or rules.patrons
        for card in chosen_cheers or rules.cheers
    ]

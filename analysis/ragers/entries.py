"""Card types and patrons for ``balance --only``, from stored answers: nothing is solved."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from analysis.front.entries import Tried, Usage
from analysis.front.page import Fact
from analysis.front.question import Running
from analysis.ragers.questions.balance import VERDICTS, mean_of, stored
from engine.ragers.rules import Rules

if TYPE_CHECKING:
    from analysis.ragers.answers.health import ScenarioHealth
    from analysis.ragers.questions.balance import Balance

__all__ = ["cards", "patrons"]

_PLACED = 0.005
"""A card that is placed less often in a day is not placed there."""


def cards(rules: Rules, asked: Balance, ids: Sequence[str], running: Running) -> dict[str, Tried]:
    """Return what card types are worth in the days that are stored."""
    solved = [each for each in stored(asked, running).scenarios if each.answers]
    return {id_: _card(solved, id_) for id_ in ids} if solved else {}


def _card(solved: Sequence[ScenarioHealth], id_: str) -> Tried:
    known = [(each.mean_gp[0], each.cards[id_]) for each in solved]
    worth = [(mean, card.worth_gp) for mean, card in known if card.worth_gp is not None]
    placed = [sum(card.placed) for _, card in known]
    usage = Usage(
        "the plans found", "placed", len(placed), sum(each >= _PLACED for each in placed), fmean(placed)
    )
    verdicts = [card.verdict for _, card in known if card.verdict is not None]
    told = {name: verdicts.count(name) for name in VERDICTS if name in verdicts}
    more = [
        Fact("opens", "days open with it", fmean(card.opening for _, card in known), "share"),
        Fact("gp", "it brings GP a day", mean_of([card.gp for _, card in known]), "number", 2),
    ]
    more += [Fact(name, f"it is {VERDICTS[name]}, days", number, "count") for name, number in told.items()]
    how = (
        "With: GP of a day whose hand as dealt has one more of it. Without: one average card instead. Days"
        " that are stored are solved, so no deals have to be played; intervals are over these days."
    )
    return Tried([mean + gp for mean, gp in worth], [mean for mean, _ in worth], how, usage, more)


def patrons(rules: Rules, asked: Balance, ids: Sequence[str], running: Running) -> dict[str, Tried]:
    """Return what days with each patron pay; none can be left out."""
    solved = [each for each in stored(asked, running).scenarios if each.answers]
    found = {}
    for id_ in ids:
        days = [each for each in solved if each.patron == id_]
        more = [Fact("days", "stored days", len(days), "count")]
        if days:
            more += [
                Fact("gp", "GP of a day", fmean(each.mean_gp[0] for each in days), "number", 2),
                Fact("draw", "drawn", fmean(each.outcome.draw for each in days), "share"),
            ]
        found[id_] = Tried((), (), _NO_PATRON.format(id_), more=more)
    return found


_NO_PATRON = (
    "No patron can be left out, since every day has one: ragers explain patron {} says what it changes beside"
    " the others."
)

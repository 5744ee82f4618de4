"""``worth``: what momentum, cheer, a level and each gladiator are worth."""

from __future__ import annotations

from typing import Annotated

import msgspec

from analysis.estimates import Estimate
from analysis.front.bundles import RulesFiles, Work
from analysis.front.page import Cell, Column, Page, Table, data_of
from analysis.front.parameters import param
from analysis.front.question import Amount, Answer, Question
from analysis.front.verdicts import Best

__all__ = ["QUESTION", "WORDS", "Change", "GladiatorWorth", "Worth", "WorthAnswer"]

WORDS = {
    "momentum": "acting, not the other side",
    "cheer": "one cheer more",
    "level": "a level more for one gladiator",
}


class Worth(msgspec.Struct, frozen=True, kw_only=True):
    """Which positions are proved."""

    size: Annotated[
        int,
        param(
            "Gladiators on each side; a position of three a side takes a second, of two a tenth.",
            ge=1,
            le=12,
            unit="gladiators",
        ),
    ] = 2
    positions: Annotated[int, param("Random positions to prove.", ge=2, le=10_000_000, unit="positions")] = (
        400
    )
    wave: (
        Annotated[int, param("Which wave it is. Its end counts.  [default: the last one]", ge=1, le=99)]
        | None
    ) = None
    work: Work = Work()
    rules: RulesFiles = RulesFiles()


class Change(msgspec.Struct, frozen=True):
    """What a change is worth to the side that has it.

    Attributes
    ----------
    points : difference of victory points at the end of the wave, with the change less without.
    chance : likewise of the chance of winning, a draw counted as half of one.
    decides : share of positions in which the result is another one; an exact count of the sample.
    """

    change: str
    points: Estimate
    chance: Estimate
    decides: float


class GladiatorWorth(msgspec.Struct, frozen=True):
    """Fights in which a gladiator stood.

    Attributes
    ----------
    cost : victory points it counts for in a team.
    points, chance : what these fights were worth to its side, as in `Change`.
    """

    name: str
    cost: int
    points: Estimate
    chance: Estimate


class WorthAnswer(Answer, frozen=True, kw_only=True):
    """What changes and gladiators are worth, over random positions.

    Attributes
    ----------
    size : gladiators on each side.
    positions, asked : how many were proved, and how many were to be.
    best : which change is worth most points, as far as these positions tell.
    """

    size: int
    wave: int
    positions: int
    asked: int
    changes: list[Change]
    gladiators: list[GladiatorWorth]
    best: Best = Best()


def amounts(found: WorthAnswer) -> list[Amount]:
    """Return what can be compared between two answers."""
    changes = [
        Amount(each.change, f"{WORDS[each.change]}, points", each.points, "signed") for each in found.changes
    ]
    return changes + [
        Amount(f"gladiators.{each.name}", f"{each.name}, points", each.points, "signed")
        for each in found.gladiators
    ]


def page(found: WorthAnswer) -> Page:
    """Return both tables, gladiators by what their fights are worth."""
    known = [each for each in found.gladiators if each.points.mean is not None]
    known.sort(key=lambda each: -(each.points.mean or 0.0))
    changes: list[list[Cell]] = [
        [WORDS[each.change], each.points, each.chance, each.decides] for each in found.changes
    ]
    gladiators: list[list[Cell]] = [[each.name, each.cost, each.points, each.chance] for each in known]
    points = Column("points", "points", "signed", 2)
    where = f"{found.size} against {found.size}, wave {found.wave}"
    notes = [
        f"Every fight is proved, without cards; the {found.positions:,} positions are a sample."
        " A draw counts as half a win.",
        "Positions are as a wave begins: any gladiators, levels, wounds, fields, and up to 5 cheer a side.",
    ]
    if not found.complete:
        notes.append(f"Stopped early: {found.positions:,} of {found.asked:,} positions are proved.")
    return Page(
        headline=_headline(found, where),
        sections=[
            Table(
                [
                    Column("what", "change"),
                    points,
                    Column("chance", "wins more", "gain"),
                    Column("decides", "decides", "share", 0),
                ],
                changes,
                f"What changes are worth, {where}",
            ),
            Table(
                [
                    Column("what", "gladiator"),
                    Column("cost", "costs", "count"),
                    points,
                    Column("chance", "wins", "share"),
                ],
                gladiators,
                "Fights with a gladiator on one's side",
            ),
        ],
        notes=notes,
        method=["Intervals hold with 95 % confidence; the same seed gives the same positions."],
        data=data_of(_rows(found)),
    )


def _rows(found: WorthAnswer) -> list[dict[str, Cell]]:
    changes = [(each.change, each.points, each.chance) for each in found.changes]
    gladiators = [(each.name, each.points, each.chance) for each in found.gladiators]
    return [
        {"what": what, "points": points, "chance": chance} for what, points, chance in changes + gladiators
    ]


def _headline(found: WorthAnswer, where: str) -> str:
    if not found.complete:
        return f"Stopped early: which change is worth most is not told, {where}."
    figures = {WORDS[each.change]: each.points for each in found.changes}
    nothing = f"These {found.positions:,} positions do not tell what a change is worth."
    said = found.best.said("gains most points", "gain most points", nothing, figures, "signed")
    return f"{said[:-1]}; {where}."


QUESTION: Question[Worth, WorthAnswer] = Question(
    name="worth",
    about="Measure what momentum, cheer, levels and gladiators are worth. Random positions within a wave are"
    " proved, without and with one more.",
    asked=Worth,
    answers=WorthAnswer,
    function="analysis.ophidian.worth:answer",
    page=page,
    exactness="measured",
    amounts=amounts,
    observed="analysis.ophidian.worth:observed",
    examples=(
        "worth --positions 40",
        "worth --size 3 --positions 4",
        "worth --positions 10 --vary gladiators.runt.attack.one=2:3",
    ),
)

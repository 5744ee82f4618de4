"""``worth``: what momentum, a cheer, a level and each gladiator are worth."""

from __future__ import annotations

from typing import Annotated

import msgspec

from analysis.estimates import CONFIDENCE, Estimate
from analysis.front.bundles import RulesFiles, Work
from analysis.front.page import Cell, Column, Page, Table, data_of
from analysis.front.parameters import param
from analysis.front.question import Amount, Answer, Question
from analysis.front.render.numbers import cell_text
from analysis.ophidian.setup import WAVE

__all__ = ["QUESTION", "AskedWorth", "ChangeWorth", "GladiatorWorth", "WorthAnswer"]

CHANGE_WORDS = {
    "momentum": "acting first",
    "cheer": "one cheer more",
    "level": "one level more",
}


class AskedWorth(msgspec.Struct, frozen=True, kw_only=True):
    """Which positions are proved."""

    size: Annotated[
        int, param("Gladiators on each side. A position of three a side takes a second, not .1.", ge=1, le=4)
    ] = 2
    positions: Annotated[int, param("Positions that are proved.", ge=1, le=10_000_000, unit="positions")] = (
        400
    )
    wave: Annotated[int, WAVE] | None = None
    work: Work = Work()
    rules: RulesFiles = RulesFiles()


class ChangeWorth(msgspec.Struct, frozen=True):
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
    points, chance : what these fights were worth to its side, as in `ChangeWorth`.
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
    """

    size: int
    wave: int
    positions: int
    asked: int
    changes: list[ChangeWorth]
    gladiators: list[GladiatorWorth]


def page(found: WorthAnswer) -> Page:
    """Return both tables, gladiators by what their fights are worth."""
    columns = [
        Column("change", "change"),
        Column("points", "points", "signed"),
        Column("chance", "more wins,", "gain"),
        Column("decides", "decides", "share", 0),
    ]
    changes: list[list[Cell]] = [
        [CHANGE_WORDS[each.change], each.points, each.chance, each.decides] for each in found.changes
    ]
    heads = [
        Column("gladiator", "gladiator"),
        Column("cost", "costs", "count"),
        Column("points", "points", "signed"),
        Column("chance", "wins", "share"),
    ]
    known = [each for each in found.gladiators if each.points.mean is not None]
    known.sort(key=lambda each: -(each.points.mean or 0.0))
    gladiators: list[list[Cell]] = [[each.name, each.cost, each.points, each.chance] for each in known]
    size, wave = f"{found.size} against {found.size}", f"wave {found.wave}"
    stopped = f"; stopped before all {found.asked}" if found.positions < found.asked else ""
    rows: list[dict[str, Cell]] = [
        {"what": each.change, "points": each.points, "chance": each.chance} for each in found.changes
    ]
    rows += [{"what": each.name, "points": each.points, "chance": each.chance} for each in found.gladiators]
    return Page(
        headline=f"{size}, {wave}: to act first is worth"
        f" {cell_text(found.changes[0].points, 'signed')} points.",
        sections=[
            Table(columns, changes, "What changes are worth"),
            Table(heads, gladiators, "Fights with a gladiator on one's side"),
        ],
        notes=[
            f"Every fight is proved, without cards; the {found.positions} positions are a sample{stopped},"
            f" with intervals of {CONFIDENCE:.0%}. A draw counts as half a win.",
            "Positions are as a wave begins: any gladiators, levels, wounds, fields, and up to 5 cheer a"
            " side.",
        ],
        data=data_of(rows),
    )


def amounts(found: WorthAnswer) -> list[Amount]:
    """Return what changes and gladiators are worth."""
    changes = [
        amount
        for each in found.changes
        for amount in (
            Amount(f"{each.change}/points", f"{CHANGE_WORDS[each.change]}: points", each.points, "signed"),
            Amount(f"{each.change}/chance", f"{CHANGE_WORDS[each.change]}: wins", each.chance, "gain"),
        )
    ]
    gladiators = [
        amount
        for each in found.gladiators
        for amount in (
            Amount(f"{each.name}/points", f"{each.name}: points", each.points, "signed"),
            Amount(f"{each.name}/chance", f"{each.name}: wins", each.chance, "share"),
        )
    ]
    return changes + gladiators


QUESTION: Question[AskedWorth, WorthAnswer] = Question(
    name="worth",
    about="Measure what momentum, a cheer more, a level more, and each gladiator are worth. Random positions"
    " within a wave, the last one if none is named, are proved without and with each change. There are no"
    " cards. The same seed gives the same positions, however many processes work at them.",
    asked=AskedWorth,
    answers=WorthAnswer,
    function="analysis.ophidian.worth:answer",
    page=page,
    exactness="measured",
    amounts=amounts,
    examples=(
        "worth --size 1 --positions 40",
        "worth --size 1 --positions 20 --set gladiators.runt.attack.one=3",
        "worth --size 1 --positions 20 --vary wave=2:4",
    ),
)

"""The armies that are enough: their figures, and how they look."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.clash.position import army_written
from analysis.clash.reports import NeedAnswer
from analysis.front.page import Cell, Column, Follow, Page, Table
from analysis.front.question import Amount
from analysis.front.render.numbers import number_text

__all__ = ["amounts", "page"]


def _text(found: NeedAnswer, counts: Sequence[int]) -> str:
    return ", ".join(f"{count} {unit}" for count, unit in zip(counts, found.units, strict=True) if count)


def _battle(found: NeedAnswer, counts: Sequence[int]) -> Follow:
    """The battle of one of the armies."""
    attacker = army_written(found.attacker, counts)
    return Follow("solve", {"attacker": attacker, "defender": found.defender})


def amounts(found: NeedAnswer) -> list[Amount]:
    """Return what can be compared between two answers."""
    fewest = min((army.figures for army in found.needed), default=None)
    return [
        Amount("figures", "figures of the smallest army", fewest, "count"),
        Amount("best", "chance of the best army", found.best.win, "share"),
        Amount("enough", "armies that are enough", found.enough, "count"),
    ]


def page(found: NeedAnswer) -> Page:
    """Return how it looks."""
    columns = [
        *(Column("army", "army"), Column("figures", "figures", "count"), Column("win", "chance", "share", 2)),
        Column("slowness", "slowness", "count"),
    ]
    rows: list[list[Cell]] = [
        [_text(found, army.counts), army.figures, army.win, army.slowness] for army in found.needed
    ]
    chance = number_text(found.chance, "share", 2)
    if found.needed:
        least = found.needed[0]
        headline = f"{_text(found, least.counts)} of {found.attacker} win with at least {chance} %."
    else:
        best, win = _text(found, found.best.counts), number_text(found.best.win, "share", 2)
        headline = f"No army of {found.attacker} is enough for {chance} %; the best is {best}, with {win} %."
    notes = []
    hurt = [army for army in found.needed if army.hurt]
    if hurt:
        one = f"{_text(found, hurt[0].counts)} and one more {hurt[0].hurt[0]}"
        notes.append(f"More can be less: {one} fall short of it.")
    if found.bracket:
        notes.append("The chances are lower bounds: the state space was cut.")
    notes.append(
        f"{found.enough:,} of {found.armies:,} armies are enough; listed are those of whose parts none is."
    )
    return Page(
        headline=headline,
        sections=[
            Table(
                columns,
                rows,
                f"{found.attacker} against {found.defender}: at least {chance} %",
                follow=[_battle(found, army.counts) for army in found.needed],
            )
        ],
        notes=notes,
        method=[
            f"All armies are valued in one exact solve: {found.states:,} positions, {found.sha256[:16]}."
        ],
    )

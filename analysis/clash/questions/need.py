"""``need``: the smallest armies that take a territory with a given chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from analysis.clash.armies import Army
from analysis.clash.position import Carried, Forces, Limits, army_of, army_written, scenario_of
from analysis.clash.reports import NeedAnswer
from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles
from analysis.front.page import Cell, Column, Follow, Page, Table
from analysis.front.parameters import param
from analysis.front.question import Amount, Question, Running
from analysis.front.render.numbers import number_text

__all__ = ["NEED", "Need"]


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """Whose armies, against whom, and how sure."""

    forces: Forces = Forces()
    max: (
        Annotated[
            str,
            param(
                "Figures at hand of level I, II and III, such as 3,2,1."
                "  [default: those of the attacker's army; a clan alone is all of it]",
                metavar="I,II,III",
            ),
        ]
        | None
    ) = None
    chance: Annotated[float, param("Chance to hold the territory in the end.", ge=0.0, le=1.0)] = 0.9
    carried: Carried = Carried()
    limits: Limits = Limits()
    rules: RulesFiles = RulesFiles()


def answer(asked: Need, running: Running) -> NeedAnswer:
    """Find the smallest armies that are enough."""
    from analysis.clash.game import GAME

    rules = GAME.rules_of(asked.rules)
    given = asked.forces.attacker
    force = msgspec.structs.replace(given, units={}) if asked.max is not None else given
    attacker = army_of(rules, force, "--attacker", most=True)
    if asked.max is not None:
        attacker = Army(attacker.clan, attacker.types, _counts(attacker, asked.max))
    armies = attacker, army_of(rules, asked.forces.defender, "--defender")
    scenario = scenario_of(rules, armies, asked.carried, most_tokens=asked.limits.bracket)
    memory = asked.limits.bytes
    from analysis.clash.smallest import need_answer

    return need_answer(scenario, asked.chance, memory=memory)


def _counts(army: Army, text: str) -> tuple[int, int, int]:
    """Read how many figures there are of each level."""
    try:
        one, two, three = map(int, text.split(","))
    except ValueError:
        said = f"{text!r}: write the units of level I, II and III, such as 3,2,1"
        raise RequestError(said, "--max") from None
    for count, kind, most in zip((one, two, three), army.types, army.most, strict=True):
        if not 0 <= count <= most:
            raise RequestError(f"{count} {kind.name}: {army.clan} has from 0 to {most}", "--max")
    if not one + two + three:
        raise RequestError("no units at hand; allow at least one, such as 1,0,0", "--max")
    return one, two, three


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


NEED: Question[Need, NeedAnswer] = Question(
    name="need",
    about="Find the smallest armies that win a battle with a given chance. More can be less: a slow unit may"
    " cost the first assault.",
    asked=Need,
    answers=NeedAnswer,
    function="analysis.clash.questions.need:answer",
    page=page,
    exactness="exact",
    amounts=amounts,
    examples=(
        'need --attacker "bohorg: 3 I, 2 II, 1 III" --defender "elves: 2 Templar" --chance .75',
        'need --attacker bohorg --defender "elves: 1 Templar, 1 Guard"',
    ),
)

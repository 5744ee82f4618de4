"""``ragers lock``: what a habit does to a day, and what it costs who has it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from analysis.files import check_output
from analysis.ragers.answers.asking import (
    EXIT_FAILURE,
    EXIT_INTERRUPTED,
    Answered,
    Question,
    read_rules,
    worst,
)
from analysis.ragers.hands import HandError, named_type
from analysis.ragers.scenarios import Scenario, scenarios
from analysis.ragers.workbench import locking
from cli import grid
from cli.entry import command
from cli.output import write_output
from cli.ragers.asking import ask
from cli.ragers.commands.options import (
    SETTINGS,
    effort_options,
    examples,
    output_options,
    rules_options,
    scenario_options,
    take_limits,
)
from cli.ragers.views import lock as view
from engine.ragers.rules import PLAYERS, TYPES

if TYPE_CHECKING:
    from solver.hidden_hands import Habit

_SHAPE = re.compile(r"(?P<type>[a-z]+)(@(?P<first>\d+)(-(?P<last>\d+))?)?=(?P<frequency>[0-9.]+%?)")


@command(
    "lock",
    context_settings=SETTINGS,
    short_help="What a habit costs: a type's frequency fixed, the rest solved.",
    epilog=examples(
        "ragers lock --habit chancer=0 --patron Solennos --cheers two-bashers",
        "ragers lock --habit veteran@1-3=0 --patron Arianna --cheers two-bashers --player both",
        "ragers lock --habit basher=80% --patron Solennos --cheers two-bashers --time-limit 10m",
    )
    + "\n\n\b\nExit codes: as for ragers solve.",
)
@click.option(
    "--habit",
    "texts",
    multiple=True,
    required=True,
    metavar="TYPE[@STEP[-STEP]]=FREQUENCY",
    help="How often the type is placed, in that step or those steps (1, the opening, if none is given), by"
    " hands that hold it and something else. Repeatable.",
)
@click.option(
    "--player",
    type=click.Choice((*PLAYERS, "both")),
    default=PLAYERS[0],
    show_default=True,
    help="Who has the habits.",
)
@rules_options
@scenario_options
@effort_options
@output_options()
@click.pass_context
def lock(
    ctx: click.Context,
    /,
    texts: tuple[str, ...],
    player: str,
    rules_files: tuple[Path, ...],
    overrides: tuple[str, ...],
    patrons: tuple[str, ...],
    cheers: tuple[str, ...],
    preparation: str,
    fresh: bool,
    form: str,
    output: Path | None,
    quiet: bool,
    **limits: Any,
) -> None:
    """Fix how often a type is placed, solve everything else, and compare with the day without such habits.

    "What if players never open with the Chancer?" "What if I always hold the Veteran back?" A habit of one
    player makes the two sides unequal: the tree is twice as large then, and so is the memory needed.
    """
    rules = read_rules(rules_files, overrides)
    if output is not None:
        check_output(output)
    todo = scenarios(rules, patrons, cheers, preparation)
    seats = range(2) if player == "both" else [PLAYERS.index(player)]
    habits = _habits(texts, seats, min(rules.row_length(each.patron) for each in todo))
    _check_possible(habits, todo)
    question = Question(seats[0], None, take_limits(limits).effort(), fresh)
    free, code = ask(todo, question, quiet=quiet)
    locked: list[Answered] = []
    if code != EXIT_INTERRUPTED:
        todo = [each.scenario for each in free]
        locked, other_code = ask(todo, replace(question, habits=habits), quiet=quiet)
        code = worst((code, other_code))
    found = {each.scenario: each for each in locked}
    compared = [
        locking.compare(each, found[each.scenario], seats[0], shared=player == "both")
        for each in free
        if each.scenario in found
    ]
    report = locking.lock_report(rules, habits, compared)
    text = grid.in_format(report, form, view.csv_rows, view.sections, view.notes)
    if compared and not write_output(text, output):
        code = code or EXIT_FAILURE
    ctx.exit(code)


def _habits(texts: Sequence[str], seats: Sequence[int], steps: int) -> tuple[Habit, ...]:
    """Return the habits as typed, for each of the players who have them.

    Raises
    ------
    click.BadParameter
        If one of them makes no sense.
    """
    from solver.hidden_hands import Habit

    habits: dict[tuple[int, int, int], Habit] = {}
    for text in texts:
        match = _SHAPE.fullmatch(text.strip().lower())
        if match is None:
            raise _wrong(f"{text!r} is not of the form TYPE@STEP=FREQUENCY, for instance chancer@1=0")
        try:
            item = named_type(match["type"])
        except HandError:
            raise _wrong(f"{match['type']!r} is none of {', '.join(TYPES)}") from None
        frequency = _frequency(match["frequency"])
        if frequency is None:
            raise _wrong(f"{match['frequency']!r} is no frequency: 0 to 1, or 0% to 100%")
        first = int(match["first"] or 1)
        last = int(match["last"] or first)
        if not 1 <= first <= last < steps:
            raise _wrong(
                f"{text!r}: steps 1 to {steps - 1} can be locked here (in the last one everybody is free)"
            )
        for seat in seats:
            for step in range(first - 1, last):
                habits[seat, step, item] = Habit(seat, step, item, frequency)
    sums: dict[tuple[int, int], float] = {}
    for (seat, step, _), habit in habits.items():
        sums[seat, step] = sums.get((seat, step), 0.0) + habit.frequency
    if max(sums.values()) > 1.0:
        raise _wrong("the frequencies of one step add up to more than one")
    return tuple(habits.values())


def _check_possible(habits: Sequence[Habit], todo: Sequence[Scenario]) -> None:
    """Raise click.BadParameter if a type is to be placed where that cannot be, or never where it never is."""
    for habit in habits:
        name, who = TYPES[habit.item], PLAYERS[habit.player]
        banned = list(dict.fromkeys(each.patron.name for each in todo if habit.item in each.day.banned))
        held = [each for each in todo if each.day.copies[habit.player][habit.item]]
        if not held:
            raise _wrong(f"the {who} have no {name} in their deck")
        if banned and (habit.frequency or all(habit.item in each.day.banned for each in todo)):
            raise _wrong(
                f"{' and '.join(banned)} {'let' if len(banned) > 1 else 'lets'} nobody place a {name}: such a"
                " habit is about other patrons (--patron)"
            )


def _frequency(text: str) -> float | None:
    try:
        value = float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return None
    return value if 0.0 <= value <= 1.0 else None


def _wrong(message: str) -> click.BadParameter:
    return click.BadParameter(message, param_hint="'--habit'")

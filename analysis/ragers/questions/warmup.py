"""``warmup``: what solves need is made beforehand: kernels, and tables that what-ifs begin from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import msgspec

from analysis.front.bundles import RulesFiles
from analysis.front.page import Cell, Column, Page, Section, Table
from analysis.front.question import Answer, Question, Running
from analysis.ragers.answers import report, solving, starts
from analysis.ragers.bundles import Budget, CheersCards, Patrons, Preparation
from analysis.ragers.scenarios import Scenario, scenarios

__all__ = ["QUESTION"]

_LONG_S = 120.0
"""How long a day is solved if nothing else is said."""
_MOST_BYTES = 2 << 30
"""Memory of solves whose tables may be small enough to be kept."""
_SAID = {"made": "made now", "there": "there already", "none": "none: what-ifs begin anew"}


class Warmup(msgspec.Struct, frozen=True, kw_only=True):
    """Days that what-ifs will be asked of; without a patron and a cheers card only kernels are made."""

    patron: Patrons = ()
    cheers: CheersCards = ()
    preparation: Preparation = "redraw"
    budget: Budget = Budget()
    rules: RulesFiles = RulesFiles()


class TablesReport(msgspec.Struct, frozen=True):
    """What what-ifs of a day begin from.

    Attributes
    ----------
    day : the day as the box names it.
    tables : whether they were made now or were there already. There are none of days that take more than a
        GiB, or only a moment.
    nash_conv_gp : what both sides could still gain in the solve that made them.
    """

    patron: str
    cheers: str
    preparation: str
    day: report.DayReport
    tables: Literal["made", "there", "none"]
    nash_conv_gp: float | None = None


class WarmupAnswer(Answer, frozen=True, kw_only=True):
    """The kernels are ready, and so are the tables of these days."""

    days: Sequence[TablesReport] = ()


def answer(asked: Warmup, running: Running) -> WarmupAnswer:
    """Compile what is not compiled yet, and solve days of which no tables are kept."""
    from analysis.ragers.game import GAME
    from solver.hidden_hands import warmup

    rules = GAME.rules_of(asked.rules)
    named = bool(asked.patron or asked.cheers)
    todo = scenarios(rules, asked.patron, asked.cheers, asked.preparation) if named else []
    running.reporter.total = 1 + len(todo)
    running.reporter.begin("kernels", 1, None)
    # What is ready is kept, so there is nothing to wait for.
    running.interrupt.then = _leave
    warmup(running.reporter)
    running.interrupt.then = None
    effort = asked.budget.limits(0, warm=True)
    effort = replace(effort, time_limit_s=_LONG_S) if effort.unlimited else effort
    days = []
    for number, scenario in enumerate(todo, 2):
        if running.interrupt():
            break
        running.reporter.begin(scenario.title, number, effort.granted_s)
        days.append(_made(scenario, effort, running))
    return WarmupAnswer(days=days, complete=len(days) == len(todo) and not running.interrupt())


def _made(scenario: Scenario, effort: solving.Effort, running: Running) -> TablesReport:
    """Make the tables of a day, unless they are there."""
    say = running.reporter.say
    names = scenario.patron.id, scenario.cheers.id, scenario.preparation, report.day_report(scenario)
    place = starts.warm_start(scenario, say).keep_in
    assert place is not None
    if place.exists():
        return TablesReport(*names, "there")
    estimate = solving.estimate(scenario, effort)
    if estimate.method != "exact" or estimate.memory_bytes > _MOST_BYTES:
        return TablesReport(*names, "none")
    found, _ = solving.solve(scenario, effort, progress=running.reporter, stop=running.interrupt, note=say)
    return TablesReport(*names, "made" if place.exists() else "none", found.nash_conv_gp)


def _leave() -> None:
    raise KeyboardInterrupt


def page(found: WarmupAnswer) -> Page:
    """Return what is ready."""
    columns = [
        *(Column("patron", "patron"), Column("cheers", "cheers card"), Column("preparation", "preparation")),
        *(Column("tables", "tables"), Column("nash_conv_gp", "NashConv", "number", 2)),
    ]
    rows: list[list[Cell]] = [
        [day.day.patron, day.day.cheers, day.preparation, _SAID[day.tables], day.nash_conv_gp]
        for day in found.days
    ]
    days: list[Section] = [Table(columns, rows, "What what-ifs of each day begin from")] if rows else []
    return Page(headline="The kernels are ready.", sections=days)


QUESTION = Question(
    name="warmup",
    about="Compile the kernels of the day solver now. That takes two to five minutes on two cores, once"
    " per installation. Solve the days that are named, two minutes each, so that what-ifs begin from their"
    " tables. Limits are those of solves; compiling has none."
    " Stopped by Ctrl-C or SIGTERM it keeps what is ready, and goes on from there next time.",
    asked=Warmup,
    answers=WarmupAnswer,
    function=answer,
    page=page,
    exactness="exact",
    examples=("warmup", "warmup --patron Solennos --cheers two-bashers"),
    gives_way=True,
)

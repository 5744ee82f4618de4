"""``teams``: the teams that may play."""

from __future__ import annotations

from typing import Annotated

import msgspec

from analysis.front.bundles import RulesFiles
from analysis.front.kinds import Pick
from analysis.front.page import Cell, Column, Page, Section, Table
from analysis.front.parameters import param
from analysis.front.question import Amount, Answer, Question

__all__ = ["QUESTION", "TeamEntry", "Teams", "TeamsAnswer"]

_ROWS = 15


class Teams(msgspec.Struct, frozen=True, kw_only=True):
    """Who has to be in them."""

    gladiators: Annotated[
        tuple[str, ...],
        param(
            "Gladiators to look at. Only teams that have all of them. Repeatable.  [default: all]",
            kind=Pick("gladiators"),
            argument=True,
            metavar="GLADIATORS",
        ),
    ] = ()
    rules: RulesFiles = RulesFiles()


class TeamEntry(msgspec.Struct, frozen=True):
    """A team that may play.

    Attributes
    ----------
    points : printed; `discount` of them is taken off by a Legend's patron (T2).
    disciplines : that its gladiators have.
    """

    gladiators: list[str]
    points: int
    discount: int
    disciplines: list[str]


class TeamsAnswer(Answer, frozen=True, kw_only=True):
    """Teams that may play, those without a discount first.

    Attributes
    ----------
    asked : gladiators that each of them has.
    problem : where whole teams were asked for that may not play: why, else empty.
    """

    asked: list[str]
    problem: str
    without_discount: int
    teams: list[TeamEntry]


def counts(found: TeamsAnswer) -> dict[str, int]:
    """Return how many of the teams each gladiator is in, the most frequent first."""
    names = [name for team in found.teams for name in team.gladiators]
    return {
        name: names.count(name) for name in sorted(dict.fromkeys(names), key=lambda each: -names.count(each))
    }


def page(found: TeamsAnswer) -> Page:
    """Return the teams, or why there is none."""
    having = f" with {', '.join(found.asked)}" if found.asked else ""
    if not found.teams:
        return Page(
            headline=f"No team{having} may play: {found.problem} (T1, T2).",
            data=_table([]),
        )
    number = len(found.teams)
    sections: list[Section] = [_table(found.teams[:_ROWS])]
    details = 1
    if number > _ROWS:
        sections.append(_table(found.teams))
    columns = [Column("gladiator", "gladiator"), Column("teams", "in so many teams", "count")]
    sections.append(Table(columns, [[name, count] for name, count in counts(found).items()]))
    more = [f"{number - _ROWS} more teams."] if number > _ROWS else []
    return Page(
        headline=f"{number} teams{having} may play, {found.without_discount} of them without a discount.",
        sections=sections,
        notes=more,
        details=details,
        data=_table(found.teams, words=True),
    )


def _table(teams: list[TeamEntry], *, words: bool = False) -> Table:
    """Teams as a table; with `words`, their disciplines, too."""
    columns = [
        Column("gladiators", "gladiators"),
        Column("points", "points", "count"),
        Column("discount", "discount", "count"),
        *([Column("disciplines", "disciplines")] if words else []),
    ]
    rows: list[list[Cell]] = [
        [
            ", ".join(each.gladiators),
            each.points,
            each.discount,
            *([" ".join(each.disciplines)] if words else []),
        ]
        for each in teams
    ]
    return Table(columns, rows)


def amounts(found: TeamsAnswer) -> list[Amount]:
    """Return how many teams there are, in all and with each gladiator."""
    return [
        Amount("teams", "teams", len(found.teams), "count"),
        Amount("without_discount", "teams without a discount", found.without_discount, "count"),
    ]


QUESTION: Question[Teams, TeamsAnswer] = Question(
    name="teams",
    about="List the teams that may play: they have exactly the points of a team, with a discount of one"
    " Legend if need be. With gladiators, only the teams that have all of them; or why there is none.",
    asked=Teams,
    answers=TeamsAnswer,
    function="analysis.ophidian.decks:teams",
    page=page,
    exactness="exact",
    amounts=amounts,
    examples=(
        "teams",
        "teams Pathogenesis Bastion",
        "teams --vary match.team_points=9:11",
    ),
)

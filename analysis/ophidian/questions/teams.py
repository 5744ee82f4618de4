"""``teams``: the teams that may play."""

from __future__ import annotations

from typing import Annotated

import msgspec

from analysis.front.bundles import RulesFiles
from analysis.front.kinds import Pick
from analysis.front.page import Cell, Column, Page, Section, Table, data_of
from analysis.front.parameters import param
from analysis.front.question import Amount, Answer, Question

__all__ = ["QUESTION", "Team", "Teams", "TeamsAnswer"]

_ROWS = 15


class Teams(msgspec.Struct, frozen=True, kw_only=True):
    """Whom the teams have."""

    gladiators: Annotated[
        tuple[str, ...],
        param(
            "Gladiators to look at. Repeatable: teams have all of them.  [default: all teams]",
            kind=Pick("gladiators"),
            argument=True,
            metavar="GLADIATORS",
        ),
    ] = ()
    rules: RulesFiles = RulesFiles()


class Team(msgspec.Struct, frozen=True):
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
    teams: list[Team]


def amounts(found: TeamsAnswer) -> list[Amount]:
    """Return what can be compared between two answers."""
    return [
        Amount("teams", "teams", len(found.teams), "count"),
        Amount("without_discount", "without a discount", found.without_discount, "count"),
    ]


def page(found: TeamsAnswer) -> Page:
    """Return the teams, and how many have each gladiator; or why there is none."""
    whom = f" with {', '.join(found.asked)}" if found.asked else ""
    if not found.teams:
        return Page(headline=f"No team{whom} may play: {found.problem} (T1, T2).", data=_data(found))
    number = len(found.teams)
    columns = [Column("gladiators", "gladiators"), Column("points", "points", "count")]
    columns.append(Column("discount", "discount", "count"))
    rows: list[list[Cell]] = [
        [", ".join(each.gladiators), each.points, each.discount or None] for each in found.teams
    ]
    sections: list[Section] = [Table(columns, rows[:_ROWS])]
    if rows[_ROWS:]:
        sections.append(Table(columns, rows[_ROWS:], f"{number - _ROWS} more"))
    names = [name for each in found.teams for name in each.gladiators]
    counts = sorted(((names.count(name), name) for name in dict.fromkeys(names)), key=lambda each: -each[0])
    heads = [Column("gladiator", "gladiator"), Column("teams", "teams", "count")]
    heads.append(Column("share", "of these teams", "share"))
    often: list[list[Cell]] = [[name, count, count / number] for count, name in counts]
    sections.append(Table(heads, often, "How many of these teams have the gladiator"))
    if number == 1:
        headline = f"One team{whom} may play."
    else:
        plain = f"{found.without_discount} of them without a discount"
        headline = f"{number:,} teams{whom} may play, {plain}."
    return Page(headline=headline, sections=sections, details=1, data=_data(found))


def _data(found: TeamsAnswer) -> Table:
    rows: list[dict[str, Cell]] = [
        {
            "gladiators": ", ".join(each.gladiators),
            "points": each.points,
            "discount": each.discount,
            "disciplines": " ".join(each.disciplines),
        }
        for each in found.teams
    ]
    return data_of(rows)


QUESTION: Question[Teams, TeamsAnswer] = Question(
    name="teams",
    about="List the teams that may play: exactly so many points, one Legend at a discount if need be. With"
    " gladiators, only the teams that have them; or why there is none.",
    asked=Teams,
    answers=TeamsAnswer,
    function="analysis.ophidian.decks:teams",
    page=page,
    exactness="exact",
    amounts=amounts,
    examples=("teams", "teams Pathogenesis Bastion", "teams --vary match.team_points=8:12"),
)

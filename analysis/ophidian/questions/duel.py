"""``duel``: whole matches of one gladiator against another, for all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from analysis.amounts import counted
from analysis.estimates import Estimate
from analysis.front.bundles import RulesFiles
from analysis.front.kinds import Pick
from analysis.front.page import Cell, Column, Heat, Page, Table, data_of
from analysis.front.parameters import param
from analysis.front.question import Amount, Answer, Question
from analysis.front.verdicts import Figure, best

__all__ = ["QUESTION", "Duel", "DuelAnswer", "DuelOf"]

_SIGNS = {1: "+", 0: "=", -1: "-"}


class Duel(msgspec.Struct, frozen=True, kw_only=True):
    """Whose matches."""

    gladiators: Annotated[
        tuple[str, ...],
        param(
            "Gladiators to look at. Repeatable.  [default: all]",
            kind=Pick("gladiators"),
            argument=True,
            metavar="GLADIATORS",
        ),
    ] = ()
    rules: RulesFiles = RulesFiles()


class DuelOf(msgspec.Struct, frozen=True):
    """A match: results for the first gladiator, 1, 0 or -1, if it begins and if the other one does.

    Attributes
    ----------
    low, high : by who begins, first the gladiator itself; they differ where a die after a full tie matters,
        or where the search was stopped.
    """

    gladiator: str
    against: str
    low: list[int]
    high: list[int]


class DuelAnswer(Answer, frozen=True, kw_only=True):
    """Matches of every gladiator against every other.

    Attributes
    ----------
    points : that each gladiator counts in a team.
    wins, losses : of each gladiator, over both who begin and all others; draws are the rest.
    """

    waves: int
    extra_waves: int
    gladiators: list[str]
    points: list[int]
    wins: list[int]
    losses: list[int]
    duels: list[DuelOf]
    nodes: int


def amounts(found: DuelAnswer) -> list[Amount]:
    """Return what can be compared between two answers."""
    each = list(zip(found.gladiators, found.wins, found.losses, strict=True))
    won = [Amount(f"won.{name}", f"{name} wins", wins, "count") for name, wins, _ in each]
    return won + [Amount(f"lost.{name}", f"{name} loses", losses, "count") for name, _, losses in each]


def page(found: DuelAnswer) -> Page:
    """Return a table of signs, the others by the first letters of their names, and a heat-map."""
    duels = {(each.gladiator, each.against): each for each in found.duels}
    # One cell for all, so that a dozen gladiators fit a terminal.
    short = short_names(found.gladiators)
    columns = [
        Column("gladiator", "gladiator"),
        Column("signs", " ".join(short[name] for name in found.gladiators)),
        Column("points", "points", "count"),
        Column("won", "won", "count"),
        Column("lost", "lost", "count"),
    ]
    rows: list[list[Cell]] = [
        [name, " ".join(signs(duels.get((name, other))) for other in found.gladiators), *numbers]
        for name, *numbers in zip(found.gladiators, found.points, found.wins, found.losses, strict=True)
    ]
    heat = Heat(
        "The same as means of both who begin: 1 won, -1 lost",
        "against",
        "gladiator",
        "signed",
        [*found.gladiators],
        [*found.gladiators],
        [[_mean(duels.get((name, other))) for other in found.gladiators] for name in found.gladiators],
    )
    ends = f"{counted(found.waves, 'wave')} and {found.extra_waves} more after a tie"
    notes = [
        f"+ won, = drawn, - lost over {ends}: the first sign if the gladiator has momentum first, the second"
        " if the other one has; ? where a die decides. Proved, without cards."
    ]
    if not found.complete:
        notes.append("Stopped early: pairs are missing.")
    return Page(
        headline=_headline(found),
        sections=[Table(columns, rows), heat],
        notes=notes,
        method=[f"{counted(found.nodes, 'position')} opened."],
        details=1,
        data=data_of(
            [
                {
                    "gladiator": duel.gladiator,
                    "against": duel.against,
                    "begins": duel.against if other else duel.gladiator,
                    "low": duel.low[other],
                    "high": duel.high[other],
                }
                for duel in found.duels
                for other in (0, 1)
            ]
        ),
    )


def _headline(found: DuelAnswer) -> str:
    if not found.complete:
        return "Stopped early: which gladiator wins most matches against one other is not told."
    if not any(found.wins):
        return "No gladiator is proved to beat another one."
    # Where a die decides, it may win, too.
    may = dict.fromkeys(found.gladiators, 0)
    for duel in found.duels:
        may[duel.gladiator] += sum(high > 0 for high in duel.high)
    wins = dict(zip(found.gladiators, found.wins, strict=True))
    figures = [
        Figure(name, Estimate(won, won, may[name], 0) if won < may[name] else won)
        for name, won in wins.items()
    ]
    leaders = best(figures, proved=True)
    verbs = "wins most matches against one other gladiator", "win most matches against one other gladiator"
    said, first = leaders.said(*verbs).removesuffix("."), leaders.names[0]
    of = f"{wins[first]} of {2 * len(found.gladiators) - 2}"
    return f"{said}: {of}." if leaders.kind == "one" else f"{said}; {first} wins {of}."


def signs(duel: DuelOf | None) -> str:
    """Return a sign for each who begins; `?` where a die, or more time, decides."""
    if duel is None:
        return "  "
    return "".join(_SIGNS[low] if low == high else "?" for low, high in zip(duel.low, duel.high, strict=True))


def _mean(duel: DuelOf | None) -> float | None:
    return None if duel is None else sum(duel.low + duel.high) / 4


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return two letters for each name, no two alike: its first one and the next that nobody has."""
    short: dict[str, str] = {}
    for name in names:
        letters = [letter for letter in name[1:] if letter.isalnum()] + list("123456789")
        pairs = [name[0] + letter for letter in letters]
        short[name] = next((pair for pair in pairs if pair not in short.values()), name[:2])
    return short


QUESTION: Question[Duel, DuelAnswer] = Question(
    name="duel",
    about="Prove who wins the match of one gladiator against another. All pairs meet. Promotions and"
    " placements are played out, too; there are no cards. Nothing is sampled.",
    asked=Duel,
    answers=DuelAnswer,
    function="analysis.ophidian.duels:answer",
    page=page,
    exactness="exact",
    amounts=amounts,
    examples=(
        "duel Runt Scrap Acolyte",
        'duel Bastion Tempest "Mirror Witch" --set match.extra_waves=0',
        "duel Runt Scrap --vary gladiators.runt.attack.one=1:3",
    ),
)

"""``balance``: all armies that count the same against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from analysis.amounts import counted
from analysis.clash.balance_reports import BalanceAnswer, WorthReport
from analysis.clash.position import Memory, army_written
from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.bundles import RulesFiles, Work
from analysis.front.entries import Only
from analysis.front.entry_page import with_only
from analysis.front.kinds import Pick
from analysis.front.page import Cell, Column, Follow, Heat, Page, Section, Table
from analysis.front.parameters import param
from analysis.front.question import Amount, Question, Running
from analysis.front.render.numbers import number_text
from analysis.front.verdicts import Figure, best
from analysis.payoff_matrices import PayoffMatrix
from engine.clash.rules import Rules

__all__ = ["QUESTION", "Balance"]

_ARMIES = 8
_MOST_SHOWN = 40
"""Armies of a heat-map; of more, each is too small to read."""
_PRICES = {"icon": "", "card": "gold", "unit": "points"}
_TITLES = {"icon": "One icon more", "card": "One card more", "unit": "One figure more"}


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    """Which armies fight, and what is tried in their battles."""

    clan: Annotated[
        tuple[str, ...],
        param("Clan that is played. Repeatable; two at least.  [default: all]", kind=Pick("clans")),
    ] = ()
    only: Only = Only()
    points: Annotated[float, param("Points that every army counts.", ge=0.01, le=1e6, unit="points")] = 6.0
    weights: (
        Annotated[
            str,
            param(
                "What counts how much. Points of a figure, of I=1, II=2, III=3, which are the usual ones.",
                more=True,
            ),
        ]
        | None
    ) = None
    compare: Annotated[
        tuple[str, ...],
        param(
            "Value of the rules to compare with, KEY=VALUE; the same battles are fought by"
            " it, too. Repeatable.",
            metavar="KEY=VALUE",
            more=True,
        ),
    ] = ()
    battles: Annotated[
        int,
        param(
            "Battles in which icons, cards and figures are tried; 0 for none.",
            ge=0,
            le=10_000_000,
            unit="battles",
        ),
    ] = 40
    work: Work = Work()
    memory: Memory = Memory()
    rules: RulesFiles = RulesFiles()


def answer(asked: Balance, running: Running) -> BalanceAnswer:
    """Fight all battles."""
    from analysis.clash.balancing import Several, balance_answer, balance_question
    from analysis.clash.game import GAME

    question = balance_question(
        GAME.rules_of(asked.rules),
        clans=asked.clan,
        points=asked.points,
        weights=asked.weights,
        compared=[(change, _changed(asked, change)) for change in asked.compare],
        contested=asked.battles,
        seed=asked.work.seed,
    )
    work = asked.work
    alone = work.jobs == 1 and work.scheduler is None
    several = None if alone else Several(work.jobs, work.scheduler, running.interrupt)
    return balance_answer(
        question, memory=asked.memory.bytes, note=running.note, stop=running.interrupt, several=several
    )


def _changed(asked: Balance, change: str) -> Rules:
    """The rules with a change to compare; what is wrong with it is said of its own option."""
    from analysis.clash.game import GAME

    try:
        rules: Rules = GAME.read(asked.rules.rules, [*asked.rules.set, change])
    except RequestError as error:
        raise RequestError(str(error).removeprefix("--set: "), "--compare") from None
    return rules


def matrix(found: BalanceAnswer, whole: bool) -> PayoffMatrix:
    """Return the attackers' chances; without gaps, of the first clan's armies against the second one's."""
    from analysis.clash.balancing import battle_matrix

    if whole and len(found.clans) != 2:
        said = "no army fights its own clan, and .nfg needs all numbers: name two clans, or write .csv"
        raise RequestError(said, "--matrix")
    return battle_matrix(found, whole=not whole)


def amounts(found: BalanceAnswer) -> list[Amount]:
    """Return what can be compared between two answers."""
    return [
        Amount(
            f"{cell.attacker}_{cell.defender}",
            f"chance of {cell.attacker} against {cell.defender}",
            # Of all armies, exact.
            None if cell.mean is None else Estimate(cell.mean, cell.mean, cell.mean, 0),
            "share",
        )
        for cell in found.cells
    ]


def army_text(found: BalanceAnswer, number: int) -> str:
    """Return an army in short: its clan, and figures by level."""
    army = found.armies[number]
    return f"{army.clan} {' '.join(map(str, army.counts))}"


def page(found: BalanceAnswer) -> Page:
    """Return how it looks."""
    names = [army_text(found, number) for number in range(len(found.armies))]
    sections: list[Section] = [
        _clans("The attacker's chance, over all armies", found, [cell.mean for cell in found.cells]),
        _clans("The same if both choose their army well", found, [cell.chosen for cell in found.cells]),
    ]
    means = [
        (name, army.attacks, army.defends)
        for name, army in zip(names, found.armies, strict=True)
        if army.attacks is not None and army.defends is not None
    ]
    means.sort(key=lambda each: -(each[1] + each[2]))
    columns = [
        Column("army", "army"),
        Column("attacks", "attacks", "share"),
        Column("defends", "defends", "share"),
    ]
    strongest: list[list[Cell]] = [list(each) for each in means[:_ARMIES]]
    sections.append(Table(columns, strongest, "Armies, by both shares together (figures by level I II III)"))
    sections += [_worth(found, kind) for kind in _TITLES if any(each.kind == kind for each in found.worth)]
    if found.compared:
        sections.append(_compared(found))
    shown = len(sections)
    if len(names) <= _MOST_SHOWN:
        title = "All armies: attackers down, defenders across"
        written = [army_written(army.clan, army.counts) for army in found.armies]
        follow: list[list[Follow | None]] = [
            [
                None
                if value is None
                else Follow("solve", {"attacker": written[one], "defender": written[two]})
                for two, value in enumerate(row)
            ]
            for one, row in enumerate(found.wins)
        ]
        sections.append(
            Heat(title, "defender", "attacker", "share", list(names), list(names), found.wins, follow)
        )
    return Page(
        headline=_headline(found, means),
        sections=sections,
        notes=_notes(found),
        method=_method(found),
        details=shown,
        data=_data(found, names),
    )


def _data(found: BalanceAnswer, names: Sequence[str]) -> Table:
    """All battles, what things are worth, and the comparisons, as one table."""
    keys = ["list", "name", "against", "win", "battles", "gain", "deviation", "price", "gain_per_price"]
    rows: list[list[Cell]] = [
        ["battle", names[one], names[two], value, *[None] * 6]
        for one, row in enumerate(found.wins)
        for two, value in enumerate(row)
        if value is not None
    ]
    for each in found.worth:
        gains = each.gain, each.deviation, each.price, each.gain_per_price
        rows.append([each.kind, each.name, None, None, each.battles, *gains, None])
    rows += [
        ["compared", each.change, None, None, None, each.mean, None, None, None, each.largest]
        for each in found.compared
    ]
    return Table([Column(key, key) for key in (*keys, "largest")], rows)


def _headline(found: BalanceAnswer, means: Sequence[tuple[str, float, float]]) -> str:
    if not means:
        return "No battle is finished."
    strongest = best([Figure(name, attacks + defends) for name, attacks, defends in means])
    if not found.complete or not strongest.names:
        return "Stopped early: which army is the strongest is not told."
    name, attacks, defends = means[0]
    wins, holds = number_text(attacks, "share"), number_text(defends, "share")
    said = f"wins {wins} % of its attacks and holds {holds} % of what it defends"
    which = strongest.said("is the strongest", "are the strongest").removesuffix(".")
    more = f": it {said}" if strongest.kind == "one" else f"; {name} {said}"
    return f"Of armies of {found.points:g} points, {which}{more}."


def _clans(title: str, found: BalanceAnswer, values: Sequence[float | None]) -> Table:
    of = {(cell.attacker, cell.defender): value for cell, value in zip(found.cells, values, strict=True)}
    columns = [Column("attacker", "attacker"), *(Column(clan, clan, "share") for clan in found.clans)]
    return Table(columns, [[one, *(of.get((one, two)) for two in found.clans)] for one in found.clans], title)


def _worth(found: BalanceAnswer, kind: str) -> Table:
    each_price = _PRICES[kind]
    columns = [
        *(
            Column("name", kind),
            Column("gain", "gain", "gain", 2),
            Column("deviation", "deviation", "share", 2),
        ),
        Column("battles", "battles", "count"),
    ]
    if each_price:
        columns += [
            Column("price", each_price, "word"),
            Column("gain_per_price", f"per {each_price.removesuffix('s')}", "gain", 2),
        ]
    worth: list[WorthReport] = sorted(
        (each for each in found.worth if each.kind == kind),
        key=lambda each: -(each.gain if each.gain_per_price is None else each.gain_per_price),
    )
    rows: list[list[Cell]] = [
        [
            *(each.name, each.gain, each.deviation, each.battles),
            *([f"{each.price:g}", each.gain_per_price] if each.price is not None else []),
        ]
        for each in worth
    ]
    return Table(columns, rows, f"{_TITLES[kind]} for the attacker, where it helps most")


def _compared(found: BalanceAnswer) -> Table:
    columns = [
        *(Column("change", "by other rules"), Column("mean", "mean", "gain", 2)),
        *(Column("mean_size", "mean size", "gain", 2), Column("largest", "most", "gain", 2)),
        *(Column("largest_attacker", "attacker there"), Column("largest_defender", "defender there")),
    ]
    rows: list[list[Cell]] = [
        [
            *(each.change, each.mean, each.mean_size, each.largest),
            *(each.largest_attacker, each.largest_defender),
        ]
        for each in found.compared
    ]
    return Table(columns, rows, "Changes of the attacker's chance")


def _notes(found: BalanceAnswer) -> list[str]:
    weights = ", ".join(f"{name} {value:g}" for name, value in found.weights.items())
    lines = [f"Every army counts {found.points:g} points: {weights}."]
    low, high = found.contested
    if found.worth:
        lines.append(
            f"Worths are means over battles drawn from those that the attacker wins with {low:.0%} to"
            f" {high:.0%}; movement and later battles are left out."
        )
    if not found.complete:
        lines.append("Stopped early: what was finished is shown.")
    return lines


def _method(found: BalanceAnswer) -> list[str]:
    solves = counted(found.solves, "exact battle")
    return [f"{counted(found.battles, 'pair')} of armies, {solves}, {found.sha256[:16]}."]


_ALL: Question[Balance, BalanceAnswer] = Question(
    name="balance",
    about="Measure what icons, cards and units are worth. All armies of equal points fight each other, and"
    " every battle is solved exactly.",
    asked=Balance,
    answers=BalanceAnswer,
    function="analysis.clash.questions.balance:answer",
    page=page,
    exactness="measured",
    amounts=amounts,
    matrix=matrix,
    examples=(
        "balance --clan bohorg --clan tomb --points 2 --battles 3",
        "balance --clan bohorg --clan tomb --points 2 --battles 0 --compare battle.sparing=false",
        "balance --only executioner --points 3 --battles 3",
    ),
)
QUESTION = with_only("analysis.clash.game:GAME", _ALL)

"""``tune``: rule values for a goal, found by solving variant after variant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from analysis.amounts import bound
from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.bundles import RulesFiles, Work
from analysis.front.page import Board, Cell, Column, Page, Section, Table, data_of
from analysis.front.parameters import param
from analysis.front.question import Question, Running
from analysis.ragers.answers import asking
from analysis.ragers.answers.ended import Unanswered, endings
from analysis.ragers.bundles import Days, Limits
from analysis.ragers.questions.sweep import Vary
from analysis.ragers.wording.names import card
from analysis.ragers.workbench.tuning import MET, AxisReport, TuneAnswer, VariantReport
from engine.ragers.rules import PLAYERS, TYPES


class Tune(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be met, and what may change."""

    goal: Annotated[
        tuple[str, ...],
        param(
            "METRIC=LOW:HIGH, where one end may be missing, or METRIC=METRIC=METRIC [within N] (5 if nothing"
            " is said); repeatable. Metrics as for ragers sweep, in % or GP; opening.each is every type.",
            metavar="GOAL",
        ),
    ] = ()
    vary: Vary = ()
    budget: Annotated[
        int,
        param("Variants tried at most, each one solve per scenario.", ge=1, le=10_000_000, unit="variants"),
    ] = 40
    over: Annotated[
        Literal["each", "mean"], param("Whether each scenario has to meet the goals, or only their mean.")
    ] = "each"
    days: Days = Days()
    work: Work = Work()
    limits: Limits = Limits()
    rules: RulesFiles = RulesFiles()


def answer(asked: Tune, running: Running) -> TuneAnswer:
    """Search rule values that meet goals, as near as possible to the present rules."""
    from analysis.ragers.game import GAME
    from analysis.ragers.workbench.trying import Aim, tune

    for values, option, example in (
        (asked.goal, "--goal", "opening.each=5:35"),
        (asked.vary, "--vary", "cards.basher.gp=1:6"),
    ):
        if not values:
            raise RequestError(f"is needed, such as {example}", option)
    GAME.rules_of(asked.rules)
    days, work = asked.days, asked.work
    limits = asked.limits.limits(work.seed)
    fresh = asked.limits.fresh
    question = asking.Question(PLAYERS.index(days.side), None, limits, fresh, strategy=True)
    aim = Aim(asked.goal, asked.vary, asked.over, asked.budget)
    changes, names = (asked.rules.rules, asked.rules.set), (days.patron, days.cheers)
    workers = (work.jobs, work.scheduler)
    found, code = tune(aim, changes, names, days.preparation, question, workers, running.reporter)
    if found.proposal is None:
        raise Unanswered("The search", code)
    return msgspec.structs.replace(found, **endings(code))


def page(found: TuneAnswer) -> Page:
    """Return the proposal as a rules file and what it misses; then the openings and the way there."""
    present, proposal = found.present, found.proposal
    assert proposal is not None
    here = [("present", present)] if present is not None else []
    here += [("proposal", proposal)] if found.toml is not None or present is None else []
    goals: list[list[Cell]] = [
        [text, *(_missed(each.goals[row].missed, each.goals[row].missed_bracket) for _, each in here)]
        for row, text in enumerate(found.goals)
    ]
    names = [Column(name, name, "number", 1) for name, _ in here]
    sections: list[Section] = []
    if found.toml is not None:
        lines = ["# save as proposal.toml, and add --rules proposal.toml", *found.toml.splitlines()]
        sections.append(Board(lines, "The proposal"))
    sections.append(Table([Column("goal", "goal missed by"), *names], goals))
    brief = len(sections)
    openings: list[list[Cell]] = [
        [card(name), *(each.opening[name] for _, each in here)]
        for name in TYPES
        if any(each.opening[name] > 0 for _, each in here)
    ]
    shares = [Column(name, name, "share") for name, _ in here]
    sections += [
        Table(_CHANGES, [_change(axis, proposal) for axis in found.axes], "Values"),
        Table([Column("card", "card"), *shares], openings, "Openings, mean over the scenarios"),
        _variants(found, found.frontier, "Frontier: less missed, further from the present rules"),
    ]
    if found.neighbours:
        sections.append(_variants(found, found.neighbours, "One step from the proposal"))
    days = "1 day" if len(found.scenarios) == 1 else f"{len(found.scenarios)} days"
    met = "meets all goals" if proposal.met else f"misses the goals by {proposal.missed:.1f}"
    what = "no change does better than the present rules" if found.toml is None else f"the proposal {met}"
    return Page(
        headline=f"{found.player.capitalize()}, {days}, {found.num_tried} of {found.num_possible} variants"
        f" tried: {what}.",
        sections=sections,
        notes=_notes(found, proposal),
        method=[
            f"Searched by {found.method}, seed {found.seed}.",
            "missed by: points of per cent, or GP, by which numbers lie out of their range or too far apart;"
            " narrower with --target or --time-limit.",
            *_each(found),
        ],
        details=brief,
        data=_data(found),
    )


_CHANGES = [
    Column("value", "value"),
    Column("present", "present", "count"),
    Column("proposal", "proposal", "count"),
    Column("tried", "tried from"),
]


def _each(found: TuneAnswer) -> list[str]:
    from analysis.ragers.workbench.goals import EACH

    named = any(goal.partition(".")[2].startswith(EACH) for goal in found.goals)
    return [f"{EACH}: every type that the day allows."] if named else []


def _change(axis: AxisReport, proposal: VariantReport) -> list[Cell]:
    return [axis.key, axis.present, proposal.at[axis.key], _range(axis)]


def _range(axis: AxisReport) -> str:
    step = {b - a for a, b in zip(axis.values, axis.values[1:], strict=False)}
    if len(axis.values) > 2 and step != {1}:
        return ",".join(map(str, axis.values))
    return f"{axis.values[0]} to {axis.values[-1]}"


def _missed(amount: float, span: tuple[float, float] | None) -> Cell:
    """Return by how much a goal is missed, and what that lies between in every equilibrium."""
    amount = 0.0 if amount <= MET else amount
    return amount if span is None else Estimate(amount, *span, 0)


def _variants(found: TuneAnswer, variants: Sequence[VariantReport], title: str) -> Table:
    columns = [Column(axis.key, axis.key, "count") for axis in found.axes]
    columns += [Column("distance", "distance", "count"), Column("missed", "missed by", "number", 1)]
    columns += [Column(name, card(name), "share", 0) for name in TYPES]
    columns.append(Column("nash_conv", "NashConv", "number", 3))
    rows: list[list[Cell]] = [
        [
            *each.at.values(),
            *(each.distance, _missed(each.missed, each.missed_bracket)),
            *(each.opening[name] for name in TYPES),
            each.nash_conv_gp,
        ]
        for each in variants
    ]
    return Table(columns, rows, title)


def _notes(found: TuneAnswer, proposal: VariantReport) -> list[str]:
    lines = [
        "In brackets: what it lies between in whatever equilibrium is played; where none stand, no such"
        " interval is known."
    ]
    if not found.complete:
        lines.append("Stopped before the search had ended.")
    if found.present is not None and proposal.at != found.present.at:
        lines.append(
            "The proposal misses less than the present rules whatever equilibria are played."
            if found.effect
            else "That the proposal misses less than the present rules holds for the plans found; the"
            " intervals meet, so it may be no effect."
        )
    possible = sum(
        (at > axis.values[0]) + (at < axis.values[-1])
        for axis, at in zip(found.axes, proposal.at.values(), strict=True)
    )
    if possible:
        met, near = sum(each.met for each in found.neighbours), len(found.neighbours)
        text = f"Robustness: {near} of {possible} neighbours tried, {met} of them meet all goals"
        if found.neighbours:
            text += f", the worst is missed by {max(each.missed for each in found.neighbours):.1f}"
        lines.append(f"{text}.")
    lines.append(f"NashConv is at most {bound(proposal.nash_conv_gp)} GP in the proposal's days.")
    lines += [
        f"Not solved: {', '.join(f'{key}={value}' for key, value in each.items())}"
        for each in found.unsolved[:10]
    ]
    return lines + ([f"Not solved: {len(found.unsolved) - 10} more."] if len(found.unsolved) > 10 else [])


def _data(found: TuneAnswer) -> Table:
    """Return a row per variant tried."""
    front = {each.rules_sha256 for each in found.frontier}
    near = {each.rules_sha256 for each in found.neighbours}
    rows: list[dict[str, Cell]] = []
    for each in found.variants:
        row: dict[str, Cell] = {**each.at, "distance": each.distance, "missed": each.missed}
        row["missed_low"], row["missed_high"] = each.missed_bracket or (None, None)
        row |= {"met": str(each.met).lower(), "certain": str(each.certain).lower()}
        row |= {f"missed_{number}": goal.missed for number, goal in enumerate(each.goals, 1)}
        row |= {f"opening_{name}": share for name, share in each.opening.items()}
        row |= {"nash_conv_gp": each.nash_conv_gp, "proposal": str(each == found.proposal).lower()}
        row |= {"frontier": str(each.rules_sha256 in front).lower()}
        row |= {"neighbour": str(each.rules_sha256 in near).lower(), "rules_sha256": each.rules_sha256}
        rows.append(row)
    return data_of(rows)


QUESTION = Question(
    name="tune",
    about="Search rule values that meet goals, as near as possible to the present rules. Every variant tried"
    " is solved, or was, and is kept in your own library. Reported are the proposal, what less of a change"
    " would bring, how the proposal's neighbours do, and whether the difference is more than the solver's own"
    " uncertainty.",
    asked=Tune,
    answers=TuneAnswer,
    function=answer,
    page=page,
    exactness="bounded",
    examples=(
        "tune --vary cards.basher.gp=2:3 --goal opening.basher=0:90 --budget 2 --patron the-nameless"
        " --cheers two-bashers --set match.row_length=2 --set match.hand_size=2 --iterations 40",
    ),
)

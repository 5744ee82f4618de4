"""``sweep``: the equilibrium along one or two ranges of rule values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from analysis.amounts import bound
from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles, Work
from analysis.front.grid import Axis, number_or_text
from analysis.front.page import Cell, Column, Curve, Format, Heat, Page, Section, Table, data_of
from analysis.front.parameters import param
from analysis.front.question import Question, Running
from analysis.ragers.answers import asking
from analysis.ragers.answers.ended import Unanswered, endings
from analysis.ragers.answers.report import ScenarioReport
from analysis.ragers.bundles import Days, Limits
from analysis.ragers.wording import trust
from analysis.ragers.wording.names import answers, card, day_name, listed
from analysis.ragers.workbench import sweeping
from analysis.ragers.workbench.sweeping import PointReport, SweepAnswer, metric
from engine.ragers.rules import PLAYERS, TYPES

#: Types that never open more often than this get no curve.
_SEEN = 0.01

Vary = Annotated[
    tuple[str, ...],
    param(
        "A rule value and the values that it takes: FIRST:LAST, FIRST:LAST:STEP or a,b,c; repeatable.",
        metavar="KEY=VALUES",
    ),
]


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    """What varies."""

    vary: Vary = ()
    metric: Annotated[
        tuple[str, ...],
        param(
            "For heat-maps and further curves: value, mean_gp, win, draw, decisive, two_losers, nash_conv,"
            " opening.TYPE, placed.TYPE; repeatable.",
            metavar="NAME",
        ),
    ] = ()
    days: Days = Days()
    work: Work = Work()
    limits: Limits = Limits()
    rules: RulesFiles = RulesFiles()


def answer(asked: Sweep, running: Running) -> SweepAnswer:
    """Answer every point: stored ones are looked up, the others solved, each game once."""
    from analysis.ragers.game import GAME
    from analysis.ragers.workbench.point_answers import answer_points

    if not asked.vary:
        raise RequestError("say what varies, such as cards.basher.gp=2:6", "--vary")
    days, work = asked.days, asked.work
    axes = sweeping.read_axes(asked.vary)
    names = _metrics(asked.metric, axes)
    note, error = None, None
    try:
        note = GAME.rules_note(GAME.rules_of(asked.rules))
    except RequestError as wrong:
        error = wrong  # Rules may become rules by what is varied only.
    which = (days.patron, days.cheers)
    try:
        points = sweeping.all_points(axes, asked.rules.rules, asked.rules.set, which, days.preparation)
    except RequestError as wrong:
        raise error or wrong from None
    player = PLAYERS.index(days.side)
    limits = asked.limits.limits(work.seed)
    question = asking.Question(player, None, limits, asked.limits.fresh, strategy=True)
    answered, code = answer_points(points, question, work.jobs, work.scheduler, running.reporter)
    found = sweeping.sweep_report(axes, points, answered, player, "" if note is None else note.name)
    if not found.points:
        raise Unanswered("The range", code)
    note = note or GAME.rules_note(points[0].scenario.rules)
    return msgspec.structs.replace(found, rules=note, metrics=tuple(names), **endings(code))


def _metrics(names: Sequence[str], axes: Sequence[Axis]) -> list[str]:
    """Return the metrics to show; by default what most likely answers to the values varied."""
    for name in names:
        try:
            metric(name)
        except ValueError as error:
            raise RequestError(str(error), "--metric") from None
    if names:
        return list(dict.fromkeys(names))
    if len(axes) == 1:
        return ["value", "draw", "mean_gp"]
    cards = [axis.key.split(".")[1] for axis in axes if axis.key.startswith("cards.")]
    return [f"opening.{card}" for card in dict.fromkeys(cards) if card in TYPES] or ["mean_gp"]


def page(found: SweepAnswer) -> Page:
    """Return curves and a table along one range, heat-maps over two, for each day."""
    sections: list[Section] = []
    for points in _by_day(found.points).values():
        if len(found.axes) == 1:
            sections += _along(found, points)
        else:
            sections += [_over(found, points, name) for name in found.metrics]
    first = found.points[0].scenario
    what = " and ".join(f"{axis.key} = {', '.join(axis.values)}" for axis in found.axes)
    return Page(
        headline=f"{listed(list(dict.fromkeys(day_name(each.scenario) for each in found.points)))},"
        f" {first.player.capitalize()}, {first.preparation}, {what}: {_moves(found)}.",
        sections=sections,
        notes=_sure(found),
        method=_method(found),
        details=len(sections),
        data=_data(found),
    )


def _by_day(points: Sequence[PointReport]) -> dict[tuple[str, str], list[PointReport]]:
    groups: dict[tuple[str, str], list[PointReport]] = {}
    for point in points:
        groups.setdefault((point.scenario.patron, point.scenario.cheers), []).append(point)
    return groups


def _moves(found: SweepAnswer) -> str:
    """Return which card's opening share changes most, in words."""
    moves: list[tuple[float, str]] = []
    for points in _by_day(found.points).values():
        known = [point.scenario.opening_mix for point in points if answers(point.scenario)]
        for name in TYPES if known else ():
            shares = [100 * mix[name] for mix in known]
            told = f"{card(name)} opens {min(shares):.0f} to {max(shares):.0f} % of days"
            moves.append((max(shares) - min(shares), told))
    if not moves:
        return "no answer yet at any point"
    return max(moves, key=lambda each: each[0])[1] + ", which moves most"


def _kind(name: str) -> tuple[Format, float]:
    """How a metric is written, and what it is divided by: shares are given in per cent."""
    low, high = sweeping.metric_range(name)
    if high == 100.0:
        return "share", 100.0
    return ("signed", 1.0) if low < 0.0 else ("number", 1.0)


def _figure(each: ScenarioReport, name: str) -> float | None:
    return metric(name)(each) / _kind(name)[1] if answers(each) else None


def _along(found: SweepAnswer, points: Sequence[PointReport]) -> list[Section]:
    axis = found.axes[0]
    title = day_name(points[0].scenario)
    where = [point.at[axis.key] for point in points]
    opened = [
        name
        for name in TYPES
        if any((_figure(point.scenario, f"opening.{name}") or 0.0) >= _SEEN for point in points)
    ]

    def curve(head: str, names: Mapping[str, str], kind: Format) -> Curve:
        series = {shown: [_figure(point.scenario, name) for point in points] for name, shown in names.items()}
        return Curve(f"{title}: {head}", axis.key, head, kind, [*map(number_or_text, where)], series)

    sections: list[Section] = []
    if opened:
        sections.append(curve("opens", {f"opening.{name}": card(name) for name in opened}, "share"))
        sections += [curve(name, {name: name}, _kind(name)[0]) for name in found.metrics]
    own = ["value", "win", "draw", "two_losers", "mean_gp", "nash_conv"]
    more = [name for name in found.metrics if name not in own and name.partition(".")[0] != "opening"]
    heads = {"win": "won", "draw": "drawn", "two_losers": "both lose", "mean_gp": "GP"}
    columns = [Column(axis.key, axis.key), *(Column(name, card(name), "share", 0) for name in TYPES)]
    columns += [Column(name, heads.get(name, name), _kind(name)[0], _DIGITS.get(name)) for name in own]
    columns += [Column(name, name, _kind(name)[0]) for name in more]
    rows: list[list[Cell]] = []
    for point in points:
        each = point.scenario
        figures = [_figure(each, name) for name in (*(f"opening.{one}" for one in TYPES), *own, *more)]
        figures[len(TYPES) + own.index("nash_conv")] = each.nash_conv_gp
        rows.append([point.at[axis.key], *figures, trust.words(each.trust)])
    return [*sections, Table([*columns, Column("grade", "grade")], rows, title)]


_DIGITS = {"value": 2, "mean_gp": 1, "win": 0, "draw": 0, "two_losers": 0, "nash_conv": 3}


def _over(found: SweepAnswer, points: Sequence[PointReport], name: str) -> Heat:
    rows, columns = found.axes
    numbers = {(point.at[rows.key], point.at[columns.key]): _figure(point.scenario, name) for point in points}
    return Heat(
        title=f"{day_name(points[0].scenario)}: {name}",
        x=columns.key,
        y=rows.key,
        kind=_kind(name)[0],
        columns=[*map(number_or_text, columns.values)],
        rows=[*map(number_or_text, rows.values)],
        cells=[[numbers.get((row, column)) for column in columns.values] for row in rows.values],
    )


def _method(found: SweepAnswer) -> list[str]:
    worst = max(point.scenario.nash_conv_gp for point in found.points)
    return [
        f"NashConv is at most {bound(worst)} GP at every point. Openings, outcomes and GP are those of the"
        " plans found; whether two points differ for certain, ragers diff tells."
    ]


def _sure(found: SweepAnswer) -> list[str]:
    """Return how far to trust it, and what was not solved."""
    lines = trust.grades(
        (f"{day_name(point.scenario)}, {_at(point.at)}", point.scenario.nash_conv_gp, point.scenario.trust)
        for point in found.points
        if point.scenario.trust is not msgspec.UNSET
    )
    return lines + [f"Not solved: {_at(each)}" for each in found.unsolved]


def _at(values: Mapping[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in values.items())


def _data(found: SweepAnswer) -> Table:
    """Return a row per point."""
    rows: list[dict[str, Cell]] = []
    for point in found.points:
        each = point.scenario
        row: dict[str, Cell] = dict(point.at)
        row |= {"patron": each.patron, "cheers": each.cheers, "player": each.player}
        row |= {"preparation": each.preparation, "value_gp": each.value_gp}
        row["value_low_gp"], row["value_high_gp"] = point.value_bracket_gp
        row |= {"nash_conv_gp": each.nash_conv_gp, "certified": str(each.certified).lower()}
        row["grade"] = trust.words(each.trust)
        row |= {f"opening_{name}": each.opening_mix[name] for name in TYPES}
        for name, (low, high) in (point.opening_bracket or {}).items():
            row |= {f"opening_{name}_low": low, f"opening_{name}_high": high}
        row |= {f"placed_{name}": metric(f"placed.{name}")(each) for name in TYPES}
        row |= msgspec.structs.asdict(each.outcome)
        row |= {"mean_gp": each.mean_gp[0], "opponent_mean_gp": each.mean_gp[1]}
        rows.append(row | {"iterations": each.iterations, "rules_sha256": point.rules_sha256})
    return data_of(rows)


QUESTION = Question(
    name="sweep",
    about="Solve every point of one range of rule values, or of two. Each finished point goes to your own"
    " library under the hash of the values its day depends on. So a sweep that was stopped continues where it"
    " was, and points that are the same game are solved once.",
    asked=Sweep,
    answers=SweepAnswer,
    function=answer,
    page=page,
    exactness="bounded",
    examples=(
        "sweep --vary cheers.two-bashers.gp=2:3 --patron the-nameless --cheers two-bashers"
        " --set match.row_length=2 --set match.hand_size=2 --iterations 40",
    ),
)

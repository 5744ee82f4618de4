"""``diff``: what a rule change does to the equilibrium, told apart from the solver's uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from analysis.errors import RequestError
from analysis.estimates import Estimate
from analysis.front.bundles import RulesFiles
from analysis.front.page import Cell, Column, Page, Section, Table, data_of
from analysis.front.parameters import param
from analysis.front.question import Question, Running
from analysis.ragers.answers import asking
from analysis.ragers.answers.ended import Unanswered, endings
from analysis.ragers.bundles import Days, Effort
from analysis.ragers.questions.sides import COLUMNS, rows_of, worse
from analysis.ragers.scenarios import scenarios
from analysis.ragers.wording import trust
from analysis.ragers.wording.names import card, cheers_name, day_name, listed, patron_name
from analysis.ragers.workbench.comparing import Comparison, DiffAnswer, Half, Side, diff
from engine.ragers.rules import PLAYERS, TYPES

_MOST_CERTAIN, _MOST_CARDS = 4, 3


class Diff(msgspec.Struct, frozen=True, kw_only=True):
    """What is compared."""

    files: tuple[Annotated[Path, param("Rules file; repeatable.", argument=True)], ...] = ()
    left: Annotated[
        tuple[str, ...],
        param(
            "What the left-hand side is: patron=NAME, cheers=NAME, rules=FILE, or a rule value; repeatable.",
            metavar="KEY=VALUE",
            more=True,
        ),
    ] = ()
    right: Annotated[
        tuple[str, ...],
        param(
            "What the right-hand side is, likewise; --set is of this side, too.",
            metavar="KEY=VALUE",
            more=True,
        ),
    ] = ()
    set_left: Annotated[
        tuple[str, ...],
        param("A rule value of the left-hand side; repeatable.", metavar="KEY=VALUE", more=True),
    ] = ()
    days: Days = Days()
    effort: Effort = Effort()
    rules: RulesFiles = RulesFiles()


def answer(asked: Diff, running: Running) -> DiffAnswer:
    """Answer both sides, from the library or by solving, and compare."""
    from analysis.ragers.game import GAME

    if len(asked.files) > 2:
        raise RequestError("at most two files can be compared", "FILES")
    common, days = asked.rules.rules, asked.days
    left = _half(asked.left, (*common, *asked.files[:-1]), asked.set_left, "--left")
    right = _half(asked.right, (*common, *asked.files[-1:]), asked.rules.set, "--right")
    if left == right:
        said = "both sides are the same: change one with a file, --set or --right (--right patron=NAME)"
        raise RequestError(said)
    player = PLAYERS.index(days.side)
    question = asking.Question(player, None, asked.effort.limited(), asked.effort.fresh, strategy=True)
    names = (days.patron, days.cheers)
    head: dict[str, Any] = {"rules": GAME.rules_note(right.rules), "seed": asked.effort.seed}
    found, code = diff(
        *(left, right, names, days.preparation, question, running.reporter),
        show=running.shows(lambda so_far: msgspec.structs.replace(so_far, **head, complete=False)),
    )
    if not found.scenarios:
        raise Unanswered("The comparison", code)
    return msgspec.structs.replace(found, **head, **endings(code))


def _half(words: Sequence[str], files: Sequence[Path], overrides: Sequence[str], option: str) -> Half:
    """Return a side from the words that describe it, on top of files and values given elsewhere."""
    from analysis.ragers.game import GAME

    names: dict[str, str] = {}
    more: list[str] = []
    for word in words:
        key, equals, value = (part.strip() for part in word.partition("="))
        if not equals or not value:
            raise RequestError(f"{word!r} is not KEY=VALUE", option)
        if key == "rules":
            files = (*files, Path(value))
        elif key in ("patron", "cheers"):
            names[key] = value
        else:
            more.append(word)
    rules = GAME.rules_of(RulesFiles(rules=tuple(files), set=tuple(overrides)))
    rules = GAME.read(tuple(files), (*overrides, *more)) if more else rules
    if "patron" in names:
        names["patron"] = scenarios(rules, [names["patron"]], [], "none")[0].patron.id
    if "cheers" in names:
        names["cheers"] = scenarios(rules, [], [names["cheers"]], "none")[0].cheers.id
    return Half(rules, names.get("patron"), names.get("cheers"))


def page(found: DiffAnswer) -> Page:
    """Return a line for each day and what is certain; then both sides of each day."""
    certain = [
        f"{_title(each)}: whatever equilibria are played, {what}."
        for each in found.scenarios
        if (what := _effects(each))
    ]
    changed = [f"{each['key']}: {each['left']} → {each['right']}" for each in found.changes]
    told = [f"left: {found.left.name}; right: {found.right.name}"] if changed else []
    more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
    told += [f"{', '.join(changed[:3])}{more}"] if changed else []
    told += certain[:_MOST_CERTAIN] or ["No difference is certain: the plans found differ, others may not."]
    first = found.scenarios[0]
    sections: list[Section] = [_days(found)]
    brief = len(sections)
    different = [each for each in found.scenarios if not each.same_game]
    if different:
        rows = [row for each in different for row in _both(each)]
        sections.append(Table(COLUMNS, rows, "Both sides"))
    sections += [_cards(each) for each in different if each.left.answers and each.right.answers]
    return Page(
        headline=f"{_sides(found)}, {first.player.capitalize()}, {first.preparation}:"
        f" {len(certain) or 'no'} day{'' if len(certain) == 1 else 's'} with a certain change"
        f" between {found.left.name} and {found.right.name}.",
        sections=sections,
        notes=[*told, *_sure(found)],
        method=_method(found),
        details=brief,
        data=_data(found),
    )


def _title(each: Comparison) -> str:
    """Return the day, or both days, by name."""
    if each.left_day is msgspec.UNSET:
        return day_name(each)
    return f"{each.left_day.patron} / {each.left_day.cheers} -> {day_name(each)}"


def _sides(found: DiffAnswer) -> str:
    """Return what is compared: patrons or cheers cards, where each side has its own, or left and right."""
    first = found.scenarios[0]
    if first.left_day is not msgspec.UNSET:
        one, other = first.left_day, (patron_name(first), cheers_name(first))
        both = [(one.patron, other[0]), (one.cheers, other[1])]
        return ", ".join(f"{a} → {b}" for a, b in both if a != b)
    patrons = {patron_name(each) for each in found.scenarios}
    return f"{patrons.pop() if len(patrons) == 1 else 'Days'}, left → right"


def _days(found: DiffAnswer) -> Table:
    columns = [Column("day", "day"), Column("opens", "opens with, % of days")]
    columns += [Column("gp_left", "GP left", "number", 1), Column("gp_right", "GP right", "number", 1)]
    columns += [
        Column("draw_left", "drawn left", "share", 0),
        Column("draw_right", "drawn right", "share", 0),
    ]
    columns.append(Column("grade", "exact to"))
    several = len({each.patron for each in found.scenarios}) > 1
    return Table(columns, [_line(each, several=several) for each in found.scenarios])


def _line(each: Comparison, *, several: bool) -> list[Cell]:
    left, right = each.left, each.right
    crowd, other = cheers_name(each), "" if each.left_day is msgspec.UNSET else each.left_day.cheers
    name = crowd if other in ("", crowd) else patron_name(each)
    name = day_name(each) if several and name == crowd else name
    if each.same_game:
        return [name, "the same game on both sides", None, None, None, None, ""]
    grade = worse(trust.words(left.trust), trust.words(right.trust))
    if not (left.answers and right.answers):
        return [name, "no answer yet", None, None, None, None, grade]
    shifts = {one: right.opening_mix[one] - left.opening_mix[one] for one in TYPES}
    told = sorted(TYPES, key=lambda one: -abs(shifts[one]))[:_MOST_CARDS]
    mix = ", ".join(
        f"{card(one)[:3]}{'!' if one in each.opening_effects else ''}"
        f" {100 * left.opening_mix[one]:.0f}→{100 * right.opening_mix[one]:.0f}"
        for one in told
        if abs(shifts[one]) >= 0.005
    )
    ends = [left.mean_gp[0], right.mean_gp[0], left.outcome.draw, right.outcome.draw]
    return [name, mix or "as before", *ends, grade]


def _effects(each: Comparison) -> str:
    """Return what changes for certain, in words."""
    parts = []
    if each.value_effect:
        low, high = each.value_change_gp
        parts.append(f"the value changes by {low:+.2f} to {high:+.2f} GP")
    for one in each.opening_effects:
        left, right = each.left.opening_mix[one], each.right.opening_mix[one]
        parts.append(f"{card(one)} opens {'more' if right > left else 'less'} often")
    return listed(parts)


def _sure(found: DiffAnswer) -> list[str]:
    return trust.grades(
        (f"{_title(each)}, {word}", half.nash_conv_gp, half.trust)
        for each in found.scenarios
        for word, half in (("left", each.left), ("right", each.right))
        if half.trust is not msgspec.UNSET
    )


def _both(each: Comparison) -> list[list[Cell]]:
    low, high = each.value_change_gp
    verdict = "effect" if each.value_effect else "no effect shown" if low < high else "zero by symmetry"
    return rows_of(_title(each), (("left", each.left), ("right", each.right)), (low, high), verdict)


def _cards(each: Comparison) -> Table:
    columns = [Column("card", "card"), Column("left", "opens left (every equilibrium)", "share", 0)]
    columns += [Column("right", "opens right (every equilibrium)", "share", 0)]
    columns += [Column("placed_left", "placed left", "number"), Column("placed_right", "right", "number")]
    columns.append(Column("verdict", "verdict"))
    rows: list[list[Cell]] = [
        [
            card(name),
            *(_opening(half, name) for half in (each.left, each.right)),
            *(half.cards_placed[name] for half in (each.left, each.right)),
            "effect" if name in each.opening_effects else "",
        ]
        for name in TYPES
    ]
    return Table(columns, rows, _title(each))


def _opening(half: Side, name: str) -> Cell:
    share = half.opening_mix[name]
    return share if half.opening_bracket is None else Estimate(share, *half.opening_bracket[name], 0)


def _method(found: DiffAnswer) -> list[str]:
    seen = [each for each in found.scenarios if each.left.opening_bracket is None and not each.same_game]
    return [
        "value: best responses bound the value of each game; an effect is called one only if every pair of"
        " values within the two bounds differs in the same direction. Decks that are alike make it zero.",
        "every equilibrium: whatever equilibrium is played, the opening share lies in this interval; an"
        " effect is called one only if the two do not meet. To narrow them, solve further (--target,"
        " --time-limit).",
        "GP, outcomes, placed (cards per day): of the one equilibrium approached here; others may differ, so"
        " no effect is claimed.",
        *(f"{cheers_name(each)}: no worth per action is known with a seen discard." for each in seen),
    ]


def _data(found: DiffAnswer) -> Table:
    """Return a row per scenario and type, numbers of the scenario repeated."""
    rows: list[dict[str, Cell]] = []
    for each in found.scenarios:
        halves = (("left", each.left), ("right", each.right))
        for name in TYPES:
            row: dict[str, Cell] = {"patron": each.patron, "cheers": each.cheers, "player": each.player}
            for word, half in halves:
                row[f"{word}_value_low_gp"], row[f"{word}_value_high_gp"] = half.value_bracket_gp
                row |= {f"{word}_nash_conv_gp": half.nash_conv_gp, f"{word}_grade": trust.words(half.trust)}
            row |= {"value_effect": str(each.value_effect).lower(), "type": name}
            for word, half in halves:
                row[f"{word}_opening"] = half.opening_mix[name]
                if half.opening_bracket is not None:
                    row[f"{word}_opening_low"], row[f"{word}_opening_high"] = half.opening_bracket[name]
                row[f"{word}_cards_placed"] = half.cards_placed[name]
            rows.append(row | {"opening_effect": str(name in each.opening_effects).lower()})
    return data_of(rows)


QUESTION = Question(
    name="diff",
    about="Compare two rule variants, patrons or cheers cards: one of FILES with the box, or two with each"
    " other. Both are answered from the library or solved on the spot. A difference is called an effect only"
    " where it is larger than what the certificates of both sides leave open.",
    asked=Diff,
    answers=DiffAnswer,
    function=answer,
    page=page,
    exactness="bounded",
    examples=("diff --left patron=Arianna --right patron=Solennos --cheers two-bashers",),
)

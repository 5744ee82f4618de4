"""``lock``: what a fixed frequency of a type does to a day, and what it costs who has it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from analysis.amounts import percent
from analysis.errors import RequestError
from analysis.front.bundles import RulesFiles
from analysis.front.page import Cell, Column, Page, Section, Table, data_of
from analysis.front.parameters import param
from analysis.front.question import Amount, Question, Running
from analysis.ragers.answers import asking
from analysis.ragers.answers.ended import Unanswered, endings
from analysis.ragers.bundles import CheersCards, Effort, Patrons, Preparation
from analysis.ragers.questions.sides import COLUMNS, rows_of
from analysis.ragers.scenarios import scenarios
from analysis.ragers.wording import trust
from analysis.ragers.wording.names import card, day_name
from analysis.ragers.workbench.locking import LockAnswer, LockedScenario, lock
from engine.ragers.rules import PLAYERS, TYPES


class Lock(msgspec.Struct, frozen=True, kw_only=True):
    """What is fixed, and where."""

    habit: Annotated[
        tuple[str, ...],
        param(
            "How often a type is placed, in that step or those steps (1, the opening, if none is given), by"
            " hands that hold it and something else; repeatable.",
            metavar="TYPE[@STEP[-STEP]]=FREQUENCY",
        ),
    ] = ()
    who: Annotated[Literal["accusers", "defenders", "both"], param("Who has the fixed frequencies.")] = (
        "accusers"
    )
    patron: Patrons = ()
    cheers: CheersCards = ()
    preparation: Preparation = "redraw"
    effort: Effort = Effort()
    rules: RulesFiles = RulesFiles()


def answer(asked: Lock, running: Running) -> LockAnswer:
    """Answer days as they are, solve them with the fixed frequencies, and compare."""
    from analysis.ragers.game import GAME

    rules = GAME.rules_of(asked.rules)
    if not asked.habit:
        raise RequestError("say what is fixed, such as chancer=0", "--habit")
    todo = scenarios(rules, asked.patron, asked.cheers, asked.preparation)
    player = PLAYERS.index(asked.who) if asked.who in PLAYERS else 0
    question = asking.Question(player, None, asked.effort.limited(), asked.effort.fresh)
    running.reporter.total = len(todo)
    found, code = lock(rules, todo, asked.habit, asked.who, question, running.reporter)
    if not found.scenarios:
        raise Unanswered("The comparison", code)
    return msgspec.structs.replace(found, seed=asked.effort.seed, **endings(code))


def page(found: LockAnswer) -> Page:
    """Return what the fixed frequencies cost and change, in sentences; then all numbers."""
    habits = [
        f"{card(each.type)} in step {each.step}: {100 * each.frequency:.0f} % by the {each.player}"
        for each in found.habits
    ]
    more = f" and {len(habits) - 4} more" if len(habits) > 4 else ""
    first = found.scenarios[0]
    told: list[list[Cell]] = [[day_name(each), " ".join(_sentences(each))] for each in found.scenarios]
    sections: list[Section] = [Table([Column("day", "day"), Column("told", "what it does")], told)]
    brief = len(sections)
    rows = [row for each in found.scenarios for row in _both(each)]
    sections.append(Table(COLUMNS, rows, "Both sides"))
    sections += [_cards(each) for each in found.scenarios if each.free.answers and each.locked.answers]
    costly = sum(each.costs for each in found.scenarios)
    return Page(
        headline=f"Fixed frequencies of the {first.player.capitalize()}, {first.preparation}: they cost"
        f" something for certain in {costly} of {len(found.scenarios)} days.",
        sections=sections,
        notes=[f"Fixed, where the hand leaves a choice: {'; '.join(habits[:4])}{more}.", *_sure(found)],
        method=[
            "Both players know of the fixed frequencies and play their best otherwise; best responses, and so"
            " NashConv, keep to their owner's. They rule over hands that hold the type and something else to"
            " place. In a step that surely ends the day everybody is free.",
            "value: best responses bound it on both sides; a fixed frequency is said to cost something only"
            " if every pair of values within the bounds says so. To narrow them, solve further (--target,"
            " --time-limit).",
            "GP, outcomes, openings: of the one equilibrium approached here; others may differ.",
        ],
        details=brief,
        data=_data(found),
    )


def _sentences(each: LockedScenario) -> list[str]:
    free, locked = each.free, each.locked
    if not (free.answers and locked.answers):
        return ["What it costs: no answer yet."]
    low, high = each.cost_gp
    if each.costs:
        texts = [f"This costs the {each.player} {low:.2f} to {high:.2f} GP a day, for certain."]
    elif high < 0.005:
        texts = [f"This costs the {each.player} nothing."]
    else:
        texts = [f"No cost is shown: at most {high:.2f} GP a day for the {each.player}."]
    gp, draw = locked.mean_gp[0] - free.mean_gp[0], locked.outcome.draw - free.outcome.draw
    texts.append(
        f"In the plans found a day pays {locked.mean_gp[0]:.1f} GP ({gp:+.1f});"
        f" {percent(locked.outcome.draw)} % are drawn ({100 * draw:+.0f})."
    )
    for seat in PLAYERS:
        one, other = free.opening_mix[seat], locked.opening_mix[seat]
        told = sorted(TYPES, key=lambda name: -abs(other[name] - one[name]))[:4]
        parts = [
            f"{card(name)} {100 * one[name]:.0f} → {100 * other[name]:.0f}"
            for name in told
            if abs(other[name] - one[name]) >= 0.01
        ]
        texts.append(f"{seat.capitalize()} open, % of days: {', '.join(parts) or 'as before'}.")
    return texts


def _both(each: LockedScenario) -> list[list[Cell]]:
    low, high = (-number for number in reversed(each.cost_gp))
    verdict = "costs" if each.costs else "zero by symmetry" if low == high == 0.0 else "no cost shown"
    return rows_of(day_name(each), (("free", each.free), ("fixed", each.locked)), (low, high), verdict)


def _cards(each: LockedScenario) -> Table:
    columns = [Column("card", "opens"), *(Column(*both, "share") for both in _SIDES)]
    plays = (each.free, each.locked)
    rows: list[list[Cell]] = [
        [card(name), *(play.opening_mix[seat][name] for seat in PLAYERS for play in plays)] for name in TYPES
    ]
    return Table(columns, rows, day_name(each))


_SIDES = [(f"{seat}_{word}", f"{seat} {word}") for seat in PLAYERS for word in ("free", "fixed")]


def _sure(found: LockAnswer) -> list[str]:
    return trust.grades(
        (f"{day_name(each)}, {word}", play.nash_conv_gp, play.trust)
        for each in found.scenarios
        for word, play in (("free", each.free), ("fixed", each.locked))
        if play.trust is not msgspec.UNSET
    )


def _data(found: LockAnswer) -> Table:
    """Return a row per scenario and type, numbers of the scenario repeated."""
    rows: list[dict[str, Cell]] = []
    for each in found.scenarios:
        plays = (("free", each.free), ("locked", each.locked))
        for name in TYPES:
            row: dict[str, Cell] = {"patron": each.patron, "cheers": each.cheers, "player": each.player}
            row["cost_low_gp"], row["cost_high_gp"] = each.cost_gp
            for word, play in plays:
                row[f"{word}_value_low_gp"], row[f"{word}_value_high_gp"] = play.value_bracket_gp
                row |= {f"{word}_nash_conv_gp": play.nash_conv_gp, f"{word}_grade": trust.words(play.trust)}
            row["type"] = name
            for word, play in plays:
                row |= {f"{word}_opening_{seat}": play.opening_mix[seat][name] for seat in PLAYERS}
            rows.append(row)
    return data_of(rows)


def amounts(found: LockAnswer) -> list[Amount]:
    """Return what the fixed frequencies cost at most on each day, and what it pays then."""
    return [
        amount
        for each in found.scenarios
        for amount in (
            Amount(f"{each.patron}/{each.cheers}/cost", f"{day_name(each)}: cost at most", each.cost_gp[1]),
            Amount(f"{each.patron}/{each.cheers}/gp", f"{day_name(each)}: GP", each.locked.mean_gp[0]),
        )
    ]


QUESTION = Question(
    name="lock",
    about="Fix how often a card type is placed, solve the rest, and compare with free play: what if players"
    " never open with the Chancer? Frequencies of one player make the two sides unequal: the tree is twice as"
    " large then, and so is the memory needed.",
    asked=Lock,
    answers=LockAnswer,
    function=answer,
    page=page,
    exactness="bounded",
    amounts=amounts,
    kept=False,
    examples=(
        "lock --habit chancer=0 --patron the-nameless --cheers two-bashers --set match.row_length=2"
        " --set match.hand_size=2 --iterations 40",
    ),
)

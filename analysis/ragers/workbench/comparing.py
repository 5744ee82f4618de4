"""Two rule variants side by side, and which differences are more than the solver's own uncertainty.

What is certified of a solved day is an interval around its value (from best responses) and, for each type, an
interval that holds its opening share in *every* equilibrium (:mod:`analysis.ragers.answers.brackets`). A
difference is called an effect only where the two intervals do not meet. Outcomes, mean glory points and later
cards belong to the plans found; other equilibria may have others, and no interval is known for them: they are
shown, and nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from analysis.errors import RequestError
from analysis.progress import Reporter
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.asking import Question, answer_all
from analysis.ragers.answers.brackets import opening_brackets, value_bracket
from analysis.ragers.answers.ended import SolvedAnswer
from analysis.ragers.answers.report import (
    DayReport,
    OutcomeReport,
    RulesReport,
    day_report,
    ends_for,
    rules_report,
)
from analysis.ragers.answers.trust import Trust, trust_in
from analysis.ragers.scenarios import Scenario, scenarios
from engine.ragers.rules import PLAYERS, TYPES, Rules, diff_rules


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One variant's answer to a scenario, as the player sees it.

    Attributes
    ----------
    value_bracket_gp : the value of the game lies in it.
    opening_bracket : per type the interval that holds its opening share in every equilibrium; None where no
        worth per action is known.
    cards_placed : expected cards of each type placed in a day.
    """

    value_gp: float
    value_bracket_gp: tuple[float, float]
    nash_conv_gp: float
    certified: bool
    opening_mix: dict[str, float]
    opening_bracket: dict[str, tuple[float, float]] | None
    cards_placed: dict[str, float]
    outcome: OutcomeReport
    mean_gp: tuple[float, float]
    from_library: bool
    source: str
    trust: Trust | msgspec.UnsetType = msgspec.UNSET

    @property
    def answers(self) -> bool:
        """Whether there is an answer to be shown."""
        return self.trust is msgspec.UNSET or self.trust.answers


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A scenario under two variants.

    Attributes
    ----------
    value_change_gp : interval that holds the change of the game's value, right less left.
    value_effect : whether it lacks zero.
    opening_effects : types whose opening share changes in whatever equilibria are played.
    same_game : whether the change does not touch this day at all.
    day, left_day : the day as the box names it, right and, where another one, left.
    """

    patron: str
    cheers: str
    preparation: str
    player: str
    left: Side
    right: Side
    value_change_gp: tuple[float, float]
    value_effect: bool
    opening_effects: list[str]
    same_game: bool
    day: DayReport | msgspec.UnsetType = msgspec.UNSET
    left_day: DayReport | msgspec.UnsetType = msgspec.UNSET


class DiffAnswer(SolvedAnswer, frozen=True, kw_only=True):
    """Days under two variants."""

    left: RulesReport
    right: RulesReport
    changes: list[dict[str, Any]]
    scenarios: list[Comparison]


def side(answered: Answered, player: int) -> Side:
    """Return one variant's half of a comparison."""
    answer, day = answered.answer, answered.scenario.day
    outcome, mean_gp = ends_for(answer, player)
    brackets = None
    if answered.strategy is not None:
        brackets = opening_brackets(answer, answered.strategy, day, player)
    usage = answer.usage[player]
    return Side(
        value_gp=answer.value_gp if player == 0 else -answer.value_gp,
        value_bracket_gp=value_bracket(answer, day, player),
        nash_conv_gp=answer.nash_conv_gp,
        certified=answer.certified,
        opening_mix=dict(zip(TYPES, answer.opening_mix[player][: len(TYPES)], strict=True)),
        opening_bracket=None if brackets is None else dict(zip(TYPES, brackets, strict=True)),
        cards_placed={name: sum(step[t] for step in usage) for t, name in enumerate(TYPES)},
        outcome=outcome,
        mean_gp=mean_gp,
        from_library=answered.from_library,
        source=answered.source,
        trust=trust_in(answer),
    )


def compare(left: Answered, right: Answered, player: int) -> Comparison:
    """Return what changes from `left` to `right`, and which of it is an effect."""
    one, other = side(left, player), side(right, player)
    low = other.value_bracket_gp[0] - one.value_bracket_gp[1]
    high = other.value_bracket_gp[1] - one.value_bracket_gp[0]
    both_certified = one.certified and other.certified
    effects = []
    if one.opening_bracket is not None and other.opening_bracket is not None:
        effects = [name for name in TYPES if _apart(one.opening_bracket[name], other.opening_bracket[name])]
    return Comparison(
        patron=right.scenario.patron.id,
        cheers=right.scenario.cheers.id,
        preparation=right.answer.preparation,
        player=PLAYERS[player],
        left=one,
        right=other,
        value_change_gp=(low, high),
        value_effect=both_certified and not low <= 0.0 <= high,
        opening_effects=effects,
        same_game=left.scenario.day == right.scenario.day,
        day=day_report(right.scenario),
        left_day=msgspec.UNSET if _same_names(left.scenario, right.scenario) else day_report(left.scenario),
    )


def _same_names(one: Scenario, other: Scenario) -> bool:
    return (one.patron.id, one.cheers.id) == (other.patron.id, other.cheers.id)


def _apart(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[1] < other[0] or other[1] < one[0]


@dataclass(frozen=True)
class Half:
    """One side of a comparison: its rules, and its patron and cheers card where they differ by side."""

    rules: Rules
    patron: str | None = None
    cheers: str | None = None

    def scenarios(self, patrons: Sequence[str], cheers: Sequence[str], preparation: str) -> list[Scenario]:
        """Return its days among those asked for."""
        return scenarios(
            self.rules,
            patrons if self.patron is None else [self.patron],
            cheers if self.cheers is None else [self.cheers],
            preparation,
        )


def pairs_of(
    left: Half, right: Half, which: tuple[Sequence[str], Sequence[str]], preparation: str
) -> list[tuple[Scenario, Scenario]]:
    """Return the days to compare with each other: those with equal names, where a side has no own ones.

    Raises
    ------
    RequestError
        If a side has a patron or cheers card of its own, and the other side has several.
    """
    for kind, own, common in (
        ("patron", (left.patron, right.patron), which[0]),
        ("cheers", (left.cheers, right.cheers), which[1]),
    ):
        if None in own and own != (None, None) and len(common) != 1:
            lacking = "--left" if own[0] is None else "--right"
            raise RequestError(
                f"one side has a {kind} of its own: name the other side's, too ({lacking} {kind}=NAME)"
            )

    def key(each: Scenario) -> tuple[str, str]:
        free = left.patron is None and right.patron is None, left.cheers is None and right.cheers is None
        return each.patron.id if free[0] else "", each.cheers.id if free[1] else ""

    ones = {key(each): each for each in left.scenarios(*which, preparation)}
    others = [(key(each), each) for each in right.scenarios(*which, preparation)]
    return [(ones[name], each) for name, each in others if name in ones]


def diff(
    left: Half,
    right: Half,
    which: tuple[Sequence[str], Sequence[str]],
    preparation: str,
    question: Question,
    reporter: Reporter,
    show: Callable[[DiffAnswer], None] | None = None,
) -> tuple[DiffAnswer, int]:
    """Answer the scenarios that two sides share, and compare; returns the exit code of the solves, too.

    Parameters
    ----------
    which : patrons and cheers cards, by name; an empty one of the two means all.
    show : told what is known so far; None where nobody looks.
    """
    pairs = pairs_of(left, right, which, preparation)
    todo = list(dict.fromkeys(scenario for pair in pairs for scenario in pair))

    def compared(answered: Sequence[Answered]) -> DiffAnswer:
        found = {each.scenario: each for each in answered}
        both = [
            compare(found[one], found[other], question.player)
            for one, other in pairs
            if one in found and other in found
        ]
        return diff_report(left.rules, right.rules, both)

    def shown(answered: Sequence[Answered]) -> None:
        if show is not None and (so_far := compared(answered)).scenarios:
            show(so_far)

    answered, code = answer_all(todo, replace(question, show=shown if show else None), reporter)
    return compared(answered), code


def diff_report(left: Rules, right: Rules, scenarios: Sequence[Comparison]) -> DiffAnswer:
    """Return the whole report."""
    changes = [{"key": key, "left": one, "right": other} for key, one, other in diff_rules(left, right)]
    return DiffAnswer(
        left=rules_report(left), right=rules_report(right), changes=changes, scenarios=list(scenarios)
    )

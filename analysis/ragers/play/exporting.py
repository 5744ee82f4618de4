"""Days as files: trees and matrices for other people's solvers, strategies as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analysis.errors import RefusedError, RequestError, WorkError
from analysis.progress import Reporter
from analysis.ragers.answers import library
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.asking import Question, stored_answer
from analysis.ragers.answers.solving import Effort
from analysis.ragers.play.behaviour import decision_rows, strategy_rows
from analysis.ragers.play.histories import HistoryError, Step, parse_history
from analysis.ragers.play.trees import solved
from analysis.ragers.scenarios import Scenario
from engine.ragers.rules import PLAYERS

if TYPE_CHECKING:
    from solver.extensive import ExtensiveGame

Row = dict[str, Any]
_NAMES = (PLAYERS[0], PLAYERS[1])


def profile(game: ExtensiveGame) -> tuple[str, str]:
    """Return how both play a tree that is solved now, as Gambit's tools read it, and what it is worth."""
    from solver.gambit import profile_text

    strategy, value, how = solved(game)
    return profile_text(game, strategy), f"value {value + 0.0:.6g} to {PLAYERS[0]}, {how}"


def nfg(
    game: ExtensiveGame, title: str, *, max_plans: int, numbered: bool = False
) -> tuple[str, tuple[int, int]]:
    """Return a tree's reduced normal form in Gambit's format, and how many plans each player has.

    Parameters
    ----------
    max_plans : of a player; more are refused.
    numbered : whether plans have numbers instead of names.

    Raises
    ------
    WorkError
        If there are more plans.
    """
    from solver.normal_form import TooManyPlansError, nfg_text, reduced_normal_form

    try:
        form = reduced_normal_form(game, max_plans=max_plans)
    except TooManyPlansError as error:
        raise WorkError(f"{error}; begin later (--hands, --history), or raise --max-plans") from None
    text = nfg_text(form, title=title, player_names=_NAMES, numbered=numbered)
    return text, (len(form.plans[0]), len(form.plans[1]))


def strategies(
    todo: Sequence[Scenario], history: str | None, effort: Effort, reporter: Reporter, *, fresh: bool = False
) -> tuple[list[Row], list[str]]:
    """Return stored openings hand by hand, or a later decision, and the scenarios that are not stored.

    Parameters
    ----------
    history : None for openings; else the day so far, accusers first.
    effort, fresh : how later decisions are solved, and whether those solved before do not count.

    Raises
    ------
    RequestError
        If the history makes no sense, or there are limits without one.
    RefusedError
        If a later decision does not fit in memory.
    """
    steps = _steps(history, used=fresh or effort != Effort())
    question = Question(0, None, Effort(iterations=1), False, strategy=True)
    rows: list[Row] = []
    missing = []
    for scenario in todo:
        answered = stored_answer(scenario, question)
        if answered is None or answered.strategy is None:
            missing.append(scenario.title)
        elif steps is None:
            rows += strategy_rows(scenario, answered.strategy)
        else:
            rows += _later_rows(answered, steps, effort, reporter, fresh=fresh)
    return rows, missing


def _steps(history: str | None, *, used: bool) -> list[Step] | None:
    """Return the steps of a history; `used`: whether there is something that needs one."""
    if history is None:
        if used:
            raise RequestError("limits of a solve, and --fresh, mean something only with --history")
        return None
    try:
        steps = parse_history(history)
    except HistoryError as error:
        raise RequestError(str(error), "--history") from None
    return steps


def _later_rows(
    answered: Answered, steps: list[Step], effort: Effort, reporter: Reporter, *, fresh: bool
) -> list[dict[str, Any]]:
    """Return the rows of a later decision of a scenario."""
    from solver.hidden_hands import MemoryRefused

    assert answered.strategy is not None
    strategy = replace(answered.strategy, second=library.second_step(answered.scenario))
    opening = (strategy, f"opening: {answered.source}", answered.answer.nash_conv_gp)
    title = answered.scenario.title
    try:
        return decision_rows(answered.scenario, opening, steps, effort, reporter, fresh=fresh)
    except HistoryError as error:
        raise RequestError(f"{title}: {error}", "--history") from None
    except MemoryRefused as refused:
        raise RefusedError(f"{title}: solving on from there {refused} (--memory)") from None

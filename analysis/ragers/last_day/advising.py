"""What to do now in a match, for the chance of winning it: a search of the whole match, and on the last day a
solve of the rest of it.

The search is guided by learned values and claims nothing: its chances are those of play that goes on as
in it. The solve is exact for the beliefs it begins with, as all solves in the middle of play are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from analysis.amounts import size
from analysis.errors import RequestError, TooShortError
from analysis.progress import Reporter
from analysis.ragers.answers.solving import Effort, solve_rest
from analysis.ragers.hands import hand_names
from analysis.ragers.last_day.advice import MatchAdvice, SearchAdvice, SearchedAction, SolvedAdvice
from analysis.ragers.last_day.solving import (
    EXPAND_BYTES,
    NOTHING,
    LastDayQuestion,
    actions_of,
    begun,
    chance,
    day_of,
    in_points,
    names_of,
)
from analysis.ragers.play.advising import Adviser, Decision, state_of
from analysis.ragers.play.equilibrium import past_steps
from analysis.ragers.play.histories import HistoryError, Step, history_text, own_cards
from analysis.ragers.scenarios import Scenario
from engine.ragers.reference import Phase, deciders
from engine.ragers.rules import PLAYERS, TYPES

if TYPE_CHECKING:
    from analysis.ragers.last_day.followed import Followed
    from engine.ragers.day_match import MatchDay
    from solver.hidden_hands import Position, PositionSolution

TIME_LIMIT_S = 20.0
"""Of all solves of an advice together, with no limit given."""
TARGET = 0.02
"""NashConv, of payoffs from -1 to 1, at which a solve without limits ends."""
ITERATIONS = 10_000
"""Of the search; no clock ends it, so that the same question has the same answer."""


class LastDayAdviser(Adviser):
    """Walks through the last day of a match, and solves on for the chance of winning it.

    Parameters
    ----------
    question : the day; its beliefs are those at its beginning.
    """

    def __init__(
        self,
        question: LastDayQuestion,
        day: MatchDay,
        *,
        uniform: bool,
        reporter: Reporter,
        stop: Callable[[], bool] | None,
    ) -> None:
        from solver.hidden_hands.course import Course

        rules = question.rules
        # The base class names the day by its scenario, and looks nothing up by it here.
        first = rules.cheers_card(question.cheers[0]) if question.cheers else rules.cheers[0]
        preparation = "seen" if question.exchange else "none"
        self.scenario = Scenario(rules, rules.patron(question.patron), first, preparation)
        self.player = question.player
        self.course = Course(day.tables)
        self._question, self._day = question, day
        self._effort, self._opening, self._uniform, self._fresh = question.effort, None, uniform, True
        self._reporter, self._stop = reporter, stop
        self._spent_s = 0.0

    def _first(self) -> Position:
        question = self._question
        return begun(self.course, self._day, exchange=question.exchange, beliefs=question.beliefs)

    def solve(self, position: Position, *, last: bool = True) -> tuple[PositionSolution, str]:
        """Return how to play on from a position, solved now."""
        target, limit_s = self._limits(last=last)
        settings = self._effort.settings("none", target, limit_s, expand_bytes=EXPAND_BYTES)
        patron = self.scenario.patron.name
        self._reporter.begin(f"{patron}, from step {position.start.step + 1} on", 1, limit_s)
        tell = in_points(self._reporter)
        solution = solve_rest(self.course, position, settings, tell, self._stop)
        self._spent_s += solution.seconds
        return solution, "solved now"

    def _limits(self, *, last: bool) -> tuple[float | None, float | None]:
        if self._effort.unlimited:
            left = max(TIME_LIMIT_S - self._spent_s, 0.02 * TIME_LIMIT_S)
            return TARGET, left if last else 0.6 * left
        return super()._limits(last=last)


def advise_followed(
    match: Followed,
    effort: Effort,
    reporter: Reporter,
    stop: Callable[[], bool] | None = None,
    *,
    uniform: bool = False,
) -> MatchAdvice:
    """Advise on the decision at which a transcript ends.

    Parameters
    ----------
    effort : limits of the solves; the search has its own.
    uniform : whether placements of the last day are read as if any card had been as likely.

    Raises
    ------
    RequestError
        If its player decides nothing there, or matches by its rules cannot be searched.
    """
    state, player = match.state, match.player
    if player not in deciders(state):
        raise RequestError("the transcript ends where the other player decides", "--match")
    patron, cheers = match.day
    view = match.view()
    steps = past_steps(view)
    hand = state.players[player].hand
    standing, solved, unsolved = "", None, "only the last day of a match is solved"
    if match.is_last_day:
        where, beliefs = match.beliefs()
        standing = where.text
        question = LastDayQuestion(
            state.rules, patron, cheers, where, player, None, effort, match.discards_due, beliefs
        )
        # The beliefs know of the discards already.
        placed = steps[1:] if any(before.phase == Phase.PREPARE for before, _ in view.past) else steps
        solved, unsolved, _ = _solve(question, placed, hand, (reporter, stop), uniform=uniform)
    decision = {Phase.PREPARE: "exchange", Phase.VETERAN: "further", Phase.DEADEYE: "hide"}
    return MatchAdvice(
        patron=patron,
        cheers=[*cheers],
        names=names_of(state.rules, patron, cheers),
        day=state.day + 1,
        match=standing,
        player=PLAYERS[player],
        hand=hand_names(hand),
        decision=decision.get(state.phase, "place"),
        history=history_text(steps),
        search=_search(match, effort, reporter),
        solved=solved,
        unsolved=unsolved,
        seed=effort.seed,
    )


def advise_typed(
    question: LastDayQuestion,
    steps: list[Step],
    reporter: Reporter,
    stop: Callable[[], bool] | None = None,
    *,
    uniform: bool = False,
) -> MatchAdvice:
    """Advise on a decision of the last day of a match that was typed; the rest as for `advise_followed`.

    Raises
    ------
    RequestError
        If that cannot be asked, or no day can go like this.
    """
    question.check(own_cards(steps))
    hand = question.hand
    assert hand is not None
    solved, unsolved, decision = _solve(question, steps, hand, (reporter, stop), uniform=uniform)
    return MatchAdvice(
        patron=question.patron,
        cheers=[*question.cheers],
        names=names_of(question.rules, question.patron, question.cheers),
        day=question.standing.day,
        match=question.standing.text,
        player=PLAYERS[question.player],
        hand=hand_names(hand),
        decision=decision,
        history=history_text(steps),
        search=None,
        solved=solved,
        unsolved=unsolved,
        seed=question.effort.seed,
    )


def _search(match: Followed, effort: Effort, reporter: Reporter) -> SearchAdvice:
    from analysis.ragers.match.searching import MatchSearcher

    reporter.note("Searching the match.")
    try:
        searcher = MatchSearcher(match.state.rules, iterations=ITERATIONS, seconds=0.0)
    except ValueError as error:
        raise RequestError(f"matches by these rules cannot be searched: {error}", "--match") from None
    best, chances = searcher.chances(match.state, match.player, match.buried, effort.seed)
    tried = [
        SearchedAction(_name(action), None if math.isnan(win) else win) for action, win in chances.items()
    ]
    return SearchAdvice(_name(best), tried, ITERATIONS, "search of the whole match, guided by learned values")


def _name(action: int) -> str:
    return TYPES[action] if action < len(TYPES) else NOTHING


def _solve(
    question: LastDayQuestion,
    steps: Sequence[Step],
    hand: tuple[int, ...],
    told: tuple[Reporter, Callable[[], bool] | None],
    *,
    uniform: bool,
) -> tuple[SolvedAdvice | None, str, str]:
    """Return what solving on says, if it says nothing why, and what kind of decision is due."""
    from solver.hidden_hands import MemoryRefused

    reason = ""
    for count_decks in (not question.exchange, False):
        day = day_of(question, count_decks=count_decks)
        for evenly in (True,) if uniform else (False, True):
            adviser = LastDayAdviser(question, day, uniform=evenly, reporter=told[0], stop=told[1])
            try:
                decision = adviser.follow(steps)
                number = state_of(adviser, decision, hand)
                solution, _ = adviser.solve(decision.position)
            except HistoryError as error:
                raise RequestError(str(error), "--history") from None
            except MemoryRefused as refused:
                reason = f"solving on takes {size(refused.needed_bytes)} or more (--memory)"
                if not steps:
                    break
                continue
            except TooShortError as short:
                return None, str(short), "place"
            except NotImplementedError:
                # A longer chain may be worth less where cards left decide ties: see `solve_last_day`.
                break
            found = _solved(question, day, adviser, decision, solution, number)
            return found, "", adviser.kind(decision)
    return None, reason, "place"


def _solved(
    question: LastDayQuestion,
    day: MatchDay,
    adviser: Adviser,
    decision: Decision,
    solution: PositionSolution,
    number: int,
) -> SolvedAdvice:
    player = question.player
    return SolvedAdvice(
        actions=actions_of(adviser.course, decision.position, solution, player, number),
        win=chance(solution.best_response_values, solution.nash_conv, player),
        nash_conv_win=solution.nash_conv / 2.0,
        beliefs="fresh" if question.beliefs is None else "course",
        read_by="" if question.beliefs is None else question.beliefs.read_by,
        tie_breaks="exact" if day.decks_counted else "no decks",
        surprises=[each.step for each in decision.readings if any(each.trembled)],
        iterations=solution.iterations,
        seconds=solution.seconds,
    )

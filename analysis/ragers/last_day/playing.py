"""Playing the last day of a match by solving on from each decision, as far as that fits time and memory.

Beliefs when combat begins are those of the course of the match (`beliefs`); placements of the day are read by
the solves of the decisions before, or where one of these did not fit, as if any card had been as likely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.amounts import size
from analysis.errors import TooShortError
from analysis.progress import Silent
from analysis.ragers.answers.solving import Effort
from analysis.ragers.last_day.advising import LastDayAdviser
from analysis.ragers.last_day.followed import before_combat, day_of_state, standing_and_beliefs
from analysis.ragers.last_day.solving import TARGET, LastDayQuestion, day_of
from analysis.ragers.play.advising import state_of
from analysis.ragers.play.equilibrium import MEMORY_BYTES, past_steps
from analysis.ragers.play.histories import HistoryError
from analysis.ragers.play.views import View
from engine.ragers.reference import NOTHING, Phase
from engine.ragers.rules import NUM_TYPES

if TYPE_CHECKING:
    from solver.hidden_hands import Position, PositionSolution

WIDEST = 0.12
"""NashConv, of payoffs from -1 to 1, up to which a solve is played by: 3 win-% either way."""
LATER_S = 0.8
"""Of each solve after the first one of a day."""
MOST_CARDS = 30
"""Days with more cards left on both sides together never fit, and are not tried."""


class _Remembering(LastDayAdviser):
    """Solves every position once; the first one takes its time, later ones are smaller and do not."""

    def __init__(self, question: LastDayQuestion, *, count_decks: bool, uniform: bool) -> None:
        day = day_of(question, count_decks=count_decks)
        super().__init__(question, day, uniform=uniform, reporter=Silent(), stop=None)
        self._known: dict[bytes, tuple[PositionSolution, str] | Exception] = {}

    def solve(self, position: Position, *, last: bool = True) -> tuple[PositionSolution, str]:
        """Return how to play on from a position, solved now or before."""
        from solver.hidden_hands import MemoryRefused

        start = position.start
        where = repr((start.kind, start.acts, start.rows, start.hidden, start.step)).encode()
        key = b"".join((where, start.pools.tobytes(), *(reach.tobytes() for reach in position.ranges)))
        if key not in self._known:
            try:
                self._known[key] = super().solve(position, last=last)
            except (MemoryRefused, NotImplementedError, TooShortError) as refused:
                self._known[key] = refused
        found = self._known[key]
        if isinstance(found, Exception):
            raise found
        return found

    def _limits(self, *, last: bool) -> tuple[float | None, float | None]:
        return TARGET, LATER_S if self._spent_s else self._effort.time_limit_s


class LastDayPlayer:
    """Plays combat of the last day by solves of the rest of it.

    Parameters
    ----------
    think_s : seconds for the first solve of a day.
    memory_bytes : which a solve may take.

    Attributes
    ----------
    news : lines to tell the person, since they were last taken: whether the day is solved, and if not, why.
    """

    def __init__(self, think_s: float, memory_bytes: int = MEMORY_BYTES) -> None:
        self.news: list[str] = []
        self._think_s, self._memory_bytes = think_s, memory_bytes
        self._moves: tuple[object, ...] = ()
        self._advisers: list[_Remembering] = []
        self._solved: bool | None = None

    def mix(self, view: View) -> list[float] | None:
        """Return how often each action is taken, `[T + 1]`; None where the rest of the day does not fit."""
        state = view.state
        placing = state.phase != Phase.PREPARE and state.day + 1 == state.rules.match.days
        if not placing or not view.played:
            return None
        left = sum(sum(own.hand) + sum(own.deck) for own in state.players)
        if left > MOST_CARDS:
            return None
        solved, reason = self._solution(view)
        if (solved is not None) != self._solved:
            self.news.append(
                f"the last day is not solved: {reason}; a search plays until it is"
                if solved is None
                else "the rest of the last day is solved: no other play would win it"
                f" {50.0 * solved[1]:.2g} % more"
            )
        self._solved = solved is not None
        return None if solved is None else solved[0]

    def _solution(self, view: View) -> tuple[tuple[list[float], float] | None, str]:
        """Return the mix with what both could gain by other play, added up, or nothing and why."""
        from solver.hidden_hands import MemoryRefused

        self._begin(view)
        steps = past_steps(view)
        if any(before.phase == Phase.PREPARE for before, _ in view.past):
            steps = steps[1:]
        hand, reason = view.state.players[view.player].hand, ""
        for adviser in self._advisers:
            try:
                decision = adviser.follow(steps)
                number = state_of(adviser, decision, hand)
                solution, _ = adviser.solve(decision.position)
            except HistoryError as error:
                return None, str(error)
            except MemoryRefused as refused:
                reason = f"it takes {size(refused.needed_bytes)} or more"
                continue
            except TooShortError:
                return None, "in that time nothing of it is proved"
            except NotImplementedError:
                # A longer chain may be worth less where cards left decide ties: see `solve_last_day`.
                reason = "its ties cannot be counted"
                continue
            if solution.nash_conv > WIDEST:
                return None, f"in that time its chances are known to ±{25.0 * solution.nash_conv:.2g} % only"
            states, cards, _ = adviser.course.pairs(decision.position.start, view.player)
            mix = [0.0] * (NUM_TYPES + 1)
            for pair, (owner, card) in enumerate(zip(states.tolist(), cards.tolist(), strict=True)):
                if owner == number:
                    mix[NOTHING if card < 0 else card] = max(0.0, float(solution.mixes[view.player][pair]))
            if sum(mix) > 0.0:
                return (mix, solution.nash_conv), ""
        return None, reason or "nobody can hold that hand"

    def _begin(self, view: View) -> None:
        """Have advisers for the day of a view, each a way to read it; those of another day are forgotten."""
        state = view.state
        before = before_combat(view.played, state.day)
        moves = (view.player, *(each.move for each in before))
        if moves == self._moves:
            return
        standing, beliefs = standing_and_beliefs(state, before)
        patron, cheers = day_of_state(state)
        effort = Effort(time_limit_s=self._think_s, memory_bytes=self._memory_bytes)
        question = LastDayQuestion(
            state.rules, patron, cheers, standing, view.player, None, effort, beliefs=beliefs
        )
        ways = [(True, False), (True, True), (False, False), (False, True)]
        self._advisers = [_Remembering(question, count_decks=decks, uniform=even) for decks, even in ways]
        self._moves, self._solved = moves, None

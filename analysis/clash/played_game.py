"""A whole game between a person and others: what is asked, hints, undo, and what decisions cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from analysis.clash.narration import choice_text, fought_text
from analysis.clash.outcomes import OutcomeTables
from analysis.clash.players import (
    Budget,
    Option,
    Player,
    SearchPlayer,
    habits_of,
    marching_plans,
    player_named,
)
from analysis.clash.whole_game import Choice, Fought, WholeGame, Words
from engine.clash import layout
from engine.clash.board import Scenario
from engine.clash.rules import Rules

MOST_COSTS = 5
LEAST_COST = 0.03
"""Cheaper decisions are not worth a line; playouts do not tell them from free ones either."""
_PLANS_SHOWN = 12


class Decision(NamedTuple):
    """A decision of the person's that was judged.

    Attributes
    ----------
    made, better : in words.
    cost : chance to win that it gave away, by playouts.
    """

    round: int
    made: str
    better: str
    cost: float


class _Point(NamedTuple):
    words: Words
    stream: Words
    decisions: int


class PlayedGame:
    """A game at the table.

    Parameters
    ----------
    seat : the person's, from 0.
    opponents : names of the others, in the order of their seats.
    judge : what a search that hints and judges may spend; None for as much as the others.
    judged : whether every decision is judged, so that costs can be told.
    """

    def __init__(
        self,
        rules: Rules,
        scenario: Scenario,
        seat: int,
        opponents: Sequence[str],
        budget: Budget,
        judge: Budget | None,
        seed: int,
        habits: Mapping[str, float] | None = None,
        *,
        judged: bool = True,
    ) -> None:
        self.seat, self.judged = seat, judged and judge is not None
        self.events: list[str] = []
        own_habits = habits_of(habits) if habits else None
        self.game = WholeGame(rules, scenario, OutcomeTables(rules), seed, self._fought)
        others = iter(opponents)
        self._players: list[Player | None] = [
            None if place == seat else player_named(next(others), budget, seed + place, own_habits)
            for place in range(self.game.num_players)
        ]
        self._advisor = SearchPlayer(judge or budget, own_habits, seed)
        self._habits = self._advisor.habits_in(self.game)
        self.decisions: list[Decision] = []
        self._points: list[_Point] = []
        self._options: list[Option] | None = None

    def _fought(self, fought: Fought) -> None:
        self.events.append(fought_text(self.game, fought))

    @property
    def asked(self) -> bool:
        """Whether the person decides now, and has a choice."""
        game = self.game
        return not game.over and game.decider == self.seat and game.num_moves > 1

    def others_move(self) -> None:
        """Play on to the person's next decision, or the end; what happens is added to `events`."""
        while not self.game.over and not self.asked:
            decider = self.game.decider
            player = self._players[decider]
            if player is None:
                self.make(Choice(0), judged=False)
                continue
            choice = player.choose(self.game)
            if self.game.phase != layout.TACTIC:
                name = self.game.scenario.clans[decider]
                self.events.append(f"{name}: {choice_text(self.game, choice)}")
            self.game.make(choice)

    def choices(self) -> list[Choice]:
        """Return what can be done: moves, and at the beginning of an action whole marches."""
        game = self.game
        if game.phase != layout.ACTING:
            return [Choice(move) for move in range(game.num_moves)]
        plans = [plan.choice for plan in marching_plans(game, self._habits)[:_PLANS_SHOWN]]
        return [*(Choice(move) for move in range(game.num_moves)), *plans]

    def make(self, choice: Choice, *, judged: bool = True) -> None:
        """The person decides."""
        if judged:
            self._points.append(_Point(self.game.words.copy(), self.game.stream.copy(), len(self.decisions)))
            self._judge(choice)
        self._options = None
        self.game.make(choice)

    def undo(self) -> bool:
        """Go back to the person's decision before this one; False if there is none."""
        if not self._points:
            return False
        point = self._points.pop()
        self.game.words[:] = point.words
        self.game.stream[:] = point.stream
        del self.decisions[point.decisions :]
        self._options = None
        return True

    def options(self) -> list[Option]:
        """Return what the choices here are worth by playouts, the best first."""
        if self._options is None:
            self._options = self._advisor.options(self.game)
        return self._options

    def _judge(self, choice: Choice) -> None:
        """Compare a choice with the best one by the same playouts, if it is one that was tried."""
        if not self.judged or self.game.phase in (layout.ATTACH, layout.BATTLES, layout.MARCH):
            return
        options = self.options()
        best = options[0]
        made = next((option for option in options if option.choice == choice), None)
        if made is None or made.choice == best.choice:
            return
        cost = best.worth - made.worth
        # Options dropped early were tried less often: what may be chance is not held against the person.
        if cost > 2.0 * float(np.hypot(best.error, made.error)):
            texts = choice_text(self.game, choice), choice_text(self.game, best.choice)
            self.decisions.append(Decision(self.game.round, *texts, cost))

    def dear(self) -> list[Decision]:
        """Return the decisions that cost most."""
        dear = [decision for decision in self.decisions if decision.cost >= LEAST_COST]
        return sorted(dear, key=lambda decision: -decision.cost)[:MOST_COSTS]

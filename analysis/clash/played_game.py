"""A whole game between a person and others: what is asked, hints, undo, and what decisions cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from analysis.clash.narration import choice_text, fought_text, happened, state_of
from analysis.clash.outcomes import OutcomeTables
from analysis.clash.players import Player, marching_plans
from analysis.clash.searching import Arm, SearchPlayer, Trials
from analysis.clash.whole_game import Choice, Fought, WholeGame, Words
from analysis.reviewed import LEAST_COST, Decision, decided
from engine.clash import layout
from engine.clash.board import Scenario
from engine.clash.rules import Rules
from solver.sampling.paired_playouts import PairedPlayouts, judge

_PLANS_SHOWN = 12
_SPAN = 1.0
"""Of what playouts come to: between a loss and a win."""


class Option(NamedTuple):
    """A choice of the person's, and what it is worth by playouts.

    Attributes
    ----------
    win, error : chance to win, with its standard error.
    behind, behind_error : how far it is behind the best, by playouts with the same luck.
    told : whether it is surely worse.
    """

    text: str
    win: float
    error: float
    behind: float
    behind_error: float
    told: bool
    playouts: int


class Hint(NamedTuple):
    """What choices are worth, the best first; whether all of them went alike in all playouts."""

    options: list[Option]
    alike: bool


class _Point(NamedTuple):
    words: Words
    stream: Words
    decisions: int


class PlayedGame:
    """A game at the table.

    Parameters
    ----------
    players : by seat; None where the person sits.
    advisor : a search whose choices hints and judgements try.
    playouts : that a hint, or a judgement of a decision, may take.
    judged : whether every decision is judged, so that costs can be told.
    """

    def __init__(
        self,
        rules: Rules,
        scenario: Scenario,
        players: Sequence[Player | None],
        advisor: SearchPlayer,
        playouts: int,
        seed: int,
        *,
        judged: bool = True,
    ) -> None:
        self.seat, self.judged = players.index(None), judged
        self.events: list[str] = []
        self.game = WholeGame(rules, scenario, OutcomeTables(rules), seed, self._fought)
        self._players = players
        self._advisor, self._budget = advisor, playouts
        self._habits = self._advisor.habits_in(self.game)
        self.decisions: list[Decision] = []
        self._points: list[_Point] = []

    def _fought(self, fought: Fought) -> None:
        self.events.append(fought_text(self.game, fought))

    @property
    def asked(self) -> bool:
        """Whether the person decides now, and has a choice."""
        game = self.game
        return not game.over and game.decider == self.seat and game.num_moves > 1

    def play_on(self) -> None:
        """Play on to the person's next decision, or the end; what happens is added to `events`."""
        while not self.game.over and not self.asked:
            decider = self.game.decider
            player = self._players[decider]
            choice = Choice(0) if player is None else player.choose(self.game)
            # Tactic cards are chosen unseen, and told once all are revealed (T1).
            text = "" if self.game.phase == layout.TACTIC else choice_text(self.game, choice)
            if text and text != "done" and not text.startswith("nothing as "):
                name = "You" if player is None else self.game.scenario.clans[decider]
                self.events.append(f"{name}: {text}.")
            self._carry_out(choice)

    def _carry_out(self, choice: Choice) -> None:
        before = state_of(self.game)
        self.game.make(choice)
        self.events += happened(before, state_of(self.game), self.seat)

    def choices(self) -> list[Choice]:
        """Return what can be done: moves, and at the beginning of an action whole marches."""
        game = self.game
        if game.phase != layout.ACTING:
            return [Choice(move) for move in range(game.num_moves)]
        plans = [plan.choice for plan in marching_plans(game, self._habits)[:_PLANS_SHOWN]]
        return [*(Choice(move) for move in range(game.num_moves)), *plans]

    def hand(self) -> list[int]:
        """Return the orders on the person's tactic cards, line by line, where one of them is chosen now."""
        if self.game.phase != layout.TACTIC:
            return []
        state = state_of(self.game)
        tactics = state.clan(self.seat).tactics
        return [tactics[card].order for card in state.players[self.seat].hand]

    def make(self, number: int) -> None:
        """The person makes the choice of this number."""
        choice = self.choices()[number]
        self._points.append(_Point(self.game.words.copy(), self.game.stream.copy(), len(self.decisions)))
        self._judge(choice)
        self._carry_out(choice)

    def undo(self) -> bool:
        """Go back to the person's decision before this one; False if there is none."""
        if not self._points:
            return False
        point = self._points.pop()
        self.game.words[:] = point.words
        self.game.stream[:] = point.stream
        del self.decisions[point.decisions :]
        self.events.clear()
        return True

    def hint(self) -> Hint:
        """Return what the choices here are worth by playouts; nothing where they cannot be tried."""
        arms = self._arms()
        if len(arms) < 2:
            return Hint([], alike=False)
        found = PairedPlayouts(Trials(self.game, arms, self._habits), len(arms), _SPAN)
        left = found.race(self._budget)
        best = int(left[int(np.argmax(found.means[left]))])
        ahead, errors = found.ahead(best)
        options = [
            Option(
                choice_text(self.game, arm.choice),
                float(found.means[place]),
                float(found.errors[place]),
                float(-ahead[place]),
                float(errors[place]),
                place not in left,
                int(found.playouts[place]),
            )
            for place, arm in enumerate(arms)
        ]
        order = sorted(range(len(arms)), key=lambda place: (place != best, options[place].behind))
        return Hint([options[place] for place in order], found.alike)

    def _arms(self) -> list[Arm]:
        """The choices that playouts can try: not steps of an action that has been begun."""
        if self.game.phase in (layout.ATTACH, layout.BATTLES, layout.MARCH):
            return []
        return self._advisor.arms(self.game, Choice(0))

    def _judge(self, choice: Choice) -> None:
        """Compare a choice with the best one of the others by the same playouts, if it can be tried."""
        arms = self._arms() if self.judged else []
        made = next((place for place, arm in enumerate(arms) if arm.choice == choice), -1)
        if made < 0 or len(arms) < 2:
            return
        trials = Trials(self.game, arms, self._habits, len(self.decisions) << 20)
        found = judge(trials, len(arms), made, self._budget, LEAST_COST, _SPAN)
        what, better = (choice_text(self.game, arms[place].choice) for place in (made, found.better))
        self.decisions.append(decided(f"round {self.game.round}", what, better, found, _SPAN, 0.0))

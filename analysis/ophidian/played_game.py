"""A match with a person in it: the machine's moves, what happens, and going back."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from analysis.ophidian.learned import from_file
from analysis.ophidian.narration import happened, move_words
from analysis.ophidian.players import Budget, game_of, opponent_named
from analysis.reviewed import LEAST_COST, Decision, decided
from engine.ophidian.codec import encode
from engine.ophidian.reference import (
    CHANCE,
    Kind,
    Move,
    Phase,
    State,
    chance_outcomes,
    decider,
    is_over,
    legal_moves,
    seat_of,
    start_match,
    step,
)
from engine.ophidian.rule_based import greedy_moves
from engine.ophidian.rules import Rules
from engine.ophidian.sampling import HORIZON, NUM_WORDS, STATE_WORDS
from solver.sampling.information_set_search import InformationSetSearch, SearchSettings
from solver.sampling.policy import function_policy
from solver.sampling.rollouts import RolloutSearch

__all__ = ["Option", "PlayedGame"]

_HIDDEN = (Kind.UNDER,)
_SPAN = 2.0
"""How far payoffs of a match lie apart: a win pays 1, a defeat -1."""


class Option(NamedTuple):
    """A move, and how a search likes it: its share of the visits, and the mean of what came of it."""

    move: Move
    share: float
    mean: float


class PlayedGame:
    """A match between a person and a player of `analysis.ophidian.players`.

    Parameters
    ----------
    decks : of the first and the second seat.
    seat : the person's.
    values : a file of `ophidian train` for the opponent `values`; the carried one if None.
    playouts : by which each of the person's decisions is judged; with 0 none is.
    """

    def __init__(
        self,
        rules: Rules,
        decks: Sequence[str],
        seat: int,
        opponent: str,
        budget: Budget,
        seed: int,
        values: Path | None = None,
        playouts: int = 0,
    ) -> None:
        self.rules, self.seat, self._seed = rules, seat, seed
        seats = [seat_of(rules, deck) for deck in decks]
        self.decks = [rules.deck(deck) for deck in decks]
        self._game = game_of(rules, seats)
        trained = from_file(values, rules) if opponent == "values" else None
        self._opponent = opponent_named(opponent, rules, self._game, budget, trained)
        self._budget = budget
        self.states = [start_match(rules, seats)]
        self.judged = playouts > 0
        greedy = function_policy("greedy", greedy_moves)
        # Without a limit there is no search.
        self._advisor = RolloutSearch(self._game, greedy, SearchSettings(max(1, playouts)))
        self._decisions: list[int] = []
        self._costs: dict[int, Decision] = {}
        self.events: list[str] = []

    @property
    def state(self) -> State:
        """Where the match is."""
        return self.states[-1]

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return is_over(self.state)

    def choices(self) -> list[Move]:
        """What the person may do."""
        return list(legal_moves(self.state))

    def make(self, number: int) -> None:
        """The person makes the move of this number."""
        move = self.choices()[number]
        self._decisions.append(len(self.states))
        if self.judged:
            self._judge(number)
        self._step(move)

    def _step(self, move: Move | int) -> None:
        """Go on, and note what that has done to those on the table."""
        before = self.state
        self.states.append(step(before, move))
        self.events += happened(before, self.state, self.seat)

    def undo(self) -> bool:
        """Go back to the person's decision before this one; False if there is none."""
        if not self._decisions:
            return False
        begin = self._decisions.pop()
        del self.states[begin:]
        self._costs.pop(begin, None)
        self.events.clear()
        return True

    def play_on(self) -> None:
        """Chance and the machine go on, until the person decides or the match is over."""
        while not self.over and decider(self.state) != self.seat:
            state = self.state
            # What happens depends on the seed and on how far the match is: taking back changes no luck.
            rng = random.Random(f"{self._seed}/{len(self.states)}")
            if decider(state) == CHANCE:
                outcomes = chance_outcomes(state)
                [outcome] = rng.choices([each for each, _ in outcomes], [weight for _, weight in outcomes])
                self._tell_chance(state, outcome)
                self._step(outcome)
                continue
            moves = legal_moves(state)
            index = 0 if len(moves) == 1 else self._opponent.choose(self._words(state), rng.getrandbits(62))
            if moves[index].kind not in (*_HIDDEN, Kind.DECLINE):
                self.events.append(f"They: {move_words(state, moves[index])}.")
            self._step(moves[index])

    def _tell_chance(self, state: State, outcome: int) -> None:
        if state.phase == Phase.DIE:
            self.events.append("You have momentum." if outcome == self.seat else "They have momentum.")
        elif state.phase == Phase.ROLL:
            self.events.append(f"The die shows {outcome}.")
        elif state.turn == self.seat:
            self.events.append(f"You draw {self.rules.cards[outcome].name}.")

    @property
    def decisions(self) -> list[Decision]:
        """What the person's decisions cost, of those that had an alternative."""
        return list(self._costs.values())

    def _judge(self, number: int) -> None:
        """Compare a move with the best of the others by the same playouts, to the end of the wave."""
        state, moves = self.state, self.choices()
        if len(moves) < 2:
            return
        at, words = len(self.states), self._to_the_end_of_the_wave()
        found = self._advisor.judge(words, number, at, LEAST_COST * _SPAN, _SPAN)
        what, other = (move_words(state, moves[each]) for each in (number, found.better))
        self._costs[at] = decided(f"wave {state.wave}", what, other, found, _SPAN, -1.0)

    def _to_the_end_of_the_wave(self) -> np.ndarray:
        words = self._words(self.state)
        words[HORIZON] = max(1, self.state.wave)
        return words

    @staticmethod
    def _words(state: State) -> np.ndarray:
        words = np.zeros(STATE_WORDS, np.int64)
        words[:NUM_WORDS] = encode(state)
        return words

    def options(self) -> list[Option]:
        """How a search likes the person's moves, the best first."""
        search = InformationSetSearch(self._game, self._budget.settings)
        result = search.search(self._to_the_end_of_the_wave(), self._seed)
        moves, total = self.choices(), max(int(result.visits.sum()), 1)
        found = [
            Option(move, int(visits) / total, float(worth))
            for move, visits, worth in zip(moves, result.visits, result.mean_payoffs, strict=True)
        ]
        return sorted(found, key=lambda option: -option.share)

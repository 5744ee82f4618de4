"""A match with a person in it: moves, hints by a search, and what decisions cost."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from analysis.front.at_table import AtTable, Judged
from analysis.front.players import Player
from analysis.ophidian import setup as declared
from analysis.ophidian.contest import budget_of
from analysis.ophidian.learned import from_file
from analysis.ophidian.narration import explained, happened, move_words, phase_words, table_lines
from analysis.ophidian.players import Budget, game_of, opponent_named
from analysis.reviewed import LEAST_COST
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
    winner,
)
from engine.ophidian.rule_based import greedy_moves
from engine.ophidian.rules import Rules
from engine.ophidian.sampling import HORIZON, NUM_WORDS, STATE_WORDS
from solver.sampling.information_set_search import InformationSetSearch, SearchSettings
from solver.sampling.policy import function_policy
from solver.sampling.rollouts import RolloutSearch

__all__ = ["MatchSession", "begin"]

HINTS = 8
"""Moves that a hint names."""
ESTIMATED = "Playouts end with the wave, and what that is worth is an estimate, except for the last one."
_HIDDEN = (Kind.UNDER,)


def begin(
    rules: Rules,
    setup: declared.Decks,
    seat: int,
    opponent: Player,
    seed: int,
    advice: declared.Advice,
) -> MatchSession:
    """Begin a match."""
    values = opponent.file if isinstance(opponent, declared.Values) else None
    name = str(opponent.__struct_config__.tag)
    decks = (setup.deck, setup.against)
    playouts = 0 if advice.no_costs else advice.playouts
    return MatchSession(rules, decks, seat, name, budget_of(opponent), seed, values, playouts)


class MatchSession(AtTable[Move]):
    """A match with a person in it; see `analysis.front.session.Session`.

    Parameters
    ----------
    decks : of the first and the second seat.
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
        super().__init__(seat, judged=playouts > 0)
        self.rules, self._seed, self._budget = rules, seed, budget
        seats = [seat_of(rules, deck) for deck in decks]
        self.decks = [rules.deck(deck) for deck in decks]
        self._game = game_of(rules, seats)
        trained = from_file(values, rules) if opponent == "values" else None
        self._opponent = opponent_named(opponent, rules, self._game, budget, trained)
        greedy = function_policy("greedy", greedy_moves)
        # Without a limit there is no search.
        self._advisor = RolloutSearch(self._game, greedy, SearchSettings(max(1, playouts)))
        self.states = [start_match(rules, seats)]

    @property
    def state(self) -> State:
        """Where the match is."""
        return self.states[-1]

    @property
    def over(self) -> bool:
        """See `AtTable.over`."""
        return is_over(self.state)

    @property
    def asked(self) -> bool:
        """See `AtTable.asked`."""
        return decider(self.state) == self.seat

    def choices(self) -> list[Move]:
        """See `AtTable.choices`."""
        return list(legal_moves(self.state))

    def text(self, choice: Move) -> str:
        """See `AtTable.text`."""
        return move_words(self.state, choice)

    def carry_out(self, choice: Move | int, number: int = 0) -> None:
        """Go on, and note what that has done to those on the table."""
        before = self.state
        self.states.append(step(before, choice))
        self.events += happened(before, self.state, self.seat)

    def mark(self) -> int:
        """See `AtTable.mark`."""
        return len(self.states)

    def go_back(self, mark: int) -> None:
        """See `AtTable.go_back`."""
        del self.states[mark:]

    def go_on(self) -> None:
        """See `AtTable.go_on`."""
        state = self.state
        # What happens depends on the seed and on how far the match is: taking back changes no luck.
        rng = random.Random(f"{self._seed}/{len(self.states)}")
        if decider(state) == CHANCE:
            outcomes = chance_outcomes(state)
            [outcome] = rng.choices([each for each, _ in outcomes], [weight for _, weight in outcomes])
            self._tell_chance(state, outcome)
            self.carry_out(outcome)
            return
        moves = legal_moves(state)
        index = 0 if len(moves) == 1 else self._opponent.choose(self._words(), rng.getrandbits(62))
        if moves[index].kind not in (*_HIDDEN, Kind.DECLINE):
            self.events.append(f"They: {move_words(state, moves[index])}.")
        self.carry_out(moves[index])

    def _tell_chance(self, state: State, outcome: int) -> None:
        if state.phase == Phase.DIE:
            self.events.append("You have momentum." if outcome == self.seat else "They have momentum.")
        elif state.phase == Phase.ROLL:
            self.events.append(f"The die shows {outcome}.")
        elif state.turn == self.seat:
            self.events.append(f"You draw {self.rules.cards[outcome].name}.")

    def _words(self) -> np.ndarray:
        words = np.zeros(STATE_WORDS, np.int64)
        words[:NUM_WORDS] = encode(self.state)
        return words

    def _to_the_end_of_the_wave(self) -> np.ndarray:
        words = self._words()
        words[HORIZON] = max(1, self.state.wave)
        return words

    def judge(self, choice: Move, number: int) -> Judged | None:
        """See `AtTable.judge`: to the end of the wave."""
        moves = self.choices()
        if len(moves) < 2:
            return None
        words, least = self._to_the_end_of_the_wave(), LEAST_COST * self.span
        found = self._advisor.judge(words, number, len(self.states), least, self.span)
        return Judged(f"wave {self.state.wave}", self.text(choice), self.text(moves[found.better]), found)

    def hints(self) -> Sequence[str]:
        """Return how a search likes the moves: its share of the visits, and the mean of what came of them."""
        search = InformationSetSearch(self._game, self._budget.settings)
        result = search.search(self._to_the_end_of_the_wave(), self._seed)
        total = max(int(result.visits.sum()), 1)
        tried = sorted(
            zip(self.choices(), result.visits, result.mean_payoffs, strict=True), key=lambda each: -each[1]
        )
        lines = ["how often a search tries them, and what comes of them (1 won, -1 lost; estimates):"]
        for move, visits, mean in tried[:HINTS]:
            worth = "   ?" if mean != mean else f"{mean:+.2f}"
            lines.append(f"  {100 * int(visits) / total:3.0f} %  {worth}  {self.text(move)}")
        return lines

    def board(self) -> Sequence[str]:
        """Return the table as the person sees it."""
        return list(table_lines(self.state, self.seat, self.decks))

    def task(self) -> str:
        """Return what is to be decided."""
        return "" if self.over else phase_words(self.state).capitalize()

    def explain(self, name: str) -> str | None:
        """Return what a card or a gladiator is."""
        return explained(self.rules, name)

    def result(self) -> tuple[str, float]:
        """See `AtTable.result`."""
        best = winner(self.state)
        said = "Nobody wins." if best is None else "You win." if best == self.seat else "They win."
        return said, 0.5 if best is None else float(best == self.seat)

    def ending(self) -> Sequence[str]:
        """Return who has won, and what decisions cost."""
        return [*super().ending(), *([ESTIMATED] if self.judged else [])]

    def fingerprint(self) -> str:
        """Return what tells this state from others."""
        return repr(self.state)

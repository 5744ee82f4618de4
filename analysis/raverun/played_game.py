"""A game of Raverun between a person and others, move by move, with advice; the reference keeps the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from analysis.errors import RequestError
from analysis.raverun import policies
from analysis.raverun.kept_files import loading
from analysis.raverun.training import shipped_values
from analysis.raverun.transcript import Header, ways_at
from engine.raverun import reference
from engine.raverun.reference import CHANCE, Move, State, decider, is_over, legal_moves
from engine.raverun.reveals import is_reveal
from engine.raverun.rules import Rules
from solver.sampling.guided_search import GuidedSearch
from solver.sampling.head_to_head import ChoosingPolicy
from solver.sampling.information_set_search import InformationSetSearch, SearchSettings
from solver.sampling.open_endgame import endgame_value
from solver.sampling.policy import CompiledPolicy, policy_probabilities
from solver.sampling.value_policy import ValuePolicy

OPPONENTS = ("guided", "values", "search", "trained", "greedy", "random")
HINT_ITERATIONS = 3000
"""Of the search that advises where nothing better is known."""
_OVER = -2


@dataclass(frozen=True)
class Advice:
    """What moves are worth to who decides.

    Attributes
    ----------
    worths
        Expected payoff by move; nan where a search never tried one.
    how
        Where that comes from, in words.
    judges
        Whether it is good enough to say what a decision cost.
    exact
        Whether it is certain.
    """

    worths: list[float]
    how: str
    judges: bool
    exact: bool = False


@dataclass(frozen=True)
class Decision:
    """A decision that was made.

    Attributes
    ----------
    state
        Before it.
    index, best
        The move made and the best one, by their numbers.
    cost
        What the former is worth less, in units of payoff.
    how
        Who says so, in words.
    exact
        Whether that is certain.
    """

    state: State
    index: int
    best: int
    cost: float
    how: str
    exact: bool = False


class PlayedGame:
    """A game at the table.

    Parameters
    ----------
    seat : the person's.
    opponent : who plays for the others, one of `OPPONENTS`; None for the strongest there is a file for.
    policy, values : files that players and advice go by.
    seed : of the deal and of what the others choose; None for another each time.

    Attributes
    ----------
    ways : the number of each move and draw so far among all that were possible.
    decisions : of the person, as far as something tells what they cost.

    Raises
    ------
    RequestError
        For a seat that does not exist, or files that are missing or cannot be used.
    """

    def __init__(
        self,
        rules: Rules,
        num_players: int,
        seat: int,
        opponent: str | None,
        policy: Path | None,
        values: Path | None,
        search: SearchSettings,
        seed: int | None,
    ) -> None:
        if seat >= num_players:
            raise RequestError(
                f"--seat {seat + 1}: with {num_players} players the seats are 1 to {num_players}"
            )
        if opponent is None:
            opponent = "guided" if values is not None else "trained" if policy is not None else "search"
        if opponent == "trained" and policy is None:
            raise RequestError("the trained player needs --policy, a file of raverun-solve --save-policy")
        if opponent in ("guided", "values") and values is None:
            values = shipped_values(rules, num_players)
        if opponent in ("guided", "values") and values is None:
            raise RequestError(f"the opponent {opponent} needs --values, a file of raverun train")
        self.rules, self.num_players, self.seat, self.opponent = rules, num_players, seat, opponent
        recall, self._network = "summary", None
        if values is not None:
            with loading("--values"):
                self._network = policies.load_network(values, rules, num_players)
        other: CompiledPolicy | ChoosingPolicy
        if opponent == "trained" and policy is not None:
            with loading("--policy"):
                other, recall = policies.load_policy(policy, rules, num_players)
        else:
            other = policies.opponent(opponent, rules, num_players, search, self._network)
        self._other = other
        #: Gives an opponent who remembers nothing yet.
        self._anew = partial(policies.opponent, opponent, rules, num_players, search, self._network)
        self._game = policies.full_game(rules, num_players, recall)
        #: The states of all games are the same but for what is remembered with perfect recall.
        self._view = policies.full_game(rules, num_players, "view")
        self._random = np.random.default_rng(seed)
        self.state = reference.start(rules, num_players)
        self._words = self._game.root.copy()
        self._work = np.zeros(self._game.work_words, np.int64)
        self.decisions: list[Decision] = []
        self.ways: list[int] = []
        self._marks: list[tuple[int, Mapping[str, Any], int]] = []

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return is_over(self.state)

    def chance(self) -> None:
        """Draw and lay out until somebody decides."""
        while not self.over and decider(self.state) == CHANCE:
            outcomes = reference.chance_outcomes(self.state)
            self._step(outcomes[int(self._random.integers(len(outcomes)))][0])

    def moves(self) -> list[Move]:
        """Return the moves of who decides, in the order of their numbers."""
        return list(legal_moves(self.state))

    def make(self, index: int) -> None:
        """Make the move of that number; what a move of the person costs is noted if anything tells."""
        moves = self.moves()
        if decider(self.state) == self.seat and len(moves) > 1:
            self._marks.append((len(self.ways), self._random.bit_generator.state, len(self.decisions)))
            advice = self.advice(judging=True)
            if advice is not None:
                best = int(np.argmax(advice.worths))
                cost = advice.worths[best] - advice.worths[index]
                self.decisions.append(Decision(self.state, index, best, cost, advice.how, advice.exact))
        self._step(moves[index])

    @property
    def num_made(self) -> int:
        """How many decisions the person has made."""
        return len(self._marks)

    def undo(self) -> bool:
        """Go back to the person's last decision; return whether there is one. Chance goes on as it had."""
        if not self._marks:
            return False
        length, self._random.bit_generator.state, number = self._marks.pop()
        del self.decisions[number:]
        # From the beginning, so that the others remember no more than they should.
        ways = self.ways[:length]
        self.state = reference.start(self.rules, self.num_players)
        self._words, self.ways = self._game.root.copy(), []
        if not isinstance(self._other, CompiledPolicy):
            self._other = self._anew()
        for way in ways:
            self._step(ways_at(self.state)[way])
        return True

    def replay(self, ways: Sequence[int]) -> None:
        """Play on as a game kept by its `ways` was played; IndexError if it cannot have been."""
        for way in ways:
            if way < 0:
                raise IndexError(way)
            if not self.over and decider(self.state) == self.seat:
                self.moves()[way]
                self.make(way)
            else:
                self._step(ways_at(self.state)[way])

    def _step(self, move: Move | int) -> None:
        ways = ways_at(self.state)
        seat, index = decider(self.state), ways.index(move)
        if seat != CHANCE and len(ways) > 1 and isinstance(self._other, GuidedSearch):
            self._other.see(self._words, seat, index)
        self.state = reference.step(self.state, move)
        self._game.apply(self._game.tables, self._words, self._work, index)
        while is_reveal(self._words):
            self._game.apply(self._game.tables, self._words, self._work, 0)
        self.ways.append(ways.index(move))

    def others_choice(self) -> int:
        """Return the number of the move that the player to decide chooses, by what he sees."""
        number = len(self.moves())
        if number == 1:
            return 0
        seed, other, game = int(self._random.integers(2**62)), self._other, self._game
        if not isinstance(other, CompiledPolicy):
            return other.choose(self._words.copy(), seed)
        chances = np.zeros(game.max_moves)
        seat = int(game.observe(game.tables, self._words, self._work))
        policy_probabilities(other.arguments, seat, game.tables, self._words, self._work, chances)
        shares = chances[:number] / chances[:number].sum()
        return int(np.random.default_rng(seed).choice(number, p=shares))

    def advice(self, *, judging: bool = False) -> Advice | None:
        """Return what the moves of who decides are worth, by what he sees.

        Parameters
        ----------
        judging : None unless it is good enough to say what a decision cost.
        """
        solved = self._solved()
        if solved is not None:
            return Advice(solved, "by the rest of the game, solved", True, exact=True)
        if self._network is not None:
            worths = ValuePolicy(self._view, self._network).values(self._words).tolist()
            return Advice(worths, "by the learned values", True)
        if judging:
            return None
        search = InformationSetSearch(self._view, SearchSettings(iterations=HINT_ITERATIONS))
        found = search.search(self._words)
        how = f"by a search of {HINT_ITERATIONS} iterations, a rough guide"
        return Advice(found.mean_payoffs.tolist(), how, False)

    def _solved(self) -> list[float] | None:
        """Return the exact worth of each move; None unless nothing hidden matters any more."""
        game = self._view
        if game.is_open is None or not game.is_open(game.tables, self._words, self._work):
            return None
        sign = 1.0 if decider(self.state) == 0 else -1.0
        worths, after, payoffs = [], self._words.copy(), np.zeros(2)
        for index in range(len(self.moves())):
            after[:] = self._words
            game.apply(game.tables, after, self._work, index)
            if game.observe(game.tables, after, self._work) == _OVER:
                game.payoffs(game.tables, after, self._work, payoffs)
                worths.append(sign * float(payoffs[0]))
            else:
                worths.append(sign * endgame_value(game, after, (-1.0, 1.0)))
        return None if np.isnan(worths).any() else worths


def decisions_of(header: Header, ways: Sequence[int], values: Path | None) -> list[Decision]:
    """Return the person's decisions of a played game, as far as something tells what they cost.

    Parameters
    ----------
    ways : the number of each thing that happened, as in `PlayedGame`.
    values : a file of values to judge by; None for those of the package, if there are any.

    Raises
    ------
    RequestError
        For a file that cannot be used.
    """
    values = values or shipped_values(header.rules, header.num_players)
    game = PlayedGame(
        *(header.rules, header.num_players, header.seat, "values" if values else "random"),
        *(None, values, SearchSettings(iterations=1), 0),
    )
    game.replay(ways)
    return game.decisions

"""A game of Raverun between a person and others, move by move, with advice; the reference keeps the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from analysis.errors import RequestError
from analysis.front.players import Player
from analysis.raverun import policies
from analysis.raverun.contest import network_of, policy_of
from analysis.raverun.game import Random
from analysis.raverun.training import shipped_values
from analysis.raverun.transcript import Header, ways_at
from engine.raverun import reference
from engine.raverun.reference import CHANCE, Move, State, decider, is_over, legal_moves
from engine.raverun.reveals import is_reveal
from solver.sampling.guided_search import GuidedSearch
from solver.sampling.head_to_head import ChoosingPolicy
from solver.sampling.information_set_search import InformationSetSearch, SearchSettings
from solver.sampling.open_endgame import endgame_value
from solver.sampling.policy import CompiledPolicy, policy_probabilities
from solver.sampling.value_policy import ValuePolicy

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
    worth, after
        What the best move is worth, and how many things had happened before.
    """

    state: State
    index: int
    best: int
    cost: float
    how: str
    exact: bool = False
    worth: float = 0.0
    after: int = 0


class PlayedGame:
    """A game at the table.

    Parameters
    ----------
    header : the rules, and who plays, as a transcript says it.
    others : who plays the other seats, in their order; one alone plays all of them.
    values : file that advice goes by; None for what an opponent goes by, if one does.
    seed : of the deal and of what the others choose.

    Attributes
    ----------
    ways : the number of each move and draw so far among all that were possible.
    decisions : of the person, as far as something tells what they cost.

    Raises
    ------
    RequestError
        For files that are missing or cannot be used.
    """

    def __init__(self, header: Header, others: Sequence[Player], values: Path | None, seed: int) -> None:
        self.header, self.rules, self.seat = header, header.rules, header.seat
        self.num_players = header.num_players
        seats = [seat for seat in range(self.num_players) if seat != self.seat]
        if len(others) not in (1, len(seats)):
            raise RequestError(f"{len(seats)} others play, not {len(others)}", "--opponent")
        networks = [network_of(each, self.rules, self.num_players, "--opponent") for each in others]
        self._network = next((each for each in networks if each is not None), None)
        if values is not None:
            self._network = policies.values_at(values, self.rules, self.num_players).network

        def anew() -> dict[int, CompiledPolicy | ChoosingPolicy]:
            """Return opponents who remember nothing yet, by their seats."""
            made = [
                policy_of(each, self.rules, self.num_players, network)
                for each, network in zip(others, networks, strict=True)
            ]
            return dict(zip(seats, made if len(made) > 1 else made * len(seats), strict=True))

        self._anew = anew
        self._others = anew()
        self._game = policies.full_game(self.rules, self.num_players)
        self._random = np.random.default_rng(seed)
        self.state = reference.start(self.rules, self.num_players)
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
                value, after = advice.worths[best], len(self.ways)
                told = (cost, advice.how, advice.exact, value, after)
                self.decisions.append(Decision(self.state, index, best, *told))
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
        self._others = self._anew()
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
        if seat != CHANCE and len(ways) > 1:
            for other in {id(each): each for each in self._others.values()}.values():
                if isinstance(other, GuidedSearch):
                    other.see(self._words, seat, index)
        self.state = reference.step(self.state, move)
        self._game.apply(self._game.tables, self._words, self._work, index)
        while is_reveal(self._words):
            self._game.apply(self._game.tables, self._words, self._work, 0)
        self.ways.append(ways.index(move))

    def others_choice(self) -> int:
        """Return the number of the move that the player to decide chooses, by what that player sees."""
        number = len(self.moves())
        if number == 1:
            return 0
        seed, game = int(self._random.integers(2**62)), self._game
        other = self._others[decider(self.state)]
        if not isinstance(other, CompiledPolicy):
            return other.choose(self._words.copy(), seed)
        chances = np.zeros(game.max_moves)
        seat = int(game.observe(game.tables, self._words, self._work))
        policy_probabilities(other.arguments, seat, game.tables, self._words, self._work, chances)
        shares = chances[:number] / chances[:number].sum()
        return int(np.random.default_rng(seed).choice(number, p=shares))

    def advice(self, *, judging: bool = False) -> Advice | None:
        """Return what the moves of who decides are worth, by what that player sees.

        Parameters
        ----------
        judging : None unless it is good enough to say what a decision cost.
        """
        solved = self._solved()
        if solved is not None:
            return Advice(solved, "by the rest of the game, solved", True, exact=True)
        if self._network is not None:
            worths = ValuePolicy(self._game, self._network).values(self._words).tolist()
            return Advice(worths, "by the learned values", True)
        if judging:
            return None
        search = InformationSetSearch(self._game, SearchSettings(iterations=HINT_ITERATIONS))
        found = search.search(self._words)
        how = f"by a search of {HINT_ITERATIONS} iterations, a rough guide"
        return Advice(found.mean_payoffs.tolist(), how, False)

    def _solved(self) -> list[float] | None:
        """Return the exact worth of each move; None unless nothing hidden matters any more."""
        game = self._game
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


def judged_game(header: Header, ways: Sequence[int], values: Path | None) -> PlayedGame:
    """Return a played game whose person's decisions are judged, as far as something tells what they cost.

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
    game = PlayedGame(header, (Random(),), values, 0)
    game.replay(ways)
    return game

"""Players of the whole game: random, greedy with roars, searching, by learned values; policies of match play.

Only imported by commands that play: numba starts here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.errors import RequestError
from analysis.learned_values import TrainedNetwork
from analysis.ophidian.learned import TEMPERATURE, from_file
from analysis.ophidian.takeover import best_move, fight_of
from engine.ophidian import layout
from engine.ophidian.codec import decode
from engine.ophidian.reference import Seat, legal_moves
from engine.ophidian.reference_state import Phase, State
from engine.ophidian.rule_based import greedy_move, greedy_moves
from engine.ophidian.rules import Rules
from engine.ophidian.sampling import HORIZON, NUM_WORDS, WAITS_AT, SamplingTables, observe, sampling_tables
from engine.rulefiles import close_matches
from solver.sampling.game import IntArray
from solver.sampling.head_to_head import ChoosingPolicy
from solver.sampling.information_set_search import InformationSetSearch, SearchSettings
from solver.sampling.policy import CompiledPolicy, function_policy, uniform_moves
from solver.sampling.value_policy import ValuePolicy

__all__ = ["NAMES", "Budget", "SearchPlayer", "player_named"]

NAMES = ("search", "values", "greedy", "random")
EXACT_S = 2.0
"""So long a proof may take; then the search decides."""
_BY_RULE = (Phase.UNDER, Phase.DISCARD)
_ACT_PHASES = (Phase.ACT, Phase.STAND_IN, Phase.ROAR)


@dataclass(frozen=True)
class Budget:
    """What a search may spend on a decision: iterations or, if they are given, seconds."""

    iterations: int = 1000
    seconds: float | None = None

    @property
    def settings(self) -> SearchSettings:
        """The same for the search."""
        if self.seconds is None:
            return SearchSettings(iterations=self.iterations)
        return SearchSettings(iterations=0, seconds=self.seconds)

    def __str__(self) -> str:
        """Return it in words."""
        return f"{self.iterations} iterations" if self.seconds is None else f"{self.seconds:g} s"


class SearchPlayer:
    """Information-set search to the end of the wave, by what that end is judged to be worth.

    Where cards no longer matter in the last wave, it plays what is proved. Which cards go under the deck or
    are discarded it decides by rule of thumb.
    """

    name = "search"

    def __init__(self, rules: Rules, game: SamplingTables, budget: Budget) -> None:
        self.rules, self.game = rules, game
        self.proved = 0
        self._search = InformationSetSearch(game, budget.settings)
        self._work = np.zeros(game.work_words, np.int64)

    def choose(self, state: IntArray, seed: int) -> int:
        """Return the number of a move."""
        phase = int(state[layout.PHASE])
        if phase in _BY_RULE:
            observe(self.game.tables, state, self._work)
            return int(greedy_move(self.game.tables, state, self._work))
        if phase in _ACT_PHASES and state[layout.WAVE] >= self.rules.match.waves:
            move = self._proved(decode(state[:NUM_WORDS], self.rules))
            if move is not None:
                self.proved += 1
                return move
        state = state.copy()
        state[HORIZON] = max(1, int(state[layout.WAVE]))
        return self._search.choose(state, seed)

    def _proved(self, state: State) -> int | None:
        """The number of a proved move, None where cards may matter or a proof takes too long."""
        fight = fight_of(state, state.turn)
        if fight is None:
            return None
        move = best_move(state, fight, time_limit_s=EXACT_S)
        return None if move is None else legal_moves(state).index(move)


class GreedyPlayer:
    """The player by rule of thumb, asked from Python."""

    name = "greedy"

    def __init__(self, game: SamplingTables) -> None:
        self._game, self._work = game, np.zeros(game.work_words, np.int64)

    def choose(self, state: IntArray, seed: int) -> int:
        """Return the number of a move."""
        observe(self._game.tables, state, self._work)
        return int(greedy_move(self._game.tables, state, self._work))


class RandomPlayer:
    """Any move, asked from Python."""

    name = "random"

    def __init__(self, game: SamplingTables) -> None:
        self._game, self._work = game, np.zeros(game.work_words, np.int64)

    def choose(self, state: IntArray, seed: int) -> int:
        """Return the number of a move."""
        observe(self._game.tables, state, self._work)
        return int(np.random.default_rng(seed).integers(int(self._work[0])))


def waiting(game: SamplingTables) -> SamplingTables:
    """Return a match in which moves wait for chance to carry them out, for players one move ahead."""
    tables = game.tables.copy()
    tables[WAITS_AT] = 1
    return replace(game, tables=tables)


def values_player(game: SamplingTables, trained: TrainedNetwork) -> ValuePolicy:
    """Return the player who looks one move ahead by learned values."""
    return ValuePolicy(waiting(game), trained.network, TEMPERATURE)


def opponent_named(
    name: str, rules: Rules, game: SamplingTables, budget: Budget, trained: TrainedNetwork | None = None
) -> ChoosingPolicy:
    """Return a player by its name for a match with a person, who asks it move by move."""
    check_players([name])
    if name == "values":
        return values_player(game, trained or from_file(None, rules))
    if name == "search":
        return SearchPlayer(rules, game, budget)
    return GreedyPlayer(game) if name == "greedy" else RandomPlayer(game)


def check_players(names: Sequence[str]) -> None:
    """Raise RequestError for a name of no player."""
    for name in names:
        if name not in NAMES:
            near = close_matches(name, list(NAMES))
            hint = f"; did you mean {near[0]}?" if near else ""
            raise RequestError(f"no player is called {name!r}{hint} (there are {', '.join(NAMES)})")


def player_named(
    name: str, rules: Rules, game: SamplingTables, budget: Budget, trained: TrainedNetwork | None = None
) -> CompiledPolicy | ChoosingPolicy:
    """Return a player by its name, one of `NAMES`."""
    check_players([name])
    if name in ("search", "values"):
        return opponent_named(name, rules, game, budget, trained)
    if name == "greedy":
        return function_policy(name, greedy_moves)
    return function_policy(name, uniform_moves)


def game_of(rules: Rules, seats: Sequence[Seat]) -> SamplingTables:
    """Return a match as players take it."""
    return sampling_tables(rules, seats)

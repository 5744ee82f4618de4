"""Information-set search guided by a network that was trained before (`value_training`).

Like `information_set_search`, with three differences. A new infoset starts with what the network says of its
moves, as if each had been tried a few times, instead of with nothing. The others, where the search has not
met their infoset before, move by the network too; else most of what they may hold would be answered at
random, since nearly every hidden hand is met once only. And an iteration ends at the first new infoset of the
searching player, where the network is asked for each player's value, or where nothing hidden matters any more
and the rest is solved (`open_endgame`), instead of playing on to the end.

With particles the states that iterations begin in are weighed by how the others have played (`beliefs`), as
far as the search was told of the play (`begin`, `see`).

With `frozen` the others always move by the network, and never by what the search has found: against a player
who does so, what the search wins is a lower bound on that player's exploitability.

Letters used for shapes: P players, W words of a state, M most moves, A most facts at once, L longest path,
H hidden units.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from solver.extensive import CHANCE, TERMINAL
from solver.sampling.beliefs import Beliefs
from solver.sampling.bundles import (
    NETWORK,
    PARTICLES,
    TRIALS,
    Network,
    Particles,
    Root,
    Rule,
    Scratch,
    Table,
    Trials,
)
from solver.sampling.game import (
    INFOSET_KEY,
    NUM_MOVES,
    FloatArray,
    IntArray,
    apply,
    chance_weights,
    determinise,
    observe,
    payoffs,
)
from solver.sampling.information_set_search import (
    CONFLICTING,
    DECIDER,
    DONE,
    MOVE,
    RECORD,
    SEARCH_TYPES,
    SEED_RANGE,
    TOO_LONG,
    InformationSetSearch,
    SearchSettings,
    bounded_choice,
    credit,
)
from solver.sampling.infoset_table import CONFLICT, FIRST, MISSING, find_or_add_record
from solver.sampling.open_endgame import is_open, open_value
from solver.sampling.randomness import drawn_index, drawn_outcome, uniform_draw
from solver.sampling.specialisation import specialised
from solver.sampling.value_network import FeaturedGame, ValueNetwork, features, network_value
from solver.sampling.value_policy import VALUE_HELPERS, move_values, soften, trial_scratch


@dataclass(frozen=True)
class Guidance:
    """How far the network is trusted.

    Attributes
    ----------
    prior_visits : float
        As how many visits of each move of a new infoset its word counts, above 0.
    temperature : float
        Of the others' moves at infosets new to the search, and with `frozen` at all; in units of payoff, at
        least 0.
    particles : int
        States drawn for a search and weighed by how the others have played (`beliefs`); 0 draws a new one for
        each iteration and weighs none.
    belief_temperature, even_share : float
        How the others are taken to have moved: by the network, with this temperature, and so many of their
        moves evenly.
    """

    prior_visits: float = 4.0
    temperature: float = 0.05
    particles: int = 0
    belief_temperature: float = 0.1
    even_share: float = 0.1

    def __post_init__(self) -> None:
        """Raise ValueError for settings that mean nothing."""
        if not self.prior_visits > 0.0 or not self.temperature >= 0.0:
            raise ValueError(
                "prior_visits must be above 0 and temperature at least 0, "
                f"got {self.prior_visits} and {self.temperature}"
            )
        if self.particles < 0 or not self.belief_temperature > 0.0 or not 0.0 < self.even_share <= 1.0:
            raise ValueError(
                "particles must be at least 0, belief_temperature above 0 and even_share above 0 to 1, "
                f"got {self.particles}, {self.belief_temperature} and {self.even_share}"
            )


class GuidedSearch(InformationSetSearch):
    """A searcher for one game and one network; keeps its memory between searches, and nothing else.

    Parameters
    ----------
    game : FeaturedGame
        With `determinise`.
    network : ValueNetwork
    settings : SearchSettings, optional
    guidance : Guidance, optional
    name : str
    """

    def __init__(
        self,
        game: FeaturedGame,
        network: ValueNetwork,
        settings: SearchSettings | None = None,
        guidance: Guidance | None = None,
        name: str = "guided",
    ) -> None:
        super().__init__(game, settings, name=name)
        self.network = network
        self.guidance = guidance or Guidance()
        self._trials = trial_scratch(game, network)
        chosen = self.guidance
        self._beliefs: Beliefs | None = None
        if chosen.particles:
            self._beliefs = Beliefs(
                game,  # type: ignore[arg-type]
                network,
                chosen.particles,
                chosen.belief_temperature,
                chosen.even_share,
            )

    @property
    def watches(self) -> bool:
        """Whether it wants to be told of each play."""
        return self._beliefs is not None

    def begin(self) -> None:
        """A play begins."""
        if self._beliefs is not None:
            self._beliefs.begin()

    def see(self, state: IntArray, decider: int, move: int) -> None:
        """A player makes a move at a [W] int64 state."""
        if self._beliefs is not None:
            self._beliefs.see(state, decider, move)

    def _prepare(self, state: IntArray, searcher: int, stream: npt.NDArray[np.uint64]) -> None:
        if self._beliefs is not None:
            self._beliefs.weigh(state, searcher, stream)

    def _kernel(self) -> Any:
        if self._beliefs is not None:
            self._beliefs.load()
        return specialised(self.game, _guided_kernel, _guided_signature(), VALUE_HELPERS)

    def _guidance(self) -> tuple[Any, ...]:
        beliefs = self._beliefs
        particles = np.zeros((0, self.game.state_words), np.int64) if beliefs is None else beliefs.particles
        weights = np.zeros(0) if beliefs is None else beliefs.weights
        return self.network.arguments, Particles(particles, weights), self._trials

    def _rule(self) -> Rule:
        chosen = self.guidance
        return super()._rule()._replace(prior_visits=chosen.prior_visits, temperature=chosen.temperature)


@cache
def _guided_signature() -> Any:
    return types.int64(*SEARCH_TYPES, NETWORK, PARTICLES, TRIALS)


def _guided_kernel(
    start: Root,
    searcher: int,
    num_iterations: int,
    rule: Rule,
    table: Table,
    stream: npt.NDArray[np.uint64],
    spread: FloatArray,
    path: npt.NDArray[np.int64],
    scratch: Scratch,
    network: Network,
    sampled: Particles,
    trials: Trials,
) -> int:
    """Run iterations and return a status. Rows of an infoset: visits, and summed payoffs of its owner.

    Everything from `table` to `scratch` is modified in place; path [L, 3], `scratch` and `trials` are
    scratch.
    """
    tables, root, max_length = start
    records, reals, table_counters, capacity = table
    state, work, values = scratch
    exploration, frozen, prior_visits, temperature = rule
    inputs, hidden, scale = network
    particles, weights = sampled
    payoff = trials.payoff
    spread[0] = scale[0] - scale[1]
    spread[1] = scale[0] + scale[1]
    for _ in range(num_iterations):
        if particles.shape[0] > 0:
            drawn = drawn_index(stream, weights, particles.shape[0], 1.0)
            for word in range(state.shape[0]):
                state[word] = particles[drawn, word]
        else:
            determinise(tables, root, work, searcher, int(uniform_draw(stream) * SEED_RANGE), state)
        depth = 0
        length = 0
        while True:
            length += 1
            if length > max_length:
                return TOO_LONG
            decider = observe(tables, state, work)
            if decider == TERMINAL:
                payoffs(tables, state, work, payoff)
                break
            count = work[NUM_MOVES]
            # At the root a move is wanted, not the value.
            if depth > 0 and is_open(tables, state, work) == 1:
                worth = open_value(
                    *(tables, state, work, spread[0], spread[1]),
                    *(trials.states, trials.steps, trials.reals, payoff),
                )
                if not np.isnan(worth):
                    payoff[0] = worth
                    payoff[1] = -worth
                    break
                observe(tables, state, work)
            if count == 1:
                apply(tables, state, work, 0)
                continue
            if decider == CHANCE:
                total = chance_weights(tables, state, work, values)
                apply(tables, state, work, drawn_outcome(stream, values, count, total))
                continue
            record = MISSING
            if decider == searcher or frozen == 0:
                record = find_or_add_record(
                    records, reals, table_counters, capacity, work[INFOSET_KEY], count
                )
                if record == CONFLICT:
                    return CONFLICTING
                first = records[record, FIRST] if record != MISSING else 0
                if record != MISSING and reals[first] > 0.0:
                    move, _ = bounded_choice(reals, first, count, exploration, spread, stream)
                    path[depth, RECORD] = record
                    path[depth, MOVE] = move
                    path[depth, DECIDER] = decider
                    depth += 1
                    apply(tables, state, work, move)
                    continue
            # Open ends are solved right after the moves at the root, and where an iteration ends in one: to
            # solve what follows each move on the way there takes most of the time.
            exact = int(depth == 0 and decider == searcher)
            move_values(tables, state, work, decider, count, exact, network, values, trials)
            best = values[0]
            for move in range(count):
                best = max(best, values[move])
                if record != MISSING:
                    reals[first + move] = prior_visits
                    reals[first + count + move] = prior_visits * values[move]
            if decider == searcher:
                for player in range(payoff.shape[0]):
                    if player == searcher:
                        payoff[player] = best
                    else:
                        used = features(tables, state, work, player, trials.active)
                        payoff[player] = network_value(
                            inputs, hidden, scale, trials.active, used, trials.units
                        )
                break
            soften(values, count, temperature)
            move = drawn_index(stream, values, count, 1.0)
            if record != MISSING:
                path[depth, RECORD] = record
                path[depth, MOVE] = move
                path[depth, DECIDER] = decider
                depth += 1
            apply(tables, state, work, move)
        credit(records, reals, path, depth, payoff)
    return DONE

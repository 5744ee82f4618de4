"""Playing by what a network says: look one move ahead, at what oneself sees then.

A move is worth what the network says of the facts its owner sees right after it, before chance or anybody
else has answered; a move that ends the game is worth what it pays, and one after which nothing hidden matters
what the rest is worth (`open_endgame`).

`ValuePolicy` is asked from Python, `network_policy` is the same player for kernels.

Letters used for shapes: P players, W words of a state, M most moves, A most facts at once, H hidden units.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from solver.extensive import CHANCE, TERMINAL
from solver.sampling.bundles import NETWORK, TRIALS, Network, Trials
from solver.sampling.game import (
    NUM_MOVES,
    REALS,
    WORDS,
    FloatArray,
    IntArray,
    apply,
    observe,
    payoffs,
)
from solver.sampling.open_endgame import endgame_scratch, is_open, open_value
from solver.sampling.policy import WEIGHTS, CompiledPolicy, uniform_moves
from solver.sampling.randomness import drawn_index, new_stream
from solver.sampling.specialisation import sampling_kernel, specialised
from solver.sampling.value_network import FeaturedGame, ValueNetwork, features, network_value

#: Kernels that call `move_values` are specialised with these.
VALUE_HELPERS: tuple[Callable[..., Any], ...]


def trial_scratch(game: FeaturedGame, network: ValueNetwork) -> Trials:
    """Return new scratch of `move_values`."""
    return Trials(
        np.zeros(game.state_words, dtype=np.int64),
        np.zeros(game.max_active, dtype=np.int64),
        np.zeros(network.hidden.shape[1], dtype=np.float32),
        *endgame_scratch(game),
        np.zeros(game.num_players),
    )


def move_values(
    tables: IntArray,
    state: IntArray,
    work: IntArray,
    player: int,
    count: int,
    exact: int,
    network: Network,
    values: FloatArray,
    trials: Trials,
) -> None:
    """Write what each of the decider's `count` moves is worth to it to `values` ([M], modified in place).

    A kernel's helper, see `specialised`. With `exact` 1 open ends are solved; 0 leaves them to the network,
    which is quicker. `trials` is scratch.
    """
    inputs, hidden, scale = network
    trial, active, units, states, steps, reals, payoff = trials
    for move in range(count):
        for word in range(state.shape[0]):
            trial[word] = state[word]
        apply(tables, trial, work, move)
        if observe(tables, trial, work) == TERMINAL:
            payoffs(tables, trial, work, payoff)
            values[move] = payoff[player]
            continue
        worth = np.nan
        if exact == 1 and is_open(tables, trial, work) == 1:
            low, high = scale[0] - scale[1], scale[0] + scale[1]
            worth = open_value(tables, trial, work, low, high, states, steps, reals, payoff)
            if player == 1:
                worth = -worth
        if np.isnan(worth):
            used = features(tables, trial, work, player, active)
            worth = network_value(inputs, hidden, scale, active, used, units)
        values[move] = worth


VALUE_HELPERS = (open_value, move_values)


@sampling_kernel
def soften(values: FloatArray, count: int, temperature: float) -> None:
    """Turn the first `count` values into the chances of moves, in proportion to exp(value / temperature), or
    all for the first best at temperature 0. Modified in place.
    """
    best = 0
    for move in range(1, count):
        if values[move] > values[best]:
            best = move
    highest = values[best]
    total = 0.0
    for move in range(count):
        if temperature > 0.0:
            values[move] = np.exp((values[move] - highest) / temperature)
        else:
            values[move] = 1.0 if move == best else 0.0
        total += values[move]
    for move in range(count):
        values[move] /= total


def network_policy(
    game: FeaturedGame,
    network: ValueNetwork,
    temperature: float = 0.0,
    name: str = "values",
    *,
    solving: bool = True,
) -> CompiledPolicy:
    """Return the player of `ValuePolicy` for kernels; it plays this game and no other.

    The network is borrowed: training it further changes the policy.

    Parameters
    ----------
    game : FeaturedGame
    network : ValueNetwork
    temperature : float
    name : str
    solving : bool
        False leaves moves that lead into the open to the network, as the training does: four times as quick.
        In the open it moves exactly in any case.
    """
    if not temperature >= 0.0:
        raise ValueError(f"temperature must be at least 0, got {temperature}")
    return CompiledPolicy(
        name,
        uniform_moves,
        specialised(game, _network_moves, _moves_signature(), VALUE_HELPERS),
        lambda: (*network.arguments, temperature, int(solving), *trial_scratch(game, network)),
    )


@cache
def _moves_signature() -> Any:
    return types.void(WORDS, WORDS, WORDS, WEIGHTS, REALS)


def _network_moves(
    tables: IntArray, state: IntArray, work: IntArray, weights: tuple[Any, ...], probabilities: FloatArray
) -> None:
    """Write how often a state's moves are played; the scratch among the weights is modified in place."""
    inputs, hidden, scale, temperature, solving, trial, active, units, states, steps, endgame, payoff = (
        weights
    )
    count = work[NUM_MOVES]
    # What is known to be worse is never played, and nothing beats the most there is.
    certain = is_open(tables, state, work) == 1
    decider = observe(tables, state, work)
    if not certain:
        network = Network(inputs, hidden, scale)
        trials = Trials(trial, active, units, states, steps, endgame, payoff)
        move_values(tables, state, work, decider, count, solving, network, probabilities, trials)
        soften(probabilities, count, temperature)
        return
    low, high = scale[0] - scale[1], scale[0] + scale[1]
    best, highest = 0, -np.inf
    for move in range(count):
        probabilities[move] = 0.0
        if highest >= high:
            continue
        for word in range(state.shape[0]):
            trial[word] = state[word]
        apply(tables, trial, work, move)
        worth = open_value(tables, trial, work, low, high, states, steps, endgame, payoff)
        if decider == 1:
            worth = -worth
        if worth > highest:
            best, highest = move, worth
    probabilities[best] = 1.0


class ValuePolicy:
    """A player who looks one move ahead; asked from Python.

    Parameters
    ----------
    game : FeaturedGame
    network : ValueNetwork
    temperature : float
        In units of payoff: how much a move may be worse and still be played now and then; 0 for never.
    name : str
    """

    def __init__(
        self, game: FeaturedGame, network: ValueNetwork, temperature: float = 0.0, name: str = "values"
    ) -> None:
        if not temperature >= 0.0:
            raise ValueError(f"temperature must be at least 0, got {temperature}")
        self.game = game
        self.network = network
        self.temperature = temperature
        self.name = name
        self._is_open = getattr(game, "is_open", None)
        self._values = np.zeros(game.max_moves)
        self._work = np.zeros(game.work_words, dtype=np.int64)
        self._scratch = trial_scratch(game, network)

    def choose(self, state: IntArray, seed: int) -> int:
        """Return a move at a [W] int64 state; the same for the same seed."""
        probabilities = self.probabilities(state)
        return int(drawn_index(new_stream(seed), probabilities, len(probabilities), 1.0))

    def values(self, state: IntArray) -> FloatArray:
        """Return what each of n moves is worth to the player to decide at a [W] int64 state, [n].

        Raises
        ------
        ValueError
            If nobody decides there.
        """
        game = self.game
        decider = int(game.observe(game.tables, state, self._work))
        if decider == CHANCE or decider == TERMINAL:
            raise ValueError("nobody decides at this state")
        count = int(self._work[NUM_MOVES])
        kernel = specialised(game, move_values, _values_signature(), VALUE_HELPERS[:-1])
        kernel(
            game.tables,
            state,
            self._work,
            decider,
            count,
            1,
            self.network.arguments,
            self._values,
            self._scratch,
        )
        return self._values[:count].copy()

    def probabilities(self, state: IntArray) -> npt.NDArray[np.float64]:
        """Return how often each of n moves is played at a [W] int64 state, [n]."""
        values = self.values(state)
        # What is known to be worse is never played.
        exact = self._is_open is not None and self._is_open(self.game.tables, state, self._work) == 1
        soften(values, len(values), 0.0 if exact else self.temperature)
        return values


@cache
def _values_signature() -> Any:
    integer = types.int64
    return types.void(WORDS, WORDS, WORDS, integer, integer, integer, NETWORK, REALS, TRIALS)

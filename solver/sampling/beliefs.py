"""What the others may hold, by how they have played: states weighed by how likely their moves were.

A search draws states that its player cannot tell from the true one; by the deal alone all are alike. Here
each drawn state (a particle) gets a history, the true one retold with its cards, and counts as much as it is
likely that the others, moving by a network, would have made the moves that they made. Whoever moves otherwise
is not misjudged by much, since a share of even moves is mixed in.

Nothing is learned from the true state that its player does not see: which hidden card was where is drawn
anew for each particle, and past states are asked for only where it could not tell them apart.

Letters used for shapes: P players, W words of a state, M most moves, K particles, J moves remembered,
N names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from numba import types

from solver.sampling.bundles import (
    NETWORK,
    PARTICLES,
    PAST,
    SCRATCH,
    TRIALS,
    Network,
    Particles,
    Past,
    Scratch,
    Trials,
    new_scratch,
)
from solver.sampling.game import NUM_MOVES, WORDS, IntArray, determinise, observe
from solver.sampling.randomness import uniform_draw
from solver.sampling.specialisation import specialised
from solver.sampling.value_network import FeaturedGame, ValueNetwork
from solver.sampling.value_policy import VALUE_HELPERS, move_values, soften, trial_scratch

_SEED_RANGE = float(2**62)
#: Moves of a play that are remembered; of longer plays the last ones.
_MOST_MOVES = 512


class RetellableGame(FeaturedGame, Protocol):
    """A game whose past states can be told as if hidden things had been others.

    Attributes
    ----------
    num_names : int
        N: words of a renaming.
    renaming : (tables, state, sampled, work, player, seed, names) -> None
        Writes how to turn `state` into `sampled`, which `player` cannot tell from it; where that can be done
        in several ways, one of them, drawn by `seed` and by nothing that is hidden from it.
    renamed : (tables, past, work, player, names, retold) -> int64
        Writes a past state retold; returns 1, or 0 if the player could have told it from the past one.
    renamed_move : (tables, past, work, move, names, retold, num_moves) -> int64
        What a move in the past state is in the retold one, of so many there; -1 if there is none.
    """

    @property
    def num_names(self) -> int: ...
    @property
    def renaming(self) -> Callable[..., None]: ...
    @property
    def renamed(self) -> Callable[..., int]: ...
    @property
    def renamed_move(self) -> Callable[..., int]: ...


def renaming(
    tables: IntArray,
    state: IntArray,
    sampled: IntArray,
    work: IntArray,
    player: int,
    seed: int,
    names: IntArray,
) -> None:
    """Stand for the game's own function in a kernel's text; so do the next two."""
    raise NotImplementedError


def renamed(
    tables: IntArray, past: IntArray, work: IntArray, player: int, names: IntArray, retold: IntArray
) -> int:
    """See `renaming`."""
    raise NotImplementedError


def renamed_move(
    tables: IntArray,
    past: IntArray,
    work: IntArray,
    move: int,
    names: IntArray,
    retold: IntArray,
    num_moves: int,
) -> int:
    """See `renaming`."""
    raise NotImplementedError


class Beliefs:
    """What has been seen of a play, and particles made of it; asked by one player at a time.

    Parameters
    ----------
    game : RetellableGame
    network : ValueNetwork
        By which the others are taken to move.
    num_particles : int
    temperature : float
        Of their moves, in units of payoff; above 0.
    even_share : float
        How many of their moves count as made evenly, above 0 to 1.
    """

    def __init__(
        self,
        game: RetellableGame,
        network: ValueNetwork,
        num_particles: int,
        temperature: float,
        even_share: float,
    ) -> None:
        self.game = game
        self.network = network
        self.temperature = temperature
        self.even_share = even_share
        self.particles = np.zeros((num_particles, game.state_words), dtype=np.int64)
        self.weights = np.zeros(num_particles)
        self._states = np.zeros((_MOST_MOVES, game.state_words), dtype=np.int64)
        self._moves = np.zeros((_MOST_MOVES, 2), dtype=np.int64)
        self._num_moves = 0
        self._names = np.zeros(game.num_names, dtype=np.int64)
        self._scratch = new_scratch(game)
        self._trials = trial_scratch(game, network)

    def load(self) -> Any:
        """Return the kernel, which is compiled or loaded the first time."""
        return specialised(self.game, _weigh_kernel, _weigh_signature(), VALUE_HELPERS)

    def begin(self) -> None:
        """Forget the play before."""
        self._num_moves = 0

    def see(self, state: IntArray, decider: int, move: int) -> None:
        """Remember that a player makes a move at a [W] int64 state."""
        if self._num_moves == _MOST_MOVES:
            self._states[:-1], self._moves[:-1] = self._states[1:].copy(), self._moves[1:].copy()
            self._num_moves -= 1
        self._states[self._num_moves] = state
        self._moves[self._num_moves] = decider, move
        self._num_moves += 1

    def weigh(self, state: IntArray, player: int, stream: npt.NDArray[np.uint64]) -> None:
        """Draw particles for a player at a [W] int64 state, and what each counts, of 1 together."""
        kernel = self.load()
        kernel(
            self.game.tables,
            state,
            player,
            Past(self._states, self._moves, self._num_moves, self.temperature, self.even_share),
            self.network.arguments,
            stream,
            Particles(self.particles, self.weights),
            self._names,
            self._scratch,
            self._trials,
        )


@cache
def _weigh_signature() -> Any:
    stream = types.uint64[::1]
    return types.void(*(WORDS, WORDS, types.int64, PAST, NETWORK, stream, PARTICLES, WORDS, SCRATCH, TRIALS))


def _weigh_kernel(
    tables: IntArray,
    root: IntArray,
    player: int,
    played: Past,
    network: Network,
    stream: npt.NDArray[np.uint64],
    drawn: Particles,
    names: IntArray,
    scratch: Scratch,
    trials: Trials,
) -> None:
    """Write particles and their weights. All from `stream` on is modified in place; from `names` on it is
    scratch.
    """
    past, moves, num_past, temperature, even_share = played
    particles, weights = drawn
    retold, work, values = scratch
    highest = -np.inf
    for particle in range(particles.shape[0]):
        sampled = particles[particle]
        determinise(tables, root, work, player, int(uniform_draw(stream) * _SEED_RANGE), sampled)
        renaming(tables, root, sampled, work, player, int(uniform_draw(stream) * _SEED_RANGE), names)
        total = 0.0
        for index in range(num_past):
            decider = moves[index, 0]
            if decider == player or renamed(tables, past[index], work, player, names, retold) == 0:
                continue
            observe(tables, retold, work)
            count = work[NUM_MOVES]
            move = renamed_move(tables, past[index], work, moves[index, 1], names, retold, count)
            if move < 0 or count < 2:
                continue
            move_values(tables, retold, work, decider, count, 0, network, values, trials)
            soften(values, count, temperature)
            total += np.log((1.0 - even_share) * values[move] + even_share / count)
        weights[particle] = total
        highest = max(highest, total)
    total = 0.0
    for particle in range(particles.shape[0]):
        weights[particle] = np.exp(weights[particle] - highest)
        total += weights[particle]
    for particle in range(particles.shape[0]):
        weights[particle] /= total

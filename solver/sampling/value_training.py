"""Learning by self-play what positions are worth, for games too large for a table of infosets.

All players move by the same network: each looks one move ahead (`value_policy`), and plays the better moves
more often. After a play the network is corrected, for each player, at every state that a move or chance
led to, from the last one back: towards what the play paid, mixed with what the network says of the states
between. Where nothing hidden matters any more a play ends with what the rest is worth (`open_endgame`); moves
that lead there are judged by the network all the same, since to solve what follows each takes longer than all
the rest of a play.

Nothing here approaches an equilibrium, and nothing is promised: a network that learns from its own play
answers that play. What it is worth is measured, by matches (`head_to_head`). It is meant to guide a search
(`guided_search`) where a table's abstraction loses more than it saves.

Sources: Sutton 1988, *Learning to predict by the methods of temporal differences* (TD(lambda), here by its
backward view over whole plays); Tesauro 1995, *Temporal difference learning and TD-Gammon* (self-play one
move ahead). Deviation: moves are drawn from a softmax over their values, not the best one taken, since hidden
information rewards being unpredictable and learning needs variety.

Letters used for shapes: P players, W words of a state, M most moves, A most facts at once, L longest path,
H hidden units.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from solver.extensive import CHANCE, TERMINAL
from solver.sampling.bundles import (
    NETWORK,
    ROOT,
    SCRATCH,
    TRIALS,
    Network,
    Root,
    Scratch,
    Trials,
    new_scratch,
)
from solver.sampling.game import (
    NUM_MOVES,
    REALS,
    WORDS,
    FloatArray,
    IntArray,
    MalformedSamplingGameError,
    apply,
    chance_weights,
    observe,
    payoffs,
)
from solver.sampling.open_endgame import is_open, open_value
from solver.sampling.randomness import drawn_index, drawn_outcome, new_stream, uniform_draw
from solver.sampling.specialisation import specialised
from solver.sampling.value_network import (
    FeaturedGame,
    ValueNetwork,
    correct_network,
    features,
    network_value,
    new_network,
)
from solver.sampling.value_policy import VALUE_HELPERS, move_values, soften, trial_scratch

# A kernel call between two looks at the clock takes about this long.
_CALL_S = 0.2
_PLAYS, _POSITIONS = 0, 1


@dataclass(frozen=True)
class ValueTrainingSettings:
    """How to learn. Pairs are values at the beginning and at the end, between them a geometric course.

    Attributes
    ----------
    num_hidden : int
        Units of the network's hidden layer.
    rates : pair of float
        Step of a correction.
    temperatures : pair of float
        Of the softmax, in units of payoff.
    random_share : float
        Of moves drawn evenly instead, from 0 to below 1.
    trace : float
        How much of a correction looks at the end of the play, not at the next state: lambda, 0 to 1.
    seed : int
        The same seed and number of plays give the same network on one kind of machine.
    """

    num_hidden: int = 64
    rates: tuple[float, float] = (0.01, 0.0005)
    temperatures: tuple[float, float] = (0.1, 0.01)
    random_share: float = 0.02
    trace: float = 0.8
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise ValueError for settings that mean nothing."""
        if self.num_hidden < 1:
            raise ValueError(f"num_hidden must be at least 1, got {self.num_hidden}")
        for name in ("rates", "temperatures"):
            if not min(getattr(self, name)) > 0.0:
                raise ValueError(f"{name} must be above 0, got {getattr(self, name)}")
        if not 0.0 <= self.random_share < 1.0 or not 0.0 <= self.trace <= 1.0:
            raise ValueError(
                "random_share must be at least 0 and below 1 and trace from 0 to 1, "
                f"got {self.random_share} and {self.trace}"
            )


@dataclass(frozen=True, eq=False)
class ValueTrainingResult:
    """What was learned. Nothing in it says how good it is: measure that. `train_values` can go on with it.

    Attributes
    ----------
    network : ValueNetwork
    plays : int
    positions : int
        Corrections made.
    seconds : float
    completed : bool
        False if `progress` ended it early: then the rates never became small.
    settings : ValueTrainingSettings
    stream : int
        Where the random numbers stand.
    """

    network: ValueNetwork = field(repr=False)
    plays: int
    positions: int
    seconds: float
    completed: bool
    settings: ValueTrainingSettings
    stream: int

    @property
    def seed(self) -> int:
        """The seed it was run with."""
        return self.settings.seed


def train_values(
    game: FeaturedGame,
    payoff_range: tuple[float, float],
    settings: ValueTrainingSettings | None = None,
    *,
    plays: int | None = None,
    seconds: float | None = None,
    progress: Callable[[int, float], bool | None] | None = None,
    earlier: ValueTrainingResult | None = None,
) -> ValueTrainingResult:
    """Learn for so many plays or seconds; exactly one of them is given.

    Parameters
    ----------
    game : FeaturedGame
    payoff_range : pair of float
        No payoff lies outside it.
    settings : ValueTrainingSettings, optional
    plays, seconds : optional
        Rates and temperatures run their course by what is given. How many plays a time has depends on the
        machine. Compiling does not count.
    progress : callable, optional
        Called a few times a second with (plays, seconds); True ends the training there.
    earlier : ValueTrainingResult, optional
        A training that was ended early, to go on with: its plays and seconds count, its settings hold, and
        its network is modified. By plays, the end is that of a training that was never interrupted.

    Raises
    ------
    ValueError
        If not exactly one limit is given, or it is not above 0, or for `settings` besides `earlier`.
    MalformedSamplingGameError
        If a play does not end, or pays what is outside `payoff_range`.
    """
    limit = plays if seconds is None else seconds
    if (plays is None) == (seconds is None) or limit is None or limit <= 0:
        raise ValueError("say how long to train: either plays or seconds, above 0")
    if earlier is not None and settings is not None:
        raise ValueError("a training goes on with the settings it began with")
    settings = earlier.settings if earlier is not None else settings or ValueTrainingSettings()
    network = (
        new_network(game.num_features, settings.num_hidden, payoff_range, settings.seed)
        if earlier is None
        else earlier.network
    )
    kernel = specialised(game, _train_kernel, _train_signature(), VALUE_HELPERS)
    stream, counters = new_stream(settings.seed), np.zeros(2, dtype=np.int64)
    numbers = (*settings.rates, *settings.temperatures, settings.random_share, settings.trace)
    scratch = (
        np.zeros((game.max_length, game.num_players, game.max_active), dtype=np.int64),
        np.zeros((game.max_length, game.num_players), dtype=np.int64),
        new_scratch(game),
        trial_scratch(game, network),
    )
    chunk, elapsed, completed = 1, 0.0, True
    if earlier is not None:
        counters[:] = earlier.plays, earlier.positions
        elapsed = earlier.seconds
        stream[0] = earlier.stream
    begin = time.perf_counter() - elapsed
    while int(counters[_PLAYS]) < plays if plays is not None else elapsed < limit:
        done = int(counters[_PLAYS])
        count = chunk if plays is None else min(chunk, plays - done)
        part = 0.0 if seconds is None else elapsed / seconds
        if kernel(
            *(Root(game.tables, game.root, game.max_length), count, plays or 0, part, np.array(numbers)),
            *(network.arguments, stream, counters, *scratch),
        ):
            raise MalformedSamplingGameError(
                f"a path has more than max_length = {game.max_length} nodes, or pays outside {payoff_range}"
            )
        took = time.perf_counter() - begin - elapsed
        elapsed += took
        if progress is not None and progress(int(counters[_PLAYS]), elapsed):
            completed = False
            break
        chunk = max(1, min(4 * chunk, int(count * _CALL_S / max(took, 1e-9))))
    return ValueTrainingResult(
        network,
        int(counters[_PLAYS]),
        int(counters[_POSITIONS]),
        elapsed,
        completed,
        settings,
        int(stream[0]),
    )


@cache
def _train_signature() -> Any:
    integer = types.int64
    return integer(
        *(ROOT, integer, integer, types.float64, REALS, NETWORK, types.uint64[::1], WORDS),
        *(types.int64[:, :, ::1], types.int64[:, ::1], SCRATCH, TRIALS),
    )


def _train_kernel(
    start: Root,
    num_plays: int,
    all_plays: int,
    part: float,
    numbers: FloatArray,
    network: Network,
    stream: npt.NDArray[np.uint64],
    counters: IntArray,
    facts: npt.NDArray[np.int64],
    num_facts: npt.NDArray[np.int64],
    scratch: Scratch,
    trials: Trials,
) -> int:
    """Play and correct; return 1 if a play broke the contract.

    `all_plays` is how many the whole training has, or 0: then `part` of it is over. `numbers` are the
    settings' rates, temperatures, random share and trace. The network, `stream` and `counters` are modified
    in place; facts [L, P, A], num_facts [L, P] and all else is scratch.
    """
    tables, root, max_length = start
    state, work, values = scratch
    inputs, hidden, scale = network
    payoff = trials.payoff
    num_players = num_facts.shape[1]
    for _ in range(num_plays):
        if all_plays > 0:
            part = counters[_PLAYS] / all_plays
        rate = numbers[0] * (numbers[1] / numbers[0]) ** part
        temperature = numbers[2] * (numbers[3] / numbers[2]) ** part
        for word in range(root.shape[0]):
            state[word] = root[word]
        positions = 0
        length = 0
        moved = False
        # nan as long as the rest of the play has not been solved.
        worth = np.nan
        while True:
            length += 1
            if length > max_length:
                return 1
            decider = observe(tables, state, work)
            if decider == TERMINAL:
                break
            count = work[NUM_MOVES]
            if moved or decider != CHANCE:
                for player in range(num_players):
                    num_facts[positions, player] = features(
                        tables, state, work, player, facts[positions, player]
                    )
                positions += 1
            moved = decider != CHANCE
            if is_open(tables, state, work) == 1:
                low, high = scale[0] - scale[1], scale[0] + scale[1]
                worth = open_value(
                    *(tables, state, work, low, high),
                    *(trials.states, trials.steps, trials.reals, payoff),
                )
                if not np.isnan(worth):
                    break
                observe(tables, state, work)
            move = 0
            if decider == CHANCE:
                total = chance_weights(tables, state, work, values)
                move = drawn_outcome(stream, values, count, total)
            elif count > 1:
                if uniform_draw(stream) < numbers[4]:
                    move = int(uniform_draw(stream) * count)
                else:
                    move_values(tables, state, work, decider, count, 0, network, values, trials)
                    soften(values, count, temperature)
                    move = drawn_index(stream, values, count, 1.0)
            apply(tables, state, work, move)
        if np.isnan(worth):
            payoffs(tables, state, work, payoff)
        else:
            payoff[0] = worth
            payoff[1] = -worth
        for player in range(num_players):
            target = payoff[player]
            if not abs(target - scale[0]) <= scale[1] * (1.0 + 1e-9):
                return 1
            for back in range(positions):
                position = positions - 1 - back
                used = num_facts[position, player]
                row = facts[position, player]
                value = network_value(inputs, hidden, scale, row, used, trials.units)
                correct_network(inputs, hidden, scale, row, used, trials.units, value, target, rate)
                target = numbers[5] * target + (1.0 - numbers[5]) * value
            counters[_POSITIONS] += positions
        counters[_PLAYS] += 1
    return 0

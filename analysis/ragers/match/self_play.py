"""Matches of a player with itself, of which the beginning of each day and the end are kept.

Letters used for shapes: N matches, D days of a match, W words of a state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from analysis.ragers.match.players import AskedPlayer, FunctionPlayer, Player, ValuesPlayer
from engine.ragers import kernel, layout
from engine.ragers.sampling import SamplingTables
from solver.extensive import CHANCE, TERMINAL
from solver.sampling.bundles import (
    NETWORK,
    ROOTS,
    SCRATCH,
    TRIALS,
    Network,
    Roots,
    Scratch,
    Trials,
    new_scratch,
)
from solver.sampling.game import NUM_MOVES, POLICY, MalformedSamplingGameError, apply, chance_weights, observe
from solver.sampling.policy import uniform_moves
from solver.sampling.randomness import drawn_index, drawn_outcome, new_stream, stream_word
from solver.sampling.specialisation import specialised
from solver.sampling.value_network import new_network
from solver.sampling.value_policy import VALUE_HELPERS, move_values, soften, trial_scratch

_PATRON = layout.PHASE_PATRON
_TABLE, _DAY_SHIFT, _DAY_MASK = layout.TABLE, layout.DAY.offset, layout.DAY.mask
_BY_VALUES, _BY_FUNCTION = 0, 1
_MATCHES_AT_ONCE = 500


@dataclass(frozen=True, eq=False)
class Recorded:
    """Matches as they went.

    Attributes
    ----------
    marks : `[N, D, W] int64`
        States: before the patron of the second, third, ... day is revealed, zeros where that day did not
        come; the last one is the end.
    """

    marks: npt.NDArray[np.int64]

    @property
    def num_matches(self) -> int:
        """N."""
        return len(self.marks)


def record(
    game: SamplingTables,
    player: Player,
    days: int,
    *,
    num_matches: int,
    seed: int,
    roots: npt.NDArray[np.int64] | None = None,
    threads: int = 1,
    progress: Callable[[int], bool | None] | None = None,
) -> Recorded:
    """Let a player play matches with itself.

    Parameters
    ----------
    game, player, days : of the same rules.
    seed : the same seed gives the same matches, in whatever number of threads.
    roots : `[R, W] int64`, states in which matches begin, in turn; all in that of the game if None.
    progress : called with the number of matches played; True ends it there.

    Raises
    ------
    MalformedSamplingGameError
        If a match does not end.
    """
    beginnings = game.root[None, :] if roots is None else np.ascontiguousarray(roots)
    marks = np.zeros((num_matches, days, game.state_words), np.int64)
    if isinstance(player, AskedPlayer):
        for done in range(num_matches):
            root = beginnings[done % len(beginnings)]
            _play_asking(game, player, root, seed, done, marks[done])
            if progress is not None and progress(done + 1):
                return Recorded(marks[: done + 1])
        return Recorded(marks)
    parts = [range(first, min(first + _MATCHES_AT_ONCE, num_matches)) for first in _firsts(num_matches)]
    done = 0
    # Compiled in this thread, which takes signals meanwhile.
    specialised(game, _matches_kernel, _matches_signature(), VALUE_HELPERS)
    with ThreadPoolExecutor(threads) as pool:
        running: list[Future[None]] = []
        for part in parts:
            running.append(pool.submit(_play_part, game, player, beginnings, seed, part, marks))
            if len(running) < 2 * threads:
                continue
            done += _finished(running)
            if progress is not None and progress(done):
                break
        while running:
            done += _finished(running)
            if progress is not None:
                progress(done)
    return Recorded(marks[: min(done, num_matches)])


def _firsts(num_matches: int) -> Iterator[int]:
    return iter(range(0, num_matches, _MATCHES_AT_ONCE))


def _finished(running: list[Future[None]]) -> int:
    """Wait for the part that began first; returns how many matches a part has."""
    running.pop(0).result()
    return _MATCHES_AT_ONCE


def _play_part(
    game: SamplingTables,
    player: ValuesPlayer | FunctionPlayer,
    roots: npt.NDArray[np.int64],
    seed: int,
    part: range,
    marks: npt.NDArray[np.int64],
) -> None:
    kernel_of_game = specialised(game, _matches_kernel, _matches_signature(), VALUE_HELPERS)
    if isinstance(player, ValuesPlayer):
        mode, network, temperature = _BY_VALUES, player.network, player.temperature
        function: Callable[..., None] = uniform_moves
    else:
        mode, network, temperature = _BY_FUNCTION, new_network(1, 1, (-1.0, 1.0)), 0.0
        function = player.function
    failed = kernel_of_game(
        Roots(game.tables, roots, game.max_length),
        *(seed, part.start, mode, marks[part.start : part.stop]),
        *(network.arguments, temperature, function, np.zeros(1, np.uint64)),
        *(new_scratch(game), trial_scratch(game, network)),
    )
    if failed:
        raise MalformedSamplingGameError(f"a path has more than max_length = {game.max_length} nodes")


@cache
def _matches_signature() -> Any:
    integer = types.int64
    return integer(
        *(ROOTS, integer, integer, integer, types.int64[:, :, ::1]),
        *(NETWORK, types.float64, POLICY, types.uint64[::1], SCRATCH, TRIALS),
    )


def _matches_kernel(
    start: Roots,
    seed: int,
    first_match: int,
    mode: int,
    marks: npt.NDArray[np.int64],
    network: Network,
    temperature: float,
    function: Callable[..., None],
    stream: npt.NDArray[np.uint64],
    scratch: Scratch,
    trials: Trials,
) -> int:
    """Play matches first_match .. and write their marks [n, D, W]; return 1 if one did not end."""
    tables, roots, max_length = start
    state, work, values = scratch
    for index in range(marks.shape[0]):
        number = first_match + index
        stream[0] = stream_word(seed, number)
        for word in range(state.shape[0]):
            state[word] = roots[number % roots.shape[0], word]
        length = 0
        while True:
            length += 1
            if length > max_length:
                return 1
            decider = observe(tables, state, work)
            if decider == TERMINAL:
                for word in range(state.shape[0]):
                    marks[index, marks.shape[1] - 1, word] = state[word]
                break
            count = work[NUM_MOVES]
            move = 0
            if decider == CHANCE:
                if kernel.phase(state) == _PATRON and kernel.drawing(state) < 0:
                    day = state[_TABLE] >> _DAY_SHIFT & _DAY_MASK
                    if day > 0:
                        for word in range(state.shape[0]):
                            marks[index, day - 1, word] = state[word]
                total = chance_weights(tables, state, work, values)
                move = drawn_outcome(stream, values, count, total)
            elif count > 1:
                if mode == _BY_VALUES:
                    move_values(tables, state, work, decider, count, 0, network, values, trials)
                    soften(values, count, temperature)
                else:
                    function(tables, state, work, values)
                move = drawn_index(stream, values, count, 1.0)
            apply(tables, state, work, move)
    return 0


def _play_asking(
    game: SamplingTables,
    player: AskedPlayer,
    root: npt.NDArray[np.int64],
    seed: int,
    number: int,
    marks: npt.NDArray[np.int64],
) -> None:
    """Play one match of a player who is asked from Python, and write its marks [D, W]."""
    stream = new_stream(seed, number)
    questions = np.random.default_rng((seed % 2**64, number))
    state, work, weights = root.copy(), np.zeros(game.work_words, np.int64), np.zeros(game.max_moves)
    for _ in range(game.max_length):
        decider = game.observe(game.tables, state, work)
        if decider == TERMINAL:
            marks[-1] = state
            return
        count, move = int(work[NUM_MOVES]), 0
        if decider == CHANCE:
            day = int(state[_TABLE] >> _DAY_SHIFT & _DAY_MASK)
            if day and kernel.phase(state) == _PATRON and kernel.drawing(state) < 0:
                marks[day - 1] = state
            total = game.chance_weights(game.tables, state, work, weights)
            move = drawn_outcome(stream, weights, count, total)
        elif count > 1:
            move = player.policy.choose(state.copy(), int(questions.integers(2**62)))
        game.apply(game.tables, state, work, move)
    raise MalformedSamplingGameError(f"a path has more than max_length = {game.max_length} nodes")

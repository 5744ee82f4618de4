"""Policies that kernels can follow: compiled functions and learned values.

A policy is one tuple of functions and weights, so that one kernel signature serves all of them; the parts one
does not use are placeholders. It may be restricted where a field of the state says so, to see what a kind of
move is worth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numba import types

from solver.sampling.game import NUM_MOVES, POLICY, REALS, WORDS, FloatArray, IntArray
from solver.sampling.specialisation import sampling_kernel

#: numba types of a policy's weights and of the scratch of its function: of `bundles.Network`, a
#: temperature, whether to solve, `value_policy.TRIAL_TYPES`.
WEIGHTS = types.Tuple(
    (
        *(types.float32[:, ::1], types.float32[:, ::1], REALS, types.float64, types.int64),
        *(WORDS, WORDS, types.float32[::1], types.int64[:, ::1], types.int64[:, ::1], types.float64[:, ::1]),
        REALS,
    )
)  # type: ignore[no-untyped-call]
WEIGHED_POLICY = types.FunctionType(types.void(WORDS, WORDS, WORDS, WEIGHTS, REALS))
#: numba type of what `CompiledPolicy.arguments` returns.
POLICY_ARGUMENTS: Any = types.Tuple((types.int64, POLICY, WEIGHED_POLICY, WEIGHTS, WORDS))  # type: ignore[no-untyped-call]
# Entries of it; the first one says whether the function with weights decides.
IS_WEIGHED, _FUNCTION, _WEIGHED, OWN_WEIGHTS, RESTRICTION = range(5)
# Entries of a restriction; then the moves kept, a bit each, of each player.
_KIND, _WORD, _SHIFT, _MASK, _LEAST, _MOST, _KEPT = range(7)
_NONE, _LAST, _EVENLY, _ONLY = range(4)
_MOST_PLAYERS = 8


@dataclass(frozen=True)
class Restriction:
    """Where a field of the state lies in a range, the policy's move is not its own.

    Attributes
    ----------
    word, shift, mask : int
        The field: state[word] >> shift & mask. Its owner has to see it.
    least, most : int
        The range.
    moves : "last", "evenly" or tuple of tuples of int
        The last move always; all alike; or, for each player, the moves to which it keeps: these as often as
        the policy plays them in proportion, and all alike where it plays none.
    """

    word: int
    shift: int
    mask: int
    least: int
    most: int
    moves: str | tuple[tuple[int, ...], ...]

    @property
    def numbers(self) -> IntArray:
        """The restriction for kernels."""
        kind = _ONLY if not isinstance(self.moves, str) else {"last": _LAST, "evenly": _EVENLY}[self.moves]
        kept = [] if isinstance(self.moves, str) else [sum(1 << move for move in own) for own in self.moves]
        array = np.zeros(_KEPT + _MOST_PLAYERS, dtype=np.int64)
        head = (kind, self.word, self.shift, self.mask, self.least, self.most, *kept)
        array[: len(head)] = head
        return array


@dataclass(frozen=True, eq=False)
class CompiledPolicy:
    """A policy for kernels.

    Attributes
    ----------
    name : str
    function : dispatcher (tables, state, work, probabilities) -> None
        Reads work[0], the number of moves n, and work[1], the infoset key, as `observe` left them and writes
        n probabilities. It may look at no more of the state than the decider sees; nothing checks that.
    weighed : dispatcher (tables, state, work, weights, probabilities) -> None, optional
        The same with weights; it decides where it is given.
    weights : callable () -> tuple, optional
        Returns what `weighed` takes, with new scratch, of the type `WEIGHTS`.
    restriction : Restriction, optional
    """

    name: str
    function: Callable[..., None]
    weighed: Callable[..., None] | None = field(default=None, repr=False)
    weights: Callable[[], tuple[Any, ...]] | None = field(default=None, repr=False)
    restriction: Restriction | None = None

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What kernels take, of the type `POLICY_ARGUMENTS`. Two threads need two of them."""
        return (
            int(self.weighed is not None),
            self.function,
            self.weighed or _no_moves,
            no_weights() if self.weights is None else self.weights(),
            np.zeros(_KEPT + _MOST_PLAYERS, dtype=np.int64)
            if self.restriction is None
            else self.restriction.numbers,
        )

    def restricted(self, restriction: Restriction) -> CompiledPolicy:
        """Return the policy with a restriction."""
        return replace(self, restriction=restriction)


def no_weights() -> tuple[Any, ...]:
    singles, words = np.zeros((1, 1), dtype=np.float32), np.zeros((1, 1), dtype=np.int64)
    return (
        *(singles, singles, np.zeros(1), 0.0, 0),
        *(words[0], words[0], singles[0], words, words, np.zeros((1, 1)), np.zeros(1)),
    )


def function_policy(name: str, function: Callable[..., None]) -> CompiledPolicy:
    """Return the policy of a compiled function."""
    return CompiledPolicy(name, function)


def uniform_policy() -> CompiledPolicy:
    """Return the policy that plays all moves equally often."""
    return function_policy("uniform", uniform_moves)


@sampling_kernel
def uniform_moves(tables: IntArray, state: IntArray, work: IntArray, probabilities: FloatArray) -> None:
    """Write equal probabilities for all moves."""
    count = work[NUM_MOVES]
    for move in range(count):
        probabilities[move] = 1.0 / count


@sampling_kernel
def _no_moves(
    tables: IntArray, state: IntArray, work: IntArray, weights: tuple[Any, ...], probabilities: FloatArray
) -> None:
    """Stand where a policy has no weights; never called."""


@sampling_kernel
def policy_probabilities(
    policy: tuple[Any, ...],
    decider: int,
    tables: IntArray,
    state: IntArray,
    work: IntArray,
    probabilities: FloatArray,
) -> None:
    """Write what a policy plays at a state just observed to `probabilities`; work is scratch after that."""
    count = work[NUM_MOVES]
    restriction = policy[RESTRICTION]
    kind = restriction[_KIND]
    if kind != _NONE:
        value = state[restriction[_WORD]] >> restriction[_SHIFT] & restriction[_MASK]
        if not restriction[_LEAST] <= value <= restriction[_MOST]:
            kind = _NONE
    if kind == _LAST or kind == _EVENLY:
        for move in range(count):
            probabilities[move] = 1.0 / count if kind == _EVENLY else 0.0
        if kind == _LAST:
            probabilities[count - 1] = 1.0
        return
    if policy[IS_WEIGHED]:
        policy[_WEIGHED](tables, state, work, policy[OWN_WEIGHTS], probabilities)
    else:
        policy[_FUNCTION](tables, state, work, probabilities)
    if kind == _ONLY:
        kept = restriction[_KEPT + decider]
        total, num_kept = 0.0, 0
        for move in range(count):
            if kept >> move & 1:
                total += probabilities[move]
                num_kept += 1
        for move in range(count):
            if not kept >> move & 1:
                probabilities[move] = 0.0
            elif total > 0.0:
                probabilities[move] /= total
            else:
                probabilities[move] = 1.0 / num_kept

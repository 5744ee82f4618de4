"""A small neural network that says what a position is worth to a player, from the facts it sees.

Inputs are facts that are true or not, few of them at a time, so the first layer is a sum of rows: one
for each true fact. One hidden layer of rectified units and a hyperbolic tangent give a value between the
least and the largest payoff. Kernels evaluate it in a fraction of a microsecond, which a search can afford at
every state, and correct it by plain gradient steps.

A library for networks would train it as well; this one is here because search and training call it from
compiled code, one position at a time.

Letters used for shapes: F features, H hidden units.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from solver.sampling.bundles import Network, Singles
from solver.sampling.game import FloatArray, IntArray, SamplingGame
from solver.sampling.specialisation import sampling_kernel

# Rows of `hidden`: the hidden units' biases, and their weights on the value.
_BIAS, _OUTPUT = 0, 1
# Entries of `scale`.
_CENTRE, _HALF_RANGE, _OUTPUT_BIAS = 0, 1, 2
_NOTHING = np.float32(0.0)


class FeaturedGame(SamplingGame, Protocol):
    """A game that can also list what a player sees.

    Attributes
    ----------
    num_features : int
        F.
    max_active : int
        Most facts true at once.
    features : (tables, state, work, player, active) -> int64
        Writes the numbers, below F, of the facts that are true for a player at a state that is not terminal,
        and returns how many. Any player may be asked at any such state, chance nodes included. The facts may
        tell no more than it knows there. Moves are judged by the facts right after them, so a move may tell
        its own player nothing new: what it learns by it (bids that are uncovered when the last one is made)
        comes with a chance node of one outcome.

    A game for two may also have `is_open`, see `open_endgame.OpenEndedGame`.
    """

    @property
    def num_features(self) -> int: ...
    @property
    def max_active(self) -> int: ...
    @property
    def features(self) -> Callable[..., int]: ...


def features(tables: IntArray, state: IntArray, work: IntArray, player: int, active: IntArray) -> int:
    """Stand for the game's own function in a kernel's text, as those of `game` do."""
    raise NotImplementedError


@dataclass(frozen=True, eq=False)
class ValueNetwork:
    """The weights; training modifies them in place.

    Attributes
    ----------
    inputs : [F, H] float32
        What each fact adds to each hidden unit.
    hidden : [2, H] float32
        Biases of the hidden units, and their weights on the value.
    scale : [3] float64
        Middle and half the range of payoffs, and the value's bias.
    """

    inputs: Singles
    hidden: Singles
    scale: FloatArray

    @property
    def arguments(self) -> Network:
        """What kernels take."""
        return Network(self.inputs, self.hidden, self.scale)


def new_network(
    num_features: int, num_hidden: int, payoff_range: tuple[float, float], seed: int = 0
) -> ValueNetwork:
    """Return a network that says about the middle of the payoffs everywhere.

    Raises
    ------
    ValueError
        For sizes below 1, or a range that is none.
    """
    low, high = payoff_range
    if num_features < 1 or num_hidden < 1 or not low < high:
        raise ValueError(
            "a network needs features, hidden units and a range of payoffs, "
            f"got {num_features}, {num_hidden} and {payoff_range}"
        )
    generator = np.random.default_rng(seed)
    inputs = generator.uniform(-0.1, 0.1, (num_features, num_hidden)).astype(np.float32)
    hidden = np.zeros((2, num_hidden), dtype=np.float32)
    hidden[_BIAS] = 0.1
    hidden[_OUTPUT] = generator.uniform(-1.0, 1.0, num_hidden) / np.sqrt(num_hidden)
    return ValueNetwork(inputs, hidden, np.array([(low + high) / 2.0, (high - low) / 2.0, 0.0]))


@sampling_kernel
def network_value(
    inputs: Singles, hidden: Singles, scale: FloatArray, active: IntArray, count: int, units: Singles
) -> float:
    """Return what the network says of the first `count` facts in `active`; units ([H] float32) get the hidden
    units' sums.
    """
    size = units.shape[0]
    for unit in range(size):
        units[unit] = hidden[_BIAS, unit]
    # Four rows at a time, so that sums are kept and fetched a fourth as often; in the same order.
    index = 0
    while index + 4 <= count:
        row, second = active[index], active[index + 1]
        third, fourth = active[index + 2], active[index + 3]
        for unit in range(size):
            units[unit] = (
                ((units[unit] + inputs[row, unit]) + inputs[second, unit]) + inputs[third, unit]
            ) + inputs[fourth, unit]
        index += 4
    while index < count:
        row = active[index]
        for unit in range(size):
            units[unit] += inputs[row, unit]
        index += 1
    total = scale[_OUTPUT_BIAS]
    for unit in range(size):
        # No branch: which units are above 0 is hard to foretell.
        total += max(units[unit], _NOTHING) * hidden[_OUTPUT, unit]
    return float(scale[_CENTRE] + scale[_HALF_RANGE] * np.tanh(total))


@sampling_kernel
def correct_network(
    inputs: Singles,
    hidden: Singles,
    scale: FloatArray,
    active: IntArray,
    count: int,
    units: Singles,
    value: float,
    target: float,
    rate: float,
) -> None:
    """Move the value of the facts just evaluated (`units` and `value` as `network_value` left them) towards a
    target, by one step down the gradient of the cross-entropy. The weights and `units` are modified in place.
    """
    size = units.shape[0]
    step = np.float32(rate * (target - value) / scale[_HALF_RANGE])
    scale[_OUTPUT_BIAS] += step
    for unit in range(size):
        output = hidden[_OUTPUT, unit]
        gradient = step * output if units[unit] > _NOTHING else _NOTHING
        hidden[_OUTPUT, unit] = output + step * max(units[unit], _NOTHING)
        units[unit] = gradient
        hidden[_BIAS, unit] += gradient
    for index in range(count):
        row = active[index]
        for unit in range(size):
            inputs[row, unit] += units[unit]

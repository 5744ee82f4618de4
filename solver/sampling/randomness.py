"""Random numbers for kernels: streams in the caller's memory, the same on every machine.

numpy's generators inside compiled code are one hidden state per thread; here each stream is an array of one
word that kernels get and modify. `engine/randomness.py` has the same generator in the int64 words of games'
states: engine and solver know nothing of each other.

Source: Steele, Lea and Flood 2014, *Fast splittable pseudorandom number generators* (SplitMix64).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solver.sampling.game import FloatArray
from solver.sampling.specialisation import sampling_kernel

#: What a stream's word grows by at each draw.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
_SHIFT_1 = np.uint64(30)
_SHIFT_2 = np.uint64(27)
_SHIFT_3 = np.uint64(31)
#: Shifts and unit that make numbers of 32 and 53 bits, and the latter numbers in [0, 1), of 64 bits.
HALF = np.uint64(32)
TO_53_BITS = np.uint64(11)
UNIT = 1.0 / 9007199254740992.0


@sampling_kernel
def mixed_bits(word: np.uint64) -> np.uint64:
    """Return 64 well-mixed bits of 64 bits, one to one."""
    word = (word ^ (word >> _SHIFT_1)) * _FIRST_FACTOR
    word = (word ^ (word >> _SHIFT_2)) * _SECOND_FACTOR
    return word ^ (word >> _SHIFT_3)


@sampling_kernel
def hashed(key: int) -> int:
    """Return a place for a key before masking; one multiplication is enough for dense numbers and hashes."""
    word = np.uint64(key) * GOLDEN
    return int(np.int64(word ^ (word >> HALF)))


@sampling_kernel
def uniform_draw(stream: npt.NDArray[np.uint64]) -> float:
    """Return a number in [0, 1) of a SplitMix64 stream; `stream` ([1] uint64) is modified in place."""
    stream[0] += GOLDEN
    return np.float64(mixed_bits(stream[0]) >> TO_53_BITS) * UNIT


@sampling_kernel
def stream_word(seed: int, number: int) -> np.uint64:
    """Return where stream `number` of a seed begins."""
    return mixed_bits(mixed_bits(np.uint64(seed) + GOLDEN) + np.uint64(number) * GOLDEN)


@sampling_kernel
def drawn_index(stream: npt.NDArray[np.uint64], weights: FloatArray, count: int, total: float) -> int:
    """Return an index below `count`, drawn with weights of that total; `stream` is modified in place."""
    left = uniform_draw(stream) * total
    for index in range(count - 1):
        left -= weights[index]
        if left < 0.0:
            return index
    # Rounding may leave a crumb above the last weight; a weight of 0 is never drawn for that.
    last = count - 1
    while last > 0 and weights[last] <= 0.0:
        last -= 1
    return last


@sampling_kernel
def drawn_outcome(stream: npt.NDArray[np.uint64], weights: FloatArray, count: int, total: float) -> int:
    """Return an outcome of a chance node: `drawn_index`, but a total of 0 means equally likely outcomes."""
    if total == 0.0:
        return int(uniform_draw(stream) * count)
    return drawn_index(stream, weights, count, total)


def new_stream(seed: int, number: int = 0) -> npt.NDArray[np.uint64]:
    """Return a [1] uint64 stream for `uniform_draw`. Streams of different numbers are independent."""
    return np.array([stream_word(seed, number)], dtype=np.uint64)

"""Random numbers inside kernels: one word of state, and the same numbers on every machine.

`solver/sampling/randomness.py` has the same generator in uint64 words. States of games are int64 words, and
engine and solver know nothing of each other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.jit import kernel_njit

_LOW_32 = (1 << 32) - 1

# SplitMix64 (Steele, Lea, Flood 2014), its constants as signed numbers: state words are int64.
_GAMMA = 0x9E3779B97F4A7C15 - (1 << 64)
_MIX_1 = 0xBF58476D1CE4E5B9 - (1 << 64)
_MIX_2 = 0x94D049BB133111EB - (1 << 64)


@kernel_njit
def mixed(bits: int) -> int:
    """A bijection of 64 bits in which each bit of the result depends on all of them."""
    # The shifts of int64 drag the sign along: what they bring in is masked away.
    bits = (bits ^ (bits >> 30 & (1 << 34) - 1)) * _MIX_1
    bits = (bits ^ (bits >> 27 & (1 << 37) - 1)) * _MIX_2
    return bits ^ (bits >> 31 & (1 << 33) - 1)


@kernel_njit
def next_random(rng: NDArray[np.int64]) -> int:
    """64 random bits; `rng` is `[1] int64`, any seed, modified in place."""
    rng[0] += _GAMMA
    return int(mixed(rng[0]))


@kernel_njit
def below(bits: int, bound: int) -> int:
    """A number in `[0, bound)` from 32 random bits (the lowest); the bias is below 2**-26."""
    return (bits & _LOW_32) * bound >> 32

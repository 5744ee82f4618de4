"""Regrets as 16-bit numbers: the upper half of a single-precision float (bfloat16).

Tables of regrets are the largest arrays of a solve. Eight bits of mantissa are enough for a strategy, but a
plain cast would swallow every increment below a 256th of what is stored. So the lower half is rounded up with
a probability equal to what is cut off (*dithered*), by a hash of place and time: sums stay unbiased, and the
same seedless run gives the same bits on every machine and any number of threads.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.jit import F32, entry

Halves: TypeAlias = NDArray[np.uint16]

_HALF = np.uint32(16)
_ODD = np.uint32(0x9E3779B1)
_MIX = np.uint32(0x85EBCA6B)
_FOLD = np.uint32(15)


@entry
def whole(stored: np.uint16) -> np.float32:
    """The number that is stored."""
    number: np.float32 = np.uint32(np.uint32(stored) << _HALF).view(np.float32)
    return number


@entry
def halved(number: np.float32, place: int, salt: int) -> np.uint16:
    """The number to store: one of the two neighbours, the nearer one more often.

    Parameters
    ----------
    place, salt : int
        Where and when: different numbers, different rounding.
    """
    # numba widens every integer operation to 64 bits; the casts keep the numbers, and the vectors, narrow.
    dither = np.uint32(np.uint32(place) + np.uint32(np.uint32(salt) * _MIX))
    dither = np.uint32(dither * _ODD)
    dither = np.uint32(dither ^ np.uint32(dither >> _FOLD))
    dither = np.uint32(dither * _MIX)
    bits = np.uint32(np.float32(number).view(np.uint32) + np.uint32(dither >> _HALF))
    return np.uint16(bits >> _HALF)


def decode(stored: Halves) -> F32:
    """All numbers of an array."""
    numbers: F32 = (stored.astype(np.uint32) << 16).view(np.float32)
    return numbers


def encode(numbers: F32) -> Halves:
    """Nearest stored numbers of an array."""
    stored: Halves = ((numbers.astype(np.float32).view(np.uint32) + np.uint32(0x8000)) >> 16).astype(
        np.uint16
    )
    return stored

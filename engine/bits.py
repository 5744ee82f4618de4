"""Bit fields of the int64 words in which every game's kernels keep their states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

WORD_BITS = 63
"""Bits of a word that a state may use: words are signed, and never negative."""


class Bits(NamedTuple):
    """A bit field of a word: `offset`, `width`, and how often it `repeats` and at what `stride`."""

    offset: int
    width: int
    meaning: str
    repeats: int = 1
    stride: int = 0

    @property
    def mask(self) -> int:
        """The field's largest value, unshifted."""
        return (1 << self.width) - 1

    @property
    def end(self) -> int:
        """First bit above the field."""
        return self.offset + self.stride * (self.repeats - 1) + self.width


def put(field: Bits, value: int, index: int = 0) -> int:
    """A field's value at its place in the word."""
    assert 0 <= value <= field.mask, (field, value)
    return value << field.offset + field.stride * index


def get(word: int, field: Bits, index: int = 0) -> int:
    """The value of a field."""
    return word >> field.offset + field.stride * index & field.mask


def check_words(words: Mapping[str, Sequence[Bits]], limits: Sequence[tuple[int, int, str]]) -> None:
    """Assert that no two fields of a word overlap, that all fit, and that no need exceeds what there is.

    Parameters
    ----------
    words : name -> fields.
    limits : what is needed, what there is, and of what.
    """
    for name, fields in words.items():
        used = 0
        for field in fields:
            assert field.repeats == 1 or field.stride >= field.width, (name, field)
            for index in range(field.repeats):
                bits = field.mask << (field.offset + index * field.stride)
                assert not used & bits, f"{name}: {field.meaning} overlaps another field"
                used |= bits
        assert used < 1 << WORD_BITS, f"{name} does not fit"
    for needed, available, what in limits:
        assert needed <= available, f"{what}: {needed} > {available}"

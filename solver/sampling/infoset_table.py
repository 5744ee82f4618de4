"""Numbers per infoset in an open-addressing table of fixed size.

The table is filled by compiled kernels while they walk a game whose infosets nobody has counted. An infoset
takes one record and two rows of reals, one real per move each: visits and summed payoffs for
`information_set_search`. Rows never move, so that a kernel may hold on to them. Nothing is ever evicted: a
full table says so.

Letters used for shapes: C records (a power of two), R reals.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.sampling.bundles import Table
from solver.sampling.game import FloatArray, IntArray
from solver.sampling.randomness import hashed
from solver.sampling.specialisation import sampling_kernel

#: Columns of a record. A key of 0 marks a free one.
KEY, FIRST, COUNT = 0, 1, 2
RECORD_WORDS = 4  # so that none lies in two cache lines
#: Entries of `counters`.
USED_RECORDS, USED_REALS, LOST = 0, 1, 2
NUM_COUNTERS = 3

#: Instead of a record number.
MISSING = -1
CONFLICT = -2

#: At most this share of the records is used; beyond, a look-up walks too far.
LARGEST_LOAD = 0.75


@dataclass(frozen=True, eq=False)
class InfosetTable:
    """The table's arrays; kernels modify them in place.

    Attributes
    ----------
    capacity : int
        Most infosets.
    records : [C, 4] int64
        Key, first real, number of moves n, nothing. The reals first .. first + n - 1 are the
        first row, the next n the second one.
    reals : [R] float64
    counters : [3] int64
        Used records, used reals, look-ups that found no room.
    """

    capacity: int
    records: npt.NDArray[np.int64]
    reals: FloatArray
    counters: IntArray

    @property
    def arguments(self) -> Table:
        """What kernels take."""
        return Table(self.records, self.reals, self.counters, self.capacity)

    @property
    def num_infosets(self) -> int:
        """How many infosets the table holds."""
        return int(self.counters[USED_RECORDS])

    @property
    def num_lost(self) -> int:
        """How many look-ups found no room for a new infoset."""
        return int(self.counters[LOST])

    def rows(self, key: int) -> tuple[FloatArray, FloatArray] | None:
        """Return views of the two [n] rows of an infoset, or None if the table does not hold it."""
        record = int(find_record(self.records, key))
        if record == MISSING:
            return None
        first, count = (int(word) for word in self.records[record, FIRST : COUNT + 1])
        return self.reals[first : first + count], self.reals[first + count : first + 2 * count]

    def clear(self) -> None:
        """Forget all infosets. O(C)."""
        self.records[:, KEY] = 0
        self.counters[:] = 0


def new_table(max_infosets: int, moves_per_infoset: float) -> InfosetTable:
    """Return an empty table.

    Parameters
    ----------
    max_infosets : int
        Takes 43 to 86 bytes each (32 a record, at most three quarters used).
    moves_per_infoset : float
        Mean number of moves to make room for; 16 bytes each. Pages never written cost no memory on most
        systems, so being generous is cheap.

    Raises
    ------
    ValueError
        For sizes below 1.
    """
    if max_infosets < 1 or moves_per_infoset < 1:
        raise ValueError(f"a table needs room, got {max_infosets} infosets of {moves_per_infoset} moves")
    num_records = 1 << int(np.ceil(np.log2(max_infosets / LARGEST_LOAD)))
    return InfosetTable(
        capacity=max_infosets,
        records=np.zeros((max(num_records, 2), RECORD_WORDS), dtype=np.int64),
        reals=np.zeros(int(np.ceil(2.0 * max_infosets * moves_per_infoset))),
        counters=np.zeros(NUM_COUNTERS, dtype=np.int64),
    )


@sampling_kernel
def find_record(records: npt.NDArray[np.int64], key: int) -> int:
    """Return the record of a key, or `MISSING`. Linear probing; constant time on average."""
    mask = records.shape[0] - 1
    place = hashed(key) & mask
    while True:
        known = records[place, KEY]
        if known == key:
            return int(place)
        if known == 0:
            return MISSING
        place = (place + 1) & mask


@sampling_kernel
def find_or_add_record(
    records: npt.NDArray[np.int64],
    reals: FloatArray,
    counters: IntArray,
    capacity: int,
    key: int,
    count: int,
) -> int:
    """Return the record of a key, making one with zero rows if needed; the arrays are modified in place.

    `MISSING` if there is no room (and `counters` says so), `CONFLICT` if the key is known with another number
    of moves.
    """
    mask = records.shape[0] - 1
    place = hashed(key) & mask
    while True:
        known = records[place, KEY]
        if known == key:
            if records[place, COUNT] != count:
                return CONFLICT
            return int(place)
        if known == 0:
            break
        place = (place + 1) & mask
    first = counters[USED_REALS]
    if counters[USED_RECORDS] >= capacity or first + 2 * count > reals.shape[0]:
        counters[LOST] += 1
        return MISSING
    records[place, KEY] = key
    records[place, FIRST] = first
    records[place, COUNT] = count
    for index in range(first, first + 2 * count):
        reals[index] = 0.0
    counters[USED_RECORDS] += 1
    counters[USED_REALS] += 2 * count
    return int(place)

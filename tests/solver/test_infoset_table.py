"""The table of infosets against a dictionary, and when it is full."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.sampling.infoset_table import (
    FIRST,
    MISSING,
    InfosetTable,
    find_or_add_record,
    find_record,
    new_table,
)

pytestmark = pytest.mark.kernels

#: Few different keys, so that some come twice; some that differ in high bits alone, so that places clash.
KEYS = st.one_of(
    st.integers(1, 40), st.integers(1, 2**63 - 1), st.sampled_from([k << 57 | 5 for k in range(60)])
)


def add(table: InfosetTable, key: int, count: int) -> int:
    return int(find_or_add_record(table.records, table.reals, table.counters, table.capacity, key, count))


@settings(deadline=None)
@given(keys=st.lists(KEYS, max_size=120), capacity=st.integers(1, 60))
def test_table_equals_a_dictionary(keys: list[int], capacity: int) -> None:
    table = new_table(capacity, 3.0)
    known: dict[int, float] = {}
    lost = 0
    for number, key in enumerate(keys):
        record = add(table, key, 1 + key % 3)
        if key not in known and len(known) == capacity:
            lost += 1
            assert record == MISSING
            continue
        rows = table.rows(key)
        assert rows is not None
        assert [len(row) for row in rows] == [1 + key % 3] * 2
        assert rows[0][-1] == rows[1][-1] == known.get(key, 0.0)
        rows[0][:] = rows[1][:] = known[key] = float(number)
        assert table.records[record, FIRST] % 2 == 0
    assert table.num_infosets == len(known)
    assert table.num_lost == lost
    for key, value in known.items():
        rows = table.rows(key)
        assert rows is not None
        assert set(rows[0]) | set(rows[1]) == {value}
    assert table.rows(2**62 + 12345) is None


def test_rows_start_at_zero_again_after_clearing() -> None:
    table = new_table(10, 2.0)
    add(table, 7, 2)
    table.reals[:] = 3.0
    table.clear()
    assert table.num_infosets == 0
    assert int(find_record(table.records, 7)) == MISSING
    add(table, 8, 2)
    rows = table.rows(8)
    assert rows is not None
    assert rows[0].tolist() == rows[1].tolist() == [0.0, 0.0]

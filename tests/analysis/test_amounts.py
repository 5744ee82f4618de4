"""Amounts as people read and write them: nothing is rounded to more than is known, each form one amount."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import amounts
from analysis.errors import RequestError
from analysis.front.sizes import read_duration, read_memory


@given(st.floats(1e-12, 1e6))
def test_a_bound_is_never_rounded_down_and_hardly_up(amount: float) -> None:
    shown = float(amounts.bound(amount))
    assert amount * (1 - 1e-5) <= shown <= max(1.1 * amount, amount + 0.0011)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_bracket_is_rounded_outwards(one: float, other: float) -> None:
    low, high = sorted((one, other))
    least, largest = (int(end) for end in amounts.span(low, high).split("–"))
    assert least <= 100 * low + 1e-9 < least + 1
    assert largest - 1 < 100 * high - 1e-9 <= largest or not largest


@given(st.floats(0, 1), st.integers(0, 2))
def test_only_what_is_nothing_or_all_is_shown_as_such(share: float, digits: int) -> None:
    number = float(re.sub("[^0-9.]", "", amounts.chance(share, digits)))
    text = amounts.percent(share, digits)
    assert (text == "0") == (share <= 1e-13)
    assert (text[0] != ">" and float(text.lstrip("<")) == 100) == (share >= 1 - 1e-13)
    assert abs(number - 100 * share) <= 10.0**-digits


@given(st.integers(0, 23), st.integers(0, 59), st.integers(0, 59))
def test_durations_are_read_as_they_are_meant(hours: int, minutes: int, seconds: int) -> None:
    total = 3600 * hours + 60 * minutes + seconds
    parts = [f"{number}{unit}" for number, unit in ((hours, "h"), (minutes, "m"), (seconds, "s")) if number]
    if total:
        assert read_duration("".join(parts)) == read_duration(" ".join(parts).upper()) == total
        assert read_duration(f"{total / 60!r}min") == pytest.approx(read_duration(str(total)))
    clock = [int(part) for part in amounts.clock(total).split(":")]
    assert sum(part * 60**place for place, part in enumerate(reversed(clock))) == total


def test_amounts_of_memory_are_powers_of_two_unless_bytes_are_named() -> None:
    for power, letter in enumerate("kMgT", 1):
        assert read_memory(f"3{letter}") == read_memory(f"3 {letter}iB") == 3 * 1024**power
        assert read_memory(f"1.5{letter}b") == 1.5 * 1000**power
    assert (amounts.size(300 * 2**20), amounts.size(5 * 2**29)) == ("300 MiB", "2.5 GiB")


@pytest.mark.parametrize(
    ("read", "texts"),
    [
        (
            read_duration,
            ["", "-1", "0", "1d", "1e3", "nan", "1h30", "30m1h", "1m1m", "h", "1h 30m!"],
        ),
        (read_memory, ["", "0", "0.9", "-1GiB", "GiB", "1 furlong", "1kk", "1gbi"]),
    ],
)
def test_what_is_no_amount_is_refused_with_one_that_is(read: type, texts: list[str]) -> None:
    for text in texts:
        with pytest.raises(RequestError, match=r"1h30m|16GiB"):
            read(text)


@given(st.integers(0, 10**7), st.sampled_from(["entry", "match", "iteration", "play"]))
def test_one_is_told_as_one_and_many_as_many(number: int, what: str) -> None:
    count, words = amounts.counted(number, what).split(" ")
    assert int(count.replace(",", "")) == number
    assert (words == what) == (number == 1)
    assert words in (what, {"entry": "entries", "match": "matches"}.get(what, f"{what}s"))

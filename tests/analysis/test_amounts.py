"""Amounts in words, at the edges where one form gives way to another."""

from __future__ import annotations

import pytest

from analysis import amounts
from analysis.errors import RequestError
from analysis.exit_codes import (
    EXIT_FAILURE,
    EXIT_INTERRUPTED,
    EXIT_MEMORY,
    EXIT_TARGET_NOT_REACHED,
    EXIT_USAGE,
    worst,
)
from analysis.front.sizes import read_duration, read_memory


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (-0.1, "0"),
        (0.0, "0"),
        (0.001, "0.001"),
        (0.0005, "0.001"),
        # Below half of what three decimals show, two digits that count; upwards, too.
        (0.000499, "5.0e-04"),
        (0.00041, "4.1e-04"),
        (0.000411, "4.2e-04"),
        (9.91e-5, "1.0e-04"),
        (3e-9, "3.0e-09"),
        # 0.3 is a hair less than this sum of binary fractions.
        (0.1 + 0.2, "0.300"),
        (3 * 1.1e-5, "3.3e-05"),
        (0.30001, "0.301"),
        (1.0, "1.000"),
        (7.0001, "7.001"),
    ],
)
def test_a_bound_is_never_rounded_down(amount: float, text: str) -> None:
    assert amounts.bound(amount) == text


@pytest.mark.parametrize(
    ("amount", "text"),
    [(0.004, "0.00"), (0.006, "+0.01"), (-0.006, "-0.01"), (10.0, "+10.00"), (-0.0, "0.00")],
)
def test_a_rounded_zero_has_no_sign(amount: float, text: str) -> None:
    assert amounts.signed(amount) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(59.4, "0:59"), (60, "1:00"), (599, "9:59"), (3599, "59:59"), (3600, "1:00:00"), (360_005, "100:00:05")],
)
def test_hours_are_shown_from_the_first_one_on(seconds: float, text: str) -> None:
    assert amounts.clock(seconds) == text


@pytest.mark.parametrize(
    ("num_bytes", "text"),
    [
        (0, "0 MiB"),
        (2**20, "1 MiB"),
        (300 * 2**20, "300 MiB"),
        (2**30 - 2**20, "1023 MiB"),
        (2**30, "1.0 GiB"),
        (5 * 2**29, "2.5 GiB"),
        (2**40, "1024.0 GiB"),
    ],
)
def test_memory_is_shown_in_the_larger_unit_from_one_of_it_on(num_bytes: float, text: str) -> None:
    assert amounts.size(num_bytes) == text


@pytest.mark.parametrize(
    ("share", "whole", "two"),
    [
        (0.0, "0", "0.00 %"),
        (0.0049, "<1", "0.49 %"),
        (0.0051, "1", "0.51 %"),
        (0.000049, "<1", "less than 0.01 %"),
        (0.000051, "<1", "0.01 %"),
        (0.25, "25", "25.00 %"),
        (0.994, "99", "99.40 %"),
        (0.996, ">99", "99.60 %"),
        (0.99996, ">99", "more than 99.99 %"),
        (1.0, "100", "100.00 %"),
    ],
)
def test_shares_have_no_digit_and_chances_two_unless_more_is_asked(
    share: float, whole: str, two: str
) -> None:
    assert amounts.percent(share) == whole
    assert amounts.chance(share) == two


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.25, 0.75, "25–75"),
        (0.251, 0.751, "25–76"),
        (0.0, 1.0, "0–100"),
        # 0.29 and 0.07 times a hundred are off by rounding; that moves neither end.
        (0.29, 0.29, "29–29"),
        (0.07, 0.07, "7–7"),
        (0.289, 0.2901, "28–30"),
    ],
)
def test_a_bracket_is_rounded_outwards(low: float, high: float, text: str) -> None:
    assert amounts.span(low, high) == text


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("1", 1),
        ("1b", 1),
        ("12 b", 12),
        ("1k", 1024),
        ("1kb", 1000),
        ("1kib", 1024),
        ("2M", 2 * 1024**2),
        ("2mb", 2 * 1000**2),
        ("2MiB", 2 * 1024**2),
        (".5G", 1024**3 // 2),
        ("3gb", 3 * 1000**3),
        ("3 GiB", 3 * 1024**3),
        ("1t", 1024**4),
        ("1TB", 1000**4),
        ("1TiB", 1024**4),
        ("1.5tb", 1_500_000_000_000),
    ],
)
def test_letters_alone_are_powers_of_two_and_bytes_are_powers_of_ten(text: str, amount: int) -> None:
    assert read_memory(text) == amount


@pytest.mark.parametrize("text", ["0", "0.9", "0GiB", "gib", "1kk", "1gbi", "-1"])
def test_less_than_a_byte_is_no_amount_of_memory(text: str) -> None:
    with pytest.raises(RequestError, match="16GiB") as refused:
        read_memory(text)
    assert refused.value.option == "--memory"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1", 1.0),
        ("0.25", 0.25),
        ("2s", 2.0),
        ("2m", 120.0),
        ("2min", 120.0),
        (".5h", 1800.0),
        ("1m0.5s", 60.5),
    ],
)
def test_each_unit_of_time_counts_what_it_says(text: str, seconds: float) -> None:
    assert read_duration(text) == seconds


@pytest.mark.parametrize("text", ["1s1", "1 1", "1h1h", "1s1m", "1h1x", "0", "0s", "5d", "1h,5m", "x1h"])
def test_parts_of_a_duration_have_units_that_fall(text: str) -> None:
    with pytest.raises(RequestError, match="1h30m") as refused:
        read_duration(text)
    assert refused.value.option == "--time-limit"


def test_exit_codes_are_those_that_scripts_rely_on() -> None:
    """As the command reference lists them."""
    codes = EXIT_FAILURE, EXIT_USAGE, EXIT_TARGET_NOT_REACHED, EXIT_MEMORY, EXIT_INTERRUPTED
    assert codes == (1, 2, 3, 4, 130)


@pytest.mark.parametrize(
    ("codes", "code"),
    [([0], 0), ([0, 3, 0], 3), ([3, 4], 4), ([4, 1, 3], 1), ([1, 130, 4, 3, 0], 130), ({0, 1}, 1)],
)
def test_a_run_ends_with_its_most_serious_code(codes: list[int], code: int) -> None:
    assert worst(codes) == code

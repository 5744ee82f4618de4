"""Hands, durations, amounts of memory, and numbers as they are shown."""

from __future__ import annotations

import pytest

from analysis import amounts
from analysis.amounts import chance, percent
from analysis.errors import RequestError
from analysis.front import sizes
from analysis.interrupt import Interrupt
from analysis.ragers import hands
from analysis.ragers.answers.solving import Effort
from engine.ragers.rules import TYPES


@pytest.mark.parametrize(
    "text", ["B B S C V", "b,b s c+v", "BBSCV", "basher Basher sla cha vet", "V C S B B"]
)
def test_hands_are_read(text: str) -> None:
    assert hands.parse_hand(text) == (2, 1, 0, 1, 0, 0, 0, 1)


def test_every_type_has_a_letter_of_its_own() -> None:
    assert [hands.card_type(letter) for letter in hands.LETTERS] == list(range(len(TYPES)))
    assert [hands.card_type(name) for name in TYPES] == list(range(len(TYPES)))


@pytest.mark.parametrize(("word", "message"), [("ch", "chancer or cheater"), ("st", None), ("x", "no card")])
def test_shortened_names(word: str, message: str | None) -> None:
    if message is None:
        assert TYPES[hands.card_type(word)] == "stopper"
    else:
        with pytest.raises(hands.HandError, match=message):
            hands.card_type(word)


def test_a_deck_smaller_than_a_hand_is_held_whole() -> None:
    hands.check_hand((1, 1, 0, 0, 0, 0, 0, 0), (1, 1, 0, 0, 0, 0, 0, 0), 5)
    with pytest.raises(hands.HandError, match="2 cards"):
        hands.check_hand((1, 0, 0, 0, 0, 0, 0, 0), (1, 1, 0, 0, 0, 0, 0, 0), 5)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("300", 300),
        ("1.5", 1.5),
        ("90s", 90),
        ("30m", 1800),
        ("1 h", 3600),
        ("1h30m", 5400),
        ("1H 30min", 5400),
        ("1h0m5s", 3605),
        ("1m30s", 90),
    ],
)
def test_durations(text: str, seconds: float) -> None:
    assert sizes.read_duration(text) == seconds


@pytest.mark.parametrize(
    "text",
    ["", "-1", "0", "1d", "1e3", "nan", "inf", "1h30", "30m1h", "1m1m", "0h0m", "h", "1h-1m", "1h 30m!"],
)
def test_no_durations(text: str) -> None:
    with pytest.raises(RequestError):
        sizes.read_duration(text)


@pytest.mark.parametrize(
    ("text", "amount"),
    [("16GiB", 16 * 2**30), ("500MB", 500_000_000), ("8g", 8 * 2**30), ("1.5k", 1536), ("7", 7)],
)
def test_memory(text: str, amount: int) -> None:
    assert sizes.read_memory(text) == amount


@pytest.mark.parametrize("text", ["", "0", "-1GiB", "GiB", "1 furlong", "0.1"])
def test_no_memory(text: str) -> None:
    with pytest.raises(RequestError):
        sizes.read_memory(text)


@pytest.mark.parametrize(
    ("amount", "text"),
    [(0, "0"), (0.25, "0.250"), (0.2501, "0.251"), (0.6, "0.600"), (12.3456, "12.346"), (1.21e-7, "1.3e-07")],
)
def test_bounds_are_rounded_up(amount: float, text: str) -> None:
    assert amounts.bound(amount) == text


@pytest.mark.parametrize(
    ("amount", "text"), [(0.0, "0.00"), (-0.001, "0.00"), (0.126, "+0.13"), (-1.5, "-1.50")]
)
def test_signed_amounts(amount: float, text: str) -> None:
    assert amounts.signed(amount) == text


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (59.6, "1:00"), (61, "1:01"), (3661, "1:01:01")])
def test_clock(seconds: float, text: str) -> None:
    assert amounts.clock(seconds) == text


def test_first_interrupt_asks_second_insists() -> None:
    import signal

    interrupt = Interrupt()
    before = signal.getsignal(signal.SIGINT)
    with interrupt.installed():
        signal.raise_signal(signal.SIGINT)
        assert interrupt()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_defaults_apply_only_where_nothing_is_asked() -> None:
    assert Effort().unlimited
    assert not Effort(iterations=1).unlimited
    assert not Effort(target_gp=0.1).unlimited
    assert not Effort(time_limit_s=1.0).unlimited


@pytest.mark.parametrize("digits", [0, 1, 2])
def test_only_what_is_nothing_or_all_is_shown_as_such(digits: int) -> None:
    """One place for all games: shares of 0 and 1 up to rounding, and nothing else, read 0 and 100 %."""
    least = 10.0**-digits
    shown = {value: chance(value, digits) for value in (1e-9, 0.4e-2 * least, 1 - 0.4e-2 * least, 1 - 1e-9)}
    assert list(shown.values())[:2] == [f"less than {least:g} %"] * 2
    assert list(shown.values())[2:] == [f"more than {100 - least:.{digits}f} %"] * 2
    for exact in (0.0, 1e-15, 1.0, 1.0 - 1e-15):
        assert float(chance(exact, digits).removesuffix(" %")) == 100 * round(exact)
    assert percent(1 - 1e-6, digits) == f">{100 - least:.{digits}f}"
    assert percent(0.5, digits) == f"{50:.{digits}f}"


def test_what_is_no_share_is_a_dash() -> None:
    assert chance(None) == chance(float("nan")) == "-"

"""Hands, durations, amounts of memory, and numbers as they are shown."""

from __future__ import annotations

import pytest

from analysis.interrupt import Interrupt
from analysis.ragers import hands
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

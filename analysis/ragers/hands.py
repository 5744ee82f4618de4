"""Hands as a user types them: ``B B S C V``, ``basher,basher,sla``, ``BBSCV``."""

from __future__ import annotations

import re

from engine.ragers.rules import TYPES

#: One letter per type; where first letters clash the attack or the more common word has it: cHeater, sTopper.
LETTERS = {
    "B": "basher",
    "S": "slasher",
    "P": "prodder",
    "C": "chancer",
    "H": "cheater",
    "D": "deadeye",
    "T": "stopper",
    "V": "veteran",
}
LETTER_OF = {name: letter for letter, name in LETTERS.items()}
LETTERS_HELP = ", ".join(f"{letter} {name}" for letter, name in LETTERS.items())


_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class HandError(ValueError):
    """A hand that cannot be read, or that no player can hold."""


def card_type(word: str) -> int:
    """Return the type id that `word` (a letter, a full name, or the beginning of just one name) stands for.

    Raises
    ------
    HandError
        If `word` fits no type, or more than one.
    """
    name = LETTERS.get(word.upper())
    return named_type(word) if name is None else TYPES.index(name)


def named_type(word: str) -> int:
    """Return the type id that a name, or the beginning of just one, stands for.

    Raises
    ------
    HandError
        If `word` fits no type, or more than one.
    """
    fitting = [candidate for candidate in TYPES if candidate.startswith(word.lower())]
    if len(fitting) > 1:
        raise HandError(f"{word!r} may be {' or '.join(fitting)}; write more of it")
    if not fitting:
        raise HandError(f"{word!r} is no card; letters are {LETTERS_HELP}; names may be shortened")
    return TYPES.index(fitting[0])


def parse_hand(text: str) -> tuple[int, ...]:
    """Return the number of cards of each type in the hand that `text` describes, in `TYPES` order.

    Parameters
    ----------
    text : words separated by blanks, commas or plus signs; letters may also stand in one word.

    Raises
    ------
    HandError
        If a word cannot be read, or there is none.
    """
    words = [word for word in re.split(r"[\s,;+]+", text) if word]
    if not words:
        raise HandError("a hand needs at least one card")
    if len(words) == 1 and len(words[0]) > 1 and words[0] == words[0].upper():
        words = list(words[0])  # BBSCV
    counts = [0] * len(TYPES)
    for word in words:
        counts[card_type(word)] += 1
    return tuple(counts)


def check_hand(
    counts: tuple[int, ...],
    copies: tuple[int, ...],
    hand_size: int,
    gone: tuple[tuple[int, ...], tuple[int, ...]] = ((), ()),
) -> None:
    """Raise if nobody can be dealt this hand.

    Parameters
    ----------
    copies : cards of each type in the deck it is dealt from.
    hand_size : cards in a hand; a smaller deck is dealt whole.
    gone : cards of each type that were placed, and that were put away, before; in the deck they are not
        counted.

    Raises
    ------
    HandError
        With the reason.
    """
    size = min(hand_size, sum(copies))
    if sum(counts) != size:
        raise HandError(f"a hand is {size} cards, this one {sum(counts)}")
    for t, (name, held, available) in enumerate(zip(TYPES, counts, copies, strict=True)):
        if held > available:
            placed, away = (some[t] if some else 0 for some in gone)
            did = [f"placed {_NUMBERS[placed]}"] if placed else []
            did += [f"put {_NUMBERS[away]} away"] if away else []
            if did:
                left = f"{available} {'is' if available == 1 else 'are'} left"
                raise HandError(f"{held} × {name}, but {left}; you {' and '.join(did)}")
            raise HandError(f"{held} × {name}, but the deck has {available}")


def hand_names(counts: tuple[int, ...]) -> list[str]:
    """Return the cards of a hand by name, in `TYPES` order."""
    return [name for name, count in zip(TYPES, counts, strict=True) for _ in range(count)]

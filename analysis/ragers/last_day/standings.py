"""Where a match stands, as people type it: ``day 3, score 4:6, cheers 1:0, left B2S3P1C1V2:B1S2P2D1T1``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analysis.errors import RequestError
from analysis.ragers.hands import LETTER_OF, LETTERS, LETTERS_HELP
from engine.ragers.rules import PLAYERS, TYPES, Rules

_OPTION = "--match"
_KEYS = ("day", "score", "cheers", "left", "hidden")
EXAMPLE = "day 3, score 4:6, cheers 1:0, left B2S3P1C1V2:B1S2P2D1T1"
_COUNTED = re.compile(r"([A-Za-z])(\d*)")


@dataclass(frozen=True)
class Standing:
    """Where a match stands before combat on a day: hands dealt, discards made. Accusers first throughout.

    Attributes
    ----------
    day : from 1.
    score : glory points of the days before.
    cheers : cheers cards taken.
    left : cards of each type of each player that not everybody has seen.
    hidden : how many of these were hidden beside Deadeyes on earlier days; the others are in hand or to draw.
    """

    day: int
    score: tuple[int, int]
    cheers: tuple[int, int]
    left: tuple[tuple[int, ...], tuple[int, ...]]
    hidden: tuple[int, int] = (0, 0)

    @property
    def text(self) -> str:
        """The standing as `parse_standing` reads it."""
        first, second = (cards_text(cards) for cards in self.left)
        return (
            f"day {self.day}, score {self.score[0]}:{self.score[1]},"
            f" cheers {self.cheers[0]}:{self.cheers[1]}, left {first}:{second}"
            + (f", hidden {self.hidden[0]}:{self.hidden[1]}" if any(self.hidden) else "")
        )


def cards_text(cards: tuple[int, ...]) -> str:
    """Return numbers of cards by letter, ``B2S3``; a dash for none."""
    return "".join(f"{LETTER_OF[TYPES[kind]]}{number}" for kind, number in enumerate(cards) if number) or "-"


def parse_standing(text: str, rules: Rules) -> Standing:
    """Return the standing that `text` describes.

    Raises
    ------
    RequestError
        If it cannot be read, or no match by `rules` can stand so.
    """
    parts: dict[str, str] = {}
    for part in text.split(","):
        key, _, value = part.strip().partition(" ")
        if key.lower() not in _KEYS:
            raise _wrong(f"{part.strip()!r} begins with none of {', '.join(_KEYS)}, as in {EXAMPLE!r}")
        if key.lower() in parts:
            raise _wrong(f"it says {key.lower()!r} twice")
        parts[key.lower()] = value.strip()
    missing = [key for key in ("day", "score", "left") if key not in parts]
    if missing:
        raise _wrong(f"it does not say {' and '.join(missing)}, as in {EXAMPLE!r}")
    if not re.fullmatch(r"[0-9]{1,2}", parts["day"]):
        raise _wrong(f"the day is {parts['day']!r} instead of a number")
    first, second = _sides(parts["left"], "left")
    standing = Standing(
        int(parts["day"]),
        _numbers(parts["score"], "score"),
        _numbers(parts.get("cheers", "0:0"), "cheers"),
        (_cards(first, 0, rules), _cards(second, 1, rules)),
        _numbers(parts.get("hidden", "0:0"), "hidden"),
    )
    check_standing(standing, rules)
    return standing


def check_standing(standing: Standing, rules: Rules) -> None:
    """Raise RequestError if no match by `rules` can stand so."""
    days, lead = rules.match.days, abs(standing.score[0] - standing.score[1])
    if not 1 <= standing.day <= days:
        raise _wrong(f"there is no day {standing.day}: a match has {days}")
    if standing.day > 1 and lead >= rules.match.winning_lead:
        raise _wrong(f"a lead of {lead} GP has won the match already (at {rules.match.winning_lead})")
    if sum(standing.cheers) > standing.day - 1:
        raise _wrong(
            f"{sum(standing.cheers)} cheers cards are taken, but there was one a day:"
            f" {standing.day - 1} before day {standing.day}"
        )
    for cards, away in zip(standing.left, standing.hidden, strict=True):
        if away and sum(cards) - away <= 0:
            raise _wrong(f"{away} cards are hidden, and {sum(cards)} are left: none would be in hand")
    if not any(map(sum, standing.left)):
        raise _wrong("nobody has a card left")


def check_last_day(standing: Standing, rules: Rules) -> None:
    """Raise RequestError unless the standing is of the last day."""
    if standing.day != rules.match.days:
        raise _wrong(
            f"day {standing.day} is not the last one ({rules.match.days}), and what comes after it cannot be"
            " solved exactly; ragers solve --standing solves it for an estimate of that, ragers advise"
            " --match FILE searches"
        )


def check_table(standing: Standing, on_table: int) -> None:
    """Raise RequestError unless so many cheers cards can lie on the table."""
    if on_table + sum(standing.cheers) > standing.day:
        raise RequestError(
            f"{on_table} cheers cards lie on the table and {sum(standing.cheers)} are taken, but on day"
            f" {standing.day} there have been {standing.day}",
            "--cheers",
        )


def _wrong(reason: str) -> RequestError:
    return RequestError(reason, _OPTION)


def _sides(text: str, name: str) -> tuple[str, str]:
    sides = [side.strip() for side in text.split(":")]
    if len(sides) != 2:
        raise _wrong(f"{name} {text!r}: give both sides, Accusers first, with a colon between")
    return sides[0], sides[1]


def _numbers(text: str, name: str) -> tuple[int, int]:
    sides = _sides(text, name)
    for side in sides:
        if not re.fullmatch(r"[0-9]{1,3}", side):
            raise _wrong(f"{name} {text!r}: {side!r} is no number")
    return int(sides[0]), int(sides[1])


def _cards(text: str, player: int, rules: Rules) -> tuple[int, ...]:
    """Return the cards of one side: letters, each with its number, or repeated."""
    counts = [0] * len(TYPES)
    closed = re.sub(r"\s", "", text)
    if closed == "-":
        return tuple(counts)
    at = 0
    for found in _COUNTED.finditer(closed):
        letter = found[1].upper()
        if found.start() != at or letter not in LETTERS:
            break
        counts[TYPES.index(LETTERS[letter])] += int(found[2] or 1)
        at = found.end()
    if not closed or at != len(closed):
        wrong = f"{closed[at:]!r} is no card and its number" if closed else "no card"
        raise _wrong(
            f"left {text!r}: {wrong}; write letters with numbers, as B2S3, or - for none ({LETTERS_HELP})"
        )
    for kind, (name, number) in enumerate(zip(TYPES, counts, strict=True)):
        if number > rules.cards[kind].copies[player]:
            raise _wrong(
                f"{number} × {name} left, but the {PLAYERS[player].capitalize()} have"
                f" {rules.cards[kind].copies[player]} in all"
            )
    return tuple(counts)

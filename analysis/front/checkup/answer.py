"""What a check-up answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from analysis.estimates import Estimate
from analysis.front.page import Format
from analysis.front.question import Amount, Answer

__all__ = ["Ask", "CheckupAnswer", "Finding", "Part", "Remedy", "Verdict"]

Verdict = Literal["fine", "watch", "fix", "open", "told"]
"""`open`: not known yet; `told`: nothing is judged."""


class Ask(msgspec.Struct, frozen=True):
    """Where a figure comes from: question, what it is asked, key; `others`: what it leaves to others."""

    question: str
    given: dict[str, str | list[str]]
    key: str
    others: bool = False


class Part(msgspec.Struct, frozen=True):
    """One line of the check-up."""

    name: str
    verdict: Verdict
    said: str


class Remedy(msgspec.Struct, frozen=True):
    """One changed value that brings a finding within its bounds.

    Attributes
    ----------
    key, now, value : of the rules: what it is, and what it would be.
    after : the figure then.
    certain : whether it is within the bounds for certain, not only as measured.
    said : it in words.
    also : what else the change does to a match, in words; empty if that was not looked at.
    """

    key: str
    now: str
    value: str
    said: str
    after: Estimate
    certain: bool
    also: str = ""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something out of its bounds.

    Attributes
    ----------
    part : the line that it belongs to.
    about : what it is about: a table of the rules, such as ``cards.fireball``; empty for the whole game.
    value, low, high : the figure, and its bounds; each may be missing.
    certain : whether it is so for certain, all findings together.
    size : how many times its bounds it is out of them.
    changed : whether it is about what differs from the box.
    asks : where the figure comes from; it is the mean of theirs.
    remedies : what to try, the smallest change first; and how many changes were tried.
    """

    part: str
    about: str = ""
    verdict: Verdict
    said: str
    kind: Format
    value: Estimate
    low: float | None = None
    high: float | None = None
    certain: bool = False
    size: float
    changed: bool = False
    asks: list[Ask] = []
    remedies: list[Remedy] = []
    tried: int = 0


class CheckupAnswer(Answer, frozen=True, kw_only=True):
    """What works in a game, what breaks, and what to try.

    Attributes
    ----------
    parts : a line each.
    findings : the worst first; those that are certain before others.
    figures : all that was measured.
    setups, against : what was set against each other, and shares of wins of rows over columns.
    leads : what whoever is ahead wins in the end, by turn or round.
    players : who played, from the weakest to the strongest.
    """

    effort: str
    players: list[str]
    parts: list[Part]
    findings: list[Finding]
    figures: list[Amount]
    setups: Sequence[str] = ()
    against: Sequence[Sequence[float | None]] = ()
    leads: Sequence[tuple[int, float | None]] = ()
    length: str = "turns"

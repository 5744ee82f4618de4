"""Decks against each other: duels of rule-based players, with intervals; not an equilibrium."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import sqrt

from analysis.warage.race import Note
from analysis.warage.reports import (
    SCHEMA_NUMBER,
    BalanceReport,
    CellReport,
    MatchReport,
    PlayerReport,
    card_set,
)
from engine.warage.duels import Matches, matches
from engine.warage.kernel_rules import kernel_rules
from engine.warage.reference import setup_of
from engine.warage.rules import Rules
from engine.warage.styles import Style

PART = 2_000
"""Duels between two looks at whether to stop."""
Z = 1.96


@dataclass(frozen=True)
class Tally:
    """Duels of one pair of decks, by the seat of the first."""

    played: tuple[int, int]
    points: tuple[float, float]
    draws: int
    turns: tuple[int, ...]

    @property
    def share(self) -> float:
        """The first deck's share."""
        return sum(self.points) / max(sum(self.played), 1)

    @property
    def interval(self) -> tuple[float, float]:
        """What bounds it with 95 %: Wilson's interval."""
        number, share = max(sum(self.played), 1), self.share
        centre = (share + Z * Z / (2 * number)) / (1 + Z * Z / number)
        half = Z * sqrt(share * (1 - share) / number + Z * Z / (4 * number * number)) / (1 + Z * Z / number)
        return max(centre - half, 0.0), min(centre + half, 1.0)

    @property
    def by_seat(self) -> list[float]:
        """Its share where it moves first, and second."""
        return [points / max(played, 1) for points, played in zip(self.points, self.played, strict=True)]

    @property
    def mean_turns(self) -> float:
        """Turns on average."""
        return sum(turn * count for turn, count in enumerate(self.turns)) / max(sum(self.turns), 1)

    def quantile(self, share: float) -> int:
        """The turn by which so many duels are over."""
        left = share * sum(self.turns)
        for turn, count in enumerate(self.turns):
            left -= count
            if left <= 0:
                return turn
        return len(self.turns)


def tally(
    rules: Rules,
    decks: tuple[str, str],
    styles: tuple[Style, Style],
    duels: int,
    seed: int,
    *,
    note: Callable[[int], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Tally:
    """Play duels, half of them with either deck first; both halves have the same random numbers."""
    compiled = [
        kernel_rules(rules, setup)
        for setup in (setup_of(rules, decks), setup_of(rules, (decks[1], decks[0])))
    ]
    orders = (styles, (styles[1], styles[0]))
    played, points, draws = [0, 0], [0.0, 0.0], 0
    turns: tuple[int, ...] = ()
    halves = [(duels + 1) // 2, duels // 2]
    while any(played[seat] < halves[seat] for seat in (0, 1)):
        for seat in (0, 1):
            number = min(PART, halves[seat] - played[seat])
            if number < 1:
                continue
            found: Matches = matches(compiled[seat], orders[seat], number, seed, first=played[seat])
            played[seat] += number
            points[seat] += found.wins[seat] + found.shared / 2
            draws += found.shared
            turns = tuple(map(sum, zip(turns, found.turns, strict=True))) if turns else found.turns
        if note is not None:
            note(sum(played))
        if stop is not None and stop():
            break
    return Tally((played[0], played[1]), (points[0], points[1]), draws, turns)


def match_report(
    rules: Rules,
    decks: tuple[str, str],
    styles: Sequence[tuple[str, Style]],
    duels: int,
    seed: int = 0,
    *,
    note: Note | None = None,
    stop: Callable[[], bool] | None = None,
) -> MatchReport:
    """Let two decks play duels."""
    begin_s = time.perf_counter()
    both = styles[0][1], styles[1][1]

    def heard(done: int) -> None:
        if note is not None:
            note("duels", done, duels)

    found = tally(rules, decks, both, duels, seed, note=heard, stop=stop)
    low, high = found.interval
    played = sum(found.played)
    return MatchReport(
        schema=SCHEMA_NUMBER,
        card_set=card_set(rules),
        method="sampled",
        players=[
            PlayerReport(deck, name, style._asdict())
            for deck, (name, style) in zip(decks, styles, strict=True)
        ],
        duels=played,
        seed=seed,
        win=found.share,
        low=low,
        high=high,
        by_seat=found.by_seat,
        draws=found.draws / max(played, 1),
        turns=found.mean_turns,
        ninetieth=found.quantile(0.9),
        duels_per_s=played / max(time.perf_counter() - begin_s, 1e-9),
        complete=played == duels,
    )


def balance_report(
    rules: Rules,
    decks: Sequence[str],
    style: tuple[str, Style],
    duels: int,
    seed: int = 0,
    *,
    note: Note | None = None,
    stop: Callable[[], bool] | None = None,
) -> BalanceReport:
    """Let every deck play every other one, and itself; stopped, it has what is finished."""
    begin_s = time.perf_counter()
    pairs = list(combinations_with_replacement(decks, 2))
    cells = []
    for number, (deck, against) in enumerate(pairs):
        if stop is not None and stop():
            break
        if note is not None:
            note("pairs of decks", number, len(pairs))
        found = tally(rules, (deck, against), (style[1], style[1]), duels, seed, stop=stop)
        if sum(found.played) < duels:
            break
        low, high = found.interval
        cells.append(CellReport(deck, against, found.share, low, high, found.by_seat, found.mean_turns))
    mean = {}
    for deck in decks:
        shares = [cell.win if cell.deck == deck else 1 - cell.win for cell in cells if _other(cell, deck)]
        if shares:
            mean[deck] = sum(shares) / len(shares)
    return BalanceReport(
        schema=SCHEMA_NUMBER,
        card_set=card_set(rules),
        method="sampled",
        style=style[0],
        settings=style[1]._asdict(),
        decks=list(decks),
        duels=duels,
        seed=seed,
        cells=cells,
        mean=mean,
        complete=len(cells) == len(pairs),
        time_s=time.perf_counter() - begin_s,
    )


def _other(cell: CellReport, deck: str) -> bool:
    """Whether a cell has a deck and another one."""
    return cell.deck != cell.against and deck in (cell.deck, cell.against)

"""The last day of a match as arrays: a day that pays who has won the match, from where the match stands.

Who wins depends on the seat: one of both is ahead, and a tie is the Defenders' (M3). So each player's row
runs through a copy of the row automaton of his own, and payoffs tell the copies apart.

Letters used for shapes: as in `engine.ragers.day`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.ragers.day import TWO_LOSERS, DayTables, tables_and_classes
from engine.ragers.day_effects import IMPOSSIBLE, BoolArray, FloatArray, Int32Array, Int64Array
from engine.ragers.rules import Rules


@dataclass(frozen=True)
class MatchStanding:
    """Where a match stands before combat begins on its last day; hands are dealt, discards made.

    Attributes
    ----------
    lead : GP the Accusers are ahead.
    taken : cheers cards the Accusers have taken more than the Defenders.
    left : [2][T] cards of each type of each player that not everybody has seen: in hand, to draw, or hidden
        on an earlier day.
    hidden : how many of these were hidden on earlier days (K6). They are in no deck, but nothing tells which
        they are: hands are drawn as if they lay beneath it.
    """

    lead: int
    taken: int
    left: tuple[tuple[int, ...], tuple[int, ...]]
    hidden: tuple[int, int] = (0, 0)

    def decks(self, hand_size: int) -> tuple[int, int]:
        """Return how many cards both have to draw."""
        first, second = (
            max(0, sum(cards) - away - hand_size) for cards, away in zip(self.left, self.hidden, strict=True)
        )
        return first, second


@dataclass(frozen=True, eq=False)
class LastDay:
    """The last day of a match.

    Attributes
    ----------
    tables : its arrays. `payoff` is 1 for the match won and -1 for the match lost; `gp` counts matches won.
    start_rows : the empty rows of both players, in their copies of the automaton.
    decks_counted : whether ties on GP and cheers cards are decided by the cards left after the day (M3), or
        by those there are before it.
    """

    tables: DayTables
    start_rows: tuple[int, int]
    decks_counted: bool


def last_day(
    rules: Rules,
    patron_id: str,
    cheers_ids: Sequence[str],
    standing: MatchStanding,
    *,
    count_decks: bool = True,
) -> LastDay:
    """Build the tables of a match's last day.

    Parameters
    ----------
    cheers_ids : all cheers cards on the table, those of earlier days included.
    count_decks : whether rows count cards placed, so that ties on GP and cheers cards are decided by the
        cards left. Without, the cards left before the day stand in for them, and rows are fewer.

    Raises
    ------
    UnknownNameError, ValueError
        As `engine.ragers.day.day_tables`.
    """
    decks = standing.decks(rules.match.hand_size)
    most = max(decks) if count_decks else 0
    copies = np.array(standing.left, dtype=np.int64)
    tables, keys = tables_and_classes(rules, patron_id, cheers_ids, copies, most)
    placed = keys[:, -1] if most else np.zeros(len(keys), dtype=np.int64)
    won = _accusers_win(tables, keys[:, 2 : 2 + len(cheers_ids)].astype(bool), placed, standing, decks)
    start_rows = (tables.start_row, tables.start_row + tables.num_rows)
    return LastDay(_by_seat(tables, won), start_rows, count_decks or max(decks) == 0)


def _accusers_win(
    tables: DayTables,
    met: BoolArray,
    placed: Int64Array,
    standing: MatchStanding,
    decks: tuple[int, int],
) -> BoolArray:
    """Return [C, C] bool: whether the Accusers, ending in class i, win against class j (M3).

    `met` : [C, cheers]; `placed` : [C], as far as any deck goes.
    """
    scored = (tables.outcome != TWO_LOSERS)[:, :, None]
    took = (met[:, None] & ~met & scored).sum(axis=2)
    gp = standing.lead + tables.payoff
    cheers = standing.taken + took - took.T
    left = np.maximum(0, decks[0] - placed)[:, None] - np.maximum(0, decks[1] - placed)
    won: BoolArray = (gp > 0) | ((gp == 0) & ((cheers > 0) | ((cheers == 0) & (left > 0))))
    return won


def _by_seat(tables: DayTables, won: BoolArray) -> DayTables:
    """Return the day with a copy of every row and class for the Defenders; `won` is [C, C]."""
    rows, classes = tables.num_rows, tables.num_classes

    def twice(numbers: Int32Array, by: int) -> Int32Array:
        moved = np.where(numbers == IMPOSSIBLE, IMPOSSIBLE, numbers + by).astype(np.int32)
        return np.concatenate((numbers, moved))

    wins: FloatArray = np.zeros((2 * classes, 2 * classes))
    wins[:classes, classes:] = won
    wins[classes:, :classes] = ~won.T
    return replace(
        tables,
        face=np.tile(tables.face, 2),
        next_row=twice(tables.next_row, rows),
        pending=np.tile(tables.pending, 2),
        hides=np.tile(tables.hides, 2),
        commit=twice(tables.commit, rows),
        served=twice(tables.served, rows),
        full=np.tile(tables.full, 2),
        length=np.tile(tables.length, 2),
        terminal_class=twice(tables.terminal_class, classes),
        payoff=wins - wins.T,
        gp=wins,
        outcome=np.tile(tables.outcome, (2, 2)),
    )

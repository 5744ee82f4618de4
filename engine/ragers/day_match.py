"""A day of a match as arrays: it pays who has won the match, or before the last day what its end is worth.

What it pays depends on the seat: one of both is ahead, and a tie is the Defenders' (M3). So each player's row
runs through a copy of the row automaton of its own, and payoffs tell the copies apart.

Letters used for shapes: as in `engine.ragers.day`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.ragers.day import TWO_LOSERS, DayTables, tables_and_classes
from engine.ragers.day_effects import IMPOSSIBLE, BoolArray, FloatArray, Int32Array, Int64Array
from engine.ragers.rules import Rules


@dataclass(frozen=True)
class MatchStanding:
    """Where a match stands before combat begins on a day; hands are dealt, discards made.

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
class MatchDay:
    """A day of a match.

    Attributes
    ----------
    tables : its arrays. `payoff` is `unit` for the match won and -`unit` for the match lost; `gp` is what of
        it is above 0.
    unit : 1 on the last day. Before it `UNIT`, as payoffs are whole numbers, and chances are not.
    start_rows : the empty rows of both players, in their copies of the automaton.
    decks_counted : whether ties on GP and cheers cards are decided by the cards left after the day (M3), or
        by those there are before it.
    """

    tables: DayTables
    start_rows: tuple[int, int]
    decks_counted: bool
    unit: int = 1


UNIT = 1000
"""What a match won is paid before the last day."""
COST_UNIT = 2
"""Costs of cards are whole numbers of so many parts of a GP."""
MOST_COST = 12
"""Cards placed by one side are counted up to such a cost."""
Worth = Callable[[FloatArray, FloatArray], FloatArray]
"""From the Accusers' leads after a day, in GP and in cheers cards taken, [C, C] each, to what the match is
worth to them then, from -1 to 1."""


def last_day(
    rules: Rules,
    patron_id: str,
    cheers_ids: Sequence[str],
    standing: MatchStanding,
    *,
    count_decks: bool = True,
) -> MatchDay:
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
    gp, cheers = _leads(tables, keys[:, 2 : 2 + len(cheers_ids)].astype(bool), standing)
    won = _accusers_win(gp, cheers, placed, decks)
    payoff = np.where(won, 1.0, -1.0)
    return MatchDay(_by_seat(tables, payoff), _start_rows(tables), count_decks or max(decks) == 0)


def earlier_day(
    rules: Rules,
    patron_id: str,
    cheers_ids: Sequence[str],
    standing: MatchStanding,
    worth: Worth,
    costs: tuple[int, ...] | None = None,
) -> MatchDay:
    """Build the tables of a day before the last, given what the match is worth after it.

    A lead of the winning size ends the match at once (M3).

    Parameters
    ----------
    worth : of leads in which cards placed are counted at their price: the lead that `costs` tell is added.
    costs : [T] what placing a card of each type costs its owner on the days after, in `COST_UNIT` parts of a
        GP, at least 0; None for nothing. Hidden cards, whose type nobody sees, cost nothing.

    Raises
    ------
    UnknownNameError, ValueError
        As `engine.ragers.day.day_tables`.
    """
    copies = np.array(standing.left, dtype=np.int64)
    most = 0 if costs is None else int(min(MOST_COST, (copies @ costs).max()))
    tables, keys = tables_and_classes(rules, patron_id, cheers_ids, copies, most, costs if most else None)
    gp, cheers = _leads(tables, keys[:, 2 : 2 + len(cheers_ids)].astype(bool), standing)
    spent = keys[:, -1] / COST_UNIT if most else np.zeros(len(keys))
    after = np.clip(worth(gp - spent[:, None] + spent, cheers), -1.0, 1.0)
    after = np.where(np.abs(gp) >= rules.match.winning_lead, np.sign(gp), after)
    return MatchDay(_by_seat(tables, np.rint(UNIT * after)), _start_rows(tables), True, UNIT)


def _start_rows(tables: DayTables) -> tuple[int, int]:
    return tables.start_row, tables.start_row + tables.num_rows


def _leads(tables: DayTables, met: BoolArray, standing: MatchStanding) -> tuple[FloatArray, FloatArray]:
    """Return the Accusers' leads in GP and in cheers cards after the day, [C, C] by class of either player.

    `met` : [C, cheers].
    """
    scored = (tables.outcome != TWO_LOSERS)[:, :, None]
    took = (met[:, None] & ~met & scored).sum(axis=2).astype(np.float64)
    return standing.lead + tables.payoff, standing.taken + took - took.T


def _accusers_win(
    gp: FloatArray, cheers: FloatArray, placed: Int64Array, decks: tuple[int, int]
) -> BoolArray:
    """Return [C, C] bool: whether the Accusers, ending in class i, win against class j (M3).

    `placed` : [C], as far as any deck goes.
    """
    left = np.maximum(0, decks[0] - placed)[:, None] - np.maximum(0, decks[1] - placed)
    won: BoolArray = (gp > 0) | ((gp == 0) & ((cheers > 0) | ((cheers == 0) & (left > 0))))
    return won


def _by_seat(tables: DayTables, payoff: FloatArray) -> DayTables:
    """Return the day with a copy of every row and class for the Defenders.

    `payoff` : [C, C], to the Accusers, by class of theirs and of the Defenders.
    """
    rows, classes = tables.num_rows, tables.num_classes

    def twice(numbers: Int32Array, by: int) -> Int32Array:
        moved = np.where(numbers == IMPOSSIBLE, IMPOSSIBLE, numbers + by).astype(np.int32)
        return np.concatenate((numbers, moved))

    gained: FloatArray = np.zeros((2 * classes, 2 * classes))
    gained[:classes, classes:] = np.maximum(payoff, 0.0)
    gained[classes:, :classes] = np.maximum(-payoff.T, 0.0)
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
        payoff=gained - gained.T,
        gp=gained,
        outcome=np.tile(tables.outcome, (2, 2)),
    )

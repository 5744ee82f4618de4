"""The final rows of a day, and why it scored so, card by card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from engine.ragers.reference import State, deciders, row_limit, step
from engine.ragers.reference_row import DayResult, Outcome, Slot, last_attack, meets, score_day, scoring_icon
from engine.ragers.rules import ATTACKS, TYPES

if TYPE_CHECKING:
    from analysis.ragers.play.views import Played

Rows = tuple[tuple[Slot, ...], tuple[Slot, ...]]

#: Why a card scores nothing.
Reason = Literal["negated", "hidden", "other attack", "day lost", "no attack", "worth nothing"]


class CardScore(NamedTuple):
    """A card of a final row: its type as printed, its GP, and if that is nothing, why."""

    printed: int
    gp: int
    reason: Reason | None


class CheersScore(NamedTuple):
    """A cheers card of the day: its number in the rules, and which of the players met it."""

    number: int
    met: tuple[bool, bool]


class DayScore(NamedTuple):
    """How a day scored.

    Attributes
    ----------
    rows : both rows as they lay at the end.
    result : what the day brought.
    attacks : each player's last attack that counts; None without one.
    cards : each player's cards, in the order they were placed.
    cheers : the cheers cards that lay on the table.
    """

    rows: Rows
    result: DayResult
    attacks: tuple[int | None, int | None]
    cards: tuple[tuple[CardScore, ...], tuple[CardScore, ...]]
    cheers: tuple[CheersScore, ...]


def final_rows(before: State, move: tuple[int, int]) -> Rows:
    """Return both rows after the move that ends a day, which the state after it has cleared.

    The engine plays it once more where the day goes on: with longer rows, and hands that do not run out. (Who
    can place nothing still cannot, or the move would be illegal.)
    """
    rules, who = before.rules, deciders(before)
    assert before.patron is not None
    patron = rules.patrons[before.patron]
    longer = msgspec.structs.replace(patron, row_length=row_limit(before) + 2)
    patrons = (*rules.patrons[: before.patron], longer, *rules.patrons[before.patron + 1 :])
    more = [0 if name in patron.forbidden else rules.match.hand_size for name in TYPES]
    players = [
        replace(own, hand=tuple(held + extra for held, extra in zip(own.hand, more, strict=True)))
        if player in who
        else own
        for player, own in enumerate(before.players)
    ]
    open_end = replace(
        before, rules=msgspec.structs.replace(rules, patrons=patrons), players=(players[0], players[1])
    )
    after = step(open_end, move)
    first, second = ((*own.row, own.slot) if own.slot else own.row for own in after.players)
    return first, second


def day_score(before: State, move: tuple[int, int]) -> DayScore:
    """Return how the day scored that `move` ended."""
    rules = before.rules
    rows = final_rows(before, move)
    result = score_day(rules, rows, before.cheers_table)
    first, second = (_cards(before, rows[player], result, player) for player in (0, 1))
    cheers = tuple(
        CheersScore(index, (meets(rules.cheers[index], rows[0]), meets(rules.cheers[index], rows[1])))
        for index in before.cheers_table
    )
    return DayScore(rows, result, (last_attack(rows[0]), last_attack(rows[1])), (first, second), cheers)


def day_scores(steps: Sequence[Played], end: State) -> list[DayScore]:
    """Return how the finished days of a game scored.

    Parameters
    ----------
    steps, end : every move of the game, and where they lead.
    """
    found: list[DayScore] = []
    last: tuple[State, tuple[int, int]] | None = None
    for each in steps:
        # A day may end while hands are still being refilled: what counts is its last decision.
        if each.state.day > len(found) and last is not None:
            found.append(day_score(*last))
        if not isinstance(each.move, int):
            last = each.state, each.move
    if end.day > len(found) and last is not None:
        found.append(day_score(*last))
    return found


def _cards(before: State, row: tuple[Slot, ...], result: DayResult, player: int) -> tuple[CardScore, ...]:
    lost = result.outcome == (Outcome.WIN_1 if player == 0 else Outcome.WIN_0)
    icon = None if result.outcome == Outcome.TWO_LOSERS else scoring_icon(result.outcome, row, player)
    scores = []
    for slot in row:
        for card in slot:
            gp = 0
            reason: Reason | None
            if card.hidden:
                reason = "hidden"
            elif not card.face_up:
                reason = "negated"
            elif icon is None:
                reason = "day lost" if lost else "no attack"
            elif card.icon in ATTACKS and card.icon != icon:
                reason = "other attack"
            else:
                gp = before.rules.cards[card.printed].gp * (2 if card.marked else 1)
                reason = None if gp else "worth nothing"
            scores.append(CardScore(card.printed, gp, reason))
    return tuple(scores)

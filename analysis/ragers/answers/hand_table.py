"""Openings hand by hand: the likeliest hands, the best and the worst.

Letters: H hands, T types, A = T + 1 actions (the last: nothing placed, or no card exchanged).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from analysis.ragers.answers.answer import NOTHING
from analysis.ragers.answers.answered import Answered
from analysis.ragers.answers.brackets import Openings
from analysis.ragers.answers.health import HandLine
from analysis.ragers.answers.report import action_name
from analysis.ragers.hands import LETTER_OF, hand_names
from engine.ragers.rules import TYPES

#: Hands among the best and among the worst.
NUM_EXTREMES = 5
#: Rarer actions than half of this are left out.
_SHARE_UNIT = 1e-3


def letters_of(counts: list[int]) -> str:
    """Return a hand as letters."""
    return "".join(LETTER_OF[name] * count for name, count in zip(TYPES, counts, strict=True))


def dealt_worth(answered: Answered, player: int) -> NDArray[np.float64] | None:
    """Return what each hand is worth as dealt, [H] float64 GP; None where no worth per action is known."""
    strategy, answer = answered.strategy, answered.answer
    assert strategy is not None
    if answer.preparation not in ("none", "redraw"):
        return None
    openings = Openings(strategy, answered.scenario.day, answer.preparation, player)
    return openings.dealt_worth(openings.best)


def extremes(answered: Answered, player: int) -> list[HandLine]:
    """Return the best hands that can be dealt, then the worst, at most `NUM_EXTREMES` of each."""
    assert answered.strategy is not None
    worth = dealt_worth(answered, player)
    if worth is None:
        return []
    possible = np.flatnonzero(answered.strategy.deal_probability[player] > 0)
    order = possible[np.argsort(-worth[possible], kind="stable")].tolist()
    count = min(NUM_EXTREMES, len(order) // 2)
    return [hand_line(answered, player, worth, row) for row in (*order[:count], *order[len(order) - count :])]


def likeliest(answered: Answered, player: int, top: int) -> list[HandLine]:
    """Return the hands that are dealt most often, as many as `top`."""
    assert answered.strategy is not None
    dealt = answered.strategy.deal_probability[player]
    order = [row for row in np.argsort(-dealt, kind="stable").tolist() if dealt[row] > 0][:top]
    worth = dealt_worth(answered, player)
    return [hand_line(answered, player, worth, row) for row in order]


def hand_line(answered: Answered, player: int, worth: NDArray[np.float64] | None, row: int) -> HandLine:
    """Return a hand of the strategy by its row."""
    strategy = answered.strategy
    assert strategy is not None
    counts = strategy.hands[row].tolist()
    mix = strategy.opening[player, row].tolist()
    ranked = sorted(range(NOTHING + 1), key=lambda action: -mix[action])
    exchange = strategy.preparation_mix
    away = [0.0] if exchange is None else exchange[player, row, :NOTHING].tolist()
    return HandLine(
        letters=letters_of(counts),
        names=", ".join(hand_names(tuple(counts))),
        dealt=float(strategy.deal_probability[player, row]),
        worth_gp=None if worth is None else float(worth[row]),
        opens=[(action_name(action), mix[action]) for action in ranked if mix[action] >= _SHARE_UNIT / 2],
        exchanges=None if exchange is None else 1.0 - float(exchange[player, row, NOTHING]),
        puts_away=TYPES[away.index(max(away))] if max(away) >= _SHARE_UNIT / 2 else None,
    )

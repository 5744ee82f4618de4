"""What is seen of a move, as numbers: with perfect recall these rows are a player's information (V4)."""

from __future__ import annotations

from engine.raverun.moves import ORDERS
from engine.raverun.reference import CHANCE, Move, Phase, State, decider
from engine.raverun.rules import EXCHANGE

Row = tuple[int, ...]

ROW_NAMES = ("phase", "who", "draws", "card", "player", "order", "count")
"""The phase, from 1; who decides, from 1, or 0 for chance; whether a card is drawn (1), laid out anew (2) or
uncovered (3); the card, the player and the order, from 1; how many cards went under the deck. 0 stands for
nothing, and for what is not seen."""
_DRAWN, _LAID_OUT, _UNCOVERED = 1, 2, 3


def seen(before: State, move: Move | int, after: State, viewers: tuple[int, ...]) -> list[Row]:
    """Return what everybody, and some players, see of a move in a state: none, one or more rows."""
    phase, who = int(before.phase) + 1, decider(before)
    if who == CHANCE:
        return [_chance(before, move, phase, viewers)]
    assert isinstance(move, Move)
    card = 0 if move.card is None else move.card + 1
    player = 0 if move.player is None else move.player + 1
    order = ORDERS.index(move.order) + 1 if move.order else 0
    if before.phase == Phase.BID:
        rows: list[Row] = [(phase, who + 1, 0, card if who in viewers else 0, 0, 0, 0)]
        if after.phase != Phase.BID:  # all first cards are uncovered (V3)
            rows += [_uncovered(index, each.stack[-1], phase) for index, each in enumerate(after.players)]
        return rows
    exchanges = before.put or (move.card is not None and _offers_exchange(before))
    if exchanges:
        rows = [(phase, who + 1, 0, card, 0, 0, 0)] if who in viewers else []
        if not after.put:
            count = len(before.put) + (move.card is not None)
            rows.append((phase, who + 1, 0, 0, 0, 0, count))
        return rows
    rows = [(phase, who + 1, 0, card, player, order, 0)]
    for index, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        # What lay below a top that was taken away (6): its place may have been known to its owner only.
        if len(new.stack) < len(old.stack) and new.stack and after.shuffler is None:
            rows.append(_uncovered(index, new.stack[-1], phase))
    return rows


def _chance(before: State, move: Move | int, phase: int, viewers: tuple[int, ...]) -> Row:
    assert isinstance(move, int)
    if before.shuffler is None:
        assert before.drawer is not None
        shown = move + 1 if before.drawer in viewers else 0
        return (phase, 0, _DRAWN, shown, before.drawer + 1, 0, 0)
    on_top = not before.players[before.shuffler].stack
    shown = move + 1 if on_top or before.shuffler in viewers else 0
    return (phase, 0, _LAID_OUT, shown, before.shuffler + 1, 0, 0)


def _uncovered(player: int, card: int, phase: int) -> Row:
    return (phase, 0, _UNCOVERED, card + 1, player + 1, 0, 0)


def _offers_exchange(state: State) -> bool:
    return state.offered is not None and state.rules.action(state.offered) == EXCHANGE

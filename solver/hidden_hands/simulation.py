"""Play with both hands on the table: simple ways of choosing, and random playouts.

Nothing here knows of a tree or a strategy: rows move by the automaton, hands shrink and are refilled item by
item. Letters as in ``game``; ``M = MAX_ACTIONS``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.game import BaselinePolicy
from solver.hidden_hands.jit import F64, I64, Flags, kernel
from solver.hidden_hands.spaces import EXCHANGE, HIDE, PLACE
from solver.hidden_hands.tree import HIDING, NEXT_STEP, OVER, PENDING, Automaton, outcome
from solver.sampling.randomness import uniform_draw

_LOW = -1e300


class BaselinePolicies(NamedTuple):
    """How each player chooses who plays no stored strategy."""

    place: F64  # [2, T, 2] what placing a type scores: as such, and for each item held
    hide: F64  # [2, T] what hiding one scores
    exchanges: Flags  # [2] any exchange, each as likely; otherwise none
    playouts: I64  # [2] random playouts per action; 0: by score


class Table(NamedTuple):
    """A point of play, both hands in view."""

    rows: I64  # [2]
    hand: I64  # [2, T]
    stock: I64  # [2, T] items still to draw
    pool: I64  # [2, T] items that not everybody has seen
    hidden: I64  # [2] number of hidden items
    turn: I64  # [2] kind of the decision, and who acts (bit p: player p)
    option: I64  # [2] what each does: 1 if a hidden item cannot be placed, 0 otherwise
    item: I64  # [2] type of the item that leaves each hand, -1 none
    shown: I64  # [2] type that everybody sees, -1 none


def table(num_types: int) -> Table:
    """Allocate a point of play."""
    pairs = [np.zeros((2, num_types), np.int64) for _ in range(3)]
    singles = [np.zeros(2, np.int64) for _ in range(6)]
    return Table(singles[0], *pairs, *singles[1:])


def policies(chosen: Sequence[BaselinePolicy | None], num_types: int) -> BaselinePolicies:
    """Arrange both players' baseline policies; None, for who plays a stored strategy, may hold anything."""
    both = [
        each or BaselinePolicy("", (0.0,) * num_types, (0.0,) * num_types, (0.0,) * num_types)
        for each in chosen
    ]
    return BaselinePolicies(
        np.array([[each.place, each.per_item] for each in both], np.float64).transpose(0, 2, 1).copy(),
        np.array([each.hide for each in both], np.float64),
        np.array([each.exchanges for each in both], np.bool_),
        np.array([each.playouts for each in both], np.int64),
    )


@kernel
def copy_table(source: Table, target: Table) -> None:
    """Copy all but what players are about to do."""
    for p in range(2):
        target.rows[p] = source.rows[p]
        target.hidden[p] = source.hidden[p]
        target.turn[p] = source.turn[p]
        for t in range(source.hand.shape[1]):
            target.hand[p, t] = source.hand[p, t]
            target.stock[p, t] = source.stock[p, t]
            target.pool[p, t] = source.pool[p, t]


@kernel
def _drawn(counts: I64, total: int, stream: NDArray[np.uint64]) -> int:
    """A type drawn from ``counts`` of that total, at least one."""
    left = int(uniform_draw(stream) * total)
    for t in range(counts.size - 1):
        left -= counts[t]
        if left < 0:
            return t
    return int(counts.size - 1)


@kernel
def _draw(s: Table, player: int, stream: NDArray[np.uint64]) -> None:
    """Refill a hand by one item, if there is any."""
    total = 0
    for t in range(s.stock.shape[1]):
        total += s.stock[player, t]
    if total > 0:
        t = _drawn(s.stock[player], total, stream)
        s.stock[player, t] -= 1
        s.hand[player, t] += 1


@kernel
def deal(s: Table, player: int, size: int, stream: NDArray[np.uint64]) -> None:
    """Deal a player what nobody else has seen: a hand of up to ``size``, hidden items, the stock."""
    left = 0
    for t in range(s.pool.shape[1]):
        s.hand[player, t] = 0
        s.stock[player, t] = s.pool[player, t]
        left += s.pool[player, t]
    for k in range(s.hidden[player] + size):
        if left == 0:
            return
        t = _drawn(s.stock[player], left, stream)
        s.stock[player, t] -= 1
        left -= 1
        if k >= s.hidden[player]:
            s.hand[player, t] += 1


@kernel
def exchange_unseen(s: Table, player: int, item: int, stream: NDArray[np.uint64]) -> None:
    """Put an item back for another one; it cannot be its own replacement."""
    s.hand[player, item] -= 1
    _draw(s, player, stream)
    s.stock[player, item] += 1


@kernel
def _may(g: Automaton, s: Table, player: int, t: int) -> bool:
    """Whether a player may take an item of a type out of its hand."""
    may: bool = s.hand[player, t] > 0 and (s.turn[0] == EXCHANGE or g.placeable[t])
    return may


@kernel
def set_item(g: Automaton, s: Table, player: int, t: int) -> None:
    """Let a player use an item of type t, or none (-1)."""
    s.item[player] = t
    s.shown[player] = t if s.turn[0] != HIDE else -1
    s.option[player] = 1 if s.turn[0] == HIDE and t < 0 else 0


@kernel
def _any(g: Automaton, s: Table, player: int, stream: NDArray[np.uint64]) -> int:
    """Any type the player may use, each as likely; -1 if there is none, or to exchange nothing."""
    count = 1 if s.turn[0] == EXCHANGE else 0
    for t in range(g.num_types):
        if _may(g, s, player, t):
            count += 1
    if count == 0:
        return -1
    left = int(uniform_draw(stream) * count)
    for t in range(g.num_types):
        if _may(g, s, player, t):
            if left == 0:
                return t
            left -= 1
    return -1


@kernel
def act(g: Automaton, s: Table, stream: NDArray[np.uint64]) -> bool:
    """Carry out what was set for both players, draws included; True if play is over: ``rows`` are committed
    then."""
    kind, acts = s.turn[0], s.turn[1]
    for p in range(2):
        if not (acts >> p) & 1:
            s.item[p], s.shown[p], s.option[p] = -1, -1, 0
        t = s.item[p]
        if t >= 0:
            s.hand[p, t] -= 1
            if s.shown[p] >= 0:
                s.pool[p, t] -= 1
            _draw(s, p, stream)
    what, r0, r1, h0, h1 = outcome(
        g, kind, acts, s.rows[0], s.rows[1], s.shown[0], s.shown[1], s.option[0], s.option[1]
    )
    s.rows[0], s.rows[1] = r0, r1
    s.turn[0], s.turn[1] = PLACE, 3
    if what == OVER:
        return True
    if what == PENDING:
        s.turn[1] = (1 if g.pending[r0] else 0) | (2 if g.pending[r1] else 0)
        s.hidden[0] += h0
        s.hidden[1] += h1
    elif what == HIDING:
        s.turn[0], s.turn[1] = HIDE, h0 | (h1 << 1)
    elif what == NEXT_STEP:
        s.hidden[0] += h0
        s.hidden[1] += h1
    return False


@kernel
def _playout(g: Automaton, s: Table, player: int, first: int, stream: NDArray[np.uint64]) -> int:
    """Payoff to player 0 if ``player`` begins with an item and everything else is random."""
    begins = True
    while True:
        for p in range(2):
            if (s.turn[1] >> p) & 1:
                t = first if begins and p == player else _any(g, s, p, stream)
                set_item(g, s, p, t)
        begins = False
        if act(g, s, stream):
            pay: int = g.payoff[g.terminal_class[s.rows[0]], g.terminal_class[s.rows[1]]]
            return pay


@kernel
def _best_of_playouts(
    g: Automaton, s: Table, spare: Table, player: int, playouts: int, stream: NDArray[np.uint64]
) -> int:
    """The type that does best in random playouts, the other side's items dealt anew for each.

    An unseen exchange is tried as if it were seen: the item does not come back.
    """
    best, most = -1, _LOW
    size = 0
    for t in range(g.num_types):
        size += s.pool[1 - player, t]
    size = min(g.hand_size, size - s.hidden[1 - player])
    for t in range(-1, g.num_types):
        if not (_may(g, s, player, t) if t >= 0 else s.turn[0] == EXCHANGE):
            continue
        total = 0
        for _ in range(playouts):
            copy_table(s, spare)
            deal(spare, 1 - player, size, stream)
            total += _playout(g, spare, player, t, stream)
        worth = np.float64(total if player == 0 else -total)
        if worth > most:
            best, most = t, worth
    return best


@kernel
def choose(
    g: Automaton,
    s: Table,
    spare: Table,
    player: int,
    seat: int,
    m: BaselinePolicies,
    stream: NDArray[np.uint64],
) -> None:
    """Set what a player does who plays no stored strategy.

    ``player``, ``seat``: its number in ``m``, and where it sits at the table; ``spare``: work space.
    """
    if m.playouts[player] > 0:
        set_item(g, s, seat, _best_of_playouts(g, s, spare, seat, m.playouts[player], stream))
        return
    kind = s.turn[0]
    if kind == EXCHANGE:
        set_item(g, s, seat, _any(g, s, seat, stream) if m.exchanges[player] else -1)
        return
    best, most, ties = -1, _LOW, 0
    for t in range(g.num_types):
        if not _may(g, s, seat, t):
            continue
        score = m.hide[player, t]
        if kind == PLACE:
            score = m.place[player, t, 0] + m.place[player, t, 1] * s.hand[seat, t]
        if score > most:
            best, most, ties = t, score, 1
        elif score == most:
            # The k-th of equally good ones takes the place of the others with probability 1 / k.
            ties += 1
            if uniform_draw(stream) * ties < 1.0:
                best = t
    set_item(g, s, seat, best)

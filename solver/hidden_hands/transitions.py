"""What a pair of actions leads to, by the rows of an automaton alone."""

from __future__ import annotations

from solver.hidden_hands.arrays import I64
from solver.hidden_hands.jit import entry, kernel
from solver.hidden_hands.positions import Start
from solver.hidden_hands.spaces import EXCHANGE, HIDE, PLACE
from solver.hidden_hands.tree import (
    Automaton,
    public_type,
)

__all__ = [
    "EXCHANGED",
    "HIDING",
    "IMPOSSIBLE",
    "NEXT_STEP",
    "OVER",
    "PENDING",
    "follow",
    "is_final",
    "is_possible",
    "outcome",
]


@kernel
def _may_place_nothing(g: Automaton, pool: I64, n: int) -> bool:
    """Whether a hand of n items may hold nothing placeable, as far as the public knows."""
    if not g.has_nothing:
        return False
    banned = 0
    for t in range(g.num_types):
        if not g.placeable[t]:
            banned += pool[t]
    return banned >= n


@kernel
def is_final(g: Automaton, r0: int, r1: int) -> bool:
    """Whether the step that begins with these rows surely ends play."""
    if not g.use_finals:
        return False
    last0: bool = g.length[r0] == g.row_length - 1
    last1: bool = g.length[r1] == g.row_length - 1
    if g.has_nothing:
        return last0 and last1
    return last0 or last1


IMPOSSIBLE, EXCHANGED, PENDING, HIDING, OVER, NEXT_STEP = 0, 1, 2, 3, 4, 5


@entry
def outcome(
    g: Automaton, kind: int, acts: int, r0: int, r1: int, x: int, y: int, a: int, b: int
) -> tuple[int, int, int, int, int]:
    """What a pair of actions leads to: ``(what, row 0, row 1, h0, h1)``.

    ``h0``, ``h1``: who is to hide an item (``HIDING``) or has just hidden one (otherwise). At once
    (``HandGame.served``) means before somebody goes on; where nobody does, that is the end of the step.
    """
    if kind == EXCHANGE:
        return EXCHANGED, r0, r1, 0, 0
    if kind == PLACE:
        if acts == 3 and x < 0 and y < 0 and not (g.pending[r0] or g.pending[r1]):
            # Nobody can place anything: play ends with the rows as they are.
            return OVER, r0, r1, 0, 0
        nothing = g.next_row.shape[2] - 1
        own = x if x >= 0 else nothing
        opp = y if y >= 0 else nothing
        s0 = g.next_row[r0, g.face[r1], own, opp]
        s1 = g.next_row[r1, g.face[r0], opp, own]
        if s0 < 0 or s1 < 0:
            return IMPOSSIBLE, r0, r1, 0, 0
        if _hides_now(g, s0, s1):
            return HIDING, s0, s1, 1 if g.served[s0, 0] >= 0 else 0, 1 if g.served[s1, 0] >= 0 else 0
        if g.pending[s0] or g.pending[s1]:
            return PENDING, s0, s1, 0, 0
        h0 = 1 if g.hides[s0] else 0
        h1 = 1 if g.hides[s1] else 0
        if h0 or h1:
            may_fail = g.has_nothing
            over = g.full[g.commit[s0, h0]] or g.full[g.commit[s1, h1]]
            if may_fail or not over:
                return HIDING, s0, s1, h0, h1
    else:
        s0, s1 = r0, r1
        h0 = 1 if g.hides[s0] and a == 0 else 0
        h1 = 1 if g.hides[s1] and b == 0 else 0
        if g.pending[s0] or g.pending[s1]:
            s0 = g.served[s0, h0] if g.hides[s0] else s0
            s1 = g.served[s1, h1] if g.hides[s1] else s1
            return PENDING, s0, s1, h0, h1
    e0, e1 = g.commit[s0, h0], g.commit[s1, h1]
    if g.full[e0] or g.full[e1]:
        return OVER, e0, e1, h0, h1
    return NEXT_STEP, e0, e1, h0, h1


@kernel
def _hides_now(g: Automaton, s0: int, s1: int) -> bool:
    """Whether somebody is to hide an item before one goes on whose row is pending.

    Not where the step ends play whatever is hidden, and hiding cannot fail: it changes nothing then.
    """
    if not (g.pending[s0] or g.pending[s1]) or (g.served[s0, 0] < 0 and g.served[s1, 0] < 0):
        return False
    ends = g.length[s0] >= g.row_length or g.length[s1] >= g.row_length
    return g.has_nothing or not ends


@kernel
def is_possible(g: Automaton, kind: int, acting: int, action: int, pool: I64, hand: int) -> bool:
    if not acting:
        return True
    if kind == HIDE:
        return hand > 0 if action == 0 else _may_place_nothing(g, pool, hand)
    x = public_type(kind, action, g.local_types, g.num_types)
    if x >= 0:
        return hand > 0 and pool[x] > 0
    return kind == EXCHANGE or _may_place_nothing(g, pool, hand)


def follow(g: Automaton, start: Start, types: tuple[int, int], options: tuple[int, int]) -> Start | None:
    """Where a pair of actions leads: the next decision, or None once play is over.

    Parameters
    ----------
    types : (int, int)
        Type that each player's action shows to everybody, -1 for none.
    options : (int, int)
        The actions' local numbers; 0 for who does not act.

    Raises
    ------
    ValueError
        If the automaton knows no such pair.
    """
    what, r0, r1, h0, h1 = outcome(g, start.kind, start.acts, *start.rows, *types, *options)
    pools = start.pools.copy()
    for p, shown in enumerate(types):
        if shown >= 0:
            pools[p, shown] -= 1
    rows = (int(r0), int(r1))
    if what == IMPOSSIBLE:
        raise ValueError("no play leads there")
    if what == OVER:
        return None
    if what == EXCHANGED:
        return Start(PLACE, 3, rows, start.hidden, 0, pools)
    if what == PENDING:
        acts = (1 if g.pending[r0] else 0) | (2 if g.pending[r1] else 0)
        hidden = (start.hidden[0] + int(h0), start.hidden[1] + int(h1))
        return Start(PLACE, acts, rows, hidden, start.step, pools)
    if what == HIDING:
        return Start(HIDE, int(h0 | (h1 << 1)), rows, start.hidden, start.step, pools)
    hidden = (start.hidden[0] + int(h0), start.hidden[1] + int(h1))
    return Start(PLACE, 3, rows, hidden, start.step + 1, pools)

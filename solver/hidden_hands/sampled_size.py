"""The size of an un-merged public tree from a sample of it, in a second where counting takes minutes.

Stochastic enumeration (Vaisman & Kroese 2017): generation after generation all children of some decisions are
listed. Where there are too many to go on with, some are drawn, each as likely, and stand for the rest, so
every count is unbiased. Which decisions there are depends neither on payoffs nor on what the rows are worth:
a game with the same moves and fewer rows will do.

``N`` decisions of a generation, ``M`` children.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.enumeration import pair_counts, remainder_counts
from solver.hidden_hands.game import HandGame
from solver.hidden_hands.spaces import EXCHANGE, HIDE, PLACE, Spaces
from solver.hidden_hands.tree import (
    EXCHANGED,
    HIDING,
    IMPOSSIBLE,
    LANES,
    MAX_LINKS,
    NEXT_STEP,
    OVER,
    PENDING,
    Automaton,
    TreeSize,
)

__all__ = ["sampled_size"]

_MOST = 5000
"""Decisions of a generation that are looked at: counts come out within some per cent."""
_CHUNK = 500

_Ints = NDArray[np.int64]
_Flags = NDArray[np.bool_]


class _Decisions(NamedTuple):
    """Decisions; see the columns of ``enumeration``."""

    kind: _Ints  # [N]
    acts: _Ints  # [N]
    rows: _Ints  # [N, 2]
    hidden: _Ints  # [N, 2]
    step: _Ints  # [N]
    pools: _Ints  # [N, 2, T]
    stands_for: NDArray[np.float64]  # [N] decisions of the tree

    def take(self, which: NDArray[np.int64] | _Flags) -> _Decisions:
        columns: list[Any] = [column[which] for column in self]
        return _Decisions(*columns)


_Counted = tuple[NDArray[np.float64], _Decisions]
"""Totals of some decisions, in the order of `TreeSize`, and the decisions right below."""


def sampled_size(
    g: Automaton,
    game: HandGame,
    spaces: tuple[Spaces, Spaces],
    exchange: bool,
    symmetric: bool,
    seed: int = 0,
) -> TreeSize:
    """Estimate what ``enumeration.count_tree`` would count; exact for trees of narrow generations.

    Parameters
    ----------
    exchange, symmetric : bool
        As for ``count_tree``.
    seed : int
        Seed of the sample.
    """
    random = np.random.default_rng(seed)
    counter = _Counter(g, game, spaces)
    now = _Decisions(
        np.array([EXCHANGE if exchange else PLACE]),
        np.array([3]),
        np.full((1, 2), game.start_row),
        np.zeros((1, 2), np.int64),
        np.zeros(1, np.int64),
        np.asarray(game.copies, np.int64)[None],
        np.ones(1),
    )
    totals = np.zeros(len(TreeSize._fields))
    root = True
    while now.kind.size:
        # Decisions of a step before any of the next: few lie above many.
        onward = []
        while now.kind.size:
            parts = []
            for first in range(0, now.kind.size, _CHUNK):
                chunk = now.take(np.arange(first, min(first + _CHUNK, now.kind.size)))
                counted, children = counter.expand(chunk, symmetric and root, root)
                totals += counted
                parts.append(children)
            root = False
            children = _joined(parts)
            inside = children.step == now.step[0]
            onward.append(children.take(~inside))
            now = _drawn(children.take(inside), g, random)
        now = _drawn(_joined(onward), g, random)
    return TreeSize(*(round(float(total)) for total in totals))


def _joined(parts: list[_Decisions]) -> _Decisions:
    return _Decisions(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _drawn(now: _Decisions, g: Automaton, random: np.random.Generator) -> _Decisions:
    """Some of too many decisions, each of which stands for as many.

    Drawn at equal distances from a list in which those lie together that are followed by about as much.
    """
    if now.kind.size <= _MOST:
        return now
    chain = g.local_types[g.num_plain : g.num_plain + g.num_chain]
    keys = [*now.pools[:, :, chain].reshape(now.kind.size, -1).T, *now.hidden.T, *now.rows.T]
    order = np.lexsort([*keys, *g.length[now.rows].T, now.acts, now.kind])
    heap = np.cumsum(now.stands_for[order])
    distance = heap[-1] / _MOST
    places = np.searchsorted(heap, (random.random() + np.arange(_MOST)) * distance)
    some = now.take(order[np.minimum(places, order.size - 1)])
    return some._replace(stands_for=np.full(_MOST, distance))


def _either(flags: NDArray[np.bool_]) -> _Flags:
    """``[N, m]`` whether either player's flag is set."""
    found: _Flags = flags[..., 0] | flags[..., 1]
    return found


class _Counter:
    """Expands decisions of one game, many at a time."""

    def __init__(self, g: Automaton, game: HandGame, spaces: tuple[Spaces, Spaces]) -> None:
        self.g = g
        self.hand_size, self.start_row = int(game.hand_size), int(game.start_row)
        self.pairs, self.rests = pair_counts(spaces), remainder_counts(spaces)
        self.per_hand = spaces[0].num_hidden + 1
        #: Type that each action of a kind shows, -1 for none.
        self.menus = {
            PLACE: np.asarray(g.local_types),
            HIDE: np.array([-1, -1]),
            EXCHANGE: np.r_[0 : len(game.type_ids), -1],
        }
        self._nests = lru_cache(maxsize=None)(self._nested)

    def expand(self, now: _Decisions, mirrored: bool, root: bool) -> _Counted:
        """Count what some decisions are, and list what follows; ``mirrored``: without mirror images."""
        parts = [
            self._alike(now.take((now.kind == kind) & (now.acts == acts)), kind, acts, mirrored, root)
            for kind in (PLACE, HIDE, EXCHANGE)
            for acts in (1, 2, 3)
            if ((now.kind == kind) & (now.acts == acts)).any()
        ]
        return np.sum([counted for counted, _ in parts], axis=0), _joined([children for _, children in parts])

    def _alike(self, now: _Decisions, kind: int, acts: int, mirrored: bool, root: bool) -> _Counted:
        """Likewise for decisions of one kind, at which the same players act."""
        g, n = self.g, now.kind.size
        menu = self.menus[kind]
        own = [menu if acts >> p & 1 else np.array([-1]) for p in range(2)]
        a, b = (grid.reshape(-1) for grid in np.meshgrid(*(np.arange(m.size) for m in own), indexing="ij"))
        x, y = own[0][a], own[1][b]
        left = now.pools.sum(axis=2)
        hand = np.minimum(self.hand_size, left - now.hidden)  # [N, 2]
        level = hand * self.per_hand + now.hidden
        possible = np.ones((n, a.size), np.bool_)
        for p, options in enumerate((a, b)):
            if acts >> p & 1:
                possible &= self._possible(now, kind, p, own[p], hand)[:, options]
        if mirrored:
            possible &= b >= a
        what, ends, hides = self._outcomes(now.rows, kind, acts, (x, y), (a, b))
        possible &= what != IMPOSSIBLE
        final = possible & (what == NEXT_STEP) & self._is_final(ends)
        inside = possible & ~final & (what != OVER)
        over = possible & (what == OVER)
        finals = final.sum(axis=1)
        batches, records = -(-finals // LANES), finals.copy()
        if g.num_chain:
            for i in np.flatnonzero(finals):
                nested = self._nests(*self._chain_pools(now.pools[i]))
                batches[i] += batches[i] * nested
                records[i] += records[i] * nested
        regrets = rests = np.zeros(n, np.int64)
        for p in range(2):
            acting = acts >> p & 1
            if acting and not (mirrored and p == 1):
                regrets = regrets + self.pairs[p, kind, level[:, p]]
            rests = rests + self.rests[p, kind if acting else 3, level[:, p]]
        lazy = inside.any(axis=1) & (now.step <= g.row_length - 3) & (not root)
        flows = over.any(axis=1) * (own[0].size if mirrored else own[0].size + own[1].size)
        ones = np.ones(n, np.int64)
        counts = np.stack([ones, ones * a.size, batches, regrets, records, flows, rests * lazy])
        return counts @ now.stands_for, self._children(now, inside, what, ends, hides, (x, y))

    def _possible(self, now: _Decisions, kind: int, player: int, shown: _Ints, hand: _Ints) -> _Flags:
        """``[N, m]`` which actions a player may take, as ``transitions.is_possible``."""
        held = hand[:, player, None] > 0
        banned = now.pools[:, player][:, ~np.asarray(self.g.placeable)].sum(axis=1)
        nothing = (banned >= hand[:, player])[:, None] if self.g.has_nothing else np.zeros_like(held)
        if kind == HIDE:
            return np.concatenate([held, nothing], axis=1)
        found: _Flags = held & (now.pools[:, player][:, np.maximum(shown, 0)] > 0)
        found[:, shown < 0] = True if kind == EXCHANGE else nothing
        return found

    def _outcomes(
        self, rows: _Ints, kind: int, acts: int, shown: tuple[_Ints, _Ints], options: tuple[_Ints, _Ints]
    ) -> tuple[_Ints, _Ints, _Ints]:
        """``[N, m]`` what pairs of actions lead to, ``[N, m, 2]`` rows then and who is to hide, or has.

        As ``transitions.outcome``.
        """
        g = self.g
        n, m = rows.shape[0], shown[0].size
        before = np.broadcast_to(rows[:, None], (n, m, 2))
        if kind == EXCHANGE:
            return np.full((n, m), EXCHANGED), before, np.zeros((n, m, 2), np.int64)
        what = np.full((n, m), NEXT_STEP)
        if kind == PLACE:
            nothing = g.next_row.shape[2] - 1
            x, y = (np.where(each >= 0, each, nothing)[None] for each in shown)
            r0, r1 = before[..., 0], before[..., 1]
            s = np.stack([g.next_row[r0, g.face[r1], x, y], g.next_row[r1, g.face[r0], y, x]], axis=2)
            impossible = _either(np.asarray(s < 0))
            idle = (acts == 3) & (shown[0] < 0) & (shown[1] < 0) & ~_either(np.asarray(g.pending[before]))
            s = np.where(impossible[..., None], before, s).astype(np.int64)
            pending = _either(g.pending[s])
            served = g.served[s, 0] >= 0
            ends = _either(np.asarray(g.length[s] >= g.row_length))
            now = pending & _either(served) & (g.has_nothing | ~ends)
            wants = np.asarray(g.hides[s])
            full = _either(g.full[g.commit[s, wants.astype(np.int64)]])
            later = ~pending & _either(wants) & (g.has_nothing | ~full)
            h = np.where(now[..., None], served, wants & ~pending[..., None]).astype(np.int64)
            done = ~(now | pending | later)
        else:
            s = before.astype(np.int64)
            h = np.stack([g.hides[s[..., p]] & (options[p] == 0) for p in range(2)], axis=2).astype(np.int64)
            idle = impossible = now = later = np.zeros((n, m), np.bool_)
            pending = _either(g.pending[s])
            s = np.where((pending[..., None] & g.hides[s]), g.served[s, h], s)
            done = ~pending
        ended = np.where(done[..., None], g.commit[s, h], s).astype(np.int64)
        what[done & g.full[ended].any(axis=2)] = OVER
        what[pending & ~now] = PENDING
        what[now | later] = HIDING
        if kind == PLACE:
            # Nobody hides on the way to a further placement of the same step.
            h = np.where((what == PENDING)[..., None], 0, h)
        what[impossible] = IMPOSSIBLE
        what[idle] = OVER
        return what, ended, h

    def _is_final(self, ends: _Ints) -> _Flags:
        g = self.g
        if not g.use_finals:
            return np.zeros(ends.shape[:2], np.bool_)
        last = g.length[ends] == g.row_length - 1
        found: _Flags = last.all(axis=2) if g.has_nothing else last.any(axis=2)
        return found

    def _children(
        self,
        now: _Decisions,
        inside: _Flags,
        what: _Ints,
        ends: _Ints,
        hides: _Ints,
        shown: tuple[_Ints, _Ints],
    ) -> _Decisions:
        """The decisions that follow."""
        parent, move = np.nonzero(inside)
        code, rows, h = what[parent, move], ends[parent, move], hides[parent, move]
        pools = now.pools[parent]
        for p in range(2):
            some = np.flatnonzero(shown[p][move] >= 0)
            pools[some, p, shown[p][move[some]]] -= 1
        bits = np.array([1, 2])
        pending = self.g.pending[rows] @ bits
        acts = np.select([code == PENDING, code == HIDING], [pending, h @ bits], 3)
        hidden = now.hidden[parent] + np.where((code == HIDING)[:, None], 0, h)
        step = np.where(code == EXCHANGED, 0, now.step[parent] + (code == NEXT_STEP))
        kind = np.where(code == HIDING, HIDE, PLACE)
        return _Decisions(kind, acts, rows, hidden, step, pools, now.stands_for[parent])

    def _chain_pools(self, pools: _Ints) -> tuple[tuple[int, ...], tuple[int, ...]]:
        chain = np.asarray(self.g.local_types[self.g.num_plain : self.g.num_plain + self.g.num_chain])
        return tuple(pools[0, chain].tolist()), tuple(pools[1, chain].tolist())

    def _nested(
        self, one: tuple[int, ...], other: tuple[int, ...], rows: tuple[int, int] | None = None
    ) -> int:
        """How many batches nest in one, as ``final_links.allocate_links``: from the rows of the start on."""
        g = self.g
        r0, r1 = rows or (self.start_row,) * 2
        total = 0
        for link in range(MAX_LINKS):
            i, j = link // 2, link % 2
            if i >= g.num_chain or j >= g.num_chain or not (one[i] and other[j]):
                continue
            a, b = (int(g.local_types[g.num_plain + k]) for k in (i, j))
            s0, s1 = int(g.next_row[r0, g.face[r1], a, b]), int(g.next_row[r1, g.face[r0], b, a])
            if s0 >= 0 and s1 >= 0 and g.pending[s0] and g.pending[s1]:
                fewer = tuple(n - (k == i) for k, n in enumerate(one))
                total += 1 + self._nests(fewer, tuple(n - (k == j) for k, n in enumerate(other)), (s0, s1))
        return total

"""Plays sampled from a solution: the strategies found against each other, and simple players against them.

Who plays a stored strategy needs no hand here: given what everybody has seen hands are independent, so its
next public action is drawn from its cumulative reach. Who plays by a *baseline policy* (``simulation``) holds
real items. A lone chain at the last placement, stored only as what it was worth, pays just that against such
a policy; where both play stored strategies it is topped as well as a hand drawn afresh allows, as in
``statistics``.

Each play has a random stream of its own, so results do not depend on the number of threads. *Seats* are the
tree's players: they swap where a mirrored child stands for another one. Letters as in ``simulation``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.decisions.forward import load_child
from solver.hidden_hands.final.visits import Hedge
from solver.hidden_hands.final_state import FinalState
from solver.hidden_hands.game import Samples, Sampling
from solver.hidden_hands.jit import F32, F64, I8, I64, Flags, entry, kernel
from solver.hidden_hands.merged.shipped import forward_average
from solver.hidden_hands.merged.window import Follower, descend, in_window, play_both, take_in_hand
from solver.hidden_hands.merged_tree import MergedPlay
from solver.hidden_hands.profile import Profile
from solver.hidden_hands.simulation import (
    BaselinePolicies,
    Table,
    act,
    choose,
    copy_table,
    deal,
    exchange_unseen,
    policies,
    set_item,
    table,
)
from solver.hidden_hands.spaces import EXCHANGE, HIDE, MAX_ACTIONS, PLACE
from solver.hidden_hands.statistics import child_reach, reach_of_nodes
from solver.hidden_hands.tree import CHILD_FINAL, CHILD_NONE, LANES, Automaton, action_counts, menu_size
from solver.hidden_hands.walk_memory import Problem, WalkScratch
from solver.hidden_hands.workers import Workers
from solver.sampling.randomness import drawn_index, stream_word

_Scratch = TypeVar("_Scratch")
_PLAYS_AT_ONCE = 64
"""Plays that a thread takes at once."""

_LOST = np.nan
"""Payoff of a play that left the tree: a broken invariant, never a result."""


class Players(NamedTuple):
    """Who plays how."""

    stored: Flags  # [2] by stored strategy
    policies: BaselinePolicies  # of who does not
    redraws: bool  # whether one unseen exchange comes before the first step
    seed: int


class Play(NamedTuple):
    """A play in progress, and its record."""

    now: Table  # by seat
    spare: Table
    mix: F64  # [2, M] by seat
    move: I64  # [2] local actions by seat
    seat: I64  # [2] player at each seat
    stream: NDArray[np.uint64]  # [1]
    shown: I8  # [N, D, 2] by player, see `Samples`
    pay: F64  # [N] to player 0
    at: I64  # [2] number of the play, of the decision


def play(num_types: int, shown: I8, pay: F64) -> Play:
    """Allocate a play whose record goes to ``shown`` and ``pay``."""
    return Play(
        table(num_types),
        table(num_types),
        np.zeros((2, MAX_ACTIONS)),
        np.zeros(2, np.int64),
        np.zeros(2, np.int64),
        np.zeros(1, np.uint64),
        shown,
        pay,
        np.zeros(2, np.int64),
    )


@kernel
def _begin(q: Problem, g: Automaton, kind: int, start_row: int, number: int, y: Players, z: Play) -> None:
    """Deal hands, and let players exchange unseen."""
    z.stream[0] = stream_word(y.seed, number)
    z.at[0], z.at[1] = number, 0
    s = z.now
    for p in range(2):
        z.seat[p] = p
        s.rows[p], s.hidden[p] = start_row, 0
        for t in range(g.num_types):
            s.pool[p, t] = q.stocks[p, t]
            s.hand[p, t] = s.stock[p, t] = 0
    for p in range(2):
        if not y.stored[p]:
            deal(s, p, g.hand_size, z.stream)
            if y.redraws and s.stock[p].sum() > 0:
                s.turn[0], s.turn[1] = EXCHANGE, 1 << p
                choose(g, s, z.spare, p, p, y.policies, z.stream)
                if s.item[p] >= 0:
                    exchange_unseen(s, p, s.item[p], z.stream)
    s.turn[0], s.turn[1] = kind, 3


@kernel
def _set_move(q: Problem, g: Automaton, s: Table, seat: int, action: int) -> None:
    """Let a seat take a local action."""
    if s.turn[0] == HIDE:
        s.item[seat], s.shown[seat], s.option[seat] = -1, -1, action
        return
    t = q.types[action] if s.turn[0] == PLACE else (action if action < g.num_types else -1)
    s.item[seat], s.shown[seat], s.option[seat] = t, t, 0


@kernel
def _move_of(q: Problem, g: Automaton, s: Table, seat: int) -> int:
    """The local action that was chosen for a seat."""
    if s.turn[0] == HIDE:
        hidden: int = s.option[seat]
        return hidden
    if s.turn[0] == EXCHANGE:
        return int(s.item[seat] if s.item[seat] >= 0 else g.num_types)
    for a in range(q.types.size):
        if q.types[a] == s.item[seat]:
            return a
    return 0


@kernel
def _turn(q: Problem, g: Automaton, y: Players, z: Play) -> bool:
    """Let everybody act who is to act, by ``mix`` or policy; True if play is over."""
    s = z.now
    kind, acts = s.turn[0], s.turn[1]
    count = menu_size(kind, q.types, g.num_types)
    for seat in range(2):
        z.move[seat] = 0
        if not (acts >> seat) & 1:
            continue
        player = z.seat[seat]
        if y.stored[player]:
            total = 0.0
            for a in range(count):
                total += z.mix[seat, a]
            z.move[seat] = drawn_index(z.stream, z.mix[seat], count, total)
            _set_move(q, g, s, seat, z.move[seat])
        else:
            choose(g, s, z.spare, player, seat, y.policies, z.stream)
            z.move[seat] = _move_of(q, g, s, seat)
    return _carry_out(g, z)


@kernel
def _carry_out(g: Automaton, z: Play) -> bool:
    """Do what was set for both seats, and record it; True if play is over."""
    s = z.now
    kind, acts = s.turn[0], s.turn[1]
    over = act(g, s, z.stream)
    number, decision = z.at[0], z.at[1]
    if decision < z.shown.shape[1]:
        for seat in range(2):
            what = s.shown[seat]
            if kind == HIDE and (acts >> seat) & 1 and s.option[seat] == 0:
                what = g.num_types
            z.shown[number, decision, z.seat[seat]] = what
    z.at[1] += 1
    return over


@kernel
def _end(g: Automaton, z: Play) -> None:
    """Keep what the rows pay."""
    s = z.now
    pay = g.payoff[g.terminal_class[s.rows[0]], g.terminal_class[s.rows[1]]]
    z.pay[z.at[0]] = pay if z.seat[0] == 0 else -pay


@kernel
def _swap(z: Play) -> None:
    """Let the players change seats."""
    copy_table(z.now, z.spare)
    s, was = z.now, z.spare
    for p in range(2):
        s.rows[p], s.hidden[p] = was.rows[1 - p], was.hidden[1 - p]
        for t in range(s.hand.shape[1]):
            s.hand[p, t] = was.hand[1 - p, t]
            s.stock[p, t] = was.stock[1 - p, t]
            s.pool[p, t] = was.pool[1 - p, t]
    s.turn[1] = (s.turn[1] >> 1) | ((s.turn[1] & 1) << 1)
    z.seat[0], z.seat[1] = z.seat[1], z.seat[0]
    z.move[0], z.move[1] = z.move[1], z.move[0]


@kernel
def _top(q: Problem, g: Automaton, joint: int, seat: int, opposing: int, z: Play) -> None:
    """Place a lone chain's further items out of a hand drawn afresh: chain items first, then the best top."""
    s = z.now
    left = 0
    for t in range(g.num_types):
        left += s.pool[seat, t]
    deal(s, seat, min(g.hand_size, left - s.hidden[seat]), z.stream)
    slot, plain = q.tables.top_slot[joint], q.frame.num_plain
    length = 0
    while True:
        best = plain
        if s.hand[seat, q.types[plain]] == 0 or length + 1 >= q.tables.top.shape[2]:
            best = -1
            for x in range(q.types.size):
                t = q.types[x]
                if x == plain or t < 0 or s.hand[seat, t] == 0:
                    continue
                if best < 0 or (
                    q.tables.top[slot, seat, length, opposing, x]
                    > q.tables.top[slot, seat, length, opposing, best]
                ):
                    best = x
        set_item(g, s, seat, q.types[best] if best >= 0 else -1)
        if _carry_out(g, z):
            _end(g, z)
            return
        length = min(length + 1, q.tables.top.shape[2] - 1)


@kernel
def _finish(
    q: Problem, g: Automaton, batch: int, lane: int, reach: F32, lone: F32, y: Players, z: Play
) -> None:
    """Play a final step, its sub-steps included. ``reach``, ``lone``: as in ``FinalState``."""
    s = z.now
    while batch >= 0:
        for seat in range(2):
            for x in range(q.types.size):
                z.mix[seat, x] = reach[batch, seat, x, lane]
        if _turn(q, g, y, z):
            _end(g, z)
            return
        acts = s.turn[1]
        a, b = z.move[0], z.move[1]
        if acts == 3:
            batch = q.tree.link[batch, (a - q.frame.num_plain) * 2 + b - q.frame.num_plain]
            continue
        seat = 0 if acts == 1 else 1
        own, opposing = (a, b) if seat == 0 else (b, a)
        if y.stored[z.seat[seat]]:
            if y.stored[z.seat[1 - seat]]:
                _top(q, g, q.tree.row_pair[batch, lane], seat, opposing, z)
            else:
                worth = np.float64(lone[batch, seat, opposing, lane]) / reach[batch, seat, own, lane]
                z.pay[z.at[0]] = worth if z.seat[seat] == 0 else -worth
            return
        while not _turn(q, g, y, z):
            pass
        _end(g, z)
        return
    z.pay[z.at[0]] = _LOST


@entry
def sample_tree(
    q: Problem,
    g: Automaton,
    start_row: int,
    end_reach: F32,
    state: FinalState,
    node_reach: F64,
    first: int,
    last: int,
    y: Players,
    z: Play,
) -> None:
    """Sample plays ``first`` to ``last`` (exclusive) on an un-merged tree.

    ``node_reach`` ``[n, 2] float64``: cumulative reach into all nodes.
    """
    tree = q.tree
    for number in range(first, last):
        _begin(q, g, tree.kind[0], start_row, number, y, z)
        node = 0
        while True:
            n0, n1 = action_counts(tree, node, q.types, q.stocks.shape[1])
            start = tree.child_start[node]
            for seat in range(2):
                for own in range(n0 if seat == 0 else n1):
                    z.mix[seat, own] = 0.0
                    for other in range(n1 if seat == 0 else n0):
                        a, b = (own, other) if seat == 0 else (other, own)
                        if tree.child[start + a * n1 + b] != CHILD_NONE:
                            z.mix[seat, own] = child_reach(q, node, a, b, seat, end_reach, state, node_reach)
                            break
            over = _turn(q, g, y, z)
            if tree.symmetric[node] == 1 and z.move[1] < z.move[0]:
                _swap(z)
            if over:
                _end(g, z)
                break
            code = tree.child[start + z.move[0] * n1 + z.move[1]]
            if code >= 0:
                node = int(code)
                continue
            rank = CHILD_FINAL - code
            batch = tree.batch_start[node] + rank // LANES if rank >= 0 else -1
            _finish(q, g, batch, rank % LANES, state.reach, state.lone, y, z)
            break


@entry
def sample_merged(
    f: Follower,
    g: Automaton,
    start_row: int,
    shipped: MergedPlay,
    rare: F64,
    opening: F64,
    below: F32,
    first: int,
    last: int,
    hedge: Hedge,
    y: Players,
    z: Play,
) -> None:
    """Sample plays ``first`` to ``last`` (exclusive) along the histories of a merged tree.

    ``rare`` ``[M, M] float64``: reach up to which actions are dropped (``apply_threshold``), by first
    actions; ``opening`` ``[2, M] float64``: probability of each first action; ``below`` ``[2, M, N]
    float32``: ranges after each first action and its draw.
    """
    q, room, w, merged = f.problem, f.room, f.walk, shipped.merged
    tree, played = q.tree, room.played
    here = in_window(q, room)
    for number in range(first, last):
        _begin(q, g, PLACE, start_row, number, y, z)
        for seat in range(2):
            for a in range(MAX_ACTIONS):
                z.mix[seat, a] = opening[seat, a]
        if _turn(q, g, y, z):
            _end(g, z)
            continue
        node = int(merged.roots[z.move[0], z.move[1]])
        if node < 0:
            _swap(z)
            node = int(merged.roots[z.move[0], z.move[1]])
        for seat in range(2):
            for t in range(g.num_types):
                tree.pool[node, seat, t] = z.now.pool[seat, t]
            for s in range(w.reach.shape[2]):
                w.reach[0, seat, s] = below[seat, z.move[seat], s]
        least = rare[z.move[0], z.move[1]]
        depth = 0
        while True:
            _, n1 = action_counts(tree, node, q.types, q.stocks.shape[1])
            w.weight[depth] = 0.0
            for seat in range(2):
                sp = q.spaces0 if seat == 0 else q.spaces1
                forward_average(q, node, depth, seat, shipped, w, sp, -1.0, least)
                for a in range(MAX_ACTIONS):
                    z.mix[seat, a] = w.action_reach[depth, seat, a]
            if _turn(q, g, y, z):
                _end(g, z)
                break
            a, b = z.move[0], z.move[1]
            code = tree.child[tree.child_start[node] + a * n1 + b]
            if code < 0 or not descend(q, node, code, a, b):
                rank = CHILD_FINAL - code if code <= CHILD_FINAL else -1
                batch = rank // LANES if rank >= 0 else -1
                if batch >= 0:
                    take_in_hand(q, node, room)
                    play_both(f, merged, shipped.memory, node, depth, batch, hedge)
                _finish(here, g, batch, rank % LANES, played.reach, played.lone, y, z)
                break
            load_child(q, code, a, b, w, depth, w, depth + 1)
            node = int(code)
            depth += 1


class Sampler(Protocol):
    """Samples so many plays of such players: ``shown`` and ``pay`` of `Play`.

    ``watch`` is told how much is done, from 0 to 1; what it raises ends the sampling.
    """

    def __call__(
        self, count: int, players: Players, watch: Callable[[float], None] | None = None
    ) -> tuple[I8, F64]: ...


def share_plays(
    profile: Profile,
    workers: Workers,
    scratches: list[_Scratch],
    task: Callable[[int, int, Players, Play, _Scratch], None],
) -> Sampler:
    """Return what runs ``task`` on all plays, some at once for each thread."""

    def run(count: int, players: Players, watch: Callable[[float], None] | None = None) -> tuple[I8, F64]:
        shown = np.full((count, profile.depth, 2), -2, np.int8)
        pay = np.full(count, np.nan)
        rooms = [(play(profile.problem.stocks.shape[1], shown, pay), each) for each in scratches]
        workers.share_out(
            rooms,
            range(0, count, _PLAYS_AT_ONCE),
            lambda first, room: task(first, min(first + _PLAYS_AT_ONCE, count), players, *room),
            watch,
        )
        return shown, pay

    return run


def tree_sampler(profile: Profile, workers: Workers) -> Sampler:
    """Return what samples plays on an un-merged tree; all that they have in common is prepared."""
    problem, end_reach, state = profile.problem, profile.end_reach, profile.state
    node_reach = np.zeros((problem.tree.kind.size, 2))
    reach_of_nodes(problem, end_reach, state, node_reach)
    fixed = (problem, profile.rows, int(profile.game.start_row), end_reach, state, node_reach)

    def some(first: int, last: int, players: Players, one: Play, _: WalkScratch) -> None:
        sample_tree(*fixed, first, last, players, one)

    return share_plays(profile, workers, workers.walks, some)


def sample(
    profile: Profile,
    sampling: Sampling,
    seed: int,
    run: Sampler,
    watch: Callable[[float], None] | None = None,
) -> Samples:
    """Sample everything that was asked for; ``watch`` as for `Sampler`, told about all of it.

    Raises ``AssertionError`` if a play left the tree.
    """
    first = profile.first
    seats = range(1 if first.symmetric else 2)
    total = sampling.plays + len(seats) * sum(plays for _, plays in sampling.policies)
    done = 0
    num_types = len(profile.game.type_ids)

    def players(stored: tuple[bool, bool], number: int, who: BaselinePolicies) -> Players:
        flags: Flags = np.array(stored)
        return Players(flags, who, first.exchange is not None, seed * 1_000_003 + number)

    def some(count: int, who: Players) -> tuple[I8, F64]:
        nonlocal done
        before = done
        done += count
        found = run(
            count, who, None if watch is None else lambda share: watch((before + share * count) / total)
        )
        assert np.isfinite(found[1]).all()
        return found

    nobody = policies((None, None), num_types)
    shown, pay = some(sampling.plays, players((True, True), 0, nobody))
    worths = {}
    for number, (policy, plays) in enumerate(sampling.policies, 1):
        worth = np.zeros((2, 2))
        for player in seats:
            stored = (player != 0, player != 1)
            who = policies((policy, policy), num_types)
            _, found = some(plays, players(stored, 2 * number + player, who))
            own = found if player == 0 else -found
            worth[player] = own.mean(), own.std(ddof=1) / np.sqrt(plays)
        if first.symmetric:
            worth[1] = worth[0]
        worths[policy.name] = worth
    return Samples(shown, float(pay.std()), worths)

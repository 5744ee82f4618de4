"""Decisions after the openings, up to the second step, and how they are played on average.

There is one for each public history of the second step, and for what comes between the openings and it:
hidden items, further items on chains. On an un-merged tree no strategy is remembered hand by hand but at the
root, so these decisions are averaged as iterations go (`Averages`); on a merged one no history shares its
first two steps, and averages are part of what is shipped.

Letters as in ``game``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from solver.hidden_hands.decisions.exchange import num_states
from solver.hidden_hands.jit import F32, F64, I64, Halves, decode
from solver.hidden_hands.profile import FirstStep, root_children
from solver.hidden_hands.spaces import HIDE, Spaces, after_draw
from solver.hidden_hands.tree import action_counts, public_type
from solver.hidden_hands.walk_memory import Problem

_NOBODY = np.float32(1e-30)
_SAME = 1e-9
"""How far two sums of the same weights may be apart, as a part of them."""


class Decision(NamedTuple):
    """A decision up to the second step."""

    node: int
    before: int  # number of the decision it follows; -1: it follows the root
    actions: tuple[int, int]  # local actions there that lead here, 0 for who does not act
    shown: tuple[tuple[int, int], ...]  # see `Follows`
    pools: I64  # [2, T]


Mixing = Callable[[Decision, int, F64], F64]
"""``[J]`` how a player with a range plays a decision."""


def decisions_below(problem: Problem, job: tuple[int, int, int]) -> list[Decision]:
    """Return the decisions below a root child, itself first, each after the one that it follows."""
    a, b, child = job
    found = [_decision(problem, 0, -1, (a, b), (), problem.stocks, child)]
    number = 0
    while number < len(found):
        here, tree = found[number], problem.tree
        if tree.step[here.node] == 0:
            n0, n1 = action_counts(tree, here.node, problem.types, problem.stocks.shape[1])
            start = int(tree.child_start[here.node])
            for k in range(n0 * n1):
                below, actions = int(tree.child[start + k]), (k // n1, k % n1)
                if below < 0:
                    continue
                after = _decision(problem, here.node, number, actions, here.shown, here.pools, below)
                if after.pools.min() >= 0:
                    found.append(after)
        number += 1
    return found


def _decision(
    problem: Problem,
    parent: int,
    before: int,
    actions: tuple[int, int],
    shown: tuple[tuple[int, int], ...],
    pools: I64,
    node: int,
) -> Decision:
    kind, left = int(problem.tree.kind[parent]), pools.copy()
    seen = [-3, -3]
    for p in range(2):
        if (problem.tree.acts[parent] >> p) & 1:
            seen[p] = int(public_type(kind, actions[p], problem.types, pools.shape[1]))
            if seen[p] >= 0:
                left[p, seen[p]] -= 1
            elif kind == HIDE and actions[p] == 0:
                seen[p] = -2
    return Decision(node, before, actions, (*shown, (seen[0], seen[1])), left)


def spaces_of(problem: Problem, player: int) -> Spaces:
    return problem.spaces0 if player == 0 else problem.spaces1


def acts(problem: Problem, node: int, player: int) -> bool:
    return bool((problem.tree.acts[node] >> player) & 1)


def pairs_at(problem: Problem, node: int, player: int) -> list[int]:
    """Where the pairs of each action begin, and the last ones end."""
    count = action_counts(problem.tree, node, problem.types, problem.stocks.shape[1])[player]
    kind, level = int(problem.tree.kind[node]), int(problem.tree.level[node, player])
    found: list[int] = spaces_of(problem, player).segment[kind, level, : count + 1].tolist()
    return found


def matched(problem: Problem, node: int, player: int, table: Halves) -> F64:
    """Return the strategy that a table of regrets, or of averages, says: ``[J]``; see ``regret_matching``."""
    spaces, level = spaces_of(problem, player), int(problem.tree.level[node, player])
    segment = pairs_at(problem, node, player)
    states = spaces.pair_state[segment[0] : segment[-1]]
    start = int(problem.tree.regret_start[node, player])
    positive = np.maximum(decode(table[start : start + states.size]), 0.0).astype(np.float64)
    begin, end = spaces.level_start[level : level + 2]
    total = np.bincount(states, positive, minlength=end - begin)
    evenly = spaces.even[int(problem.tree.kind[node]), begin:end]
    some = total > _NOBODY
    shares = positive * np.where(some, 1.0 / np.where(some, total, 1.0), 0.0)[states]
    played: F64 = shares + np.where(some, 0.0, evenly)[states]
    return played


def played_on(
    problem: Problem, decisions: list[Decision], player: int, reach: F64, mix: Mixing
) -> Iterator[tuple[int, F64]]:
    """Yield how a player comes by each decision: ``[J]`` by pair, or ``[S]`` by state where it does not act.

    ``reach`` ``[S]``: its range at the first one.
    """
    spaces = spaces_of(problem, player)
    by_number: dict[int, F64] = {}
    for number, here in enumerate(decisions):
        ranges = reach
        if here.before >= 0:
            before = decisions[here.before]
            ranges = by_number[here.before]
            if acts(problem, before.node, player):
                ranges = _onward(problem, before, here.pools[player], player, here.actions[player], ranges)
        if acts(problem, here.node, player):
            segment = pairs_at(problem, here.node, player)
            ranges = ranges[spaces.pair_state[segment[0] : segment[-1]]] * mix(here, player, ranges)
        by_number[number] = ranges
        yield number, ranges


def _onward(problem: Problem, here: Decision, pool: I64, player: int, action: int, mass: F64) -> F64:
    """A range after an action and its draw."""
    spaces, kind = spaces_of(problem, player), int(problem.tree.kind[here.node])
    level = int(problem.tree.level[here.node, player])
    segment = pairs_at(problem, here.node, player)
    target = int(spaces.remainder_level[kind, level, action])
    pairs = slice(segment[action], segment[action + 1])
    size = int(spaces.level_start[target + 1] - spaces.level_start[target])
    own = mass[pairs.start - segment[0] : pairs.stop - segment[0]]
    rest: F64 = np.bincount(spaces.pair_rest[pairs], own, minlength=size).astype(np.float64)
    held, hidden = divmod(level, spaces.num_hidden + 1)
    stock = int(here.pools[player].sum()) - held - hidden
    if spaces.draws[kind, level, action] and stock > 0:
        rest = after_draw(spaces, rest, target, pool) / stock
    return rest


class Averages:
    """What both play up to the second step of an un-merged tree, added up while they learn.

    Attributes
    ----------
    sums : all of it in one array, for a checkpoint to read or fill: first the weight of what was added, for
        both players together, then how a player came by a decision, ``[J]`` or ``[S]``, one after the other.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.below = [decisions_below(problem, job) for job in root_children(problem)]
        sizes = [_size(problem, here, p) for decisions in self.below for here in decisions for p in range(2)]
        self.sums = np.zeros(1 + sum(sizes))
        parts = iter(np.split(self.sums[1:], np.cumsum(sizes)[:-1]))
        self._parts = [[(next(parts), next(parts)) for _ in decisions] for decisions in self.below]

    def begin(self, weight: float) -> None:
        """Count a visit to all root children, at which one player plays what is then added."""
        self.sums[0] += weight

    def add(self, job: int, weight: float, player: int, reach: F32, regret: Halves) -> None:
        """Count how a player with a range at a root child plays on, before anybody learns there."""

        def mix(here: Decision, player: int, _: F64) -> F64:
            return matched(self.problem, here.node, player, regret)

        decisions = self.below[job]
        ranges = reach[: num_states(self.problem, decisions[0].node, player)].astype(np.float64)
        for number, mass in played_on(self.problem, decisions, player, ranges, mix):
            self._parts[job][number][player][:] += weight * mass

    def of(self, first: FirstStep, job: int) -> list[tuple[F64, F64]] | None:
        """Return how both come by each decision below a root child; None if some iterations are missing."""
        if abs(self.sums[0] - 2.0 * first.weight) > _SAME * first.weight:
            return None
        return [(one / first.weight, other / first.weight) for one, other in self._parts[job]]


def _size(problem: Problem, here: Decision, player: int) -> int:
    if not acts(problem, here.node, player):
        return num_states(problem, here.node, player)
    segment = pairs_at(problem, here.node, player)
    return segment[-1] - segment[0]

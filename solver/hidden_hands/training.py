"""Alternating full-width iterations over a built problem: how a profile is learnt.

The forward and backward pass over the root are here; what lies below it learns as it can (`Below`): subtrees
of the un-merged tree one by one, or a merged tree in sweeps (``merged.sweeping``). Jobs of threads write to
their own part of the memory and hand back values that are summed in a fixed order, so the answer does not
depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.decisions.backward import backward_node, store_child
from solver.hidden_hands.decisions.exchange import Exchange, ExchangeLearner, SeenExchange, num_states
from solver.hidden_hands.decisions.forward import forward_node, load_child
from solver.hidden_hands.decisions.walk import THRESHOLD, build_lazy_updates, walk
from solver.hidden_hands.jit import F32, F64, decode, encode
from solver.hidden_hands.merged_tree import MergedPlay
from solver.hidden_hands.problem import Blueprint, deepest
from solver.hidden_hands.profile import (
    FirstStep,
    Profile,
    largest_first,
    root_children,
    root_levels,
    root_pairs,
)
from solver.hidden_hands.second_step import Averages
from solver.hidden_hands.spaces import EXCHANGE, hand_distribution
from solver.hidden_hands.tables import Tables, lazy_arrays
from solver.hidden_hands.tree import action_counts
from solver.hidden_hands.walk_memory import Problem, Step, WalkScratch, walk_scratch
from solver.hidden_hands.workers import Workers

AVERAGE_EXPONENT = 2.0
"""Iteration t counts t**2 in the averages: early play is poor (measured best among 1, 2, 3)."""
REGRET_EXPONENT = 1.5
NEGATIVE_FACTOR = 0.5
"""DCFR's alpha and beta = 0 (Brown and Sandholm 2019)."""

FULL_AT_FIRST = 2
"""Iterations that visit everything before updates are lazy."""


class Below(Protocol):
    """What lies below the root of a tree, as it learns."""

    lazy: bool  # whether an iteration may leave something out that a certificate must not miss

    def visit(self, step: Step, weight: float, root: WalkScratch, values: F32) -> None:
        """Visit everything: ``values`` ``[jobs, 2, N]``, those of who learns, by root child.

        ``root``: what the forward pass over the root left, in its first depth.
        """

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays that iterations change, for a checkpoint to read or fill."""

    def numbers(self) -> dict[str, float]:
        """Whatever else they change."""

    def play(self) -> MergedPlay | None:
        """What is shipped below the root of a merged tree."""

    def finish(self) -> None:
        """No iteration follows: what only they need may be given back before the last certificate."""


class Subtrees:
    """Everything below the root of an un-merged tree, a subtree for each child, with lazy updates."""

    def __init__(
        self, plan: Blueprint, problem: Problem, workers: Workers, tables: Tables, seen: SeenExchange | None
    ) -> None:
        self.lazy_updates = build_lazy_updates(problem)
        self.lazy = plan.size.lazy > 0
        self.threshold = THRESHOLD
        self._problem, self._workers, self._tables, self._seen = problem, workers, tables, seen
        self._jobs = root_children(problem)
        self._order = largest_first(problem, self._jobs)
        self.averages: Averages | None = None
        """What is played up to the second step, if somebody wants to know."""

    def visit(self, step: Step, weight: float, root: WalkScratch, values: F32) -> None:
        """See `Below`."""
        t = self._tables
        step = step._replace(threshold=self.threshold)
        opponent = 1 if step.who == 1 else 0
        if self.averages is not None:
            self.averages.begin(weight)

        def one(job: int, scratch: WalkScratch) -> None:
            a, b, child = self._jobs[job]
            load_child(self._problem, child, a, b, root, 0, scratch, 0)
            scratch.weight[0] = weight
            if self.averages is not None:
                self.averages.add(job, weight, opponent, scratch.reach[0, opponent], t.regret)
            walk(
                *(self._problem, child, t.regret, t.end_reach, t.state, self.lazy_updates, step),
                *(scratch, t.hedge),
            )
            values[job] = scratch.value[0]
            if self._seen is not None:
                self._seen.average(job, weight, step.who, scratch)

        self._workers.share_out(self._workers.walks, self._order, one)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """See `Below`."""
        second = {} if self.averages is None else {"second_step": self.averages.sums}
        return lazy_arrays(self.lazy_updates) | second

    def numbers(self) -> dict[str, float]:
        """See `Below`."""
        return {}

    def play(self) -> None:
        """See `Below`: cumulative reach says it all."""

    def finish(self) -> None:
        """See `Below`."""


class Trainer:
    """The state of a running solve: ask for the profile.

    Parameters
    ----------
    plan, problem, workers, tables
    below : Below
        What learns below the root.
    redraws : bool
        Whether one unseen exchange comes before the first step.
    ranges : pair of [S] arrays, optional
        Both ranges at the root, of a position. States they leave out learn too: what they average is not
        weighted by how likely they are.
    seen : SeenExchange, optional
        Where the root is an exchange that both see.
    """

    def __init__(
        self,
        plan: Blueprint,
        problem: Problem,
        workers: Workers,
        tables: Tables,
        below: Below,
        redraws: bool = False,
        ranges: tuple[F64, F64] | None = None,
        seen: SeenExchange | None = None,
    ) -> None:
        self.plan, self.problem = plan, problem
        self.workers, self.tables, self.below, self.seen = workers, tables, below, seen
        self.jobs, self.levels = root_children(problem), root_levels(problem)
        self.symmetric = bool(problem.tree.symmetric[0])
        self._root = walk_scratch(problem, 2, False)
        each = list(zip((problem.spaces0, problem.spaces1), self.levels, problem.stocks, strict=True))
        one, other = (hand_distribution(*side) for side in each) if ranges is None else ranges
        self.deals = one, other
        learners = [ExchangeLearner(Exchange(*side)) for side in each] if redraws else []
        self.exchange = (learners[0], learners[1]) if redraws else None
        self.iterations = 0
        self.began = 0
        """Iterations that an earlier solve of other payoffs counts as: see `warm_start`."""
        self.total_weight = 0.0
        self._pairs = [root_pairs(problem, p) for p in range(2)]
        self._by_pair = ranges is not None
        self.root_mass = np.zeros(one.size), np.zeros(other.size)
        counts = action_counts(problem.tree, 0, problem.types, problem.stocks.shape[1])
        first, second = (
            np.zeros(sum(pair.stop - pair.start for pair in self._pairs[p]))
            if self._by_pair
            else np.zeros((self.deals[p].size, int(counts[p])))
            for p in range(2)
        )
        self.root_average = first, second
        shared = self._pairs[0][-1].stop - self._pairs[0][0].start if self.symmetric else 0
        self._root_regret = np.zeros(shared, np.float32)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays that iterations change, for a checkpoint to read or fill."""
        steps = first_steps(self.problem) if self.seen is None else self.seen.steps
        arrays = self.tables.arrays() | self.below.arrays()
        arrays |= {"root_regret": self._root_regret, "first_steps": steps}
        for p in range(2):
            arrays |= {f"root_mass_{p}": self.root_mass[p], f"root_average_{p}": self.root_average[p]}
            if self.exchange is not None:
                x = self.exchange[p]
                # An iteration puts new arrays in their place; until then all three may be one.
                x.regret, x.outlook = x.regret.copy(), x.outlook.copy()
                arrays |= {f"exchange_regret_{p}": x.regret, f"exchange_outlook_{p}": x.outlook}
                arrays[f"exchange_total_{p}"] = x.total
        return arrays

    def numbers(self) -> dict[str, float]:
        """Whatever else they change."""
        weights = [] if self.exchange is None else [x.weight for x in self.exchange]
        return {
            "iterations": self.iterations,
            "total_weight": self.total_weight,
            **{f"exchange_weight_{p}": weight for p, weight in enumerate(weights)},
            **({"began": self.began} if self.began else {}),
            **self.below.numbers(),
        }

    def set_numbers(self, numbers: Mapping[str, float]) -> None:
        """Take over what ``numbers`` returned."""
        self.iterations, self.began = int(numbers["iterations"]), int(numbers.get("began", 0))
        self.total_weight = float(numbers["total_weight"])
        for p, x in enumerate(self.exchange or ()):
            x.weight = float(numbers[f"exchange_weight_{p}"])

    def first_step(self) -> FirstStep:
        """How play begins by now."""
        sides = self.exchange
        return FirstStep(
            self.problem,
            self.jobs,
            self.deals,
            self.total_weight,
            self.iterations,
            self.root_mass,
            self.root_average,
            None if sides is None else (sides[0].rules, sides[1].rules),
            None if sides is None else (sides[0].average_strategy(), sides[1].average_strategy()),
            self.seen,
        )

    def profile(self) -> Profile:
        """What has been learnt by now, as it is shipped; it holds until the next iteration."""
        plan, tables = self.plan, self.tables
        return Profile(
            *(plan.game, plan.rows, deepest(plan), self.first_step()),
            *(tables.end_reach, tables.state, self.below.play()),
        )

    def iterate(self, everything: bool = True) -> None:
        """One iteration: player 0 learns, then player 1 (Tammelin's alternation).

        ``everything``: whether to visit all lazy children, too. A certificate needs such an iteration last.
        """
        self.iterations += 1
        t = float(self.iterations)
        weight = t**AVERAGE_EXPONENT
        keep = t**REGRET_EXPONENT
        keep /= keep + 1.0
        self.total_weight += weight
        for passes in ([1, 2],) if self.symmetric else ([1], [2]):
            self._pass(passes, weight, keep, everything)

    def _reaches(self) -> list[F64]:
        """Ranges at the first step under the current strategies."""
        if self.exchange is None:
            return [d.copy() for d in self.deals]
        return [x.rules.push(d, x.strategy()) for x, d in zip(self.exchange, self.deals, strict=True)]

    def _pass(self, passes: list[int], weight: float, keep: float, everything: bool) -> None:
        """Forward pass over the root, a visit to its subtrees per learning player, backward pass.

        In a symmetric game one root table serves both players, and each stored subtree stands for its mirror
        image as well: the root learns once both seats have been visited.
        """
        both = len(passes) == 2
        who = 3 if both else passes[0]
        root, problem, tables = self._root, self.problem, self.tables
        reaches = self._reaches()
        for p in range(2):
            root.reach[0, p, : reaches[p].size] = reaches[p]
        root.weight[0] = weight
        step = Step(keep, NEGATIVE_FACTOR, who, self.iterations, everything, THRESHOLD)
        regret, end_reach, state = tables.regret, tables.end_reach, tables.state
        forward_node(problem, 0, 0, regret, end_reach, state, step, root, tables.hedge, True)
        # What is averaged is what the learner has met: the other player's strategy.
        for p in range(2):
            if (who >> (1 - p)) & 1:
                self._average_root(p, weight, reaches[p])
                if self.exchange is not None:
                    self.exchange[p].average(weight)
        values = np.zeros((len(self.jobs), *root.value.shape[1:]), np.float32)
        for seat in passes:
            self.below.visit(step._replace(who=seat), weight, root, values)
            for job, (a, b, child) in enumerate(self.jobs):
                store_child(problem, 0, child, a, b, seat, values[job], root, 0)
        learner = 1 if both else who
        if both:
            self._backward_shared_root(step._replace(who=learner), keep)
        else:
            backward_node(problem, 0, 0, regret, step._replace(who=learner), root, False)
        if self.exchange is not None:
            for p in range(2):
                if (learner >> p) & 1:
                    self.exchange[p].learn(root.value[0, p, : reaches[p].size], keep, both)
            if both:
                self.exchange[1].copy_from(self.exchange[0])

    def _backward_shared_root(self, step: Step, keep: float) -> None:
        """Backward pass over the root of a symmetric game, where both seats share one table and so learn at
        the same time.

        Simultaneous learners chase each other; predictive regret matching+ (Farina, Kroer and Sandholm
        2021), which counts the latest regrets twice, does not.
        """
        table = self.tables.regret[: self._root_regret.size]
        table[:] = 0
        backward_node(self.problem, 0, 0, self.tables.regret, step, self._root, False)
        latest = decode(table)
        np.maximum(self._root_regret * np.float32(keep) + latest, 0.0, out=self._root_regret)
        table[:] = encode(self._root_regret + latest)

    def _average_root(self, player: int, weight: float, reach: F64) -> None:
        spaces = self.problem.spaces0 if player == 0 else self.problem.spaces1
        places, average = self._pairs[player], self.root_average[player]
        self.root_mass[player][:] += weight * reach
        if self._by_pair:
            average[:] += weight * self._root.sigma[0, player, : average.size]
            return
        for a, pairs in enumerate(places):
            states = spaces.pair_state[pairs]
            sigma = self._root.sigma[0, player, pairs.start - places[0].start : pairs.stop - places[0].start]
            average[states, a] += weight * reach[states] * sigma


def first_steps(problem: Problem) -> F64:
    """``[jobs, 2, S, P]`` zeros: room for what first steps after a seen exchange add up to."""
    jobs = root_children(problem)
    nodes = [0]
    if int(problem.tree.kind[0]) == EXCHANGE:
        # Who cannot draw for what it has put away holds one item less.
        nodes += [child for _, _, child in jobs]
    widest = max(num_states(problem, node, p) for node in nodes for p in range(2))
    return np.zeros((len(jobs), 2, widest, problem.types.size))


def tree_trainer(
    plan: Blueprint,
    problem: Problem,
    threads: int,
    redraws: bool = False,
    ranges: tuple[F64, F64] | None = None,
) -> Trainer:
    """What learns on an un-merged tree; arguments as for `Trainer`."""
    workers = Workers(problem, deepest(plan), threads, plan.size.lazy > 0)
    tables, jobs, tree = Tables(plan, problem, workers), root_children(problem), problem.tree
    seen = None
    if int(tree.kind[0]) == EXCHANGE:
        seen = SeenExchange(problem, jobs, bool(tree.symmetric[0]), first_steps(problem))
    below = Subtrees(plan, problem, workers, tables, seen)
    return Trainer(plan, problem, workers, tables, below, redraws, ranges, seen)

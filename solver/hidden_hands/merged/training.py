"""Iterations over a merged tree, and the certificate of what they average, along every single history."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from solver.hidden_hands.decisions.walk_memory import Problem, WalkScratch
from solver.hidden_hands.final.response_memory import ResponseScratch
from solver.hidden_hands.final.state import largest_nest
from solver.hidden_hands.game import Certificate
from solver.hidden_hands.jit import F64, I8
from solver.hidden_hands.merged.final_perfect_information import tabulate_records
from solver.hidden_hands.merged.layers import Layers
from solver.hidden_hands.merged.merged_tree import MergedTree
from solver.hidden_hands.merged.perfect_information import tabulate_nodes
from solver.hidden_hands.merged.perfect_information_tables import (
    PerfectInformation,
    bounds_of_pools,
    empty_tables,
    table_scratch,
)
from solver.hidden_hands.merged.response import count_histories, respond_merged
from solver.hidden_hands.merged.shipped import Shipped
from solver.hidden_hands.merged.sweeping import NODES_AT_ONCE, RECORD_PIECES, RECORDS_AT_ONCE, SweepingTrainer
from solver.hidden_hands.merged.window import Follower, new_follower
from solver.hidden_hands.problem import Blueprint, deepest
from solver.hidden_hands.samples import Play, Players, Sampler, sample_merged
from solver.hidden_hands.spaces import MAX_ACTIONS
from solver.hidden_hands.statistics import Statistics, combined, counted, swapped, tally

LEAST_FLOW = 1e-5
"""Probability of the other player's part of a history up to which a certificate does not follow it."""
_FIRST, _FURTHER = 1e-2, 1e-6
"""The same in certificates that have so much time: what the first one takes, and where the last one ends."""
_GROWTH, _SAFETY, _FIRST_STEP = 0.6, 0.8, 100.0
"""A certificate takes one over the probability to some power (measured: up to .58 below 0.01, less further
down). How much of the time left the next may take by that, and by how much the probability falls at most."""
THRESHOLDED = 1.0
"""Actions that at most so many times the play that is followed at all would take are dropped where a hand has
another one; see ``apply_threshold``."""
_JOINT, _JOINT_MOST = 1e-3, 1e-6
"""Joint probability up to which statistics do not follow a history: so much of that, at most the second."""


def _from_to(thresholds: F64) -> str:
    """Say down to where all root children have come, and how far those that have come furthest."""
    most, least = float(thresholds.max()), float(thresholds.min())
    return f"{most:.0e}" if most == least else f"{most:.0e} or, in part, {least:.0e}"


def _next_threshold(last: float, took_s: float, left_s: float) -> float | None:
    """Where the next certificate ends, by what the last one took; None if no better one fits in."""
    affordable = last * (took_s / max(_SAFETY * left_s, 1e-9)) ** (1.0 / _GROWTH)
    least = max(affordable, last / _FIRST_STEP, _FURTHER)
    return float(f"{least:.0e}") if least <= last / 2.0 else None


class MergedTrainer(SweepingTrainer):
    """The state of a running solve on a merged tree."""

    def __init__(
        self, plan: Blueprint, problem: Problem, merged: MergedTree, threads: int, exchange: bool
    ) -> None:
        super().__init__(plan, problem, merged, threads, exchange)
        self._tables: PerfectInformation | None = None
        self._followers: list[Follower] = []
        self._least = LEAST_FLOW
        self._end = self._deadline = np.inf
        # Down to where each root child has been followed. What is played below one has nothing to do with the
        # others, so each keeps the threshold of the last pass that had time for it.
        self.followed = np.full(len(self.jobs), np.inf)
        self._values = super()._answers()

    def certify(self, audit: bool = True, seconds: float | None = None) -> Certificate:
        """Exact best responses; first those that do not take long, then better ones while there is time.

        ``seconds``: how long that may take, roughly; None: however long ``LEAST_FLOW`` takes.
        """
        self.bound = None
        self.followed[:] = self._deadline = np.inf
        for follower in self._followers:
            follower.loss[0] = 0.0
        if seconds is None:
            self._least = LEAST_FLOW
            return super().certify(audit)
        self._end = time.perf_counter() + seconds
        self._tabulate()
        threshold: float | None = _FIRST
        best: Certificate | None = None
        while threshold is not None:
            self._least, begun = threshold, time.perf_counter()
            found = super().certify(audit)
            # Usually the latest one is best. But what is followed decides which rare actions are dropped, and
            # so what is played.
            if best is None or found.nash_conv <= best.nash_conv:
                best, kept = found, self.followed.copy()
            self.bound = best.nash_conv
            now = time.perf_counter()
            # The first one has to be finished, however late it is.
            self._deadline = self._end
            threshold = _next_threshold(threshold, now - begun, self._end - now)
        assert best is not None
        self.followed[:] = kept
        return best

    def hurry(self) -> None:
        """See ``Trainer``: first steps that are being looked at are finished, no others begun."""
        self._end = -np.inf
        if self.bound is not None:
            self._deadline = -np.inf

    def prepare_to_certify(self) -> None:
        """See ``Trainer``."""
        super().prepare_to_certify()
        self._calibrate()

    def _begin_pass(self, seat: int, time: int) -> Layers:
        self._tables = None
        return super()._begin_pass(seat, time)

    def _prepare_followers(self) -> None:
        if not self._followers:
            self._followers = [new_follower(self.problem, self.merged, each) for each in self._workers]

    def _shipped(self) -> Shipped:
        """What is played."""
        return Shipped(self.merged, self.regret, self.average, self._calibrate())

    def _tabulate(self) -> PerfectInformation:
        """What certificates count where they do not look."""
        if self._tables is not None:
            return self._tables
        problem, merged, memory = self.problem, self.merged, self._calibrate()
        bounds, found = bounds_of_pools(problem, merged), empty_tables(problem, merged)
        nest = largest_nest(merged.records.link)
        rooms = {id(scratch): table_scratch(problem, nest) for scratch in self._workers}

        def records(a: int, b: int, scratch: WalkScratch) -> None:
            tabulate_records(problem, merged, a, b, memory, bounds, found, rooms[id(scratch)])

        self._split(0, merged.records.place.size, RECORDS_AT_ONCE, records, RECORD_PIECES)
        for first, last in reversed(list(zip(merged.generations[:-1], merged.generations[1:], strict=True))):
            for learner in range(1 if merged.quotient else 2):

                def nodes(a: int, b: int, scratch: WalkScratch, learner: int = learner) -> None:
                    tabulate_nodes(
                        *(problem, merged, a, b, learner, self.regret, self.average),
                        *(bounds, found, scratch, rooms[id(scratch)]),
                    )

                # The trainer itself goes over the root.
                if last > 1:
                    self._split(max(int(first), 1), int(last), NODES_AT_ONCE, nodes)
        self._tables = found
        return found

    def _respond(self) -> list[F64]:
        self._prepare_followers()
        self._tabulate()
        self._below = self._averages_below_root()
        # What most play comes by takes longest, and comes first, so that the pool runs dry evenly.
        masses = [[float(ranges.sum()) for ranges in below] for below in self._below]
        self._order.sort(key=lambda job: -masses[0][self.jobs[job][0]] - masses[1][self.jobs[job][1]])
        self._follower_of = {
            id(response): follower
            for response, follower in zip(self._responses, self._followers, strict=True)
        }
        return super()._respond()

    def _answers(self) -> F64:
        """See ``Trainer``: what other thresholds have brought is gone on from."""
        return self._values

    def _answer(self, job: int, scratch: ResponseScratch) -> bool:
        """Best responses below one root child, along every history."""
        if time.perf_counter() > self._deadline:
            return False
        follower = self._follower_of[id(scratch)]
        a, b, child = self.jobs[job]
        for learner in range(2):
            self._enter(follower, child, a, b)
            follower.flows[:] = 0.0
            rare, least = THRESHOLDED * self._least * self.total_weight, self._least * self.total_weight
            respond_merged(
                *(follower, self._shipped(), child, learner, rare, least, self._tabulate()),
                *(scratch, self._hedge, self._record),
            )
        self.followed[job] = self._least
        return True

    def _enter(self, follower: Follower, child: int, a: int, b: int) -> None:
        """Set the ranges and public pools of a root child."""
        tree = follower.problem.tree
        for p in range(2):
            action = a if p == 0 else b
            tree.pool[child, p] = self.problem.stocks[p]
            if self.problem.types[action] >= 0:
                tree.pool[child, p, self.problem.types[action]] -= 1
            ranges = self._below[p][action]
            follower.walk.reach[0, p, : ranges.size] = ranges

    def _missed(self) -> float:
        loss = max(float(follower.loss[0]) for follower in self._followers)
        return 2.0 * ((1.0 + loss) ** deepest(self.plan) - 1.0)

    def _left_out(self) -> str:
        return (
            f", along every single history (those the other side lets happen with less than"
            f" {_from_to(self.followed)} counted at a perfect-information bound; rare actions dropped)"
        )

    def statistics(self) -> Statistics:
        """Count outcomes of both averages against each other, history by history."""
        self._prepare_followers()
        self._calibrate()
        below = self._averages_below_root()
        self._below = [[r / np.float32(self.total_weight) for r in ranges] for ranges in below]
        tree, game = self.problem.tree, self.plan.game
        steps = int(tree.step.max()) + 2
        joint = min(_JOINT * max(float(self.followed.min()), LEAST_FLOW), _JOINT_MOST)
        counts = [tally(game, steps, self.problem.types.size) for _ in self.jobs]

        def one(job: int, follower: Follower) -> None:
            a, b, child = self.jobs[job]
            self._enter(follower, child, a, b)
            rare = THRESHOLDED * self.followed[job]
            count_histories(
                *(follower, self.plan.rows, self._shipped(), child, rare, joint, self._hedge, counts[job])
            )

        self._share_out(self._followers, range(len(self.jobs)), one)
        parts = []
        for (a, b, _), count in zip(self.jobs, counts, strict=True):
            joint = float(self._below[0][a].sum()) * float(self._below[1][b].sum())
            count.usage[0, 0, a] += joint
            count.usage[1, 0, b] += joint
            part = counted(count, self.problem.types.size)
            parts.append(part)
            if self.symmetric and a != b:
                parts.append(swapped(part))
        return combined(parts)

    def sampler(self) -> Sampler:
        """Return what samples plays of given players, along single histories."""
        self._prepare_followers()
        shipped = self._shipped()
        size = self._followers[0].walk.reach.shape[2]
        below = np.zeros((2, MAX_ACTIONS, size), np.float32)
        for p, ranges in enumerate(self._averages_below_root()):
            for a, each in enumerate(ranges):
                below[p, a, : each.size] = each / np.float32(self.total_weight)
        opening = below.sum(axis=2, dtype=np.float64)
        rare = np.full((MAX_ACTIONS, MAX_ACTIONS), np.inf)
        for job, (a, b, _) in enumerate(self.jobs):
            # A symmetry quotient keeps mirror images of first steps, too.
            for x, y in ((a, b), (b, a)) if self.symmetric else ((a, b),):
                rare[x, y] = THRESHOLDED * self.followed[job]

        def run(count: int, players: Players, watch: Callable[[float], None] | None = None) -> tuple[I8, F64]:
            def some(first: int, last: int, one: Play, follower: Follower) -> None:
                sample_merged(
                    *(follower, self.plan.rows, int(self.plan.game.start_row), shipped, rare, opening),
                    *(below, first, last, self._hedge, players, one),
                )

            return self._share_plays(count, self._followers, some, watch)

        return run

"""Iterations over a merged tree: sweeps, shared out among threads."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.decisions.exchange import num_states
from solver.hidden_hands.decisions.ranges import remainders
from solver.hidden_hands.decisions.walk_memory import Problem, Step, WalkScratch
from solver.hidden_hands.jit import F32, I64, decode
from solver.hidden_hands.merged.layers import (
    PARTIAL_ABOVE,
    Layers,
    build_layers,
    choose_updated,
    clear_pass,
    num_always_updated,
    with_ranges,
    without_ranges,
    without_values,
)
from solver.hidden_hands.merged.merged_tree import MergedTree, NodeReach, Spread, mirror_images
from solver.hidden_hands.merged.sweep import (
    DEEP,
    DEEP_QUOTIENT,
    FLOOR,
    calibrate_records,
    hand_on,
    pull_up,
    push_down,
    visit_records,
)
from solver.hidden_hands.merged.window import remembered
from solver.hidden_hands.problem import Blueprint
from solver.hidden_hands.spaces import after_draw
from solver.hidden_hands.training import Trainer

_CHUNK = 1 << 22
"""Numbers that nodes opened together hand on, at most (one node may have more)."""
NODES_AT_ONCE, RECORDS_AT_ONCE = 8, 64
"""Fewest that a thread takes at once."""
_PIECES, RECORD_PIECES = 4, 32
"""Into so many pieces for each thread work is shared out: nodes of a chunk; records, which differ more."""


class SweepingTrainer(Trainer):
    """The state of a running solve on a merged tree, without what its certificates take."""

    method = "merged"

    def __init__(
        self, plan: Blueprint, problem: Problem, merged: MergedTree, threads: int, exchange: bool
    ) -> None:
        super().__init__(plan, problem, threads, exchange)
        self.merged = merged
        assert plan.merged is not None
        self.refinement = plan.merged.how.refinement
        self.refined = round(plan.merged.refined, 2)
        self.average = np.zeros(plan.merged.averages, np.uint16)
        self.layers = build_layers(problem, merged)
        self._always = num_always_updated(merged) if self.layers.values.shape[1] > PARTIAL_ABOVE else None
        self._images = mirror_images(merged.twin) if merged.quotient else None
        # A chunk goes by one node too far at most, or by two where the second one is an image of the first.
        self._out = np.zeros(_CHUNK + 2 * int(self.layers.length.max()), np.float32)
        self._met = np.zeros(problem.tree.kind.size)
        self._taken = self.layers.share[:0]
        self._calibrated: F32 | None = None

    def finish(self) -> None:
        """See ``Trainer``."""
        self.layers = without_values(self.layers)
        self._calibrate()
        final_range = self.layers.final_range[:, :0].copy()
        self.layers = self.layers._replace(final_range=final_range)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays that iterations change, for a checkpoint to read or fill."""
        kept = ("values", "joint", "share", "final_joint", "final_values", "final_range", "final_skips")
        return {
            "apart_averaged": self.refinement.averaged,
            **{f"apart_spread_{name}": array for name, array in self.refinement.spread._asdict().items()},
            **super().arrays(),
            "average": self.average,
            **{name: getattr(self.layers, name) for name in kept},
        }

    def numbers(self) -> dict[str, float]:
        """See ``Trainer``."""
        return {**super().numbers(), "apart_single": self.refinement.least}

    def remember_spread(self) -> None:
        """Remember how play has spread in the latest iteration; the later, the more it counts."""
        if not self._taken.size:
            self._taken = np.zeros_like(self.layers.share)
        self._taken += np.float32(self.iterations) * self.layers.share

    def node_reach(self) -> NodeReach:
        """How much of the other side's play every node has met so far, and how it spread."""
        return NodeReach(self.merged.key, self._met, self._spread())

    def _spread(self) -> Spread:
        taken = self._taken if self._taken.size else self.layers.share
        share = taken / taken.sum(axis=2, keepdims=True)
        # The trainer itself goes over the root.
        roots = [np.zeros(share.shape[2]) for _ in range(2)]
        for root, average in zip(roots, self.root_average, strict=True):
            root[: average.shape[1]] = average.sum(axis=0) / average.sum()
        share[0] = np.mean(roots, axis=0) if self.symmetric else roots
        share = np.maximum(share, np.float32(FLOOR))
        key = self.merged.key[:, 0]
        merged = np.flatnonzero(key >= 0)
        order = merged[np.argsort(key[merged], kind="stable")]
        return Spread(key[order], share[order], share[: key.size - merged.size])

    def _cut(self, opponent: int) -> list[tuple[int, int]]:
        """Chunks of nodes that go forward together: none crosses two generations, none hands on too much."""
        out, chunks = self.layers.out[opponent], []
        for first, last in zip(self.merged.generations[:-1], self.merged.generations[1:], strict=True):
            # The trainer itself goes over the root.
            at = max(int(first), 1)
            while at < last:
                end = int(np.searchsorted(out, out[at] + _CHUNK, side="right")) - 1
                end = min(max(end, at + 1), int(last))
                # Mirror images go forward together: each is told how the other's player acts.
                end += int(end < last and self.merged.twin[end])
                chunks.append((at, end))
                at = end
        return chunks

    def _split(
        self,
        first: int,
        last: int,
        least: int,
        task: Callable[[int, int, WalkScratch], None],
        pieces: int = _PIECES,
        load: I64 | None = None,
    ) -> None:
        """Run ``task`` on all of ``first`` to ``last``, in pieces of ``least`` and more for all threads.

        ``load`` ``[n + 1]``: how much there is to do before each of them; without it all are alike.
        """
        pieces = max(1, min(pieces * len(self._workers), (last - first) // least))
        if load is None:
            bounds = np.linspace(first, last, pieces + 1).astype(np.int64)
        else:
            even = np.linspace(load[first], load[last], pieces + 1)[1:-1]
            inner = first + np.searchsorted(load[first : last + 1], even)
            bounds = np.concatenate([[first], inner, [last]])
        todo = [(int(a), int(b)) for a, b in itertools.pairwise(bounds) if a < b]
        self._share_out(self._workers, range(len(todo)), lambda job, scratch: task(*todo[job], scratch))

    def _visit(self, step: Step, weight: float, values: F32) -> None:
        """Visit all subtrees below the root: ``values`` ``[jobs, 2, N]``, those of who learns."""
        learner = 0 if step.who == 1 else 1
        # What player 1 would learn, player 0 learns at its mirror image.
        seat = 0 if self.merged.quotient else learner
        self._sweep(step._replace(who=1 << seat), weight, learner, seat)
        layers = self.layers
        for job, (a, b, child) in enumerate(self.jobs):
            if seat != learner:
                child = int(self.merged.roots[b, a])
            start, size = int(layers.start[seat, child]), num_states(self.problem, child, seat)
            worth = decode(layers.values[seat, start : start + size])
            values[job, learner, :size] = worth * layers.mass[child]

    def _sweep(self, step: Step, weight: float, learner: int, seat: int) -> None:
        """Down and up again: ``layers`` then has the values of the learner, who sits at ``seat``."""
        merged, problem = self.merged, self.problem
        layers = self._begin_pass(seat, step.time)
        self._seed(learner, seat)
        chunks = self._cut(1 - seat)
        for first, last in chunks:
            self._descend(first, last, seat, weight, step.time)
        for side in range(2) if merged.quotient else (seat,):
            self._visit_records(step, weight, side)

        def up(a: int, b: int, scratch: WalkScratch) -> None:
            pull_up(problem, merged, a, b, step, self.regret, layers, scratch)

        for first, last in reversed(chunks):
            self._split(first, last, NODES_AT_ONCE, up, load=layers.out[seat])
        self._met += weight * layers.mass

    def _visit_records(self, step: Step, weight: float, seat: int) -> None:
        """Play all final records that are updated, for whoever sits at ``seat``."""
        quotient = self.merged.quotient

        def records(a: int, b: int, scratch: WalkScratch) -> None:
            visit_records(
                *(self.problem, self.merged, a, b, seat, weight, step.time),
                *(self.layers, self.state, scratch, self._hedge, DEEP_QUOTIENT if quotient else DEEP),
            )

        self._split(0, self.merged.records.hidden.shape[0], RECORDS_AT_ONCE, records, RECORD_PIECES)

    def _begin_pass(self, seat: int, time: int) -> Layers:
        self._calibrated = None
        numbers, batches = choose_updated(self.layers, seat, time, self._always, self._images)
        if self.layers.numbers.size < numbers or self.layers.final_numbers.shape[1] < batches:
            # The old ones must be gone before there are new ones.
            self.layers = without_ranges(self.layers)
            self.layers = with_ranges(self.layers, numbers + numbers // 20, batches + batches // 20)
        parts = len(self._workers)
        self._share_out(self._workers, range(parts), lambda part, _: clear_pass(self.layers, part, parts))
        return self.layers

    def _seed(self, learner: int, seat: int) -> None:
        """Hand the ranges of the root to its children, those of a symmetry quotient that are the learner's.

        A symmetry quotient has every history in both orders. Player 0 learns at one half of it, then at the
        other, so that there, too, each side meets what the other one has just learnt.
        """
        layers, root, opp = self.layers, self._root, 1 - seat
        taken = root.flow[0, seat]
        for a, b in zip(*np.nonzero(self.merged.roots >= 0), strict=True):
            ours, theirs = (a, b) if seat == 0 else (b, a)
            if self.merged.quotient and (ours > theirs if learner == 0 else ours < theirs):
                continue
            child = int(self.merged.roots[a, b])
            place, size = int(layers.place[child]), num_states(self.problem, child, opp)
            layers.own[child] = max(float(taken[ours]) / float(taken.sum()), FLOOR)
            ranges = root.onward[0, opp, theirs, :size]
            layers.numbers[place : place + size] = layers.own[child] * ranges

    def _descend(self, first: int, last: int, learner: int, weight: float, time: int) -> None:
        """Forward pass over a chunk of nodes, then add up what they hand on."""
        layers, problem, parts = self.layers, self.problem, len(self._workers)
        starts = layers.out[1 - learner]

        def down(a: int, b: int, scratch: WalkScratch) -> None:
            push_down(
                *(problem, self.merged, a, b, learner, weight, time, self.regret, self.average),
                *(layers, self._out[starts[a] - starts[first] :], scratch),
            )

        def gather(part: int, _: WalkScratch) -> None:
            hand_on(problem, self.merged, first, last, learner, part, parts, layers, self._out)

        self._split(first, last, NODES_AT_ONCE, down, load=starts)
        self._share_out(self._workers, range(parts), gather)

    def _calibrate(self) -> F32:
        """What final records remember, with the shifts that make their hedges play the averages.

        They take the room of the ranges, until the next pass makes new ones.
        """
        if self._calibrated is not None:
            return self._calibrated
        self.layers = without_ranges(self.layers)
        shift = np.zeros_like(self.state.flow)

        def records(a: int, b: int, scratch: WalkScratch) -> None:
            calibrate_records(self.problem, self.merged, a, b, self.layers, self.state, shift, scratch)

        self._split(0, self.merged.records.hidden.shape[0], RECORDS_AT_ONCE, records, RECORD_PIECES)
        self._calibrated = remembered(self.state, shift)
        return self._calibrated

    def _averages_below_root(self) -> list[list[F32]]:
        """Both players' accumulated ranges after each root action and its draw."""
        problem, found = self.problem, []
        for p, spaces in enumerate(self._spaces):
            kind, level = int(problem.tree.kind[0]), self.levels[p]
            ranges = []
            for a in range(self.root_average[p].shape[1]):
                below, drawn, length = remainders(problem, spaces, 0, p, a)
                pairs = slice(spaces.segment[kind, level, a], spaces.segment[kind, level, a + 1])
                rest = np.zeros(length)
                mass = self.root_average[p][spaces.pair_state[pairs], a]
                np.add.at(rest, spaces.pair_rest[pairs], mass)
                if drawn:
                    pool = problem.stocks[p].copy()
                    if problem.types[a] >= 0:
                        pool[problem.types[a]] -= 1
                    rest = after_draw(spaces, rest, int(below), pool)
                    rest /= pool.sum() - below // (spaces.num_hidden + 1)
                ranges.append(rest.astype(np.float32))
            found.append(ranges)
        return found

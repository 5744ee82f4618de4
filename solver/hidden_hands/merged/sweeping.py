"""Iterations over a merged tree: sweeps, shared out among threads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.decisions.exchange import num_states
from solver.hidden_hands.decisions.walk import build_lazy_updates
from solver.hidden_hands.jit import F32, decode
from solver.hidden_hands.merged.layers import (
    build_layers,
    choose_updated,
    clear_pass,
    num_always_updated,
    with_ranges,
    without_ranges,
    without_values,
)
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
from solver.hidden_hands.merged_tree import (
    PARTIAL_ABOVE,
    MergedPlay,
    MergedTree,
    NodeReach,
    Spread,
    mirror_images,
)
from solver.hidden_hands.problem import Blueprint
from solver.hidden_hands.profile import FirstStep, root_children
from solver.hidden_hands.tables import Tables, lazy_arrays
from solver.hidden_hands.walk_memory import Problem, Step, WalkScratch
from solver.hidden_hands.workers import Workers

_CHUNK = 1 << 22
"""Numbers that nodes of one chunk hand on, at most (one node may have more)."""
NODES_AT_ONCE, RECORDS_AT_ONCE = 8, 64
"""Fewest that a thread takes at once."""
RECORD_PIECES = 32
"""Into so many pieces for each thread records are shared out, which differ more than nodes do."""


class Sweeps:
    """Everything below the root of a merged tree, as it learns (`Below`); see ``sweep``."""

    lazy = False

    def __init__(
        self, plan: Blueprint, problem: Problem, merged: MergedTree, workers: Workers, tables: Tables
    ) -> None:
        assert plan.merged is not None
        self.merged = merged
        self.refinement = plan.merged.how.refinement
        self.average = np.zeros(plan.merged.averages, np.uint16)
        self.layers = build_layers(problem, merged)
        self._problem, self._workers, self._tables = problem, workers, tables
        self._jobs = root_children(problem)
        self._always = num_always_updated(merged) if self.layers.values.shape[1] > PARTIAL_ABOVE else None
        self._images = mirror_images(merged.twin) if merged.quotient else None
        # A chunk goes by one node too far at most, or by two where the second one is an image of the first.
        self._out = np.zeros(_CHUNK + 2 * int(self.layers.length.max()), np.float32)
        self._met = np.zeros(problem.tree.kind.size)
        self._taken = self.layers.share[:0]
        self._calibrated: F32 | None = None

    def finish(self) -> None:
        """See `Below`."""
        self.layers = without_values(self.layers)
        self._calibrate()
        final_range = self.layers.final_range[:, :0].copy()
        self.layers = self.layers._replace(final_range=final_range)

    def play(self) -> MergedPlay:
        """See `Below`."""
        return MergedPlay(self.merged, self._tables.regret, self.average, self._calibrate())

    def arrays(self) -> dict[str, NDArray[Any]]:
        """See `Below`."""
        kept = ("values", "joint", "share", "final_joint", "final_values", "final_range", "final_skips")
        return {
            "apart_averaged": self.refinement.averaged,
            **{f"apart_spread_{name}": array for name, array in self.refinement.spread._asdict().items()},
            **lazy_arrays(build_lazy_updates(self._problem)),
            "average": self.average,
            **{name: getattr(self.layers, name) for name in kept},
        }

    def numbers(self) -> dict[str, float]:
        """See `Below`."""
        return {"apart_single": self.refinement.least}

    def remember_spread(self, iterations: int) -> None:
        """Remember how play has spread in the latest iteration; the later, the more it counts."""
        if not self._taken.size:
            self._taken = np.zeros_like(self.layers.share)
        self._taken += np.float32(iterations) * self.layers.share

    def node_reach(self, first: FirstStep) -> NodeReach:
        """How much of the other side's play every node has met so far, and how it spread."""
        taken = self._taken if self._taken.size else self.layers.share
        share = taken / taken.sum(axis=2, keepdims=True)
        # Sweeps do not go over the root.
        roots = [np.zeros(share.shape[2]) for _ in range(2)]
        for root, average in zip(roots, first.average, strict=True):
            root[: average.shape[1]] = average.sum(axis=0) / average.sum()
        share[0] = np.mean(roots, axis=0) if first.symmetric else roots
        share = np.maximum(share, np.float32(FLOOR))
        key = self.merged.key[:, 0]
        merged = np.flatnonzero(key >= 0)
        order = merged[np.argsort(key[merged], kind="stable")]
        spread = Spread(key[order], share[order], share[: key.size - merged.size])
        return NodeReach(self.merged.key, self._met, spread)

    def _cut(self, opponent: int) -> list[tuple[int, int]]:
        """Chunks of nodes that go forward together: none crosses two generations, none hands on too much."""
        out, chunks = self.layers.out[opponent], []
        for first, last in zip(self.merged.generations[:-1], self.merged.generations[1:], strict=True):
            # Sweeps do not go over the root.
            at = max(int(first), 1)
            while at < last:
                end = int(np.searchsorted(out, out[at] + _CHUNK, side="right")) - 1
                end = min(max(end, at + 1), int(last))
                # Mirror images go forward together: each is told how the other's player acts.
                end += int(end < last and self.merged.twin[end])
                chunks.append((at, end))
                at = end
        return chunks

    def visit(self, step: Step, weight: float, root: WalkScratch, values: F32) -> None:
        """See `Below`."""
        learner = 0 if step.who == 1 else 1
        # What player 1 would learn, player 0 learns at its mirror image.
        seat = 0 if self.merged.quotient else learner
        self._begin_pass(seat, step.time)
        self._seed(root, learner, seat)
        self._sweep(step._replace(who=1 << seat), weight, seat)
        layers = self.layers
        for job, (a, b, child) in enumerate(self._jobs):
            if seat != learner:
                child = int(self.merged.roots[b, a])
            start, size = int(layers.start[seat, child]), num_states(self._problem, child, seat)
            worth = decode(layers.values[seat, start : start + size])
            values[job, learner, :size] = worth * layers.mass[child]

    def _sweep(self, step: Step, weight: float, seat: int) -> None:
        """Down and up again: ``layers`` then has the values of the learner, who sits at ``seat``."""
        merged, problem, layers = self.merged, self._problem, self.layers
        chunks = self._cut(1 - seat)
        for first, last in chunks:
            self._descend(first, last, seat, weight, step.time)
        for side in range(2) if merged.quotient else (seat,):
            self._visit_records(step, weight, side)

        def up(a: int, b: int, scratch: WalkScratch) -> None:
            pull_up(problem, merged, a, b, step, self._tables.regret, layers, scratch)

        for first, last in reversed(chunks):
            self._workers.split(first, last, NODES_AT_ONCE, up, load=layers.out[seat])
        self._met += weight * layers.mass

    def _visit_records(self, step: Step, weight: float, seat: int) -> None:
        """Play all final records that are updated, for whoever sits at ``seat``."""
        deep, tables = DEEP_QUOTIENT if self.merged.quotient else DEEP, self._tables

        def records(a: int, b: int, scratch: WalkScratch) -> None:
            visit_records(
                *(self._problem, self.merged, a, b, seat, weight, step.time),
                *(self.layers, tables.state, scratch, tables.hedge, deep),
            )

        self._workers.split(0, self.merged.records.hidden.shape[0], RECORDS_AT_ONCE, records, RECORD_PIECES)

    def _begin_pass(self, seat: int, time: int) -> None:
        self._calibrated = None
        numbers, batches = choose_updated(self.layers, seat, time, self._always, self._images)
        if self.layers.numbers.size < numbers or self.layers.final_numbers.shape[1] < batches:
            # The old ones must be gone before there are new ones.
            self.layers = without_ranges(self.layers)
            self.layers = with_ranges(self.layers, numbers + numbers // 20, batches + batches // 20)
        workers = self._workers
        workers.share_out(
            *(workers.walks, range(workers.threads)),
            lambda part, _: clear_pass(self.layers, part, workers.threads),
        )

    def _seed(self, root: WalkScratch, learner: int, seat: int) -> None:
        """Hand the ranges of the root to its children, those of a symmetry quotient that are the learner's.

        A symmetry quotient has every history in both orders. Player 0 learns at one half of it, then at the
        other, so that there, too, each side meets what the other one has just learnt.
        """
        layers, opp = self.layers, 1 - seat
        taken = root.action_reach[0, seat]
        for a, b in zip(*np.nonzero(self.merged.roots >= 0), strict=True):
            ours, theirs = (a, b) if seat == 0 else (b, a)
            if self.merged.quotient and (ours > theirs if learner == 0 else ours < theirs):
                continue
            child = int(self.merged.roots[a, b])
            place, size = int(layers.place[child]), num_states(self._problem, child, opp)
            layers.own[child] = max(float(taken[ours]) / float(taken.sum()), FLOOR)
            ranges = root.onward[0, opp, theirs, :size]
            layers.numbers[place : place + size] = layers.own[child] * ranges

    def _descend(self, first: int, last: int, learner: int, weight: float, time: int) -> None:
        """Forward pass over a chunk of nodes, then add up what they hand on."""
        layers, problem, workers = self.layers, self._problem, self._workers
        starts = layers.out[1 - learner]

        def down(a: int, b: int, scratch: WalkScratch) -> None:
            push_down(
                *(problem, self.merged, a, b, learner, weight, time, self._tables.regret, self.average),
                *(layers, self._out[starts[a] - starts[first] :], scratch),
            )

        def gather(part: int, _: WalkScratch) -> None:
            hand_on(problem, self.merged, first, last, learner, part, workers.threads, layers, self._out)

        workers.split(first, last, NODES_AT_ONCE, down, load=starts)
        workers.share_out(workers.walks, range(workers.threads), gather)

    def _calibrate(self) -> F32:
        """What final records remember, with the shifts that make their hedges play the averages.

        They take the room of the ranges, until the next pass makes new ones.
        """
        if self._calibrated is not None:
            return self._calibrated
        self.layers = without_ranges(self.layers)
        state = self._tables.state
        shift = np.zeros_like(state.reach)

        def records(a: int, b: int, scratch: WalkScratch) -> None:
            calibrate_records(self._problem, self.merged, a, b, self.layers, state, shift, scratch)

        self._workers.split(0, self.merged.records.hidden.shape[0], RECORDS_AT_ONCE, records, RECORD_PIECES)
        self._calibrated = remembered(state, shift)
        return self._calibrated

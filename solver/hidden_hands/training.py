"""Alternating full-width iterations over a built problem, and the exact certificate of their average.

The forward and backward pass over the root are here, its subtrees are independent jobs for a pool of threads.
Each job writes to its own part of the memory and hands back values that are summed in a fixed order, so the
answer does not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from solver.hidden_hands.audit import audit_scratch, sum_flows
from solver.hidden_hands.best_response import backward_response, forward_response, respond, store_response
from solver.hidden_hands.decisions.backward import backward_node, store_child
from solver.hidden_hands.decisions.exchange import PrivateExchange, SeenExchange, num_states
from solver.hidden_hands.decisions.forward import forward_node, load_child
from solver.hidden_hands.decisions.walk import THRESHOLD, build_lazy_updates, walk
from solver.hidden_hands.decisions.walk_memory import Problem, Step, WalkScratch, walk_scratch
from solver.hidden_hands.final.response import RecordValues, pointer_to_records
from solver.hidden_hands.final.response_memory import ResponseScratch, response_scratch
from solver.hidden_hands.final.state import final_state
from solver.hidden_hands.final.visits import Hedge, pointer_to_hedge
from solver.hidden_hands.game import Certificate, Samples, Sampling, StopFlag
from solver.hidden_hands.jit import F32, F64, I8, decode, encode
from solver.hidden_hands.machine import share_out, zeros_on_disk
from solver.hidden_hands.problem import Blueprint, deepest
from solver.hidden_hands.samples import PLAYS_AT_ONCE, Play, Players, Sampler, play, sample, sample_tree
from solver.hidden_hands.spaces import EXCHANGE, Spaces, hand_distribution
from solver.hidden_hands.statistics import Statistics, inflows, play_statistics
from solver.hidden_hands.tree import action_counts

AVERAGE_EXPONENT = 2.0
"""Iteration t counts t**2 in the averages: early play is poor (measured best among 1, 2, 3)."""
REGRET_EXPONENT = 1.5
NEGATIVE_FACTOR = 0.5
"""DCFR's alpha and beta = 0 (Brown and Sandholm 2019)."""

FULL_AT_FIRST = 2
"""Iterations that visit everything before updates are lazy."""

_LAZY_ARRAYS = ("waiting", "kept", "weight", "active")
"""What of a ``LazyUpdates`` changes while solving."""

_Scratch = TypeVar("_Scratch")


class Trainer:
    """The state of a running solve. Not a strategy: ask for the certificate and the averages.

    Attributes
    ----------
    watch : callable or None
        Told how much of a certificate is done, from 0 to 1.
    bound : float or None
        NashConv by the certificates found so far, of which better ones are still looked for.
    leave : callable or None
        Polled after every job; once it is true, ``Left`` is raised, and nothing goes on.
    refined : float or None
        Share of play in which more than rows distinguishes merged histories; None where nothing is merged.
    """

    method = "exact"
    refined: float | None = None

    def __init__(
        self,
        plan: Blueprint,
        problem: Problem,
        threads: int,
        exchange: bool,
        ranges: tuple[F64, F64] | None = None,
    ) -> None:
        self.plan = plan
        self.problem = problem
        tree, frame = problem.tree, problem.frame
        self.regret = (
            np.zeros(plan.size.regrets, np.uint16)
            if plan.disk is None
            else zeros_on_disk(plan.disk, plan.size.regrets, np.uint16)
        )
        self.flows = np.zeros(max(plan.size.flows, 1), np.float32)
        self.state = final_state(tree.row_pair.shape[0], frame, skips=plan.merged is not None)
        depth = deepest(plan)
        self.lazy_updates = build_lazy_updates(tree, self._spaces)
        self.lazy = plan.size.lazy > 0
        self.threshold = THRESHOLD
        self._root = walk_scratch(problem, 2, False)
        self._workers = [walk_scratch(problem, depth, self.lazy) for _ in range(threads)]
        self._root_response = response_scratch(problem, 2)
        self._responses = [response_scratch(problem, depth) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads)
        self.levels = (int(tree.level[0, 0]), int(tree.level[0, 1]))
        stocks = problem.stocks
        self.deals = ranges or (
            hand_distribution(problem.spaces0, self.levels[0], stocks[0]),
            hand_distribution(problem.spaces1, self.levels[1], stocks[1]),
        )
        self.exchange = (
            tuple(
                PrivateExchange(s, lv, k) for s, lv, k in zip(self._spaces, self.levels, stocks, strict=True)
            )
            if exchange
            else None
        )
        self.symmetric = bool(tree.symmetric[0])
        self.iterations = 0
        self.total_weight = 0.0
        self.watch: Callable[[float], None] | None = None
        self.leave: StopFlag | None = None
        self.bound: float | None = None
        n0, n1 = self._root_counts()
        self.jobs = [
            (a, b, int(tree.child[a * n1 + b]))
            for a in range(n0)
            for b in range(n1)
            if tree.child[a * n1 + b] >= 0
        ]
        sizes = [self._subtree(child) for _, _, child in self.jobs]
        # The largest subtrees first, so that the pool runs dry evenly.
        self._order = sorted(range(len(self.jobs)), key=lambda i: -sizes[i])
        self.root_mass = tuple(np.zeros(d.size) for d in self.deals)
        self.root_average = tuple(np.zeros((d.size, n)) for d, n in zip(self.deals, (n0, n1), strict=True))

        kind = int(tree.kind[0])
        segment = problem.spaces0.segment[kind, self.levels[0]]
        self._root_regret = np.zeros(int(segment[n0] - segment[0]) if self.symmetric else 0, np.float32)
        self.seen = int(tree.kind[0]) == EXCHANGE
        widest = max(d.size for d in self.deals)
        if self.seen:
            # Who cannot draw for what he has put away holds one item less.
            below = [(child, p) for _, _, child in self.jobs for p in range(2)]
            widest = max(widest, *(num_states(problem, child, p) for child, p in below))
        steps = np.zeros((len(self.jobs), 2, widest, problem.types.size))
        worths = np.full(steps.shape if self.seen else (0,), np.nan)
        self.seen_exchange = SeenExchange(problem, self.jobs, self.symmetric, steps, worths)

    @cached_property
    def _hedge(self) -> Hedge:
        return pointer_to_hedge(self.problem, self.state, self._root)

    @cached_property
    def _record(self) -> RecordValues:
        response = self._root_response
        return pointer_to_records(self.problem, self.state, response.supports, response.record)

    @property
    def _spaces(self) -> tuple[Spaces, Spaces]:
        return self.problem.spaces0, self.problem.spaces1

    def _root_counts(self) -> tuple[int, int]:
        problem = self.problem
        n0, n1 = action_counts(problem.tree, 0, problem.types, problem.stocks.shape[1])
        return int(n0), int(n1)

    def _subtree(self, child: int) -> int:
        """Nodes below a root child: subtrees are numbered one after the other."""
        starts = sorted(c for _, _, c in self.jobs)
        after = [s for s in starts if s > child]
        return (after[0] if after else self.plan.size.nodes) - child

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays that iterations change, for a checkpoint to read or fill."""
        arrays: dict[str, NDArray[Any]] = {
            "regret": self.regret,
            "flows": self.flows,
            "root_regret": self._root_regret,
            "first_steps": self.seen_exchange.steps,
            **{f"final_{name}": array for name, array in self.state._asdict().items() if array.size},
            **{f"deferred_{name}": getattr(self.lazy_updates, name) for name in _LAZY_ARRAYS},
        }
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
        }

    def set_numbers(self, numbers: Mapping[str, float]) -> None:
        """Take over what ``numbers`` returned."""
        self.iterations = int(numbers["iterations"])
        self.total_weight = float(numbers["total_weight"])
        for p, x in enumerate(self.exchange or ()):
            x.weight = float(numbers[f"exchange_weight_{p}"])

    def finish(self) -> None:
        """No iteration follows: what only they need may be given back before the last certificate."""

    def close(self) -> None:
        """Give the threads back."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(
        self,
        scratches: list[_Scratch],
        task: Callable[[int, _Scratch], None],
        progress: Callable[[float], None] | None = None,
    ) -> None:
        """Run ``task(job, scratch)`` for all root jobs on the pool."""
        self._share_out(scratches, self._order, task, progress)

    def _share_out(
        self,
        scratches: list[_Scratch],
        jobs: Iterable[int],
        task: Callable[[int, _Scratch], None],
        progress: Callable[[float], None] | None = None,
    ) -> None:
        """Run ``task(job, scratch)`` for the given jobs on the pool; errors and ``Left`` are raised here."""
        share_out(self._pool, self.leave, scratches, jobs, task, progress)

    def _reaches(self) -> list[F64]:
        """Ranges at the first step under the current strategies."""
        if self.exchange is None:
            return [d.copy() for d in self.deals]
        return [x.push(d) for x, d in zip(self.exchange, self.deals, strict=True)]

    def prepare(self) -> None:
        """Compile, or load, what visits final records: no iteration can do without."""
        _ = self._hedge

    def prepare_to_certify(self) -> None:
        """Compile, or load, what no certificate can do without, and no iteration needs."""
        _ = self._record

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

    def _pass(self, passes: list[int], weight: float, keep: float, everything: bool) -> None:
        """Forward pass over the root, a visit to its subtrees per learning player, backward pass.

        In a symmetric game one root table serves both players, and each stored subtree stands for its mirror
        image as well: the root learns once both seats have been visited.
        """
        both = len(passes) == 2
        who = 3 if both else passes[0]
        root, problem = self._root, self.problem
        reaches = self._reaches()
        for p in range(2):
            root.reach[0, p, : reaches[p].size] = reaches[p]
        root.weight[0] = weight
        step = Step(keep, NEGATIVE_FACTOR, who, self.iterations, everything, self.threshold)
        forward_node(problem, 0, 0, self.regret, self.flows, self.state, step, root, self._hedge, True)
        # What is averaged is what the learner has met: the other player's strategy.
        for p in range(2):
            if (who >> (1 - p)) & 1:
                self._average_root(p, weight, reaches[p])
                if self.exchange is not None:
                    self.exchange[p].average(weight)
        values = np.zeros((len(self.jobs), *root.value.shape[1:]), np.float32)
        for seat in passes:
            self._visit(step._replace(who=seat), weight, values)
            for job, (a, b, child) in enumerate(self.jobs):
                store_child(problem, 0, child, a, b, seat, values[job], root, 0)
        learner = 1 if both else who
        if both:
            self._backward_shared_root(step._replace(who=learner), keep)
        else:
            backward_node(problem, 0, 0, self.regret, step._replace(who=learner), root, False)
        if self.exchange is not None:
            for p in range(2):
                if (learner >> p) & 1:
                    self.exchange[p].learn(root.value[0, p, : reaches[p].size], keep, both)
            if both:
                self.exchange[1].copy_from(self.exchange[0])

    def _visit(self, step: Step, weight: float, values: F32) -> None:
        """Visit all subtrees below the root: ``values`` ``[jobs, 2, N]``, those of who learns."""

        def one(job: int, scratch: WalkScratch) -> None:
            a, b, child = self.jobs[job]
            load_child(self.problem, child, a, b, self._root, 0, scratch, 0)
            scratch.weight[0] = weight
            walk(
                *(self.problem, child, self.regret, self.flows, self.state, self.lazy_updates, step),
                *(scratch, self._hedge),
            )
            values[job] = scratch.value[0]
            if self.seen:
                self.seen_exchange.average(job, weight, step.who, scratch)

        self._run(self._workers, one)

    def _backward_shared_root(self, step: Step, keep: float) -> None:
        """Backward pass over the root of a symmetric game, where both seats share one table and so learn at
        the same time.

        Simultaneous learners chase each other; predictive regret matching+ (Farina, Kroer and Sandholm
        2021), which counts the latest regrets twice, does not.
        """
        table = self.regret[: self._root_regret.size]
        table[:] = 0
        backward_node(self.problem, 0, 0, self.regret, step, self._root, False)
        latest = decode(table)
        np.maximum(self._root_regret * np.float32(keep) + latest, 0.0, out=self._root_regret)
        table[:] = encode(self._root_regret + latest)

    def _average_root(self, player: int, weight: float, reach: F64) -> None:
        spaces = self._spaces[player]
        kind, level = int(self.problem.tree.kind[0]), self.levels[player]
        segment = spaces.segment[kind, level]
        first = segment[0]
        self.root_mass[player][:] += weight * reach
        for a in range(self.root_average[player].shape[1]):
            pairs = slice(segment[a], segment[a + 1])
            states = spaces.pair_state[pairs]
            sigma = self._root.sigma[0, player, segment[a] - first : segment[a + 1] - first]
            self.root_average[player][states, a] += weight * reach[states] * sigma

    def _respond(self) -> list[F64]:
        """Best-response values of both players' hands at the first step, in units of probability."""
        problem, response = self.problem, self._root_response
        forward_response(problem, 0, 0, self.flows, self.state, response, self._record)
        values = self._answers()

        def one(job: int, scratch: ResponseScratch) -> None:
            if self._answer(job, scratch):
                values[job] = scratch.value[0]
            if self.seen:
                self.seen_exchange.keep_worths(job, self.total_weight, scratch)

        self._run(self._responses, one, self.watch)
        for job, (a, b, child) in enumerate(self.jobs):
            store_response(problem, 0, child, a, b, values[job], response, 0)
        backward_response(problem, 0, 0, 3, response)
        return [response.value[0, p, : self.deals[p].size] / self.total_weight for p in range(2)]

    def _answers(self) -> F64:
        """Room for best-response values below all root children: ``[jobs, 2, N]``."""
        return np.zeros((len(self.jobs), *self._root_response.value.shape[1:]))

    def _answer(self, job: int, scratch: ResponseScratch) -> bool:
        """Best responses below one root child: ``scratch.value[0]``; False if what is known has to do."""
        respond(self.problem, self.jobs[job][2], self.flows, self.state, scratch, self._record)
        return True

    def met_flows(self) -> F64:
        """Most and least of the other side's flow that each player can meet: ``[2, 2]``, 1 but for rounding.

        See ``audit``.
        """
        problem, frame = self.problem, self.problem.frame
        scratch = audit_scratch(frame, deepest(self.plan) + 1)
        sum_flows(problem.tree, problem.types, frame, self.flows, self.state.flow, scratch)
        # A private exchange before the first step is a choice among means: it moves neither bound.
        bounds: F64 = scratch.met[0] / self.total_weight
        return bounds

    def _missed(self) -> float:
        """Flow that rounding may hide, or add, added over both players; 1 is all there is."""
        off = [max(most - 1.0, 1.0 - least, 0.0) for most, least in self.met_flows().tolist()]
        return float(sum(off))

    def _left_out(self) -> str:
        return ""

    def _worth(self, player: int, values: F64) -> float:
        """Value of a deal when every hand takes the best exchange first, if there is one."""
        if self.exchange is None:
            return float(self.deals[player] @ values)
        return float(self.deals[player] @ self.exchange[player].best(values))

    def statistics(self) -> Statistics:
        """Outcomes when both average strategies meet."""
        flows = (self.flows, self.state, self.total_weight)
        return play_statistics(self.plan, self.problem, *flows, self.jobs)

    def sample(self, sampling: Sampling, seed: int, watch: Callable[[float], None] | None = None) -> Samples:
        """Sample plays of the average strategies, and of others against them; ``watch``: see ``Sampler``."""
        return sample(self.plan, sampling, self.exchange is not None, seed, self.sampler(), watch)

    def sampler(self) -> Sampler:
        """Return what samples plays of given players; all that they have in common is prepared."""
        problem = self.problem
        inflow = np.zeros((problem.tree.kind.size, 2))
        inflows(problem, self.flows, self.state, inflow)
        fixed = (problem, self.plan.rows, int(self.plan.game.start_row), self.flows, self.state, inflow)

        def run(count: int, players: Players, watch: Callable[[float], None] | None = None) -> tuple[I8, F64]:
            def some(first: int, last: int, one: Play, _: WalkScratch) -> None:
                sample_tree(*fixed, first, last, players, one)

            return self._share_plays(count, self._workers, some, watch)

        return run

    def _share_plays(
        self,
        count: int,
        scratches: list[_Scratch],
        task: Callable[[int, int, Play, _Scratch], None],
        watch: Callable[[float], None] | None,
    ) -> tuple[I8, F64]:
        """Run ``task`` on all plays, some at once for each thread: what they show, and pay."""
        shown = np.full((count, deepest(self.plan), 2), -2, np.int8)
        pay = np.full(count, np.nan)
        rooms = [(play(self.problem.stocks.shape[1], shown, pay), each) for each in scratches]
        self._share_out(
            rooms,
            range(0, count, PLAYS_AT_ONCE),
            lambda first, room: task(first, min(first + PLAYS_AT_ONCE, count), *room),
            watch,
        )
        return shown, pay

    def certify(self, audit: bool = True, seconds: float | None = None) -> Certificate:
        """Exact best responses to the average strategies.

        ``audit``: also check that the stored reach adds up to one whatever the deviator does, and count what
        may be missing, or be too much, as slack; ``seconds``: how long that may take, roughly, where a
        looser bound can be had sooner (not here).
        """
        first = self._respond()
        openings = tuple(self._opening_values(p) for p in range(2))
        values = (self._worth(0, first[0]), self._worth(1, first[1]))
        slack = 0.0
        if audit:
            slack = self._missed() * float(np.abs(self.plan.game.payoff).max())
        return Certificate(
            values, slack, (openings[0], openings[1]), (first[0].copy(), first[1].copy()), self._left_out()
        )

    def hurry(self) -> None:
        """Let the certificate in progress end with the bound it has, if there is one already (not here)."""

    def _opening_values(self, player: int) -> F64:
        """``[S, P]`` value of each first action with best play afterwards; nan where it is impossible."""
        spaces = self._spaces[player]
        kind, level = int(self.problem.tree.kind[0]), self.levels[player]
        segment = spaces.segment[kind, level]
        values = np.full(self.root_average[player].shape, np.nan)
        for a in range(values.shape[1]):
            pairs = slice(segment[a], segment[a + 1])
            states, rests = spaces.pair_state[pairs], spaces.pair_rest[pairs]
            values[states, a] = self._root_response.rest_value[player, a, rests] / self.total_weight
        return values

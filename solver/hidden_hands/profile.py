"""The strategies of both players as they are shipped: what is certified, measured and told.

Nothing here learns. Arrays are those that iterations go on with, not copies, so a profile holds until then.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from solver.hidden_hands.decisions.exchange import Exchange, SeenExchange
from solver.hidden_hands.final_state import FinalState
from solver.hidden_hands.game import HandGame
from solver.hidden_hands.jit import F32, F64
from solver.hidden_hands.merged_tree import MergedPlay
from solver.hidden_hands.spaces import Spaces
from solver.hidden_hands.tree import Automaton, action_counts
from solver.hidden_hands.walk_memory import Problem


@dataclass(frozen=True, eq=False)
class FirstStep:
    """How play begins: the root of a tree, and an unseen exchange before it."""

    problem: Problem
    jobs: list[tuple[int, int, int]]  # both actions at the root, and the node after them
    deals: tuple[F64, F64]  # [S] probability of each hand before any exchange
    weight: float  # what all cumulative numbers are divided by
    iterations: int
    mass: tuple[F64, F64]  # [S] cumulative range at the root
    average: tuple[F64, F64]  # [S, P] cumulative reach by action; of a position [J], strategies by pair
    exchange: tuple[Exchange, Exchange] | None = None  # unseen
    exchange_mix: tuple[F64, F64] | None = None  # [S, B] how it is made
    seen: SeenExchange | None = None

    @property
    def spaces(self) -> tuple[Spaces, Spaces]:
        """Both players' private states."""
        return self.problem.spaces0, self.problem.spaces1

    @property
    def levels(self) -> tuple[int, int]:
        """Their levels at the root."""
        return root_levels(self.problem)

    @property
    def symmetric(self) -> bool:
        """Whether one seat stands for both."""
        return bool(self.problem.tree.symmetric[0])

    def pairs(self, player: int) -> list[slice]:
        """Where the pairs of each action at the root lie; none of who does not act."""
        return root_pairs(self.problem, player)

    def by_hand(self, player: int, pairs: F64) -> F64:
        """``[S, P]`` what is known ``[J]`` by pair of the first decision; nan where there is none."""
        places = self.pairs(player)
        found = np.full((self.deals[player].size, len(places)), np.nan)
        for a, place in enumerate(places):
            found[self.spaces[player].pair_state[place], a] = pairs[
                place.start - places[0].start : place.stop - places[0].start
            ]
        return found


@dataclass(frozen=True, eq=False)
class Profile:
    """A strategy for both players."""

    game: HandGame
    rows: Automaton
    depth: int  # most decisions on a path
    first: FirstStep
    end_reach: F32  # [*] cumulative reach where play ends at an ordinary decision
    state: FinalState  # likewise of final records
    merged: MergedPlay | None = None  # what is played below the root of a merged tree
    # [jobs] reach up to which a public action is dropped there, by root child; None: nowhere
    rare: F64 | None = None

    @property
    def problem(self) -> Problem:
        """The tree and all that stays as it is."""
        return self.first.problem

    def rare_by_job(self) -> F64:
        """``[jobs]`` reach up to which a public action is dropped."""
        return np.zeros(len(self.first.jobs)) if self.rare is None else self.rare


def root_levels(problem: Problem) -> tuple[int, int]:
    """Both players' levels at the root."""
    one, other = problem.tree.level[0].tolist()
    return one, other


def root_children(problem: Problem) -> list[tuple[int, int, int]]:
    """Both actions at the root and the node after them, where there is one."""
    n0, n1 = action_counts(problem.tree, 0, problem.types, problem.stocks.shape[1])
    children = problem.tree.child[: n0 * n1].reshape(n0, n1)
    return [(a, b, int(children[a, b])) for a in range(n0) for b in range(n1) if children[a, b] >= 0]


def root_pairs(problem: Problem, player: int) -> list[slice]:
    """Where the (hand, action) pairs of each action at the root lie; none of who does not act."""
    if not (int(problem.tree.acts[0]) >> player) & 1:
        return []
    spaces = problem.spaces0 if player == 0 else problem.spaces1
    segment = spaces.segment[int(problem.tree.kind[0]), root_levels(problem)[player]].tolist()
    counts = action_counts(problem.tree, 0, problem.types, problem.stocks.shape[1])
    return [slice(segment[a], segment[a + 1]) for a in range(int(counts[player]))]


def largest_first(problem: Problem, jobs: list[tuple[int, int, int]]) -> list[int]:
    """Numbers of root children, the largest subtrees first, so that a pool of threads runs dry evenly."""
    starts = [*sorted(child for _, _, child in jobs), problem.tree.kind.size]
    after = dict(itertools.pairwise(starts))
    # Subtrees are numbered one after the other.
    return sorted(range(len(jobs)), key=lambda job: jobs[job][2] - after[jobs[job][2]])

"""What follows the openings, up to the second step: how both averages play it, and what each action is worth.

What an action is worth is computed as certificates do it, and is part of what they prove: best play of one's
own afterwards, against the other side's average. Letters as in ``game``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver.hidden_hands.best_response import respond
from solver.hidden_hands.certificate import RootResponse
from solver.hidden_hands.final.response_memory import ResponseScratch
from solver.hidden_hands.final.visits import pointer_to_hedge
from solver.hidden_hands.jit import F64, I8
from solver.hidden_hands.merged.certificate import THRESHOLDED, tabulate
from solver.hidden_hands.merged.response import respond_merged
from solver.hidden_hands.merged.shipped import _AHEAD, drop_rare
from solver.hidden_hands.merged.window import Follower, new_followers, ranges_below_root
from solver.hidden_hands.profile import Profile
from solver.hidden_hands.second_step import (
    Averages,
    Decision,
    acts,
    decisions_below,
    matched,
    pairs_at,
    played_on,
    spaces_of,
)
from solver.hidden_hands.spaces import PLACE
from solver.hidden_hands.walk_memory import Problem
from solver.hidden_hands.workers import Workers


class Side(NamedTuple):
    """One player at a decision; ``S`` states."""

    states: I8  # [S, 2T] items of each type in hand, then those hidden
    reach: F64  # [S] probability of the player's part in coming here, in that state
    # [S, T + 1] how often the state takes each action (the last: nothing), and what that is worth with best
    # play of one's own afterwards against the other's average; nan where it cannot. A state that never comes,
    # and who does not act, has no mix
    mix: F64
    value: F64
    best: float  # what a best response is worth here, on average over the range


@dataclass(frozen=True, eq=False)
class Follows:
    """A decision after the openings, up to the second step, as both averages play it."""

    # By decision since play began, what each player shows: a type; -1 nothing, -2 that it hides something, -3
    # who does not act
    shown: tuple[tuple[int, int], ...]
    kind: int  # PLACE or HIDE
    acts: int  # bit p: player p decides
    step: int  # steps finished before: 1 at the second step, 0 before
    sides: tuple[Side, Side]


Second = Callable[[tuple[Follows, ...]], None]
LEAST_MET = 1e-3
"""Probability from which on a history is told of."""


def _merged_masses(profile: Profile, job: int, decisions: list[Decision]) -> list[tuple[F64, F64]]:
    """How both come by each decision below a root child of a merged tree, as shipped."""
    assert profile.merged is not None
    problem, first, play = profile.problem, profile.first, profile.merged
    rare = float(profile.rare_by_job()[job])
    norm = np.zeros((2, max(int(np.diff(each.level_start).max()) for each in first.spaces)), np.float32)

    def mix(here: Decision, player: int, ranges: F64) -> F64:
        kind, level = int(problem.tree.kind[here.node]), int(problem.tree.level[here.node, player])
        spaces, start = first.spaces[player], int(problem.tree.regret_start[here.node, player])
        sigma = matched(
            problem, here.node, player, play.average if start < play.average.size else play.regret
        )
        segment = np.array(pairs_at(problem, here.node, player))
        states = spaces.pair_state[segment[0] : segment[-1]]
        taken = np.add.reduceat(np.append(ranges[states] * sigma, 0.0), segment[:-1] - segment[0])
        taken[np.diff(segment) == 0] = 0.0
        if ranges.sum() <= rare:
            return sigma
        enough = rare if problem.tree.batch_start[here.node] >= 0 else _AHEAD * rare
        shipped = sigma.astype(np.float32)
        regrets = play.regret[start : start + sigma.size]
        drop_rare(
            *(spaces, kind, level, segment.size - 1, regrets, enough),
            *(taken.astype(np.float32), shipped, norm),
        )
        return shipped.astype(np.float64)

    below = ranges_below_root(first)
    sides = []
    for p in range(2):
        ranges = below[p][first.jobs[job][p]].astype(np.float64)
        sides.append(dict(played_on(problem, decisions, p, ranges, mix)))
    return [(sides[0][n] / first.weight, sides[1][n] / first.weight) for n in range(len(decisions))]


def follows(
    profile: Profile,
    workers: Workers,
    averages: Averages | None,
    watch: Callable[[float], None] | None = None,
    least: float = LEAST_MET,
) -> tuple[Follows, ...]:
    """Return what follows the openings, where it is met with at least so large a probability.

    Nothing, where frequencies are locked, an exchange comes first that both see, or strategies hand by hand
    are not known. Of mirrored histories of a symmetric game only one is returned.
    """
    problem, first = profile.problem, profile.first
    if problem.locked.shape[1] or first.seen is not None or int(problem.tree.kind[0]) != PLACE:
        return ()
    alike = bool((problem.stocks[0] == problem.stocks[1]).all())
    chosen: list[tuple[int, Decision, tuple[F64, F64]]] = []
    for job, (a, b, _) in enumerate(first.jobs):
        if alike and a > b:
            continue
        if averages is None:
            below = decisions_below(problem, first.jobs[job])
            masses = None if profile.merged is None else _merged_masses(profile, job, below)
        else:
            below, masses = averages.below[job], averages.of(first, job)
        if masses is None:
            return ()
        each = zip(below, masses, strict=True)
        chosen += [(job, here, mass) for here, mass in each if mass[0].sum() * mass[1].sum() >= least]
    worths = _worths(profile, workers, chosen, watch)
    found = []
    for (_, here, mass), worth in zip(chosen, worths, strict=True):
        one, other = (_side(profile, here, p, mass, worth[p]) for p in range(2))
        kind, acting, step = (
            int(of[here.node]) for of in (problem.tree.kind, problem.tree.acts, problem.tree.step)
        )
        found.append(Follows(here.shown, kind, acting, step, (one, other)))
    return tuple(found)


def _worths(
    profile: Profile,
    workers: Workers,
    chosen: list[tuple[int, Decision, tuple[F64, F64]]],
    watch: Callable[[float], None] | None,
) -> list[list[F64]]:
    """What best play is worth: by decision and player ``[M + 1, N]``, cumulative.

    Of each remainder by action; the last row by state, before it acts.
    """
    problem, root = profile.problem, RootResponse(profile)
    found: list[list[F64]] = [[np.zeros(0), np.zeros(0)] for _ in chosen]

    def keep(number: int, scratch: ResponseScratch, player: int) -> None:
        rest, value = scratch.rest_value[player], scratch.value[0, player]
        found[number][player] = np.concatenate([rest, value[None, : rest.shape[1]]])

    if profile.merged is None:

        def one(number: int, scratch: ResponseScratch) -> None:
            node = chosen[number][1].node
            respond(problem, node, profile.end_reach, profile.state, scratch, root.record)
            for p in range(2):
                keep(number, scratch, p)

        workers.share_out(workers.responses, range(len(chosen)), one, watch)
        return found
    play, bounds, weight = profile.merged, tabulate(profile, workers), profile.first.weight
    hedge = pointer_to_hedge(problem, profile.state, workers.walks[0])

    def along(number: int, room: tuple[ResponseScratch, Follower]) -> None:
        scratch, follower = room
        job, here, mass = chosen[number]
        rare = float(profile.rare_by_job()[job])
        for learner in range(2):
            for p in range(2):
                follower.problem.tree.pool[here.node, p] = here.pools[p]
                ranges = _by_state(problem, here.node, p, mass[p]) * weight
                follower.walk.reach[0, p, : ranges.size] = ranges
            follower.end_reach[:] = 0.0
            respond_merged(
                *(follower, play, here.node, learner, rare * weight, rare / THRESHOLDED * weight, bounds),
                *(scratch, hedge, root.record),
            )
            keep(number, scratch, learner)

    rooms = list(zip(workers.responses, new_followers(profile, workers), strict=True))
    workers.share_out(rooms, range(len(chosen)), along, watch)
    return found


def _by_state(problem: Problem, node: int, player: int, mass: F64) -> F64:
    if not acts(problem, node, player):
        return mass
    spaces, level = spaces_of(problem, player), int(problem.tree.level[node, player])
    segment = pairs_at(problem, node, player)
    size = int(spaces.level_start[level + 1] - spaces.level_start[level])
    ranges = np.bincount(spaces.pair_state[segment[0] : segment[-1]], mass, minlength=size)
    return ranges.astype(np.float64)


def _side(profile: Profile, here: Decision, p: int, mass: tuple[F64, F64], worth: F64) -> Side:
    problem, spaces, node = profile.problem, profile.first.spaces[p], here.node
    level, num_types = int(problem.tree.level[node, p]), problem.stocks.shape[1]
    begin, end = spaces.level_start[level : level + 2]
    held, away = spaces.held[begin:end], spaces.away[begin:end]
    states = np.concatenate([held, away - held], axis=1).astype(np.int8)
    mix, value = np.zeros((end - begin, num_types + 1)), np.full((end - begin, num_types + 1), np.nan)
    reach, met = _by_state(problem, node, p, mass[p]), profile.first.weight * mass[1 - p].sum()
    if acts(problem, node, p):
        segment = pairs_at(problem, node, p)
        pairs = slice(segment[0], segment[-1])
        owners, taken = spaces.pair_state[pairs], spaces.pair_type[pairs]
        actions = np.repeat(np.arange(len(segment) - 1), np.diff(segment))
        value[owners, taken] = worth[actions, spaces.pair_rest[pairs]] / met
        mix[owners, taken] = mass[p] / np.where(reach > 0.0, reach, 1.0)[owners]
    best = float(reach @ worth[-1, : reach.size] / (met * reach.sum()))
    # A level has hands, too, with cards that lie on the table.
    can = (away <= here.pools[p]).all(axis=1)
    return Side(states[can], reach[can], mix[can], value[can], best)

"""What a merged tree's profile brings, counted and sampled along single histories."""

from __future__ import annotations

import numpy as np

from solver.hidden_hands.final.visits import pointer_to_hedge
from solver.hidden_hands.jit import F32
from solver.hidden_hands.merged.response import count_histories
from solver.hidden_hands.merged.window import Follower, enter, new_followers, ranges_below_root
from solver.hidden_hands.profile import Profile
from solver.hidden_hands.samples import Play, Players, Sampler, sample_merged, share_plays
from solver.hidden_hands.spaces import MAX_ACTIONS
from solver.hidden_hands.statistics import Statistics, combined, counted, swapped, tally
from solver.hidden_hands.workers import Workers

LEAST_JOINT = 1e-7
"""Joint probability up to which statistics do not follow a history."""


def _shares_below_root(profile: Profile) -> list[list[F32]]:
    """Both players' ranges after each root action and its draw, in units of probability."""
    weight = np.float32(profile.first.weight)
    return [[ranges / weight for ranges in each] for each in ranges_below_root(profile.first)]


def merged_statistics(profile: Profile, workers: Workers) -> Statistics:
    """Count outcomes of both strategies against each other, history by history."""
    play, first, problem = profile.merged, profile.first, profile.problem
    assert play is not None
    below, steps = _shares_below_root(profile), int(problem.tree.step.max()) + 2
    rare, hedge = profile.rare_by_job(), pointer_to_hedge(problem, profile.state, workers.walks[0])
    counts = [tally(profile.game, steps, problem.types.size) for _ in first.jobs]

    def one(job: int, follower: Follower) -> None:
        enter(follower, below, first.jobs[job])
        child = first.jobs[job][2]
        count_histories(follower, profile.rows, play, child, rare[job], LEAST_JOINT, hedge, counts[job])

    workers.share_out(new_followers(profile, workers), range(len(first.jobs)), one)
    parts = []
    for (a, b, _), count in zip(first.jobs, counts, strict=True):
        joint = float(below[0][a].sum()) * float(below[1][b].sum())
        count.usage[0, 0, a] += joint
        count.usage[1, 0, b] += joint
        part = counted(count, problem.types.size)
        parts.append(part)
        if first.symmetric and a != b:
            parts.append(swapped(part))
    return combined(parts)


def merged_sampler(profile: Profile, workers: Workers) -> Sampler:
    """Return what samples plays of given players, along single histories."""
    play, first, problem = profile.merged, profile.first, profile.problem
    assert play is not None
    followers = new_followers(profile, workers)
    below = np.zeros((2, MAX_ACTIONS, followers[0].walk.reach.shape[2]), np.float32)
    for p, ranges in enumerate(_shares_below_root(profile)):
        for a, each in enumerate(ranges):
            below[p, a, : each.size] = each
    opening = below.sum(axis=2, dtype=np.float64)
    rare = np.full((MAX_ACTIONS, MAX_ACTIONS), np.inf)
    for (a, b, _), least in zip(first.jobs, profile.rare_by_job(), strict=True):
        rare[a, b] = least
        if first.symmetric:
            # A symmetry quotient keeps mirror images of first steps, too.
            rare[b, a] = least
    hedge = pointer_to_hedge(problem, profile.state, workers.walks[0])
    fixed = (profile.rows, int(profile.game.start_row), play, rare, opening, below)

    def some(begin: int, end: int, players: Players, one: Play, follower: Follower) -> None:
        sample_merged(follower, *fixed, begin, end, hedge, players, one)

    return share_plays(profile, workers, followers, some)

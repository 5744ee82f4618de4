"""The certificate of a merged tree's profile, along every single history, as close as there is time for.

What is not followed counts at a perfect-information bound. It also decides which rare actions are dropped
(``shipped``), and so what is played: a certificate comes with the profile it is of.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from solver.hidden_hands.certificate import RootResponse, Tell
from solver.hidden_hands.final.response_memory import ResponseScratch
from solver.hidden_hands.final.visits import pointer_to_hedge
from solver.hidden_hands.game import Certificate, StopFlag
from solver.hidden_hands.jit import F64
from solver.hidden_hands.merged.perfect_information import (
    PerfectInformation,
    bounds_of_pools,
    empty_tables,
    table_scratch,
    tabulate_nodes,
)
from solver.hidden_hands.merged.response import respond_merged
from solver.hidden_hands.merged.window import Follower, enter, new_followers, ranges_below_root
from solver.hidden_hands.profile import Profile
from solver.hidden_hands.walk_memory import WalkScratch
from solver.hidden_hands.workers import Workers

LEAST_REACH = 1e-5
"""Probability of the other player's part of a history up to which a certificate does not follow it."""
_FIRST, _FURTHER = 1e-2, 1e-6
"""The same in certificates that have so much time: what the first one takes, and where the last one ends."""
_GROWTH, _SAFETY, _FIRST_STEP = 0.6, 0.8, 100.0
"""A certificate takes one over the probability to some power (measured: up to .58 below 0.01, less further
down). How much of the time left the next may take by that, and by how much the probability falls at most."""
THRESHOLDED = 1.0
"""Actions that at most so many times the play that is followed at all would take are dropped."""
_NODES_AT_ONCE = 8
"""Fewest that a thread tabulates at once."""


def certify_merged(
    profile: Profile,
    workers: Workers,
    audit: bool = True,
    seconds: float | None = None,
    tell: Tell | None = None,
    stop: StopFlag | None = None,
) -> tuple[Certificate, Profile]:
    """Exact best responses; first those that do not take long, then better ones while there is time.

    ``audit``: also count what ranges lose by rounding as slack; ``seconds``: how long that may take, roughly;
    None: however long ``LEAST_REACH`` takes; ``stop``: polled; once it is true, first steps that are being
    looked at are finished, and no others begun.

    Returns the certificate, and the profile it is of.
    """
    search = _Search(profile, workers, audit, seconds, tell, stop)
    if seconds is None:
        return search.follow(LEAST_REACH), search.shipped(search.followed)
    threshold: float | None = _FIRST
    best: Certificate | None = None
    while threshold is not None:
        begun = time.perf_counter()
        found = search.follow(threshold)
        # Usually the latest one is best. But other actions are dropped.
        if best is None or found.nash_conv <= best.nash_conv:
            best, kept = found, search.followed.copy()
        search.bound = best.nash_conv
        now = time.perf_counter()
        # The first one has to be finished, however late it is.
        search.deadline = search.end
        threshold = _next_threshold(threshold, now - begun, search.end - now)
    assert best is not None
    return best, search.shipped(kept)


def _next_threshold(last: float, took_s: float, left_s: float) -> float | None:
    """Where the next certificate ends, by what the last one took; None if no better one fits in."""
    affordable = last * (took_s / max(_SAFETY * left_s, 1e-9)) ** (1.0 / _GROWTH)
    least = max(affordable, last / _FIRST_STEP, _FURTHER)
    return float(f"{least:.0e}") if least <= last / 2.0 else None


def _from_to(thresholds: F64) -> str:
    """Say down to where all root children have come, and how far those that have come furthest."""
    most, least = float(thresholds.max()), float(thresholds.min())
    return f"{most:.0e}" if most == least else f"{most:.0e} or, in part, {least:.0e}"


class _Search:
    """Certificates of one profile by falling thresholds; each goes on from what the last one found."""

    def __init__(
        self,
        profile: Profile,
        workers: Workers,
        audit: bool,
        seconds: float | None,
        tell: Tell | None,
        stop: StopFlag | None,
    ) -> None:
        assert profile.merged is not None
        self.end = time.perf_counter() + (np.inf if seconds is None else seconds)
        self.deadline = np.inf
        self.bound: float | None = None
        first = profile.first
        # Down to where each root child has been followed. What is played below one has nothing to do with the
        # others, so each keeps the threshold of the last pass that had time for it.
        self.followed = np.full(len(first.jobs), np.inf)
        self._profile, self._play, self._workers, self._audit = profile, profile.merged, workers, audit
        self._tell, self._stop = tell, stop
        self._root = RootResponse(profile)
        self._hedge = pointer_to_hedge(profile.problem, profile.state, workers.walks[0])
        self._values = self._root.room()
        self._below = ranges_below_root(first)
        self._followers = new_followers(profile, workers)
        self._found = tabulate(profile, workers)
        # What most play comes by takes longest, and comes first, so that the pool runs dry evenly.
        one, other = ([float(ranges.sum()) for ranges in below] for below in self._below)
        sizes = [-one[a] - other[b] for a, b, _ in first.jobs]
        self._order = sorted(range(len(sizes)), key=lambda job: sizes[job])

    def follow(self, least: float) -> Certificate:
        """Follow histories down to a probability, below as many root children as there is time for."""
        first = self._profile.first

        def one(job: int, room: tuple[ResponseScratch, Follower]) -> None:
            if time.perf_counter() > self.deadline:
                return
            scratch, follower = room
            for learner in range(2):
                enter(follower, self._below, first.jobs[job])
                follower.end_reach[:] = 0.0
                respond_merged(
                    *(follower, self._play, first.jobs[job][2], learner),
                    *(THRESHOLDED * least * first.weight, least * first.weight, self._found),
                    *(scratch, self._hedge, self._root.record),
                )
            self._values[job] = scratch.value[0]
            self.followed[job] = least

        rooms = list(zip(self._workers.responses, self._followers, strict=True))
        self._workers.share_out(rooms, self._order, one, self._watch)
        loss = max(float(follower.loss[0]) for follower in self._followers)
        missed = 2.0 * ((1.0 + loss) ** self._profile.depth - 1.0) if self._audit else 0.0
        left_out = (
            f", along every single history (those the other side lets happen with less than"
            f" {_from_to(self.followed)} counted at a perfect-information bound; rare actions dropped)"
        )
        return self._root.certificate(self._values, missed, left_out)

    def _watch(self, share: float) -> None:
        if self._stop is not None and self._stop():
            self.end = -np.inf
            if self.bound is not None:
                self.deadline = -np.inf
        if self._tell is not None:
            self._tell(share, self.bound)

    def shipped(self, followed: F64) -> Profile:
        """What is played if root children have been followed so far."""
        return replace(self._profile, rare=THRESHOLDED * followed)


def tabulate(profile: Profile, workers: Workers) -> PerfectInformation:
    """What certificates count where they do not look."""
    assert profile.merged is not None
    problem, (merged, regret, average, _) = profile.problem, profile.merged
    bounds, found = bounds_of_pools(problem, merged), empty_tables(problem, merged)
    rooms = {id(scratch): table_scratch(problem) for scratch in workers.walks}
    for first, last in reversed(list(zip(merged.generations[:-1], merged.generations[1:], strict=True))):
        for learner in range(1 if merged.quotient else 2):

            def nodes(a: int, b: int, scratch: WalkScratch, learner: int = learner) -> None:
                room = rooms[id(scratch)]
                tabulate_nodes(problem, merged, a, b, learner, regret, average, bounds, found, scratch, room)

            # The root is not among them.
            if last > 1:
                workers.split(max(int(first), 1), int(last), _NODES_AT_ONCE, nodes)
    return found

"""The certificate of a profile on the un-merged tree: exact best responses, and an audit of its reach.

The root is gone over here, its subtrees are independent jobs for threads. Each hands back values that are
summed in a fixed order, so nothing depends on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solver.hidden_hands.audit import audit_scratch, bound_reach
from solver.hidden_hands.best_response import backward_response, forward_response, respond, store_response
from solver.hidden_hands.final.response import RecordValues, pointer_to_records
from solver.hidden_hands.final.response_memory import ResponseScratch, response_scratch
from solver.hidden_hands.game import Certificate
from solver.hidden_hands.jit import F64
from solver.hidden_hands.profile import FirstStep, Profile, largest_first
from solver.hidden_hands.spaces import PLACE
from solver.hidden_hands.workers import Workers

Tell = Callable[[float, float | None], None]
"""Told how much of a certificate is done, from 0 to 1, and the NashConv that is known so far."""


class RootResponse:
    """Best responses at the root of a profile, once those below its children are known."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._scratch = response_scratch(profile.problem, 2)
        self.record: RecordValues = pointer_to_records(
            profile.problem, profile.state, self._scratch.supports, self._scratch.record
        )

    def room(self) -> F64:
        """Zeros for values below all root children: ``[jobs, 2, N]``."""
        return np.zeros((len(self._profile.first.jobs), *self._scratch.value.shape[1:]))

    def certificate(
        self, values: F64, missed: float, left_out: str = "", seen_worths: F64 | None = None
    ) -> Certificate:
        """Put ``values`` below all root children together.

        ``missed``: how much reach rounding may hide, or add; ``left_out``, ``seen_worths``: see
        `Certificate`.
        """
        profile, first, z = self._profile, self._profile.first, self._scratch
        forward_response(profile.problem, 0, 0, profile.end_reach, profile.state, z, self.record)
        for job, (a, b, child) in enumerate(first.jobs):
            store_response(profile.problem, 0, child, a, b, values[job], z, 0)
        backward_response(profile.problem, 0, 0, 3, z)
        openings, worths = [], []
        for p in range(2):
            rests = [
                z.rest_value[p, a, first.spaces[p].pair_rest[pairs]] for a, pairs in enumerate(first.pairs(p))
            ]
            openings.append(np.concatenate([np.zeros(0), *rests]) / first.weight)
            worth = z.value[0, p, : first.deals[p].size] / first.weight
            if first.exchange is not None:
                worth = first.exchange[p].best(worth)
            worths.append(float(first.deals[p] @ worth))
        slack = missed * float(np.abs(profile.game.payoff).max())
        return Certificate((worths[0], worths[1]), slack, (openings[0], openings[1]), left_out, seen_worths)


def certify_tree(
    profile: Profile, workers: Workers, audit: bool = True, tell: Tell | None = None
) -> Certificate:
    """Exact best responses to a profile of an un-merged tree.

    ``audit``: also check that the stored reach adds up to one whatever the deviator does, and count what may
    be missing, or be too much, as slack.
    """
    problem, first, root = profile.problem, profile.first, RootResponse(profile)
    values = root.room()
    seen_worths = None if first.seen is None else np.full(first.seen.steps.shape, np.nan)

    def one(job: int, scratch: ResponseScratch) -> None:
        respond(problem, first.jobs[job][2], profile.end_reach, profile.state, scratch, root.record)
        values[job] = scratch.value[0]
        if seen_worths is not None:
            _keep_first_steps(first, job, scratch, seen_worths[job])

    progress = None if tell is None else lambda share: tell(share, None)
    workers.share_out(workers.responses, largest_first(problem, first.jobs), one, progress)
    missed = 0.0
    if audit:
        off = [max(most - 1.0, 1.0 - least, 0.0) for most, least in met_reach(profile).tolist()]
        missed = float(sum(off))
    return root.certificate(values, missed, seen_worths=seen_worths)


def _keep_first_steps(first: FirstStep, job: int, scratch: ResponseScratch, worths: F64) -> None:
    """Keep what the first actions after a seen exchange are worth, in the other side's probability.

    Modified in place: ``worths`` ``[2, S, P]``.
    """
    node, problem = first.jobs[job][2], first.problem
    for p, spaces in enumerate(first.spaces):
        segment = spaces.segment[PLACE, int(problem.tree.level[node, p])]
        for a in range(problem.types.size):
            pairs = slice(segment[a], segment[a + 1])
            found = scratch.rest_value[p, a, spaces.pair_rest[pairs]]
            worths[p, spaces.pair_state[pairs], a] = found / first.weight


def met_reach(profile: Profile) -> F64:
    """Most and least of the other side's reach that each player can meet: ``[2, 2]``, 1 but for rounding.

    See ``audit``.
    """
    problem = profile.problem
    scratch = audit_scratch(problem.frame, profile.depth + 1)
    ends, finals = profile.end_reach, profile.state.reach
    bound_reach(problem.tree, problem.types, problem.frame, ends, finals, scratch)
    # A private exchange before the first step is a choice among means: it moves neither bound.
    bounds: F64 = scratch.met[0] / profile.first.weight
    return bounds

"""What a profile is worth: its certificate, and numbers; whether a tree is merged or not."""

from __future__ import annotations

from collections.abc import Callable

from solver.hidden_hands.certificate import Tell, certify_tree
from solver.hidden_hands.game import Certificate, Samples, Sampling, StopFlag
from solver.hidden_hands.merged.certificate import certify_merged
from solver.hidden_hands.merged_measuring import merged_sampler, merged_statistics
from solver.hidden_hands.profile import Profile
from solver.hidden_hands.samples import Sampler, sample, tree_sampler
from solver.hidden_hands.statistics import Statistics, play_statistics
from solver.hidden_hands.workers import Workers


def certify(
    profile: Profile,
    workers: Workers,
    audit: bool = True,
    seconds: float | None = None,
    tell: Tell | None = None,
    stop: StopFlag | None = None,
) -> tuple[Certificate, Profile]:
    """Prove how good a profile is; return that, and what it is of: see `certify_merged`.

    On an un-merged tree that is the profile itself, takes as long as it takes, and cannot be stopped.
    """
    if profile.merged is None:
        return certify_tree(profile, workers, audit, tell), profile
    return certify_merged(profile, workers, audit, seconds, tell, stop)


def statistics(profile: Profile, workers: Workers) -> Statistics:
    """Outcomes when both strategies meet."""
    if profile.merged is None:
        return play_statistics(profile)
    return merged_statistics(profile, workers)


def sampler(profile: Profile, workers: Workers) -> Sampler:
    """Return what samples plays of given players against each other."""
    return (tree_sampler if profile.merged is None else merged_sampler)(profile, workers)


def samples(
    profile: Profile,
    workers: Workers,
    sampling: Sampling,
    seed: int,
    watch: Callable[[float], None] | None = None,
) -> Samples:
    """Sample plays of both strategies, and of others against them; ``watch``: see `Sampler`."""
    return sample(profile, sampling, seed, sampler(profile, workers), watch)

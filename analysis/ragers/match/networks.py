"""What positions of a match are worth, as learned by self-play: carried for the box, trained for other rules.

The carried file is written by ``ragers train``, like any other of its kind.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from analysis import learned_values
from analysis.learned_values import Facts, Progress, TrainedNetwork
from engine.ragers.facts import COMMON_FACTS, NUM_FEATURES, NUM_STAGES, SIDE_FACTS
from engine.ragers.rules import Rules
from engine.ragers.sampling import sampling_tables
from solver.sampling.value_training import ValueTrainingSettings

__all__ = ["FACTS", "PLAYS", "TrainedNetwork", "carried", "carried_path", "from_file", "train"]

NUM_HIDDEN = 64
PLAYS = 60_000
"""Of a training on the spot."""
_LISTED = msgspec.json.encode([sorted(SIDE_FACTS.items()), sorted(COMMON_FACTS.items()), NUM_STAGES])
FACTS = Facts("ragers", NUM_FEATURES, hashlib.sha256(_LISTED).hexdigest()[:16])


def train(rules: Rules, plays: int, seed: int, progress: Progress | None = None) -> TrainedNetwork | None:
    """Learn by so many matches of self-play; None if `progress` ended it early.

    The same plays and seed give the same network on one kind of machine.
    """
    settings = ValueTrainingSettings(num_hidden=NUM_HIDDEN, seed=seed)
    return learned_values.learn(sampling_tables(rules), FACTS, rules.sha256, settings, plays, progress)


def carried_path() -> Path:
    """Return where the network for the box lies."""
    import results

    return Path(results.__file__).parent / "match" / "values.npz"


def carried(rules: Rules) -> TrainedNetwork | None:
    """Return the carried network if it was trained by these rules."""
    return learned_values.carried(carried_path(), FACTS, rules.sha256)


def from_file(path: Path, rules: Rules) -> TrainedNetwork:
    """Return the network at `path`.

    Raises
    ------
    RequestError
        If it cannot be read, or was trained by other rules.
    """
    return learned_values.from_file(path, FACTS, rules.sha256)

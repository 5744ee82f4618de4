"""What positions of a match are worth, as learned by self-play: carried for the box, trained for other rules.

The carried file is written by ``ragers train``, like any other of its kind.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import msgspec

from analysis import learned_values
from analysis.errors import RequestError
from analysis.front.players import Player
from analysis.learned_values import Facts, Progress, TrainedNetwork
from analysis.ragers.setup import Guided, Values
from engine.ragers.facts import COMMON_FACTS, NUM_FEATURES, NUM_STAGES, SIDE_FACTS
from engine.ragers.rules import Rules
from engine.ragers.sampling import sampling_tables
from solver.sampling.value_training import ValueTrainingSettings

__all__ = ["FACTS", "PLAYS", "TrainedNetwork", "carried", "carried_path", "from_file", "network_of", "train"]

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


def network_of(
    player: Player, rules: Rules, seed: int = 0, progress: Callable[[int], Progress] | None = None
) -> TrainedNetwork | None:
    """Return the values that a player goes by: of its file, carried, or learned now.

    Parameters
    ----------
    progress : how many plays are to be learned from -> what is told of them.

    Returns
    -------
    TrainedNetwork or None
        None if the player needs none, or the learning was ended early.

    Raises
    ------
    RequestError
        If its file cannot be read, or was trained by other rules.
    """
    if not isinstance(player, Values | Guided):
        return None
    if player.file is not None:
        if player.plays is not None:
            raise RequestError("name a file of values, or plays to learn by, not both", "--player")
        return from_file(player.file, rules)
    found = carried(rules) if player.plays is None else None
    plays = player.plays or PLAYS
    return found or train(rules, plays, seed, None if progress is None else progress(plays))


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

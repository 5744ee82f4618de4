"""What positions of a duel are worth, as learned by self-play: learning it, and players by it.

One network serves all decks of a card set: cards are told to it by number, and each play begins with the draw
of two decks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import msgspec

from analysis import learned_values
from analysis.errors import RequestError
from analysis.learned_values import Facts, Progress, TrainedNetwork
from analysis.warage.players import Player
from engine.warage.drawn_match import drawn_match
from engine.warage.features import COMMON_FACTS, HARM_STEPS, HP_STEPS, NUM_FEATURES, SIDE_FACTS, VALUE_STEPS
from engine.warage.reference import setup_of
from engine.warage.rules import Rules
from engine.warage.sampling import sampling_tables
from solver.sampling.value_training import ValueTrainingSettings

NUM_HIDDEN = 48
_LISTED = msgspec.json.encode([*SIDE_FACTS.items(), *COMMON_FACTS.items(), HP_STEPS, VALUE_STEPS, HARM_STEPS])
FACTS = Facts("warage", NUM_FEATURES, hashlib.sha256(_LISTED).hexdigest()[:16])


def train(
    rules: Rules, decks: Sequence[str], plays: int, seed: int, progress: Progress | None = None
) -> TrainedNetwork | None:
    """Learn by so many duels of self-play, all pairs of these decks in turn by chance; None if ended early.

    Raises
    ------
    RequestError
        If deck lists are not open: then nobody could say what others may hold.
    """
    pairs = product(decks, repeat=2)
    try:
        games = [sampling_tables(rules, setup_of(rules, pair), pauses=True) for pair in pairs]
    except ValueError as error:
        raise RequestError(str(error)) from None
    settings = ValueTrainingSettings(num_hidden=NUM_HIDDEN, rates=(0.003, 0.0002), seed=seed)
    about = ", ".join(decks)
    return learned_values.learn(
        drawn_match(games), FACTS, rules.sha256, settings, plays, progress, about=about
    )


@lru_cache(maxsize=4)
def network_of(player: Player) -> TrainedNetwork:
    """Return the network of a player by values.

    Raises
    ------
    RequestError
        If his file holds none.
    """
    return learned_values.decoded(player.data, player.file, FACTS)


def check_learned(player: Player, rules: Rules, option: str = "--player") -> None:
    """Raise RequestError for a player by values that were not learned by these rules."""
    if not player.learned:
        return
    try:
        found = network_of(player).provenance
    except RequestError as error:
        raise RequestError(str(error), option) from None
    if found.rules_sha256 != rules.sha256:
        raise RequestError(
            f"{player.file} was learned by other rules: learn again (warage train FILE), and write"
            f" {player.name}:FILE",
            option,
        )


def settings_of(player: Player) -> dict[str, int]:
    """Return the numbers that set a player; of learned values, those that they were learned by."""
    if not player.learned:
        return player.settings
    found = network_of(player).provenance
    return {**player.settings, "plays": found.plays, "seed": found.seed}

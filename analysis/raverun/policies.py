"""Players of the full game: random, greedy, searching, by learned values; and how values are kept in files.

Only imported by commands that play: numba starts here.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from analysis import learned_values
from analysis.errors import NotKeptError, RequestError
from analysis.files import is_stream, write_atomically
from analysis.learned_values import Facts, TrainedNetwork
from engine.raverun.features import NUM_FEATURES
from engine.raverun.greedy import greedy_moves
from engine.raverun.rules import Rules
from engine.raverun.sampling import SamplingTables, sampling_tables
from solver.sampling.guided_search import Guidance, GuidedSearch
from solver.sampling.head_to_head import ChoosingPolicy
from solver.sampling.information_set_search import InformationSetSearch, SearchSettings
from solver.sampling.policy import CompiledPolicy, function_policy, uniform_policy
from solver.sampling.value_network import ValueNetwork
from solver.sampling.value_policy import ValuePolicy
from solver.sampling.value_training import ValueTrainingResult, ValueTrainingSettings

FACTS = Facts("raverun", NUM_FEATURES, "2")
"""The first list was learned from plays in which who bids last saw the other bids."""
_LEFT = "training"
"""Seconds, and both halves of where the random numbers stand: kept of a training that can go on."""
TEMPERATURE = 0.01
"""Of the player one move ahead, in units of payoff: moves that much worse are played now and then.
Six times that is exploited by half as much again (measured)."""
GUIDED_EXPLORATION = 0.3
"""Of a search guided by values; half of it and the double were no better (measured)."""
PARTICLES, BELIEF_TEMPERATURE = 200, 0.05
"""Of its beliefs; a search of few iterations has no more particles than these. Temperatures of 0.1 and 0.2
told less of what others held (measured)."""


def full_game(rules: Rules, num_players: int) -> SamplingTables:
    """Return the game with what players see kept apart."""
    return sampling_tables(rules, num_players, "view")


def greedy() -> CompiledPolicy:
    """Return the player by rule of thumb."""
    return function_policy("greedy", greedy_moves)


def opponent(
    name: str, rules: Rules, num_players: int, search: SearchSettings, network: ValueNetwork | None = None
) -> CompiledPolicy | ChoosingPolicy:
    """Return "random", "greedy", "search", or with a network "values" or "guided".

    The last three play by views, whatever the others know.
    """
    if name == "random":
        return replace(uniform_policy(), name="random")
    if name == "greedy":
        return greedy()
    game = full_game(rules, num_players)
    if name == "search":
        return InformationSetSearch(game, search)
    assert network is not None
    if name == "values":
        return ValuePolicy(game, network, TEMPERATURE)
    guidance = Guidance(
        particles=min(PARTICLES, search.iterations or PARTICLES), belief_temperature=BELIEF_TEMPERATURE
    )
    return GuidedSearch(game, network, replace(search, exploration=GUIDED_EXPLORATION), guidance)


def check_place(path: Path, rules: Rules, num_players: int) -> None:
    """Raise RequestError unless what lies at `path` are values for these rules and players, or nothing."""
    if is_stream(path) or not path.exists() or not path.stat().st_size:
        return
    try:
        values_at(path, rules, num_players)
    except RequestError as error:
        raise RequestError(
            f"{error}; it is not written over (--force would, and it would be lost)", "FILE"
        ) from None


def save_training(path: Path, result: ValueTrainingResult, rules: Rules, num_players: int) -> str | None:
    """Write learned values, and what it takes to go on with the training: to `path`, or else elsewhere.

    Returns
    -------
    str or None
        Where they are instead, and why, in words; None if all went well.

    Raises
    ------
    NotKeptError
        If there is no room anywhere.
    """
    left = {}
    if result.completed:
        learned_values.make_small(result.network, result.seed)
    else:
        left = {_LEFT: np.array([result.seconds, *divmod(result.stream, 2**32)], np.float64)}
    provenance = learned_values.provenance_of(result, FACTS, rules.sha256, _about(num_players))
    trained = TrainedNetwork(result.network, provenance, left)
    data = learned_values.encoded(trained, in_full=not result.completed)
    try:
        write_atomically(path, data)
    except OSError as error:
        other = Path(tempfile.mkdtemp(prefix="raverun-")) / (path.name if path.suffix else "kept.npz")
        reason = f"cannot write {str(path)!r} ({error.strerror})"
        try:
            write_atomically(other, data)
        except OSError:
            raise NotKeptError(f"{reason}, nor {str(other)!r}") from None
        return f"Error: {reason}; what was learned is in {other} instead."
    return None


def values_at(path: Path, rules: Rules, num_players: int, option: str = "--values") -> TrainedNetwork:
    """Return kept values; RequestError if there are none for these rules and so many players.

    Parameters
    ----------
    option : where the file was named.
    """
    try:
        found = learned_values.from_file(path, FACTS, rules.sha256)
    except RequestError as error:
        raise RequestError(str(error), option) from None
    if found.provenance.about != _about(num_players):
        said = f"{path} was trained for {found.provenance.about}; give the same --players, or train again"
        raise RequestError(said, option)
    return found


def training_of(trained: TrainedNetwork) -> ValueTrainingResult:
    """Return the training that values come from, to go on with; RequestError if that is damaged."""
    found, left = trained.provenance, trained.further.get(_LEFT)
    try:
        seconds, high, low = [0.0, 0.0, 0.0] if left is None else left.tolist()
        settings = ValueTrainingSettings(
            num_hidden=trained.network.hidden.shape[1],
            rates=found.rates,
            temperatures=found.temperatures,
            random_share=found.random_share,
            trace=found.trace,
            seed=found.seed,
        )
    except ValueError as error:
        raise RequestError(f"the file of values is damaged: {error}", "--values") from None
    stream = int(high) * 2**32 + int(low)
    return ValueTrainingResult(
        trained.network, found.plays, found.positions, seconds, left is None, settings, stream
    )


def _about(num_players: int) -> str:
    return f"{num_players} players"

"""Players of the full game: random, greedy, searching, by learned values; and how values are kept in files.

Only imported by commands that play: numba starts here.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from analysis.raverun.kept_files import NETWORK, KeptFileError, kept_array, read_kept, write_kept
from engine.raverun.features import NUM_FEATURES
from engine.raverun.greedy import greedy_moves
from engine.raverun.rules import Rules
from engine.raverun.sampling import SamplingTables, sampling_tables
from solver.sampling.guided_search import Guidance, GuidedSearch
from solver.sampling.head_to_head import ChoosingPolicy
from solver.sampling.information_set_search import InformationSetSearch, SearchSettings
from solver.sampling.policy import CompiledPolicy, function_policy, uniform_policy
from solver.sampling.value_network import ValueNetwork, new_network
from solver.sampling.value_policy import ValuePolicy
from solver.sampling.value_training import ValueTrainingResult, ValueTrainingSettings

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


def save_training(path: Path, result: ValueTrainingResult, rules: Rules, num_players: int) -> str | None:
    """Write learned values, and what it takes to go on with the training; returns what `write_kept` does."""
    network, settings = result.network, result.settings
    if result.completed:
        make_small(result)
    arrays = {
        "inputs": network.inputs.astype(np.float16) if result.completed else network.inputs,
        "hidden": network.hidden,
        "scale": network.scale,
        "progress": np.array([result.plays, result.positions, result.completed, settings.seed], np.int64),
        # Nobody goes on with a finished training, and its file is the same whatever time it took.
        "seconds": np.array(0.0 if result.completed else result.seconds),
        "stream": np.array(result.stream, np.uint64),
        "settings": np.array(
            [*settings.rates, *settings.temperatures, settings.random_share, settings.trace], np.float64
        ),
    }
    return write_kept(path, NETWORK, rules, num_players, arrays)


def make_small(result: ValueTrainingResult) -> None:
    """Round what was learned to what its file holds: half precision, nothing for facts that never were true.

    The network is modified; that changes what it says by less than a thousandth.
    """
    network, seed = result.network, result.settings.seed
    centre, half_range, _ = network.scale.tolist()
    num_features, num_hidden = network.inputs.shape
    payoff_range = (centre - half_range, centre + half_range)
    fresh = new_network(num_features, num_hidden, payoff_range, seed)
    network.inputs[(network.inputs == fresh.inputs).all(axis=1)] = 0.0
    network.inputs[:] = network.inputs.astype(np.float16)


def load_network(path: Path, rules: Rules, num_players: int) -> ValueNetwork:
    """Return kept values. Raises what `read_kept` and `kept_array` do."""
    return _network(path, read_kept(path, NETWORK, rules, num_players))


def _network(path: Path, held: dict[str, np.ndarray]) -> ValueNetwork:
    halves = "inputs" in held and held["inputs"].dtype == np.float16
    inputs = kept_array(path, held, "inputs", np.float16 if halves else np.float32, (None, None))
    inputs = inputs.astype(np.float32)
    if inputs.shape[0] != NUM_FEATURES:
        raise KeptFileError(f"{path} was trained by another version: train again")
    if not inputs.shape[1]:
        raise KeptFileError(f"{path} is damaged: it has no hidden units")
    hidden = kept_array(path, held, "hidden", np.float32, (2, inputs.shape[1]))
    scale = kept_array(path, held, "scale", np.float64, (3,))
    if not scale[1] > 0.0:
        raise KeptFileError(f"{path} is damaged: its payoffs have no range")
    return ValueNetwork(inputs, hidden, scale)


def load_training(path: Path, rules: Rules, num_players: int) -> ValueTrainingResult:
    """Return a kept training, to go on with. Raises what `load_network` does."""
    held = read_kept(path, NETWORK, rules, num_players)
    network = _network(path, held)
    plays, positions, completed, seed = kept_array(path, held, "progress", np.int64, (4,)).tolist()
    seconds = float(kept_array(path, held, "seconds", np.float64, ()))
    stream = int(kept_array(path, held, "stream", np.uint64, ()))
    numbers = kept_array(path, held, "settings", np.float64, (6,)).tolist()
    try:
        settings = ValueTrainingSettings(
            num_hidden=network.hidden.shape[1],
            rates=(numbers[0], numbers[1]),
            temperatures=(numbers[2], numbers[3]),
            random_share=numbers[4],
            trace=numbers[5],
            seed=seed,
        )
    except ValueError as error:
        raise KeptFileError(f"{path} is damaged: {error}") from None
    if min(plays, positions, seconds) < 0:
        raise KeptFileError(f"{path} is damaged: it tells of less than nothing")
    return ValueTrainingResult(network, plays, positions, seconds, bool(completed), settings, stream)

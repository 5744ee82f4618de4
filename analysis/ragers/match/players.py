"""Players of whole matches, by name. Importing this starts numba."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from analysis.errors import RequestError
from analysis.front.players import Player as Declared
from analysis.learned_values import TrainedNetwork
from analysis.ragers import setup as declared
from engine.ragers.greedy import greedy_moves
from engine.ragers.rollouts import PLAYOUTS, rollout_moves
from engine.ragers.rules import Rules
from engine.ragers.sampling import SamplingTables, sampling_tables
from solver.sampling.guided_search import GuidedSearch
from solver.sampling.head_to_head import ChoosingPolicy
from solver.sampling.information_set_search import SearchSettings
from solver.sampling.policy import CompiledPolicy, function_policy, uniform_moves
from solver.sampling.value_network import ValueNetwork
from solver.sampling.value_policy import ValuePolicy

TEMPERATURE = 0.02
"""Of the player one move ahead, in units of payoff (a win is 1, a loss -1): moves that much worse are played
now and then."""
EXPLORATION = 0.3
"""Of the search guided by values."""


@dataclass(frozen=True, eq=False)
class ValuesPlayer:
    """Looks one move ahead, at what a network says of the position then."""

    name: str
    words: str
    network: ValueNetwork
    temperature: float = TEMPERATURE


@dataclass(frozen=True, eq=False)
class FunctionPlayer:
    """Plays by a compiled function."""

    name: str
    words: str
    function: Callable[..., None]


@dataclass(frozen=True, eq=False)
class AskedPlayer:
    """Is asked move by move, such as a search."""

    name: str
    words: str
    policy: ChoosingPolicy


Player = ValuesPlayer | FunctionPlayer | AskedPlayer


def kernel_game(rules: Rules) -> SamplingTables:
    """Return whole matches for kernels; RequestError if the rules are too large for them."""
    try:
        return sampling_tables(rules)
    except ValueError as error:
        raise RequestError(f"matches cannot be played by these rules: {error}") from None


def player_of(player: Declared, game: SamplingTables, trained: TrainedNetwork | None = None) -> Player:
    """Return a declared player of whole matches; with what was learned if it is `values` or `guided`."""
    name = str(player.__struct_config__.tag)
    if isinstance(player, declared.Random):
        return FunctionPlayer(name, "any legal card, each as likely", uniform_moves)
    if isinstance(player, declared.Greedy):
        return FunctionPlayer(
            name, "the attack held most; discards nothing, hides its cheapest", greedy_moves
        )
    if isinstance(player, declared.Rollouts):
        return FunctionPlayer(
            name, f"the card that does best in {PLAYOUTS} random playouts of the day", rollout_moves
        )
    assert trained is not None
    if isinstance(player, declared.Values):
        return ValuesPlayer(name, f"one move ahead by learned values ({trained.words})", trained.network)
    assert isinstance(player, declared.Guided)
    iterations, seconds = (0, player.seconds) if player.seconds else (player.iterations, 0.0)
    settings = SearchSettings(iterations=iterations, seconds=seconds, exploration=EXPLORATION)
    budget = f"{iterations} iterations" if iterations else f"{seconds:g} s"
    return AskedPlayer(
        name,
        f"search of {budget} a move, guided by learned values ({trained.words})",
        GuidedSearch(game, trained.network, settings),
    )


def policy_of(player: Player, game: SamplingTables) -> CompiledPolicy | ChoosingPolicy:
    """Return a player as matches against others want it."""
    if isinstance(player, FunctionPlayer):
        return function_policy(player.name, player.function)
    if isinstance(player, ValuesPlayer):
        return ValuePolicy(game, player.network, player.temperature, player.name)
    return player.policy

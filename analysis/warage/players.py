"""Players: by rules, by search, by chance; declared once, and what they play by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from analysis.front.parameters import param
from analysis.front.players import Player
from engine.warage.styles import GREEDY, RULE_BASED, Style

if TYPE_CHECKING:
    from engine.warage.sampling import SamplingTables
    from solver.sampling.head_to_head import ChoosingPolicy
    from solver.sampling.policy import CompiledPolicy

__all__ = ["ByRules", "Greedy", "Random", "Ruled", "Search", "policy_of", "settings_of", "style_of"]

_MOST = 10_000_000


class Styled(Player, frozen=True, kw_only=True):
    """Plays by rules of thumb with these settings."""

    life_below: Annotated[
        int, param("Cards go into the life pile below this many HP.", ge=0, le=_MOST, unit="HP")
    ] = RULE_BASED.life_below
    reserve: Annotated[int, param("HP that purchases leave.", ge=0, le=_MOST, unit="HP")] = RULE_BASED.reserve
    horizon: Annotated[
        int, param("HP that a point of attack, defence or magic is worth.", ge=0, le=_MOST, unit="HP")
    ] = RULE_BASED.horizon
    gain: Annotated[
        int,
        param("A flash has to bring this many half HP more than it costs; above 200: none.", ge=0, le=_MOST),
    ] = RULE_BASED.gain
    heal_below: Annotated[
        int, param("What only gains HP is kept above this many.", ge=0, le=_MOST, unit="HP")
    ] = RULE_BASED.heal_below


class ByRules(Styled, frozen=True, kw_only=True, tag="rules"):
    """Buys, attacks and plays flashes by rules of thumb."""


class Greedy(Styled, frozen=True, kw_only=True, tag="greedy"):
    """Buys and attacks; no flashes, no life pile."""

    life_below: Annotated[
        int, param("Cards go into the life pile below this many HP.", ge=0, le=_MOST, unit="HP")
    ] = GREEDY.life_below
    reserve: Annotated[int, param("HP that purchases leave.", ge=0, le=_MOST, unit="HP")] = GREEDY.reserve
    gain: Annotated[
        int,
        param("A flash has to bring this many half HP more than it costs; above 200: none.", ge=0, le=_MOST),
    ] = GREEDY.gain


class Search(Styled, frozen=True, kw_only=True, tag="search"):
    """Tries every move by playouts of players by rules."""

    iterations: Annotated[int, param("Playouts for each decision.", ge=1, le=_MOST, unit="playouts")] = 200


class Random(Player, frozen=True, tag="random"):
    """Makes any move."""


Ruled = ByRules | Greedy
"""Players that rules alone tell what to do: thousands of duels a second."""


def style_of(player: Player) -> Style:
    """Return what a player by rules plays by, and a search its playouts; of others the usual."""
    if not isinstance(player, Styled):
        return RULE_BASED
    return Style(*(getattr(player, name) for name in Style._fields))


def settings_of(player: Player) -> dict[str, Any]:
    """Return all settings of a player."""
    return msgspec.structs.asdict(player)


def policy_of(player: Player, game: SamplingTables, place: int) -> CompiledPolicy | ChoosingPolicy:
    """Return a player's policy in a game whose style at this place, 0 or 1, is its own."""
    from engine.warage.sampling import first_style, second_style
    from solver.sampling.information_set_search import SearchSettings
    from solver.sampling.policy import function_policy, uniform_policy
    from solver.sampling.rollouts import RolloutSearch

    if isinstance(player, Random):
        return uniform_policy()
    by_style = function_policy(str(player.__struct_config__.tag), second_style if place else first_style)
    if not isinstance(player, Search):
        return by_style
    return RolloutSearch(game, by_style, SearchSettings(player.iterations), "search")

"""Who plays against a person, or move by move against others: each declared player as an opponent."""

from __future__ import annotations

from random import Random
from typing import Any

from analysis.front.players import Player
from analysis.ragers import setup as declared
from analysis.ragers.last_day.for_the_match import ForTheMatch
from analysis.ragers.play.equilibrium import Equilibrium, thinker
from analysis.ragers.play.opponents import Greedy, Opponent, Rollouts, StoredOpening, Uniform
from analysis.ragers.play.views import View
from engine.ragers.reference import legal_actions
from engine.ragers.rules import Rules

PLAYOUTS = 100
"""For each card, of rollouts whose number of playouts is not named."""


class InKernels:
    """Asks a player of whole matches in kernels, who sees no more of a state than its player does."""

    def __init__(self, player: declared.Values | declared.Guided) -> None:
        self._declared = player
        self._policy: Any = None
        self.name = f"{player.__struct_config__.tag}: {str(player.__doc__).partition(chr(10))[0]}"

    def choose(self, view: View, random: Random) -> int:
        """Return an action."""
        legal = legal_actions(view.state, view.player)
        if len(legal) == 1:
            return legal[0]
        # Here, since numba starts with it.
        from analysis.ragers.match.searching import sampled_state

        if self._policy is None:
            self._policy = _policy(self._declared, view.state.rules)
        words = sampled_state(view.state, view.player, view.buried)
        number: int = self._policy.choose(words, random.randrange(2**62))
        return legal[number]


def _policy(player: declared.Values | declared.Guided, rules: Rules) -> Any:
    from analysis.ragers.match.networks import network_of
    from analysis.ragers.match.players import player_of, policy_of
    from analysis.ragers.match.searching import network_to_search_by
    from engine.ragers.sampling import sampling_tables
    from solver.sampling.head_to_head import AskedPolicy
    from solver.sampling.policy import CompiledPolicy

    game = sampling_tables(rules)
    named = player.file is not None or player.plays is not None
    network = network_of(player, rules) if named else network_to_search_by(rules)
    policy = policy_of(player_of(player, game, network), game)
    return AskedPolicy(game, policy) if isinstance(policy, CompiledPolicy) else policy


def opponent_of(player: Player) -> Opponent:
    """Return a declared player as one who is asked move by move."""
    if isinstance(player, declared.Values | declared.Guided):
        return InKernels(player)
    if isinstance(player, declared.Greedy):
        return Greedy()
    if isinstance(player, declared.Rollouts):
        return Rollouts(player.playouts or PLAYOUTS)
    if isinstance(player, declared.Stored):
        return StoredOpening(Rollouts(player.playouts))
    if isinstance(player, declared.Equilibrium):
        return Equilibrium(thinker(player.seconds), Rollouts(player.playouts))
    if isinstance(player, declared.ForTheMatch):
        return ForTheMatch(player.seconds)
    return Uniform()

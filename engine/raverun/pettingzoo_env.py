"""Raverun as an environment of PettingZoo (extra `pettingzoo`): agents act one after the other.

Actions are the numbers of `engine.raverun.moves`; `action_mask` in an observation says which are legal, none
for an agent who does not decide. A winner gets 1 at the end (A2).
"""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from engine.pettingzoo_base import Observation, action_spaces, drawn, observation_spaces
from engine.raverun.moves import NUM_MOVES, numbered_move
from engine.raverun.reference import CHANCE, State, chance_outcomes, decider, is_over, payoffs, start, step
from engine.raverun.rules import Rules, load_rules
from engine.raverun.view_features import (
    action_mask,
    private_features,
    private_parts,
    public_features,
    public_parts,
)


class RaverunEnv(AECEnv):  # type: ignore[misc]
    """A game of two or three.

    Parameters
    ----------
    rules : default those of the box.
    num_players : 2 or 3.

    Raises
    ------
    ValueError
        If so many cannot play with these rules.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "raverun_v0",
        "render_modes": [],
        "is_parallelizable": False,
    }

    def __init__(self, rules: Rules | None = None, num_players: int = 2) -> None:
        super().__init__()
        self.rules = load_rules() if rules is None else rules
        self._start = start(self.rules, num_players)
        self.possible_agents = [f"player_{seat}" for seat in range(num_players)]
        self.agents: list[str] = []
        self.render_mode = None
        self.state_of_game: State = self._start
        self._random = Random()
        size = public_parts(num_players).size + private_parts(num_players).size
        self._observation_spaces = observation_spaces(self.possible_agents, size, NUM_MOVES)
        self._action_spaces = action_spaces(self.possible_agents, NUM_MOVES)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent's observations look like: what everybody sees, then what it sees beyond."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return an agent's actions: numbers of moves."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin anew; a seed makes the same cards come again."""
        if seed is not None:
            self._random = Random(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.state_of_game = self._start
        self._chance()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now."""
        seat, state = self.possible_agents.index(agent), self.state_of_game
        return {
            "observation": np.concatenate([public_features(state), private_features(state, seat)]),
            "action_mask": action_mask(state, seat),
        }

    def step(self, action: int | None) -> None:
        """Carry out the selected agent's action, and chance up to the next decision.

        Raises
        ------
        IllegalMove
            If the action is not legal; the environment stands where it was.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to act")
        self.state_of_game = step(self.state_of_game, numbered_move(int(action)))
        self._cumulative_rewards[agent] = 0.0
        self._chance()
        if is_over(self.state_of_game):
            paid = payoffs(self.state_of_game)
            self.rewards = dict(zip(self.possible_agents, paid, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def render(self) -> None:
        """Show nothing; `raverun play` does."""

    def close(self) -> None:
        """Free nothing."""

    def _chance(self) -> None:
        while decider(self.state_of_game) == CHANCE:
            self.state_of_game = step(
                self.state_of_game, drawn(chance_outcomes(self.state_of_game), self._random)
            )
        who = decider(self.state_of_game)
        self.agent_selection = self.possible_agents[max(who, 0)]

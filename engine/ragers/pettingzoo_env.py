"""Ragers as a parallel environment of PettingZoo (extra `pettingzoo`): both players act in every step.

A step is one node in which somebody decides. A player who does not decide there has one legal action,
nothing; `action_mask` in its observation says so. The reward is the change of the difference of glory points.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

from gymnasium import spaces
from pettingzoo import ParallelEnv

from engine.pettingzoo_base import Observation, action_spaces, drawn, observation_spaces
from engine.ragers.features import NUM_ACTIONS, SIZE, action_mask, features
from engine.ragers.reference import (
    CHANCE,
    NOTHING,
    State,
    chance_outcomes,
    deciders,
    is_over,
    legal_actions,
    scores,
    start_day,
    start_match,
    step,
)
from engine.ragers.rules import PLAYERS, Rules, load_rules


class RagersEnv(ParallelEnv):  # type: ignore[misc]
    """A match, or a single day.

    Parameters
    ----------
    rules : default those of the box.
    patron, cheers : ids of a single day's patron and cheers cards; default a match.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "ragers_v0", "render_modes": []}

    def __init__(
        self, rules: Rules | None = None, patron: str | None = None, cheers: Sequence[str] = ()
    ) -> None:
        self.rules = load_rules() if rules is None else rules
        self._start = start_match(self.rules) if patron is None else start_day(self.rules, patron, cheers)
        self.possible_agents = list(PLAYERS)
        self.agents: list[str] = []
        self.render_mode = None
        self.state_of_game: State = self._start
        self._random = Random()
        self._observation_spaces = observation_spaces(PLAYERS, SIZE, NUM_ACTIONS)
        self._action_spaces = action_spaces(PLAYERS, NUM_ACTIONS)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent's observations look like."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return an agent's actions: a type to place or discard, or nothing (the last)."""
        return self._action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin anew; a seed makes the same cards come again."""
        if seed is not None:
            self._random = Random(seed)
        self.agents = list(PLAYERS)
        self.state_of_game = self._start
        self._chance()
        return self._observe(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Carry out both agents' actions, and chance up to the next decision.

        Raises
        ------
        IllegalMove
            If an action is not legal; the environment stands where it was.
        """
        before = scores(self.state_of_game)
        move = [NOTHING, NOTHING]
        for player, agent in enumerate(PLAYERS):
            if legal_actions(self.state_of_game, player):
                move[player] = int(actions[agent])
        self.state_of_game = step(self.state_of_game, (move[0], move[1]))
        self._chance()
        after = scores(self.state_of_game)
        gained = float((after[0] - before[0]) - (after[1] - before[1]))
        over = is_over(self.state_of_game)
        observations = self._observe()
        rewards = dict(zip(PLAYERS, (gained, -gained), strict=True))
        ended = dict.fromkeys(PLAYERS, over)
        if over:
            self.agents = []
        return observations, rewards, ended, dict.fromkeys(PLAYERS, False), {agent: {} for agent in PLAYERS}

    def render(self) -> None:
        """Show nothing; `ragers play` does."""

    def close(self) -> None:
        """Free nothing."""

    def _chance(self) -> None:
        while deciders(self.state_of_game) == (CHANCE,):
            self.state_of_game = step(
                self.state_of_game, drawn(chance_outcomes(self.state_of_game), self._random)
            )

    def _observe(self) -> dict[str, Observation]:
        return {
            agent: {
                "observation": features(self.state_of_game, player),
                "action_mask": action_mask(self.state_of_game, player),
            }
            for player, agent in enumerate(PLAYERS)
        }

"""What games share as environments of PettingZoo (extra `pettingzoo`): spaces, and chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces

Observation = dict[str, Any]
_MOST = 1000.0


def observation_spaces(
    agents: Iterable[str], size: int, num_actions: int
) -> dict[str, spaces.Space[Observation]]:
    """Return what each agent's observations look like: numbers, and a mask of legal actions."""
    return {
        agent: spaces.Dict(
            {
                "observation": spaces.Box(0.0, _MOST, (size,), np.float32),
                "action_mask": spaces.Box(0, 1, (num_actions,), np.int8),
            }
        )
        for agent in agents
    }


def action_spaces(agents: Iterable[str], num_actions: int) -> dict[str, spaces.Space[Any]]:
    """Return each agent's actions; every agent has a space of its own, to be seeded apart."""
    return {agent: spaces.Discrete(num_actions) for agent in agents}


def drawn(outcomes: Sequence[tuple[int, int]], random: Random) -> int:
    """Return one of some outcomes of chance, by their weights."""
    [outcome] = random.choices([outcome for outcome, _ in outcomes], [weight for _, weight in outcomes])
    return outcome

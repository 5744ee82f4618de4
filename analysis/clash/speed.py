"""How fast battles are solved: a figure for `ragers bench`."""

from __future__ import annotations

import random
import time

from analysis.clash.armies import ELVES, Army
from analysis.clash.scenario import Scenario
from engine.clash.rules import Rules, load_rules

NUM_BATTLES = 60
"""Some tenths of a second."""


def battles_a_second(seed: int) -> float:
    """Solve random battles of 2 to 4 figures a side, each with its forward pass; processor time."""
    from analysis.clash.solving import solved
    from solver.stochastic.forward import follow

    rules = load_rules()
    scenarios = _battles(rules, random.Random(seed))
    begin = time.process_time()
    for scenario in scenarios:
        result = solved(scenario)
        follow(result.solution, result.root)
    return NUM_BATTLES / (time.process_time() - begin)


def _battles(rules: Rules, rng: random.Random) -> list[Scenario]:
    def army(clan: str) -> Army:
        counts = [0, 0, 0]
        for _ in range(rng.randint(2, 4)):
            counts[rng.randrange(3)] += 1
        types = rules.elves if clan == ELVES else rules.clan(clan).units
        return Army(clan, types, (counts[0], counts[1], counts[2]))

    clans = [clan.id for clan in rules.clans]
    return [
        Scenario(rules, army(rng.choice(clans)), army(rng.choice([*clans, ELVES, ELVES])))
        for _ in range(NUM_BATTLES)
    ]

"""The battle of every part of an army, from one solve: the states of a battle hold those of all parts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from analysis.clash.scenario import DEFAULT_MEMORY, Scenario, TooLargeError, most_rows, with_counts
from analysis.clash.stochastic import stochastic_game
from engine.clash import battle_layout as at
from engine.clash.battle_objectives import at_the_beginning
from engine.clash.battle_tables import BattleTables
from solver.stochastic.forward import follow
from solver.stochastic.solving import Solution, solve

Counts = tuple[int, int, int]


@dataclass(frozen=True)
class SolvedParts:
    """A battle, solved for every part of the attacker's army.

    Attributes
    ----------
    roots : where the battle of each part begins, nobody left out.
    """

    scenario: Scenario
    tables: BattleTables
    solution: Solution
    roots: dict[Counts, int]

    @property
    def cut(self) -> bool:
        """Whether values are lower bounds only."""
        return self.solution.best is not None

    @cached_property
    def values(self) -> dict[Counts, float]:
        """What each part's battle is worth to the attacker; nobody's is worth 0."""
        return {counts: self.value(counts) for counts in [(0, 0, 0), *self.roots]}

    def value(self, counts: Counts) -> float:
        """Return what the battle of a part is worth to the attacker, as a report says it."""
        if not any(counts):
            return 0.0
        value = float(self.solution.value(self.roots[counts])[0])
        if self.scenario.objective == "win":
            return value
        both = np.array(counts), np.array(self.scenario.defender.counts)
        return value - at_the_beginning(both, self.scenario.side_weights[0], 0)

    def win(self, counts: Counts) -> float:
        """Return the chance that a part holds the territory, under optimal play for the objective."""
        if not any(counts):
            return 0.0
        if self.scenario.objective == "win":
            return self.value(counts)
        outcomes = follow(self.solution, self.roots[counts]).outcomes
        outcomes = outcomes.reshape((at.NUM_ENDS, *self.tables.num_armies))
        return float(outcomes[at.DEFENDER_FLED].sum() + outcomes[at.DESTROYED, :, 0].sum())


def solved_parts(scenario: Scenario, memory: int = DEFAULT_MEMORY) -> SolvedParts:
    """Solve the battles of all parts of the attacker's army at once.

    Each part starts or not by its own slowness (B2).

    Raises
    ------
    RequestError, TooLargeError
        See `analysis.clash.solving.solved`.
    """
    scenario = replace(scenario, turn=None)
    scenario.check()
    tables = scenario.tables(memory)
    game = stochastic_game(tables, scenario.payoffs(tables))
    roots: dict[Counts, int] = {}
    for counts in parts_of(scenario.attacker.counts):
        part = with_counts(scenario.attacker, counts)
        roots[counts] = replace(scenario, attacker=part).root(tables)
    try:
        rows = most_rows(tables, memory, game.num_columns)
        solution = solve(game, list(roots.values()), max_rows=rows)
    except MemoryError as error:
        raise TooLargeError(f"{error} fit into {memory >> 20} MiB (--memory); ask for fewer units") from None
    return SolvedParts(scenario, tables, solution, roots)


def parts_of(counts: Counts) -> list[Counts]:
    """Return all armies that are part of this one, itself among them, nobody left out."""
    ones, twos, threes = (range(count + 1) for count in counts)
    return [part for part in product(ones, twos, threes) if any(part)]

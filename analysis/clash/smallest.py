"""The smallest armies that take a territory with a given chance: one solve answers for all parts of one."""

from __future__ import annotations

from dataclasses import replace

from analysis.clash.parts import Counts, parts_of, solved_parts
from analysis.clash.reports import ROUNDING, NeedAnswer, NeededReport
from analysis.clash.scenario import (
    DEFAULT_MEMORY,
    Scenario,
    digest,
    switches_report,
    with_counts,
)


def need_answer(scenario: Scenario, chance: float, *, memory: int = DEFAULT_MEMORY) -> NeedAnswer:
    """Find the armies that hold the territory with at least `chance`, and of whose parts none does.

    Parameters
    ----------
    scenario : Scenario
        Its attacker is the largest army to consider.
    chance : float
    memory : most bytes to take.

    Raises
    ------
    RequestError, TooLargeError
        See `analysis.clash.solving.solved`.
    """
    chances, states, bracket = chances_of_parts(scenario, memory)
    reach = {counts for counts, value in chances.items() if value >= chance - ROUNDING}
    needed = [counts for counts in reach if not reach.intersection(parts_of(counts)) - {counts}]
    needed.sort(key=lambda counts: (sum(counts), -chances[counts]))
    attacker = scenario.attacker
    kinds = [kind for kind in range(3) if attacker.counts[kind]]

    def report(counts: Counts) -> NeededReport:
        hurt = []
        for kind in kinds:
            one, two, three = (count + (other == kind) for other, count in enumerate(counts))
            more = (one, two, three)
            if more in chances and chances[more] < min(chance, chances[counts]):
                hurt.append(attacker.types[kind].id)
        slowness = with_counts(attacker, counts).slowness
        return NeededReport(list(counts), sum(counts), chances[counts], slowness, hurt)

    return NeedAnswer(
        switches=switches_report(scenario.rules),
        attacker=attacker.clan,
        defender=scenario.defender.text(),
        solo=scenario.defender.elves and scenario.chooser == 0,
        chance=chance,
        units=[each.id for each in attacker.types],
        most=list(attacker.counts),
        armies=len(chances),
        enough=len(reach),
        needed=[report(counts) for counts in needed],
        best=report(max(chances, key=lambda counts: (chances[counts], -sum(counts)))),
        bracket=bracket,
        states=states,
        sha256=digest([scenario.dependencies(), chance]),
    )


def chances_of_parts(
    scenario: Scenario, memory: int = DEFAULT_MEMORY
) -> tuple[dict[Counts, float], int, bool]:
    """Return the chance of every part of the attacker's army, positions solved, and whether it was cut.

    Each part starts or not by its own slowness (B2). If the state space was cut these are lower bounds.
    """
    scenario = replace(scenario, objective="win", weights=None)
    parts = solved_parts(scenario, memory)
    solution = parts.solution
    return {each: parts.value(each) for each in parts.roots}, solution.num_states, solution.best is not None

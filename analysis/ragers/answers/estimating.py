"""What solving would take, scenario by scenario."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from analysis.ragers.answers import library, report, solving
from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import Scenario
from analysis.version import __version__

MIB = 2.0**20


class EstimateReport(msgspec.Struct, frozen=True):
    """What solving one scenario would take."""

    patron: str
    cheers: str
    preparation: str
    method: str
    memory_mb: float
    seconds_per_iteration: float
    num_nodes: int
    disk_mb: float
    fits: bool
    in_library: bool


class DryRunReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a whole run would take."""

    schema: int = 1
    game: str = "ragers"
    version: str = __version__
    rules: report.RulesReport
    estimates: list[EstimateReport]


def estimated(todo: Sequence[Scenario], effort: Effort) -> list[EstimateReport]:
    """Return what solving each of `todo` would take."""
    from solver.hidden_hands import memory_limit

    limit = memory_limit(effort.memory_bytes)
    estimates = []
    for scenario in todo:
        guess = solving.estimate(scenario, effort)
        estimates.append(
            EstimateReport(
                patron=scenario.patron.id,
                cheers=scenario.cheers.id,
                preparation=scenario.preparation,
                method=guess.method,
                memory_mb=guess.memory_bytes / MIB,
                seconds_per_iteration=guess.seconds_per_iteration,
                num_nodes=guess.num_nodes,
                disk_mb=guess.disk_bytes / MIB,
                fits=guess.memory_bytes <= limit,
                in_library=library.find(scenario) is not None,
            )
        )
    return estimates

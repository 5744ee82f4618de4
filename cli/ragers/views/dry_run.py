"""``ragers-solve --dry-run``: what solving would take, in the usual formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from analysis.amounts import size
from analysis.ragers.answers import report, solving
from analysis.ragers.answers.estimating import MIB, DryRunReport, estimated
from analysis.ragers.answers.solving import Effort
from analysis.ragers.scenarios import Scenario
from cli.grid import aligned, ruled, to_csv
from cli.output import to_json


def dry_run_report(todo: Sequence[Scenario], effort: Effort, form: str) -> tuple[str, int]:
    """Return the estimates for `todo` in format `form`, and the exit code: 4 if any would be refused.

    Parameters
    ----------
    todo
        At least one scenario, all under the same rules.
    effort
        How they would be solved.
    form
        ``table``, ``json``, ``csv`` or ``md``.
    """
    from solver.hidden_hands import memory_limit

    limit = memory_limit(effort.memory_bytes)
    estimates = estimated(todo, effort)
    code = 0 if all(estimate.fits for estimate in estimates) else 4
    if form == "json":
        rules = report.rules_report(todo[0].rules)
        return to_json(DryRunReport(rules=rules, estimates=estimates)), code
    if form == "csv":
        return to_csv([msgspec.structs.asdict(estimate) for estimate in estimates]), code
    head = ["patron", "cheers card", "method", "memory", "disk", "s/iteration", "nodes", "fits", "library"]
    cells = [
        [
            estimate.patron,
            estimate.cheers,
            estimate.method,
            size(estimate.memory_mb * MIB),
            size(estimate.disk_mb * MIB) if estimate.disk_mb else "-",
            f"{estimate.seconds_per_iteration:.3g}",
            f"{estimate.num_nodes:.3g}",
            "yes" if estimate.fits else "NO",
            "yes" if estimate.in_library else "no",
        ]
        for estimate in estimates
    ]
    note = f"May use {size(limit)} (--memory)."
    if effort.threads > 1 and any(
        not each.fits and solving.estimate(scenario, replace(effort, threads=1)).memory_bytes <= limit
        for scenario, each in zip(todo, estimates, strict=True)
    ):
        note += " Fewer threads take less (--threads)."
    if form == "md":
        return "\n".join([*ruled(head, cells), "", note]) + "\n", code
    return "\n".join([*aligned([head, *cells], range(len(head))), "", note]) + "\n", code

"""How many histories are refined: as many as there is room for, with few counts of large trees."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from solver.hidden_hands import Settings, planning, running
from solver.hidden_hands.machine import Clock
from solver.hidden_hands.merged_tree import LIKELIHOODS, NodeReach
from solver.hidden_hands.problem import MERGING

MERGED_BYTES = 1_000
NOBODY = NodeReach(np.zeros((0, 2), np.int64), np.zeros(0))


def finest(monkeypatch: pytest.MonkeyPatch, limit: int, most: float, power: float) -> tuple[float, int]:
    """From how likely on histories are refined, where the most of them take `most` bytes; and the counts."""
    counts: list[float] = []

    def merged_blueprint(_: Any, how: Any) -> Any:
        counts.append(how.refinement.least)
        return SimpleNamespace(least=how.refinement.least)

    def placed(plan: Any, _: Settings, __: int) -> tuple[Any, Any]:
        return plan, SimpleNamespace(
            memory_bytes=int(MERGED_BYTES + most * (LIKELIHOODS[0] / plan.least) ** power)
        )

    monkeypatch.setattr(running, "merged_blueprint", merged_blueprint)
    for module in (planning, running):
        monkeypatch.setattr(module, "fit_memory", placed)
    coarse: Any = SimpleNamespace(merged=SimpleNamespace(how=MERGING), least=np.inf)
    settings = Settings(preparation="none")
    found: Any = running._finest(coarse, NOBODY, settings, limit, Clock(settings, None))
    return found.least, len(counts)


@pytest.mark.parametrize("power", [0.1, 0.3, 0.5, 0.7, 1.0])
@pytest.mark.parametrize("wanted", range(len(LIKELIHOODS)))
def test_the_finest_that_fits_is_found(wanted: int, power: float, monkeypatch: pytest.MonkeyPatch) -> None:
    most = 1e6
    limit = int(MERGED_BYTES + most * (LIKELIHOODS[0] / LIKELIHOODS[wanted]) ** power)
    least, counts = finest(monkeypatch, limit, most, power)
    assert least == LIKELIHOODS[wanted]
    assert counts <= 4

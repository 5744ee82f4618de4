"""A proof says how far it is."""

from __future__ import annotations

import pytest

from analysis.front.question import Running
from analysis.ophidian import fights
from analysis.ophidian.fights import position, solve


def test_a_proof_tells_how_many_positions_it_has_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fights, "_TELL_S", 0.0)
    told: list[tuple[str, int, int]] = []
    running = Running(note=lambda *progress: told.append(progress))
    found = solve(position("Thorn, Runt", "Tempest, Scrap", wave=4), running=running)
    assert found.exactness == "exact"
    assert {(phase, total) for phase, _, total in told} == {("positions opened", 0)}
    counts = [done for _, done, _ in told]
    assert counts == sorted(counts)
    assert 0 < counts[-1] <= found.nodes

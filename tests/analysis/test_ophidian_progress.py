"""A proof says how far it is."""

from __future__ import annotations

import pytest

from analysis.front.asking import function_of
from analysis.front.question import Running
from analysis.ophidian import fights
from analysis.ophidian.fights import position, solve
from analysis.ophidian.game import GAME


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


@pytest.mark.parametrize(("gladiators", "phase"), [(2, "positions opened"), (3, "duels")])
def test_duels_tell_how_far_they_are(gladiators: int, phase: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fights, "_TELL_S", 0.0)
    told: list[tuple[str, int, int]] = []
    running = Running(note=lambda *progress: told.append(progress))
    names = ["runt", "scrap", "acolyte"][:gladiators]
    duel = function_of(GAME.question("duel"))
    found = duel(gladiators=names, set=["match.extra_waves=0", "match.waves=1"], running=running)
    assert {each for each, _, _ in told} == {phase}
    counts = [done for _, done, _ in told]
    assert counts == sorted(counts)
    assert 0 < counts[-1] <= max(found.nodes, 2)

"""What players who are asked, and players by rules, are counted for: with stand-ins for what plays."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from analysis.ragers.match import self_play
from analysis.ragers.match.players import AskedPlayer
from analysis.warage import contest
from analysis.warage.game import Decks
from analysis.warage.players import ByRules
from engine.warage.rules import load_rules


@pytest.mark.parametrize(("most", "played"), [(None, 5), (2, 2), (1, 1)])
def test_matches_of_a_player_who_is_asked_end_where_progress_says_so(
    most: int | None, played: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(game: Any, player: Any, root: Any, seed: int, number: int, marks: Any) -> None:
        marks[:] = number + 1

    monkeypatch.setattr(self_play, "_play_asking", play)
    told: list[int] = []

    def progress(done: int) -> bool:
        told.append(done)
        return done == most

    game: Any = SimpleNamespace(root=np.zeros(3, np.int64), state_words=3)
    player = AskedPlayer("search", "", None)  # type: ignore[arg-type]
    found = self_play.record(game, player, 2, num_matches=5, seed=0, progress=progress)
    assert told == list(range(1, played + 1))
    assert found.marks[:, 0, 0].tolist() == told


def test_seasons_are_counted_over_both_rotations(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_rules()
    seasons, points = np.array([0, 2, 2, 0, 2]), np.array([1.0, 0.5, 0.0, 0.0, 1.0])
    played = SimpleNamespace(
        points=lambda seat: points if seat == 0 else 1.0 - points,
        shared=1,
        turns=np.arange(5),
        seasons=seasons,
    )
    monkeypatch.setattr(contest, "matches", lambda *_, **__: played)
    monkeypatch.setattr(contest, "kernel_rules", lambda *_: None)
    duels = contest.Duels(rules, Decks(deck="orc-warrior", against="elf-mage"), [ByRules(), ByRules()])
    found = duels.play(0, 5, 0)
    assert found is not None
    assert found.tallies["season"] == {rules.seasons[0].id: (4, 2.0), rules.seasons[2].id: (6, 3.0)}
    assert found.draws == 2
    assert found.won == [[[won, 1.0 - won], [1.0 - won, won]] for won in points.tolist()]

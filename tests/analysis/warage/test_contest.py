"""Duels that are sampled: their seeds, what they are worth, and when they are left."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from analysis.warage.contest import Duels, hero_named
from analysis.warage.game import Decks
from analysis.warage.players import ByRules, Greedy, Random, Search
from engine.warage import recording
from engine.warage.reference import hero_of
from engine.warage.rules import load_rules
from solver.sampling import head_to_head

RULES = load_rules()


def sampled(
    monkeypatch: pytest.MonkeyPatch, payoffs: list[float], turns: list[int], looks_at: tuple[int, ...] = ()
) -> tuple[Duels, list[dict[str, Any]]]:
    """Duels of which every rotation pays and lasts so; `looks_at` says how many are done at each look."""
    calls: list[dict[str, Any]] = []

    def play(*_: Any, **named: Any) -> Any:
        noted = np.zeros((len(payoffs), 1, 2), np.int64)
        noted[:, 0, recording.TURN] = turns
        said = [named["progress"](done) for done in looks_at]
        calls.append(named | {"said": said})
        return SimpleNamespace(draws=1, payoffs=np.array(payoffs)[:, None], noted=noted)

    monkeypatch.setattr(head_to_head, "play_matches", play)
    return Duels(RULES, Decks(), [ByRules(), Random()]), calls


@pytest.mark.kernels
def test_sampled_duels_pay_from_0_to_1_and_are_counted_by_their_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most = RULES.match.max_turns
    duels, calls = sampled(monkeypatch, [1.0, 0.0, 0.0, -1.0], [9, most, 12, 9])
    found = duels.play(3, 4, 5)
    assert found is not None
    assert found.won == [[[point, 1.0 - point]] * 2 for point in (1.0, 0.5, 0.5, 0.0)]
    assert (found.draws, found.lengths) == (2, {9: 4, most: 2, 12: 2})
    assert found.tallies["ending"] == {
        "one beaten": (4, 2.0),
        "turn limit": (2, 1.0),
        "both beaten": (2, 1.0),
    }
    assert [call["seats"] for call in calls] == [(0,), (1,)]
    assert [call["num_deals"] for call in calls] == [4, 4]


@pytest.mark.kernels
def test_tasks_of_sampled_duels_have_seeds_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    duels, calls = sampled(monkeypatch, [1.0], [9])
    for seed in range(6):
        for first in range(6):
            assert duels.play(first, 1, seed) is not None
    seeds = [call["seed"] for call in calls]
    # Both rotations have the same luck, and no two deals.
    assert seeds[::2] == seeds[1::2]
    assert len(set(seeds)) == 36
    assert all(0 <= seed < 2**62 for seed in seeds)
    assert max(seeds) > 2**61
    assert {seed % 2 for seed in seeds} == {0, 1}


def test_players_by_rules_alone_are_played_by_the_thousand() -> None:
    assert Duels(RULES, Decks(), [ByRules(), Greedy()]).deals_at_once == 2_000
    assert Duels(RULES, Decks(), [ByRules(), Search()]).deals_at_once == 1


def test_a_deck_may_be_played_by_another_race() -> None:
    orc, elf = RULES.deck("orc-warrior"), [race.id for race in RULES.races].index("elf")
    assert hero_named(RULES, "orc-warrior") == hero_of(RULES, orc)
    other = hero_named(RULES, "elf/orc-warrior")
    assert (other.race, other.deck) == (elf, hero_of(RULES, orc).deck)

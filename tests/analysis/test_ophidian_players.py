"""Players of Ophidian by their names, and what a search leaves to rules of thumb and to proofs."""

from __future__ import annotations

from math import comb
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from analysis.ophidian import players
from analysis.ophidian.learned import carried
from analysis.ophidian.players import (
    Budget,
    SearchPlayer,
    game_of,
    opponent_named,
    player_named,
    values_player,
    waiting,
)
from analysis.ophidian.responses import _none_of
from engine.ophidian import layout
from engine.ophidian.codec import encode
from engine.ophidian.reference import (
    chance_outcomes,
    legal_moves,
    seat_of,
    start_match,
    step,
)
from engine.ophidian.reference_state import Phase, State
from engine.ophidian.rules import load_rules
from engine.ophidian.sampling import HORIZON, NUM_WORDS, STATE_WORDS, WAITS_AT
from engine.records import replace

RULES = load_rules()
GAME = game_of(RULES, [seat_of(RULES, deck) for deck in ("storm", "patron")])


def words_of(state: State) -> np.ndarray:
    words = np.zeros(STATE_WORDS, np.int64)
    words[:NUM_WORDS] = encode(state)
    return words


def test_who_looks_one_move_ahead_waits_for_chance() -> None:
    assert waiting(GAME).tables[WAITS_AT] == 1
    assert GAME.tables[WAITS_AT] == 0
    trained = carried(RULES)
    assert trained is not None
    for player in (
        values_player(GAME, trained),
        opponent_named("values", RULES, GAME, Budget()),
        player_named("values", RULES, GAME, Budget(), trained),
    ):
        asked: Any = player
        assert asked.temperature == pytest.approx(0.02)


@pytest.mark.kernels
def test_a_search_leaves_the_last_wave_to_proofs_and_what_goes_under_the_deck_to_a_rule(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player: Any = SearchPlayer(RULES, GAME, Budget(1))
    searched: list[tuple[int, int]] = []

    def search(state: np.ndarray, seed: int) -> int:
        searched.append((int(state[HORIZON]), seed))
        return 5

    monkeypatch.setattr(player, "_search", SimpleNamespace(choose=search))
    monkeypatch.setattr(players, "observe", lambda *_: 0)
    monkeypatch.setattr(players, "greedy_move", lambda *_: 3)
    proofs: list[int] = []

    def proved(state: State) -> int | None:
        proofs.append(state.wave)
        return 2 if state.turn == 0 else None

    monkeypatch.setattr(player, "_proved", proved)
    state = start_match(RULES, [seat_of(RULES, deck) for deck in ("storm", "patron")])
    while state.phase != Phase.ACT:
        outcomes = chance_outcomes(state)
        state = step(state, outcomes[0][0] if outcomes else legal_moves(state)[0])
    words = words_of(state)

    def chosen(phase: Phase, wave: int, turn: int = 0) -> int:
        changed = words_of(replace(state, wave=wave, turn=turn))
        changed[layout.PHASE] = int(phase)
        before = changed.copy()
        move: int = player.choose(changed, 9)
        assert np.array_equal(changed, before)
        return move

    assert [chosen(phase, 4) for phase in (Phase.UNDER, Phase.DISCARD)] == [3, 3]
    assert (searched, proofs) == ([], [])
    assert [chosen(Phase.ACT, wave) for wave in (0, 1, 3)] == [5, 5, 5]
    assert searched == [(1, 9), (1, 9), (3, 9)]
    assert chosen(Phase.MAINTAIN, 4) == 5
    assert proofs == []
    assert [chosen(Phase.ACT, wave) for wave in (4, 5)] == [2, 2]
    assert player.proved == 2
    assert chosen(Phase.ACT, 4, 1) == 5
    assert (proofs, player.proved) == ([4, 5, 4], 2)
    assert words.tolist() == words_of(state).tolist()


def test_a_random_player_makes_every_move_and_a_greedy_one_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def observed(tables: Any, state: Any, work: np.ndarray) -> int:
        work[0] = 3
        return 0

    monkeypatch.setattr(players, "observe", observed)
    monkeypatch.setattr(players, "greedy_move", lambda *_: 1)
    words = np.zeros(STATE_WORDS, np.int64)
    any_move = opponent_named("random", RULES, GAME, Budget())
    assert {any_move.choose(words, seed) for seed in range(40)} == {0, 1, 2}
    assert opponent_named("greedy", RULES, GAME, Budget()).choose(words, 7) == 1


@pytest.mark.parametrize(
    ("copies", "total", "cards"), [(3, 51, 7), (1, 2, 1), (0, 5, 3), (5, 5, 1), (3, 5, 3), (2, 9, 0)]
)
def test_a_hand_has_none_of_some_copies_by_the_number_of_hands(copies: int, total: int, cards: int) -> None:
    expected = comb(total - copies, cards) / comb(total, cards)
    assert _none_of(copies, total, cards) == pytest.approx(expected)

"""Playing to win the match from a state of the reference, blind for what cannot be seen."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from analysis.ragers.last_day.opponents import opponent_of
from analysis.ragers.match.searching import MatchSearcher, network_to_search_by, sampled_state
from analysis.ragers.play.opponents import deal_unseen
from analysis.ragers.play.views import View
from analysis.ragers.setup import ForTheMatch
from engine.ragers.reference import Counts, Phase, State, deciders, legal_actions, start_day
from engine.ragers.rules import load_rules
from engine.ragers.sampling_layout import BURIED, CHOICE
from tests.engine.ragers.test_sampling import Walk, hidden_counts

BOX = load_rules()


def buried_before(walk: Walk, state: State) -> tuple[Counts, Counts]:
    """What both have laid down hidden on earlier days."""
    now = [[slot[0].printed for slot in own.row if slot[0].hidden] for own in state.players]
    earlier = [hidden_counts(cards[: len(cards) - len(now[side])]) for side, cards in enumerate(walk.hidden)]
    return earlier[0], earlier[1]


@pytest.mark.kernels
def test_I1_states_to_search_from_are_those_of_the_play() -> None:
    hidden = 0
    for seed in range(12):
        walk = Walk(BOX, seed)
        for state in walk.states():
            for player in deciders(state):
                if player < 0:
                    continue
                words = sampled_state(state, player, buried_before(walk, state))
                same = [word for word in range(len(words)) if word not in (CHOICE, BURIED, BURIED + 1)]
                assert words[same].tolist() == walk.words[same].tolist()
                assert walk.game.observe(walk.game.tables, words, np.zeros(64, np.int64)) == player
                hidden += any(walk.hidden)
    assert hidden > 20


@pytest.mark.kernels
def test_I1_the_search_uses_nothing_hidden() -> None:
    searcher = MatchSearcher(BOX, iterations=60, seconds=60.0)
    rng = Random(1)
    compared = 0
    for seed in range(4):
        walk = Walk(BOX, seed)
        for state in walk.states():
            player = deciders(state)[-1] if deciders(state) else -1
            if player < 0 or rng.random() > 0.4:
                continue
            view = View(state, player, buried_before(walk, state))
            dealt = deal_unseen(view, rng)
            if deciders(dealt) != deciders(state):
                continue
            found = searcher.chances(state, player, view.buried, 7)
            again = searcher.chances(dealt, player, view.buried, 7)
            legal = legal_actions(state, player)
            assert found[0] in legal
            assert set(found[1]) == set(legal)
            # What was buried on earlier days is handed over apart, and not dealt anew with the rest.
            if not any(view.buried[1 - player]):
                assert repr(again) == repr(found)
                compared += 1
    assert compared > 8


@pytest.mark.kernels
def test_the_opponent_at_the_terminal_plays_days_and_other_rules() -> None:
    assert network_to_search_by(BOX).provenance.rules_sha256 == BOX.sha256
    day = start_day(BOX, "solennos", ["two-bashers"], hands=((1,) * 5 + (0,) * 3, (1,) * 5 + (0,) * 3))
    assert day.phase == Phase.PREPARE
    foe = opponent_of(ForTheMatch(seconds=0.2))
    assert "match" in foe.name
    assert foe.choose(View(day, 1), Random(0)) in legal_actions(day, 1)

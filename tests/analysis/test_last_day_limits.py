"""Hands read by learned values, blind searches of the match, and what a solve of a last day may take."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from analysis.ragers.last_day import beliefs
from analysis.ragers.last_day.beliefs import UniformReader, ValuesReader, reader_for
from analysis.ragers.last_day.opponents import opponent_of
from analysis.ragers.match import networks
from analysis.ragers.match.searching import MatchSearcher, network_to_search_by, sampled_state
from analysis.ragers.play.opponents import deal_unseen
from analysis.ragers.play.views import Played, View
from analysis.ragers.setup import ForTheMatch
from engine.ragers.reference import NOTHING, Counts, Phase, State, deciders, legal_actions, start_day
from engine.ragers.rules import NUM_TYPES, load_rules
from engine.ragers.sampling_layout import BURIED, CHOICE, FIRST
from tests.engine.ragers.test_sampling import Walk, hidden_counts

BOX = load_rules()


def hidden_before(walk: Walk, state: State) -> tuple[Counts, Counts]:
    """What both have laid down hidden on earlier days."""
    now = [sum(slot[0].hidden for slot in own.row) for own in state.players]
    first, second = (hidden_counts(cards[: len(cards) - now[side]]) for side, cards in enumerate(walk.hidden))
    return first, second


@pytest.mark.kernels
def test_hands_are_read_as_the_values_would_play_them() -> None:
    """The real hand plays as in the real match, with any card now and then."""
    from analysis.ragers.match.players import TEMPERATURE
    from solver.sampling.value_policy import ValuePolicy

    trained = networks.carried(BOX)
    assert trained is not None
    reader = reader_for(BOX)
    assert isinstance(reader, ValuesReader)
    assert reader.words == f"by the play of learned values ({trained.words}), 10 % of any card mixed in"
    assert isinstance(reader_for(load_rules(overrides=("match.winning_lead=7",))), UniformReader)
    seen = 0
    for seed in range(10):
        walk = Walk(BOX, seed)
        policy = ValuePolicy(walk.game, trained.network, TEMPERATURE)
        for state in walk.states():
            for player in deciders(state):
                if player < 0:
                    continue
                buried = hidden_before(walk, state)
                played = Played(state, (NOTHING, NOTHING), buried, ())
                own = state.players[player]
                hidden = np.array([hidden_counts(walk.hidden[player])])
                (shares,) = reader.shares(played, player, np.array([own.hand]), hidden)
                legal = legal_actions(state, player)
                assert shares.sum() == pytest.approx(1.0)
                assert np.flatnonzero(shares).tolist() == sorted(legal)
                if len(legal) == 1:
                    continue
                words = walk.words.copy()
                words[CHOICE] |= player << FIRST.offset
                mix = dict(zip(legal, policy.probabilities(words).tolist(), strict=True))
                # Under which patron a card was hidden is not told: only without one are positions alike.
                if not words[BURIED : BURIED + 2].any():
                    expected = [0.9 * mix[action] + 0.1 / len(legal) for action in legal]
                    assert shares[list(legal)] == pytest.approx(expected)
                seen += bool(hidden.any())
    assert seen > 20


def test_hands_that_are_hardly_likely_are_dropped() -> None:
    held = beliefs._Range([2, 2, 1, 0, 0, 0, 0, 0], 2)
    held.draw()
    assert {tuple(hand[:3]) for hand in held.hands.tolist()} == {
        *((2, 0, 0), (1, 1, 0), (1, 0, 1), (0, 2, 0), (0, 1, 1))
    }
    found = {tuple(hand[:3]): weight for hand, weight in zip(held.hands.tolist(), held.weights, strict=True)}
    # Of the ten pairs of five cards, one is two Bashers, and four are one of each.
    assert found[2, 0, 0] == pytest.approx(0.1)
    assert found[1, 1, 0] == pytest.approx(0.4)
    shares = np.full((5, NUM_TYPES + 1), 1.0)
    # Whoever holds a Basher places it; else one in ten million does as if he held nothing.
    rare = held.hands[:, 0] == 0
    shares[rare] = 1e-7
    held.play(NOTHING, shares)
    assert {tuple(hand[:3]) for hand in held.hands.tolist()} == {(2, 0, 0), (1, 1, 0), (1, 0, 1)}
    assert held.weights.sum() == pytest.approx(1.0)
    assert held.pool.tolist()[:3] == [2, 2, 1]
    with pytest.raises(ValueError, match="nobody can have played like this"):
        held.play(1, np.zeros((3, NUM_TYPES + 1)))


@pytest.mark.kernels
def test_I1_states_to_search_from_are_those_of_the_play() -> None:
    hidden = 0
    for seed in range(12):
        walk = Walk(BOX, seed)
        for state in walk.states():
            for player in deciders(state):
                if player < 0:
                    continue
                words = sampled_state(state, player, hidden_before(walk, state))
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
            view = View(state, player, hidden_before(walk, state))
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

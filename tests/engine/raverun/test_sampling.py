"""Raverun for sampling solvers: keys against the reference's views, and determinisation."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np
import pytest

from engine.raverun import sampling
from engine.raverun.codec import decode, encode
from engine.raverun.layout import NUM_WORDS
from engine.raverun.reference import CHANCE, OVER, Phase, State, decider, payoffs, start, step
from engine.raverun.reference_view import View, view
from engine.raverun.reveals import is_reveal
from engine.raverun.rules import Rules, load_rules
from tests.engine.raverun.plays import BOX, moves, random_move

pytestmark = pytest.mark.kernels

SMALL = load_rules(
    overrides=[
        "match.characters=4",
        "match.letters=2",
        "match.hand_size=2",
        "characters.1.action=swap",
        "characters.2.action=exchange",
        "characters.3.action=shuffle",
        "characters.4.action=bury",
    ]
)
GAMES = [pytest.param(BOX, 2, id="box"), pytest.param(BOX, 3, id="three"), pytest.param(SMALL, 2, id="small")]


def walk(
    rules: Rules, num_players: int, game: sampling.SamplingTables, seed: int
) -> Iterator[tuple[State, Any]]:
    """States of a random play, with their words, which are the same array throughout."""
    rng = random.Random(seed)
    state, words, work = start(rules, num_players), game.root.copy(), np.zeros(game.work_words, np.int64)
    while True:
        yield state, words
        if decider(state) == OVER:
            return
        move = random_move(state, rng)
        game.apply(game.tables, words, work, moves(state).index(move))
        if is_reveal(words):
            game.apply(game.tables, words, work, 0)
        state = step(state, move)


@pytest.mark.parametrize(("rules", "num_players"), GAMES)
@pytest.mark.parametrize("recall", ["perfect", "view"])
def test_keys_tell_apart_what_the_reference_tells_apart(rules: Rules, num_players: int, recall: Any) -> None:
    game = sampling.sampling_tables(rules, num_players, recall)
    work, weights = np.zeros(2, np.int64), np.zeros(game.max_moves)
    keys: dict[Hashable, int] = {}
    infosets: dict[int, Hashable] = {}
    for seed in range(150):
        histories: list[list[View]] = [[] for _ in range(num_players)]
        for state, words in walk(rules, num_players, game, seed):
            assert words[:NUM_WORDS].tolist() == encode(state).tolist()
            for player, history in enumerate(histories):
                seen = view(state, player)
                if state.phase == Phase.DEAL:
                    continue
                if not history or history[-1] != seen:
                    history.append(seen)
            who = game.observe(game.tables, words, work)
            assert who == decider(state)
            if who == OVER:
                game.payoffs(game.tables, words, work, weights)
                assert tuple(weights[:num_players].tolist()) == payoffs(state)
                continue
            assert work[0] == len(moves(state)) <= game.max_moves
            if who == CHANCE:
                assert game.chance_weights(game.tables, words, work, weights) == work[0]
                continue
            known = tuple(histories[who]) if recall == "perfect" else histories[who][-1]
            key = int(work[1])
            assert key > 0
            assert keys.setdefault((who, known), key) == key
            assert infosets.setdefault(key, (who, known)) == (who, known)
    assert len(keys) == len(infosets) > 500


@pytest.mark.parametrize(("rules", "num_players"), GAMES)
def test_determinised_states_look_the_same_and_are_possible(rules: Rules, num_players: int) -> None:
    game = sampling.sampling_tables(rules, num_players, "view")
    assert game.determinise is not None
    work, before = np.zeros(2, np.int64), np.zeros(2, np.int64)
    sampled = np.zeros(game.state_words, np.int64)
    differing = 0
    for seed in range(60):
        for state, words in walk(rules, num_players, game, seed):
            who = decider(state)
            if who < 0:
                continue
            game.observe(game.tables, words, before)
            game.determinise(game.tables, words, work, who, seed, sampled)
            assert game.observe(game.tables, sampled, work) == who
            assert work.tolist() == before.tolist()
            other = decode(sampled, rules, num_players)
            assert encode(other).tolist() == sampled[:NUM_WORDS].tolist()
            assert view(other, who) == view(state, who)
            assert cards_of(other) == cards_of(state) == list(range(rules.num_cards))
            differing += other != state
            # From the sampled state the same comes of the same seed: nothing hidden has a say.
            again = np.zeros_like(sampled)
            game.determinise(game.tables, sampled, work, who, seed, again)
            assert again.tolist() == sampled.tolist()
    assert differing > 100


def cards_of(state: State) -> list[int]:
    cards = [card for batch in state.deck for card in batch] + list(state.put) + list(state.unplaced)
    for player in state.players:
        cards += [*player.hand, *player.stack, *player.battlefield]
        if player.chosen is not None and player.chosen not in player.battlefield:
            cards.append(player.chosen)
    return sorted(cards)


def test_determinisation_spreads_unknown_cards_evenly() -> None:
    rules = load_rules(overrides=["match.characters=2", "match.hand_size=2"])
    game = sampling.sampling_tables(rules, 2, "view")
    assert game.determinise is not None
    words, work = game.root.copy(), np.zeros(2, np.int64)
    for _ in range(4):
        game.apply(game.tables, words, work, 0)
    sampled = np.zeros_like(words)
    hands: Counter[tuple[int, ...]] = Counter()
    for seed in range(6000):
        game.determinise(game.tables, words, work, 0, seed, sampled)
        hands[decode(sampled, rules, 2).players[1].hand] += 1
    assert len(hands) == 6
    assert all(abs(number - 1000) < 150 for number in hands.values())  # standard deviation 29

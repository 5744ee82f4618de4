"""The match of Ragers and the sampling solvers together: contract, and players that see nothing hidden."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analysis.ragers.naive import greedy_attack, greedy_hidden
from engine.ragers import kernel, sampling
from engine.ragers.codec import decode
from engine.ragers.greedy import greedy_moves
from engine.ragers.reference import NOTHING, Phase
from engine.ragers.rollouts import rollout_moves
from engine.ragers.rules import NUM_TYPES, TYPES, Rules, load_rules
from solver.sampling.game import MalformedSamplingGameError
from solver.sampling.head_to_head import play_matches
from solver.sampling.policy import function_policy, uniform_policy
from tests.games.sampling_checks import check_sampling_game, check_sees_nothing_hidden

BOX = load_rules()
HARSH = load_rules(
    overrides=[
        "cards.veteran.copies=5",
        "cards.deadeye.copies=5",
        "patrons.arianna.forbidden=basher,slasher,prodder",
    ]
)
#: Under two patrons hardly anything can be placed, or nothing at all.
FORBIDDING = load_rules(
    overrides=[
        "match.hand_size=2",
        "match.discards=0",
        f"patrons.solennos.forbidden={','.join(TYPES)}",
        "patrons.arianna.forbidden=basher,slasher,prodder,cheater,veteran",
    ]
)
AT_ONCE = load_rules(overrides=["match.deadeye_card=at-once", "cards.deadeye.copies=5"])


@pytest.mark.kernels
@pytest.mark.parametrize("rules", [BOX, AT_ONCE, HARSH, FORBIDDING], ids=["box", "K9", "K3", "nothing"])
def test_the_match_keeps_the_contract(rules: Rules) -> None:
    check_sampling_game(sampling.sampling_tables(rules), num_plays=60)


@pytest.mark.kernels
def test_I1_a_choice_that_shows_at_once_what_it_brings_to_light_is_found() -> None:
    """Without the node between, who chooses last sees at once whether the other one still has a card to
    place."""
    game = sampling.sampling_tables(FORBIDDING)

    def leaking(tables: sampling.Words, state: sampling.Words, work: sampling.Words, move: int) -> None:
        who = sampling.decider(state)
        sampling.apply(tables, state, work, move)
        if who >= 0:
            sampling.apply(tables, state, work, 0)

    with pytest.raises(MalformedSamplingGameError):
        check_sampling_game(replace(game, apply=leaking), num_plays=200)


@pytest.mark.kernels
@pytest.mark.parametrize("moves", [greedy_moves, rollout_moves])
def test_I1_players_look_at_nothing_hidden(moves: Callable[..., None]) -> None:
    played = check_sees_nothing_hidden(sampling.sampling_tables(BOX), moves, 6)
    assert len(played) > 100
    assert [chances.sum() for chances in played] == pytest.approx([1.0] * len(played))


@pytest.mark.kernels
def test_the_greedy_player_is_the_one_at_the_terminal() -> None:
    game = sampling.sampling_tables(BOX)
    rng = np.random.default_rng(2)
    work, chances = np.zeros(game.work_words, np.int64), np.zeros(game.max_moves)
    phases = set()
    for _ in range(20):
        state = game.root.copy()
        while (who := game.observe(game.tables, state, work)) != -2:
            number = int(work[0])
            if who >= 0:
                seen = decode(state[: kernel.NUM_WORDS])
                legal = [sampling.action(game.tables, state, who, move) for move in range(number)]
                hand = seen.sides[who].hand
                expected: tuple[int, ...] = (NOTHING,)
                if seen.phase == Phase.DEADEYE:
                    expected = greedy_hidden(legal, BOX)
                elif seen.phase != Phase.PREPARE:
                    expected = greedy_attack(hand, legal, BOX)
                greedy_moves(game.tables, state, work, chances)
                if not any(card in expected for card in range(3)) and seen.phase == Phase.PLACE:
                    assert not any(hand[card] and card in legal for card in range(3))
                else:
                    assert {legal[move] for move in np.flatnonzero(chances[:number])} == set(expected)
                phases.add(seen.phase)
            game.apply(game.tables, state, work, int(rng.integers(number)))
    assert phases == {Phase.PREPARE, Phase.PLACE, Phase.VETERAN, Phase.DEADEYE}
    assert len(TYPES) == NUM_TYPES


@pytest.mark.kernels
@pytest.mark.slow
def test_rollouts_beat_random_and_greedy_play() -> None:
    game = sampling.sampling_tables(BOX)
    rollouts = function_policy("rollouts", rollout_moves)
    opponents: tuple[Any, ...] = (uniform_policy(), function_policy("greedy", greedy_moves))
    for opponent in opponents:
        match = play_matches(game, rollouts, opponent, num_deals=150)
        assert match.interval[0] > 0.4

"""The OpenSpiel game and the PettingZoo environment, by those projects' own conformance tests."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from engine.ragers import reference
from engine.ragers.reference import NOTHING, deciders
from engine.ragers.rules import PLAYERS, TYPES, load_rules
from tests.oracles.games import ASYMMETRIC, SYMMETRIC

pytestmark = pytest.mark.crosscheck


def openspiel_game(**params: str) -> Any:
    pyspiel = pytest.importorskip("pyspiel")
    from engine.ragers import openspiel_game

    return pyspiel.load_game(openspiel_game.SHORT_NAME, params)


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"patron": "the-nameless", "cheers": "basher-deadeye"},
        {"set": "match.hand_size:3 match.discards:0 cards.veteran.copies:9"},
    ],
)
def test_openspiel_random_simulations(params: dict[str, str]) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pyspiel.random_sim_test(openspiel_game(**params), num_sims=10, serialize=True, verbose=False)


def test_openspiel_pays_what_the_reference_pays() -> None:
    for seed in range(20):
        generator = random.Random(seed)
        theirs = openspiel_game().new_initial_state()
        ours = reference.start_match(load_rules())
        while not theirs.is_terminal():
            if theirs.is_chance_node():
                outcomes, weights = zip(*theirs.chance_outcomes(), strict=True)
                move: Any = generator.choices(outcomes, weights)[0]
                theirs.apply_action(move)
            elif theirs.is_simultaneous_node():
                move = tuple(generator.choice(theirs.legal_actions(player)) for player in (0, 1))
                theirs.apply_actions(list(move))
            else:
                action = generator.choice(theirs.legal_actions())
                move = (action, NOTHING) if theirs.current_player() == 0 else (NOTHING, action)
                theirs.apply_action(action)
            ours = reference.step(ours, move)
        first, second = reference.scores(ours)
        assert theirs.returns() == [first - second, second - first]


@pytest.mark.parametrize(
    "name",
    [
        "uneven-attacks",
        "empty-decks",
        # Minutes each: OpenSpiel walks Python states.
        pytest.param("attacks-seen", marks=pytest.mark.slow),
        pytest.param("veterans", marks=pytest.mark.slow),
    ],
)
def test_openspiel_finds_the_same_value(name: str) -> None:
    """OpenSpiel's own best response, on its own turn-based form, brackets the value known by linear"
    " programming."""
    pyspiel = pytest.importorskip("pyspiel")
    [game] = [game for game in (*SYMMETRIC, *ASYMMETRIC) if game.name == name]
    overrides = [*game.overrides]
    if game.preparation == "none":
        overrides.append("match.discards=0")
    theirs = openspiel_game(
        patron=game.patron, cheers=game.cheers[0], set=" ".join(overrides).replace("=", ":")
    )
    turns = pyspiel.convert_to_turn_based(theirs)
    from open_spiel.python.algorithms import expected_game_score, exploitability
    from open_spiel.python.policy import TabularPolicy

    policy = TabularPolicy(turns)
    values = expected_game_score.policy_value(turns.new_initial_state(), [policy, policy])
    best = [exploitability.best_response(turns, policy, player)["best_response_value"] for player in (0, 1)]
    assert -best[1] - 1e-9 <= game.value <= best[0] + 1e-9
    from solver.extensive import expected_payoff, uniform_strategy

    tree = game.tree()
    if game.preparation != "seen":  # (the tree leaves out forced moves, so the uniform strategies agree)
        assert values[0] == pytest.approx(expected_payoff(tree, uniform_strategy(tree)))


def test_pettingzoo_conforms() -> None:
    tests = pytest.importorskip("pettingzoo.test")
    from engine.ragers.pettingzoo_env import RagersEnv

    for arguments in ({}, {"patron": "solennos", "cheers": ["two-bashers"]}):
        tests.parallel_api_test(RagersEnv(**arguments), num_cycles=500)
        tests.parallel_seed_test(lambda arguments=arguments: RagersEnv(**arguments), num_cycles=50)


def test_pettingzoo_pays_what_the_reference_pays() -> None:
    pytest.importorskip("pettingzoo")
    from engine.ragers.features import NAMES
    from engine.ragers.pettingzoo_env import RagersEnv

    env = RagersEnv()
    for seed in range(20):
        observations, _ = env.reset(seed=seed)
        total = np.zeros(2)
        while env.agents:
            state = env.state_of_game
            actions = {}
            for player, agent in enumerate(PLAYERS):
                mask = observations[agent]["action_mask"]
                assert env.observation_space(agent).contains(observations[agent])
                legal = reference.legal_actions(state, player) or (NOTHING,)
                assert np.flatnonzero(mask).tolist() == list(legal)
                seen = observations[agent]["observation"]
                assert seen[NAMES["hand"]].tolist() == list(state.players[player].hand)
                actions[agent] = int(env.action_space(agent).sample(mask=mask))
            assert set(deciders(state)) <= {0, 1}
            observations, rewards, ended, _, _ = env.step(actions)
            total += [rewards[agent] for agent in PLAYERS]
            assert all(ended.values()) == (not env.agents)
        first, second = reference.scores(env.state_of_game)
        assert total.tolist() == [first - second, second - first]
    assert len(TYPES) + 1 == env.action_space(PLAYERS[0]).n

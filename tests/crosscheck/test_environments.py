"""The games of OpenSpiel and the environments of PettingZoo, by those projects' own tests and by ours."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import engine.raverun.reference
import engine.raverun.rules
from engine.ragers import reference
from engine.ragers.reference import NOTHING, deciders
from engine.ragers.rules import PLAYERS, TYPES, load_rules
from tests.oracles.games import ASYMMETRIC, SYMMETRIC

pytestmark = pytest.mark.crosscheck

DAY = {"patron": "the-nameless", "cheers": "basher-deadeye"}
THREE_CARDS = {"set": "match.hand_size:3 match.discards:0 cards.veteran.copies:9"}
BURIES = {"set": "characters.1.action:bury characters.4.action:shuffle characters.7.action:bury"}
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("python_ragers", {}),
    ("python_ragers", DAY),
    ("python_ragers", THREE_CARDS),
    ("python_ragers_turns", {}),
    ("python_ragers_turns", DAY),
    ("python_raverun", {}),
    ("python_raverun", {"players": 3}),
    ("python_raverun", BURIES),
    ("python_raverun", {"set": "characters.1.action:bury characters.4.colour:red"}),
]


def load(name: str, params: dict[str, Any]) -> Any:
    pyspiel = pytest.importorskip("pyspiel")
    from engine.ragers import openspiel_game as _ragers  # noqa: F401
    from engine.raverun import openspiel_game as _raverun  # noqa: F401

    return pyspiel.load_game(name, params)


def openspiel_game(**params: str) -> Any:
    return load("python_ragers", params)


def go(state: Any, rng: random.Random) -> None:
    """Make a random move."""
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, weights)[0])
    elif state.is_simultaneous_node():
        state.apply_actions([rng.choice(state.legal_actions(player)) for player in (0, 1)])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize(("name", "params"), GAMES)
def test_openspiel_random_simulations(name: str, params: dict[str, Any]) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pyspiel.random_sim_test(load(name, params), num_sims=5, serialize=True, verbose=False)


def test_openspiel_pays_what_the_reference_pays() -> None:
    for seed in range(20):
        generator = random.Random(seed)
        for name in ("python_ragers", "python_ragers_turns"):
            theirs = load(name, {}).new_initial_state()
            while not theirs.is_terminal():
                go(theirs, generator)
            ours = reference.start_match(load_rules())
            for _, move in theirs.path.steps():
                ours = reference.step(ours, move)
            first, second = reference.scores(ours)
            assert theirs.returns() == [first - second, second - first]
        theirs = load("python_raverun", {"players": 2 + seed % 2}).new_initial_state()
        while not theirs.is_terminal():
            go(theirs, generator)
        assert theirs.returns() == list(engine.raverun.reference.payoffs(theirs.state))


# ---- what is seen ------------------------------------------------------------------------------------------


def observers(game: Any) -> dict[tuple[bool, str, bool], Any]:
    """An observer for every combination of flags."""
    pyspiel = pytest.importorskip("pyspiel")
    kinds = pyspiel.PrivateInfoType
    return {
        (public, private.name, recall): game.make_py_observer(
            pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
        )
        for public in (False, True)
        for private in (kinds.NONE, kinds.SINGLE_PLAYER, kinds.ALL_PLAYERS)
        for recall in (False, True)
    }


def looked(observer: Any, state: Any, player: int) -> tuple[str, bytes]:
    observer.set_from(state, player)
    assert sum(part.size for part in observer.dict.values()) == observer.tensor.size
    return observer.string_from(state, player), observer.tensor.tobytes()


@pytest.mark.parametrize(("name", "params"), GAMES)
def test_openspiel_observers_honour_every_flag(name: str, params: dict[str, Any]) -> None:
    game = load(name, params)
    rng = random.Random(3)
    kinds = observers(game)
    for _ in range(2):
        state = game.new_initial_state()
        while not state.is_terminal():
            go(state, rng)
            if rng.random() > 0.2:
                continue
            player = rng.randrange(game.num_players())
            for flags, observer in kinds.items():
                public, private, recall = flags
                seen = looked(observer, state, player)
                if private != "SINGLE_PLAYER":  # whoever looks
                    assert looked(observer, state, 1 - player if player < 2 else 0) == seen
                if flags[:2] == (False, "NONE"):
                    assert not observer.tensor.any()
                    assert not seen[0]
                assert ("events" in observer.dict) == recall
                assert ("public" in observer.dict) == public
                assert ("private" in observer.dict) == (private != "NONE")


@pytest.mark.parametrize(("name", "params"), GAMES)
def test_openspiel_strings_and_tensors_tell_the_same(name: str, params: dict[str, Any]) -> None:
    """Of states that look alike to a player in one way, none looks different in another."""
    game = load(name, params)
    by_text: dict[object, object] = {}
    by_vector: dict[object, object] = {}
    kinds = observers(game)
    for seed in range(2):
        rng = random.Random(seed)
        state = game.new_initial_state()
        while not state.is_terminal():
            go(state, rng)
            if rng.random() < 0.7:
                continue
            for player in range(game.num_players()):
                for flags, observer in kinds.items():
                    text, vector = looked(observer, state, player)
                    assert by_text.setdefault((flags, player, text), vector) == vector
                    if flags[0] and flags[2]:  # with perfect recall nothing is left out
                        assert by_vector.setdefault((flags, player, vector), text) == text
                tensor = state.information_state_tensor(player)
                assert len(tensor) == game.information_state_tensor_size()
                observer = kinds[True, "SINGLE_PLAYER", True]
                assert looked(observer, state, player)[0] == state.information_state_string(player)
                assert tensor == observer.tensor.tolist()


# ---- values ----------------------------------------------------------------------------------------------


def test_openspiel_plays_the_same_game_in_turn() -> None:
    """A small day in both forms: uniform play is worth the same."""
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import expected_game_score
    from open_spiel.python.policy import UniformRandomPolicy

    [small] = [game for game in (*SYMMETRIC, *ASYMMETRIC) if game.name == "empty-decks"]
    overrides = [*small.overrides, *(["match.discards=0"] if small.preparation == "none" else [])]
    params = {"patron": small.patron, "cheers": small.cheers[0]}
    params["set"] = " ".join(overrides).replace("=", ":")
    values = []
    for game in (
        pyspiel.convert_to_turn_based(openspiel_game(**params)),
        load("python_ragers_turns", params),
    ):
        policy = UniformRandomPolicy(game)
        values.append(expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0])
    assert values[0] == pytest.approx(values[1], abs=1e-9)


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


# ---- environments ------------------------------------------------------------------------------------------


def parallel_env(number: int) -> Any:
    from engine.ragers.pettingzoo_env import RagersEnv

    return [RagersEnv, lambda: RagersEnv(patron="solennos", cheers=["two-bashers"])][number]()


@pytest.mark.filterwarnings("ignore:Observation .*:UserWarning")  # that it is a dictionary, with a mask
def test_pettingzoo_conforms() -> None:
    tests = pytest.importorskip("pettingzoo.test")
    from engine.raverun.pettingzoo_env import RaverunEnv

    for number in (0, 1):
        tests.parallel_api_test(parallel_env(number), num_cycles=500)
    for num_players in (2, 3):
        tests.api_test(RaverunEnv(num_players=num_players), num_cycles=500)
        tests.seed_test(lambda num_players=num_players: RaverunEnv(num_players=num_players), num_cycles=200)


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

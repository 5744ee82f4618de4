"""Branched plays, policies that carry weights, restrictions, records: against exact payoffs of trees."""

from __future__ import annotations

import numpy as np
import pytest

from solver.extensive import TERMINAL, build_game, expected_payoff, uniform_strategy
from solver.sampling.branched_plays import Field, branch_plays
from solver.sampling.head_to_head import play_matches
from solver.sampling.policy import Restriction, policy_probabilities, uniform_policy
from solver.sampling.recorded_plays import record_plays
from solver.sampling.value_network import ValueNetwork
from solver.sampling.value_policy import ValuePolicy, network_policy
from solver.sampling.value_training import ValueTrainingSettings, train_values
from tests.games import kuhn
from tests.games.compiled_goofspiel import CompiledGoofspiel
from tests.games.explicit_trees import tree_sampling_game

pytestmark = pytest.mark.kernels


TREE = build_game(kuhn.Kuhn())


GAME = tree_sampling_game(TREE)


ANYWHERE = Field(0, 0, 0, 0, 0)


GOOFSPIEL = CompiledGoofspiel(4)


@pytest.fixture(scope="module")
def network() -> ValueNetwork:
    settings = ValueTrainingSettings(num_hidden=16, temperatures=(2.0, 0.5))
    return train_values(GOOFSPIEL, GOOFSPIEL.payoff_range, settings, plays=3000).network


def test_each_move_of_a_branched_decision_is_worth_what_the_tree_says() -> None:
    plays = branch_plays(GAME, uniform_policy(), ANYWHERE, num_plays=6000, seed=1, words=(0,))
    strategy = uniform_strategy(TREE)
    assert plays.num_plays == 6000
    assert np.array_equal(TREE.node_player[plays.words[:, 0]], plays.decider)
    assert np.allclose(plays.sums(plays.probability), 1.0)
    worth = TREE.payoff.copy()
    for node in range(TREE.num_nodes - 1, 0, -1):
        slot = TREE.incoming_slot[node]
        step = TREE.chance_probability[node] if slot < 0 else strategy[slot]
        worth[TREE.parent[node]] += step * worth[node]
    checked = 0
    for node in np.unique(plays.words[:, 0]):
        rows = np.flatnonzero(plays.words[:, 0] == node)
        for move in range(TREE.num_children[node]):
            won = plays.payoffs[plays.first[rows] + move, 0]
            error = won.std() / np.sqrt(len(won))
            assert abs(won.mean() - worth[TREE.first_child[node] + move]) <= 4.5 * error + 1e-12
            checked += 1
    assert checked == np.sum(TREE.num_children[(TREE.node_player != TERMINAL) & (TREE.node_player >= 0)])


def test_branches_share_their_luck_and_any_number_of_threads_finds_the_same() -> None:
    asked = {"num_plays": 300, "seed": 5, "words": (0,)}
    one, three = (branch_plays(GAME, uniform_policy(), ANYWHERE, threads=n, **asked) for n in (1, 3))  # type: ignore[arg-type]
    for name in ("play", "decider", "num_moves", "first", "words", "probability", "payoffs"):
        assert np.array_equal(getattr(one, name), getattr(three, name))
    counted = branch_plays(GAME, uniform_policy(), ANYWHERE, counted=ANYWHERE, **asked)  # type: ignore[arg-type]
    starts = np.flatnonzero(np.diff(counted.play, prepend=-1))
    assert np.array_equal(
        counted.before,
        np.arange(len(counted.play)) - np.repeat(starts, np.diff(starts, append=len(counted.play))),
    )
    half = branch_plays(GAME, uniform_policy(), ANYWHERE, num_plays=2000, share=0.5, brancher=0)
    whole = branch_plays(GAME, uniform_policy(), ANYWHERE, num_plays=2000, brancher=0)
    assert set(half.decider) == {0}
    assert 0.42 < len(half.play) / len(whole.play) < 0.58
    with pytest.raises(ValueError, match="a share of 0"):
        branch_plays(GAME, uniform_policy(), ANYWHERE, num_plays=1, share=0.0)
    enough = branch_plays(GAME, uniform_policy(), ANYWHERE, num_plays=10_000, stop=lambda: True)
    assert 0 < enough.num_plays < 10_000


def test_a_policy_with_weights_plays_as_the_one_asked_from_python(network: ValueNetwork) -> None:
    compiled = network_policy(GOOFSPIEL, network, 0.3)
    asked = ValuePolicy(GOOFSPIEL, network, 0.3)
    state, work, chances = GOOFSPIEL.root.copy(), np.zeros(GOOFSPIEL.work_words, np.int64), np.zeros(9)
    generator = np.random.default_rng(1)
    while (decider := GOOFSPIEL.observe(GOOFSPIEL.tables, state, work)) != TERMINAL:
        count = int(work[0])
        if decider >= 0:
            arguments = (decider, GOOFSPIEL.tables, state, work, chances)
            policy_probabilities(compiled.arguments, *arguments)
            assert np.allclose(chances[:count], asked.probabilities(state))
        GOOFSPIEL.apply(GOOFSPIEL.tables, state, work, int(generator.integers(count)))
    threads = [
        play_matches(GOOFSPIEL, compiled, uniform_policy(), num_deals=5000, threads=n).payoffs for n in (1, 2)
    ]
    assert np.array_equal(threads[0], threads[1])


@pytest.mark.parametrize(
    ("moves", "expected"),
    [("last", [0.0, 1.0]), ("evenly", [0.5, 0.5]), (((0,), (1,)), [1.0, 0.0])],
)
def test_a_restriction_replaces_the_policy_where_its_field_says_so(
    moves: str | tuple[tuple[int, ...], ...], expected: list[float]
) -> None:
    """Player 0 bets or passes as the restriction has it; where its field says nothing all stays as it was."""
    roots = np.flatnonzero((TREE.node_player == 0) & (TREE.parent_slot[TREE.node_infoset] < 0))
    restriction = Restriction(0, 0, 2**20, 0, 2**20, moves)
    strategy = uniform_strategy(TREE)
    own = [node for node in range(TREE.num_nodes) if TREE.node_player[node] == 0]
    for node in own:
        first = TREE.first_slot[TREE.node_infoset[node]]
        strategy[first : first + 2] = expected
    result = play_matches(
        GAME, uniform_policy().restricted(restriction), uniform_policy(), num_deals=20_000, seats=(0,)
    )
    assert abs(result.mean - expected_payoff(TREE, strategy)) < 4 * result.standard_error
    never = Restriction(0, 0, 2**20 - 1, int(roots[-1]) + 10_000, 2**19, moves)
    plain = play_matches(GAME, uniform_policy(), uniform_policy(), num_deals=500, seed=1)
    free = play_matches(GAME, uniform_policy().restricted(never), uniform_policy(), num_deals=500, seed=1)
    assert np.array_equal(plain.payoffs, free.payoffs)


def test_plays_are_recorded_decision_by_decision() -> None:
    plays = record_plays(GAME, uniform_policy(), num_plays=20_000, seed=3, words=(0,))
    assert plays.payoffs.shape == (20_000, 2)
    mean = plays.payoffs[:, 0].mean()
    error = plays.payoffs[:, 0].std() / np.sqrt(20_000)
    assert abs(mean - expected_payoff(TREE, uniform_strategy(TREE))) < 4 * error
    assert set(plays.play) == set(range(20_000))
    assert np.all(np.diff(plays.play) >= 0)
    assert np.all(plays.probability == 1 / plays.num_moves)
    # The word kept is the node, and the node says who decides.
    assert np.array_equal(TREE.node_player[plays.words[:, 0]], plays.decider)
    again = record_plays(GAME, uniform_policy(), num_plays=20_000, seed=3, threads=3)
    assert np.array_equal(again.payoffs, plays.payoffs)
    assert np.array_equal(again.play, plays.play)

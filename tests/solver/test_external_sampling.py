"""External sampling: known values within measured exploitability, its slow twin, limits and seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.extensive import GameSource, build_game, expected_payoff, uniform_strategy
from solver.sampling.external_sampling import (
    LINEAR,
    WEIGHTINGS,
    ExternalSamplingResult,
    ExternalSamplingSettings,
    ExternalSamplingTrainer,
    train_external_sampling,
)
from solver.sampling.infoset_table import TableFullError
from solver.sequence_form import solve_sequence_form
from solver.tree_best_response import exploitability
from tests.games import kuhn, leduc
from tests.games.compiled_goofspiel import CompiledGoofspiel
from tests.games.explicit_trees import table_strategy, tree_sampling_game
from tests.games.goofspiel import Goofspiel
from tests.games.random_game import RandomGame
from tests.games.sampling_checks import check_sampling_game
from tests.solver import naive_sampling

pytestmark = pytest.mark.kernels

LOPSIDED = Goofspiel(3, hands=((3, 2, 1), (4, 2, 1)))

#: Source, value (None: ask the linear program), and a NashConv that 100,000 iterations stay below
#: with a third to spare, whatever the weighting (measured over six seeds).
GAMES: dict[str, tuple[GameSource[Any], float | None, float]] = {
    "kuhn": (kuhn.Kuhn(), float(kuhn.VALUE), 0.015),
    "leduc": (leduc.Leduc(), leduc.VALUE, 0.2),
    "goofspiel-3": (Goofspiel(3), 0.0, 0.002),
    "goofspiel-4": (Goofspiel(4, shuffled=False), 0.0, 0.006),
    "lopsided": (LOPSIDED, None, 0.07),
    "kuhn-4-ranks": (kuhn.Kuhn(ante=2, bet=3, num_ranks=4), None, 0.045),
    "random-1": (RandomGame(1, depth=5), None, 0.0005),
    "random-2": (RandomGame(2, depth=6), None, 0.003),
}


def table_contents(result: ExternalSamplingResult) -> dict[int, tuple[list[float], list[float]]]:
    records = result.table.records
    rows = {int(key): result.table.rows(int(key)) for key in records[:, 0] if key != 0}
    return {key: (row[0].tolist(), row[1].tolist()) for key, row in rows.items() if row is not None}


@pytest.mark.parametrize(
    ("name", "weighting"),
    [
        (name, weighting)
        for name in GAMES
        for weighting in (WEIGHTINGS if name in ("kuhn", "leduc", "lopsided") else (LINEAR,))
    ],
)
def test_average_strategies_close_in_on_the_known_value(name: str, weighting: str) -> None:
    source, value, bound = GAMES[name]
    tree = build_game(source)
    trainer = ExternalSamplingTrainer(tree_sampling_game(tree), ExternalSamplingSettings(weighting=weighting))
    if value is None:
        value = solve_sequence_form(tree).value
    early = exploitability(tree, table_strategy(tree, trainer.run(300).table))
    result = trainer.run(99_700)
    strategy = table_strategy(tree, result.table)
    measured = exploitability(tree, strategy)
    assert result.iterations == 100_000
    assert measured.nash_conv <= bound
    assert measured.nash_conv < early.nash_conv
    assert abs(expected_payoff(tree, strategy) - value) <= measured.nash_conv + 1e-12
    assert -measured.best_response_values[1] - 1e-12 <= value <= measured.best_response_values[0] + 1e-12


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), weighting=st.sampled_from(WEIGHTINGS), period=st.integers(1, 7))
def test_kernel_equals_the_recursive_twin(seed: int, weighting: str, period: int) -> None:
    tree = build_game(RandomGame(seed, real_payoffs=True))
    choices = ExternalSamplingSettings(weighting=weighting, period=period, seed=seed)
    result = train_external_sampling(tree_sampling_game(tree), choices, iterations=20)
    twin = naive_sampling.train(tree, choices, iterations=20)
    assert result.nodes == twin.nodes
    assert table_contents(result).keys() == twin.regrets.keys()
    for key, (regrets, averages) in table_contents(result).items():
        np.testing.assert_allclose(regrets, twin.regrets[key], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(averages, twin.averages[key], rtol=1e-9, atol=1e-9)


def test_same_seed_same_answer_however_the_run_is_cut() -> None:
    game = tree_sampling_game(build_game(leduc.Leduc()))
    whole = train_external_sampling(game, ExternalSamplingSettings(seed=7), iterations=3000)
    trainer = ExternalSamplingTrainer(game, ExternalSamplingSettings(seed=7))
    for part in (1, 999, 1500, 500):
        cut = trainer.run(part)
    other = train_external_sampling(game, ExternalSamplingSettings(seed=8), iterations=3000)
    assert table_contents(whole) == table_contents(cut)
    assert (whole.nodes, whole.updates) == (cut.nodes, cut.updates)
    assert table_contents(whole) != table_contents(other)
    assert whole.seed == 7


@pytest.mark.parametrize("game", [CompiledGoofspiel(4, shuffled=False), CompiledGoofspiel(3)], ids=str)
def test_rules_as_functions_reach_the_same_equilibrium_as_their_tree(game: CompiledGoofspiel) -> None:
    check_sampling_game(game)
    tree = build_game(Goofspiel(game.num_cards, shuffled=game.shuffled))
    result = train_external_sampling(game, ExternalSamplingSettings(seed=1), iterations=100_000)
    strategy = uniform_strategy(tree)
    found = 0
    for infoset, key in enumerate(tree.infoset_keys):
        assert isinstance(key, tuple)
        rows = result.table.rows(game.key(*key, int(tree.infoset_player[infoset])))
        found += rows is not None
        if rows is not None and rows[1].sum() > 0.0:
            # Moves are numbered alike: cards in descending order.
            strategy[tree.first_slot[infoset] : tree.first_slot[infoset + 1]] = rows[1] / rows[1].sum()
    assert found == result.table.num_infosets > 50
    assert exploitability(tree, strategy).nash_conv < 0.1


def test_three_players_are_trained_and_each_strategy_is_summed() -> None:
    game = CompiledGoofspiel(3, num_players=3)
    check_sampling_game(game)
    result = train_external_sampling(game, iterations=2000)
    players = {}
    for key in table_contents(result):
        rows = result.table.rows(key)
        assert rows is not None
        players.setdefault((key & 3) - 1, []).append(rows[1].sum())
    assert set(players) == {0, 1, 2}
    # Nobody's averages are left out.
    assert all(np.mean(sums) > 1.0 for sums in players.values())


@pytest.mark.parametrize("name", GAMES)
def test_trees_keep_the_contract(name: str) -> None:
    check_sampling_game(tree_sampling_game(build_game(GAMES[name][0])), num_plays=50, seed=3)


def test_a_full_table_stops_the_training() -> None:
    game = tree_sampling_game(build_game(leduc.Leduc()))
    trainer = ExternalSamplingTrainer(game, ExternalSamplingSettings(max_infosets=100))
    with pytest.raises(TableFullError, match=r"100 of 100 infosets.*max_infosets"):
        trainer.run(10_000)
    assert trainer.result().table.num_infosets == 100

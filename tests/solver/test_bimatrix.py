"""Games that need not be zero-sum: known equilibria, nashpy's traps, and verification."""

from __future__ import annotations

import warnings
from fractions import Fraction

import nashpy
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from solver import bimatrix
from solver.bimatrix import solve_bimatrix
from solver.extreme_equilibria import exact_gains, extreme_equilibria
from solver.lp import solve_matrix_program


def test_prisoners_dilemma_has_one_equilibrium() -> None:
    solution = solve_bimatrix([[3, 0], [5, 1]], [[3, 5], [0, 1]])
    assert len(solution.equilibria) == 1
    assert solution.equilibria[0].payoffs == (1.0, 1.0)
    assert solution.equilibria[0].epsilon == 0.0
    assert solution.enumerated


def test_zero_sum_games_keep_their_value() -> None:
    game = np.random.default_rng(2).integers(-3, 4, (4, 4))
    for equilibrium in solve_bimatrix(game, 7 - game).equilibria:
        assert equilibrium.payoffs[0] == pytest.approx(solve_matrix_program(game).value, abs=1e-9)


def test_an_equilibrium_is_found_where_support_enumeration_finds_none() -> None:
    generator = np.random.default_rng(0)
    missed = []
    for _ in range(150):
        games = generator.integers(-9, 10, (2, 3, 3)).astype(np.float64)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if not list(nashpy.Game(*games).support_enumeration()):
                missed.append(games)
    assert missed
    for games in missed:
        assert solve_bimatrix(*games).equilibria[0].epsilon <= 1e-9 * 18


@pytest.mark.parametrize("enumerated", [True, False])
@pytest.mark.parametrize("large", [1e10, 1e18, 1e308])
def test_what_one_may_lose_says_nothing_of_the_other(
    large: float, enumerated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not enumerated:
        monkeypatch.setattr(bimatrix, "MAX_ENUMERATION_ACTIONS", 0)
    for first, second in (
        ([[0, 0, 0, 0, large]], [[1, 5, 2, 3, 0]]),
        ([[0, large], [1, 1]], [[1, 5], [2, 1]]),
    ):
        for transposed in (False, True):
            games = [np.array(first, dtype=float), np.array(second, dtype=float)]
            if transposed:
                games = [games[1].T, games[0].T]
            for equilibrium in solve_bimatrix(*games).equilibria:
                assert max(equilibrium.gains) <= 1e-9
                replies = games[0] @ equilibrium.strategies[1], equilibrium.strategies[0] @ games[1]
                for player, game in enumerate(games):
                    best = replies[player].max() - equilibrium.payoffs[player]
                    assert best <= 1e-8 * np.ptp(game / 2)


def test_equal_rows_make_three_extreme_equilibria() -> None:
    solution = solve_bimatrix([[1, 1], [1, 1], [1, 1]], [[1, 0], [1, 0], [1, 0]])
    assert [e.payoffs for e in solution.equilibria] == [(1.0, 1.0)] * 3
    assert solution.enumerated


@settings(max_examples=60, deadline=None)
@given(
    games=hnp.arrays(
        np.int64,
        st.tuples(st.just(2), st.integers(1, 3), st.integers(1, 3)),
        elements=st.one_of(st.integers(-2, 2), st.sampled_from([10**15, -(10**15)])),
    ),
)
def test_extreme_equilibria_are_exact_and_all_there(games: npt.NDArray[np.int64]) -> None:
    exact = [[[Fraction(amount) for amount in row] for row in game.tolist()] for game in games]
    found = extreme_equilibria(*exact)
    assert len({e.strategies for e in found}) == len(found) >= 1
    for equilibrium in found:
        assert exact_gains(*exact, *equilibrium.strategies) == (0, 0)
    # By brute force: pure equilibria are extreme.
    pure = {
        (row, column)
        for row in range(games.shape[1])
        for column in range(games.shape[2])
        if games[0, row, column] == games[0, :, column].max() and games[1, row, column] == games[1, row].max()
    }
    listed = [e.strategies for e in found if all(max(mix) == 1 for mix in e.strategies)]
    assert {(rows.index(1), columns.index(1)) for rows, columns in listed} == pure


@pytest.mark.parametrize("method", ["lemke-howson", "supports"])
def test_the_later_methods_work_by_themselves(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bimatrix, "MAX_ENUMERATION_ACTIONS", 0)
    if method == "supports":
        monkeypatch.setattr(bimatrix, "PIVOTS_PER_ACTION", 0)
    games = np.random.default_rng(3).normal(size=(2, 4, 5))
    solution = solve_bimatrix(*games)
    assert {e.method for e in solution.equilibria} == {method}
    assert not solution.enumerated
